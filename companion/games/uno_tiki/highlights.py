"""What stands out in a game of UNO Tiki."""

from collections.abc import Iterator
from typing import Any

from companion.games.highlights import most, moves_of, states_of
from companion.language.message import Message, say, say_count
from companion.referee.past import GameCourse


def highlights(course: GameCourse[Any, Any]) -> Iterator[Message]:
    """Yield whom the idol liked, who played most Tiki Faces, and the largest hand."""
    players = course.session.header.players
    moves = list(moves_of(course))
    pointed = [words[1] for _, words in moves if words[0] == "spin" and len(words) == 2]
    if liked := most(word for word in pointed if word.isdecimal()):
        word, number = liked
        player = players[int(word)]
        yield say(
            "The idol pointed at {player} most often: {number} times.", player=player, number=number
        )
    faces = [
        seat
        for seat, words in moves
        if seat is not None and words[0] == "play" and words[1].startswith("tiki")
    ]
    if fond := most(faces):
        seat, number = fond
        yield say(
            "{player} played the most Tiki Faces: {number}.", player=players[seat], number=number
        )
    sizes = [
        (len(hand), -seat) for state in states_of(course) for seat, hand in enumerate(state.hands)
    ]
    size, seat = max(sizes, default=(0, 0))
    dealt = next((number for number, _ in sizes if number), 0)
    if size > dealt:
        yield say_count(
            "The largest hand was {player}’s: {number} card.",
            "The largest hand was {player}’s: {number} cards.",
            size,
            player=players[-seat],
        )
