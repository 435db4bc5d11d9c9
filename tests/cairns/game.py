"""Cairns as the referee has it."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.referee.game import EMPTY, Game, Play, Table
from companion.rules.protocol import Spoken
from tests.cairns import rules
from tests.cairns.rules import SEATS, START, Carried, State


class Cairns(Game[State, Carried]):
    """Cairns.  A place shows the height of its pile and the top, such as "blue 2"."""

    title = "Cairns"
    rules: Spoken[State, Carried] = rules
    seats = SEATS
    places = len(START)

    def shown(self, state: State) -> Table:
        """Return the height and the top of every pile."""
        return tuple(f"{pile[-1]} {len(pile)}" if pile else EMPTY for pile in state.piles)

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every disc that may be carried, and where to."""
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            text = rules.format_action(action)
            yield Play(rules.turn(state), (text,), self.shown(after), self.ruling(after))

    def scores(self, state: State) -> tuple[int, ...]:
        """Return on how many places each player's colour is on top."""
        return rules.points(state)

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "blue 2 on place 3"."""
        return f"{content or 'something'} on place {place + 1}"

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return such as "carries a disc from place 1 to place 4"."""
        del players
        start, end = rules.parse_action(action)
        return f"carries a disc from place {start + 1} to place {end + 1}"


GAME: Final = Cairns()
