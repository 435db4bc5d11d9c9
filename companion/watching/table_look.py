"""One look at the table while the camera is set up: what is seen, how well, and what is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from companion.games import TILES, game_of, game_of_mat
from companion.language.message import Message, listed, say
from companion.watching.live_view import LivePicture
from companion.watching.table_plan import Shape, TablePlan
from companion.watching.view_reader import CORNERS
from vision.capture.frame import Picture
from vision.geometry.layout import Rig
from vision.geometry.marker_tracking import MarkerTracker, detect_markers
from vision.geometry.pose import Points, Pose
from vision.geometry.rectification import downscale_to_limit
from vision.geometry.table_tracking import TableTracker
from vision.photometry.meters import Glare, Meters, measure

JPEG_WIDTH_PX: Final = 1280
JPEG_QUALITY: Final = 70
"""Some 100 KB a picture: a phone in the same house shows three in a second."""
MIN_WIDTH_PX: Final = 640
MIN_TILE_PX: Final = 22.0
"""Side of a tile below which its pattern is lost now and then."""
DARK_WHITE: Final = 80.0
"""Level of white paper below which colours drown in noise."""
MAX_NOISE: Final = 20.0
"""Levels: at 14 whole games are read, at 28 one in three is not
(`python -m tests.learnable_figures`)."""
SHARP_STEEPNESS: Final = 0.18
"""Of edges under a blur of two pixels; 0.27 to 0.45 on sharp pictures."""
MAX_SLANT_DEG: Final = 45.0
"""From straight above; beyond it columns hide one another, and a far tile is a narrow strip."""
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


def look_at(
    shown: LivePicture,
    rig: Rig,
    plan: TablePlan | None,
    tracker: TableTracker,
    game: str,
    moved: str = "",
) -> TableLook:
    """Return what *shown* shows of the table of *game*.

    moved: what is to be said if nothing is wrong, "" for nothing.
    """
    frame = shown.frame
    if frame is None:
        wait = say("Waiting for a picture of the camera …")
        trouble = say("The camera: {trouble}.", trouble=shown.trouble.rstrip("."))
        return TableLook(shown.number, trouble if shown.trouble else wait)
    picture = downscale_to_limit(frame.picture)
    pose = tracker.locate(picture)
    seen = tracker.list_detected().seen
    outline = _outline_px(picture, rig, plan, pose, seen)
    meters = measure(picture, outline, {} if rig.mat.fit else seen)
    problem = _find_problem(frame.picture, picture, rig, tracker, pose, seen, meters, outline, game)
    jpeg, scale = _encode(picture)
    ready = say("All is seen well. Choose what lies there, and let the camera learn it.")
    ids = range(TILES) if rig.mat.fit else rig.mat.marker_ids
    return TableLook(
        shown.number,
        problem or moved or ready,
        problem is None,
        jpeg,
        round(picture.shape[1] * scale),
        round(picture.shape[0] * scale),
        tuple(_draw(picture, seen, rig, plan, pose, meters.glare, scale)),
        tuple(tile in seen for tile in ids),
        tuple(_gauges(meters)),
    )


def _outline_px(
    picture: Picture,
    rig: Rig,
    plan: TablePlan | None,
    pose: Pose | None,
    seen: Mapping[int, Points],
) -> Points:
    """Return the table's outline (n, 2) in pixels; without a pose what is seen, or all."""
    height, width = picture.shape[:2]
    if pose is not None:
        mat = Shape(rig.mat.centres)
        return _project(mat if plan is None or rig.mat.fit is None else plan.outline, pose)
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


def _draw(
    picture: Picture,
    seen: Mapping[int, Points],
    rig: Rig,
    plan: TablePlan | None,
    pose: Pose | None,
    glare: Glare | None,
    scale: float,
) -> list[Drawn]:
    def scaled(kind: str, points: Points) -> Drawn:
        return Drawn(kind, tuple((round(x, 1), round(y, 1)) for x, y in (points * scale).tolist()))

    drawn = []
    if plan is not None and pose is not None:
        places, outline = plan.places, plan.outline
        if plan.own is not None:
            own = MarkerTracker(plan.own.rig, tilts=True).locate(picture)
            if own is not None:
                places, outline, pose = plan.own.places, plan.own.outline, own
        drawn += [scaled("place", _project(place, pose)) for place in places]
        is_there = plan.is_board or rig.mat.fit is not None
        drawn.append(scaled("outline" if is_there else "sheet", _project(outline, pose)))
    if rig.mat.fit is None:
        drawn += [scaled("tile", corners) for corners in seen.values()]
    if glare is not None:
        drawn.append(scaled("glare", glare.outline))
    return drawn


def _gauges(meters: Meters) -> list[tuple[str, Gauge]]:
    """Return the meters as people read them."""
    is_light = meters.white >= DARK_WHITE
    light = say("bright enough") if is_light else say("too dark")
    low, high = STEEPNESS_RANGE
    steepness = meters.steepness
    if steepness is None:
        focus = Gauge(0.0, say("no edge to be seen"), is_good=False)
    else:
        is_sharp = steepness >= SHARP_STEEPNESS
        share = float(np.clip((steepness - low) / (high - low), 0.0, 1.0))
        focus = Gauge(share, say("sharp") if is_sharp else say("blurred"), is_sharp)
    glare = meters.glare
    spot = 0.0 if glare is None else float(np.clip(10 * glare.share, 0.15, 1.0))
    none, some = say("no glare"), say("glare on the table")
    return [
        ("light", Gauge(min(1.0, meters.white / 255.0), light, is_light)),
        ("glare", Gauge(spot, none if glare is None else some, glare is None)),
        ("focus", focus),
    ]


