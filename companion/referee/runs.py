"""Runs: three or four plays in a row of which no picture was believed, such as behind a back.

There are far too many of them to look at all; but where every play leaves something behind, each
brings the table nearer to what is seen, or at least no further from it.
"""

from typing import Final, TypeVar

from companion.referee.game import Game, Table
from companion.referee.stories import Candidate, Story

S = TypeVar("S")
A = TypeVar("A")

SHORTEST, LONGEST = 3, 4
"""Plays of a run; shorter ones are looked at whole."""
MOST_PLAYS: Final = 2_000
"""So many plays are looked at after each; where there are more, not all runs are found."""


def find_runs(game: Game[S, A], story: Story[S, A], seen: Table) -> list[Candidate[S, A]]:
    """Return runs from *story* that leave the very table *seen*."""
    if story.is_fixed:
        return []
    open_ = [
        Candidate(story, story.table, game.ruling(branch.state), start=branch.state)
        for branch in story.after.branches
    ]
    found: list[Candidate[S, A]] = []
    for plays in range(1, LONGEST + 1):
        nearer, looked = [], 0
        for way in sorted(open_, key=lambda way: _apart(way.table, seen)):
            if looked > MOST_PLAYS:
                break
            for play in game.plays(way.state_after(game.rules)):
                looked += 1
                if _apart(play.table, seen) <= _apart(way.table, seen):
                    nearer.append(way.then(play))
        if plays >= SHORTEST:
            found += [way for way in nearer if way.table == seen]
        open_ = nearer
    return found


def _apart(table: Table, seen: Table) -> int:
    """Return in how many places *table* has something else than what is *seen*."""
    return sum(one not in (None, other) for one, other in zip(table, seen, strict=True))
