"""What the two rulers measure where a page was shrunk onto another paper, so that it can be named.

A program or printer that "fits" a page onto the paper shrinks it until it is within what the paper
can take: all of it, or what is left inside the edges that a printer leaves white.  CUPS does so
although the PDF asks it not to, and its generic printers have Letter as their paper until told
otherwise.  CUPS 2.4.2 with cups-filters 1.28.17 puts an A4 page onto Letter at 85.5 % (inside their
edges) and at 94 % (onto a borderless one), see `tests/printing/test_cups.py`.
"""

from collections.abc import Iterator
from typing import Final

from companion.apps.printing.choices import PAPERS, Paper
from companion.language.message import Message, say

INCH_MM: Final = 25.4
EDGES_MM: Final = (INCH_MM / 4, INCH_MM / 2)
"""What CUPS's generic printers leave white at each side, and above and below."""
WHOLE_MM: Final = (0.0, 0.0)
NEAR: Final = 0.6
"""A ruler that is measured to within so many mm of a known length has that length."""


def fitted_percent(page: Paper, paper: Paper, edges_mm: tuple[float, float]) -> float:
    """Return at how many percent *page* is fitted onto *paper* inside its white *edges_mm*.

    >>> round(fitted_percent(PAPERS["a4"], PAPERS["letter"], EDGES_MM), 1)
    85.5
    >>> round(fitted_percent(PAPERS["a4"], PAPERS["letter"], WHOLE_MM), 1)
    94.1
    """
    side, end = edges_mm
    return 100 * min((paper.width - 2 * side) / page.width, (paper.height - 2 * end) / page.height)


def other_paper(page: Paper) -> Paper:
    """Return the other of the two papers."""
    return next(paper for paper in PAPERS.values() if paper != page)


def name_scale(across: float, down: float) -> Message | None:
    """Return what was done to a page whose rulers measure so many mm; None if that is not known."""
    for page in PAPERS.values():
        for percent, words in _shrunk(page):
            if abs(across - percent) <= NEAR and abs(down - percent) <= NEAR:
                return words
    return None


def _shrunk(page: Paper) -> Iterator[tuple[float, Message]]:
    paper = other_paper(page)
    yield (
        fitted_percent(page, paper, EDGES_MM),
        say(
            "{page} shrunk onto {paper}, inside the edges that the printer leaves white",
            page=page.title,
            paper=paper.title,
        ),
    )
    yield (
        fitted_percent(page, paper, WHOLE_MM),
        say("{page} shrunk onto the whole of {paper}", page=page.title, paper=paper.title),
    )


def explain_scales(page: Paper) -> Message:
    """Return in a sentence at how many percent *page* comes out on the other paper."""
    paper = other_paper(page)
    return say(
        "{edged} % is this {page} page shrunk onto {paper}, inside the edges that the printer"
        " leaves white, and {whole} % is it shrunk onto the whole of {paper}: choose {page} as the"
        " paper in the print dialogue, too, or print the page for {paper}.",
        edged=round(fitted_percent(page, paper, EDGES_MM), 1),
        whole=round(fitted_percent(page, paper, WHOLE_MM)),
        page=page.title,
        paper=paper.title,
    )
