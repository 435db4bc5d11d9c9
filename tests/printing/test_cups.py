"""`tiki print --printer` through a real CUPS: how large what comes out is, and its refusals."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.apps.printing.choices import PAPERS
from companion.apps.printing.known_scales import (
    EDGES_MM,
    WHOLE_MM,
    fitted_percent,
    name_scale,
)
from companion.cli import main
from tests.commands import assert_one_line
from tests.printing import cups as own_cups
from tests.printing.cups import Cups
from tests.printing.pages import page_sizes, render, ruler_lengths

A4, LETTER = PAPERS["a4"], PAPERS["letter"]
DYMO = "drv:///sample.drv/dymo.ppd"
"""A printer of labels."""

pytestmark = pytest.mark.skipif(own_cups.is_missing(), reason=own_cups.MISSING)


@pytest.fixture(scope="module")
def cups() -> Iterator[Cups]:
    """Return a CUPS with a printer of everything, one that is paused, and two that take nothing."""
    with own_cups.running() as running:
        running.add("den", "-E")
        running.add("attic", "-E")
        running("cupsdisable", "attic")
        running.add("cellar")
        running.add("labels", "-E", driver=DYMO)
        yield running


@pytest.fixture(autouse=True)
def _reached(cups: Cups, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUPS_SERVER", cups.environment["CUPS_SERVER"])
    monkeypatch.chdir(tmp_path)


def across(pdf: bytes) -> float:
    """Return how long the ruler across is, in mm."""
    return ruler_lengths(render(pdf)[0])[0]


@pytest.mark.parametrize(("page", "paper"), [("a4", A4), ("letter", LETTER)])
@pytest.mark.parametrize("default", [(), ("-o", "PageSize=Letter", "-o", "fit-to-page=true")])
def test_the_companion_prints_at_true_size(
    page: str,
    paper: object,
    default: tuple[str, ...],
    cups: Cups,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On the page's own paper, whatever the printer's defaults are; no file is left."""
    cups.add("den", "-E", *default)
    assert main(["print", "ruler", "--page", page, "--printer", "den"]) == 0
    said = capsys.readouterr().out.splitlines()
    title = PAPERS[page].title
    assert re.fullmatch(rf"den-\d+: 1 page, {title}, at true size", said[0])
    assert said[1].startswith("Both rulers on it must measure 100 mm")
    printed = cups.printed("den")
    assert page_sizes(printed)[0] == pytest.approx(
        (PAPERS[page].width, PAPERS[page].height), abs=0.3
    )
    assert ruler_lengths(render(printed)[0]) == pytest.approx((100, 100), abs=0.3)
    assert list(tmp_path.iterdir()) == []
    assert paper == PAPERS[page]


@pytest.mark.parametrize(
    ("options", "edges", "words"),
    [
        ((), EDGES_MM, "A4 shrunk onto Letter, inside the edges that the printer leaves white"),
        (
            ("-o", "media=Letter.Fullbleed", "-o", "fit-to-page"),
            WHOLE_MM,
            "A4 shrunk onto the whole of Letter",
        ),
    ],
)
def test_what_others_print_is_known_by_its_size(
    options: tuple[str, ...], edges: tuple[float, float], words: str, cups: Cups
) -> None:
    """CUPS shrinks an A4 page although it asks not to be; 85.5 and 94 % are told apart."""
    assert main(["print", "ruler", "--out", "ruler.pdf"]) == 0
    cups("lp", "-d", "den", *options, "ruler.pdf")
    measured = across(cups.printed("den"))
    assert measured == pytest.approx(fitted_percent(A4, LETTER, edges), abs=0.3)
    assert name_scale(measured, measured) == words


@pytest.mark.parametrize(
    ("printer", "said"),
    [
        (
            "dem",
            "there is no printer called 'dem'; did you mean den?; there are attic, cellar, den",
        ),
        ("-h", "there is no printer called '-h'; there are attic, cellar, den, labels"),
        ("", "there is no printer called ''; there are attic, cellar, den, labels"),
        ("cellar", 'the printer cellar does not take it: Destination "cellar" is not accepting'),
        ("labels", "labels has no A4 paper, it has w81h252, "),
    ],
)
def test_what_cannot_be_printed_is_one_line(
    printer: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong name is answered with the right ones."""
    assert main(["print", "ruler", f"--printer={printer}"]) == 1
    assert_one_line(capsys.readouterr().err, said)


def test_a_paused_printer_keeps_it(capsys: pytest.CaptureFixture[str]) -> None:
    """And it is said how it goes on."""
    assert main(["print", "ruler", "--printer", "attic"]) == 0
    assert "attic is paused, so it waits: sudo cupsenable attic" in capsys.readouterr().out
