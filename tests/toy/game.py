"""Pebbles as the referee has it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.referee.game import EMPTY, Game, Play, Refusal, Table
from companion.rules.base import IllegalAction, InvalidAction
from companion.rules.protocol import Spoken
from companion.session.events import TableAdopted
from tests.toy import rules
from tests.toy.rules import HEAPS, SEATS, State, Took


class Pebbles(Game[State, Took]):
    """Pebbles.  A place is a heap, and shows how many pebbles are left in it."""

    title = "Pebbles"
    rules: Spoken[State, Took] = rules
    seats = SEATS
    places = len(HEAPS)

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return who begins."""
        return {"first": first or 0}

    def shown(self, state: State) -> Table:
        """Return what is left in each heap."""
        return tuple(str(left) if left else EMPTY for left in state.heaps)

    def plays(self, state: State) -> Iterator[Play]:
        """Yield everything that may be taken."""
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            text = rules.format_action(action)
            yield Play(state.seat, (text,), self.shown(after), self.ruling(after))

    def refusal(self, state: State, seen: Table, player: str) -> Refusal | None:
        """Return why so many pebbles may not be taken from a heap."""
        del player
        for heap, (left, content) in enumerate(zip(state.heaps, seen, strict=True)):
            now = 0 if content == EMPTY else int(content or left)
            if now < left - rules.MAX_TAKEN:
                try:
                    rules.apply(state, Took(heap, left - now))
                except IllegalAction as error:
                    return Refusal(str(error), error.clause)
        return None

    def adopt(self, state: State, adopted: TableAdopted) -> State:
        """Return *state* with the adopted heaps."""
        heaps = tuple(0 if content == EMPTY else int(content or 0) for content in adopted.table)
        if not any(heaps):
            raise InvalidAction("there are no pebbles left to take")
        return state._replace(heaps=heaps, seat=adopted.seat or 0)

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "3 in heap 1"."""
        return f"{'none' if content == EMPTY else content or 'some'} in heap {place + 1}"

    def scores(self, state: State) -> tuple[int, ...]:
        """Return how many pebbles everybody has."""
        return state.taken

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return such as "takes 2 from heap 1"."""
        del players
        _, heap, count = action.split()
        return f"takes {count} from heap {int(heap) + 1}"


GAME: Final = Pebbles()
