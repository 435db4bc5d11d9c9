"""Sheets of paper under cards: recorded tables, with a sheet drawn under all that lies on them.

`python -m tests.vision.pushed_sheets [RECORDING...]` prints how many pushes of the sheet, and bumps
of the camera, are noticed by its corners within two pictures, and how often one is in pictures in
which neither moved; without recordings of the shipped ones. When the sheet is pushed the cards
stay, as if it slid from under them; that is harder than on a table, where they go along.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.recording import Recording, load_recording
from companion.registry import recordings
from companion.table.readers import reader_setup_of
from tests.set_up_figures import MAX_DRAG_PX, paint_out
from tests.vision import bumps
from vision.capture.frame import Picture, load_frame
from vision.geometry.corner_fit import CornerFit, fit_to_json, with_fit
from vision.geometry.layout import Rig, parse_rig
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Points
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import ViewWatch

GAMES: Final = ("tippi_toppi", "uno_tiki")
PAPER: Final = (225.0, 228.0, 230.0)
GROUND_OFF: Final = (45.0, 14.0, 14.0)
"""How far the table's colour may be from its median, in Lab; what is further lies on the sheet."""
PUSHES: Final = 40


class Sheet:
    """A recorded table with a sheet on it, that somebody fitted by corners up to two pixels wrong.

    corners: (4, 2) of the sheet in mm.  first: the picture in which it was fitted.
    """

    def __init__(self, recording: Recording, random: np.random.Generator) -> None:
        assert recording.calibration is not None
        self._recording = recording
        self.names = [str(name) for name in recording.frames]
        self.table = bumps.Table.of(recording.folder, recording.calibration[0])
        tracker = MarkerTracker(self.table.rig)
        assert tracker.locate(TableView(self.table.picture)) is not None
        self._tiles = dict(tracker.list_detected().seen)
        plan = reader_setup_of(recording.game).plan(recording.layout)
        assert plan is not None
        assert not plan.is_board
        self.corners = np.array(plan.outline.points)
        self.first = self.lay(recording.calibration[0], self.corners)
        height, width = self.first.shape[:2]
        dragged = self._pixels(self.corners) + random.uniform(-MAX_DRAG_PX, MAX_DRAG_PX, (4, 2))
        fit = CornerFit(
            tuple((x / width, y / height) for x, y in dragged.tolist()),
            plan.outline.points,
            plan.outline.z_mm,
            sheet=True,
        )
        self.rig: Rig = parse_rig(with_fit(recording.layout, fit_to_json(fit)))

    def lay(self, name: str, corners: Points) -> Picture:
        """Return the picture *name*, without tiles, with a sheet at *corners* (4, 2) in mm."""
        picture = load_frame(self._recording.path(name)).picture
        picture = paint_out(picture, self._tiles)
        lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
        usual = np.median(lab.reshape(-1, 3)[::53], axis=0)
        is_ground = (np.abs(lab - usual) < GROUND_OFF).all(axis=2).astype(np.uint8)
        is_ground = np.asarray(
            cv2.morphologyEx(is_ground, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8
        )
        there = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(there, np.round(self._pixels(corners)).astype(np.int32), 1)
        share = cv2.GaussianBlur((there & is_ground).astype(np.float32), (0, 0), 1.0)[..., None]
        paper = np.array(PAPER) * lab[..., :1] / max(float(usual[0]), 1.0)
        laid = picture * (1 - share) + paper * share
        return np.asarray(np.clip(laid, 0, 255), np.uint8)

    def push(self, name: str, dx_mm: float, dy_mm: float, turn_deg: float) -> Picture:
        """Return the picture *name* after the sheet was pushed, and turned about its middle."""
        x, y = self.corners.mean(axis=0)
        turn = np.exp(1j * np.radians(turn_deg))
        there = (self.corners @ [1, 1j] - complex(x, y)) * turn + complex(x + dx_mm, y + dy_mm)
        return self.lay(name, np.column_stack([there.real, there.imag]))

    def bump(self, dx_mm: float, dy_mm: float, turn_deg: float) -> Picture:
        """Return the first picture after the camera was moved, and turned."""
        still = bumps.Table(self.first, self.table.rig, self.table.pose)
        return still.bump("camera", dx_mm, dy_mm, turn_deg)

    def watch(self) -> ViewWatch:
        """Return a watch that has seen the sheet where it was fitted."""
        watch = ViewWatch(self.rig)
        assert watch.look(TableView(self.first)) is None
        return watch

    def _pixels(self, corners: Points) -> NDArray[np.float64]:
        plane = self.table.pose.homography(0.0)
        seen = np.column_stack([corners, np.ones(len(corners))]) @ plane.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def _ways(random: np.random.Generator) -> Iterator[tuple[float, float, float]]:
    """Yield pushes by 2 to 40 mm, every other turned by up to 10 degrees."""
    for number in range(PUSHES):
        way = random.uniform(2, 40) * np.exp(2j * np.pi * random.random())
        yield way.real, way.imag, random.uniform(-10, 10) * (number % 2)


def try_sheet(recording: Recording) -> str:
    """Return what is noticed of one sheet."""
    random = np.random.default_rng(5)
    sheet = Sheet(recording, random)
    told: dict[str, list[str]] = {"sheet": [], "camera": []}
    off_mm = []
    for number, (dx_mm, dy_mm, turn_deg) in enumerate(_ways(random)):
        if number % 4 == 3:
            what, picture = "camera", sheet.bump(dx_mm, dy_mm, turn_deg)
        else:
            name = sheet.names[int(random.integers(len(sheet.names)))]
            what, picture = "sheet", sheet.push(name, dx_mm, dy_mm, turn_deg)
        watch = sheet.watch()
        change = watch.look(TableView(picture)) or watch.look(TableView(picture))
        mm = np.hypot(dx_mm, dy_mm)
        told[what].append(f"missed, of {mm:.0f} mm" if change is None else f"as {change.mover}")
        if change is not None:
            off_mm.append(np.hypot(change.dx_mm - dx_mm, change.dy_mm - dy_mm))
    words = [f"{what}: {dict(Counter(each))}" for what, each in told.items()]
    words.append(f"off by {np.median(off_mm):.1f} mm in the median, {max(off_mm):.1f} at most")
    watch = sheet.watch()
    alarms = [name for name in sheet.names if watch.look(TableView(sheet.lay(name, sheet.corners)))]
    return "\n".join([*words, f"{len(sheet.names)} still frames, false alarms {alarms}"])


def main() -> None:
    """Print what is noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordings", nargs="*", type=Path)
    given = parser.parse_args()
    for folder in given.recordings or [recordings()[game] for game in GAMES]:
        print(f"{folder.name}: {try_sheet(load_recording(folder))}", flush=True)


if __name__ == "__main__":
    main()
