"""Hypotheses: what may have happened since the log, and the game as it would then stand."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Generic, TypeVar

from companion.referee.game import Play, Playing, Table
from companion.rules.base import Rules, RulesError
from companion.session.history import Act, History

S = TypeVar("S")
A = TypeVar("A")


_UNSEEN: Final = ""
"""The picture of acts that no log has yet: as if one had shown them all."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry to append: an action in one of several forms, or a take-back (no forms).

    seat: who acted, or whose move was taken back; None for chance.
    table: what is seen afterwards, None for a middle position that never was.
    undo_at: of a take-back, the place among the acts from which on nothing counts any more.
    frame: the picture that showed it first, "" while only the newest has.
    """

    forms: tuple[str, ...] = ()
    seat: int | None = None
    table: Table | None = None
    undo_at: int = -1
    frame: str = field(default=_UNSEEN, compare=False)


class Proposal(Generic[S, A]):
    """Steps that lead from *before*, the game as the log has it, to *after*.

    seat: whose arm reached in last, None for nobody's.
    """

    def __init__(
        self, before: History[S, A], steps: tuple[Step, ...] = (), seat: int | None = None
    ) -> None:
        self.before = before
        self.steps = steps
        self.seat = seat

    @cached_property
    def after(self) -> History[S, A]:
        """The game as it would stand; its new acts have numbers below 0, which no log gives."""
        if not self.steps:
            return self.before
        history = self.before.copy()
        for step in self.steps:
            if step.forms:
                number = -1 - len(history.acts)
                history.add(Act(number, step.forms, step.table, step.seat, step.frame))
            else:
                history.cut(step.undo_at)
        return history

    def goes_on_from(self, other: "Proposal[S, A]") -> bool:
        """Return whether this begins with all the steps of *other*."""
        return self.steps[: len(other.steps)] == other.steps

    def seen_in(self, frame: str) -> "Proposal[S, A]":
        """Return this, with *frame* as the picture of each step that none has shown before."""
        steps = (step if step.frame else replace(step, frame=frame) for step in self.steps)
        return Proposal(self.before, tuple(steps), self.seat)


def find_beginning(
    known: Iterable[Proposal[S, A]], proposal: Proposal[S, A]
) -> Proposal[S, A] | None:
    """Return the longest of *known* that *proposal* goes on from, None if it does from none."""
    found = [each for each in known if proposal.goes_on_from(each)]
    return max(found, key=lambda each: len(each.steps), default=None)


@dataclass(frozen=True, slots=True)
class Hypothesis(Generic[S, A]):
    """What may have happened so far, to be continued from: nothing since the log, or a proposal.

    table: what lies there after it.  is_fixed: nothing follows but that the table stays so.
    """

    proposal: Proposal[S, A]
    table: Table
    is_fixed: bool = False

    @property
    def after(self) -> History[S, A]:
        """The game after it."""
        return self.proposal.after


def hypothesis_of(
    game: Playing[S, A], proposal: Proposal[S, A], *, is_fixed: bool = False
) -> Hypothesis[S, A]:
    """Return *proposal* as a hypothesis."""
    return Hypothesis(proposal, game.shown(proposal.after.state), is_fixed)


@dataclass(frozen=True, slots=True)
class Candidate(Generic[S, A]):
    """A way on from *hypothesis* that leaves *table*; light, since there may be thousands.

    undo_at: where the past is cut first, None if nothing is taken back.  plays: what follows.
    start: the state in which *plays* begin.
    """

    hypothesis: Hypothesis[S, A]
    table: Table
    ruling: Hashable
    undo_at: int | None = None
    plays: tuple[Play, ...] = ()
    start: S | None = field(default=None, compare=False)

    def then(self, play: Play) -> "Candidate[S, A]":
        """Return this followed by *play*."""
        return replace(self, table=play.table, ruling=play.ruling, plays=(*self.plays, play))

    def state_after(self, rules: Rules[S, A]) -> S:
        """Return the state after all plays."""
        assert self.start is not None
        state = self.start
        for play in self.plays:
            for action in play.actions:
                state = rules.apply(state, rules.parse_action(action))
        return state

    def is_legal(self, rules: Rules[S, A]) -> bool:
        """Return whether the rules allow it: a hand that the companion holds may lack the card."""
        try:
            self.state_after(rules)
        except RulesError:
            return False
        return True

    def steps(self, game: Playing[S, A]) -> tuple[Step, ...]:
        """Return the entries that the log would get."""
        steps = [] if self.undo_at is None else _takebacks(self.hypothesis.after.acts, self.undo_at)
        state = self.start
        for play in self.plays:
            for action in play.actions:
                assert state is not None
                parsed = game.rules.parse_action(action)
                steps.append(Step((action,), game.actor(state, parsed)))
                state = game.rules.apply(state, parsed)
        if self.plays:  # of several only the last has left a table that was seen
            steps[-1] = replace(steps[-1], table=self.table)
        return tuple(steps)

    @property
    def lookalike_places(self) -> frozenset[int]:
        """Places in which only the looks tell that something new was laid."""
        return frozenset().union(*(play.lookalike_places for play in self.plays))

    @property
    def changes(self) -> bool:
        """Whether anything happens."""
        return bool(self.plays) or self.undo_at is not None

    @property
    def seat(self) -> int | None:
        """Whose arm reached in last: that of the last play, or of who took back."""
        if self.plays:
            return self.plays[-1].seat
        if self.undo_at is not None:
            acts = self.hypothesis.after.acts[self.undo_at :]
            return next(act.seat for act in acts if act.seat is not None)
        return self.hypothesis.proposal.seat


def _takebacks(acts: Sequence[Act], undo_at: int) -> list[Step]:
    """Return one step for each turn among *acts* from *undo_at* on, the newest taken back first."""
    steps: list[Step] = []
    frame: str | None = None
    for place, act in enumerate(acts[undo_at:], start=undo_at):
        if act.seat is None or (steps and (act.seat, act.frame) == (steps[-1].seat, frame)):
            continue
        steps.append(Step(seat=act.seat, undo_at=place if steps else undo_at))
        frame = act.frame
    return steps[::-1]


def joined(game: Playing[S, A], candidates: Iterable[Candidate[S, A]]) -> list[Proposal[S, A]]:
    """Return *candidates* as proposals, those as one that nobody needs to tell apart.

    They leave the same table and the same ruling by as many steps of the same seats; which forms
    these had, later play may tell.
    """
    found: dict[Hashable, tuple[Candidate[S, A], tuple[Step, ...]]] = {}
    for candidate in candidates:
        steps = candidate.steps(game)
        shape = tuple((step.seat, bool(step.forms), step.table) for step in steps)
        key = (id(candidate.hypothesis), candidate.undo_at, shape, candidate.ruling)
        if key in found:
            known, before = found[key]
            found[key] = (known, _with_forms(before, steps))
        else:
            found[key] = (candidate, steps)
    return [
        Proposal(
            first.hypothesis.proposal.before, first.hypothesis.proposal.steps + steps, first.seat
        )
        for first, steps in found.values()
    ]


def _with_forms(one: tuple[Step, ...], other: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(
        replace(mine, forms=tuple(dict.fromkeys(mine.forms + yours.forms)))
        for mine, yours in zip(one, other, strict=True)
    )


def distinct(game: Playing[S, A], proposals: Iterable[Proposal[S, A]]) -> list[Proposal[S, A]]:
    """Return *proposals*, of those that leave the very same game only the one with fewest steps."""
    found: dict[frozenset[Hashable], Proposal[S, A]] = {}
    for proposal in sorted(proposals, key=lambda each: len(each.steps)):
        keys = frozenset(game.key(branch.state) for branch in proposal.after.branches)
        found.setdefault(keys, proposal)
    return list(found.values())
