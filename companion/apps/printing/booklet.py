"""Sheets put together as one PDF."""

import io
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from reportlab.pdfgen.canvas import Canvas

from companion.apps.printing.choices import Paper
from companion.apps.printing.paper import MM, Page, register_fonts
from companion.apps.printing.rulers import ACTUAL_SIZE
from companion.language.speech import speaking, translated

Drawing: TypeAlias = Callable[[Page], None]
"""Draws one page."""

AS_IS: Final = (1.0, 1.0)
PRINT_SCALING_SINCE: Final = (1, 6)
"""The version of PDF that lets a document ask not to be scaled."""
MAKER: Final = "Tiki Companion"


def make_pdf(
    title: str,
    pages: Sequence[Drawing],
    paper: Paper,
    language: str = "en",
    stretch: tuple[float, float] = AS_IS,
) -> bytes:
    """Return a PDF of *pages* on *paper*, which asks whoever prints it not to scale it.

    title: of the document, a message.  language: one of `catalogue.LANGUAGES`.
    stretch: across and down, what makes up for a printer that does not print at true scale.
    """
    register_fonts()
    target = io.BytesIO()
    size = (paper.width * MM, paper.height * MM)
    canvas = Canvas(target, size, invariant=1, pageCompression=1, pdfVersion=PRINT_SCALING_SINCE)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    with speaking(language):
        canvas.setTitle(str(translated(title)))
        canvas.setAuthor(MAKER)
        canvas.setCreator(MAKER)
        canvas.setSubject(str(translated(ACTUAL_SIZE)))
        canvas.setCatalogEntry("Lang", language)
        for draw in pages:
            _stretch(canvas, paper, stretch)
            draw(Page(canvas, paper))
            canvas.showPage()
        canvas.save()
    return target.getvalue()


def _stretch(canvas: Canvas, paper: Paper, stretch: tuple[float, float]) -> None:
    """Scale all that follows about the middle of the page, where printers do."""
    if stretch != AS_IS:
        x, y = paper.width / 2 * MM, paper.height / 2 * MM
        canvas.translate(x, y)
        canvas.scale(*stretch)
        canvas.translate(-x, -y)
