"""Small drawings that show where something goes, and the steps beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.apps.printing.paper import GREY, Page

ARROW: Final = 1.5
SIZE: Final = 2.9


@dataclass(frozen=True, slots=True)
class Plan:
    """A drawing seen from above, whose own lengths are in mm of the real thing.

    left, top: of it on the page.  scale: mm on the page for each mm of the real thing.
    """

    page: Page
    left: float
    top: float
    scale: float

    def square(self, middle: tuple[float, float], side: float) -> None:
        """Draw a tile: grey, with a white rim."""
        x, y = self._at(middle)
        side *= self.scale
        self.page.frame(x - side / 2, y - side / 2, side, side)
        dark = side * 0.78
        self.page.fill([(x - dark / 2, y - dark / 2, dark, dark)], GREY)

    def frame(self, left: float, top: float, width: float, height: float) -> None:
        """Draw a board."""
        x, y = self._at((left, top))
        self.page.frame(x, y, width * self.scale, height * self.scale, radius=1.0)

    def words(self, middle: tuple[float, float], words: str) -> None:
        """Write into the drawing."""
        x, y = self._at(middle)
        self.page.text(x, y + SIZE / 3, words, SIZE, align="middle", shade=GREY)

    def across(self, start: float, end: float, *, above: bool, said: str, at: float = 0.0) -> None:
        """Draw how far it is from left to right, above or below the line at *at*."""
        y = self.top + at * self.scale + (-3.0 if above else 3.0)
        left, right = self.left + start * self.scale, self.left + end * self.scale
        self.page.line((left, y), (right, y))
        for tip, turn in ((left, 1), (right, -1)):
            side = tip + turn * ARROW
            self.page.polygon([(tip, y), (side, y - 0.6), (side, y + 0.6)])
        words_y = y - 1.2 if above else y + 3.6
        self.page.text((left + right) / 2, words_y, said, SIZE, bold=True, align="middle")

    def down(self, start: float, end: float, *, said: str, at: float = 0.0) -> None:
        """Draw how far it is from top to bottom, to the left of the line at *at*."""
        x = self.left + at * self.scale - 3.0
        top, bottom = self.top + start * self.scale, self.top + end * self.scale
        self.page.line((x, top), (x, bottom))
        for tip, turn in ((top, 1), (bottom, -1)):
            side = tip + turn * ARROW
            self.page.polygon([(x, tip), (x - 0.6, side), (x + 0.6, side)])
        middle = (top + bottom) / 2
        self.page.text(x - 1.2, middle, said, SIZE, bold=True, align="middle", upwards=True)

    def _at(self, point: tuple[float, float]) -> tuple[float, float]:
        return self.left + point[0] * self.scale, self.top + point[1] * self.scale


def draw_steps(page: Page, left: float, top: float, width: float, steps: Sequence[str]) -> float:
    """Write numbered *steps*; return where the next line would be."""
    y = top
    for number, step in enumerate(steps, 1):
        page.text(left, y, f"{number}", 4.6, bold=True, shade=GREY)
        y = page.paragraph(left + 8.0, y, width - 8.0, step, 3.6) + 1.9
    return y
