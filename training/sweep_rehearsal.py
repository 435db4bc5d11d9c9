"""Pictures of a phone that is moved across hands, to judge what is named by `tiki evaluate FOLDER`.

`python -m training.sweep_rehearsal FOLDER [--typefaces TYPEFACES]` makes them, in typefaces
that nothing is learned from if they were fetched. Another seed makes others.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rendering.hand_printers import make_printer
from rendering.hand_scenes import make_grounds
from rendering.hand_sweeps import render_sweep
from rendering.typefaces import Typeface
from training.hand_rehearsal import list_judging

SWEEPS: Final = 20
SEED: Final = 90_000
CARDS: Final = 7
GROUNDS: Final = 20


def make_rehearsal(folder: Path, typefaces: Sequence[Typeface], seed: int, count: int) -> None:
    """Write the pictures of *count* hands and their labels.jsonl into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    grounds = make_grounds(random, GROUNDS)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(count):
            scene = render_sweep(random, make_printer(random, typefaces), grounds, CARDS)
            names = [f"{number:03d}-{scene.kind}-{at:02d}.jpg" for at in range(len(scene.pictures))]
            for name, picture in zip(names, scene.pictures, strict=True):
                cv2.imwrite(str(folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
            cards = [{"color": card.colour, "symbol": card.symbol} for card in scene.cards]
            labels.write(json.dumps({"pictures": names, "cards": cards}) + "\n")


def main() -> None:
    """Write the pictures into the folder of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--typefaces", type=Path, help="what was fetched")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--count", type=int, default=SWEEPS, help="hands")
    given = options.parse_args()
    cv2.setNumThreads(1)
    make_rehearsal(given.folder, list_judging(given.typefaces), given.seed, given.count)


if __name__ == "__main__":
    main()
