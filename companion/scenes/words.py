"""The few words that displays use: short enough for eight digits or a small matrix.

Each says in its context how much room a translation has.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

from companion.language.message import Message, say_as
from companion.language.speech import translated
from companion.referee.countdown import clock_words
from companion.scenes.scene import Scene, SceneKind
from companion.scoreboard import Scoreboard

HEADLINES: Final[dict[SceneKind, Message]] = {
    "won": say_as("display, at most 8 letters", "won!"),
    "lost": say_as("display, at most 8 letters", "lost"),
    "ask": say_as("display, at most 8 letters: a question", "which?"),
    "illegal": say_as("display, at most 8 letters", "wrong"),
    "put_right": say_as("display, at most 8 letters: put the table right", "repair"),
    "no_view": say_as("display, at most 8 letters: the camera sees nothing", "no view"),
    "not_saved": say_as("display, at most 8 letters", "unsaved"),
    "reveal": say_as("display, at most 8 letters: show your cards", "cards"),
    "calm": say_as("display, at most 8 letters: a new round", "round"),
    "turn": say_as("display, at most 8 letters: a player’s turn", "turn"),
    "topple": say_as("display, at most 8 letters: the tower fell", "TOPPLE"),
    "knock": say_as("display, at most 8 letters: the tower was knocked", "knock"),
    "wobble": say_as("display, at most 8 letters: the tower sways", "sways"),
    "spin": say_as("display, at most 16 letters; a name follows", "The idol chose"),
    "void_spin": say_as("display, at most 12 letters", "Spin again"),
    "between": say_as("display, at most 8 letters", "between"),
    "distrusted": say_as("display, at most 12 letters", "Spin again"),
    "paused": say_as("display, at most 8 letters", "PAUSE"),
    "slow": say_as("display, at most 8 letters: a long turn", "long"),
    "uno": say_as("display, at most 8 letters: the call of the game", "UNO!"),
}
MAX_LABEL_CHARS: Final = 4
"""A longer beginning of a name tells players apart no faster than their number does."""

# Letters that Unicode does not take apart, and signs that no display has.
_SPELLED: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
    | {"\N{LATIN SMALL LETTER DOTLESS I}": "i", "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "Þ": "Th"}
    | {"’": "'", "–": "-", "…": "..."}
)


def headline(scene: Scene) -> str:
    """Return *scene* in a word or two; the time that is left on a clock or in a countdown."""
    if scene.kind == "clock":
        return clock_words(scene.seconds_left or 0)
    if scene.kind == "countdown":
        if scene.seconds_left is None:
            return say_as("display, at most 8 letters", "Hurry!")
        return str(scene.seconds_left)
    if scene.kind == "won" and len(scene.seats) > 1:
        return say_as("display, at most 8 letters: several have won", "tie!")
    return HEADLINES[scene.kind]


def labels(board: Scoreboard) -> tuple[str, ...]:
    """Return for each player the shortest beginning of the name that nobody else's has.

    Ann, Alex and Bob are An, Al and B.  Who has no such name within a few letters, since two have
    the same one, is told by the number of the seat, from 1.
    """
    names = names_of(board, range(len(board.players)))
    return tuple(
        _beginning(name, [other for at, other in enumerate(names) if at != seat]) or str(seat + 1)
        for seat, name in enumerate(names)
    )


def _beginning(name: str, others: Sequence[str]) -> str:
    folded = [other.casefold() for other in others]
    for length in range(1, min(len(name), MAX_LABEL_CHARS) + 1):
        start = name[:length]
        if not any(other.startswith(start.casefold()) for other in folded):
            return f"{start[0].upper()}{start[1:]}".rstrip()
    # Ann beside Anna: the whole name tells them apart all the same.
    if len(name) <= MAX_LABEL_CHARS and name.casefold() not in folded:
        return f"{name[0].upper()}{name[1:]}"
    return ""


def names_of(board: Scoreboard, seats: Sequence[int]) -> list[str]:
    """Return the names of *seats* in letters that every display has; a number if there are none."""
    return [simplified(board.players[seat].name) or str(seat + 1) for seat in seats]


def shown(text: str) -> str:
    """Return *text* in the language that is spoken, in letters that every display has."""
    return simplified(translated(text))


def simplified(text: str) -> str:
    """Return *text* in plain ASCII letters, without accents; what has no such letter is left out.

    >>> simplified("Çağla Müßig")
    'Cagla Mussig'
    """
    spelled = unicodedata.normalize("NFKD", text.translate(_SPELLED))
    return "".join(filter(str.isprintable, spelled.encode("ascii", "ignore").decode())).strip()
