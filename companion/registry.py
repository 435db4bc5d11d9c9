"""The registry: the games that the companion referees, one line each.

This is the one place outside rules/<game>/ and games/<game>/ that names a game. A game's modules
are loaded when they are needed: a table needs only one reader.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

UNSEEN: Final = -1
"""The mat of a game that is played without one, and so is never looked at."""
TILES: Final = 4
"""How many corner tiles stand around a board; mat m has the numbers from 4 m on."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game of the registry.

    name: of its package, and in every log, recording and command.
    mat: the number of its four corner tiles, see `TILES`; or `UNSEEN`.
    package: where its modules are: `game`, `pages`, and `reader_setup` if it has a mat.
    is_watched: whether the reader informs the referee; if not, it only serves `tiki read`.
    recording: of the demo, a folder in companion/recordings; "" if none ships.
    has_hands: whether hands are counted at a round's end, from photographs too: `hand_counts`.
    """

    name: str
    mat: int
    package: str
    is_watched: bool = False
    recording: str = ""
    has_hands: bool = False

    @property
    def has_mat(self) -> bool:
        """Whether it is played on a mat that pictures show, so that its table can be read."""
        return self.mat != UNSEEN


def _listed(
    name: str, mat: int, *, is_watched: bool = False, recording: str = "", has_hands: bool = False
) -> Listed:
    return Listed(name, mat, f"companion.games.{name}", is_watched, recording, has_hands)


GAMES: Final[dict[str, Listed]] = {
    listed.name: listed
    for listed in (
        _listed("tiki_topple", 0, is_watched=True, recording="tiki_topple"),
        _listed("tactiki", 1, is_watched=True, recording="tactiki"),
        _listed("topple", 2, is_watched=True, recording="topple"),
        _listed("tippi_toppi", 3, is_watched=True, recording="tippi_toppi"),
        _listed("uno_tiki", 4, is_watched=True, recording="uno_tiki", has_hands=True),
        _listed("score_sheet", UNSEEN),
    )
}


APPS_WITH_PAGES: Final = (
    "cards",
    "statistics",
    "people",
    "printing",
    "computer",
    "eyes",
    "virtual",
)
"""The apps, in companion/apps, that add to a table's pages."""


def load_app(name: str, part: str) -> Any:
    """Return the module *part* of the app *name*: only who asks for one has it loaded."""
    return import_module(f"companion.apps.{name}.{part}")


def app_templates() -> list[Path]:
    """Return the folders of the apps that have templates of their own."""
    apps = (Path(__file__).parent / "apps" / name / "templates" for name in APPS_WITH_PAGES)
    return [folder for folder in apps if folder.is_dir()]


def load(name: str, part: str) -> Any:
    """Return the module *part* of game *name*; raises KeyError for a game that is not listed."""
    return import_module(f"{GAMES[name].package}.{part}")


def game_of(name: str) -> Any:
    """Return the game *name*, see `referee.game.Game`; raises KeyError if it is not listed."""
    return _game(GAMES[name].package)


@cache
def _game(package: str) -> Any:
    return import_module(f"{package}.game").GAME


def folder_of(name: str) -> Path:
    """Return where the files of game *name* lie: its templates, its style sheet, its data."""
    module = import_module(GAMES[name].package)
    assert module.__file__
    return Path(module.__file__).parent


def recordings() -> Mapping[str, Path]:
    """Return the folder of each recording that ships, by game."""
    shelf = Path(__file__).parent / "recordings"
    return {name: shelf / each.recording for name, each in GAMES.items() if each.recording}


def game_of_mat(mat: int) -> str | None:
    """Return the game whose corner tiles have mat number *mat*."""
    return next((name for name, each in GAMES.items() if each.has_mat and each.mat == mat), None)


def with_hands() -> tuple[str, ...]:
    """Return the games whose hands are counted, from photographs too."""
    return tuple(name for name, each in GAMES.items() if each.has_hands)


def with_mats() -> tuple[str, ...]:
    """Return the games that are played on a mat, which are those whose pictures can be read."""
    return tuple(name for name, each in GAMES.items() if each.has_mat)
