"""Pebbles as the referee has it."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

from companion.referee.game import EMPTY, Play, Refusal, Table
from companion.referee.mixins import (
    AnyColours,
    NoCosts,
    NoDeck,
    NoSecrets,
    NoStart,
    OneRound,
    OwnKey,
    PlainlyRecorded,
    Unexplained,
    Unsensed,
)
from companion.referee.transient_notices import TransientNotice
from companion.rules.base import IllegalAction, InvalidAction
from companion.rules.protocol import Spoken
from companion.session.events import TableAdopted
from tests.toy import rules
from tests.toy.rules import HEAPS, SEATS, State, Took


class Pebbles(
    AnyColours,
    Unexplained,
    NoCosts,
    NoDeck,
    NoSecrets,
    NoStart,
    OneRound,
    OwnKey,
    PlainlyRecorded,
    Unsensed,
):
    """Pebbles.  A place is a heap, and shows how many pebbles are left in it."""

    name = rules.NAME
    title = "Pebbles"
    rules: Spoken[State, Took] = rules
    seats = SEATS
    places = len(HEAPS)
    lit = 0
    together = False
    shifts = False
    open_setup = frozenset[str]()

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return nothing: there are no options; raises InvalidSetup."""
        rules.initial(seats, options)
        return {}

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

    def ruling(self, state: State) -> Hashable:
        """Return all of it."""
        return state

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

    def offers(self, state: State) -> tuple[Took, ...]:
        """Return what may be taken."""
        return rules.legal_actions(state)

    def entry_seat(self, state: State, action: Took) -> int | None:
        """Return whose turn it is."""
        del action
        return state.seat

    def actor(self, state: State, action: Took) -> int | None:
        """Return whose turn it is."""
        del action
        return state.seat

    def expected(self, state: State) -> int | None:
        """Return whose turn it is."""
        return rules.turn(state)

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return nothing beside the next move."""
        del state, players
        return "", ""

    def scores(self, state: State) -> tuple[int, ...]:
        """Return how many pebbles everybody has."""
        return state.taken

    def playing(self, state: State) -> tuple[int, ...]:
        """Return all seats."""
        return tuple(range(len(state.taken)))

    def view(self, state: State) -> dict[str, Any]:
        """Return the rules' view."""
        return rules.view(state, None)

    def transient_notice(
        self, before: State, action: Took, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return nothing."""
        del before, action, players
        return None

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return such as "takes 2 from heap 1"."""
        del players
        _, heap, count = action.split()
        return f"takes {count} from heap {int(heap) + 1}"

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what somebody has taken."""
        words = " or ".join(map(self.words, forms))
        return words if seat is None else f"{players[seat]} {words}"


GAME: Final = Pebbles()
