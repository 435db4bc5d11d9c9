"""The documents: their examples run, their links lead somewhere, their commands exist."""

import doctest
import importlib.util
import re
import shlex
import tomllib
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
    "fresh",
    "hil",
    "install-test",
    "lock",
    "mutate",
    "pi",
    "soak",
    "test",
}


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """A relative link names a file or folder of the repository."""
    for link in links_of(page):
        assert (page.parent / link).exists(), link


def dead_anchors(page: Path) -> list[str]:
    """Return the places within *page* that it links to and does not have."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}
    return [link for link in re.findall(r"\]\(#([^)\s]+)\)", text) if link not in anchors]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_a_page_leads_to_a_heading(page: Path) -> None:
    """As GitHub makes a heading's anchor of its words."""
    assert dead_anchors(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_example_runs(page: Path) -> None:
    """What stands after >>> gives what stands below it."""
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_exists(page: Path) -> None:
    """What the examples set can be set, and to that."""
    for settings in settings_of(page):
        parse_config(tomllib.loads(settings))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_exists(page: Path) -> None:
    """The word after ./run is a task of the script or a command of tiki."""
    help_text = build_parser().format_help()
    for words in commands_of(page):
        assert words[0] in TASKS or re.search(rf"^    {words[0]} ", help_text, re.MULTILINE), words


@pytest.mark.parametrize("page", [ROOT / "docs" / f"{name}.md" for name in TYPED])
def test_every_word_of_a_command_is_understood(page: Path) -> None:
    """What a maker types as it stands: a task of the script, or what tiki can parse."""
    for words in commands_of(page):
        if words[0] not in TASKS:
            build_parser(words[0]).parse_args(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_exists(page: Path) -> None:
    """What the examples run with `python -m` is a module."""
    for name in modules_of(page):
        assert importlib.util.find_spec(name), name


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.name)
def test_a_decision_is_short_and_complete(page: Path) -> None:
    """A decision fits on a screen and says why, what, what follows and whether it holds."""
    assert decision_faults(page) == []


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
    """A dead link, a wrong example, an unknown command, setting and module are seen."""
    page = tmp_path / "page.md"
    page.write_text(
        "[a](nowhere.md)\n\n>>> 1 + 1\n3\n\n```sh\n./run fly  # up\n```\n```toml\nx=1\n```\n"
        "`python -m vision.nothing`\n"
    )
    assert links_of(page) == ["nowhere.md"]
    page.with_name("other.md").write_text("# The idol's foot\n[a](#the-idols-foot) [b](#a-foot)\n")
    assert dead_anchors(page.with_name("other.md")) == ["a-foot"]
    assert doctest.testfile(str(page), module_relative=False, verbose=False).failed == 1
    assert commands_of(page) == [["fly"]]
    assert settings_of(page) == ["x=1\n"]
    with pytest.raises(BadConfig):
        test_every_setting_exists(page)
    with pytest.raises(AssertionError, match=r"vision\.nothing"):
        test_every_module_exists(page)
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
