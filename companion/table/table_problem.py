"""What is wrong with a picture of a table that is being set up: one sentence with its remedy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.language.message import Message, capitalised, listed, say
from companion.registry import TILES, game_of, game_of_mat
from companion.table.picture_faults import (
    DARK_WHITE,
    MAX_CLIPPED,
    SHARP_STEEPNESS,
    describe_cast,
    describe_flicker,
)
from companion.table.readers import reader_setup_of
from companion.table.tile_check import MAX_DEVIATION
from companion.table.view_reader import CORNERS
from vision.capture.flicker import Flicker
from vision.capture.frame import Picture
from vision.geometry.layout import Rig
from vision.geometry.marker_tracking import detect_markers, find_tiles
from vision.geometry.pose import Points, Pose
from vision.geometry.tile_scale import measure_tile_scale
from vision.photometry.meters import Meters

MIN_WIDTH_PX: Final = 640
MIN_TILE_PX: Final = 22.0
"""Side of a tile below which its pattern is lost now and then."""
MAX_NOISE: Final = 20.0
"""Levels: at 14 whole games are read, at 28 one in three is not
(`python -m tests.learnable_figures`)."""
MAX_SLANT_DEG: Final = 45.0
"""From straight above; beyond it columns hide one another, and a far tile is a narrow strip."""
MIN_MIRRORED: Final = 3
"""Tiles that are seen in a mirror, from which the picture itself is one."""


@dataclass(frozen=True, slots=True)
class View:
    """A picture of the table of *game*, and what was found in it.

    size_px: width and height as the camera delivers it.  picture: the same, downscaled; all pixels
        are its.  seen: the tiles (4, 2) by marker id.  unlocated: why there is no pose.
    outline: of the table, (n, 2).
    flicker: what flickers.  drags_corners: whether people fit the table by its corners just now.
    """

    size_px: tuple[int, int]
    picture: Picture
    rig: Rig
    game: str
    pose: Pose | None
    unlocated: str
    seen: Mapping[int, Points]
    outline: Points
    meters: Meters
    flicker: Flicker | None = None
    drags_corners: bool = False

    @property
    def by_tiles(self) -> bool:
        """Whether the table is known by its tiles, or is to be."""
        return self.rig.mat.fit is None and not self.drags_corners


def find_problem(view: View) -> Message | None:
    """Return what is wrong in one sentence with its remedy, what has to be mended first."""
    return (
        _judge_size(view)
        or _judge_light(view)
        or (_judge_tiles(view) if view.by_tiles else None)
        or _judge_pose(view)
        or _judge_lens(view)
        or _judge_slant(view)
        or describe_cast(view.meters.paper)
        or _judge_glare(view)
        or (_judge_print(view) if view.by_tiles else None)
    )


def _judge_size(view: View) -> Message | None:
    width, height = view.size_px
    sides = [np.linalg.norm(each - np.roll(each, 1, axis=0), axis=1) for each in view.seen.values()]
    small = view.by_tiles and any(float(each.mean()) < MIN_TILE_PX for each in sides)
    if width >= MIN_WIDTH_PX and not small:
        return None
    return say(
        "The picture is too coarse: {width} × {height} pixels. Ask for more under [camera] in"
        " the settings, such as 1536 × 864, or move the camera nearer.",
        width=width,
        height=height,
    )


def _judge_light(view: View) -> Message | None:
    meters = view.meters
    if meters.white < DARK_WHITE:
        return say(
            "Too dark: white looks like {percent} % of white. Switch a lamp on.",
            percent=round(100 * meters.white / 255),
        )
    if meters.clipped >= MAX_CLIPPED:
        return say(
            "Too bright: {percent} % of the table has lost its colours. Dim the lamp, or draw the"
            " curtain; if the camera’s exposure is set by hand, shorten it.",
            percent=round(100 * meters.clipped),
        )
    if meters.noise > MAX_NOISE:
        return say("The picture is grainy: this camera needs more light. Switch a lamp on.")
    if view.flicker is None:
        return None
    return say("{reason}.", reason=capitalised(describe_flicker(view.flicker)))


def _judge_pose(view: View) -> Message | None:
    if view.pose is not None or view.drags_corners:
        return None
    if view.by_tiles:
        return say(
            "The corner tiles do not form the expected rectangle. Lay all four flat in their"
            " places."
        )
    return say("{reason}.", reason=capitalised(view.unlocated))


def _judge_lens(view: View) -> Message | None:
    steepness = view.meters.steepness
    if steepness is None or steepness >= SHARP_STEEPNESS:
        return None
    return say("Out of focus: edges are blurred. Focus the camera, or wipe its lens.")


def _judge_slant(view: View) -> Message | None:
    if view.pose is None:
        return None
    mat = view.rig.mat
    x, y, z = view.pose.camera - [mat.width / 2, mat.height / 2, 0.0]
    slant_deg = float(np.degrees(np.arctan2(np.hypot(x, y), abs(z))))
    slants = reader_setup_of(view.game).slants
    low, high = slants.best
    if slant_deg > MAX_SLANT_DEG:
        return say(
            "The camera looks from the side, {deg} degrees from straight above. Put it higher, so"
            " that it is {low} to {high}.",
            deg=round(slant_deg),
            low=low,
            high=high,
        )
    if slant_deg < slants.least:
        return say(
            "The camera looks too steeply, {deg} degrees from straight above: how high a pile is"
            " hardly shows there. Move it aside, so that it is {low} to {high}.",
            deg=round(slant_deg),
            low=low,
            high=high,
        )
    return None


def _judge_glare(view: View) -> Message | None:
    glare = view.meters.glare
    if glare is None:
        return None
    where = _corner_of(glare.outline.mean(axis=0), view.outline)
    return say(
        "Glare here, {where}: a lamp is reflected. Move the lamp aside, or draw the curtain.",
        where=where,
    )


def _corner_of(point: Points, outline: Points) -> Message:
    """Return where on the table *point* lies, as somebody who looks at the picture says it."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    x, y = ((point - low) / np.maximum(high - low, 1.0)).tolist()
    if 0.35 < x < 0.65 and 0.35 < y < 0.65:
        return say("in the middle of the picture")
    if abs(x - 0.5) > abs(y - 0.5):
        return say("on the right of the picture") if x > 0.5 else say("on the left of the picture")
    return say("at the bottom of the picture") if y > 0.5 else say("at the top of the picture")


