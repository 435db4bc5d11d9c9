"""Keys: who may do what.  The host's key opens the desk; each seat's link lets in one browser.

Everything here lives as long as the process; after a restart the host opens the newly printed
address, and phones join anew by new links.
"""

import secrets
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

KEY_BYTES: Final = 16  # 128 bits: nobody guesses it over a network


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def _same(one: str, other: str) -> bool:
    # As bytes: compare_digest refuses strings beyond ASCII, and a cookie may hold anything.
    return compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A browser that sits at a seat.

    key: what its cookie holds.  since: the number of log entries when it came; a secret that was
    entered before is none of its business.
    """

    key: str
    since: int


class Keys:
    """The host's key, the open invitations, and the seats that were claimed by one.

    host: unguessable; the daemon prints it as part of the host's address.
    """

    def __init__(self, host: str | None = None) -> None:
        self.host = host or _new_key()
        self._invitations: dict[int, str] = {}
        self._claims: dict[int, Claim] = {}

    def is_host(self, key: str | None) -> bool:
        """Tell whether *key* is the host's."""
        return key is not None and _same(key, self.host)

    def open_seats(self, seats: int) -> None:
        """Begin a game of *seats*: one fresh invitation each, and nobody sits yet."""
        self._invitations = {seat: _new_key() for seat in range(seats)}
        self._claims = {}

    def invitation(self, seat: int) -> str | None:
        """Return the open invitation to *seat*, None if it was used or there is no such seat."""
        return self._invitations.get(seat)

    def invite_anew(self, seat: int) -> None:
        """Put a fresh invitation in the place of the old one; whoever sat at *seat* loses it."""
        self._claims.pop(seat, None)
        self._invitations[seat] = _new_key()

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
        return seat, self._claims[seat]

    def seat(self, key: str | None) -> tuple[int, Claim] | None:
        """Return the seat that *key* sits at, and its claim; None if it sits nowhere."""
        if key is not None:
            for seat, claim in self._claims.items():
                if _same(key, claim.key):
                    return seat, claim
        return None

    def is_taken(self, seat: int) -> bool:
        """Tell whether a browser sits at *seat*."""
        return seat in self._claims
