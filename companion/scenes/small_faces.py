"""The scenes on the smallest displays: a matrix of 8 rows, and eight seven-segment digits."""

from typing import Final

from luma.core.legacy import text, textsize
from luma.core.legacy.font import CP437_FONT, LCD_FONT, TINY_FONT, proportional
from PIL import ImageDraw

from companion.scenes.scene import Scene, SceneKind
from companion.scenes.words import headline, labels
from companion.scoreboard import Scoreboard
from hardware.display import DIGITS, ON

TINY: Final = proportional(TINY_FONT)
LARGE: Final = proportional(LCD_FONT)
HEAVY: Final = proportional(CP437_FONT)
ARROW: Final = 4  # columns for the arrow before who is to act
# Scenes that leave a small display to the scores.
SCORED: Final = ("turn", "knock", "wobble", "calm")

ON_MATRIX: Final[dict[SceneKind, str]] = {
    "ask": "???",
    "no_view": "blind",
    "not_saved": "unsaved",
    "void_spin": "again",
    "distrusted": "redo?",
}
# Seven segments know no k, m, v, w or x.
ON_DIGITS: Final[dict[SceneKind, str]] = {
    "ask": "? ? ? ?",
    "illegal": "no  no",
    "put_right": "rEPAir",
    "no_view": "no EyE",
    "not_saved": "no SAFE",
    "reveal": "CArdS",
    "topple": "tOPPLE",
    "void_spin": "SPin AGn",
    "distrusted": "SPin  ? ",
    "paused": "PAUSE",
    "lost": "LOSt",
}


def paint_matrix(brush: ImageDraw.ImageDraw, board: Scoreboard, scene: Scene, width: int) -> None:
    """Draw *scene* on 8 rows of *width* pixels: the scores, or a word as large as fits."""
    if scene.kind not in SCORED or not _paint_scores(brush, board, width):
        _paint_word(brush, _word(board, scene), width)


def _paint_scores(brush: ImageDraw.ImageDraw, board: Scoreboard, width: int) -> bool:
    """Draw every score, who is to act underlined; False if they do not fit."""
    share = width // len(board.players)
    scores = [str(player.score) for player in board.players]
    roomy = all(_width(score, LARGE) + ARROW <= share - 1 for score in scores)
    font = LARGE if roomy else TINY
    if any(_width(score, font) > share - 1 for score in scores):
        return False
    for seat, score in enumerate(scores):
        mine = board.players[seat].is_turn
        left = seat * share
        aside = left + (share - 1 - _width(score, font) + (ARROW if roomy else 0)) // 2
        # Neighbours that touch stand a row apart, so that 23 and 31 are not 2331.
        text(brush, (aside, 0 if roomy else -(seat % 2)), score, fill=ON, font=font)
        if roomy and mine:
            brush.polygon((aside - ARROW, 1, aside - ARROW, 5, aside - ARROW + 2, 3), fill=ON)
        elif mine:
            brush.line((left, 7, left + share - 2, 7), fill=ON)
    return True


def _paint_word(brush: ImageDraw.ImageDraw, word: str, width: int) -> None:
    font = next((font for font in (HEAVY, LARGE, TINY) if _width(word, font) <= width), TINY)
    if font is TINY:
        word = word.upper()  # small letters are not told apart in five pixels
    while _width(word, font) > width:
        word = word[:-1]
    text(brush, ((width - _width(word, font)) // 2, 0), word, fill=ON, font=font)


def _width(word: str, font: proportional) -> int:
    columns, _ = textsize(word, font)
    return int(columns) - 1  # the last column is the space to the next letter


def _word(board: Scoreboard, scene: Scene) -> str:
    names = [labels(board)[seat] for seat in scene.seats]
    match scene.kind:
        case "turn" | "knock" | "wobble" | "calm":
            seat = board.turn or 0
            return f"{labels(board)[seat]} {board.players[seat].score}"
        case "won":
            return f"{names[0]} won" if len(names) == 1 else "=".join(names) or "won!"
        case "between":
            return " or ".join(names)
        case "spin" | "uno":
            word = "spin" if scene.kind == "spin" else "UNO"
            return " ".join((word, *names))
        case _:
            return ON_MATRIX.get(scene.kind) or headline(scene)


def digits_text(board: Scoreboard, scene: Scene) -> str:
    """Return *scene* for eight seven-segment digits; seats are told by number, from 1."""
    numbers = [str(seat + 1) for seat in scene.seats]
    match scene.kind:
        case "turn" | "knock" | "wobble" | "calm":
            return _scores_text(board)
        case "won":
            if not numbers:
                return "YES YES"
            return f"{'-'.join(numbers)} 1St" if len(numbers) == 1 else f"{'-'.join(numbers)} tiE"
        case "between":
            return " or ".join(numbers)
        case "spin" | "uno":
            word = "SPin" if scene.kind == "spin" else "Uno"
            return f"{word} {'-'.join(numbers)}"
        case "countdown":
            return "GO GO GO" if scene.seconds_left is None else f"{scene.seconds_left:>8}"
        case "clock":  # digits have no colon; two dots would be whose turn it is
            return f"{headline(scene).replace(':', '-'):>{DIGITS}}"
        case _:
            return ON_DIGITS[scene.kind]


def _scores_text(board: Scoreboard) -> str:
    count = len(board.players)
    share = DIGITS // count
    gap = " " if count * share < DIGITS else ""
    scores = [str(player.score) for player in board.players]
    if any(len(score) > share for score in scores):
        seat = board.turn or 0
        return f"{seat + 1}-{scores[seat]:>6}"
    return gap.join(
        f"{score:>{share}}{'.' if player.is_turn else ''}"
        for score, player in zip(scores, board.players, strict=True)
    )
