"""Explanations: what may have happened between the game as the log knows it and what is seen.

`explain` is pure. The plain explanations (nothing, one play, a take-back) may be accepted at once;
the indirect ones (two to four quick plays, a play taken back and replaced, several take-backs)
need a second look or a word from the people, because a middle position was never seen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final, Generic, TypeAlias, TypeVar

from companion.referee.evidence import LIMITS, Fit, Limits
from companion.referee.game import Playing, Table
from companion.referee.hypotheses import (
    Candidate,
    Hypothesis,
    Proposal,
    distinct,
    find_beginning,
    joined,
)
from companion.referee.runs import find_pairs, find_runs
from companion.rules.base import RulesError
from companion.session.history import Act, History
from vision.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

MAX_TAKEBACKS: Final = 3


@dataclass(frozen=True, slots=True)
class Certain(Generic[S, A]):
    """Only *proposal* accounts for what is seen."""

    proposal: Proposal[S, A]


@dataclass(frozen=True, slots=True)
class Ambiguous(Generic[S, A]):
    """All *proposals* leave the very table that is seen, and it matters which it was."""

    proposals: tuple[Proposal[S, A], ...]


@dataclass(frozen=True, slots=True)
class Unexplained(Generic[S, A]):
    """Nothing plain leads to what is *seen*; *proposals* are the indirect that would.

    are_all: whether no indirect explanation was left out, of which there may be too many.
    """

    seen: Table
    proposals: tuple[Proposal[S, A], ...]
    are_all: bool = True


@dataclass(frozen=True, slots=True)
class Unsettled(Generic[S, A]):
    """What is seen does not suffice; *proposals* are those it cannot tell apart, if it is that."""

    proposals: tuple[Proposal[S, A], ...] = ()


Verdict: TypeAlias = Certain[S, A] | Ambiguous[S, A] | Unexplained[S, A] | Unsettled[S, A]


@dataclass(frozen=True, slots=True)
class Reckoning(Generic[S, A]):
    """A verdict, and all that it was reckoned from: `odds.reckon_odds` shows people why.

    fit: what the picture makes of tables.  candidates: the plain explanations, see `explain`.
    arms, sides: as the observation and the header have them.
    """

    verdict: Verdict[S, A]
    fit: Fit
    hypotheses: Sequence[Hypothesis[S, A]]
    candidates: Sequence[Candidate[S, A]]
    arms: frozenset[str] = frozenset()
    sides: Sequence[str] = ()


def explain(
    game: Playing[S, A],
    hypotheses: Sequence[Hypothesis[S, A]],
    observation: Observation,
    sides: Sequence[str] = (),
    limits: Limits = LIMITS,
) -> Verdict[S, A]:
    """Return which legal continuation of *hypotheses* accounts for *observation*.

    hypotheses: what may have happened so far, the log first, and mostly alone.
    sides: where each seat sits, so that the arms that were seen speak for someone.
    """
    return reckon(game, hypotheses, observation, sides, limits).verdict


def reckon(
    game: Playing[S, A],
    hypotheses: Sequence[Hypothesis[S, A]],
    observation: Observation,
    sides: Sequence[str] = (),
    limits: Limits = LIMITS,
) -> Reckoning[S, A]:
    """Return what `explain` does, with all that it was reckoned from."""
    fit = Fit(observation, hypotheses[0].table, limits)
    candidates = [
        each for hypothesis in hypotheses for each in plain_candidates(game, hypothesis, fit)
    ]
    verdict = _judge(game, hypotheses, fit, candidates, observation.arms, sides)
    return Reckoning(verdict, fit, hypotheses, candidates, observation.arms, sides)


def _judge(
    game: Playing[S, A],
    hypotheses: Sequence[Hypothesis[S, A]],
    fit: Fit,
    candidates: Sequence[Candidate[S, A]],
    arms: frozenset[str],
    sides: Sequence[str],
) -> Verdict[S, A]:
    likely = _likely(fit, candidates, [hypothesis.table for hypothesis in hypotheses])
    found = distinct(game, joined(game, likely))
    if len(found) > 1:
        found = _by_arms(found, arms, sides)
        if hypotheses[0].is_fixed:
            found = _by_takebacks(found, [each.proposal for each in hypotheses])
    elif found:
        table = likely[0].table
        others = _others_by_arms(game, hypotheses, table, found[0], arms, sides)
        same = [each for each in others if each.table == table]
        found = distinct(game, [*found, *joined(game, same)])
    if len(found) == 1:
        return _if_seen(fit, found[0], likely[0])
    if found:
        one_table = len({each.table for each in likely}) == 1
        return Ambiguous(tuple(found)) if one_table else Unsettled(tuple(found))
    seen = fit.legible()
    if seen is None:
        return Unsettled()
    if seen == hypotheses[0].table:  # it only lies otherwise, and nothing new may have come
        return Certain(hypotheses[0].proposal) if len(hypotheses) == 1 else Unsettled()
    found_far = [_unlikely_explanations(game, hypothesis, seen) for hypothesis in hypotheses]
    far = [each for some, _ in found_far for each in some]
    likely = _likely(fit, far, [hypothesis.table for hypothesis in hypotheses])
    are_all = all(whole for _, whole in found_far)
    looks_forbidden = game.refusal(hypotheses[0].after.state, seen, "") is not None
    if not likely and len(hypotheses) == 1 and not looks_forbidden:
        runs, are_all = find_runs(game, hypotheses[0], seen)
        likely = _likely(fit, runs, [hypotheses[0].table])
    return Unexplained(seen, tuple(distinct(game, joined(game, likely))), are_all)


def _if_seen(fit: Fit, proposal: Proposal[S, A], candidate: Candidate[S, A]) -> Verdict[S, A]:
    """Return that *proposal* is certain, if the places that it changes look as it says."""
    if fit.is_seen(candidate.table, candidate.hypothesis.table, candidate.lookalike_places):
        return Certain(proposal)
    known = candidate.hypothesis.proposal
    return Unsettled((known, proposal) if proposal.steps != known.steps else ())


def tables(game: Playing[S, A], hypothesis: Hypothesis[S, A]) -> list[Table]:
    """Return the table as it stands after *hypothesis*, and what each plain way on would leave."""
    return list(dict.fromkeys(candidate.table for candidate in plain_candidates(game, hypothesis)))


def tables_after(game: Playing[S, A], states: Sequence[S], forms: Sequence[A]) -> list[Table]:
    """Return the tables that *forms* leave in those of *states* that allow them."""
    found: dict[Table, None] = {}
    for state in states:
        for form in forms:
            try:
                found[game.shown(game.rules.apply(state, form))] = None
            except RulesError:
                continue
    return list(found)


def _likely(
    fit: Fit, candidates: Iterable[Candidate[S, A]], bases: Iterable[Table]
) -> list[Candidate[S, A]]:
    """Return those of *candidates* that the best does not beat; none if "none of these" does."""
    scored = []
    for candidate in candidates:
        score, worst = fit.score(
            candidate.table, candidate.hypothesis.table, candidate.lookalike_places
        )
        if worst >= fit.limits.worst:  # a sum of small misfits never outvotes one contradiction
            scored.append((score, candidate))
    if not scored:
        return []
    (best, likeliest), close = max(scored, key=lambda each: each[0]), log(fit.limits.odds)
    if best - max(map(fit.unexplained, bases)) < close:
        return []
    # What changes in hiding counts against a play beside "nothing happened"; of two plays of which
    # one was made, it tells nothing.
    are_rivals = fit.has_hidden and likeliest.changes
    least = fit.score(likeliest.table)[0] - close
    return [
        candidate
        for score, candidate in scored
        if score > best - close
        or (are_rivals and candidate.changes and fit.score(candidate.table)[0] > least)
    ]


def plain_candidates(
    game: Playing[S, A],
    hypothesis: Hypothesis[S, A],
    fit: Fit | None = None,
    view: Callable[[S], S] = lambda state: state,
) -> Iterator[Candidate[S, A]]:
    """Yield what may be accepted at once: no change, one play, the newest play taken back.

    A play that leaves the table as it was cannot be told from no change, so it is none; unless, by
    *fit*, what lies there does not look as it did.
    view: returns of a state what is to be known of it.
    """
    yield Candidate(hypothesis, hypothesis.table, game.ruling(view(hypothesis.after.state)))
    if hypothesis.is_fixed:
        return
    for candidate in _one_play(game, hypothesis, None, view):
        is_twin = fit is not None and fit.looks_new(candidate.lookalike_places)
        if candidate.table != hypothesis.table or is_twin:
            yield candidate
    for place in newest_plays(game, hypothesis.after):
        candidate = _taken_back(game, hypothesis, place, view)
        if candidate.table != hypothesis.table:
            yield candidate


def _unlikely_explanations(
    game: Playing[S, A], hypothesis: Hypothesis[S, A], seen: Table
) -> tuple[list[Candidate[S, A]], bool]:
    """Return the explanations whose middle position was never seen, and whether these are all."""
    if hypothesis.is_fixed:
        return [], True
    found, are_all = find_pairs(game, hypothesis, seen)
    found += _replaced(game, hypothesis)
    newest = newest_plays(game, hypothesis.after)
    found += [
        _taken_back(game, hypothesis, place)
        for place in earlier_moves(game, hypothesis.after, MAX_TAKEBACKS)
        if place not in newest
    ]
    return found, are_all


def _replaced(game: Playing[S, A], hypothesis: Hypothesis[S, A]) -> Iterator[Candidate[S, A]]:
    """Yield that the newest play was taken back and another made in its place."""
    if not hypothesis.is_fixed:
        for place in newest_plays(game, hypothesis.after):
            yield from _one_play(game, hypothesis, place)


def _one_play(
    game: Playing[S, A],
    hypothesis: Hypothesis[S, A],
    undo_at: int | None,
    view: Callable[[S], S] = lambda state: state,
) -> Iterator[Candidate[S, A]]:
    history = hypothesis.after
    branches = history.branches if undo_at is None else history.positions[undo_at]
    known = set()
    for branch in branches:
        for candidate in _plays(game, hypothesis, view(branch.state), undo_at):
            key = (candidate.plays[0].actions, candidate.table)
            if key not in known:
                known.add(key)
                yield candidate


def _plays(
    game: Playing[S, A], hypothesis: Hypothesis[S, A], state: S, undo_at: int | None = None
) -> Iterator[Candidate[S, A]]:
    holds_hand = game.holds_hand(state)
    for play in game.plays(state):
        candidate = Candidate(hypothesis, play.table, play.ruling, undo_at, (play,), state)
        if not holds_hand or candidate.is_legal(game.rules):
            yield candidate


def _taken_back(
    game: Playing[S, A],
    hypothesis: Hypothesis[S, A],
    place: int,
    view: Callable[[S], S] = lambda state: state,
) -> Candidate[S, A]:
    before = view(hypothesis.after.positions[place][0].state)
    return Candidate(hypothesis, game.shown(before), game.ruling(before), place)


def newest_plays(game: Playing[S, A], history: History[S, A]) -> list[int]:
    """Return where the newest play may be taken back to, the nearest first.

    It may have several moves of a seat that one picture showed, and chance that was inferred with
    them: a die that nobody has told goes with the piece that was placed by it.
    """
    found: list[int] = []
    newest: Act | None = None
    for place in earlier_moves(game, history, len(history.acts)):
        act = history.acts[place]
        newest = newest or act
        is_with_it = act.frame is not None and act.frame == newest.frame and act.seat == newest.seat
        if act is not newest and not is_with_it:
            break
        found.append(start_of_move(game, history, place))
    return found


def earlier_moves(game: Playing[S, A], history: History[S, A], most: int) -> list[int]:
    """Return the places of the last *most* moves, the newest first, none of an earlier round."""
    found: list[int] = []
    now = game.round_number(history.state)
    for place in range(len(history.acts) - 1, -1, -1):
        act, before = history.acts[place], history.positions[place][0].state
        if game.round_number(before) != now or game.expects_start(before) or len(found) == most:
            break
        if act.adopted is not None:  # what lay there before is nobody's move to take back
            break
        if act.seat is not None:
            found.append(place)
    return found


def start_of_move(game: Playing[S, A], history: History[S, A], place: int) -> int:
    """Return *place*, or that of the chance before it that was inferred from the same picture."""
    frame, start = history.acts[place].frame, place
    while frame is not None and start:
        act = history.acts[start - 1]
        if act.seat is not None or act.frame != frame:
            break
        start -= 1
        if any(True for _ in game.plays(history.positions[start][0].state)):
            place = start
    return place


def _by_arms(
    found: list[Proposal[S, A]], arms: frozenset[str], sides: Sequence[str]
) -> list[Proposal[S, A]]:
    """Keep the explanations whose player was seen reaching in, if the arms tell."""
    if not sides or not arms:
        return found
    # "No change" may stand for much coming and going, so any arm fits it.
    fitting = [
        proposal for proposal in found if proposal.seat is None or sides[proposal.seat] in arms
    ]
    return fitting or found


def _by_takebacks(
    found: list[Proposal[S, A]], open_: Sequence[Proposal[S, A]]
) -> list[Proposal[S, A]]:
    """Leave out what goes on from one of *open_* with more take-backs than from another.

    More of them now, and more in all: who has put a forbidden move right has taken one back, too.
    What the newest picture alone leaves open is no matter of this.
    """
    needed: dict[Proposal[S, A] | None, list[tuple[int, int]]] = {}
    for proposal in found:
        begun = find_beginning(open_, proposal)
        counts = [not step.forms for step in proposal.steps]
        known = len(begun.steps) if begun is not None else 0
        needed.setdefault(begun, []).append((sum(counts[known:]), sum(counts)))
    least = {begun: min(counts) for begun, counts in needed.items()}
    beaten = {
        begun
        for begun, (now, in_all) in least.items()
        if any(other < now and all_of_it < in_all for other, all_of_it in least.values())
    }
    return [each for each in found if find_beginning(open_, each) not in beaten]


def _others_by_arms(
    game: Playing[S, A],
    hypotheses: Sequence[Hypothesis[S, A]],
    seen: Table,
    proposal: Proposal[S, A],
    arms: frozenset[str],
    sides: Sequence[str],
) -> Iterator[Candidate[S, A]]:
    """Yield what else may have happened if someone else's arm was seen than who is to have moved.

    Only the arm of who moved last: the newest play may have been replaced. Only others' arms: two
    plays may have been made, of which the first was missed.
    """
    if not sides or not arms or proposal.seat is None or sides[proposal.seat] in arms:
        return
    last = proposal.before.last_move()
    for hypothesis in hypotheses:
        if last is not None and last.seat is not None and arms == {sides[last.seat]}:
            yield from _replaced(game, hypothesis)
        for candidate in _unlikely_explanations(game, hypothesis, seen)[0]:
            if candidate.seat is not None and arms == {sides[candidate.seat]}:
                yield candidate
