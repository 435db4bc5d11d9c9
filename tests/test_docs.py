"""The documents: their examples run, their links lead somewhere, their commands exist."""

import builtins
import doctest
import importlib.util
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import build_parser
from companion.config import BadConfig, parse_config
from companion.referee.follower import GAP
from companion.referee.notices import Ask, Illegal, Result, Waiting
from companion.referee.transient_notices import TransientNotice
from companion.session.events import KINDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
MAX_DECISION_WORDS = 200
DECISION_LABELS = ["Context", "Decision", "Consequences", "Status"]
TYPED = ("build-your-own", "on-device")
"""Pages whose commands have no placeholders."""
TASKS = {
    "bench",
    "cad",
    "check",
    "demo",
    "films",
    "fresh",
    "hil",
    "install-test",
    "lock",
    "mutate",
    "pi",
    "soak",
    "test",
}
HELP = build_parser().format_help()


def links_of(page: Path) -> list[str]:
    """Return the relative links and pictures of *page*."""
    found = re.findall(r"\]\(([^)#\s]+)\)", page.read_text())
    return [link for link in found if "://" not in link]


def settings_of(page: Path) -> list[str]:
    """Return the settings in the examples of *page*."""
    return re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)


def commands_of(page: Path) -> list[list[str]]:
    """Return the words of each `./run ...` line in the shell examples of *page*."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("./run ")]


def modules_of(page: Path) -> list[str]:
    """Return the modules that *page* runs with `python -m`."""
    return re.findall(r"python -m\s+([\w.]+\w)", page.read_text())


def decision_faults(page: Path) -> list[str]:
    """Return what keeps *page* from being a decision: its length, title, labels or status."""
    text, number = page.read_text(), page.name[:4]
    found = []
    if len(text.split()) > MAX_DECISION_WORDS:
        found.append(f"{len(text.split())} words, at most {MAX_DECISION_WORDS}")
    if not re.match(rf"# {number} \S", text):
        found.append(f"the title does not begin with # {number}")
    if re.findall(r"^\*\*(\w+)\.\*\* \S", text, re.MULTILINE) != DECISION_LABELS:
        found.append(f"the paragraphs are not {', '.join(DECISION_LABELS)}")
    if not re.search(r"^\*\*Status\.\*\* (In force|Superseded by \[\d{4}\])", text, re.MULTILINE):
        found.append("the status is neither In force nor Superseded by [NNNN]")
    return found


def dead_links(page: Path) -> list[str]:
    """Return the files and folders that *page* links to and that are not there."""
    return [link for link in links_of(page) if not (page.parent / link).exists()]


def dead_anchors(page: Path) -> list[str]:
    """Return the places within *page* that it links to and does not have, as GitHub names them."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}
    return [link for link in re.findall(r"\]\(#([^)\s]+)\)", text) if link not in anchors]


def wrong_examples(page: Path) -> list[str]:
    """Return how many examples after >>> in *page* give something else than it says, if any."""
    failed, _ = doctest.testfile(str(page), module_relative=False)
    return [f"{failed} examples"] * bool(failed)


def wrong_settings(page: Path) -> list[str]:
    """Return what is refused of the settings in the examples of *page*."""
    found = []
    for settings in settings_of(page):
        try:
            parse_config(tomllib.loads(settings))
        except BadConfig as error:
            found.append(str(error))
    return found


def unknown_commands(page: Path) -> list[str]:
    """Return the words after ./run that are neither a task of the script nor a command of tiki."""
    words = {command[0] for command in commands_of(page)} - TASKS
    return sorted(each for each in words if not re.search(rf"^    {each} ", HELP, re.MULTILINE))


def missing_modules(page: Path) -> list[str]:
    """Return what *page* runs with `python -m` and nobody can import."""
    return [name for name in modules_of(page) if not importlib.util.find_spec(name)]


CHECKS = (
    dead_links,
    dead_anchors,
    wrong_examples,
    wrong_settings,
    unknown_commands,
    missing_modules,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_pages_are_true(check: Callable[[Path], list[str]]) -> None:
    """No page has a fault of this kind."""
    assert len(PAGES) > 50
    assert [f"{page.name}: {each}" for page in PAGES for each in check(page)] == []


@pytest.mark.parametrize("page", [ROOT / "docs" / f"{name}.md" for name in TYPED])
def test_every_word_of_a_command_is_understood(page: Path) -> None:
    """What a maker types as it stands: a task of the script, or what tiki can parse."""
    for words in commands_of(page):
        if words[0] not in TASKS:
            build_parser(words[0]).parse_args(words)


def test_decisions_are_short_and_complete() -> None:
    """A decision fits on a screen and says why, what, what follows and whether it holds."""
    faults = [f"{page.name}: {each}" for page in DECISIONS for each in decision_faults(page)]
    assert DECISIONS
    assert faults == []


def test_decisions_have_numbers_of_their_own() -> None:
    """A number names one decision."""
    numbers = [page.name[:4] for page in DECISIONS]
    assert len(numbers) == len(set(numbers))


def test_a_long_or_incomplete_decision_is_seen(tmp_path: Path) -> None:
    """Too many words, another number, a missing paragraph and an odd status are each named."""
    page = tmp_path / "0007-ask-twice.md"
    page.write_text(
        "# 0007 Ask twice\n\n**Context.** A.\n\n**Decision.** B.\n\n**Consequences.** C.\n\n"
        "**Status.** Superseded by [0008](0008-ask-once.md).\n"
    )
    whole = page.read_text()
    assert decision_faults(page) == []
    for text in (
        whole.replace("C.", "C. " * MAX_DECISION_WORDS),
        whole.replace("# 0007", "# 0008"),
        whole.replace("**Consequences.** C.", "**Cost.** C."),
        whole.replace("Superseded by [0008](0008-ask-once.md)", "Perhaps"),
    ):
        page.write_text(text)
        assert len(decision_faults(page)) == 1


def test_the_checks_of_the_documents_can_fail(tmp_path: Path) -> None:
    """A dead link or anchor, a wrong example, an unknown command, setting and module are seen."""
    page = tmp_path / "page.md"
    page.write_text(
        "# The idol's foot\n[a](nowhere.md) [b](#the-idols-foot) [c](#a-foot)\n\n>>> 1 + 1\n3\n\n"
        "```sh\n./run fly  # up\n```\n```toml\nx=1\n```\n"
        "`python -m vision.nothing`\n"
    )
    assert [check(page) for check in CHECKS if check is not wrong_settings] == [
        ["nowhere.md"],
        ["a-foot"],
        ["1 examples"],
        ["fly"],
        ["vision.nothing"],
    ]
    assert len(wrong_settings(page)) == 1
    page.write_text("```sh\n./run pico install --fast\n```\n")
    with pytest.raises(SystemExit):
        test_every_word_of_a_command_is_understood(page)


def test_every_kind_of_event_is_documented() -> None:
    """docs/events.md has a row for each entry and each notice."""
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "events.md").read_text(), re.MULTILINE)
    notices = {kind.type for kind in (Ask, Illegal, TransientNotice, Result, Waiting)} | {
        "seat",
        "state",
        GAP,
    }
    assert set(rows) == set(KINDS) | notices


