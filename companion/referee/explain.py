"""Explanations: which moves account for what lies on the table.

Every explanation is a `Proposal`: steps to append to the log, and the game as it would be then. The
plain ones (nothing, one move, a take-back) may be believed at once; the far-fetched ones (two quick
moves, a move taken back and replaced, several take-backs) need a second look or a word from the
people, because a middle position was never seen.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from companion.referee.tables import GameTable
from companion.session.history import Act, History
from vision.sight import EMPTY, HIDDEN, Evidence

S = TypeVar("S")
A = TypeVar("A")

BELIEVED: Final = 0.6  # a table is believed if each slot is at least this likely to show it
REFUTED: Final = 0.1  # and every rival has a slot that is at most this likely
MOST_TAKEBACKS: Final = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One entry to append: a move in one of several forms, or a take-back (no forms).

    seat: who moved, or whose move was taken back.  line: what was seen afterwards, None for a
    middle position that never was.
    """

    frame: str
    forms: tuple[str, ...] = ()
    seat: int | None = None
    line: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Proposal(Generic[S, A]):
    """Steps that lead from the log to *after*, the game as it would then stand."""

    steps: tuple[Step, ...]
    after: History[S, A]

    def then(self, other: "Proposal[S, A]") -> "Proposal[S, A]":
        """Return this proposal followed by *other*, which was made for this one's *after*."""
        return Proposal(self.steps + other.steps, other.after)


def slots_of(line: tuple[str, ...], size: int) -> tuple[str, ...]:
    """Return *line* filled up with EMPTY to *size* slots."""
    return line + (EMPTY,) * (size - len(line))


def line_of(
    evidence: tuple[Evidence, ...], lines: Iterable[tuple[str, ...]]
) -> tuple[str, ...] | None:
    """Return the one of *lines* that the evidence shows, or None if none or several may be it.

    The worst slot vetoes: a sum of good fits never outvotes one slot that contradicts. What may be
    covered shows nothing.
    """
    if any(slot.of(HIDDEN) > REFUTED for slot in evidence):
        return None
    fits = {
        line: min(
            (
                seen.of(name)
                for seen, name in zip(evidence, slots_of(line, len(evidence)), strict=True)
            ),
            default=0.0,
        )
        for line in lines
        if len(line) <= len(evidence)
    }
    plausible = [line for line, fit in fits.items() if fit > REFUTED]
    if len(plausible) == 1 and fits[plausible[0]] >= BELIEVED:
        return plausible[0]
    return None


def distinct(proposals: Iterable[Proposal[S, A]]) -> list[Proposal[S, A]]:
    """Return *proposals*, of those that leave the very same game only the one with fewest steps."""
    found: dict[frozenset[S], Proposal[S, A]] = {}
    for proposal in sorted(proposals, key=lambda each: len(each.steps)):
        found.setdefault(frozenset(branch.state for branch in proposal.after.branches), proposal)
    return list(found.values())


class Explainer(Generic[S, A]):
    """Finds what may have happened between a history and a line that a frame shows."""

    def __init__(self, table: GameTable[S, A]) -> None:
        self._table = table
        self._rules = table.rules

    def plain(
        self, history: History[S, A], line: tuple[str, ...], frame: str
    ) -> list[Proposal[S, A]]:
        """Return what may be believed at once: no change, one move, a take-back."""
        if self._shown(history) == line:
            return [Proposal((), history)]
        found = self._one_move(history, line, frame)
        back = self._takebacks(history, 1, frame)
        return found + [past for past in back if self._shown(past.after) == line]

    def far_fetched(
        self, history: History[S, A], line: tuple[str, ...], frame: str
    ) -> list[Proposal[S, A]]:
        """Return the explanations whose middle position was never seen, one for each ruling."""
        found: list[Proposal[S, A]] = []
        for first in self._moves(history, frame):
            found += [first.then(second) for second in self._one_move(first.after, line, frame)]
        found += self.replaced(history, line, frame)
        for back in self._takebacks(history, MOST_TAKEBACKS, frame)[1:]:
            if self._shown(back.after) == line:
                found.append(back)
        return self._one_for_each_ruling(found)

    def replaced(
        self, history: History[S, A], line: tuple[str, ...], frame: str
    ) -> list[Proposal[S, A]]:
        """Return that the last mover took the move back and made another, if that explains it."""
        return [
            back.then(other)
            for back in self._takebacks(history, 1, frame)
            for other in self._one_move(back.after, line, frame)
        ]

    def lines(self, history: History[S, A]) -> list[tuple[str, ...]]:
        """Return what the table shows now, and what each legal move would leave, each once."""
        moves = (self._shown(move.after) for move in self._moves(history, ""))
        back = (self._shown(past.after) for past in self._takebacks(history, 1, ""))
        return list(dict.fromkeys((self._shown(history), *moves, *back)))

    def _shown(self, history: History[S, A]) -> tuple[str, ...]:
        return self._table.shown(history.state)

    def _one_move(
        self, history: History[S, A], line: tuple[str, ...], frame: str
    ) -> list[Proposal[S, A]]:
        forms = dict.fromkeys(
            self._rules.format_action(action)
            for branch in history.branches
            for action in self._plays(branch.state)
            if self._table.shown(self._rules.apply(branch.state, action)) == line
        )
        return [self._move(history, Step(frame, tuple(forms), line=line))] if forms else []

    def _moves(self, history: History[S, A], frame: str) -> Iterator[Proposal[S, A]]:
        forms = dict.fromkeys(
            self._rules.format_action(action)
            for branch in history.branches
            for action in self._plays(branch.state)
        )
        return (self._move(history, Step(frame, (form,))) for form in forms)

    def _plays(self, state: S) -> tuple[A, ...]:
        return self._rules.legal_actions(state) if self._rules.turn(state) is not None else ()

    def _move(self, history: History[S, A], step: Step) -> Proposal[S, A]:
        seat = self._rules.turn(history.state)
        after = history.copy()
        # Numbers below 0 are the places of steps that no log has taken yet.
        after.add(Act(-1 - len(history.acts), step.forms, step.line, seat))
        return Proposal((replace(step, seat=seat),), after)

    def _takebacks(self, history: History[S, A], most: int, frame: str) -> list[Proposal[S, A]]:
        """Return the take-backs of 1 to *most* moves, none past a new line or a scored round."""
        found: list[Proposal[S, A]] = []
        for count in range(1, most + 1):
            act = history.acts[-count] if len(history.acts) >= count else None
            if act is None or act.seat is None:
                break
            steps = (*(found[-1].steps if found else ()), Step(frame, seat=act.seat))
            found.append(Proposal(steps, history.without_last(count)))
        return found

    def _one_for_each_ruling(self, proposals: list[Proposal[S, A]]) -> list[Proposal[S, A]]:
        """Join proposals after which the same seat is to act with the same scores."""
        rulings: dict[Hashable, Proposal[S, A]] = {}
        for proposal in proposals:
            kinds = tuple(bool(step.forms) for step in proposal.steps)
            key = (kinds, self._table.ruling(proposal.after.state))
            known = rulings.get(key)
            rulings[key] = self._joined(known, proposal) if known else proposal
        return list(rulings.values())

    def _joined(self, one: Proposal[S, A], other: Proposal[S, A]) -> Proposal[S, A]:
        steps = tuple(
            replace(mine, forms=tuple(dict.fromkeys(mine.forms + yours.forms)))
            for mine, yours in zip(one.steps, other.steps, strict=True)
        )
        return Proposal(steps, one.after.joined(other.after))
