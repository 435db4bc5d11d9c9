"""The displays on which faces are looked at, and how large what they show is."""

from typing import Final

from companion.scenes.faces import display_picture
from companion.scenes.scene import scene_of
from companion.scenes.small_faces import digits_text
from companion.scoreboard import Scoreboard
from hardware.display import DIGITS, Form

OLED: Final = (128, 64)
Box = tuple[int, int, int, int]
# A sheet's name, the display's size and form, and how many play.
SHEETS: Final[dict[str, tuple[tuple[int, int], Form, int]]] = {
    "oled-2": (OLED, "pixels", 2),
    "oled-4": (OLED, "pixels", 4),
    "matrix-32": ((32, 8), "pixels", 4),
    "matrix-64": ((64, 8), "pixels", 4),
    "digits": ((DIGITS, 8), "segments", 4),
}
DISTANCE_MM: Final = 2000
# Millimetres from pixel to pixel: the panels' active widths of 21.74 and 29.42 mm over 128 pixels,
# and the 32 mm of a block of eight.
PITCH_MM: Final = {'0.96"': 0.170, '1.3"': 0.230, "matrix": 4.0}


def lit_rows(board: Scoreboard, box: Box, size: tuple[int, int] = OLED) -> int:
    """Return how many rows high the lit part of *box* is."""
    bounds = display_picture(board, size).crop(box).getbbox()
    assert bounds is not None
    return bounds[3] - bounds[1]


def digits(board: Scoreboard) -> str:
    """Return what eight digits show."""
    return digits_text(board, scene_of(board))
