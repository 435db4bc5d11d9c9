"""Figures of setting up: tables learned in mid-game, and boards fitted by corners instead of tiles.

Run as `python -m tests.set_up_figures FOLDER...`, with folders of recorded games. Of each the
settled pictures are read as the referee has them read, who then says what truly lies there:

* start: learned from the calibration picture; midway: from the picture in the middle of the game,
  of which only what the log knows is said.  Both read the second half.
* tiles: as start, all of the game; corners: the same without tiles, which are painted out, by
  corners that were dragged up to two pixels wrong.
* bumps: of camera and board by 2 to 40 mm and up to 10 degrees, how many the view watch names by
  corners, and after how many the board is found within three pixels; still: how often it names one
  in a picture in which nothing but the pieces has moved.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.recording import Recording, load_recording
from companion.referee.game import Table
from companion.table.readers import Reader, ReaderSetup, reader_setup_of
from tests.vision import bumps
from vision.capture.frame import Frame, Picture, load_frame
from vision.geometry.corner_fit import CornerFit, fit_to_json, with_fit
from vision.geometry.corner_tracking import open_pose
from vision.geometry.layout import parse_rig
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Points
from vision.geometry.table_tracking import TableTracker, track_table
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import ViewWatch
from vision.observation import Observation
from vision.photometry.rim_white import learn_rim

MAX_DRAG_PX: Final = 2.0
BUMPS: Final = 40
MAX_FOUND_PX: Final = 3.0
MAX_IDOL_DEG: Final = 8.0


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """Return the settled pictures of a recording, with what truly lies there."""
    rows = map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines())
    return [row for row in rows if row["kind"] == "settled"]


def is_right(observation: Observation, truth: Mapping[str, Any], table: Table) -> bool | None:
    """Return whether a reading is right, None if there is none.

    Of columns the evidence counts, as it does for the referee: a cell in doubt is no reading.
    """
    reading = observation.reading
    if truth.get("cells") is not None and observation.places:
        best = [each.best for each in observation.places]
        sure = [at for at in range(len(best)) if at not in observation.doubtful]
        if any(best[at] != table[at] for at in sure):
            return False
        return True if len(sure) == len(best) else None
    if reading is None:
        return None
    if "line" in truth:
        return bool(reading["line"] == truth["line"])
    if "piles" in truth:
        return bool(reading["piles"] == truth["piles"])
    if "discard" not in truth:
        return None
    off = (reading["idol_deg"] - truth["idol_deg"] + 180.0) % 360.0 - 180.0
    return bool(reading["discard"] == truth["discard"] and abs(off) <= MAX_IDOL_DEG)


def paint_out(picture: Picture, tiles: Mapping[int, Points]) -> Picture:
    """Return *picture* with the table where its tiles are."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for corners in tiles.values():
        middle = corners.mean(axis=0)
        larger = (middle + 1.5 * (corners - middle)).round().astype(np.int32)
        cv2.fillConvexPoly(mask, larger, 255)
    filled = cv2.inpaint(picture, mask, 5, cv2.INPAINT_TELEA)
    # Without the streaks that this leaves, which would be seen as things.
    soft = cv2.GaussianBlur(mask, (0, 0), 4.0)[..., None] / 255.0
    even = cv2.GaussianBlur(filled, (0, 0), 16.0)
    return np.asarray(filled * (1.0 - soft) + even * soft, np.uint8)


def drag_corners(
    recording: Recording, picture: Picture, random: np.random.Generator
) -> tuple[Mapping[str, Any], Mapping[int, Points]]:
    """Return the table fitted by corners that somebody drags, and the tiles that are not needed."""
    plan = reader_setup_of(recording.game).plan(recording.layout)
    assert plan is not None
    rig = parse_rig(recording.layout)
    tracker = MarkerTracker(rig)
    pose = tracker.locate(TableView(picture))
    assert pose is not None
    tiles = dict(tracker.list_detected().seen)
    outline = [(x, y, plan.outline.z_mm) for x, y in plan.outline.points]
    pixels = pose.project(np.array(outline))
    pixels = pixels + random.uniform(-MAX_DRAG_PX, MAX_DRAG_PX, pixels.shape)
    shares = (pixels / (picture.shape[1], picture.shape[0])).tolist()
    fit = CornerFit(
        tuple((x, y) for x, y in shares),
        plan.outline.points,
        plan.outline.z_mm,
        tilts=plan.own is not None,
        sheet=not plan.is_board,
    )
    fitted = open_pose(fit, rig.hfov_deg, picture.shape, pixels)
    assert fitted is not None
    white, rim = learn_rim(paint_out(picture, tiles), fitted, fit)
    fit = replace(fit, white=white, rim=rim)
    return with_fit(recording.layout, fit_to_json(fit)), tiles