NAMED = re.compile(
    r"`([A-Za-z_][\w.]*)`"
    r"|\b([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)\b"
    r"|\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b"
)
"""What a docstring calls by name: in backticks, or written as classes and constants are."""
LITERAL = re.compile(
    r'"""(?P<words>.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', re.DOTALL
)
"""A text or a comment in Python; *words*: what stands between three quotation marks."""
FOREIGN = frozenset((
    "ArUco", "CircuitPython", "GitHub", "JavaScript", "KiB", "MiB", "MicroPython", "NaN",
    "NeoPixels", "NetworkBlockDevice", "OpenCV", "OpenSCAD", "PostgreSQL", "PyPI", "QoS",
    "SameSite", "StateDirectory", "V4L2_CTRL_FLAG_NEXT_CTRL", "V4L2_EXPOSURE_APERTURE_PRIORITY",
    "WebP", "circuitpython_setboard", "pick0", "pick1",
))  # fmt: skip
"""Names that docstrings may say although no module of ours has them."""


def split_module(text: str) -> tuple[set[str], list[str]]:
    """Return the names in the code of a module, those in its short texts too, and its docstrings.

    Without a parser, which takes ten times as long over all modules.
    """
    docstrings: list[str] = []

    def pass_over(found: re.Match[str]) -> str:
        is_docstring = found["words"] and not text[: found.start()].rpartition("\n")[2].strip()
        if is_docstring:
            docstrings.append(found["words"])
        return " " if is_docstring or found[0].startswith("#") else found[0]

    return set(re.findall(r"\w+", LITERAL.sub(pass_over, text))), docstrings


def absent_names(docstrings: list[str], known: set[str], beside: set[str]) -> list[str]:
    """Return what *docstrings* name that is not among the *known* names.

    beside: those of its package, in which constants have to be: others may be called alike.
    """
    return [
        quoted or kind or constant
        for words in docstrings
        for quoted, kind, constant in NAMED.findall(words)
        if not {*quoted.split("."), kind} - {""} <= known | FOREIGN
        or (constant and constant not in beside | FOREIGN)
    ]


def test_docstrings_name_what_there_is() -> None:
    """A name in a docstring is one of the code, or of a file."""
    found: dict[Path, tuple[set[str], list[str]]] = {}
    for folder in ("companion", "firmware", "hardware", "rendering", "tests", "training", "vision"):
        found |= {file: split_module(file.read_text()) for file in (ROOT / folder).rglob("*.py")}
    beside: dict[Path, set[str]] = {}
    for file, (names, _) in found.items():
        beside.setdefault(file.parent, set()).update(names)
    files = {part for at in beside for file in at.iterdir() for part in file.name.split(".")}
    known = {*dir(builtins), *files, *(at.name for at in beside)}.union(*beside.values())
    faults = [
        f"{file.relative_to(ROOT)}: {name}"
        for file, (_, docstrings) in found.items()
        for name in absent_names(docstrings, known, beside[file.parent])
    ]
    assert not faults, "\n".join(faults)


def test_a_docstring_that_names_what_is_gone_is_seen() -> None:
    """In backticks with its module, as a class, and as a constant that another package has."""
    source = '"""Raises BadThing; see `parts.gone`, and OpenCV."""\nA = 1\n"""Up to LONGEST_S."""'
    names, docstrings = split_module(source)
    assert names == {"A", "1"}
    known = {"parts", "LONGEST_S"}
    assert absent_names(docstrings, known, names) == ["BadThing", "parts.gone", "LONGEST_S"]
    assert absent_names(docstrings, known | {"BadThing", "gone"}, {"LONGEST_S"}) == []


def test_only_docstrings_are_searched_for_names() -> None:
    """Neither comments nor other texts; what code names is known, whatever stands around it."""
    source = 'x = """ `of_data` """  # of a Comment, say "\ny = name("short", f"{z}")\n'
    assert split_module(source) == ({"x", "of_data", "y", "name", "short", "f", "z"}, [])
