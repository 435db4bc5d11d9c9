"""The few words that displays use: short enough for eight digits or a small matrix."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from companion.scenes.scene import Scene, SceneKind
from companion.scoreboard import Scoreboard

HEADLINES: Final[dict[SceneKind, str]] = {
    "won": "won!",
    "lost": "lost",
    "ask": "which?",
    "illegal": "wrong",
    "put_right": "repair",
    "no_view": "no view",
    "not_saved": "unsaved",
    "reveal": "cards",
    "calm": "round",
    "turn": "turn",
    "topple": "TOPPLE",
    "knock": "knock",
    "wobble": "sways",
    "spin": "The idol chose",
    "void_spin": "Spin again",
    "between": "between",
    "distrusted": "Spin again",
    "paused": "PAUSE",
    "uno": "UNO!",
}


# Letters that Unicode does not take apart.
_SPELLED: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
    | {"\N{LATIN SMALL LETTER DOTLESS I}": "i", "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "Þ": "Th"}
)


def headline(scene: Scene) -> str:
    """Return *scene* in a word or two; the time that is left on a clock or in a countdown."""
    if scene.kind == "clock":
        return clock_words(scene.seconds_left or 0)
    if scene.kind == "countdown":
        return "Hurry!" if scene.seconds_left is None else str(scene.seconds_left)
    if scene.kind == "won" and len(scene.seats) > 1:
        return "tie!"
    return HEADLINES[scene.kind]


def clock_words(seconds: int) -> str:
    """Return *seconds* as a clock shows them.

    >>> clock_words(245)
    '4:05'
    """
    return f"{seconds // 60}:{seconds % 60:02}"


def labels(board: Scoreboard) -> tuple[str, ...]:
    """Return a letter for each player: the name's first, or the seat's number if two share it."""
    firsts = [name[:1].upper() for name in names_of(board, range(len(board.players)))]
    shared = Counter(firsts)
    return tuple(
        first if shared[first] == 1 else str(seat + 1) for seat, first in enumerate(firsts)
    )


def names_of(board: Scoreboard, seats: Sequence[int]) -> list[str]:
    """Return the names of *seats* in letters that every display has; a number if there are none."""
    return [simplified(board.players[seat].name) or str(seat + 1) for seat in seats]


def simplified(text: str) -> str:
    """Return *text* in plain ASCII letters, without accents; what has no such letter is left out.

    >>> simplified("Çağla Müßig")
    'Cagla Mussig'
    """
    spelled = unicodedata.normalize("NFKD", text.translate(_SPELLED))
    return "".join(filter(str.isprintable, spelled.encode("ascii", "ignore").decode())).strip()
