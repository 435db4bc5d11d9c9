"""The registry: one place names the games, and every game that stands there is whole."""

import ast
import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.games.score_sheet.game import GAME as SCORE_SHEET
from companion.games.tactiki.game import GAME as TACTIKI
from companion.games.tiki_topple.game import GAME as TIKI_TOPPLE
from companion.games.tippi_toppi.game import GAME as TIPPI_TOPPI
from companion.games.topple.game import GAME as TOPPLE
from companion.games.uno_tiki.game import GAME as UNO_TIKI
from companion.recording import load_recording
from companion.referee.game import Game
from companion.registry import (
    GAMES,
    TILES,
    UNSEEN,
    folder_of,
    game_of,
    game_of_mat,
    load,
    recordings,
    with_mats,
)
from companion.table.readers import find_games, reader_setup_of
from companion.web.pages.game_pages import Pages, pages_for
from tests.readings import picture_of
from vision.capture.frame import Frame
from vision.geometry.session_values import BadLayout

ROOT: Final = Path(__file__).parent.parent
HOMES: Final = (
    *(f"companion/{part}/{game}/" for part in ("rules", "games") for game in GAMES),
    *(f"companion/environments/{game}.py" for game in GAMES),
)
REGISTRY: Final = "companion/registry.py"
WORD: Final = "topple"
"""The one game whose name is also what a tower does."""
TOWERS: Final = frozenset((
    "companion/apps/virtual/relay.py",
    "companion/cli/tell.py",
    "companion/apps/mqtt/messages.py",
    "companion/referee/facts.py",
    "companion/referee/transient_notices.py",
    "companion/scenes/calls.py",
    "companion/scenes/faces.py",
    "companion/scenes/light_patterns.py",
    "companion/scenes/palette.py",
    "companion/scenes/scene.py",
    "companion/scenes/small_faces.py",
    "companion/scenes/words.py",
    "hardware/earcons.py",
    "hardware/facts.py",
    "hardware/simulated_sensors.py",
    "hardware/tilt.py",
    "hardware/tilt_calibration.py",
))  # fmt: skip
"""Where the word in quotation marks means that a tower falls."""
LOADERS: Final = frozenset(("game_of", "reader_setup_of", "folder_of", "load", "pages_for"))

# What mypy checks: each of them is a game as the referee wants it.
WHOLE: Final[tuple[Game[Any, Any], ...]] = (
    TIKI_TOPPLE, TACTIKI, TOPPLE, TIPPI_TOPPI, UNO_TIKI, SCORE_SHEET,
)  # fmt: skip

_SPELT: Final = "|".join({*GAMES, *(game.title for game in WHOLE)} - {WORD, WORD.title()})
_PLAIN: Final = re.compile(rf"\b({_SPELT})\b")


def names_in(source: str, module: str) -> list[str]:
    """Return the games that *source*, the text of *module*, names: as words, imports or texts."""
    found = _PLAIN.findall(source)
    if WORD not in source:
        return found
    if module.endswith(".py"):
        tree = ast.parse(source)
        found += [WORD for node in ast.walk(tree) if _imports(node) or _chooses(node)]
        if module not in TOWERS:
            found += [WORD for node in ast.walk(tree) if _is_word(node)]
    elif re.search(rf"[\"'`]{WORD}[\"'`]", source):
        found.append(WORD)
    return found


