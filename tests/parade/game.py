"""Parade as the referee has it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.referee.game import EMPTY, Game, Play, Table
from companion.rules.base import InvalidAction
from companion.rules.protocol import Spoken
from companion.session.events import TableAdopted
from tests.parade import rules
from tests.parade.rules import ANIMALS, SEATS, Led, State


class Parade(Game[State, Led]):
    """Parade.  A place is one of the six of the line, its head first."""

    title = "Parade"
    rules: Spoken[State, Led] = rules
    seats = SEATS
    places = len(ANIMALS)
    shifts = True

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return who begins."""
        return {"first": first or 0}

    def shown(self, state: State) -> Table:
        """Return the animals of the line, and that the places behind them are empty."""
        return (*state.line, *(EMPTY,) * (self.places - len(state.line)))

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every animal that may go to the head, and the last one's way home."""
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            text = rules.format_action(action)
            yield Play(state.seat, (text,), self.shown(after), self.ruling(after))

    def adopt(self, state: State, adopted: TableAdopted) -> State:
        """Return *state* with the adopted line."""
        line = tuple(content for content in adopted.table if content in ANIMALS)
        if len(set(line)) != len(line) or len(line) < rules.FEWEST:
            raise InvalidAction("this is no line of three or more different animals")
        return state._replace(line=line, seat=adopted.seat or 0)

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "crab in place 3"."""
        return f"{'nobody' if content == EMPTY else content or 'somebody'} in place {place + 1}"

    def scores(self, state: State) -> tuple[int, ...]:
        """Return how many animals everybody has sent home."""
        return state.points

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return such as "the crab leads"."""
        del players
        animal = rules.parse_action(action).animal
        return f"the {animal} leads" if animal else "the last one goes home"


GAME: Final = Parade()
