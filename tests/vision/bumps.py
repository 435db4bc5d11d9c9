"""Bumps: tables on which camera, board or a tile is moved by so much, and how they are noticed.

`python -m tests.vision.bumps [--seed N] [RECORDING...]` prints figures; without recordings of the
shipped ones. A picture is moved as its table's plane would be: true for tiles and table, not for
what stands up.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.recording import load_recording
from companion.registry import recordings
from vision.capture.frame import Picture, load_frame
from vision.geometry.layout import BareRig, parse_rig
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Points, Pose
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import Mover, ViewChange, ViewWatch

Moved = Literal["camera", "board"]
BESIDE_MM: Final = 60.0
"""How far beyond the tiles' middles a pushed board takes the table's picture along."""
TILE_MM: Final = 25.0
"""Half a tile."""
BUMPS, STILL = 8, 6
"""Of each table: so many bumps of either kind, and so many pictures of each of its frames."""


@dataclass(frozen=True, slots=True)
class Table:
    """A picture of a table, and where the camera stood."""

    picture: Picture
    rig: BareRig
    pose: Pose

    @classmethod
    def of(cls, folder: Path, frame: str) -> "Table":
        """Return the table of a recording's *frame*."""
        picture = load_frame(folder / frame).picture
        rig = parse_rig(load_recording(folder).description)
        pose = MarkerTracker(rig).locate(TableView(picture))
        assert pose is not None
        return cls(picture, rig, pose)

    def bump(self, what: Moved, dx_mm: float, dy_mm: float, turn_deg: float = 0.0) -> Picture:
        """Return the picture after *what* moved on the table, and turned about the mat's middle."""
        middle = np.array(self.rig.mat.centres).mean(axis=0)
        move = _move((float(middle[0]), float(middle[1])), dx_mm, dy_mm, turn_deg)
        if what == "camera":
            return self._seen_through(np.asarray(np.linalg.inv(move), np.float64))
        half = np.array(self.rig.mat.centres) - middle
        return self._paste(middle + half + np.sign(half) * BESIDE_MM, move)

    def slide(self, tile: int, dx_mm: float, dy_mm: float, turn_deg: float = 0.0) -> Picture:
        """Return the picture after *tile* slid and turned about itself.

        Where it lay the table has its usual colour.
        """
        middle = self.rig.mat.centres[tile]
        square = np.array(middle) + TILE_MM * np.array(
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        )
        move = _move(middle, dx_mm, dy_mm, turn_deg)
        pasted, bare = self._paste(square, move), self.picture.copy()
        usual = np.median(bare.reshape(-1, 3), axis=0)
        cv2.fillConvexPoly(bare, self._pixels(square, np.eye(3)), usual.tolist())
        there = self._mask(square, move)
        bare[there] = pasted[there]
        return bare

    def _seen_through(self, move: Points) -> Picture:
        plane = self.pose.homography(0.0)
        height, width = self.picture.shape[:2]
        through = plane @ move @ np.linalg.inv(plane)
        seen = cv2.warpPerspective(
            self.picture, through, (width, height), borderMode=cv2.BORDER_REFLECT
        )
        return np.asarray(seen, np.uint8)

    def _paste(self, area_mm: Points, move: Points) -> Picture:
        picture, there = self.picture.copy(), self._mask(area_mm, move)
        picture[there] = self._seen_through(move)[there]
        return picture

    def _mask(self, area_mm: Points, move: Points) -> NDArray[np.bool_]:
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, self._pixels(area_mm, move), 1)
        return np.asarray(mask > 0)

    def _pixels(self, area_mm: Points, move: Points) -> NDArray[np.int32]:
        points = np.column_stack([area_mm, np.ones(len(area_mm))])
        seen = points @ (self.pose.homography(0.0) @ move).T
        return np.asarray(np.round(seen[:, :2] / seen[:, 2:]), np.int32)


def _move(middle: tuple[float, float], dx_mm: float, dy_mm: float, turn_deg: float) -> Points:
    """Return (3, 3) how points of the table in mm move; *middle*: what they turn about."""
    turn = np.exp(1j * np.radians(turn_deg))
    about = np.array([[turn.real, -turn.imag, 0], [turn.imag, turn.real, 0], [0, 0, 1.0]])
    x, y = middle
    there, back = (np.array([[1, 0, s * x], [0, 1, s * y], [0, 0, 1.0]]) for s in (1, -1))
    shift = np.array([[1, 0, dx_mm], [0, 1, dy_mm], [0, 0, 1.0]])
    return np.asarray(shift @ there @ about @ back, np.float64)


