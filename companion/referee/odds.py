"""The odds: how likely each explanation of the last picture is, for people to see why.

Reckoned only when somebody looks, of what the judge has kept. No odds tell what one seat alone may
know: the plays are those that a bystander thinks possible, and what differs only in what is hidden
is one explanation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, Generic, TypeAlias, TypeVar

from companion.referee.explain import Reckoning, plain_candidates
from companion.referee.game import Game, Table
from companion.referee.hypotheses import Candidate, Hypothesis, Proposal, joined

S = TypeVar("S")
A = TypeVar("A")

PublicSteps: TypeAlias = tuple[tuple[int | None, tuple[str, ...]], ...]
MOST_VETOED: Final = 3
MOST_TABLES: Final = 12
"""So many tables, the likeliest, are told apart by what has led to them."""


@dataclass(frozen=True, slots=True)
class Odd(Generic[S, A]):
    """One explanation.

    proposal: what has happened by it.  table: what lies there then.
    share: its probability, 0.0 to 1.0, and 0.0 if it is vetoed.
    contradicting: the places that veto it.  lacks_arm: another's arm was seen than who is to have
        moved.
    """

    proposal: Proposal[S, A]
    table: Table
    share: float
    contradicting: tuple[int, ...] = ()
    lacks_arm: bool = False


@dataclass(frozen=True, slots=True)
class Odds(Generic[S, A]):
    """The posterior of what may have happened; its shares sum to 1 with *none* and *rest*.

    explanations: the likeliest first, vetoed ones last.  none: the share of "none of these".
    rest: the share of all that are not listed.
    accepted_from: the share from which on the likeliest is accepted: then it beats every other and
        "none of these" by *odds*.
    """

    explanations: tuple[Odd[S, A], ...]
    none: float
    rest: float
    accepted_from: float
    odds: float


@dataclass(frozen=True, slots=True)
class _Weighed(Generic[S, A]):
    """An explanation and its weight beside that of the best, which is 1."""

    proposal: Proposal[S, A]
    table: Table
    weight: float


@dataclass(slots=True)
class _Kind(Generic[S, A]):
    """Explanations that leave the same table, of which a picture cannot tell one from another."""

    score: float
    candidates: list[Candidate[S, A]]

    @property
    def table(self) -> Table:
        """The table that they leave."""
        return self.candidates[0].table

    def count(self) -> int:
        """Return how many of them people would call different."""
        return len(
            {
                (each.ruling, tuple((play.seat, len(play.actions)) for play in each.plays))
                for each in self.candidates
            }
        )


def reckon_odds(game: Game[S, A], reckoning: Reckoning[S, A], most: int) -> Odds[S, A]:
    """Return the *most* likely explanations of the picture of *reckoning*.

    Where fewer are possible at all, the best `MOST_VETOED` follow that single places veto.
    """
    fit = reckoning.fit
    likely: list[_Kind[S, A]] = []
    vetoed: list[_Kind[S, A]] = []
    for kind, worst in _kinds(reckoning, _public_candidates(game, reckoning)):
        (likely if worst >= fit.limits.worst else vetoed).append(kind)
    likely.sort(key=lambda each: -each.score)
    none = max(fit.unexplained(each.table) for each in reckoning.hypotheses)
    best = max([none, *(kind.score for kind in likely[:1])])
    told: dict[PublicSteps, _Weighed[S, A]] = {}
    for kind in likely[:MOST_TABLES]:
        for proposal in joined(game, kind.candidates):
            weighed = _Weighed(proposal, kind.table, exp(kind.score - best))
            told.setdefault(_public_steps(game, proposal), weighed)
    rest = sum(kind.count() * exp(kind.score - best) for kind in likely[MOST_TABLES:])
    armless = _without_arm([*told.values()], reckoning)
    weights = [each.weight for each in told.values() if each not in armless]
    rival = max([exp(none - best), *weights[1:2]])
    total = sum(weights) + exp(none - best) + rest
    listed = [
        Odd(each.proposal, each.table, 0.0, lacks_arm=True)
        if each in armless
        else Odd(each.proposal, each.table, each.weight / total)
        for each in [*told.values()][:most]
    ]
    listed.sort(key=lambda each: -each.share)
    left = 1.0 - sum(each.share for each in listed) - exp(none - best) / total
    return Odds(
        (*listed, *_vetoed(game, reckoning, vetoed, min(most - len(listed), MOST_VETOED))),
        exp(none - best) / total,
        max(left, 0.0),
        _accepted_from(max(weights, default=0.0), rival, total, fit.limits.odds),
        fit.limits.odds,
    )


def _public_candidates(game: Game[S, A], reckoning: Reckoning[S, A]) -> Sequence[Candidate[S, A]]:
    """Return the plain explanations as a bystander would think of them.

    They are those that the judge has reckoned with, where nothing is known but what everyone knows.
    """

    def public(state: S) -> S:
        return game.rules.seen_by(state, None)

    states = [
        branch.state
        for hypothesis in reckoning.hypotheses
        for branches in (hypothesis.after.branches, *hypothesis.after.positions[:-1])
        for branch in branches
    ]
    if all(public(state) == state for state in states):
        return reckoning.candidates
    return [
        each
        for hypothesis in reckoning.hypotheses
        for each in plain_candidates(game, hypothesis, reckoning.fit, public)
    ]


def _kinds(
    reckoning: Reckoning[S, A], candidates: Sequence[Candidate[S, A]]
) -> Iterator[tuple[_Kind[S, A], float]]:
    """Yield *candidates* by the table that they leave, and the likelihood of its worst place."""
    is_fixed = reckoning.hypotheses[0].is_fixed
    found: dict[tuple[object, ...], list[Candidate[S, A]]] = {}
    for each in candidates:
        if not is_fixed and _undoes_itself(each):
            continue
        key = (id(each.hypothesis), each.undo_at, each.table, each.lookalike_places)
        found.setdefault(key, []).append(each)
    for some in found.values():
        first = some[0]
        places = first.lookalike_places
        score, worst = reckoning.fit.score(first.table, first.hypothesis.table, places)
        yield _Kind(score, some), worst


def _undoes_itself(candidate: Candidate[S, A]) -> bool:
    """Return whether it takes back what only it supposes: less explains the same."""
    known: Hypothesis[S, A] = candidate.hypothesis
    return candidate.undo_at is not None and bool(known.proposal.steps)


def _public_steps(game: Game[S, A], proposal: Proposal[S, A]) -> PublicSteps:
    """Return what everyone may read of *proposal*."""
    return tuple(
        (step.seat, tuple(dict.fromkeys(map(game.public, step.forms)))) for step in proposal.steps
    )


def _without_arm(
    told: Sequence[_Weighed[S, A]], reckoning: Reckoning[S, A]
) -> Sequence[_Weighed[S, A]]:
    """Return those of *told*, the likeliest first, that the arms that were seen rule out, if any.

    As the judge does, they speak only where the picture leaves several.
    """
    sides, arms = reckoning.sides, reckoning.arms
    if not told or not sides or not arms:
        return ()
    least = told[0].weight / reckoning.fit.limits.odds
    open_ = [each for each in told if each.weight > least]
    out = [
        each
        for each in open_
        if each.proposal.seat is not None and sides[each.proposal.seat] not in arms
    ]
    return out if len(out) < len(open_) else ()


def _vetoed(
    game: Game[S, A], reckoning: Reckoning[S, A], kinds: Sequence[_Kind[S, A]], most: int
) -> Iterator[Odd[S, A]]:
    """Yield the *most* likely of what single places contradict."""
    seen: set[PublicSteps] = set()
    for kind in sorted(kinds, key=lambda each: -each.score)[:most]:
        for proposal in joined(game, kind.candidates)[:1]:
            if (key := _public_steps(game, proposal)) not in seen:
                seen.add(key)
                lookalikes = kind.candidates[0].lookalike_places
                places = reckoning.fit.contradicting(kind.table, lookalikes)
                yield Odd(proposal, kind.table, 0.0, places)


def _accepted_from(leader: float, rival: float, total: float, odds: float) -> float:
    """Return the share of the leader at which it would just beat *rival* by *odds*.

    All are weights; what the others have together stays as it is.

    >>> _accepted_from(9.0, 1.0, 10.0, 19.0), _accepted_from(8.0, 1.0, 10.0, 18.0)
    (0.95, 0.9)
    """
    enough = odds * rival
    return enough / (enough + max(total - leader, rival)) if rival else 0.0
