"""Keys: who may do what.  The host's key opens the desk; each seat's link lets in one browser."""

import json
import secrets
from dataclasses import asdict, dataclass
from hmac import compare_digest
from pathlib import Path
from typing import Final

from companion.files import write_whole

HOST_COOKIE: Final = "tiki_host"
KEY_BYTES: Final = 16  # 128 bits cannot be guessed over a network


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def _same(one: str, other: str) -> bool:
    # As bytes: compare_digest refuses strings beyond ASCII, and a cookie may hold anything.
    return compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A browser that has joined a seat.

    key: what its cookie holds.  since: the number of log entries when it came; a secret that was
    entered before is none of its business.
    """

    key: str
    since: int


class Keys:
    """The host's key, the open invitations, and the seats that were claimed by one.

    host: unguessable; the daemon prints it as part of the host's address.  A new one if not given,
        or the one in *file*.
    file: keeps everything over a restart, so that phones stay at their seats; None keeps nothing.
        A file that is missing or spoilt is begun again: the worst of it is that phones join again.
    Raises OSError if *file* cannot be written.
    """

    def __init__(self, host: str | None = None, file: Path | None = None) -> None:
        self._file = file
        self._session = 0
        self._invitations: dict[int, str] = {}
        self._claims: dict[int, Claim] = {}
        kept_host = self._recall()
        self.host = host or kept_host or _new_key()
        self._keep()

    def is_host(self, key: str | None) -> bool:
        """Return whether *key* is the host's."""
        return key is not None and _same(key, self.host)

    def open_seats(self, session: int, seats: int) -> None:
        """Begin *session*: one fresh invitation for each seat, and nobody sits yet.

        A session that these keys know already continues as it was.
        """
        if session == self._session and {*self._invitations, *self._claims} == {*range(seats)}:
            return
        self._session = session
        self._invitations = {seat: _new_key() for seat in range(seats)}
        self._claims = {}
        self._keep()

    def invitation(self, seat: int) -> str | None:
        """Return the open invitation to *seat*, None if it was used or there is no such seat."""
        return self._invitations.get(seat)

    def invite_anew(self, seat: int) -> None:
        """Put a fresh invitation in the place of the old one; whoever sat at *seat* loses it."""
        self._claims.pop(seat, None)
        self._invitations[seat] = _new_key()
        self._keep()

    def invited(self, invitation: str) -> int | None:
        """Return the seat that *invitation* is for, None if it is not open."""
        for seat, key in self._invitations.items():
            if _same(invitation, key):
                return seat
        return None

    def claim(self, invitation: str, since: int) -> tuple[int, Claim] | None:
        """Use *invitation* up and return its seat and the claim on it; None if it is not open."""
        seat = self.invited(invitation)
        if seat is None:
            return None
        del self._invitations[seat]
        self._claims[seat] = Claim(_new_key(), since)
        self._keep()
        return seat, self._claims[seat]

    def seat(self, key: str | None) -> tuple[int, Claim] | None:
        """Return the seat that *key* sits at, and its claim; None if it sits nowhere."""
        if key is not None:
            for seat, claim in self._claims.items():
                if _same(key, claim.key):
                    return seat, claim
        return None

    def is_taken(self, seat: int) -> bool:
        """Return whether a browser sits at *seat*."""
        return seat in self._claims

    def _recall(self) -> str | None:
        """Take up what the file holds and return the host's key; None if there is nothing in it."""
        if self._file is None:
            return None
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            host, session = str(kept["host"]), int(kept["session"])
            invitations = {int(seat): str(key) for seat, key in kept["invitations"].items()}
            claims = {
                int(seat): Claim(str(claim["key"]), int(claim["since"]))
                for seat, claim in kept["claims"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        self._session, self._invitations, self._claims = session, invitations, claims
        return host

    def _keep(self) -> None:
        if self._file is None:
            return
        kept = {
            "host": self.host,
            "session": self._session,
            "invitations": self._invitations,
            "claims": {seat: asdict(claim) for seat, claim in self._claims.items()},
        }
        # For nobody else on this machine to read.
        write_whole(self._file, json.dumps(kept).encode(), mode=0o600)