def retaken(picture: Picture, random: np.random.Generator) -> Picture:
    """Return *picture* as a camera takes it again: noise, a lamp that flickers, JPEG."""
    noise = random.normal(0.0, 2.0, picture.shape)
    taken = np.clip(picture * random.uniform(0.93, 1.07) + noise, 0, 255).astype(np.uint8)
    _, encoded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


class Tally:
    """What was noticed of what was done."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self.counts: Counter[str] = Counter()
        self.movers: Counter[str] = Counter()
        self.errors_mm: list[float] = []
        self.lost: list[str] = []

    def try_still(self, folder: Path, frames: list[str]) -> None:
        """Look at each of a game's frames, hands and moved pieces among them, several times."""
        watch = ViewWatch(parse_rig(load_recording(folder).description))
        for frame in frames:
            picture = load_frame(folder / frame).picture
            for _ in range(STILL):
                self.counts["still"] += 1
                if watch.look(TableView(retaken(picture, self._random))) or watch.slid:
                    self.counts["false alarms"] += 1
                    self.lost.append(f"false alarm {folder.name} {frame}")

    def try_bumps(self, table: Table, name: str) -> None:
        """Bump camera and board by 2 to 40 mm, half of them turned by up to 10 degrees."""
        for number in range(2 * BUMPS):
            what: Moved = "camera" if number % 2 else "board"
            way = np.exp(1j * self._random.uniform(0, 2 * np.pi)) * self._random.uniform(2, 40)
            turn_deg = self._random.uniform(-10, 10) * self._random.integers(0, 2)
            picture = table.bump(what, way.real, way.imag, turn_deg)
            if MarkerTracker(table.rig).locate(TableView(picture)) is None:
                self.counts["bumped out of view"] += 1
                continue
            self.counts["bumps"] += 1
            change = next(self._look(table, picture), None)
            if change is None:
                self.lost.append(f"missed {name} {what} {abs(way):.0f} mm {turn_deg:.0f}°")
                continue
            self.movers[f"{what} told as {change.mover}"] += 1
            if change.mover.value == what:
                off = np.hypot(change.dx_mm - way.real, change.dy_mm - way.imag)
                self.errors_mm.append(float(off))

    def try_tiles(self, table: Table, name: str) -> None:
        """Slide each tile by 4 to 40 mm."""
        for tile in range(4):
            way = np.exp(1j * self._random.uniform(0, 2 * np.pi)) * self._random.uniform(4, 40)
            picture = table.slide(tile, way.real, way.imag)
            watch = ViewWatch(table.rig)
            for each in (table.picture, picture, picture):
                watch.look(TableView(retaken(each, self._random)))
            self.counts["slid tiles"] += 1
            if watch.slid is None or watch.slid.tile != tile:
                self.lost.append(f"missed {name} tile {tile} {abs(way):.0f} mm")

    def _look(self, table: Table, bumped: Picture) -> Iterator[ViewChange]:
        watch = ViewWatch(table.rig)
        watch.look(TableView(retaken(table.picture, self._random)))
        for _ in range(2):
            change = watch.look(TableView(retaken(bumped, self._random)))
            if change is not None and change.mover is not Mover.TILE:
                yield change


def main() -> None:
    """Print what is noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("recordings", nargs="*", type=Path)
    words = parser.parse_args()
    tally = Tally(words.seed)
    for folder in words.recordings or recordings().values():
        frames = [str(frame) for frame in load_recording(folder).frames]
        tally.try_still(folder, frames)
        first = load_recording(folder).calibration
        table = Table.of(folder, first[0] if first else frames[0])
        tally.try_bumps(table, folder.name)
        tally.try_tiles(table, folder.name)
        print(folder.name, dict(tally.counts), flush=True)
    errors = np.array(tally.errors_mm)
    print(dict(tally.movers))
    print(f"off by {np.median(errors):.2f} mm in the median, {errors.max():.2f} mm at most")
    print("\n".join(tally.lost) or "nothing missed")


if __name__ == "__main__":
    main()