def _judge_tiles(view: View) -> Message | None:
    """Return what is wrong with the corner tiles."""
    mat = view.rig.mat
    missing = [at for at, tile in enumerate(mat.marker_ids) if tile not in view.seen]
    if not missing:
        return None
    if len(missing) > 1 and _is_mirrored(view):
        return say(
            "The picture is mirrored, as in a looking glass. Switch that off in the camera’s own"
            " settings or app; upside down does no harm."
        )
    if view.seen and (blurred := _judge_lens(view)) is not None:
        return blurred  # which hides tiles, too
    if len(missing) == TILES:
        return _explain_none(view)
    names = [say("{number} ({corner})", number=at + 1, corner=CORNERS[at]) for at in missing]
    if len(missing) > 1:
        return say(
            "Tiles {tiles} are hidden. Uncover them, and keep glare off them.", tiles=listed(names)
        )
    (at,) = missing
    if view.pose is not None:
        x, y = view.pose.project(np.array([(*mat.centres[at], 0.0)], np.float64))[0]
        height, width = view.picture.shape[:2]
        if not (0 <= x < width and 0 <= y < height):
            return say(
                "Tile {number} ({corner}) lies outside of the picture. Turn the camera, or move it"
                " back.",
                number=at + 1,
                corner=CORNERS[at],
            )
    return say(
        "Tile {number} ({corner}) is hidden. Uncover it, and keep glare off it.",
        number=at + 1,
        corner=CORNERS[at],
    )


def _is_mirrored(view: View) -> bool:
    """Return whether a mirror shows more of the tiles; some of them look like others in it."""
    mirrored = np.ascontiguousarray(view.picture[:, ::-1])
    found = len(find_tiles(mirrored, view.rig.mat.marker_ids))
    return found >= MIN_MIRRORED and found > len(view.seen)


def _explain_none(view: View) -> Message:
    """Return why none of the game's tiles is seen."""
    others = {game_of_mat(tile // TILES) for tile in detect_markers(view.picture)}
    others -= {view.game, None}
    if others:
        (other, *_) = sorted(str(each) for each in others)
        return say(
            "These are the tiles of {other}, and {game} is being played. Lay its tiles, or begin"
            " {other} on the host’s desk.",
            other=game_of(other).title,
            game=game_of(view.game).title,
        )
    if _judge_lens(view) is not None:
        return say(
            "No corner tile is seen, and the picture looks blurred. Lay the four tiles around the"
            " board, and focus the camera."
        )
    return say(
        "No corner tile is seen. Lay the four tiles around the board, or drag the corners below."
    )


def _judge_print(view: View) -> Message | None:
    """Return what is wrong with the size at which the tiles were printed."""
    scale = measure_tile_scale(view.picture, view.rig.mat)
    if scale is None or abs(scale - 1) <= MAX_DEVIATION:
        return None
    return say(
        "The corner tiles look {percent} % as large as they should. Measure a black square: if it"
        " is not {marker} mm, print them again at 100 %; if it is, lay them {width} × {height} mm"
        " apart, from middle to middle.",
        percent=round(100 * scale),
        marker=view.rig.mat.marker_mm,
        width=view.rig.mat.width,
        height=view.rig.mat.height,
    )
