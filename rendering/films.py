"""Film whole games on tables that nobody has looked at, as recordings that `tiki replay` plays.

`python -m rendering.films lay GAME FOLDER SEED` plays a game at random by its rules and
describes its pictures in FOLDER/scenes, which `blender -b -P rendering/blender/render.py --
FOLDER/scenes` renders; `films develop FOLDER` takes photographs of them and writes
FOLDER/session.json and truth.jsonl as the recorded games have them. Nothing is learned from
these: they show how the eyes do in a whole game.
"""

import argparse
import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.film_cards import PileSet, UnoSet
from rendering.film_columns import ColumnSet
from rendering.film_line import LineSet
from rendering.film_sets import FilmSet
from rendering.film_shots import Cutter, Shot
from rendering.household_traits import HOME_HELP, Table, furnish, parse_traits
from rendering.patches import take
from rendering.piece_kinds import TACTIKI, TOPPLE
from rendering.plot_cards import plot_tippi_toppi, plot_uno_tiki
from rendering.plot_columns import plot_tactiki, plot_topple
from rendering.plot_line import plot_tiki_topple
from rendering.plots import Faults, Plot
from rendering.prints import Random, draw_ground, random_hue, write_tiles
from rendering.room import random_camera, random_tiles, scatter
from rendering.scenes import HFOV_DEG, PICTURE_PX, TABLE_PX, Scene, random_lights
from rendering.sessions import describe
from vision.capture.frame import load_frame

SEED: Final = 606
"""Apart from the seeds of all that is trained on, and of all other rehearsals."""
MOVES: Final = 22
FAULTS: Final = 0.1
"""How many moves are preceded by one that the rules forbid; at least one is."""
SCENES: Final = "scenes"
NOTE: Final = "rendered (rendering/films.py); 000 is the calibration layout, 001 the start"

PLOTS: Final[dict[str, Callable[[Random, int, Faults], Plot]]] = {
    "topple": plot_topple,
    "tactiki": plot_tactiki,
    "uno_tiki": plot_uno_tiki,
    "tippi_toppi": plot_tippi_toppi,
    "tiki_topple": plot_tiki_topple,
}
SETS: Final[dict[str, Callable[[Random], FilmSet]]] = {
    "topple": lambda random: ColumnSet(random, TOPPLE),
    "tactiki": lambda random: ColumnSet(random, TACTIKI),
    "uno_tiki": UnoSet,
    "tippi_toppi": PileSet,
    "tiki_topple": LineSet,
}


def lay_film(
    game: str,
    folder: Path,
    seed: int,
    moves: int = MOVES,
    faults: float = FAULTS,
    home: Collection[str] = (),
    hfov_deg: float = HFOV_DEG,
) -> list[Shot]:
    """Play a game and describe its pictures in *folder*; return them.

    faults: the share of moves before which the rules are broken.
    home: traits of `household_traits`.
    hfov_deg: field of view of the camera, across.
    """
    random = np.random.default_rng([SEED, seed, list(PLOTS).index(game)])
    plot = PLOTS[game](random, moves, Faults(random, moves, faults))
    scenes = folder / SCENES
    scenes.mkdir(parents=True, exist_ok=True)
    filmed = SETS[game](random)
    shared = {"game": game, **_dress(random, filmed, scenes, hfov_deg)}
    furnish(
        Table(
            np.random.default_rng([SEED, seed, 2]), filmed.mat, filmed.kept, scenes, "set-", shared
        ),
        home,
    )
    shots = Cutter(random, filmed, plot, shared).cut()
    for shot in shots:
        if shot.scene["name"] == shot.name:  # all others look like one before
            path = scenes / f"{shot.name}.json"
            path.write_text(json.dumps(shot.scene), "utf-8")
    rows = [shot.row for shot in shots]
    session = describe(game, filmed.mat, filmed.layout, rows, hfov_deg)
    session |= {"note": NOTE, "replay": tell_replay(plot, shots)}
    film = {
        "seed": seed,
        "half": half_of(seed),
        "home": sorted(home),
        "session": session,
        "frames": [{"scene": shot.scene["name"], "row": shot.row} for shot in shots],
    }
    (folder / "film.json").write_text(json.dumps(film), "utf-8")
    return shots


