"""Wording: what the referee found, put so that people know what to do next."""

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from companion.referee.explain import Explainer, Proposal, Step, slots_of
from companion.referee.notices import Candidate, Illegal
from companion.referee.tables import GameTable
from companion.session.history import History

S = TypeVar("S")
A = TypeVar("A")

MOST_CANDIDATES: Final = 3  # more cannot be told apart by tapping
MOST_FORMS: Final = 3


class Wording(Generic[S, A]):
    """Makes notices of explanations.

    players: names by seat.
    """

    def __init__(
        self, table: GameTable[S, A], explainer: Explainer[S, A], players: Sequence[str]
    ) -> None:
        self._table = table
        self._explainer = explainer
        self._players = players

    def illegal(
        self,
        history: History[S, A],
        line: tuple[str, ...],
        frame: str,
        far_fetched: Sequence[Proposal[S, A]],
    ) -> Illegal:
        """Return what is wrong with *line* after *history*: places, nearest line and the clause."""
        # The line as it was comes first, so it wins where a legal move is just as near.
        nearest = min(
            self._explainer.lines(history), key=lambda other: len(self._differing(other, line))
        )
        seat = self._table.rules.turn(history.state)
        player = "nobody" if seat is None else self._players[seat]
        refusal = self._table.refusal(history.state, line, player)
        words = refusal.message if refusal else "No legal move leads to this line"
        return Illegal(
            frame,
            self._differing(nearest, line),
            f"{words}. Nearest legal line: {self._places(nearest, line)}.",
            nearest,
            line,
            refusal.clause if refusal else None,
            self.candidates(far_fetched),
        )

    def put_right(self, wanted: tuple[str, ...], seen: tuple[str, ...]) -> Illegal:
        """Return that the table has to follow what the people said: *wanted* instead of *seen*."""
        words = f"Now put the table right: {self._places(wanted, seen)}."
        return Illegal(None, self._differing(wanted, seen), words, wanted, seen)

    def candidates(self, found: Sequence[Proposal[S, A]]) -> tuple[Candidate, ...]:
        """Return the first few of *found* for people to choose from."""
        return tuple(
            Candidate(
                tuple(step.forms[0] if step.forms else "undo" for step in proposal.steps),
                ", then ".join(map(self._step, proposal.steps)) or "nothing happened",
            )
            for proposal in found[:MOST_CANDIDATES]
        )

    def _step(self, step: Step) -> str:
        player = self._players[step.seat or 0]
        if not step.forms:
            return f"{player} took the last move back"
        return f"{player}: {' or '.join(map(self._table.words, step.forms[:MOST_FORMS]))}"

    def _differing(self, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[int, ...]:
        size = self._table.slots
        pairs = zip(slots_of(one, size), slots_of(other, size), strict=True)
        return tuple(slot for slot, (mine, yours) in enumerate(pairs) if mine != yours)

    def _places(self, wanted: tuple[str, ...], seen: tuple[str, ...]) -> str:
        names = slots_of(wanted, self._table.slots)
        slots = self._differing(wanted, seen)
        return ", ".join(f"{names[slot].capitalize()} in place {slot + 1}" for slot in slots)
