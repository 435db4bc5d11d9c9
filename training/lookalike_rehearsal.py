"""Photographs of cards that look alike, to judge recognition by: `tiki evaluate FOLDER` reads them.

`python -m training.lookalike_rehearsal FOLDER --family faces` makes them: each card shown
once to be registered, some photographed in other poses, and as many again that nobody has shown.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rendering.card_grounds import draw_any_ground
from rendering.card_scenes import Framing, Scene, Stock, render_scene
from rendering.lookalikes import FAMILIES, draw_lookalikes
from rendering.prints import Print, Random
from rendering.typefaces import Typeface
from training.hand_rehearsal import list_judging
from vision.cards.shown_card import ShownFault, crop_shown

CARDS: Final = 60
"""How many are registered."""
PHOTOGRAPHS: Final = 40
"""How many there are; half of them show others of the same designer, which nobody has shown."""
GROUNDS: Final = 20
SEED: Final = 71_000
SHOWN: Final = Framing(640, 0.75)
SEEN: Final = Framing(640, 0.6)
MAX_COVERED, MAX_COVERED_SHOWN = 0.15, 0.005
"""How much of a card fingers may cover; and when it is shown to be registered."""
MAX_TAKES: Final = 8
"""How often a card is shown again if the companion asks for a better picture."""


def photograph(random: Random, stock: Stock, framing: Framing, max_covered: float) -> Scene:
    """Return a photograph of the only card of *stock*, all of it in the picture."""
    while True:
        scene = render_scene(random, stock, framing)
        if scene.corners is not None and scene.covered <= max_covered:
            return scene


def show(random: Random, stock: Stock) -> Scene:
    """Return a photograph that the companion takes to register the only card of *stock*.

    The last one of MAX_TAKES if it takes none, as an owner would give up in the end.
    """
    for _ in range(MAX_TAKES):
        scene = photograph(random, stock, SHOWN, MAX_COVERED_SHOWN)
        if not isinstance(crop_shown(scene.picture), ShownFault):
            break
    return scene


def make_rehearsal(
    folder: Path, family: str, typefaces: Sequence[Typeface], seed: int, cards: int, count: int
) -> None:
    """Write *count* photographs and those of *cards* shown, with labels.jsonl, into *folder*.

    Every second one shows a card that was not registered.
    """
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    strangers = count // 2
    drawn = draw_lookalikes(random, family, cards + strangers, typefaces)
    grounds: list[Print] = [draw_any_ground(random) for _ in range(GROUNDS)]
    lines: list[dict[str, str | None]] = []
    for number, card in enumerate(drawn[:cards]):
        name = f"shown-{number:03d}.png"
        cv2.imwrite(str(folder / name), show(random, Stock([card], grounds)).picture)
        lines.append({"register": name, "name": f"card {number}"})
    known = [int(each) for each in random.permutation(cards)[: count - strangers]]
    for number in sorted(known) + list(range(cards, cards + strangers)):
        scene = photograph(random, Stock([drawn[number]], grounds), SEEN, MAX_COVERED)
        name = f"seen-{number:03d}.png"
        cv2.imwrite(str(folder / name), scene.picture)
        lines.append({"file": name, "name": f"card {number}" if number < cards else None})
    words = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "labels.jsonl").write_text(words, encoding="utf-8")


def main() -> None:
    """Write the photographs into the folder of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--family", choices=FAMILIES, default=FAMILIES[0])
    options.add_argument("--typefaces", type=Path, help="what was fetched")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--cards", type=int, default=CARDS)
    options.add_argument("--count", type=int, default=PHOTOGRAPHS, help="photographs")
    given = options.parse_args()
    cv2.setNumThreads(1)
    typefaces = list_judging(given.typefaces)
    make_rehearsal(given.folder, given.family, typefaces, given.seed, given.cards, given.count)


if __name__ == "__main__":
    main()
