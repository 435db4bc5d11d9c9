"""Keys: who may do what.  The host's key opens the desk; each seat's link lets in one browser.

All that a cookie or a seat's link holds is made here, and has 128 random bits.  Only the host's key
may be the owner's own choice, from the settings; so it stands in no cookie, and may be guessed at a
limited rate alone, see `companion.web.admission`.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from companion.files import write_whole

HOST_COOKIE: Final = "tiki_host"
SEAT_COOKIE: Final = "tiki_seat"
KEY_BYTES: Final = 16  # 128 bits cannot be guessed over a network
KEY_CHARS: Final = 22  # of so many bytes as base64


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


@dataclass(frozen=True, slots=True)
class _Kept:
    """All that is kept over a restart.

    host: the host's key.  is_chosen: whether it comes from the settings.  cookie: what a browser
    holds once the host's key has let it in.  session: the one that invitations and claims are for.
    """

    host: str = ""
    is_chosen: bool = False
    cookie: str = ""
    session: int = 0
    invitations: Mapping[int, str] = field(default_factory=dict)
    claims: Mapping[int, Claim] = field(default_factory=dict)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "_Kept":
        """Return what a file holds; raises KeyError, TypeError, ValueError or AttributeError."""
        host = str(kept["host"])
        # Earlier versions did not say whose choice the key was, and had it in the cookie.
        is_chosen = bool(kept.get("is_chosen", len(host) != KEY_CHARS))
        return cls(
            host=host,
            is_chosen=is_chosen,
            cookie=str(kept.get("cookie", _new_key() if is_chosen else host)),
            session=int(kept["session"]),
            invitations={int(seat): str(key) for seat, key in kept["invitations"].items()},
            claims={
                int(seat): Claim(str(claim["key"]), int(claim["since"]))
                for seat, claim in kept["claims"].items()
            },
        )


class Keys:
    """The host's key, the open invitations, and the seats that were claimed by one.

    host: the owner's own key; None takes the one in *file*, or makes one that cannot be guessed.
    file: keeps everything over a restart, so that phones stay at their seats; None keeps nothing.
        A file that is missing or spoilt is begun again: the worst of it is that phones join again.
    Where *file* cannot be written nothing changes, but see `open_seats`; that raises OSError.
    """

    def __init__(self, host: str | None = None, file: Path | None = None) -> None:
        self._file = file
        self._is_saved = True
        kept = _recall(file)
        key = host or (kept.host if kept.host and not kept.is_chosen else _new_key())
        cookie = kept.cookie if key == kept.host else _new_key()
        self._kept = kept
        now = replace(kept, host=key, is_chosen=bool(host), cookie=cookie)
        if now != kept:  # on a full disk, phones and host stay as they were
            self._keep(now)

    @property
    def host(self) -> str:
        """The host's key; the daemon prints it as part of the host's address."""
        return self._kept.host

    @property
    def is_chosen(self) -> bool:
        """Whether the host's key is the owner's choice, and so may be one that can be guessed."""
        return self._kept.is_chosen

    @property
    def host_cookie(self) -> str:
        """What the host's browser holds; another one if the host's key is another."""
        return self._kept.cookie

    def opens_desk(self, key: str | None) -> bool:
        """Return whether *key* is the host's."""
        return key is not None and _same(key, self._kept.host)

    def is_host(self, cookie: str | None) -> bool:
        """Return whether *cookie* is that of a browser which the host's key has let in."""
        return cookie is not None and _same(cookie, self._kept.cookie)

    def open_seats(self, session: int, seats: int) -> None:
        """Begin *session*: one fresh invitation for each seat, and nobody sits yet.

        A session that these keys know already continues as it was.  Raises OSError where the file
        cannot be written, and has opened the seats nevertheless: nobody sits there from the game
        before.
        """
        kept = self._kept
        if session == kept.session and {*kept.invitations, *kept.claims} == {*range(seats)}:
            return
        self._kept = replace(
            kept,
            session=session,
            invitations={seat: _new_key() for seat in range(seats)},
            claims={},
        )
        self._is_saved = False
        self.save()

    def save(self) -> None:
        """Write what is in force, unless it is written; raises OSError."""
        if not self._is_saved:
            self._keep(self._kept)

    def invitation(self, seat: int) -> str | None:
        """Return the open invitation to *seat*, None if it was used or there is no such seat."""
        return self._kept.invitations.get(seat)

    def invite_anew(self, seat: int) -> None:
        """Put a fresh invitation in the place of the old one; whoever sat at *seat* loses it."""
        kept = self._kept
        claims = {other: claim for other, claim in kept.claims.items() if other != seat}
        invitations = {**kept.invitations, seat: _new_key()}
        self._keep(replace(kept, invitations=invitations, claims=claims))

    def invited(self, invitation: str) -> int | None:
        """Return the seat that *invitation* is for, None if it is not open."""
        for seat, key in self._kept.invitations.items():
            if _same(invitation, key):
                return seat
        return None

    def claim(self, invitation: str, since: int) -> tuple[int, Claim] | None:
        """Use *invitation* up and return its seat and the claim on it; None if it is not open."""
        seat = self.invited(invitation)
        if seat is None:
            return None
        kept, claim = self._kept, Claim(_new_key(), since)
        invitations = {other: key for other, key in kept.invitations.items() if other != seat}
        claims = {**kept.claims, seat: claim}
        self._keep(replace(kept, invitations=invitations, claims=claims))
        return seat, claim

    def seat(self, key: str | None) -> tuple[int, Claim] | None:
        """Return the seat that *key* sits at, and its claim; None if it sits nowhere."""
        if key is not None:
            for seat, claim in self._kept.claims.items():
                if _same(key, claim.key):
                    return seat, claim
        return None

    def is_taken(self, seat: int) -> bool:
        """Return whether a browser sits at *seat*."""
        return seat in self._kept.claims

    def _keep(self, kept: _Kept) -> None:
        """Put *kept* in force once it is on the disk."""
        if self._file is not None:
            write_whole(self._file, json.dumps(asdict(kept)).encode())
        self._kept, self._is_saved = kept, True


def _recall(file: Path | None) -> _Kept:
    """Return what *file* holds, nothing if there is none or it cannot be understood."""
    if file is None:
        return _Kept()
    try:
        return _Kept.from_json(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _Kept()