def half_of(seed: int) -> str:
    """Return which films of a library a film is one of: those to develop with, or to judge by.

    >>> half_of(2001)
    'judge'
    """
    return "judge" if seed % 2 else "develop"


def _dress(random: Random, filmed: FilmSet, folder: Path, hfov_deg: float) -> Scene:
    """Return what all scenes of a film have in common; its prints are drawn into *folder*."""
    write_tiles(folder, filmed.mat.marker_ids)
    rough = random.uniform(0, 0.15)
    ground = draw_ground(random, TABLE_PX, random_hue(random, (0.0, 0.6), (0.15, 0.95)), rough)
    cv2.imwrite(str(folder / "ground.jpg"), ground)
    return {
        "ground": "ground.jpg",
        "middle": [filmed.mat.width / 2, filmed.mat.height / 2, 0.0],
        "camera": random_camera(random, filmed.mat, hfov_deg),
        "lights": random_lights(random),
        "tiles": random_tiles(random, filmed.mat),
        "things": scatter(random, filmed.mat, filmed.kept, folder, "about"),
        **filmed.dress(folder),
    }


def tell_replay(plot: Plot, shots: list[Shot]) -> dict[str, Any]:
    """Return what a session.json says of the game, and what was said after which picture.

    What a Wild asks for is said as it is played, all else before the next hand comes.
    """
    told: list[dict[str, Any]] = []
    sensed: list[dict[str, Any]] = []
    for at, beat in enumerate(plot.beats):
        first, *_, last = [shot.row["frame"] for shot in shots if shot.beat == at] * 2
        for words in beat.told:
            frame = first if words.startswith("play") else last
            told.append({"after_frame": frame, "told": words})
        sensed += [{"after_frame": last, **fact} for fact in beat.sensed]
    return {**plot.replay, "told": told, "sensors": sensed}


def develop_film(folder: Path) -> int:
    """Photograph the rendered film of *folder*; return how many pictures are still missing.

    One camera takes all pictures, each with noise of its own.
    """
    film = json.loads((folder / "film.json").read_text("utf-8"))
    renders = [folder / SCENES / f"{frame['scene']}.png" for frame in film["frames"]]
    missing = len({render for render in renders if not render.exists()})
    if missing:
        return missing
    grain = np.random.default_rng([SEED, film["seed"], 1])
    for render, frame in zip(renders, film["frames"], strict=True):
        camera = np.random.default_rng([SEED, film["seed"], 0])
        picture = load_frame(render).picture
        hfov_deg = film["session"]["image"]["hfov_deg"]
        packed, _ = take(picture, camera, (0, 0, *PICTURE_PX), grain, hfov_deg)
        (folder / frame["row"]["frame"]).write_bytes(packed.tobytes())
    lines = "".join(json.dumps(frame["row"]) + "\n" for frame in film["frames"])
    (folder / "truth.jsonl").write_text(lines, "utf-8")
    (folder / "session.json").write_text(json.dumps(film["session"], indent=1), "utf-8")
    return 0


def main() -> None:
    """Lay out a film, or photograph what was rendered of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    lay = what.add_parser("lay", help="play a game, and describe its pictures")
    lay.add_argument("game", choices=PLOTS)
    lay.add_argument("folder", type=Path)
    lay.add_argument("seed", type=int, help="the same number gives the same film")
    lay.add_argument("--moves", type=int, default=MOVES, metavar="N")
    lay.add_argument("--illegal", type=float, default=FAULTS, metavar="SHARE")
    lay.add_argument("--hfov", type=float, default=HFOV_DEG, metavar="DEGREES", dest="hfov_deg")
    lay.add_argument("--home", type=parse_traits, default=frozenset(), help=HOME_HELP)
    develop = what.add_parser("develop", help="photograph the rendered pictures")
    develop.add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.what == "lay":
        shots = lay_film(
            given.game,
            given.folder,
            given.seed,
            given.moves,
            given.illegal,
            given.home,
            given.hfov_deg,
        )
        scenes = len({shot.scene["name"] for shot in shots})
        print(f"{len(shots)} pictures, {scenes} to render in {given.folder / SCENES}")
    elif missing := develop_film(given.folder):
        parser.error(f"{missing} pictures are not rendered yet; see rendering/blender/render.py")


if __name__ == "__main__":
    main()
