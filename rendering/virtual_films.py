"""Film whole games in the virtual table's renderer, as recordings that `tiki evaluate` judges.

`python -m rendering.virtual_films FOLDER` plays games at random by their rules, has a browser draw
each table as `companion/apps/virtual/static` does, and writes what `rendering.films` writes. It is
a second renderer beside Blender: what only one of the two worlds shows, no reader may live by.
Even seeds are to develop with, odd ones to judge by.
"""

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from rendering.film_shots import Cutter, Shot
from rendering.films import FAULTS, MOVES, PLOTS, half_of, tell_replay
from rendering.plots import Faults
from rendering.scenes import Scene
from rendering.sessions import describe
from rendering.virtual_browser import NoBrowser, VirtualBrowser
from rendering.virtual_rooms import Room, camera_of, random_room, usual_room
from rendering.virtual_sets import SETS, VirtualSet

SEED: Final = 6400
"""Apart from the seeds of all that is trained on, and of all other rehearsals."""
FILMS: Final = 20
NOTE: Final = (
    "rendered by a browser (rendering/virtual_films.py); 000 is the calibration layout, 001 the"
    " start"
)

Snapshot: TypeAlias = dict[str, Any]
Draw: TypeAlias = Callable[[Snapshot], bytes]
"""Returns a JPEG of a snapshot."""


@dataclass(frozen=True, slots=True)
class Film:
    """A game that is to be drawn.

    snapshots: one for each row of truth.jsonl; the same one where the same is seen twice.
    """

    session: dict[str, Any]
    rows: tuple[dict[str, Any], ...]
    snapshots: tuple[Snapshot, ...]


def lay_film(
    game: str, seed: int, *, moves: int = MOVES, faults: float = FAULTS, plain: bool = False
) -> Film:
    """Play a game, and describe its pictures; the same *seed* gives the same film.

    faults: the share of moves before which the rules are broken.  plain: in the usual room.
    """
    random = np.random.default_rng([SEED, seed, list(PLOTS).index(game)])
    plot = PLOTS[game](random, moves, Faults(random, moves, faults))
    filmed = SETS[game](random, game)
    room = usual_room(game)
    if not plain:
        room |= random_room(random, game, filmed.mat)
    shared = {"things": [], "camera": camera_of(room, filmed.mat)}
    shots = Cutter(random, filmed, plot, shared).cut()
    snapshots = tuple(_snapshot(game, filmed, room, shot) for shot in shots)
    rows = tuple(shot.row for shot in shots)
    session = describe(game, filmed.mat, filmed.layout, rows, room["hfov"])
    session["image"] |= {"width": room["width"], "height": room["height"]}
    session |= {"difficulty": "virtual", "note": NOTE, "replay": tell_replay(plot, shots)}
    return Film(session, rows, snapshots)


def _snapshot(game: str, filmed: VirtualSet, room: Room, shot: Shot) -> Snapshot:
    """Return what the browser draws of *shot*."""
    scene, arm = shot.scene, shot.scene["hand"]
    found: Snapshot = {
        "game": game,
        "table": filmed.table,
        "pieces": [*scene["pieces"], *_list_held(arm)],
        "hands": [] if arm is None else [_hand(arm)],
        "room": room,
    }
    return found | {part: scene[part] for part in ("board", "idol") if part in scene}


def _list_held(arm: Scene | None) -> list[dict[str, Any]]:
    """Return what a hand holds, if it holds anything."""
    if arm is None or arm["holds"] is None:
        return []
    return [{**arm["holds"], "held": arm["seat"]}]


def _hand(arm: Scene) -> dict[str, Any]:
    x, y, z = arm["tip"]
    return {"seat": arm["seat"], "side": arm["side"], "x": x, "y": y, "z": z}


def develop_film(film: Film, folder: Path, draw: Draw) -> int:
    """Have all pictures of *film* drawn into *folder*; return how many were."""
    folder.mkdir(parents=True, exist_ok=True)
    for row, snapshot in zip(film.rows, film.snapshots, strict=True):
        (folder / row["frame"]).write_bytes(draw(snapshot))
    lines = "".join(json.dumps(row) + "\n" for row in film.rows)
    (folder / "truth.jsonl").write_text(lines, "utf-8")
    snapshots = "".join(json.dumps(snapshot) + "\n" for snapshot in film.snapshots)
    (folder / "snapshots.jsonl").write_text(snapshots, "utf-8")
    # Last: a folder with a session.json is whole.
    (folder / "session.json").write_text(json.dumps(film.session, indent=1), "utf-8")
    return len(film.rows)


def film_folder(library: Path, game: str, seed: int) -> Path:
    """Return where a film lies."""
    return library / half_of(seed) / f"{game}-{seed:04d}"


def seeds_from(first: int, films: int) -> Iterator[int]:
    """Return the seeds of so many films: every second one, so that they are of one half.

    >>> list(seeds_from(1, 3))
    [1, 3, 5]
    """
    return itertools.islice(itertools.count(first, 2), films)


def main() -> None:
    """Film games; those that lie there already are left as they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", choices=PLOTS, default=list(PLOTS), metavar="GAME")
    parser.add_argument("--films", type=int, default=FILMS, metavar="N", help="of each game")
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="of the first film; even ones are to develop with, odd ones to judge by",
    )
    parser.add_argument("--moves", type=int, default=MOVES, metavar="N")
    parser.add_argument("--plain", action="store_true", help="the usual room, not a random home")
    given = parser.parse_args()
    if given.films < 1 or given.seed < 0 or given.moves < 1:
        parser.error("--films and --moves are at least 1, --seed at least 0")
    try:
        with VirtualBrowser() as browser:
            for seed in seeds_from(given.seed, given.films):
                for game in given.games:
                    _make(given.folder, game, seed, given, browser.draw)
    except NoBrowser as error:
        parser.error(str(error))


def _make(library: Path, game: str, seed: int, given: argparse.Namespace, draw: Draw) -> None:
    """Film one game, unless it is there; say how fast it went."""
    folder = film_folder(library, game, seed)
    if (folder / "session.json").exists():
        return
    film = lay_film(game, seed, moves=given.moves, plain=given.plain)
    began = time.monotonic()
    count = develop_film(film, folder, draw)
    rate = count / max(time.monotonic() - began, 1e-9)
    print(f"{folder}: {count} pictures, {rate:.1f} a second", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
