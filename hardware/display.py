"""The score display: a small panel of black and white pixels, as luma drives them."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from luma.core.device import dummy
from luma.core.render import canvas
from PIL import Image, ImageDraw

from hardware.device import BadValue, OutputDevice

WIDTH: Final = 128
HEIGHT: Final = 64
ON: Final = "white"
OFF: Final = "black"


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


class ScoreDisplay(OutputDevice[Image.Image]):
    """A panel behind luma's interface, which is a `display(image)` and a size.

    value: a 1-bit picture of exactly the panel's size; white is lit.
    panel: any luma device; it is cleaned up when the display is closed.
    """

    __slots__ = ("_panel",)

    def __init__(self, panel: Any) -> None:
        self._panel = panel
        super().__init__(rest=Image.new("1", (panel.width, panel.height)))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the panel in pixels."""
        return (self._panel.width, self._panel.height)

    def _check(self, value: Image.Image) -> Image.Image:
        if value.mode != "1" or value.size != self.size:
            width, height = self.size
            raise BadValue(
                f"a picture of mode {value.mode} and {value.width} x {value.height} pixels; this"
                f" display shows mode 1, {width} x {height}"
            )
        return value.copy()

    def _write(self, value: Image.Image) -> None:
        self._panel.display(value)

    def _release(self) -> None:
        self._panel.cleanup()
