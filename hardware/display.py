"""The score display: a small panel of black and white pixels, or a row of seven-segment digits."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from luma.core.device import dummy
from luma.core.render import canvas
from luma.core.virtual import sevensegment
from luma.led_matrix.segment_mapper import dot_muncher
from PIL import Image, ImageDraw

from hardware.device import BadValue, OutputDevice

WIDTH: Final = 128
HEIGHT: Final = 64
DIGITS: Final = 8
ON: Final = "white"
OFF: Final = "black"

Form: TypeAlias = Literal["pixels", "segments"]
"""What a lit bit of a display's picture is: a pixel, or a segment of a digit."""

# Where the segments of a digit are in a drawing of it, 10 wide and 16 high, from the highest bit
# of luma's mapping: point, a (top), b, c, d, e, f (clockwise) and g (the middle).
_SEGMENTS: Final = (
    (9, 14, 9, 14),
    (2, 1, 5, 1),
    (6, 2, 6, 7),
    (6, 9, 6, 14),
    (2, 15, 5, 15),
    (1, 9, 1, 14),
    (1, 2, 1, 7),
    (2, 8, 5, 8),
)
_DIGIT_SIZE: Final = (11, 17)


@cache
def _easel(width: int, height: int) -> Any:
    # One for each size: luma keeps every device that was ever made until the process ends.
    return dummy(width=width, height=height, mode="1")


def draw_picture(
    paint: Callable[[ImageDraw.ImageDraw], None], width: int = WIDTH, height: int = HEIGHT
) -> Image.Image:
    """Return what *paint* draws, as a 1-bit picture of *width* x *height* pixels."""
    panel = _easel(width, height)
    with canvas(panel) as brush:
        brush.fontmode = "1"  # no grey edges: a panel pixel is lit or it is not
        paint(brush)
    picture: Image.Image = panel.image
    return picture


def draw_digits(text: str) -> Image.Image:
    """Return *text* as the segments of eight digits: 8 x 8 bits, as luma sends them to a MAX7219.

    Each column is a digit, the rightmost digit in column 0, its lowest row the decimal point.
    A point shares the digit before it; what does not fit is cut off.
    """
    easel = _easel(DIGITS, 8)
    while len(bytes(dot_muncher(text))) > DIGITS:
        text = text[:-1]
    sevensegment(easel, segment_mapper=dot_muncher).text = text
    picture: Image.Image = easel.image
    return picture


def draw_segments(picture: Image.Image) -> Image.Image:
    """Return how digits drawn by `draw_digits` look, in 88 x 17 pixels."""
    width, height = _DIGIT_SIZE

    def paint(brush: ImageDraw.ImageDraw) -> None:
        for column in range(DIGITS):
            left = (DIGITS - 1 - column) * width
            for row, (x0, y0, x1, y1) in enumerate(reversed(_SEGMENTS)):
                if picture.getpixel((column, row)):
                    brush.line((left + x0, y0, left + x1, y1), fill=ON)

    return draw_picture(paint, DIGITS * width, height)


class ScoreDisplay(OutputDevice[Image.Image]):
    """A score display.

    value: a 1-bit picture of exactly the display's size; white is lit.
    size: width and height in bits.  form: what a bit is.
    stand_in: what is shown elsewhere in the place of a value that is for the room alone, else None.
    """

    __slots__ = ("_form", "_size", "stand_in")

    def __init__(self, size: tuple[int, int], form: Form = "pixels") -> None:
        self.stand_in: Image.Image | None = None
        self._size = size
        self._form = form
        super().__init__(rest=Image.new("1", size))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the display in bits."""
        return self._size

    @property
    def form(self) -> Form:
        """Whether a bit of the display is a pixel, or a segment of a digit."""
        return self._form

    @property
    def face(self) -> Image.Image:
        """What the display shows, as a 1-bit picture for pages, which anybody may see."""
        if self._form == "segments":
            return draw_segments(self.value)
        return self.value if self.stand_in is None else self.stand_in

    def _check(self, value: Image.Image) -> Image.Image:
        if value.mode != "1" or value.size != self._size:
            width, height = self._size
            raise BadValue(
                f"a picture of mode {value.mode} and {value.width} x {value.height} pixels; this"
                f" display shows mode 1, {width} x {height}"
            )
        return value.copy()
