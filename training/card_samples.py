"""Make samples that the networks for photographed cards learn from, in files of a few hundred.

`python -m training.card_samples FOLDER --typefaces TYPEFACES` goes on until it is stopped or
has made what was asked for; a second one beside it takes another --seed.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.card_decks import COLOUR_CLASSES, NO_COLOUR, SYMBOL_CLASSES, draw_any_card
from rendering.card_grounds import Points, draw_any_ground, random_quad
from rendering.card_scenes import CLOSE, WIDE, Scene, Stock, render_scene
from rendering.prints import Random
from rendering.typefaces import Typeface, list_typefaces, list_unlearned
from vision.cards.card_corners import letterbox
from vision.cards.card_rectification import rectify
from vision.cards.symbols import OTHER

CARDS, GROUNDS = 300, 80
"""How many cards and grounds one stock has."""
RESTOCKED: Final = 1500
"""After how many pictures there is another stock."""
PER_FILE: Final = 100
CLOSE_SHARE: Final = 0.6
"""The share of pictures that a card fills: they are cheap, and all of them are legible."""
CROPS: Final = 3
"""How many crops are taken of each picture."""
UNSAID: Final = -1
"""The label of what nothing is to be learned from."""
MIN_LENGTH_PX: Final = 85.0
"""A card that is smaller cannot be read."""
MAX_COVERED: Final = 0.2
JITTER_SHARE: Final = 0.012
"""How far a found corner is from the true one, as a share of the card's length."""


class Samples(NamedTuple):
    """Arrays that begin with the pictures, or with their crops.

    canvases: (n, INPUT_PX, INPUT_PX, 3) uint8.  corners: (n, 4, 2) float32 pixels of the canvas,
    NaN without a card.  crops: (CROPS * n, *CROP_PX, 3) uint8.  labels: (CROPS * n, 2) int64, the
    symbol's and the colour's place in their names, or UNSAID.
    """

    canvases: NDArray[np.uint8]
    corners: NDArray[np.float32]
    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]


def make_stock(random: Random, typefaces: Sequence[Typeface]) -> Stock:
    """Return cards and grounds for many pictures."""
    cards = [draw_any_card(random, typefaces) for _ in range(CARDS)]
    return Stock(cards, [draw_any_ground(random) for _ in range(GROUNDS)])


def make_samples(random: Random, stock: Stock, count: int) -> Samples:
    """Return what *count* pictures give."""
    canvases, corners, crops, labels = [], [], [], []
    for _ in range(count):
        scene = render_scene(random, stock, CLOSE if random.random() < CLOSE_SHARE else WIDE)
        canvas, to_canvas = letterbox(scene.picture)
        canvases.append(canvas)
        known = np.full((4, 2), np.nan) if scene.corners is None else scene.corners
        corners.append(known @ to_canvas[:, :2].T + to_canvas[:, 2])
        for number in range(CROPS):
            crop, label = _crop(random, scene, good=number == 0)
            crops.append(crop)
            labels.append(label)
    return Samples(
        np.stack(canvases), np.array(corners, np.float32), np.stack(crops), np.array(labels)
    )


def _crop(random: Random, scene: Scene, *, good: bool) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """Return a crop and its labels; not a *good* one may be beside the card."""
    nothing = (SYMBOL_CLASSES.index(OTHER), COLOUR_CLASSES.index(NO_COLOUR))
    chance = random.random()
    if scene.corners is None or (not good and chance < 0.15):
        quad = random_quad(random, max(scene.picture.shape))
        if scene.corners is not None:
            away = np.hypot(*(quad.mean(axis=0) - scene.corners.mean(axis=0)))
            nothing = nothing if away > 0.6 * _length(scene.corners) else (UNSAID, UNSAID)
        return rectify(scene.picture, quad), nothing
    if not good and chance < 0.3:
        return rectify(scene.picture, _misplace(random, scene.corners)), (nothing[0], UNSAID)
    quad = _jitter(random, scene.corners)
    label = (SYMBOL_CLASSES.index(scene.symbol), COLOUR_CLASSES.index(scene.colour))
    if _length(scene.corners) < MIN_LENGTH_PX or scene.covered > MAX_COVERED:
        label = (UNSAID, UNSAID)
    return rectify(scene.picture, quad), label


def _length(corners: Points) -> float:
    return float(np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))) / 2


def _jitter(random: Random, corners: Points) -> Points:
    """Return *corners* as a network finds them, either way up."""
    quad = np.roll(corners, 2, axis=0) if random.random() < 0.5 else corners
    centre, length = quad.mean(axis=0), _length(corners)
    grown = centre + (quad - centre) * random.normal(1.0, 0.015)
    far = JITTER_SHARE * length * (3.0 if random.random() < 0.1 else 1.0)
    return np.asarray(grown + random.normal(0, far, (4, 2)), np.float64)


def _misplace(random: Random, corners: Points) -> Points:
    """Return corners that are no card's: shifted, turned by a quarter, or of half a card."""
    centre, kind = corners.mean(axis=0), int(random.integers(3))
    if kind == 0:
        angle = random.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        return np.asarray(corners + random.uniform(0.3, 0.7) * _length(corners) * way)
    if kind == 1:
        return np.asarray(np.roll(corners, 1, axis=0), np.float64)
    return np.asarray(centre + (corners - centre) * random.uniform(0.35, 0.6), np.float64)


def list_bold(folder: Path, *, judging: bool = False) -> list[Typeface]:
    """Return what decks may be printed in: this machine's bold typefaces, and what is in *folder*.

    judging: of families only that nothing is learned from.
    """
    if judging:
        return list_unlearned(folder)
    found = [each for each in list_typefaces(folder) if each is not None]
    return [*sorted({each for each in found if "Bold" in each or each.startswith(str(folder))})]


def sampling_options(description: str | None, files: int) -> argparse.ArgumentParser:
    """Return the command line of what makes samples, so many *files* of them by default."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("folder", type=Path)
    options.add_argument("--typefaces", type=Path, required=True, help="what was fetched")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--files", type=int, default=files)
    return options


def write_samples(folder: Path, seed: int, number: int, samples: NamedTuple) -> None:
    """Write the arrays of *samples* as one file, which is there once it is whole."""
    unfinished = folder / f".{seed}-{number}.npz"
    np.savez(unfinished, **samples._asdict())
    unfinished.rename(folder / f"{seed:03d}-{number:04d}.npz")


def main() -> None:
    """Write files of samples into the folder of the command line."""
    given = sampling_options(__doc__, 60).parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    typefaces = list_bold(given.typefaces)
    for number in range(given.files):
        random = np.random.default_rng([given.seed, number])
        if number * PER_FILE % RESTOCKED == 0:
            stock = make_stock(random, typefaces)
        samples = make_samples(random, stock, PER_FILE)
        write_samples(given.folder, given.seed, number, samples)
        print(f"{(number + 1) * PER_FILE} pictures", flush=True)


if __name__ == "__main__":
    main()
