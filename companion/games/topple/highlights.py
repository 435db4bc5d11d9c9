"""What stands out in a game of Topple."""

from collections.abc import Iterator
from typing import Any

from companion.games.highlights import best_move, moves_of, states_of
from companion.language.message import Message, say_count
from companion.referee.past import GameCourse


def highlights(course: GameCourse[Any, Any]) -> Iterator[Message]:
    """Yield the highest stack, how often the tower fell, and the best placement."""
    height = max(len(cell) for state in states_of(course) for cell in state.cells)
    if height:
        yield say_count(
            "The tallest stack had {number} piece.",
            "The tallest stack had {number} pieces.",
            height,
        )
    falls = sum(words[0] in ("topple", "knock") for _, words in moves_of(course))
    if falls:
        yield say_count("The tower fell {number} time.", "The tower fell {number} times.", falls)
    if found := best_move(course):
        yield found
