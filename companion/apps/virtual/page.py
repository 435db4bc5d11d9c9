"""One open page of the virtual table, as the relay knows it."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.apps.virtual.piece import Viewer

MOST_WAITING: Final = 600
"""A page for which more is waiting has stopped reading."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who has a page open.

    seat: that it holds, None if it holds none.  free: the seats that nobody holds.
    """

    seat: int | None = None
    is_host: bool = False
    free: tuple[int, ...] = ()

    @property
    def may_move(self) -> bool:
        """Whether it may move things, not only watch."""
        return self.is_host or self.seat is not None


class Page:
    """An open page: who has it, what it was told last, and what waits to be sent.

    wake: called when something waits.
    hand: the number of its arm, None if it only watches.  sits_for: the free seat that a host
    plays for.  draws, is_visible: as the page says.
    pieces: as it was told of them last.  is_lost: whether it has stopped reading.
    """

    def __init__(self, person: Person, wake: Callable[[], None] = lambda: None) -> None:
        self.person = person
        self.wake = wake
        self.hand: int | None = None
        self.sits_for: int | None = None
        self.draws = self.is_visible = False
        self.pieces: dict[int, dict[str, Any]] = {}
        self.parts: dict[str, Any] = {}
        self.is_lost = False
        self._waiting: deque[Mapping[str, Any]] = deque()
        self._hands: Mapping[str, Any] | None = None

    @property
    def viewer(self) -> Viewer:
        """What it may see."""
        return Viewer(self.hand, self.private, is_host=self.person.is_host)

    @property
    def private(self) -> int | None:
        """The seat whose hand of cards it has, None if it has none's."""
        return self.sits_for if self.person.seat is None else self.person.seat

    @property
    def may_be_eye(self) -> bool:
        """Whether it can draw what the camera sees, now."""
        return self.draws_for_host and self.is_visible

    @property
    def draws_for_host(self) -> bool:
        """Whether it could, if nothing hid it."""
        return self.person.is_host and self.draws

    def tell(self, body: Mapping[str, Any]) -> None:
        """Send *body* as soon as the page reads; of hands only the newest."""
        if body["tell"] == "hands":
            self._hands = body
        elif len(self._waiting) >= MOST_WAITING:
            self.is_lost = True
        else:
            self._waiting.append(body)
        self.wake()

    def next_message(self) -> Mapping[str, Any] | None:
        """Return what is to be sent next, None if nothing waits."""
        if self._waiting:
            return self._waiting.popleft()
        found, self._hands = self._hands, None
        return found
