"""Screens that ask to show the table's code: the host lets in the one whose sign the room sees."""

import secrets
from collections import OrderedDict
from typing import Final

from companion.web.http.attempts import CODES_IN_ALL, CODES_PER_SOURCE, WrongKeys
from companion.web.http.keys import KEY_BYTES, new_code

MAX_PENDING: Final = 6


class PendingScreens:
    """Browsers that have asked, each with the sign that it shows.

    Only the newest few are remembered, until the companion stops.
    asked: how many have asked, and how fast more may.
    """

    def __init__(self) -> None:
        self.asked = WrongKeys(CODES_PER_SOURCE, CODES_IN_ALL)
        self._signs: OrderedDict[str, str] = OrderedDict()

    @property
    def signs(self) -> tuple[str, ...]:
        """The signs that are shown now, the newest first."""
        return tuple(reversed(self._signs.values()))

    def ask(self) -> str:
        """Return what the browser of another screen is to hold."""
        cookie, sign = secrets.token_urlsafe(KEY_BYTES), new_code()
        while sign in self._signs.values():
            sign = new_code()
        self._signs[cookie] = sign
        if len(self._signs) > MAX_PENDING:
            self._signs.popitem(last=False)
        return cookie

    def sign_of(self, cookie: str | None) -> str:
        """Return the sign that the browser holding *cookie* shows, "" if it has not asked."""
        return self._signs.get(cookie or "", "")

    def take(self, sign: str) -> str | None:
        """Return what the browser that shows *sign* holds, and forget it; None if none does."""
        for cookie, shown in self._signs.items():
            if shown == sign:
                del self._signs[cookie]
                return cookie
        return None

    def clear(self) -> None:
        """Forget all of them."""
        self._signs.clear()