def _find_problem(
    whole: Picture,
    picture: Picture,
    rig: Rig,
    tracker: TableTracker,
    pose: Pose | None,
    seen: Mapping[int, Points],
    meters: Meters,
    outline: Points,
    game: str,
) -> Message | None:
    """Return what is wrong in one sentence with its remedy, what has to be mended first."""
    height, width = whole.shape[:2]
    sides = [np.linalg.norm(each - np.roll(each, 1, axis=0), axis=1) for each in seen.values()]
    small = rig.mat.fit is None and any(float(each.mean()) < MIN_TILE_PX for each in sides)
    if width < MIN_WIDTH_PX or small:
        return say(
            "The picture is too coarse: {width} × {height} pixels. Ask for more under [camera] in"
            " the settings, such as 1536 × 864, or move the camera nearer.",
            width=width,
            height=height,
        )
    if meters.white < DARK_WHITE:
        return say(
            "Too dark: white looks like {percent} % of white. Switch a lamp on.",
            percent=round(100 * meters.white / 255),
        )
    if meters.noise > MAX_NOISE:
        return say("The picture is grainy: this camera needs more light. Switch a lamp on.")
    if rig.mat.fit is None:
        problem = _find_tile_problem(picture, rig, pose, seen, game)
        if problem is not None:
            return problem
    if pose is None:
        words = tracker.explain()
        return say("{reason}.", reason=words[:1].upper() + words[1:])
    if meters.steepness is not None and meters.steepness < SHARP_STEEPNESS:
        return say("Out of focus: edges are blurred. Focus the camera, or wipe its lens.")
    slant_deg = _measure_slant(rig, pose)
    if slant_deg > MAX_SLANT_DEG:
        return say(
            "The camera looks from the side, {deg} degrees from straight above. Put it higher, so"
            " that it is 10 to 35.",
            deg=round(slant_deg),
        )
    if meters.glare is not None:
        where = _corner_of(meters.glare.outline.mean(axis=0), outline)
        return say(
            "Glare here, {where}: a lamp is mirrored. Move the lamp aside, or draw the curtain.",
            where=where,
        )
    return None


def _measure_slant(rig: Rig, pose: Pose) -> float:
    """Return how many degrees the camera stands from straight above the middle of the table."""
    x, y, z = pose.camera - [rig.mat.width / 2, rig.mat.height / 2, 0.0]
    return float(np.degrees(np.arctan2(np.hypot(x, y), abs(z))))


def _corner_of(point: Points, outline: Points) -> Message:
    """Return where on the table *point* lies, as somebody who looks at the picture says it."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    x, y = ((point - low) / np.maximum(high - low, 1.0)).tolist()
    if 0.35 < x < 0.65 and 0.35 < y < 0.65:
        return say("in the middle of the picture")
    if abs(x - 0.5) > abs(y - 0.5):
        return say("on the right of the picture") if x > 0.5 else say("on the left of the picture")
    return say("at the bottom of the picture") if y > 0.5 else say("at the top of the picture")


def _find_tile_problem(
    picture: Picture, rig: Rig, pose: Pose | None, seen: Mapping[int, Points], game: str
) -> Message | None:
    """Return what is wrong with the corner tiles."""
    missing = [at for at, tile in enumerate(rig.mat.marker_ids) if tile not in seen]
    if not missing:
        return None
    others = {game_of_mat(tile // TILES) for tile in detect_markers(picture)} - {game, None}
    if others and len(missing) == TILES:
        (other, *_) = sorted(str(each) for each in others)
        return say(
            "These are the tiles of {other}, and {game} is being played. Lay its tiles, or begin"
            " {other} on the host’s desk.",
            other=game_of(other).title,
            game=game_of(game).title,
        )
    if len(missing) == TILES:
        return say(
            "No corner tile is seen. Lay the four tiles around the board, or drag the corners"
            " below."
        )
    if pose is not None and len(missing) == 1:
        at = pose.project(np.array([(*rig.mat.centres[missing[0]], 0.0)], np.float64))[0]
        height, width = picture.shape[:2]
        if not (0 <= at[0] < width and 0 <= at[1] < height):
            return say(
                "Tile {number} ({corner}) lies outside of the picture. Turn the camera, or move it"
                " back.",
                number=missing[0] + 1,
                corner=CORNERS[missing[0]],
            )
    if len(missing) == 1:
        return say(
            "Tile {number} ({corner}) is hidden. Uncover it, and keep glare off it.",
            number=missing[0] + 1,
            corner=CORNERS[missing[0]],
        )
    names = listed(say("{number} ({corner})", number=at + 1, corner=CORNERS[at]) for at in missing)
    return say("Tiles {tiles} are hidden. Uncover them, and keep glare off them.", tiles=names)


def to_json(look: TableLook) -> dict[str, Any]:
    """Return *look* without its picture, for programs."""
    return {
        "picture": look.number,
        "sentence": look.sentence,
        "ready": look.is_ready,
        "tiles": list(look.tiles),
        "meters": {
            name: {"value": round(gauge.value, 3), "words": gauge.words, "good": gauge.is_good}
            for name, gauge in look.gauges
        },
    }
