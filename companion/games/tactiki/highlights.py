"""What stands out in a game of TacTiki."""

from collections.abc import Iterator
from typing import Any

from companion.games.highlights import states_of
from companion.language.message import Message, say, say_count
from companion.referee.past import GameCourse
from companion.rules.tactiki import Clash, field_name


def highlights(course: GameCourse[Any, Any]) -> Iterator[Message]:
    """Yield the highest column, and how the clashes went."""
    heights = [
        (len(column), -field)
        for state in states_of(course)
        for field, column in enumerate(state.columns)
    ]
    height, field = max(heights)
    yield say_count(
        "The tallest column had {number} piece, on {field}.",
        "The tallest column had {number} pieces, on {field}.",
        height,
        field=field_name(-field),
    )
    clashes = [fact for fact in course.session.state.facts if isinstance(fact, Clash)]
    if not clashes:
        return
    yield say_count("There was {number} clash.", "There were {number} clashes.", len(clashes))
    won = [0, 0]
    for clash in clashes:
        if clash.result != "tie":
            won[(clash.attacker if clash.result == "win" else clash.defender) & 1] += 1
    if won[0] != won[1]:
        winner = int(won[1] > won[0])
        yield say(
            "{player} won more of them: {won} to {lost}.",
            player=course.session.header.players[winner],
            won=won[winner],
            lost=won[1 - winner],
        )
