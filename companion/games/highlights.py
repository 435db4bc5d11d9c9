"""What a player likes to hear of a game: what stood out in it, from what everyone has seen."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from companion.language.message import Message, say_count
from companion.referee.past import GameCourse

T = TypeVar("T")

FEW: Final = 1
"""What has happened so seldom does not stand out."""


def most(things: Iterable[T]) -> tuple[T, int] | None:
    """Return what came most often and how often; None if several did, or nothing often enough.

    >>> most("abcab"), most("abcaba"), most("a")
    (None, ('a', 3), None)
    """
    found = Counter(things).most_common(2)
    if not found or found[0][1] <= FEW or (len(found) > 1 and found[1][1] == found[0][1]):
        return None
    return found[0]


def moves_of(course: GameCourse[Any, Any]) -> Iterator[tuple[int | None, list[str]]]:
    """Yield seat and words of every action that everyone has seen, as everyone may read it."""
    for act in course.session.history.acts:
        if not act.secret and act.adopted is None:
            yield act.seat, course.game.public(act.forms[0]).split()


def states_of(course: GameCourse[Any, Any]) -> Iterator[Any]:
    """Yield the state after each act, the beginning first."""
    return (branches[0].state for branches in course.session.history.positions)


def best_move(course: GameCourse[Any, Any]) -> Message | None:
    """Return whose move brought most at once, and how much; None if none brought anything."""
    scores = [course.game.scores(state) for state in states_of(course)]
    acts = course.session.history.acts
    gains = [
        (scores[place + 1][act.seat] - scores[place][act.seat], act.seat)
        for place, act in enumerate(acts)
        if act.seat is not None
    ]
    most_gained, seat = max(gains, key=lambda each: each[0], default=(0, 0))
    if most_gained <= 0:
        return None
    return say_count(
        "The best single move was {player}’s: {number} point.",
        "The best single move was {player}’s: {number} points.",
        most_gained,
        player=course.session.header.players[seat],
    )
