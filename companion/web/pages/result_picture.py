"""What static/share.js draws of a finished game: what everyone at the table has seen."""

from datetime import datetime
from typing import Any

from babel.dates import format_date

from companion.colours import COLOURS
from companion.language.message import Message
from companion.language.speech import spoken, translated
from companion.scoreboard import Scoreboard


def result_picture(
    board: Scoreboard, at: datetime, outcome: Message, *, has_points: bool
) -> dict[str, Any]:
    """Return title, day, names, colours and points of a game that ended, in the reader's language.

    has_points: whether points tell more than who has won.
    """
    day = at.astimezone().date()
    return {
        "title": translated(board.title),
        "date": format_date(day, "long", locale=spoken()),
        "outcome": translated(outcome),
        "sign": f"/static/signs/{board.game}.svg",
        "file": f"{board.game.replace('_', '-')}-{day.isoformat()}.png",
        "players": [
            {
                "name": player.name,
                "points": player.score if has_points else None,
                "colour": COLOURS[player.colour].screen,
                "won": player.seat in board.winners,
            }
            for player in board.players
        ],
    }