class Tally:
    """What became of the pictures that a reader read."""

    def __init__(self, setup: ReaderSetup, layout: Mapping[str, Any]) -> None:
        self.reader: Reader = setup.open_reader(layout)
        self._setup = setup
        self.right = self.wrong = self.unread = 0

    def read(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Read a picture, and tell the reader what lies there."""
        table = self._setup.table_of(truth)
        found = is_right(self.reader.read(frame), truth, table)
        self.right += found is True
        self.wrong += found is False
        self.unread += found is None
        self.reader.set_reference(frame.name, table)

    def __str__(self) -> str:
        return f"{self.right} right, {self.wrong} wrong, {self.unread} unread"


def learn_midway(recording: Recording, rows: list[dict[str, Any]]) -> tuple[Tally, Tally]:
    """Return how the second half is read after learning at the start, and in the middle."""
    setup = reader_setup_of(recording.game)
    assert recording.calibration is not None
    name, truth = recording.calibration
    start, midway = (Tally(setup, recording.layout) for _ in range(2))
    start.reader.calibrate(load_frame(recording.path(name)), truth)
    middle = len(rows) // 2
    known = rows[middle]
    frame = load_frame(recording.path(known["frame"]))
    said = setup.known_truth(setup.table_of(known["truth"])) or {}
    if "idol_deg" in said:  # people turn it to where they say it points
        said = {"idol_deg": known["truth"]["idol_deg"]}
    midway.reader.calibrate(frame, said)
    for tally in (start, midway):
        tally.reader.read(frame)
        tally.reader.set_reference(frame.name, setup.table_of(known["truth"]))
        for row in rows[middle + 1 :]:
            tally.read(load_frame(recording.path(row["frame"])), row["truth"])
    return start, midway


def fit_by_corners(recording: Recording, rows: list[dict[str, Any]]) -> tuple[Tally, Tally]:
    """Return how the game is read by its tiles, and by corners that somebody has dragged."""
    setup = reader_setup_of(recording.game)
    assert recording.calibration is not None
    name, truth = recording.calibration
    known = load_frame(recording.path(name))
    table, painted = drag_corners(recording, known.picture, np.random.default_rng(1))
    tiles, corners = (Tally(setup, each) for each in (recording.layout, table))
    tiles.reader.calibrate(known, truth)
    corners.reader.calibrate(replace(known, picture=paint_out(known.picture, painted)), truth)
    for row in rows:
        frame = load_frame(recording.path(row["frame"]))
        tiles.read(frame, row["truth"])
        corners.read(replace(frame, picture=paint_out(frame.picture, painted)), row["truth"])
    return tiles, corners


def bump_by_corners(recording: Recording) -> str:
    """Return what is noticed of bumps, and how often the board is found after them."""
    assert recording.calibration is not None
    known = load_frame(recording.path(recording.calibration[0])).picture
    random = np.random.default_rng(3)
    fitted, tiles = drag_corners(recording, known, random)
    rig, outline = parse_rig(recording.layout), _outline_of(recording)
    table = bumps.Table.of(recording.folder, recording.calibration[0])
    before = _located(MarkerTracker(rig), known, outline)
    noticed = found = count = 0
    for number in range(BUMPS):
        mm, way, deg = random.uniform(2, 40), random.uniform(0, 2 * np.pi), random.uniform(-10, 10)
        what: bumps.Moved = "camera" if number % 2 else "board"
        picture = table.bump(what, mm * np.cos(way), mm * np.sin(way), deg * (number % 4 > 1))
        there = _located(MarkerTracker(rig), picture, outline)
        if before is None or there is None:
            continue
        count += 1
        watch, tracker = ViewWatch(parse_rig(fitted)), track_table(parse_rig(fitted))
        watch.look(TableView(known))
        noticed += watch.look(TableView(picture)) is not None
        first = _located(tracker, known, outline)
        then = _located(tracker, picture, outline)
        if first is not None and then is not None:
            off = np.linalg.norm((then - there) - (first - before), axis=1).max()
            found += bool(off <= MAX_FOUND_PX)
    watch, alarms = ViewWatch(parse_rig(fitted)), 0
    watch.look(TableView(paint_out(known, tiles)))
    for name in recording.frames:
        frame = load_frame(recording.path(name))
        alarms += watch.look(TableView(paint_out(frame.picture, tiles))) is not None
    still = f"{len(recording.frames)} still frames, {alarms} false alarms"
    return f"{count} bumps, {noticed} noticed, {found} found again; {still}"


def _outline_of(recording: Recording) -> Points:
    plan = reader_setup_of(recording.game).plan(recording.layout)
    assert plan is not None
    return np.array([(x, y, 0.0) for x, y in plan.outline.points])


def _located(tracker: TableTracker, picture: Picture, outline: Points) -> Points | None:
    pose = tracker.locate(TableView(picture))
    return None if pose is None else pose.project(outline)


def main(folders: list[str]) -> None:
    """Print the figures of the recordings in *folders*."""
    for folder in map(Path, folders):
        recording, rows = load_recording(folder), rows_of(folder)
        start, midway = learn_midway(recording, rows)
        print(f"{folder.name}: start {start}; midway {midway}", flush=True)
        tiles, corners = fit_by_corners(recording, rows)
        print(f"{folder.name}: tiles {tiles}; corners {corners}", flush=True)
        print(f"{folder.name}: {bump_by_corners(recording)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
