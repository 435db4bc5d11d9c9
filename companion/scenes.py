"""Scenes: the scoreboard as light and as a small picture, for people who look up from the table.

Pure: the same scoreboard and beat give the same colours and picture. Nothing is said by colour
alone; each scene also has its own pattern of bright and dark lights.
"""

from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from companion.web.scoreboard import SLOTS, Player, Scoreboard
from hardware.display import HEIGHT, OFF, ON, WIDTH, draw_picture
from hardware.hands import Hands
from hardware.lights import DARK, Colour, Strip

SEAT_COLOURS: Final[tuple[Colour, ...]] = (
    (200, 20, 10),  # the pawns in the box: red, blue, yellow, green
    (0, 60, 200),
    (170, 110, 0),
    (0, 140, 30),
)
WRONG: Final[Colour] = (220, 40, 0)
RIGHT: Final[Colour] = (90, 150, 90)
HINT: Final[Colour] = (10, 16, 10)
QUESTION: Final[Colour] = (120, 120, 120)
LOST: Final[Colour] = (0, 30, 120)
WON: Final[Colour] = (200, 130, 0)
CALM: Final[Colour] = (60, 40, 20)
DIM: Final = 0.12  # of the colour beside it, plainly darker from across the table
SMALLEST: Final = 12  # letters of fewer pixels cannot be read from two metres
BOLD_FROM: Final = 18  # below this many pixels a bold letter fills up
AWAY: Final = ("tiles", "picture")  # reasons to wait that somebody has to do something about


def _dimmed(colour: Colour, share: float = DIM) -> Colour:
    red, green, blue = (round(level * share) for level in colour)
    return (red, green, blue)


def strip_colours(board: Scoreboard, beat: int = 0) -> Strip:
    """Return a colour for each of the nine slot lights, the top one first.

    beat: counts up twice a second while `is_lively`; what blinks changes with it.
    Turn: as many lights from the top are bright as the seat's number, the other pieces' are dim.
    Wrong slots: they alone, blinking. To be put right: they, steady, the rest dim. Question: every
    second light, changing places. No picture: the two ends. Secret cards wanted: the three places
    that score. New line wanted: all dim. Won: all bright.
    """
    odd = beat % 2
    if board.winners:
        return (WON,) * SLOTS
    if board.question and board.question.kind == "put_right":
        return tuple(RIGHT if slot in board.question.slots else HINT for slot in range(SLOTS))
    if board.question and board.question.slots:
        wrong = _dimmed(WRONG, 0.3) if odd else WRONG
        return tuple(wrong if slot in board.question.slots else DARK for slot in range(SLOTS))
    if board.question:
        return tuple(DARK if slot % 2 != odd else QUESTION for slot in range(SLOTS))
    if board.waiting in AWAY:
        return tuple(LOST if slot in (0, SLOTS - 1) else DARK for slot in range(SLOTS))
    if board.phase == "reveal":
        return tuple(WON if slot < 3 else DARK for slot in range(SLOTS))
    if board.turn is None:
        return (CALM,) * SLOTS
    colour = SEAT_COLOURS[board.turn]
    return tuple(
        colour if slot <= board.turn else _dimmed(colour) if piece else DARK
        for slot, piece in enumerate((*board.line, *(None,) * (SLOTS - len(board.line))))
    )


def is_lively(board: Scoreboard) -> bool:
    """Tell whether the lights change with the beat."""
    return board.question is not None and board.question.kind != "put_right"


def display_picture(board: Scoreboard) -> Image.Image:
    """Return the score display: whose turn it is in large letters, and everybody's score.

    A standing question takes the left third, "?" to be answered or "!" for a wrong line.
    """
    return _drawn(board).copy()


@lru_cache(maxsize=1)
def _drawn(board: Scoreboard) -> Image.Image:
    # Kept, because a blinking light asks for the same picture twice a second.
    def paint(brush: ImageDraw.ImageDraw) -> None:
        left = 0
        if board.question or board.waiting in AWAY:
            left = HEIGHT // 2 + 6
            brush.rectangle((0, 0, left - 4, HEIGHT - 1), fill=ON)
            sign = "?" if board.question and board.question.kind == "ask" else "!"
            _write(brush, (0, 0, left - 4, HEIGHT - 1), sign, 56, OFF)
        _write(brush, (left, 0, WIDTH - 1, 26), _headline(board), 24)
        brush.line((left, 28, WIDTH - 1, 28), fill=ON)
        width = (WIDTH - left) // len(board.players)
        for place, player in enumerate(board.players):
            _paint_score(brush, player, left + place * width, width)

    return draw_picture(paint)


def _headline(board: Scoreboard) -> str:
    if board.winners:
        return f"{board.players[board.winners[0]].name} won!" if len(board.winners) == 1 else "Tie!"
    if board.question:
        return {"ask": "Which?", "illegal": "Wrong"}.get(board.question.kind, "Put right")
    if board.waiting in AWAY:
        return "No view"
    if board.phase == "reveal":
        return "Cards, please"
    if board.turn is None:
        return f"Round {board.round}"
    return board.players[board.turn].name


def _paint_score(brush: ImageDraw.ImageDraw, player: Player, left: int, width: int) -> None:
    """Draw one score with the name's first letter, black on white for who is to act or has won."""
    box = (left, 31, left + width - 2, HEIGHT - 1)
    lit = player.is_turn or player.is_winner
    if lit:
        brush.rectangle(box, fill=ON)
    ink = OFF if lit else ON
    _write(brush, (left, 31, left + width - 2, 43), player.name[:1].upper(), 12, ink)
    _write(brush, (left, 42, left + width - 2, HEIGHT - 1), str(player.score), 22, ink)


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def _write(
    brush: ImageDraw.ImageDraw,
    box: tuple[int, int, int, int],
    text: str,
    size: int,
    ink: str = ON,
) -> None:
    """Write *text* into the middle of *box*: *size* pixels high, smaller or cut if it must be."""
    left, top, right, bottom = box
    while True:
        font = _font(size)
        bold = int(size >= BOLD_FROM)
        x0, y0, x1, y1 = brush.textbbox((0, 0), text, font=font)
        if (x1 - x0 + bold <= right - left and y1 - y0 <= bottom - top + 1) or len(text) < 2:
            break
        if size > SMALLEST:
            size -= 1
        else:
            text = text[:-1]
    x, y = (left + right - x0 - x1 - bold) // 2, (top + bottom - y0 - y1) // 2
    for step in range(bold + 1):  # written twice, a pixel apart: stems of two pixels
        brush.text((x + step, y), text, fill=ink, font=font)


def perform(hands: Hands, board: Scoreboard, beat: int = 0) -> None:
    """Let the *hands* show *board*; what they show already is not sent again."""
    colours = strip_colours(board, beat)
    if hands.strip.value != colours:
        hands.strip.value = colours
    picture = display_picture(board)
    if hands.display.value.tobytes() != picture.tobytes():
        hands.display.value = picture
