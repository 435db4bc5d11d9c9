"""`tiki print` as people type it: what it writes, and one line for whatever cannot be."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from tests.commands import TIKI, assert_one_line
from tests.printing.pages import markers, render, ruler_lengths, texts

ADDRESS = ["--address", "http://tiki.local:8321"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> list[str]:
    """Return the names of what is in *folder*."""
    return sorted(each.name for each in folder.iterdir())


def test_it_names_the_file_and_says_how_to_print_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game's tiles, in the folder that one is in."""
    assert main(["print", "topple"]) == 0
    assert files(here) == ["tiki-topple-a4.pdf"]
    assert capsys.readouterr().out.splitlines() == [
        "tiki-topple-a4.pdf: 2 pages, A4",
        "Print it at 100 % (actual size); both rulers on it must measure 100 mm.",
    ]
    assert sorted(markers(render((here / "tiki-topple-a4.pdf").read_bytes())[0])) == [8, 9, 10, 11]


def test_paper_language_and_file_are_chosen(here: Path) -> None:
    """The file's name says which, where none is given."""
    assert main(["print", "uno_tiki", "--page", "Letter", "--language", "de"]) == 0
    assert main(["print", "ruler", "--out", "check.pdf"]) == 0
    assert files(here) == ["check.pdf", "tiki-uno_tiki-letter-de.pdf"]
    assert "Eckplättchen" in texts((here / "tiki-uno_tiki-letter-de.pdf").read_bytes())[0]


def test_nothing_is_overwritten_unless_that_is_said(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The old file is still there."""
    (here / "mine.pdf").write_text("mine")
    assert main(["print", "ruler", "--out", "mine.pdf"]) == 1
    assert_one_line(capsys.readouterr().err, "mine.pdf exists already", "--replace")
    assert (here / "mine.pdf").read_text() == "mine"
    assert main(["print", "ruler", "--out", "mine.pdf", "--replace"]) == 0
    assert (here / "mine.pdf").read_bytes().startswith(b"%PDF")


def test_a_pipe_gets_the_pdf_alone(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """As other programs want it."""
    assert main(["print", "ruler", "--out", "-"]) == 0
    written = capfdbinary.readouterr()
    assert written.out.startswith(b"%PDF")
    assert len(render(written.out, 1)) == 1
    assert written.err == b""
    assert files(here) == []


def test_what_the_rulers_measured_is_made_up_for(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page is drawn so much larger, and the terminal says how to print it."""
    assert main(["print", "ruler", "--measured", "97", "98.5"]) == 0
    assert "97 % across and 98.5 % down" in capsys.readouterr().out
    page = render((here / "tiki-ruler-a4.pdf").read_bytes())[0]
    assert ruler_lengths(page) == pytest.approx((100 / 0.97, 100 / 0.985), abs=0.2)
    assert main(["print", "ruler", "--measured", "100", "100.2", "--replace"]) == 0
    assert "must measure 100 mm" in capsys.readouterr().out


def test_seat_cards_take_the_address_of_the_settings(here: Path) -> None:
    """Or the one that is given."""
    (here / "tiki.toml").write_text('[web]\naddress = "https://tiki.example.org"\n')
    assert main(["print", "seats", "--seats", "2", "--config", "tiki.toml"]) == 0
    assert "tiki.example.org/join" in texts((here / "tiki-seats-a4.pdf").read_bytes())[0]
    words = ["print", "seats", "--config", "tiki.toml", "--out", "b.pdf", *ADDRESS]
    assert main(words) == 0
    assert "tiki.local:8321/join" in texts((here / "b.pdf").read_bytes())[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "there is nothing called 'chess' to print; choose from tiki_topple, tactiki"),
        (["score_sheet"], "score_sheet is played without a mat, so it has no tiles to print"),
        (["ruler", "--page", "a5"], "--page is 'a5'; it must be a4 or letter"),
        (["ruler", "--language", "fr"], "--language is 'fr'; it must be en or es or de"),
        (["seats", "--seats", "11"], "--seats is 11; it must be 1 to 10"),
        (["seats", "--address", "tiki"], "--address is 'tiki'; it must be like http://tiki.local"),
        (["seats", "--address", "http://tiki.local/join"], "with nothing behind the name"),
        (["seats", "--address", "http://a b"], "--address is 'http://a b'"),
        (["seats", "--address", "http://localhost:1"], "leads phones nowhere"),
        (["seats", "--config", "none.toml"], "none.toml: No such file or directory"),
        (["ruler", "--measured", "90", "100"], "90; the rulers of 100 mm must measure 94 to 106"),
        (["ruler", "--measured", "nan", "100"], "nan; the rulers of 100 mm must measure"),
        (["ruler", "--out", "nowhere/a.pdf"], "nowhere/a.pdf cannot be written (No such file"),
        (["ruler", "--out", "/proc/a.pdf"], "/proc/a.pdf cannot be written"),
        (["ruler", "--out", "."], ". is no file; name a new one with --out"),
        (["ruler", "--out", "/dev/null", "--replace"], "/dev/null is no file"),
        (["ruler", "--out", f"{'a' * 300}.pdf"], "cannot be written (File name too long)"),
    ],
)
def test_whatever_is_wrong_is_one_line(
    words: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what was given and what would be right; nothing is left behind."""
    assert main(["print", *words]) == 1
    assert_one_line(capsys.readouterr().err, said)
    assert files(here) == []


def test_a_full_disk_leaves_nothing_behind(here: Path) -> None:
    """And what was there before stays."""
    (here / "a.pdf").write_text("mine")
    words = " ".join([str(TIKI), "print", "ruler", "--out", "a.pdf", "--replace"])
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 8; exec {words}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert_one_line(done.stderr, "a.pdf cannot be written (File too large)", "nothing was changed")
    assert files(here) == ["a.pdf"]
    assert (here / "a.pdf").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reason is."""

    def refuse(_: Path, __: bytes) -> int:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert main(["print", "ruler"]) == 1
    assert_one_line(
        capsys.readouterr().err, "tiki-ruler-a4.pdf cannot be written (Permission denied)", "--out"
    )
    assert files(here) == []


def test_a_terminal_gets_no_pdf(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would only make noise there."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["print", "ruler", "--out", "-"]) == 1
    assert_one_line(capsys.readouterr().err, "a PDF cannot be shown in a terminal")


def test_playing_loads_nothing_of_it() -> None:
    """A Pi is slow to start and short of memory."""
    code = (
        "import sys, companion.daemon; from companion.cli import build_parser;"
        "build_parser('print'); sys.exit('reportlab' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
