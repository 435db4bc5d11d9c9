"""How well the size of corner tiles is measured: in pictures of true ones, and in drawn ones.

    python -m tests.printing.evaluation [FOLDER ...]

Each folder is searched for recordings; by default those that ship and those of the tests.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.apps.printing.tiles import tile_sizes
from companion.registry import with_mats
from companion.table.tile_check import MAX_DEVIATION
from tests.printing.tables import lay_table, see_table
from vision.capture.frame import load_frame
from vision.geometry.layout import parse_mat
from vision.geometry.table_view import TableView
from vision.geometry.tile_scale import measure_tile_scale

ROOT: Final = Path(__file__).parent.parent.parent
FOLDERS: Final = (ROOT / "companion" / "recordings", ROOT / "tests" / "vision" / "frames")
VIEWS: Final = 100
MAX_TILT_DEG: Final = 35
MAX_BEND: Final = 0.03


def rendered(folders: list[Path]) -> Iterator[float | None]:
    """Yield what is measured in each picture of the recordings in *folders*, all printed true."""
    for folder in folders:
        for session in sorted(folder.rglob("session.json")):
            mat = parse_mat(json.loads(session.read_text()))
            for path in sorted(session.parent.glob("*.jpg")):
                yield measure_tile_scale(TableView(load_frame(path).picture), mat)


def drawn(scale: float, seed: int = 1) -> Iterator[float | None]:
    """Yield what is measured in drawn views of tiles printed at *scale*, through bent lenses."""
    rng, games = random.Random(seed), with_mats()
    for number in range(VIEWS):
        game = games[number % len(games)]
        picture = see_table(
            lay_table(game, scale),
            rng.uniform(0, MAX_TILT_DEG),
            rng.choice([0, 180]) + rng.uniform(-10, 10),
            rng.uniform(-MAX_BEND, MAX_BEND),
            number,
        )
        yield measure_tile_scale(TableView(picture), tile_sizes(game)[0])


def main(folders: list[str]) -> int:
    """Print a row for the recordings and for each drawn scale."""
    rows = {"rendered, true": list(rendered([Path(each) for each in folders] or list(FOLDERS)))}
    rows |= {f"drawn, {scale:.0%}": list(drawn(scale)) for scale in (0.97, 1.0, 1.03)}
    print("| tiles | pictures | all four seen | measured | reported |")
    print("|---|---|---|---|---|")
    for name, found in rows.items():
        seen = [scale for scale in found if scale is not None]
        reported = sum(abs(scale - 1) > MAX_DEVIATION for scale in seen)
        print(
            f"| {name} | {len(found)} | {len(seen)} | {min(seen):.4f} to {max(seen):.4f} |"
            f" {reported} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
