"""Render photographs that judge the reader of single cards: other seeds, typefaces never learned.

`python -m training.card_rehearsal FOLDER --typefaces TYPEFACES` writes them with their
labels.jsonl; `tiki evaluate FOLDER` then counts.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rendering.card_decks import NO_COLOUR, SYMBOL_CLASSES
from rendering.card_scenes import Scene, render_scene
from training.card_samples import CARDS, list_bold, make_stock

MIN_LENGTH_PX: Final = 110.0
MAX_COVERED: Final = 0.15
"""Cards that are smaller, or of which more is behind fingers, need not be read."""
SEED: Final = 9000
"""Far from those that samples to learn from are made with."""


def is_fair(scene: Scene) -> bool:
    """Return whether the card in *scene* is one that should be read, if there is any."""
    if scene.corners is None:
        return True
    sides = np.hypot(*(np.roll(scene.corners, -1, axis=0) - scene.corners).T)
    return bool(max(sides[1], sides[3]) >= MIN_LENGTH_PX and scene.covered <= MAX_COVERED)


def label_of(scene: Scene) -> dict[str, str]:
    """Return what *scene* shows, as labels.jsonl has it."""
    if scene.corners is None:
        return {"color": NO_COLOUR, "symbol": "empty"}
    is_wild = scene.symbol in SYMBOL_CLASSES[12:14]
    return {"color": "wild" if is_wild else scene.colour, "symbol": scene.symbol}


def write_photographs(folder: Path, count: int, render: Callable[[], Scene]) -> None:
    """Write the first *count* fair scenes of *render* into *folder*, with their labels."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(count):
            while not is_fair(scene := render()):
                pass
            name = f"{number:04d}.png"
            cv2.imwrite(str(folder / name), scene.picture)
            labels.write(json.dumps({"file": name, **label_of(scene)}) + "\n")


def main() -> None:
    """Write the photographs into the folder of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--typefaces", type=Path, required=True, help="what was fetched")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--count", type=int, default=CARDS)
    given = options.parse_args()
    cv2.setNumThreads(1)
    random = np.random.default_rng(given.seed)
    stock = make_stock(random, list_bold(given.typefaces, judging=True))
    write_photographs(given.folder, given.count, lambda: render_scene(random, stock))


if __name__ == "__main__":
    main()
