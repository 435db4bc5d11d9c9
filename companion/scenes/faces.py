"""The scenes as a small picture, as large as the display allows.

What can be read from two metres: by the rule of 1/200 of the distance a letter is 10 mm high; ISO
9241-3 asks for at least 16 minutes of arc, 9.3 mm; in the field more than nine of ten people read
0.003 of it, 6 mm, and the limit of good eyes is five minutes, 2.9 mm (Smith, Human Factors 21(6),
1979).
tests/hardware/test_faces.py measures the letters:

| | pitch | sign: whose turn, ? ! | scores | caption |
|---|---|---|---|---|
| OLED 0.96" | 0.170 mm | 45 px, 7.7 mm | 27 px, 4.6 mm | near by only |
| OLED 1.3" | 0.230 mm | 45 px, 10.4 mm | 27 px, 6.2 mm | near by only |
| matrix | 4.0 mm | 7 px, 28 mm | 5 px, 20 mm | |
| digits (0.36") | | 9 mm | 9 mm | |
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, TypeAlias

import segno
from PIL import Image, ImageDraw, ImageFont

from companion.language.message import Message, say_as
from companion.language.speech import speaking, spoken
from companion.scenes.scene import Scene, SceneKind, scene_of
from companion.scenes.small_faces import PAGE_BEATS, digits_text, paint_matrix, score_pages
from companion.scenes.words import headline, labels, names_of, shown
from companion.scoreboard import Scoreboard
from hardware.display import HEIGHT, OFF, ON, WIDTH, Form, draw_digits, draw_picture

Box: TypeAlias = tuple[int, int, int, int]
Ink: TypeAlias = str

SIGN_WIDTH: Final = 44
SMALL: Final = 11  # letters of fewer pixels cannot be read at all
DRAWN: Final = 120  # the size at which letters are drawn, to be shrunk to the size that fits
STROKE: Final = 3  # what makes their stems thick enough for a small panel, at that size
HALF: Final = 110  # a pixel covered by this much of 255 is lit
MIN_LETTER_WIDTH_RATIO: Final = 0.6  # letters are not narrowed further
SHOUTED: Final = (
    "meant",
    "topple",
    "spin",
    "void_spin",
    "between",
    "distrusted",
    "countdown",
    "uno",
    "paused",
)
ALERTS: Final = ("ask", "illegal", "put_right", "no_view", "not_saved")
SIGNS: Final[dict[SceneKind, str]] = {
    "ask": "?",
    "illegal": "!",
    "put_right": "=",
    "not_saved": "!",
    "won": "*",
    "knock": "~",
    "wobble": "~",
    "lost": "-",
}
JOIN: Final = say_as("display, at most 8 letters: a phone joins by the code below", "Join")
NO_NETWORK: Final = say_as("display, at most 18 letters", "No network")
ADVICE: Final = say_as("display, at most 18 letters: what to do", "Connect the table")
MODULE_PX: Final = 2
MIN_MARGIN_PX: Final = 3
ROW_CHARS, MAX_ROW_CHARS = 6, 14  # of a code: in one great row, and in each of two
BELOW: Final[dict[SceneKind, Message]] = {
    "void_spin": say_as("display, at most 18 letters", "not a full turn"),
    "distrusted": say_as("display, at most 18 letters", "not measured"),
}


@dataclass(frozen=True, slots=True)
class Invitation:
    """How phones join the table, or its own Wi-Fi: for what only the room sees.

    address: of the page that lets them in, the code in it; "" without a network.  code: the
    table's four letters.  title: what is written above them, "" that one joins by them; by which
    of several networks.  Of a Wi-Fi, what a phone reads, its password and its name.
    """

    address: str
    code: str
    title: str = ""


def display_picture(
    board: Scoreboard, size: tuple[int, int] = (WIDTH, HEIGHT), form: Form = "pixels", beat: int = 0
) -> Image.Image:
    """Return what the score display shows, as a 1-bit picture of *size*.

    Its words are in the language that is spoken.  beat: counts up twice a second; small displays
    page through scores that do not fit side by side, see `small_faces`.

    128 x 64: a large sign, whose turn it is, "?" to be answered or "!" for a wrong line, and
        everyone's score; a clock above the scores; what happens to tower and idol fills the
        display.
    8 pixels high: the scores side by side, an arrow at who is to act, or one word, or the clock.
    Digits: the scores side by side, a point behind who is to act, or one word, or the clock.
    """
    page = beat // PAGE_BEATS % pages_of_display(board, size, form)
    return _drawn(board, size, form, page, spoken()).copy()


@lru_cache(maxsize=2)
def invitation_picture(invitation: Invitation, language: str) -> Image.Image | None:
    """Return a QR code of 128 x 64 pixels, and the code beside it, a long one in two rows.

    Dark modules on a lit ground, two pixels each, as phones expect.  None where the address is too
    long for that: beyond 53 bytes.  Without an address it says so.
    """
    if not invitation.address:
        with speaking(language):
            return draw_picture(_paint_no_network)
    rows = segno.make(invitation.address, error="l", micro=False).matrix
    margin = (HEIGHT - MODULE_PX * len(rows)) // 2
    if margin < MIN_MARGIN_PX:
        return None

    def paint(brush: ImageDraw.ImageDraw) -> None:
        brush.rectangle((0, 0, HEIGHT - 1, HEIGHT - 1), fill=ON)
        for row, modules in enumerate(rows):
            for column, is_dark in enumerate(modules):
                if is_dark:
                    x, y = margin + column * MODULE_PX, margin + row * MODULE_PX
                    brush.rectangle((x, y, x + MODULE_PX - 1, y + MODULE_PX - 1), fill=OFF)
        code, middle = invitation.code, len(invitation.code) // 2
        if len(code) <= ROW_CHARS:
            _fill(brush, (HEIGHT + 4, 4, WIDTH - 3, 21), shown(invitation.title or JOIN))
            _fill(brush, (HEIGHT + 4, 28, WIDTH - 3, 56), code)
            return
        _fill(brush, (HEIGHT + 2, 1, WIDTH - 1, 16), invitation.title)
        if len(code) <= 2 * MAX_ROW_CHARS:  # a longer one would be cut, and is left to the phone
            _fill(brush, (HEIGHT + 2, 22, WIDTH - 1, 40), code[:middle])
            _fill(brush, (HEIGHT + 2, 44, WIDTH - 1, 62), code[middle:])

    with speaking(language):
        return draw_picture(paint)


def _paint_no_network(brush: ImageDraw.ImageDraw) -> None:
    for top, words in ((4, NO_NETWORK), (36, ADVICE)):
        _fill(brush, (2, top, WIDTH - 3, top + 22), shown(words))


def pages_of_display(board: Scoreboard, size: tuple[int, int], form: Form) -> int:
    """Return through how many pages such a display goes; 1 if it stands still."""
    width, height = size
    if height >= HEIGHT:
        return 1
    return len(score_pages(board, scene_of(board), width, form))


@lru_cache(maxsize=4)
def _drawn(
    board: Scoreboard, size: tuple[int, int], form: Form, page: int, language: str
) -> Image.Image:
    # Kept, because a blinking light asks for the same picture twice a second.
    with speaking(language):
        return _paint(board, size, form, page)


def _paint(board: Scoreboard, size: tuple[int, int], form: Form, page: int) -> Image.Image:
    scene = scene_of(board)
    if form == "segments":
        return draw_digits(digits_text(board, scene, page))
    width, height = size
    if height < HEIGHT:
        return draw_picture(
            lambda brush: paint_matrix(brush, board, scene, width, page), width, height
        )
    quiet = _paint_clock if scene.kind == "clock" else _paint_scores
    paint = _paint_shout if scene.kind in SHOUTED else quiet
    return draw_picture(lambda brush: paint(brush, board, scene))


def _paint_shout(brush: ImageDraw.ImageDraw, board: Scoreboard, scene: Scene) -> None:
    """Fill the display with what happens: a great word, and whom it concerns or what to do."""
    names = names_of(board, scene.seats)
    match scene.kind, names:
        case (("spin" | "uno"), [name, *_]):
            _fill(brush, (2, 1, WIDTH - 3, 19), shown(headline(scene)))
            brush.rectangle((0, 23, WIDTH - 1, HEIGHT - 1), fill=ON)
            _fill(brush, (4, 26, WIDTH - 5, HEIGHT - 4), name, OFF)
        case "meant", [name, *_] if board.intention is not None:
            _fill(brush, (2, 1, WIDTH - 3, 19), name)
            brush.rectangle((0, 23, WIDTH - 1, HEIGHT - 1), fill=ON)
            _fill(brush, (4, 26, WIDTH - 5, HEIGHT - 4), shown(board.intention.told), OFF)
        case "between", [one, other, *_]:
            _fill(brush, (2, 0, WIDTH - 3, 26), one)
            _fill(brush, (2, 36, WIDTH - 3, HEIGHT - 2), other)
            brush.line((0, 31, 52, 31), fill=ON)
            brush.line((75, 31, WIDTH - 1, 31), fill=ON)
            _caption(brush, (53, 26, 74, 36), shown(say_as("display, between two names", "or")))
        case _:
            below = " & ".join(names) or shown(BELOW.get(scene.kind, ""))
            _fill(brush, (2, 1, WIDTH - 3, 38 if below else HEIGHT - 2), shown(headline(scene)))
            _fill(brush, (2, 45, WIDTH - 3, HEIGHT - 2), below)


def _paint_scores(brush: ImageDraw.ImageDraw, board: Scoreboard, scene: Scene) -> None:
    """Draw the sign at the left, inverted if people have to do something, and the scores."""
    ink = OFF if scene.kind in ALERTS else ON
    if ink == OFF:
        brush.rectangle((0, 0, SIGN_WIDTH - 1, HEIGHT - 1), fill=ON)
    above = (3, 3, SIGN_WIDTH - 4, 47)
    match scene.kind:
        case "no_view":
            _paint_closed_eye(brush, above, ink)
        case "reveal":
            _paint_cards(brush, above)
        case _:
            _fill(brush, above, _sign(board, scene), ink)
    words = names_of(board, scene.seats)[0] if scene.kind == "turn" else shown(headline(scene))
    _caption(brush, (1, 51, SIGN_WIDTH - 2, HEIGHT - 1), words, ink)
    count = len(board.players)
    columns = 1 if count <= 2 else 2
    left, width = SIGN_WIDTH + 2, (WIDTH - SIGN_WIDTH - 1) // columns
    for seat in range(count):
        x, y = left + seat % columns * width, seat // columns * (HEIGHT // 2 + 1)
        _paint_score(brush, board, seat, (x, y, x + width - 2, y + HEIGHT // 2 - 2))


def _paint_clock(brush: ImageDraw.ImageDraw, board: Scoreboard, scene: Scene) -> None:
    """Fill the display with the time that is left, and write the scores in a row below."""
    _fill(brush, (2, 1, WIDTH - 3, 41), headline(scene))
    share = WIDTH // len(board.players)
    for seat, player in enumerate(board.players):
        left = seat * share
        words = f"{labels(board)[seat]} {player.score}"
        _fill(brush, (left + 2, 48, left + share - 3, HEIGHT - 1), words)


def _sign(board: Scoreboard, scene: Scene) -> str:
    if scene.kind == "calm":
        return str(board.round)
    if scene.kind in ("turn", "slow", "won") and scene.seats:
        return "=".join(labels(board)[seat] for seat in scene.seats)
    return SIGNS[scene.kind]


def _paint_closed_eye(brush: ImageDraw.ImageDraw, box: Box, ink: Ink) -> None:
    left, top, right, bottom = box
    middle = (top + bottom) // 2
    brush.ellipse((left, middle - 12, right, middle + 12), outline=ink, width=3)
    brush.ellipse((left + 13, middle - 6, right - 13, middle + 6), fill=ink)
    brush.line((left + 2, bottom - 3, right - 2, top + 3), fill=ink, width=4)


def _paint_cards(brush: ImageDraw.ImageDraw, box: Box) -> None:
    left, top, right, bottom = box
    brush.rectangle((left + 13, top, right, bottom - 9), fill=ON)
    brush.rectangle((left, top + 8, right - 12, bottom), fill=OFF, outline=ON, width=3)
    brush.ellipse((left + 8, top + 20, right - 20, bottom - 12), fill=ON)


def _paint_score(brush: ImageDraw.ImageDraw, board: Scoreboard, seat: int, box: Box) -> None:
    """Draw one score and whose it is, black on white for who is to act or has won."""
    player = board.players[seat]
    left, top, right, bottom = box
    lit = player.is_turn or player.is_winner
    if lit:
        brush.rectangle(box, fill=ON)
    ink = OFF if lit else ON
    few = len(board.players) <= 2
    label = labels(board)[seat]
    aside = left + (28 if few else 9 if len(label) == 1 else 17)
    if few:
        _fill(brush, (left + 3, top + 5, aside, bottom - 5), label, ink)
    elif len(label) == 1:
        _caption(brush, (left + 1, top, aside, bottom), label, ink)
    else:
        _fill(brush, (left + 1, top + 6, aside, bottom - 6), label, ink)
    _fill(brush, (aside + 2, top + 2, right - 2, bottom - 2), str(player.score), ink)


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def _caption(brush: ImageDraw.ImageDraw, box: Box, text: str, ink: Ink = ON) -> None:
    """Write *text* small into the middle of *box*, cut if it must be."""
    left, top, right, bottom = box
    while text:
        x0, y0, x1, y1 = brush.textbbox((0, 0), text, font=_font(SMALL))
        if x1 - x0 <= right - left + 1 or len(text) == 1:
            at = ((left + right + 1 - x0 - x1) // 2, (top + bottom + 1 - y0 - y1) // 2)
            brush.text(at, text, fill=ink, font=_font(SMALL))
            return
        text = text[:-1]


def _fill(brush: ImageDraw.ImageDraw, box: Box, text: str, ink: Ink = ON) -> None:
    """Write *text* into the middle of *box* as tall as it allows, narrowed if it must be."""
    left, top, right, bottom = box
    if not text.strip():
        return
    shape = _shape_of(text)
    room, height = right - left + 1, bottom - top + 1
    width = shape.width * height / shape.height
    if width * MIN_LETTER_WIDTH_RATIO > room:  # not even narrow letters fit: smaller ones
        height = round(height * room / (width * MIN_LETTER_WIDTH_RATIO))
    if height < SMALL:
        _fill(brush, box, text[:-1], ink)
        return
    size = (round(min(room, shape.width * height / shape.height)) or 1, height)
    letters = shape.resize(size, Image.Resampling.BOX).point(lambda grey: 255 * (grey > HALF))
    at = (left + (room - letters.width) // 2, top + (bottom - top + 1 - height) // 2)
    brush.bitmap(at, letters.convert("1"), fill=ink)


@lru_cache(maxsize=64)
def _shape_of(text: str) -> Image.Image:
    """Return *text* very large, as shades of grey, without a margin but as high as a capital."""
    font = _font(DRAWN)
    x0, y0, x1, y1 = font.getbbox(text, stroke_width=STROKE)
    _, cap_top, _, base = font.getbbox("H", stroke_width=STROKE)
    upper, lower = min(y0, cap_top), max(y1, base)
    shape = Image.new("L", (max(1, round(x1 - x0)), max(1, round(lower - upper))))
    ImageDraw.Draw(shape).text((-x0, -upper), text, fill=255, font=font, stroke_width=STROKE)
    return shape
