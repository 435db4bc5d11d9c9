"""`./run soak`: play evenings for some minutes, and print what was lost, stuck, leaked or wrong."""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import numpy as np

from companion.registry import GAMES
from tests.soak.evening import Evening, Unanswered
from tests.soak.house import CannotStart, House
from tests.soak.tally import Tally
from tests.vision.streams import streaming

MAX_GROWN_MB: Final = 30.0
MAX_MORE_FILES: Final = 8


def soak(folder: Path, minutes: float, seed: int, games: tuple[str, ...] = tuple(GAMES)) -> Tally:
    """Return what came of evenings with *games* in turn, at one daemon in *folder*.

    minutes: after these no evening is begun; each game is played once at least.
    """
    tally, rng = Tally(), random.Random(seed)
    until, number = time.monotonic() + minutes * 60, 0
    with streaming() as camera:
        camera.picture = np.full((360, 640, 3), 128, np.uint8)
        house = House(folder, camera)
        try:
            while number < len(games) or time.monotonic() < until:
                _play(house, games[number % len(games)], rng, tally)
                number += 1
        finally:
            house.kill()
    return tally


def _play(house: House, game: str, rng: random.Random, tally: Tally) -> None:
    tally.evenings += 1
    try:
        Evening(house, game, rng, tally).play()
    except (Unanswered, CannotStart) as error:
        tally.notes.append(f"{game} was given up: {error}")
        house.kill()
    _judge_growth(house, tally)


def _judge_growth(house: House, tally: Tally) -> None:
    """Compare what the daemon holds after an evening with what it holds after a start."""
    try:
        house.start()
        files, memory_mb = house.measure()
        house.kill()
        house.start()
    except CannotStart as error:
        tally.note("lost", f"no start: {error}")
        return
    fresh_files, fresh_mb = house.measure()
    if files > fresh_files + MAX_MORE_FILES:
        tally.note("grown", f"{files} files open, {fresh_files} after a start")
    if memory_mb > fresh_mb + MAX_GROWN_MB:
        tally.note("grown", f"{memory_mb:.0f} MB, {fresh_mb:.0f} after a start")


def main() -> int:
    """Soak, print the counts, and return 1 if anything was at fault."""
    parser = argparse.ArgumentParser(prog="./run soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N", help="default: 5")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another course of events")
    parser.add_argument("--game", choices=tuple(GAMES), help="this game alone")
    given = parser.parse_args()
    games = (given.game,) if given.game else tuple(GAMES)
    with tempfile.TemporaryDirectory(prefix="tiki-soak-") as folder:
        tally = soak(Path(folder), given.minutes, given.seed, games)
    print(tally.table())
    for note in tally.notes:
        print(note)
    return 0 if tally.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
