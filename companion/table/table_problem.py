"""What is wrong with a picture of a table that is being set up: one sentence with its remedy."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.language.message import Message, as_sentence, listed, say, say_count
from companion.registry import TILES, game_of, game_of_mat
from companion.table.camera_height import ask_for_larger_pieces, ask_to_raise
from companion.table.picture_faults import (
    CASTS,
    CORNER_TILES,
    CORNERS,
    LIGHT,
    describe_fault,
    size_trouble,
)
from companion.table.readers import reader_setup_of
from companion.table.table_plan import TablePlan
from vision.capture.picture_fault import PictureFault
from vision.geometry.camera_distance import find_cut_off
from vision.geometry.layout import Rig, parse_rig
from vision.geometry.lens import UNKNOWN, Lens, parse_lens, with_lens
from vision.geometry.marker_tracking import lay_tiles
from vision.geometry.pose import Markers, Points, Pose, camera_matrix, fit_pose
from vision.geometry.session_values import MARKER_IDS
from vision.geometry.table_view import TableView
from vision.geometry.tile_scale import measure_tile_scale
from vision.photometry.meters import Meters

MIN_WIDTH_PX: Final = 640
MIN_TILE_PX: Final = 22.0
"""Side of a tile below which its pattern is lost now and then."""
MAX_SLANT_DEG: Final = 45.0
"""From straight above; beyond it columns hide one another, and a far tile is a narrow strip."""
MIN_MIRRORED: Final = 3
"""Tiles that are seen in a mirror, from which the picture itself is one."""


@dataclass(frozen=True, slots=True)
class LaidTable:
    """How the table of *game* is laid out, and the lens by which it is seen.

    plan: None where nothing is to be drawn.
    """

    game: str
    rig: Rig
    plan: TablePlan | None
    lens: Lens

    @classmethod
    def of(cls, game: str, table: Mapping[str, Any], prior: Lens = UNKNOWN) -> "LaidTable":
        """Return it for a *table* as a session.json describes it.

        prior: what is known of the lens if that is not told there.
        """
        told = parse_lens(table)
        rig = parse_rig(with_lens(table, prior) if told is None else table)
        return cls(game, rig, reader_setup_of(game).plan(table or None), told or prior)


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in a picture of a table.

    size_px: width and height as the camera delivers it.  view: the same picture; all pixels are
        its.  unlocated: why there is no pose.  seen: the tiles (4, 2) by marker id.
    outline: of the table, (n, 2).  faults: of the picture, what has to be mended first before.
    drags_corners: whether people fit the table by its corners just now.
    """

    table: LaidTable
    size_px: tuple[int, int]
    view: TableView
    pose: Pose | None
    unlocated: str
    seen: Mapping[int, Points]
    outline: Points
    meters: Meters
    faults: tuple[PictureFault, ...] = ()
    drags_corners: bool = False

    @property
    def rig(self) -> Rig:
        """Of the table."""
        return self.table.rig

    @property
    def by_tiles(self) -> bool:
        """Whether the table is known by its tiles, or is to be."""
        return self.rig.mat.fit is None and not self.drags_corners

    @property
    def is_blurred(self) -> bool:
        """Whether edges are blurred."""
        return PictureFault.BLURRED in self.faults


def find_problem(found: Inspection) -> Message | None:
    """Return what is wrong in one sentence with its remedy, what has to be mended first."""
    return (
        _judge_size(found)
        or _describe_first(found, LIGHT)
        or (_judge_tiles(found) if found.by_tiles else None)
        or _judge_pose(found)
        or _describe_first(found, (PictureFault.BLURRED,))
        or _judge_slant(found)
        or _describe_first(found, CASTS)
        or _judge_glare(found)
        or (_judge_print(found) if found.by_tiles else None)
    )


def _describe_first(found: Inspection, among: Collection[PictureFault]) -> Message | None:
    fault = next((fault for fault in found.faults if fault in among), None)
    return None if fault is None else as_sentence(describe_fault(fault))


def _judge_size(found: Inspection) -> Message | None:
    width, height = found.size_px
    sides = [
        np.linalg.norm(each - np.roll(each, 1, axis=0), axis=1) for each in found.seen.values()
    ]
    small = found.by_tiles and any(float(each.mean()) < MIN_TILE_PX for each in sides)
    larger = _judge_pieces(found)
    if width >= MIN_WIDTH_PX and (larger is not None or not small):
        return larger
    return say(
        "The picture is too coarse: {width} × {height} pixels. Set more under [camera] in the"
        " settings, such as 1536 × 864, or move the camera closer.",
        width=width,
        height=height,
    )


def _judge_pieces(found: Inspection) -> Message | None:
    """Return what is wrong with the pieces' size in the picture."""
    if found.pose is None:
        return None
    table, needed = found.table, reader_setup_of(found.table.game).px_per_mm
    return ask_for_larger_pieces(found.pose, table.rig.mat, table.lens, found.view.shape, needed)


