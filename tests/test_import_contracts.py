"""The import contracts hold, see what breaks them, and are all told on the page."""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

ROOT: Final = Path(__file__).parent.parent
KINDS: Final[Mapping[str, Callable[..., Contract]]] = {
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}
NUMBERS: Final = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)


@cache
def options() -> dict[str, Any]:
    """Return what pyproject.toml says of imports."""
    found: dict[str, Any] = read_configuration(str(ROOT / "pyproject.toml"))
    return found


@cache
def graph() -> grimp.ImportGraph:
    """Return who imports whom."""
    packages = options()["session_options"]["root_packages"]
    return grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)


def broken(found: grimp.ImportGraph) -> list[str]:
    """Return the names of the contracts that *found* breaks."""
    session = options()["session_options"]
    return [
        each["name"]
        for each in options()["contracts_options"]
        if not KINDS[each["type"]](each["name"], session, each)
        .check(deepcopy(found), verbose=False)
        .kept
    ]


def test_all_contracts_are_kept() -> None:
    """As `lint-imports` says, which `./run check` runs."""
    assert broken(graph()) == []


@pytest.mark.parametrize(
    ("importer", "imported", "name"),
    [
        ("companion.event_queue", "companion.web.site", "The companion in rooms"),
        ("companion.closing", "companion.daemon", "The companion in rooms"),
        ("companion.service", "companion.session.log", "The companion in rooms"),
        ("companion.supervision", "companion.referee.live_session", "The companion in rooms"),
        ("companion.web.site", "companion.games.topple.pages", "The companion in rooms"),
        ("companion.apps.hub.pages", "companion.games", "The companion in rooms"),
        ("companion.registry", "companion.games.topple.game", "The companion in rooms"),
        ("companion.registry", "companion.language.message", "The companion in rooms"),
        ("companion.daemon", "companion.apps.doctor.bundle", "The companion in rooms"),
        ("companion.apps.cards.pages", "companion.apps.hub.pages", "Apps: a hub"),
        ("companion.web.http.keys", "companion.web.site", "Pages in wings"),
        ("companion.referee.clerk", "companion.referee.observation_judge", "The referee's parts"),
        ("companion.environments.topple", "companion.referee.game", "Environments know the rules"),
        ("vision.line.reader", "rendering.scenes", "What draws scenes"),
        ("companion.apps.virtual.relay", "companion.referee.referee", "The virtual world"),
        ("companion.apps.virtual.balance", "companion.rules.topple", "The virtual world"),
        ("companion.apps.virtual.views", "companion.scoreboard", "The virtual world"),
        ("vision.capture.virtual_camera", "companion.session.log", "Vision and hardware"),
        ("companion.table.live_view", "vision.cards.uno_card", "Only a reader set-up"),
        ("companion.table.watcher", "vision.line.reader", "Only a reader set-up"),
        ("companion.film.recorder", "vision.columns.grid", "Only a reader set-up"),
        (
            "companion.apps.printing.tiles",
            "vision.photometry.meters",
            "Only a reader set-up",
        ),
        ("companion.games.topple.game", "vision.columns.grid", "Only a reader set-up"),
        (
            "companion.apps.printing.tiles",
            "sqlalchemy",
            "The database's library is the hub's alone",
        ),
    ],
)
def test_a_breach_is_seen(importer: str, imported: str, name: str) -> None:
    """Wherever in the companion it is made."""
    found = deepcopy(graph())
    found.add_import(importer=importer, imported=imported)
    assert any(each.startswith(name) for each in broken(found))


def test_a_module_without_a_layer_is_seen() -> None:
    """Also one that imports nothing and that nobody imports."""
    found = deepcopy(graph())
    found.add_module("companion.novelty")
    (name,) = broken(found)
    assert name.startswith("The companion in rooms")


def test_the_page_lists_every_contract() -> None:
    """With their number."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    chapter = page.partition("## Import contracts")[2].partition("\n## ")[0]
    found = re.search(r"checks (\w+) contracts", chapter)
    assert found
    told = NUMBERS.index(found[1]) + 10
    listed = [int(number) for number in re.findall(r"^(\d+)\. ", chapter, re.MULTILINE)]
    assert listed == [*range(1, told + 1)]
    assert told == len(options()["contracts_options"])
