"""Runs: two to four plays in a row of which no picture was accepted, such as behind a back.

There are far too many of them to look at all; but where a play changes nothing that it does not
touch, each brings the table nearer to what is seen, or at least no further from it. In a line that
shifts no table tells how near it is: there only pairs are looked at whole.
"""

from operator import ne
from typing import Final, TypeVar

from companion.referee.game import Playing, Table
from companion.referee.hypotheses import Candidate, Hypothesis

S = TypeVar("S")
A = TypeVar("A")

MAX_RUN_PLAYS: Final = 4
"""Plays of a run; pairs are looked for first, and alone explain what they can."""
MAX_PLAYS_TRIED: Final = 12_000
"""About so many plays are looked at; where there are more, not all runs are found."""


def find_pairs(
    game: Playing[S, A], hypothesis: Hypothesis[S, A], seen: Table
) -> tuple[list[Candidate[S, A]], bool]:
    """Return two plays in a row from *hypothesis* that leave *seen*, and whether these are all.

    In a line that shifts all that there are are returned: a place may be mistaken in *seen*.
    """
    return _search(game, hypothesis, seen, 2, 2, is_whole=game.shifts)


def find_runs(
    game: Playing[S, A], hypothesis: Hypothesis[S, A], seen: Table
) -> tuple[list[Candidate[S, A]], bool]:
    """Return the shortest longer runs from *hypothesis* to *seen*, and whether these are all."""
    found, are_all = _search(game, hypothesis, seen, 3, MAX_RUN_PLAYS, is_whole=False)
    return found, are_all and not game.shifts


def _search(
    game: Playing[S, A],
    hypothesis: Hypothesis[S, A],
    seen: Table,
    shortest: int,
    longest: int,
    *,
    is_whole: bool,
) -> tuple[list[Candidate[S, A]], bool]:
    """Return the shortest runs that leave *seen*, or all if *is_whole*; and if none was left out.

    shortest, longest: of how many plays.
    """
    if hypothesis.is_fixed or game.holds_hand(hypothesis.after.state):
        return [], True  # what a hand of the companion's allows would tell what is in it
    # From every branch: what may follow differs between those in which the same was played.
    open_ = [
        Candidate(hypothesis, hypothesis.table, game.ruling(branch.state), start=branch.state)
        for branch in hypothesis.after.branches
    ]
    tried = 0
    for plays in range(1, longest + 1):
        nearer: list[Candidate[S, A]] = []
        ranked = [(_differences(way.table, seen), way) for way in open_]
        for far, way in sorted(ranked, key=lambda each: each[0]):
            for play in game.plays(way.state_after(game.rules)):
                tried += 1
                if is_whole or _differences(play.table, seen) <= far:
                    nearer.append(way.then(play))
            if tried > MAX_PLAYS_TRIED:
                return [each for each in nearer if not _differences(each.table, seen)], False
        found = [way for way in nearer if is_whole or not _differences(way.table, seen)]
        if plays >= shortest and found:
            return found, True
        open_ = nearer
    return [], True


def _differences(table: Table, seen: Table) -> int:
    """Return in how many places *table* has something else than what is *seen*."""
    # Counted for each of thousands of plays: a generator takes ten times as long.
    differing: int = sum(map(ne, table, seen))
    if None in table:
        differing -= sum(one is None is not other for one, other in zip(table, seen, strict=True))
    return differing
