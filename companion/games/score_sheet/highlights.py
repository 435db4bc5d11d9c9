"""What stands out on a score sheet."""

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any

from companion.language.message import Message, say, say_count
from companion.referee.past import GameCourse
from companion.rules.score_sheet import leaders


def highlights(course: GameCourse[Any, Any]) -> Iterator[Message]:
    """Yield who had most points in a round, and how often another player came to lead."""
    state, players = course.session.state, course.session.header.players
    if not state.rounds:
        return
    points, number, seat = max(
        (points, -number, seat)
        for number, row in enumerate(state.rounds, 1)
        for seat, points in enumerate(row)
    )
    yield say(
        "{player} scored the most in one round: {points} in round {round}.",
        player=players[seat],
        points=points,
        round=-number,
    )
    totals = accumulate(state.rounds, lambda *both: tuple(map(sum, zip(*both, strict=True))))
    ahead = [first for each in totals if len(first := leaders(state, each)) == 1]
    changes = sum(before != after for before, after in pairwise(ahead))
    if changes:
        yield say_count("The lead changed once.", "The lead changed {number} times.", changes)
