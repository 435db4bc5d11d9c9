"""Make a whole set of films to develop with and to judge by, overnight or in pieces.

`./run films FOLDER` makes eight films of each game, in homes of all kinds. It
may be stopped at any time, and goes on where it was when it is started again; two of them with
other games or other halves fill two cores. Films with even numbers lie in FOLDER/develop, those
with odd ones in FOLDER/judge: nobody looks into these but `tiki evaluate`, once an issue.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from rendering.changes import lay_parts, lay_small, paste_parts
from rendering.films import PLOTS, SCENES, SEED, develop_film, half_of, lay_film
from rendering.scenes import HFOV_DEG, LENSES_DEG

FILMS: Final = 8
FIRST: Final = 2000
"""Apart from all films that were looked at before."""
HALVES: Final = ("develop", "judge")
BLENDER: Final = "blender"
RENDER: Final = Path(__file__).parent / "blender" / "render.py"
LIGHT: Final = {"flash": 0.15, "curtains": 0.15, "": 0.7}
"""What lights a home without a lamp beside the board, and how often; else it is any room."""
OTHERS: Final = ("cloth", "alike", "gloss", "paper", "worn", "crumbs")
MOST_OTHERS: Final = 2
USUAL: Final = 0.4
"""How often a camera has the usual angle."""


class OutOfTime(Exception):
    """There is no time left."""


def random_home(game: str, seed: int) -> tuple[frozenset[str], float]:
    """Return the traits of a film's home and the camera's angle across, in degrees.

    Half of the films of either half have a lamp beside the board. No camera stands too low to play
    by: set-up names those.
    """
    random = np.random.default_rng([SEED, seed, 3, list(PLOTS).index(game)])
    light = str(random.choice(list(LIGHT), p=list(LIGHT.values())))
    if seed // 2 % 2 == 0:
        light = "lamp"
    others = random.permutation(OTHERS)[: int(random.integers(MOST_OTHERS + 1))]
    is_usual = random.random() < USUAL
    angle = HFOV_DEG if is_usual else round(float(random.uniform(*LENSES_DEG)), 1)
    return frozenset(filter(None, (light, *map(str, others)))), angle


def film_folder(library: Path, game: str, seed: int) -> Path:
    """Return where a film lies.

    >>> film_folder(Path("films"), "topple", 2001).as_posix()
    'films/judge/topple-2001'
    """
    return library / half_of(seed) / f"{game}-{seed}"


def make_film(library: Path, game: str, seed: int, end_s: float) -> None:
    """Lay, render and develop what is still missing of a film.

    end_s: when `time.monotonic` says so, nothing more is rendered; then OutOfTime is raised.
    """
    folder = film_folder(library, game, seed)
    if (folder / "session.json").exists():
        return
    if not (folder / "film.json").exists():
        home, angle = random_home(game, seed)
        lay_film(game, folder, seed, home=home, hfov_deg=angle)
    scenes, began = folder / SCENES, os.times()
    _render(lay_small(scenes), end_s)
    _render(lay_parts(scenes), end_s)
    if missing := paste_parts(scenes) or develop_film(folder):
        raise RuntimeError(f"{missing} pictures of {folder} were not rendered")
    shutil.rmtree(scenes)  # the same seed lays it again
    ended = os.times()
    spent_s = ended.children_user + ended.children_system
    spent_s -= began.children_user + began.children_system
    print(f"{folder}: {spent_s:.0f} s of one core for what was rendered now", flush=True)


def _render(folder: Path, end_s: float) -> None:
    """Render what is missing of the scenes in *folder*."""
    if all(path.with_suffix(".png").exists() for path in folder.glob("????.json")):
        return
    left_s = end_s - time.monotonic()
    if left_s <= 0:
        raise OutOfTime
    words = [BLENDER, "-b", "-P", str(RENDER), "--", str(folder)]
    try:
        ran = subprocess.run(  # noqa: S603 - our own scenes
            words, capture_output=True, text=True, timeout=min(left_s, 1e6), check=False
        )
    except subprocess.TimeoutExpired:
        raise OutOfTime from None
    if any(not path.with_suffix(".png").exists() for path in folder.glob("????.json")):
        sys.exit(f"{' '.join(words)} failed:\n{ran.stderr[-2000:]}")


def make_library(
    library: Path, games: Sequence[str], seeds: Sequence[int], minutes: float | None
) -> bool:
    """Make the films *seeds* of *games*; return whether all are there.

    One film of each game comes before the second of any, so that also a part of them is of use.
    """
    end_s = time.monotonic() + (60.0 * minutes if minutes is not None else 1e9)
    try:
        for seed in seeds:
            for game in games:
                make_film(library, game, seed, end_s)
    except OutOfTime:
        return False
    return True


def main() -> None:
    """Make a library of films."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", choices=PLOTS, default=list(PLOTS))
    parser.add_argument("--films", type=int, default=FILMS, metavar="N", help="of each game")
    parser.add_argument("--first-seed", type=int, default=FIRST, metavar="N")
    parser.add_argument("--half", choices=HALVES, help="make the films of this half alone")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after so many")
    given = parser.parse_args()
    if shutil.which(BLENDER) is None:
        parser.error("Blender renders them, and is not installed: sudo apt install blender")
    seeds = range(given.first_seed, given.first_seed + given.films)
    wanted = [seed for seed in seeds if given.half in (None, half_of(seed))]
    if not make_library(given.folder, given.games, wanted, given.minutes):
        print("Time is up; start it again to go on.")


if __name__ == "__main__":
    main()
