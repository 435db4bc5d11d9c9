"""The scenes as sound: a melody and one spoken line, made from what everyone may know."""

from typing import Final

from companion.scenes.scene import SceneKind, scene_of
from companion.scoreboard import Scoreboard
from hardware.earcons import Earcon
from hardware.sound import MAX_SPOKEN_CHARS, SILENCE, Cue

MAX_SPOKEN_NAME_CHARS: Final = 30
EARCONS: Final[dict[SceneKind, Earcon]] = {
    "turn": "turn",
    "ask": "ask",
    "illegal": "wrong",
    "put_right": "wrong",
    "no_view": "ask",
    "not_saved": "wrong",
    "reveal": "ask",
    "won": "won",
    "lost": "rest",
    "topple": "topple",
    "spin": "spin",
    "void_spin": "void",
    "distrusted": "void",
    "between": "between",
    "uno": "uno",
    "countdown": "hurry",
    "paused": "rest",
}


def call_of(board: Scoreboard) -> Cue:
    """Return what is to be heard of *board*; the same cue twice is heard once.

    A new line (calm), a wobble, a knock and a clock are silent: the first follows a louder scene,
    the others are nothing.  A remark is spoken without a melody.
    """
    scene = scene_of(board)
    if board.moment and board.moment.kind == "remark" and scene.kind in ("turn", "calm", "clock"):
        return Cue(None, _spoken(board.moment.words, MAX_SPOKEN_CHARS))
    earcon = EARCONS.get(scene.kind)
    if earcon is None:
        return SILENCE
    names = [_spoken(board.players[seat].name) for seat in scene.seats]
    words = _words(scene.kind, names, scene.seconds_left)
    return Cue(earcon, words[:MAX_SPOKEN_CHARS], board.question.mark if board.question else "")


def _words(kind: SceneKind, names: list[str], seconds_left: int | None) -> str:
    everybody = " and ".join(names)
    match kind:
        case "turn":
            return everybody
        case "won":
            if not names:
                return "You have all won!"
            return f"{everybody} won!" if len(names) == 1 else f"A tie between {everybody}!"
        case "spin":
            return f"The idol chose {everybody}." if names else "The idol has chosen."
        case "between":
            return f"It stopped between {everybody}: the spinner chooses."
        case "topple":
            return f"Topple! That was {everybody}." if names else "Topple!"
        case "uno":
            return f"{everybody} calls UNO!" if names else "UNO!"
        case "countdown":
            return str(seconds_left) if seconds_left is not None and seconds_left <= 5 else ""
        case _:
            return _SAID[kind]


_SAID: Final[dict[SceneKind, str]] = {
    "lost": "Nobody has won this time.",
    "ask": "Which was it? Please answer on the page.",
    "illegal": "Not a legal move. Please look at the lights.",
    "put_right": "Please correct the table.",
    "no_view": "I cannot see the table.",
    "not_saved": "The game cannot be saved. Please look at the page.",
    "reveal": "Please show your secret cards.",
    "void_spin": "Less than a full turn. Please spin again.",
    "distrusted": "I could not measure the spin. Please spin again.",
    "paused": "The game is paused.",
}


def _spoken(text: str, longest: int = MAX_SPOKEN_NAME_CHARS) -> str:
    """Return *text* without what is not to be spoken, cut if it is too long."""
    return "".join(letter for letter in text if letter.isprintable())[:longest]
