"""One look at the table while the camera is set up: what is seen, how well, and what is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from companion.language.message import say, without_stop
from companion.registry import TILES
from companion.table.live_view import LivePicture
from companion.table.picture_faults import list_faults, name_light
from companion.table.table_plan import Shape
from companion.table.table_problem import Inspection, LaidTable, find_problem
from vision.capture.frame import Frame, Picture
from vision.capture.picture_fault import PictureFault
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Points, Pose
from vision.geometry.table_tracking import TableTracker, track_table
from vision.geometry.table_view import TableView, view_of
from vision.photometry.meters import measure

JPEG_WIDTH_PX: Final = 1280
JPEG_QUALITY: Final = 70
"""Some 100 KB a picture: a phone in the same house shows three in a second."""
STEEPNESS_RANGE: Final = (0.06, 0.40)
"""The ends of the focus meter."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """One meter: its value from 0 to 1, in words, and whether that is well."""

    value: float
    words: str
    is_good: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A polygon over the picture, in its pixels: a tile, a place, the outline, or glare."""

    kind: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class TableLook:
    """What a picture shows of the table; without a picture only *sentence* says why.

    number: of the picture.  width, height: of *jpeg* in pixels.
    tiles: of the four tiles or corners, which are seen, from the top left clockwise.
    gauges: light, glare and focus.  is_ready: whether the table could be learned now.
    remark: what else is to be said of the camera, in a sentence or two; "" if nothing is.
    """

    number: int
    sentence: str
    is_ready: bool = False
    jpeg: bytes = b""
    width: int = 0
    height: int = 0
    drawn: tuple[Drawn, ...] = ()
    tiles: tuple[bool, ...] = ()
    gauges: tuple[tuple[str, Gauge], ...] = ()
    remark: str = ""


def look_at(shown: LivePicture, found: Inspection | None, moved: str = "") -> TableLook:
    """Return what *shown* shows of its table, in which that was *found*; None without a picture.

    moved: what is to be said if nothing is wrong, "" for nothing.
    """
    if found is None:
        wait = say("Waiting for a picture from the camera …")
        trouble = say("The camera: {trouble}.", trouble=without_stop(shown.trouble))
        return TableLook(shown.number, trouble if shown.trouble else wait)
    problem = find_problem(found)
    jpeg, scale = _encode(found.view.picture)
    height, width = found.view.shape[:2]
    ready = say("The picture is good. Choose what is on the table, then calibrate.")
    if found.drags_corners:
        ready = say("Drag each number to its corner. The green places must match the real ones.")
        moved = ""
    ids = range(TILES) if found.rig.mat.fit else found.rig.mat.marker_ids
    return TableLook(
        shown.number,
        problem or moved or ready,
        problem is None,
        jpeg,
        round(width * scale),
        round(height * scale),
        tuple(_draw(found, scale)),
        tuple(tile in found.seen for tile in ids),
        tuple(_gauges(found)),
    )


def inspect(
    frame: Frame,
    table: LaidTable,
    tracker: TableTracker | None = None,
    flicker: PictureFault | None = None,
    *,
    drags_corners: bool = False,
) -> Inspection:
    """Return what is found in *frame*, a picture of *table*.

    tracker: one that remembers earlier pictures; None where each counts alone.
    flicker: what flickers.  drags_corners: whether people fit the table by its corners just now.
    """
    tracker = tracker or track_table(table.rig, TILES)  # which is hidden is going to be said
    view = view_of(frame)
    pose = tracker.locate(view)
    seen = tracker.list_detected().seen
    outline = _outline_px(view, table, pose, seen)
    meters = measure(view.picture, outline, {} if table.rig.mat.fit else seen)
    return Inspection(
        table,
        (frame.picture.shape[1], frame.picture.shape[0]),
        view,
        pose,
        "" if pose is not None else tracker.explain(),
        seen,
        outline,
        meters,
        tuple(list_faults(meters, flicker)),
        drags_corners,
    )


def _outline_px(
    view: TableView, table: LaidTable, pose: Pose | None, seen: Mapping[int, Points]
) -> Points:
    """Return the table's outline (n, 2) in pixels; without a pose what is seen, or all."""
    height, width = view.shape[:2]
    if pose is not None:
        mat, plan = table.rig.mat, table.plan
        return _project(
            Shape(mat.centres) if plan is None or mat.fit is None else plan.outline, pose
        )
    if len(seen) >= 2:
        return np.concatenate(list(seen.values()))
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def _project(shape: Shape, pose: Pose) -> Points:
    return pose.project(np.array([(x, y, shape.z_mm) for x, y in shape.points], np.float64))


def _encode(picture: Picture) -> tuple[bytes, float]:
    scale = min(1.0, JPEG_WIDTH_PX / picture.shape[1])
    if scale < 1.0:
        size = JPEG_WIDTH_PX, round(picture.shape[0] * scale)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return encoded.tobytes(), scale


def _draw(found: Inspection, scale: float) -> list[Drawn]:
    def scaled(kind: str, points: Points) -> Drawn:
        return Drawn(kind, tuple((round(x, 1), round(y, 1)) for x, y in (points * scale).tolist()))

    drawn = []
    plan, pose, is_fitted = found.table.plan, found.pose, found.rig.mat.fit is not None
    if plan is not None and pose is not None:
        places, outline = plan.places, plan.outline
        if plan.own is not None:
            own = MarkerTracker(plan.own.rig, tilts=True).locate(found.view)
            if own is not None:
                places, outline, pose = plan.own.places, plan.own.outline, own
        drawn += [scaled("place", _project(place, pose)) for place in places]
        is_there = plan.is_board or is_fitted
        drawn.append(scaled("outline" if is_there else "sheet", _project(outline, pose)))
    if not is_fitted:
        drawn += [scaled("tile", corners) for corners in found.seen.values()]
    if found.meters.glare is not None:
        drawn.append(scaled("glare", found.meters.glare.outline))
    return drawn


def _gauges(found: Inspection) -> list[tuple[str, Gauge]]:
    """Return the meters as people read them."""
    meters = found.meters
    light = next((fault for fault in found.faults if fault is not PictureFault.BLURRED), None)
    low, high = STEEPNESS_RANGE
    if meters.steepness is None:
        focus = Gauge(0.0, say("no edge visible"), is_good=False)
    else:
        share = float(np.clip((meters.steepness - low) / (high - low), 0.0, 1.0))
        words = say("blurred") if found.is_blurred else say("sharp")
        focus = Gauge(share, words, not found.is_blurred)
    glare = meters.glare
    spot = 0.0 if glare is None else float(np.clip(10 * glare.share, 0.15, 1.0))
    none, some = say("no glare"), say("glare on the table")
    return [
        ("light", Gauge(min(1.0, meters.white / 255.0), name_light(light), light is None)),
        ("glare", Gauge(spot, none if glare is None else some, glare is None)),
        ("focus", focus),
    ]


def to_json(look: TableLook) -> dict[str, Any]:
    """Return *look* without its picture, for programs."""
    return {
        "picture": look.number,
        "sentence": look.sentence,
        "remark": look.remark,
        "ready": look.is_ready,
        "tiles": list(look.tiles),
        "meters": {
            name: {"value": round(gauge.value, 3), "words": gauge.words, "good": gauge.is_good}
            for name, gauge in look.gauges
        },
    }
