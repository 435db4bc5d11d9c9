"""Wording: what the referee found, put so that people know what to do next."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, Generic, TypeVar

from companion.referee.game import EMPTY, Game, Table
from companion.referee.hypotheses import Proposal, Step
from companion.referee.notices import Ask, Candidate, Illegal
from companion.referee.transient_notices import TransientNotice
from companion.rules.base import RulesError
from companion.session.history import History, agree

S = TypeVar("S")
A = TypeVar("A")

MAX_CANDIDATES: Final = 4  # a Wild may be of four colours; more cannot be told apart by tapping
MAX_FORMS: Final = 3


class Wording(Generic[S, A]):
    """Makes notices of explanations.

    players: names by seat.
    """

    def __init__(self, game: Game[S, A], players: Sequence[str]) -> None:
        self._game = game
        self._players = players

    def illegal(
        self,
        history: History[S, A],
        legal: Sequence[Table],
        seen: Table,
        frame: str,
        unlikely: Sequence[Proposal[S, A]],
    ) -> Illegal:
        """Return what is wrong with *seen* after *history*: places, nearest table and the clause.

        legal: the table as it was, which wins where a move is just as near, and what moves leave.
        """
        nearest = min(legal, key=lambda other: len(differing(other, seen)))
        seat = self._game.rules.turn(history.state)
        player = "nobody" if seat is None else self._players[seat]
        refusal = self._game.refusal(history.state, seen, player)
        words = refusal.message if refusal else "No legal move leads here"
        return Illegal(
            frame,
            differing(nearest, seen),
            f"{words}. Nearest legal position: {self.places(nearest, seen)}.",
            nearest,
            seen,
            refusal.clause if refusal else None,
            self.candidates(unlikely),
        )

    def put_right(self, wanted: Table, seen: Table) -> Illegal:
        """Return that the table has to follow what the people said: *wanted* instead of *seen*."""
        words = f"Now correct the table: {self.places(wanted, seen)}."
        return Illegal(None, differing(wanted, seen), words, wanted, seen)

    def lead_back(self, wanted: Table, seen: Table) -> Illegal:
        """Return the first place in which *seen* has to become *wanted*, and how many follow."""
        wrong = differing(wanted, seen)
        first = self._game.place_words(wrong[0], wanted[wrong[0]]) if wrong else ""
        more = f" Then {len(wrong) - 1} more." if len(wrong) > 1 else ""
        return Illegal(None, wrong[:1], f"Put the table back: {first}.{more}", wanted, seen)

    def which_table(self, action: str, tables: Sequence[Table]) -> Ask:
        """Return the question which of *tables* the entered *action* has left."""
        places = sorted({p for one in tables for other in tables for p in differing(one, other)})
        candidates = (
            Candidate((action,), ", ".join(self._game.place_words(p, table[p]) for p in places))
            for table in tables[:MAX_CANDIDATES]
        )
        return Ask(None, "What does the table look like now?", tuple(candidates))

    def candidates(self, found: Sequence[Proposal[S, A]]) -> tuple[Candidate, ...]:
        """Return the first few of *found* for people to choose from."""
        return tuple(
            Candidate(
                tuple(
                    self._game.public(step.forms[0]) if step.forms else "undo"
                    for step in proposal.steps
                ),
                ", then ".join(map(self._step, proposal.steps)) or "nothing happened",
            )
            for proposal in found[:MAX_CANDIDATES]
        )

    def places(self, wanted: Table, seen: Table, most: int | None = None) -> str:
        """Return what *wanted* has where *seen* differs, in words; of more than *most* not all."""
        words = [
            self._game.place_words(place, wanted[place] if place < len(wanted) else EMPTY)
            for place in differing(wanted, seen)
        ]
        if most is not None and len(words) > most:
            words[most:] = [f"and {len(words) - most} more"]
        return ", ".join(words)

    def announce(self, step: Step, states: Sequence[S]) -> TransientNotice | None:
        """Return what is announced of *step*, from the one of *states* that it fits."""
        game = self._game
        for state in states:
            for form in step.forms:
                action = game.rules.parse_action(form)
                try:
                    after = game.rules.apply(state, action)
                except RulesError:
                    continue
                if step.table is None or agree(game.shown(after), step.table):
                    return game.transient_notice(state, action, self._players)
        return None

    def _step(self, step: Step) -> str:
        if not step.forms:
            return f"{self._players[step.seat or 0]} took the last move back"
        forms = dict.fromkeys(map(self._game.public, step.forms[:MAX_FORMS]))
        words = " or ".join(self._game.words(form, self._players) for form in forms)
        return words if step.seat is None else f"{self._players[step.seat]}: {words}"


def differing(one: Table, other: Table) -> tuple[int, ...]:
    """Return the places in which two tables certainly differ; those left out are empty."""
    pairs = zip_longest(one, other, fillvalue=EMPTY)
    return tuple(
        place for place, (mine, yours) in enumerate(pairs) if mine != yours and mine and yours
    )
