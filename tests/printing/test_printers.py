"""Printers without a CUPS: stand-ins for its commands, and one line for whatever they answer."""

from pathlib import Path

import pytest

from companion.apps.printing import printers
from companion.apps.printing.choices import PAPERS
from companion.apps.printing.known_scales import (
    EDGES_MM,
    WHOLE_MM,
    explain_scales,
    fitted_percent,
    name_scale,
)
from companion.cli import main
from tests.commands import assert_one_line
from tests.printing.pages import texts

RUNNING = 'echo "scheduler is running"'
ANSWERS = {
    "lpstat": f'case $1 in -r) {RUNNING} ;; -e) echo den; echo attic ;; *) echo "$2 idle" ;; esac',
    "lpoptions": 'echo "PageSize/Media Size: *Letter A4 Legal"',
    "lp": 'cat >sent.pdf; echo "$@" >words; echo "request id is den-7 (1 file(s))"',
}


@pytest.fixture(autouse=True)
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put stand-ins for CUPS's commands where they are looked for, and work in an empty folder."""
    folder, here = tmp_path / "bin", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    (folder / "cat").symlink_to("/bin/cat")
    for name, answer in ANSWERS.items():
        change(folder, name, answer)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.chdir(here)
    return folder


def change(folder: Path, name: str, answer: str) -> None:
    """Let the command of this *name* do that."""
    (folder / name).write_text(f"#!/bin/sh\n{answer}\n")
    (folder / name).chmod(0o755)


def test_it_is_sent_with_all_that_true_size_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """No scaling, the page's paper, nothing on its back; what is sent is the PDF."""
    words = ["print", "topple", "--page", "letter", "--printer", "den", "--measured", "97", "98"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("den-7: 2 pages, Letter, at true size\n")
    assert Path("words").read_text().split() == [
        "-d", "den", "-t", "tiki-topple-letter.pdf", "-o", "print-scaling=none",
        "-o", "sides=one-sided", "-o", "media=Letter",
    ]  # fmt: skip
    assert len(texts(Path("sent.pdf").read_bytes())) == 2
    assert sorted(each.name for each in Path().iterdir()) == ["sent.pdf", "words"]


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("lpstat", "echo scheduler is not running", "CUPS, which prints, is not running; sudo"),
        ("lpstat", f"[ $1 = -e ] || {RUNNING}", "'den', and no other; set one up"),
        ("lpoptions", 'echo "PageSize/Page Size: *Letter Legal"', "it has Letter, Legal; print"),
        ("lp", "echo 'lp: Error - The den is gone.' >&2; exit 1", "it: The den is gone; lpstat"),
        ("lp", "exit 0", "den does not take it: it does not say why"),
        ("lp", "exec sleep 9", "lp gives no answer (within 1 s); sudo systemctl restart cups"),
    ],
)  # fmt: skip
def test_whatever_is_wrong_is_one_line(
    name: str,
    answer: str,
    said: str,
    bin_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With what to do."""
    (bin_folder / "sleep").symlink_to("/bin/sleep")
    monkeypatch.setattr(printers, "WITHIN_S", 1.0 if "sleep" in answer else 30.0)
    change(bin_folder, name, answer)
    assert main(["print", "ruler", "--printer", "den"]) == 1
    assert_one_line(capsys.readouterr().err, said)


def test_no_cups_is_one_line(bin_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what brings it; a PDF can be made all the same."""
    (bin_folder / "lpstat").unlink()
    assert main(["print", "ruler", "--printer", "den"]) == 1
    assert_one_line(capsys.readouterr().err, "lpstat is missing, with which CUPS prints; sudo apt")
    assert main(["print", "ruler", "--printer", "den", "--out", "a.pdf"]) == 1
    assert_one_line(capsys.readouterr().err, "--printer writes no file; leave --out")
    assert main(["print", "ruler", "--out", "a.pdf"]) == 0


def test_a_printer_that_tells_no_papers_is_used(bin_folder: Path) -> None:
    """CUPS knows them of most only."""
    change(bin_folder, "lpoptions", "echo 'lpoptions: Unable to get PPD file' >&2; exit 1")
    assert main(["print", "ruler", "--printer", "den"]) == 0


@pytest.mark.parametrize(
    ("page", "paper", "edges", "percent"),
    [
        ("a4", "letter", EDGES_MM, 85.5),
        ("a4", "letter", WHOLE_MM, 94.1),
        ("letter", "a4", EDGES_MM, 91.4),
        ("letter", "a4", WHOLE_MM, 97.3),
    ],
)
def test_known_sizes_are_named(
    page: str, paper: str, edges: tuple[float, float], percent: float
) -> None:
    """By what a ruler shows; if both do not agree, it is something else."""
    assert fitted_percent(PAPERS[page], PAPERS[paper], edges) == pytest.approx(percent, abs=0.05)
    words = name_scale(percent + 0.4, percent - 0.3)
    assert words is not None
    assert words.startswith(f"{PAPERS[page].title} shrunk onto ")
    assert words.endswith("white") == (edges == EDGES_MM)
    assert name_scale(percent, percent + 1.0) is None
    assert name_scale(100, 100) is None


def test_the_ruler_names_them_too() -> None:
    """Of its own page; with what to choose."""
    assert main(["print", "ruler", "--out", "a.pdf"]) == 0
    assert main(["print", "ruler", "--out", "b.pdf", "--page", "letter", "--language", "de"]) == 0
    said = texts(Path("a.pdf").read_bytes())[0]
    assert "85.5 % is this A4 page shrunk onto Letter" in said
    assert "94 % is it shrunk onto the whole of Letter" in said
    assert str(explain_scales(PAPERS["a4"])) in said
    assert "91,4 %" in texts(Path("b.pdf").read_bytes())[0]


def test_measured_sizes_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """One that cannot be made up for, and one that can but need not be."""
    assert main(["print", "ruler", "--measured", "85.5", "85.4"]) == 1
    assert_one_line(
        capsys.readouterr().err, "--measured has 85.5, which is A4 shrunk onto Letter, inside the"
    )
    assert main(["print", "ruler", "--measured", "94", "94"]) == 0
    assert "That is A4 shrunk onto the whole of Letter" in capsys.readouterr().out
