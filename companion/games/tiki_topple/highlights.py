"""What stands out in a game of Tiki Topple."""

from collections.abc import Iterator
from typing import Any

from companion.games.highlights import most, moves_of, states_of
from companion.language.message import Message, say, say_count
from companion.referee.past import GameCourse
from companion.rules.tiki_topple import tiki_name


def highlights(course: GameCourse[Any, Any]) -> Iterator[Message]:
    """Yield which tiki was moved most, who toasted most, and the best round."""
    moves = [(seat, words) for seat, words in moves_of(course) if seat is not None]
    if favourite := most(words[1] for _, words in moves):
        tiki, number = favourite
        yield say(
            "{tiki} was moved most often: {number} times.", tiki=tiki_name(tiki), number=number
        )
    if leader := most(state.line[0] for state in states_of(course) if state.phase == "play"):
        tiki, number = leader
        yield say(
            "{tiki} was first in line for {number} moves.", tiki=tiki_name(tiki), number=number
        )
    if cook := most(seat for seat, words in moves if words[0] == "toast"):
        seat, number = cook
        player = course.session.header.players[seat]
        yield say("{player} toasted the most tikis: {number}.", player=player, number=number)
    rounds = course.session.state.rounds
    earned = [(points, seat) for scored in rounds for seat, points in enumerate(scored.points)]
    if earned and len(rounds) > 1:
        points, seat = max(earned)
        yield say_count(
            "The best round was {player}’s: {number} point.",
            "The best round was {player}’s: {number} points.",
            points,
            player=course.session.header.players[seat],
        )
