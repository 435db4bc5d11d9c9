"""Photographs of hands and their labels, to judge the reader by with `tiki evaluate FOLDER`.

`python -m training.hand_rehearsal FOLDER [--typefaces TYPEFACES]` makes them, in typefaces
that nothing is learned from if they were fetched. Another seed makes others.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.hand_printers import make_printer
from rendering.hand_scenes import HandScene, make_grounds, render_hand
from rendering.typefaces import Typeface, list_typefaces
from training.card_samples import list_bold
from training.hand_conditions import CONDITIONS, render_condition

HANDS: Final = 200
SEED: Final = 70_000
GROUNDS: Final = 40
PER_PRINTER: Final = 4
"""How many photographs show the same deck."""


def label_of(scene: HandScene) -> list[dict[str, Any]]:
    """Return what is to be named, the lowest card first."""
    return [
        {"color": card.colour, "symbol": card.symbol} for card in scene.cards if card.is_of_deck
    ]


def list_judging(folder: Path | None) -> list[Typeface]:
    """Return the typefaces: bold ones of this machine, or what was fetched and never learned."""
    if folder is not None:
        return list_bold(folder, judging=True)
    return [each for each in list_typefaces() if each is not None and "Bold" in each]


def make_rehearsal(
    folder: Path, typefaces: Sequence[Typeface], seed: int, count: int, condition: str = ""
) -> None:
    """Write *count* photographs and their labels.jsonl into *folder*, all under a *condition*."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    grounds = make_grounds(random, GROUNDS)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(count):
            if number % PER_PRINTER == 0:
                printers = [make_printer(random, typefaces) for _ in range(2 if condition else 1)]
            if condition:
                scene = render_condition(condition, random, printers, grounds)
            else:
                scene = render_hand(random, printers[0], grounds)
            name = f"{number:04d}-{scene.kind}.jpg"
            cv2.imwrite(str(folder / name), scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
            labels.write(json.dumps({"file": name, "cards": label_of(scene)}) + "\n")


def main() -> None:
    """Write the photographs into the folder of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--typefaces", type=Path, help="what was fetched")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--count", type=int, default=HANDS)
    options.add_argument("--condition", choices=CONDITIONS, default="", help="all under this one")
    given = options.parse_args()
    cv2.setNumThreads(1)
    typefaces = list_judging(given.typefaces)
    make_rehearsal(given.folder, typefaces, given.seed, given.count, given.condition)


if __name__ == "__main__":
    main()
