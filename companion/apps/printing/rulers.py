"""What every page has: what it is, how to print it, and two rulers that tell whether it came true.

Printers scale across and down differently, so there is one ruler for each.
"""

from dataclasses import dataclass
from typing import Final

from companion.apps.printing.paper import GREY, Page
from companion.language.message import say

RULER_MM: Final = 100
LEFT: Final = 31.0
"""Where all but the ruler begins."""
RIGHT_MARGIN: Final = 15.0
TOP: Final = 47.0
"""Where the content of a page begins."""
BOTTOM_MARGIN: Final = 30.0
ACROSS: Final = (24.0, 18.0)
DOWN: Final = (20.5, 21.0)
"""Where the two rulers begin: from the left and from the lower edge. They do not touch: whoever
measures one from end to end finds its length."""
TICKS: Final = ((10, 4.2), (5, 3.0), (1, 1.8))
"""Every so many mm a tick of that length."""
LINE: Final = 0.2
LENGTH: Final = say("100 mm")
ACTUAL_SIZE: Final = say("Print at 100 % (“actual size”, never “fit to page”).")


@dataclass(frozen=True, slots=True)
class Area:
    """Where the content of a page goes, in mm."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left


def area_of(page: Page) -> Area:
    """Return where the content of *page* goes."""
    return Area(LEFT, TOP, page.width - RIGHT_MARGIN, page.height - BOTTOM_MARGIN)


def draw_surroundings(page: Page, title: str, words: str) -> Area:
    """Draw title and rulers; return where the content goes.

    words: how large what is on the page is, in a sentence.
    """
    area = area_of(page)
    page.text(LEFT, 23.0, title, 7.2, bold=True)
    y = page.paragraph(LEFT, 31.0, area.width, ACTUAL_SIZE, 4.0, bold=True)
    page.paragraph(LEFT, y + 0.4, area.width, words, 3.6, shade=GREY)
    _draw_rulers(page)
    return area


def _draw_rulers(page: Page) -> None:
    x, y = ACROSS[0], page.height - ACROSS[1]
    page.line((x, y), (x + RULER_MM, y), LINE)
    left, low = DOWN[0], page.height - DOWN[1]
    page.line((left, low), (left, low - RULER_MM), LINE)
    for mark in range(RULER_MM + 1):
        length = next(length for step, length in TICKS if mark % step == 0)
        page.line((x + mark, y), (x + mark, y + length), LINE)
        page.line((left, low - mark), (left - length, low - mark), LINE)
        if mark % 10 == 0:
            page.text(x + mark, y + 7.2, f"{mark}", 2.5, align="middle")
            page.text(left - 4.8, low - mark + 0.9, f"{mark}", 2.5, align="right")
    beside = x + RULER_MM + 5.0
    page.text(beside, y + 2.0, LENGTH, 3.2, bold=True)
    words = say("Both rulers must measure 100 mm. If not, print again.")
    page.paragraph(beside, y + 6.0, page.width - beside - 12.0, words, 2.6, shade=GREY)
    page.text(left - 1.0, low - RULER_MM - 3.0, LENGTH, 3.2, bold=True, align="middle")
