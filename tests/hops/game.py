"""Hops as the referee has it."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.referee.game import EMPTY, Game, Play, Table
from companion.rules.protocol import Spoken
from tests.hops import rules
from tests.hops.rules import SEATS, SIDE, Hopped, State


class Hops(Game[State, Hopped]):
    """Hops.  A place is a field, row by row, and shows its height and top, such as "blue 2"."""

    title = "Hops"
    rules: Spoken[State, Hopped] = rules
    seats = SEATS
    places = SIDE**2

    def shown(self, state: State) -> Table:
        """Return the height and the top of every stack."""
        return tuple(f"{each[-1]} {len(each)}" if each else EMPTY for each in state.fields)

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every hop, and every two hops of one turn that no picture came between."""
        yield from self._hops(state, ())
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            if after.seat == state.seat:
                yield from self._hops(after, (rules.format_action(action),))

    def _hops(self, state: State, before: tuple[str, ...]) -> Iterator[Play]:
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            actions = (*before, rules.format_action(action))
            yield Play(state.seat, actions, self.shown(after), self.ruling(after))

    def scores(self, state: State) -> tuple[int, ...]:
        """Return on how many fields each colour is on top."""
        return rules.points(state)

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "blue 2 on field 3"."""
        return f"{content or 'something'} on field {place + 1}"

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return such as "hops from field 3 to field 4"."""
        del players
        start, end = rules.parse_action(action)
        return f"hops from field {start + 1} to field {end + 1}"


GAME: Final = Hops()
