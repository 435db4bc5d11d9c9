"""Rendered bumps: tables whose camera or board was bumped, photographed, watched and counted.

`python -m tests.vision.rendered_bumps FOLDER` prints figures of the tables of FOLDER that
`rendering/bumped.py` laid and `render.py` rendered; what is not rendered yet is left out.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.bumped import GAMES, SEED
from rendering.patches import take
from vision.capture.frame import Picture, load_frame
from vision.geometry.layout import parse_rig
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import Mover, ViewWatch

LOOKS: Final = 2
"""A bump has to be noticed in so many pictures; one that is not is looked at longer."""
LATE_LOOKS: Final = 8
LOOKS_BEFORE: Final = 4
"""So many pictures are looked at before a bump: all tiles are seen in one of them."""
CLEAR_MM: Final = 5.0
"""No bump that moves a corner of the mat by more may be missed."""


class Photographer:
    """One camera, which takes all pictures of a table, each with noise of its own."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder, self._number = folder, number
        self._grain = np.random.default_rng([SEED, number, 1])

    def has(self, shot: dict[str, Any]) -> bool:
        """Return whether *shot* is rendered."""
        return self._folder.joinpath(shot["frame"]).exists()

    def take(self, shot: dict[str, Any]) -> Iterator[Picture]:
        """Yield photographs of what *shot* shows."""
        render = load_frame(self._folder / shot["frame"]).picture
        height, width = render.shape[:2]
        while True:
            camera = np.random.default_rng([SEED, self._number, 0])
            packed, _ = take(render, camera, (0, 0, width, height), self._grain)
            yield np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


class Tally:
    """What was noticed of what was done."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        self.errors_mm: dict[str, list[float]] = {"camera": [], "board": []}
        self.turn_errors_deg: list[float] = []
        self.lost: list[str] = []

    def try_table(self, folder: Path, still: int) -> None:
        """Watch the table of *folder*: bumps one by one, then so many pictures without one."""
        table = json.loads((folder / "table.json").read_text("utf-8"))
        photographer, rig = Photographer(folder, table["number"]), parse_rig(table["session"])
        shots = [shot for shot in table["shots"] if photographer.has(shot)]
        unmoved = [shot for shot in shots if shot["what"] != "bump"]
        if not unmoved or unmoved[0]["what"] != "before":
            return
        self.counts["tables"] += 1
        before = photographer.take(unmoved[0])
        for shot in (shot for shot in shots if shot["what"] == "bump"):
            watch = ViewWatch(rig)
            for _ in range(LOOKS_BEFORE):
                self._look_still(watch, next(before), folder.name)
            self._try_bump(watch, photographer.take(shot), shot, folder.name)
        watch, views = ViewWatch(rig), [photographer.take(shot) for shot in unmoved]
        for at in range(still):
            # What was played is taken back and played anew.
            self._look_still(watch, next(views[at // 4 % len(views)]), folder.name)

    def _look_still(self, watch: ViewWatch, picture: Picture, name: str) -> None:
        self.counts["still pictures"] += 1
        if watch.look(TableView(picture)) or watch.slid:
            self.counts["false alarms"] += 1
            self.lost.append(f"false alarm: {name}")

    def _try_bump(
        self, watch: ViewWatch, pictures: Iterator[Picture], bump: dict[str, Any], name: str
    ) -> None:
        mover, clear = bump["mover"], bump["shift_mm"] > CLEAR_MM
        self.counts["bumps"] += 1
        self.counts[f"bumps over {CLEAR_MM:.0f} mm"] += clear
        words = (
            f"{name} {bump['frame']} {mover}: moved {bump['moved_mm']:.1f} mm and turned "
            f"{bump['turned_deg']:.1f} degrees, a corner by {bump['shift_mm']:.1f} mm"
        )
        for look in range(1, 1 + LATE_LOOKS):
            change = watch.look(TableView(next(pictures)))
            if look == LOOKS and change is None:
                self.counts["missed"] += 1
                self.counts[f"missed over {CLEAR_MM:.0f} mm"] += clear
                slid = f", told as tile {watch.slid.tile}" if watch.slid else ""
                self.lost.append(f"missed: {words}; {len(watch.corners)} tiles seen{slid}")
            if change is None:
                continue
            self.counts[f"noticed in picture {look}"] += 1
            self.told[f"{mover} as {change.mover}"] += 1
            off = np.hypot(change.dx_mm - bump["dx_mm"], change.dy_mm - bump["dy_mm"])
            if change.mover == mover:
                self.errors_mm[mover].append(float(off))
                if mover == "board":
                    self.turn_errors_deg.append(abs(change.turn_deg - bump["turned_deg"]))
            elif change.mover != Mover.EITHER:
                self.lost.append(f"told as {change.mover}: {words}")
            return


def spread(errors: list[float], unit: str) -> str:
    """Return the median, the 95th percentile and the maximum of *errors* in words."""
    if not errors:
        return "none"
    middle, most = np.percentile(errors, [50, 95])
    return f"{middle:.2f} {unit} in the median, 95 % within {most:.2f}, {max(errors):.2f} at most"


def main() -> None:
    """Print what is noticed, game by game and of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--still", type=int, default=100, metavar="N", help="of each table")
    given = parser.parse_args()
    tables = sorted(path.parent for path in given.folder.glob("*/table.json"))
    if not tables:
        parser.error(f"{given.folder}: no table is laid there; see rendering/bumped.py")
    of_all = Tally()
    for game in GAMES:
        before = Counter(of_all.counts)
        for table in tables:
            if table.name.endswith(f"-{game}"):
                of_all.try_table(table, given.still)
        print(game, dict(of_all.counts - before), flush=True)
    print(f"all {dict(of_all.counts)}\n{dict(of_all.told)}")
    for mover, errors in of_all.errors_mm.items():
        print(f"{mover}: {spread(errors, 'mm')}")
    print(f"board's turn: {spread(of_all.turn_errors_deg, 'degrees')}")
    print("\n".join(of_all.lost) or "nothing missed")


if __name__ == "__main__":
    main()
