"""The scenes as sound: a melody and one spoken line, made from what everyone may know."""

from typing import Final

from companion.language.message import Message, listed, say
from companion.language.speech import spoken, translated
from companion.scenes.scene import SceneKind, scene_of
from companion.scoreboard import Scoreboard
from hardware.earcons import Earcon
from hardware.sound import MAX_SPOKEN_CHARS, SILENCE, Cue

MAX_SPOKEN_NAME_CHARS: Final = 30
EARCONS: Final[dict[SceneKind, Earcon]] = {
    "turn": "turn",
    "meant": "turn",
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
    "slow": "turn",
    "countdown": "hurry",
    "paused": "rest",
}


def call_of(board: Scoreboard) -> Cue:
    """Return what is to be heard of *board*, in the language that is spoken.

    The same cue twice is heard once.  A new line (calm), a wobble, a knock and a clock are silent:
    the first follows a louder scene, the others are nothing.  A remark is spoken without a melody.
    """
    scene = scene_of(board)
    if board.moment and board.moment.kind == "remark" and scene.kind in ("turn", "calm", "clock"):
        return Cue(None, _spoken(board.moment.words, MAX_SPOKEN_CHARS), language=spoken())
    earcon = EARCONS.get(scene.kind)
    if earcon is None:
        return SILENCE
    if scene.kind == "meant" and board.intention is not None:
        meant = board.intention
        return Cue(earcon, _spoken(meant.words, MAX_SPOKEN_CHARS), meant.mark, spoken())
    names = [_spoken(board.players[seat].name) for seat in scene.seats]
    words = _spoken(_words(scene.kind, names, scene.seconds_left), MAX_SPOKEN_CHARS)
    return Cue(earcon, words, board.question.mark if board.question else "", spoken())


def _words(kind: SceneKind, names: list[str], seconds_left: int | None) -> str:
    match kind, names:
        case (("turn" | "slow"), [name]):
            return name
        case "won", []:
            return say("You have all won!")
        case "won", [name]:
            return say("{player} won!", player=name)
        case "won", _:
            return say("A tie between {players}!", players=listed(names))
        case "spin", []:
            return say("The idol has chosen.")
        case "spin", _:
            return say("The idol chose {player}.", player=listed(names))
        case "between", _:
            return say(
                "It stopped between {players}: whoever spun it chooses.", players=listed(names)
            )
        case "topple", []:
            return say("Topple!")
        case "topple", _:
            return say("Topple! That was {player}.", player=listed(names))
        case "uno", []:
            return say("UNO!")
        case "uno", _:
            return say("{player} calls UNO!", player=listed(names))
        case "countdown", _:
            return str(seconds_left) if seconds_left is not None and seconds_left <= 5 else ""
        case _:
            return _SAID[kind]


_SAID: Final[dict[SceneKind, Message]] = {
    "lost": say("Nobody has won this time."),
    "ask": say("Which was it? Please answer on the page."),
    "illegal": say("Not a legal move. Please look at the lights."),
    "put_right": say("Please correct the table."),
    "no_view": say("I cannot see the table."),
    "not_saved": say("The game cannot be saved. Please look at the page."),
    "reveal": say("Please show your secret cards."),
    "void_spin": say("Less than a full turn. Please spin again."),
    "distrusted": say("I could not measure the spin. Please spin again."),
    "paused": say("The game is paused."),
}


def _spoken(text: str, longest: int = MAX_SPOKEN_NAME_CHARS) -> str:
    """Return *text* in the language that is spoken, on one line, cut if it is too long."""
    return "".join(letter for letter in translated(text) if letter.isprintable())[:longest]
