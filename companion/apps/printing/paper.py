"""A page of paper: all lengths are millimetres, x right and y down from its top left corner."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import reportlab
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from companion.apps.printing.choices import Paper
from companion.language.speech import translated

Align: TypeAlias = Literal["left", "middle", "right"]

MM: Final = 72 / 25.4
"""Points in a millimetre."""
PLAIN: Final = "Vera"
BOLD: Final = "VeraBd"
FONTS: Final = Path(reportlab.__file__).parent / "fonts"
"""Both come with reportlab and go into the PDF, so that it looks the same on every printer."""
LEADING: Final = 1.38
"""From line to line, in sizes of the letters."""
BLACK: Final = 0.0
GREY: Final = 0.42
PALE: Final = 0.72
WHITE: Final = 1.0
HAIR: Final = 0.15


class Page:
    """One page that is drawn on; see `booklet.make_pdf`, which makes them.

    Texts may be messages: they are written in the language that is spoken.
    """

    def __init__(self, canvas: Any, paper: Paper) -> None:
        """*canvas*: reportlab's, in points from the bottom left corner."""
        self._canvas = canvas
        self.paper = paper
        self.width, self.height = paper.width, paper.height

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 3.6,
        *,
        bold: bool = False,
        align: Align = "left",
        shade: float = BLACK,
        upwards: bool = False,
    ) -> None:
        """Write one line whose base line begins, has its middle or ends at x, y.

        size: of the letters in mm.  shade: 0 is black, 1 white.  upwards: turned to the left.
        """
        canvas, said = self._canvas, str(translated(words))
        canvas.saveState()
        canvas.translate(x * MM, (self.height - y) * MM)
        if upwards:
            canvas.rotate(90)
        canvas.setFont(BOLD if bold else PLAIN, size * MM)
        canvas.setFillGray(shade)
        write = {
            "left": canvas.drawString,
            "middle": canvas.drawCentredString,
            "right": canvas.drawRightString,
        }[align]
        write(0, 0, said)
        canvas.restoreState()

    def paragraph(
        self, x: float, y: float, width: float, words: str, size: float = 3.6, **look: Any
    ) -> float:
        """Write *words* in lines of at most *width*, the first base line at y.

        look: as of `text`.  Returns where the base line of a next line would be.
        """
        font = BOLD if look.get("bold") else PLAIN
        for line in simpleSplit(str(translated(words)), font, size * MM, width * MM):
            self.text(x, y, line, size, **look)
            y += size * LEADING
        return y

    def text_width(self, words: str, size: float, *, bold: bool = False) -> float:
        """Return how wide *words* are in mm."""
        font = BOLD if bold else PLAIN
        wide: float = pdfmetrics.stringWidth(str(translated(words)), font, size * MM)
        return wide / MM

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        wide: float = HAIR,
        shade: float = BLACK,
        *,
        dashed: bool = False,
    ) -> None:
        """Draw a straight line."""
        canvas = self._canvas
        canvas.saveState()
        canvas.setLineWidth(wide * MM)
        canvas.setStrokeGray(shade)
        if dashed:
            canvas.setDash(1.5 * MM, 1.2 * MM)
        canvas.line(*self._points(start), *self._points(end))
        canvas.restoreState()

    def frame(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        shade: float = PALE,
        radius: float = 0.0,
        dashed: bool = False,
    ) -> None:
        """Draw a rectangle as a hair line."""
        canvas = self._canvas
        canvas.saveState()
        canvas.setLineWidth(HAIR * MM)
        canvas.setStrokeGray(shade)
        if dashed:
            canvas.setDash(1.5 * MM, 1.2 * MM)
        x, y = self._points((left, top + height))
        canvas.roundRect(x, y, width * MM, height * MM, radius * MM)
        canvas.restoreState()

    def fill(
        self, boxes: Iterable[tuple[float, float, float, float]], shade: float = BLACK
    ) -> None:
        """Fill all *boxes* (left, top, width, height) as one shape, without seams between them."""
        canvas = self._canvas
        canvas.saveState()
        canvas.setFillGray(shade)
        shape = canvas.beginPath()
        for left, top, width, height in boxes:
            shape.rect(left * MM, (self.height - top - height) * MM, width * MM, height * MM)
        canvas.drawPath(shape, stroke=0, fill=1, fillMode=1)  # not even-odd: they may overlap
        canvas.restoreState()

    def polygon(self, corners: Iterable[tuple[float, float]], shade: float = BLACK) -> None:
        """Fill the shape between *corners*."""
        canvas = self._canvas
        canvas.saveState()
        canvas.setFillGray(shade)
        shape = canvas.beginPath()
        first, *others = map(self._points, corners)
        shape.moveTo(*first)
        for corner in others:
            shape.lineTo(*corner)
        shape.close()
        canvas.drawPath(shape, stroke=0, fill=1)
        canvas.restoreState()

    def _points(self, at: tuple[float, float]) -> tuple[float, float]:
        return at[0] * MM, (self.height - at[1]) * MM


def register_fonts() -> None:
    """Let reportlab know the letters that are printed; may be called twice."""
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))