def _is_word(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == WORD


def _imports(node: ast.AST) -> bool:
    """Tell whether the package of the game that is also a word is imported."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return False
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    paths = [f"{module}.{alias.name}" for alias in node.names]
    return any(WORD in path.split(".") for path in paths)


def _is_a_game(node: ast.AST) -> bool:
    return re.search(r"\bgame\b|\bNAME\b", ast.unparse(node)) is not None


def _chooses(node: ast.AST) -> bool:
    """Tell whether the word stands for a game: compared with one, looked up, or passed as one."""
    match node:
        case ast.Compare(left, _, others):
            about = any(map(_is_a_game, (left, *others)))
            return about and any(map(_is_word, ast.walk(node)))
        case ast.Match(subject, cases):
            patterns = [part for case in cases for part in ast.walk(case.pattern)]
            return _is_a_game(subject) and any(map(_is_word, patterns))
        case ast.Call(func, args):
            name = ast.unparse(func).rpartition(".")[2]
            return name in LOADERS and any(map(_is_word, args))
        case ast.keyword("game", value) | ast.Subscript(ast.Name("GAMES"), value):
            return _is_word(value)
    return False


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every module, page and script in *folders*."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".js", ".css"):
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_no_other_module_names_a_game() -> None:
    """A sixth game needs its two packages and one line."""
    named = {
        module: names
        for module, source in modules("companion", "hardware")
        if module != REGISTRY and not module.startswith(HOMES)
        if (names := names_in(source, module))
    }
    assert named == {}


def test_the_check_of_names_can_fail() -> None:
    """As a word, in an import, in a comment, on a page; and where the word means a game."""
    for source, module in (
        ("if game == 'tactiki': pass", "companion/x.py"),
        ('"""Only for uno_tiki."""', "companion/x.py"),
        ("# as in Tippi Toppi", "companion/x.py"),
        ("from companion.rules import tiki_topple", "companion/x.py"),
        ("from companion.rules import topple", "companion/x.py"),
        ("from companion.games.topple import game", "companion/scenes/words.py"),
        ("import companion.rules.topple as rules", "companion/x.py"),
        ("words = {'topple': 1}", "companion/x.py"),
        ("if header.game == 'topple': pass", "companion/scenes/words.py"),
        ("if 'topple' != self.rules.NAME: pass", "companion/scenes/words.py"),
        ("if game in ('topple',): pass", "companion/scenes/words.py"),
        ("match board.game:\n    case 'topple': pass", "companion/scenes/words.py"),
        ("x = game_of('topple')", "companion/scenes/words.py"),
        ("x = games.load('topple', 'reader_setup')", "companion/scenes/words.py"),
        ("x = GAMES['topple']", "companion/scenes/words.py"),
        ("x = Header(game='topple')", "companion/scenes/words.py"),
        ("{% if game == 'topple' %}", "companion/web/templates/x.html"),
        ("<h1>UNO Tiki</h1>", "companion/web/templates/x.html"),
    ):
        assert names_in(source, module), source


def test_towers_may_fall() -> None:
    """The verb is no game."""
    for source, module in (
        ("match scene.kind:\n    case 'topple': pass", "companion/scenes/words.py"),
        ("x = {'topple': 1}", "companion/scenes/words.py"),
        ("topple_s = 0.6  # so long until it has toppled: a topple", "companion/x.py"),
        ("<p>Did it topple?</p>", "companion/web/templates/x.html"),
    ):
        assert names_in(source, module) == [], source


def test_only_modules_that_speak_of_falls_are_excused() -> None:
    """Who no longer does is to be taken off the list."""
    sources = dict(modules("companion", "hardware"))
    for module in TOWERS:
        assert any(map(_is_word, ast.walk(ast.parse(sources[module])))) or (
            f"'{WORD}'" in sources[module]
        ), module


def test_every_listed_game_is_checked_by_mypy() -> None:
    """The list above is the registry's."""
    assert [game.name for game in WHOLE] == list(GAMES)
    assert [game_of(name) for name in GAMES] == list(WHOLE)


MEMBERS: Final = sorted(
    {
        name
        for part in Game.__mro__
        if part.__module__ == Game.__module__
        for name in (*vars(part).get("__annotations__", ()), *vars(part))
        if not name.startswith("_")
    }
)


@pytest.mark.parametrize("name", GAMES)
def test_a_listed_game_is_whole(name: str) -> None:
    """It has all that the referee wants, under its own name."""
    game = game_of(name)
    assert (game.name, game.rules.NAME) == (name, name)
    assert game.title
    for member in MEMBERS:
        wanted, found = getattr(Game, member, None), getattr(game, member)
        if callable(wanted):
            _, *parameters = inspect.signature(wanted).parameters
            assert list(inspect.signature(found).parameters) == parameters, member
    assert 1 <= game.seats[0] <= game.seats[-1] <= 10
    assert 0 <= game.rows <= game.places


@pytest.mark.parametrize("name", GAMES)
def test_a_listed_game_has_its_eyes_and_pages(name: str) -> None:
    """And its files beside them."""
    eyes = reader_setup_of(name)
    assert isinstance(pages_for(name), Pages)
    assert (folder_of(name) / "game.py").is_file()
    assert (folder_of(name) / "templates").is_dir()
    if eyes.reads_uncalibrated:
        assert callable(eyes.open_reader(None).read)
    if GAMES[name].is_watched:
        assert game_of(name).places > 0


@pytest.mark.parametrize("name", GAMES)
def test_a_new_session_can_be_opened(name: str) -> None:
    """At the least and the greatest number of seats, whoever begins, with the usual options."""
    game = game_of(name)
    for seats in (game.seats[0], game.seats[-1]):
        for first in (None, 0, seats - 1):
            options = game.parse_options({}, seats)
            state = game.rules.initial(seats, options, game.setup(first))
            assert game.rules.outcome(state) is None
            assert len(game.scores(state)) == seats
            assert len(game.shown(state)) == game.places


def test_what_is_not_listed_is_an_error() -> None:
    """Asked by name."""
    for ask in (game_of, folder_of, reader_setup_of):
        with pytest.raises(KeyError, match="chess"):
            ask("chess")
    with pytest.raises(KeyError, match="chess"):
        load("chess", "game")


def test_every_mat_has_its_own_tiles() -> None:
    """Four numbers each of the fifty that there are."""
    mats = [GAMES[name].mat for name in with_mats()]
    assert len(set(mats)) == len(mats)
    assert all(0 <= TILES * mat <= TILES * mat + TILES - 1 < 50 for mat in mats)
    assert {game_of_mat(mat) for mat in mats} == set(with_mats())
    assert game_of_mat(max(mats) + 1) is None
    assert game_of_mat(UNSEEN) is None


def test_a_game_without_a_mat_is_never_read() -> None:
    """It has no place and no tiles; its reader is refused, and nothing can be learned."""
    unseen = [name for name, listed in GAMES.items() if not listed.has_mat]
    assert {*GAMES} - {*with_mats()} == {*unseen} == {"score_sheet"}
    for name in unseen:
        setup = reader_setup_of(name)
        assert (game_of(name).places, GAMES[name].is_watched) == (0, False)
        assert setup.calibration_truth(()) is None
        assert not setup.reads_uncalibrated
        with pytest.raises(BadLayout, match=f"{game_of(name).title} has no mat"):
            setup.open_reader(None)


@pytest.mark.parametrize("name", with_mats())
def test_pictures_of_a_game_show_the_tiles_that_are_listed(name: str) -> None:
    """Those of its own mat and no others."""
    assert find_games(Frame("table", picture_of(name), 0.0)) == [name]


def test_a_recording_that_ships_is_of_the_game_that_lists_it() -> None:
    """The demo shows the first."""
    assert recordings()
    for name, folder in recordings().items():
        assert load_recording(folder).game == name
        assert load_recording(folder).replay is not None


def unpackaged(files: Iterable[str], patterns: Iterable[str]) -> set[str]:
    """Return those of *files* in the package that no pattern takes along when it is installed."""
    taken = {
        path.relative_to(ROOT / "companion").as_posix()
        for pattern in patterns
        for path in (ROOT / "companion").glob(pattern)
    }
    return set(files) - taken


def test_whatever_lies_beside_the_modules_is_installed_with_them() -> None:
    """Templates, decks, styles and the recording; without one pattern something is missed."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["companion"]
    files = {
        path.relative_to(ROOT / "companion").as_posix()
        for path in (ROOT / "companion").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert {"games/uno_tiki/deck.toml", "games/topple/templates/player.html"} < files
    assert unpackaged(files, patterns) == set()
    for pattern in set(patterns) - {"build.txt"}:  # which deploy/install.sh writes
        assert unpackaged(files, set(patterns) - {pattern}), pattern
