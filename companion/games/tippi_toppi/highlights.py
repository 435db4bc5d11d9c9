"""What stands out in a game of Tippi Toppi."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from companion.games.highlights import moves_of, states_of
from companion.language.message import Message, say, say_count
from companion.referee.past import GameCourse


def highlights(course: GameCourse[Any, Any]) -> Iterator[Message]:
    """Yield how many goals were met with how many cards, and how many with one card."""
    played = sum(words[0] == "play" for _, words in moves_of(course))
    met = [course.game.scores(state)[0] for state in states_of(course)]
    if met[-1] and played:
        yield say_count(
            "{number} goal was met with {cards} cards.",
            "{number} goals were met with {cards} cards.",
            met[-1],
            cards=played,
        )
    at_once = max((after - before for before, after in pairwise(met)), default=0)
    if at_once > 1:
        yield say("One card met {number} goals at once.", number=at_once)