def _judge_pose(found: Inspection) -> Message | None:
    if found.pose is not None or found.drags_corners:
        return None
    if found.by_tiles:
        return say(
            "The corner tiles do not form the expected rectangle. Lay all four flat in their"
            " places, and use a camera that looks less than 120 degrees wide."
        )
    return as_sentence(found.unlocated)


def _judge_slant(found: Inspection) -> Message | None:
    if found.pose is None:
        return None
    mat = found.rig.mat
    x, y, z = found.pose.camera - [mat.width / 2, mat.height / 2, 0.0]
    slant_deg = float(np.degrees(np.arctan2(np.hypot(x, y), abs(z))))
    slants = reader_setup_of(found.table.game).slants
    low, high = slants.best
    if slant_deg > MAX_SLANT_DEG:
        return say(
            "The camera looks too much from the side: {deg} degrees from straight above. Put"
            " it higher, so that it is {low} to {high}.",
            deg=round(slant_deg),
            low=low,
            high=high,
        )
    if slant_deg < slants.least:
        return say(
            "The camera looks down too steeply, {deg} degrees from straight above: from there"
            " it can hardly see how high a pile is. Move it to the side, so that it is {low}"
            " to {high}.",
            deg=round(slant_deg),
            low=low,
            high=high,
        )
    return None


def _judge_glare(found: Inspection) -> Message | None:
    glare = found.meters.glare
    if glare is None:
        return None
    where = _corner_of(glare.outline.mean(axis=0), found.outline)
    return say(
        "There is glare {where}: a lamp is reflected. Move the lamp aside, or draw the curtain.",
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


def _judge_tiles(found: Inspection) -> Message | None:
    """Return what is wrong with the corner tiles."""
    mat = found.rig.mat
    missing = [at for at, tile in enumerate(mat.marker_ids) if tile not in found.seen]
    if not missing:
        return None
    if len(missing) > 1 and _is_mirrored(found):
        return say(
            "The picture is mirrored. Switch that off in the camera’s own settings or app."
            " Upside down is fine."
        )
    if found.seen and found.is_blurred:
        return _describe_first(found, (PictureFault.BLURRED,))  # which hides tiles, too
    if len(missing) == TILES:
        return _explain_none(found)
    pose = found.pose or _pose_of_pair(found)
    cut_off = (
        []
        if pose is None
        else find_cut_off(pose, mat, found.table.lens.distortion, found.view.shape)
    )
    if pose is not None and (outside := [at for at in missing if at in cut_off]):
        return say_count(
            "Tile {tiles} is outside the picture. {remedy}",
            "Tiles {tiles} are outside the picture. {remedy}",
            len(outside),
            tiles=listed(map(_name_tile, outside)),
            remedy=ask_to_raise(pose, mat, found.table.lens, found.view.shape),
        )
    return say_count(
        "Tile {tiles} is hidden. Uncover it, and keep glare off it.",
        "Tiles {tiles} are hidden. Uncover them, and keep glare off them.",
        len(missing),
        tiles=listed(map(_name_tile, missing)),
    )


def _name_tile(at: int) -> Message:
    return say("{number} ({corner})", number=at + 1, corner=CORNERS[at])


def _pose_of_pair(found: Inspection) -> Pose | None:
    """Return the pose by two tiles, good enough to tell where the others should be."""
    known = lay_tiles(found.rig.mat)
    markers = Markers(found.seen, {tile: known[tile] for tile in found.seen})
    return fit_pose(camera_matrix(found.rig.hfov_deg, found.view.shape), markers)


def _is_mirrored(found: Inspection) -> bool:
    """Return whether a mirror shows more of the tiles; some of them look like others in it."""
    mirrored = TableView(np.ascontiguousarray(found.view.picture[:, ::-1]))
    tiles = len(mirrored.find_tiles(found.rig.mat.marker_ids, TILES))
    return tiles >= MIN_MIRRORED and tiles > len(found.seen)


def _explain_none(found: Inspection) -> Message:
    """Return why none of the game's tiles is seen."""
    others = {game_of_mat(tile // TILES) for tile in found.view.find_markers(MARKER_IDS)}
    others -= {found.table.game, None}
    if others:
        (other, *_) = sorted(str(each) for each in others)
        return say(
            "These are the tiles for {other}, but you are playing {game}. Lay out the tiles"
            " for {game}, or start {other} on the host’s desk.",
            other=game_of(other).title,
            game=game_of(found.table.game).title,
        )
    if found.is_blurred:
        return say(
            "The camera sees no corner tiles, and the picture looks blurred. Lay the four"
            " tiles around the board, and focus the camera."
        )
    return say(
        "The camera sees no corner tiles. Lay the four tiles around the board, or drag the"
        " corners below."
    )


def _judge_print(found: Inspection) -> Message | None:
    """Return what is wrong with the size at which the tiles were printed."""
    mat = found.rig.mat
    scale = measure_tile_scale(found.view, mat)
    trouble = None if scale is None else size_trouble(scale, mat)
    if trouble is None:
        return None
    return as_sentence(say("{device}: {trouble}", device=CORNER_TILES, trouble=trouble))
