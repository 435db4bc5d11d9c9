"""The scenes on the smallest displays: a matrix of 8 rows, and eight seven-segment digits.

Scores stand side by side, in the order of the seats, where each has a gap beside it.  Where they
would run together (17, 8, 23 and 31 on eight digits are `17 82331`) they are paged through instead,
each behind its player's initial or name, three seconds a page, first the page of who is to act.
Points or strokes between the scores would not do: a point already says whose turn it is, and a
stroke costs the columns that the figures need.  Letters before the figures also tell who has which,
which their order alone does not.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from luma.core.legacy import text, textsize
from luma.core.legacy.font import CP437_FONT, LCD_FONT, TINY_FONT, proportional
from luma.led_matrix.segment_mapper import dot_muncher
from PIL import ImageDraw

from companion.language.message import Message, listed, say_as
from companion.scenes.scene import Scene, SceneKind
from companion.scenes.words import headline, labels, names_of, shown
from companion.scoreboard import Scoreboard
from hardware.display import DIGITS, OFF, ON, Form

ScorePages: TypeAlias = tuple[tuple[int, ...], ...]
"""The seats whose scores stand side by side, page by page."""

PAGE_BEATS: Final = 6
"""Three seconds: as long as two initials and two scores take to be read twice."""
TINY: Final = proportional(TINY_FONT)
LARGE: Final = proportional(LCD_FONT)
HEAVY: Final = proportional(CP437_FONT)
ARROW: Final = 4  # columns for the arrow before who is to act
GAP: Final = 2  # dark columns between a score and the next player's letters, at least
# Scenes that leave a small display to the scores.
SCORED: Final = ("turn", "meant", "knock", "wobble", "calm")

ON_MATRIX: Final[dict[SceneKind, Message]] = {
    "ask": say_as("32 x 8 pixels, at most 5 letters: a question", "???"),
    "no_view": say_as("32 x 8 pixels, at most 7 letters: the camera sees nothing", "blind"),
    "not_saved": say_as("32 x 8 pixels, at most 7 letters", "unsaved"),
    "void_spin": say_as("32 x 8 pixels, at most 7 letters: spin again", "again"),
    "distrusted": say_as("32 x 8 pixels, at most 7 letters: spin again, not measured", "redo?"),
}
# Seven segments know no k, m, v, w or x, and tell B and 8, D and 0 apart as b and d only.
ON_DIGITS: Final[dict[SceneKind, Message]] = {
    "ask": say_as("seven segments, at most 8 letters: a question", "? ? ? ?"),
    "illegal": say_as("seven segments, at most 8 letters: not a legal move", "no no"),
    "put_right": say_as("seven segments, at most 8 letters: put the table right", "rEPAir"),
    "no_view": say_as("seven segments, at most 8 letters: the camera sees nothing", "no EyE"),
    "not_saved": say_as("seven segments, at most 8 letters: not saved", "no SAFE"),
    "reveal": say_as("seven segments, at most 8 letters: show your cards", "CArdS"),
    "topple": say_as("seven segments, at most 8 letters: the tower fell", "tOPPLE"),
    "void_spin": say_as("seven segments, at most 8 letters: spin again", "SPin AGn"),
    "distrusted": say_as("seven segments, at most 8 letters: spin, not measured", "SPin ?"),
    "paused": say_as("seven segments, at most 8 letters", "PAUSE"),
    "slow": say_as("seven segments, at most 8 letters: a long turn", "LonG"),
    "lost": say_as("seven segments, at most 8 letters: all have lost", "LOSt"),
}
_LONE_FIGURE: Final = re.compile(r"(?<!\w)\d")
_SEGMENT_LETTERS: Final = str.maketrans("BDNORT", "bdnort")


def score_pages(board: Scoreboard, scene: Scene, width: int, form: Form) -> ScorePages:
    """Return who is on which page of scores; one page where nothing has to be paged.

    width: of the display in bits; digits have one column each.
    """
    everybody = tuple(range(len(board.players)))
    if scene.kind not in SCORED:
        return (everybody,)
    if form == "segments":
        return (everybody,) if _row_of_digits(board) else _digit_pages(board)
    return (everybody,) if _is_roomy(board, width) else _matrix_pages(board, width)


def _paged(board: Scoreboard, most: int, fits: Callable[[int], bool]) -> ScorePages:
    """Return pages as even as they can be, of as many seats as *fits* allows, at least one.

    The first is the one of who is to act.
    """
    seats = len(board.players)
    allowed = next((many for many in range(most, 1, -1) if fits(many)), 1)
    many = -(-seats // -(-seats // allowed))
    pages = [tuple(range(at, min(at + many, seats))) for at in range(0, seats, many)]
    first = (board.turn or 0) // many
    return (*pages[first:], *pages[:first])


def paint_matrix(
    brush: ImageDraw.ImageDraw, board: Scoreboard, scene: Scene, width: int, page: int = 0
) -> None:
    """Draw *scene* on 8 rows of *width* pixels: scores, or a word as large as fits.

    Who is to act has an arrow, or the initials on a lit ground.
    """
    if scene.kind not in SCORED:
        _paint_word(brush, _word(board, scene), width)
    elif _is_roomy(board, width):
        _paint_row(brush, board, width)
    else:
        pages = _matrix_pages(board, width)
        _paint_page(brush, board, pages[page % len(pages)], width // max(map(len, pages)))


def _is_roomy(board: Scoreboard, width: int) -> bool:
    share = width // len(board.players)
    scores = [str(player.score) for player in board.players]
    return all(_width(score, LARGE) + ARROW <= share - 1 for score in scores)


def _paint_row(brush: ImageDraw.ImageDraw, board: Scoreboard, width: int) -> None:
    """Draw every score in large figures, an arrow before who is to act."""
    share = width // len(board.players)
    for seat, player in enumerate(board.players):
        score = str(player.score)
        aside = seat * share + (share - 1 - _width(score, LARGE) + ARROW) // 2
        text(brush, (aside, 0), score, fill=ON, font=LARGE)
        if player.is_turn:
            brush.polygon((aside - ARROW, 1, aside - ARROW, 5, aside - ARROW + 2, 3), fill=ON)


def _matrix_pages(board: Scoreboard, width: int) -> ScorePages:
    initials = labels(board)

    def fits(many: int) -> bool:
        return all(
            _cell_width(initials[seat], str(player.score), TINY) + GAP <= width // many
            for seat, player in enumerate(board.players)
        )

    return _paged(board, len(board.players), fits)


def _cell_width(label: str, score: str, font: proportional) -> int:
    """Return how wide a label on its ground and a score behind it are."""
    return _width(label.upper(), font) + 4 + _width(score, font)


def _paint_page(
    brush: ImageDraw.ImageDraw, board: Scoreboard, seats: Sequence[int], share: int
) -> None:
    cells = [(labels(board)[seat], str(board.players[seat].score)) for seat in seats]
    is_large = all(_cell_width(*cell, LARGE) + GAP <= share for cell in cells)
    font = LARGE if is_large else TINY
    for place, (seat, (initials, score)) in enumerate(zip(seats, cells, strict=True)):
        name = _grown(
            initials,
            names_of(board, (seat,))[0] if len(seats) == 1 else initials,
            partial(_fits_cell, score=score, font=font, share=share),
        )
        left, mine = place * share, board.players[seat].is_turn
        wide = _width(name.upper(), font)
        if mine:
            brush.rectangle((left, 0, left + wide + 1, 7), fill=ON)
        text(brush, (left + 1, 1 - is_large), name.upper(), fill=OFF if mine else ON, font=font)
        text(brush, (left + wide + 4, 1 - is_large), score, fill=ON, font=font)


def _fits_cell(label: str, score: str, font: proportional, share: int) -> bool:
    return _cell_width(label, score, font) <= share


def _grown(label: str, name: str, fits: Callable[[str], bool]) -> str:
    """Return *label*, grown to as much of *name* as *fits*, or cut if it must be.

    A label that is no beginning of the name, such as P3, does not grow.
    """
    whole = name if name.casefold().startswith(label.casefold()) else label
    return next(
        (whole[:count] for count in range(len(whole), 0, -1) if fits(whole[:count])), whole[:1]
    )


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
    match scene.kind, names:
        case "won", [name]:
            return shown(say_as("32 x 8 pixels, at most 7 letters", "{name} won", name=name))
        case "won", [_, *_]:
            return "=".join(names)
        case "between", [_, *_]:
            return shown(listed(names, "or"))
        case "spin", [name, *_]:
            return shown(say_as("32 x 8 pixels, at most 7 letters", "spin {name}", name=name))
        case "spin", _:
            return shown(say_as("32 x 8 pixels, at most 7 letters", "spin"))
        case "uno", [name, *_]:
            return f"UNO {name}"
        case _:
            return shown(ON_MATRIX.get(scene.kind) or headline(scene))


def digits_text(board: Scoreboard, scene: Scene, page: int = 0) -> str:
    """Return *scene* for eight seven-segment digits; seats are told by their initials.

    A point stands behind the score of who is to act, and where scores are paged through behind
    every initial.
    """
    names = [segment_labels(board)[seat] for seat in scene.seats]
    match scene.kind, names:
        case kind, _ if kind in SCORED:
            return _row_of_digits(board) or _page_of_digits(board, page)
        case "won", []:
            return shown(say_as("seven segments, at most 8 letters: all have won", "YES YES"))
        case "won", [name]:
            return shown(say_as("seven segments, at most 8 letters", "{name} 1St", name=name))
        case "won", _:
            tied = "-".join(names)
            return shown(say_as("seven segments, at most 8 letters", "{names} tiE", names=tied))
        case "between", [_, *_]:
            return shown(listed(names, "or"))
        case "spin", _:
            chosen = "-".join(names)
            return shown(say_as("seven segments, at most 8 letters", "SPin {name}", name=chosen))
        case "uno", _:
            return f"Uno {'-'.join(names)}"
        case "countdown", _:
            if scene.seconds_left is None:
                return shown(say_as("seven segments, at most 8 letters: hurry", "GO GO GO"))
            return f"{scene.seconds_left:>8}"
        case "clock", _:  # digits have no colon; two dots would be whose turn it is
            return f"{headline(scene).replace(':', '-'):>{DIGITS}}"
        case _:
            return shown(ON_DIGITS[scene.kind])


def segment_labels(board: Scoreboard) -> tuple[str, ...]:
    """Return the players' labels in letters that seven segments have.

    P1, P2 and so on for those whose letters look like another's, and for mere numbers: in front of
    a score a figure would be part of it.
    """
    drawn = [label.translate(_SEGMENT_LETTERS) for label in labels(board)]
    seen = [bytes(dot_muncher(label)) for label in drawn]
    return tuple(
        f"P{seat + 1}" if label.isdigit() or seen.count(seen[seat]) > 1 else label
        for seat, label in enumerate(drawn)
    )


def _row_of_digits(board: Scoreboard) -> str:
    """Return all scores side by side, "" if two of them would run together."""
    seats = len(board.players)
    share = DIGITS // seats
    gap = " " if seats * share + seats - 1 <= DIGITS else ""
    scores = [str(player.score) for player in board.players]
    # The first may fill its places; each other has a gap before it, or leaves a place empty.
    if not share or any(
        len(score) + (at > 0 and not gap) > share for at, score in enumerate(scores)
    ):
        return ""
    return gap.join(
        f"{score:>{share}}{'.' if player.is_turn else ''}"
        for score, player in zip(scores, board.players, strict=True)
    )


def _digit_pages(board: Scoreboard) -> ScorePages:
    cells = zip(segment_labels(board), board.players, strict=True)
    # Two of three places each, and a gap of two.
    short = all(len(label) + len(str(player.score)) <= 3 for label, player in cells)
    return _paged(board, 2, lambda _: short)


def _page_of_digits(board: Scoreboard, page: int) -> str:
    pages = _digit_pages(board)
    seats = pages[page % len(pages)]
    if max(map(len, pages)) > 1:
        return "  ".join(_cell_of_digits(board, seat, 3, grows=False) for seat in seats)
    return _cell_of_digits(board, seats[0], DIGITS, grows=True)


def _cell_of_digits(board: Scoreboard, seat: int, places: int, *, grows: bool) -> str:
    player, initials = board.players[seat], segment_labels(board)[seat]
    score, whole = str(player.score), names_of(board, (seat,))[0].translate(_SEGMENT_LETTERS)
    # Alone on its page, a place is left free between name and score; a figure of a name that stands
    # by itself would be read as a score.
    room = max(1, places - len(score) - grows)
    name = whole if grows and not _LONE_FIGURE.search(whole) else initials
    label = _grown(initials, name, lambda word: len(word) <= room)
    return f"{label}.{score:>{places - len(label)}}{'.' if player.is_turn else ''}"
