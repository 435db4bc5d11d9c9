"""The few words that displays use: short enough for eight digits or a small matrix."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from companion.scenes.scene import Scene, SceneKind
from companion.web.scoreboard import Scoreboard

HEADLINES: Final[dict[SceneKind, str]] = {
    "won": "won!",
    "ask": "which?",
    "illegal": "wrong",
    "put_right": "repair",
    "no_view": "no view",
    "reveal": "cards",
    "calm": "round",
    "turn": "turn",
    "topple": "TOPPLE",
    "knock": "knock",
    "wobble": "wobble",
    "spin": "The idol chose",
    "void_spin": "Spin again",
    "between": "between",
    "distrusted": "Spin again",
    "paused": "PAUSE",
    "uno": "UNO!",
}


def headline(scene: Scene) -> str:
    """Return *scene* in a word or two; the seconds that are left in a countdown."""
    if scene.kind == "countdown":
        return "Hurry!" if scene.seconds_left is None else str(scene.seconds_left)
    if scene.kind == "won" and len(scene.seats) > 1:
        return "tie!"
    return HEADLINES[scene.kind]


def labels(board: Scoreboard) -> tuple[str, ...]:
    """Return a letter for each player: the name's first, or the seat's number if two share it."""
    firsts = [player.name.strip()[:1].upper() or "?" for player in board.players]
    shared = Counter(firsts)
    return tuple(
        first if shared[first] == 1 else str(seat + 1) for seat, first in enumerate(firsts)
    )


def names_of(board: Scoreboard, seats: Sequence[int]) -> list[str]:
    """Return the names of *seats*."""
    return [board.players[seat].name for seat in seats]
