"""Read the line of Tikis: which stands in which slot, or why that cannot be said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import BadCalibration
from vision.capture.frame import Frame, Picture
from vision.geometry.layout import TIKI_TOPPLE, Layout
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose
from vision.geometry.rectification import (
    SURROUND_MM,
    Mask,
    around_slots,
    coarsen,
    grow,
    hulls,
    in_view,
    shrink_to_fit,
)
from vision.line.assignment import least_totals
from vision.line.empty_slots import WOOD, is_bare, is_bleached, measure_texture
from vision.line.faces import Faces, face_area
from vision.observation import EMPTY, HIDDEN, Evidence, Observation, Reason, Status, Table
from vision.occlusion.arm_direction import Ground, TableSnapshot
from vision.occlusion.board_background import (
    LIGHTS,
    PLAY_MM,
    BoardBackground,
    Surround,
    build_surround,
)
from vision.photometry.chromaticity import Chroma, Light, measure_brightness, to_chroma, to_levels
from vision.photometry.white_reference import estimate_light, is_overexposed

__all__ = ["BadCalibration", "LineReader"]

FEWEST: Final = 3
"""A round ends when three Tikis are left."""
UNKNOWN_MISFIT: Final = 0.45
"""A slot that resembles nothing known better than this is covered by something else."""
TEXTURE_MISFIT: Final = 5.0
"""What turns a slot's texture into a misfit of EMPTY, comparable with that of a face."""
SHARPNESS: Final = 0.03
"""A misfit smaller by this much makes a class e times as likely."""
LOST: Final = 250
"""A level as high as this is overexposed..."""
MUCH_LOST: Final = 0.3
"""...and where more of a slot is than this, its colours are lost: all that is said is less certain,
as many times as the best misfit is larger than POOR."""
POOR: Final = 0.2
GUESSES: Final = 4
"""How often lamp and line are guessed from each other; they agree after two or three times."""
BLUNTED: Final = 0.4
"""How much a misfit of a face that was never learned counts."""
STRANGEST: Final = 0.6
"""A face that was never learned and fits what is usual no better is another set's."""
SURE: Final = 0.8
"""Least probability of each slot's class in a reading; in good light it is above 0.95..."""
SURE_UNTAUGHT: Final = 0.85
"""...and before any calibration, when nothing tells a hand from the board."""
NEAR_ARM_MM: Final = 14.0
"""A slot this close to an arm counts as hidden."""
SHADOW_MM: Final = 20.0
"""How far beside a piece its shadow still counts as its own."""


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What follows from a pose alone, worked out once per pose."""

    pose: Pose
    hulls: tuple[Mask, ...]
    surround: Surround
    slot_in_view: tuple[bool, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Strip:
    """The strip of slots as one picture shows it: the floor's plane and the faces' plane.

    picture: the whole picture.  floor: (rows, columns, 3) uint8 at 2 mm.  faces: the same at 1 mm.
    """

    view: _View
    picture: Picture
    floor: NDArray[np.uint8]
    faces: NDArray[np.uint8]


class LineReader:
    """Reads pictures of one table, in any order; best after `calibrate`."""

    def __init__(self, layout: Layout = TIKI_TOPPLE) -> None:
        self._layout = layout
        self._tracker = MarkerTracker(layout)
        self._area = around_slots(layout, SURROUND_MM)
        self._face_area = face_area(layout)
        self._faces = Faces(layout)
        self._reference: BoardBackground | None = None
        self._surroundings: TableSnapshot | None = None
        self._paper: Light | None = None
        self._view: _View | None = None

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn faces, light and the board from a picture in which the ``line`` of *truth* stands.

        truth: `{"line": [...]}`, the names from the top down; those that are not in it keep what
        was known of them.  Raises BadCalibration, and nothing has changed, if the tiles are not in
        view or *truth* names no line of Tikis.
        """
        names = _parse_line(frame.name, truth, self._layout)
        strip = self._look(frame.picture)
        if strip is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        self._reference = BoardBackground(strip.floor, strip.view.surround.watched)
        tones = to_chroma(_soften(strip.faces))
        self._faces.learn(tones, range(len(names)), names)
        self._surroundings = TableSnapshot(ground_of(self._layout), strip.picture, strip.view.pose)
        self._paper = self._read_paper(strip)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.watching.eyes.Reader`."""

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        strip = self._look(frame.picture)
        if strip is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        light, arms = self._compare(strip)
        floor = to_chroma(strip.floor, light)
        textures = measure_texture(floor, self._layout, self._area)
        misfits = self._misfits(strip, light, textures)
        slots = self._weigh(misfits, arms, strip)
        sure = SURE_UNTAUGHT if self._reference is None else SURE
        doubtful = _find_doubtful(slots, sure)
        line, reason = _judge(slots, bool(arms.any()), doubtful)
        if line is not None:
            reason = self._doubt(strip, floor, len(line))
        if reason is not None:
            line = None
        if line is None:
            return Observation(
                frame.name,
                Status.UNSETTLED,
                slots,
                reason=reason,
                doubtful=doubtful,
                arms=self._find_sides(strip) if reason is Reason.HAND else frozenset(),
            )
        confidence = min(slot.of(slot.best) for slot in slots)
        return Observation(frame.name, Status.OK, slots, {"line": list(line)}, confidence)

    def _doubt(self, strip: _Strip, floor: Chroma, filled: int) -> Reason | None:
        """Return why a line of *filled* slots, empty ones below, is not so, or None if it is."""
        layout, area = self._layout, self._area
        if not is_bare(floor, layout, area, filled, strip.view.hulls):
            return Reason.HAND
        paper = self._read_paper(strip)
        if is_overexposed(paper, self._paper):
            return Reason.UNCLEAR
        bleached = is_bleached(strip.floor, to_levels(paper), layout, area, filled)
        return Reason.UNCLEAR if bleached else None

    def _read_paper(self, strip: _Strip) -> Light:
        return estimate_light(strip.picture, strip.view.pose, self._layout.mat)

    def _find_sides(self, strip: _Strip) -> frozenset[str]:
        """Return the mat sides from which arms come in over the board."""
        if self._surroundings is None:
            return frozenset()
        now = TableSnapshot(ground_of(self._layout), strip.picture, strip.view.pose)
        return self._surroundings.find_arm(now).sides

    def _look(self, picture: Picture) -> _Strip | None:
        picture = shrink_to_fit(picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return None
        if self._view is None or self._view.pose is not pose:
            self._view = self._lay_view(picture, pose)
        floor = coarsen(self._area.sample(picture, pose, self._layout.floor_z))
        faces = self._face_area.rectify(picture, pose, self._layout.top_z)
        return _Strip(self._view, picture, floor, faces)

    def _lay_view(self, picture: Picture, pose: Pose) -> _View:
        layout, area = self._layout, self._area
        pieces = hulls(layout, pose, area, PLAY_MM)
        visible = in_view(picture, pose, area, layout.floor_z)
        surround = build_surround(np.any(pieces, axis=0), visible)
        slot_in_view = tuple(bool(visible[piece].all()) for piece in pieces)
        return _View(pose, pieces, surround, slot_in_view)

    def _compare(self, strip: _Strip) -> tuple[Light, Mask]:
        """Return the light, and which coarse pixels something covers that reaches over the board.

        The likeliest light in which nothing does.
        """
        surround, reference = strip.view.surround, self._reference
        nothing = np.zeros(self._area.coarse, bool)
        if reference is None:
            return self._read_paper(strip), nothing
        compared = []
        for shaded, contrast in LIGHTS:
            light = reference.light(strip.floor, surround, shaded, contrast)
            arms = self._find_covered(strip, light, reference)
            if not arms.any():
                return light, nothing
            compared.append((light, arms))
        for light, _ in compared:
            if reference.find_arms(strip.floor, light, surround, nudged=True).none:
                return light, nothing
        return compared[0]

    def _find_covered(self, strip: _Strip, light: Light, reference: BoardBackground) -> Mask:
        """Return which coarse pixels something covers, if the light is so."""
        arms = reference.find_arms(strip.floor, light, strip.view.surround)
        if not arms.brighter.any():
            return arms.sure
        floor = to_chroma(strip.floor, light)
        textures = measure_texture(floor, self._layout, self._area)
        return arms.sure | self._unexplained(arms.brighter, textures, strip.view)

    def _unexplained(self, brighter: Mask, textures: NDArray[np.float32], view: _View) -> Mask:
        """Return what of *brighter* is not just light where a piece's shadow was learned.

        Shadows go with the pieces: an empty slot is close to where one has gone.
        """
        near = grow(brighter, SHADOW_MM)
        explained = any(
            textures[index] < WOOD and bool(near[hull].any())
            for index, hull in enumerate(view.hulls)
        )
        return np.zeros_like(brighter) if explained else brighter

    def _misfits(
        self, strip: _Strip, light: Light, textures: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return (slots, names + EMPTY + HIDDEN) how badly each class explains each slot."""
        tones = to_chroma(_soften(strip.faces), light)
        empty = TEXTURE_MISFIT * textures
        unknown = np.full(len(textures), UNKNOWN_MISFIT)
        misfits = self._faces.match(tones).astype(np.float64)
        if self._reference is None:
            misfits = self._guess(misfits, tones, np.flatnonzero(textures > WOOD))
            # Default faces are so smooth that wood may pass for one; too smooth a slot is no face.
            misfits += np.maximum(0.0, TEXTURE_MISFIT * WOOD - empty)[:, None]
        return np.column_stack([misfits, empty, unknown])

    def _guess(
        self, misfits: NDArray[np.float64], tones: Chroma, filled: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return misfits for faces never learned: all *filled* slots and the lamp at once.

        Paint and lamp differ from set to set more than some Tikis from each other; but no Tiki
        stands twice, and all stand under one lamp.
        """
        lamp = np.zeros(3, np.float32)
        for _ in range(GUESSES if len(filled) else 0):
            misfits = self._faces.match(tones - lamp).astype(np.float64)
            totals = least_totals(misfits[filled])
            best = totals.argmin(axis=1)
            lamp = self._faces.lamp(tones, filled.tolist(), best.tolist())
            # How much dearer the whole line gets with another name here; blunter than when learned.
            dearer = totals - totals.min(axis=1, keepdims=True)
            misfit = misfits[filled, best][:, None]
            blunted = BLUNTED * (misfit + dearer)
            misfits[filled] = np.where(misfit <= STRANGEST, blunted, misfits[filled])
        return misfits

    def _weigh(
        self, misfits: NDArray[np.float64], arms: Mask, strip: _Strip
    ) -> tuple[Evidence, ...]:
        """Return the evidence per slot; beside an arm a slot counts as hidden."""
        view = strip.view
        classes = (*self._layout.names, EMPTY, HIDDEN)
        misfits = misfits.copy()
        near = grow(arms, NEAR_ARM_MM) if arms.any() else arms
        for index, hull in enumerate(view.hulls):
            if not view.slot_in_view[index] or bool(near[hull].any()):
                misfits[index, -1] = 0.0
        least = misfits.min(axis=1, keepdims=True)
        vague = np.maximum(1.0, least / POOR)
        if vague.max() > 1.0:
            vague[~self._are_overexposed(strip)] = 1.0
        likely = np.exp(-(misfits - least) / (SHARPNESS * vague))
        likely /= likely.sum(axis=1, keepdims=True)
        return tuple(
            Evidence(dict(zip(classes, (float(p) for p in slot), strict=True))) for slot in likely
        )

    def _are_overexposed(self, strip: _Strip) -> NDArray[np.bool_]:
        """Return in which slots (slots,) much of what is seen is overexposed."""
        area, lost = self._face_area, measure_brightness(strip.faces) >= LOST
        shares = []
        for slot in self._layout.slots:
            left, top = (
                round(slot.x - slot.w / 2) - area.left,
                round(slot.y - slot.h / 2) - area.top,
            )
            seen = lost[max(top, 0) : top + round(slot.h), max(left, 0) : left + round(slot.w)]
            shares.append(float(seen.mean()))
        return np.array(shares) > MUCH_LOST


def _parse_line(name: str, truth: Mapping[str, Any], layout: Layout) -> list[int]:
    """Return the numbers of the Tikis in *truth*'s line, or raise BadCalibration naming *name*."""
    line = truth.get("line")
    if not isinstance(line, list | tuple) or not all(isinstance(each, str) for each in line):
        right = "a list of the Tikis' names, from the top down, would be right"
        raise BadCalibration(f"{name}: 'line' is {line!r:.40}; {right}")
    numbers = [layout.names.index(each) for each in line if each in layout.names]
    if not len(set(numbers)) == len(numbers) == len(line) or len(line) > len(layout.slots):
        raise BadCalibration(f"{name}: {', '.join(line)} is not a line of different Tikis")
    return numbers


def _judge(
    slots: Sequence[Evidence], arm_seen: bool, doubtful: Sequence[int]
) -> tuple[tuple[str, ...] | None, Reason | None]:
    """Return the line that the slots show, or None and the reason why there is none.

    doubtful: which slots cannot be relied on.
    """
    best = [slot.best for slot in slots]
    if arm_seen or HIDDEN in best:
        return None, Reason.HAND
    filled = next((i for i, name in enumerate(best) if name == EMPTY), len(best))
    line = tuple(best[:filled])
    if any(name != EMPTY for name in best[filled:]):
        return None, Reason.GAP
    if doubtful or len(line) < FEWEST:
        return None, Reason.UNCLEAR
    return line, None


def _find_doubtful(slots: Sequence[Evidence], least: float) -> tuple[int, ...]:
    """Return which slots, alone or beside the others, keep a line from being read.

    Those that are hidden or less certain than *least*, that seem to hold the same Tiki as another,
    or that seem empty above a Tiki.
    """
    best = [slot.best for slot in slots]
    last = max((at for at, name in enumerate(best) if name not in (EMPTY, HIDDEN)), default=-1)
    return tuple(
        at
        for at, (slot, name) in enumerate(zip(slots, best, strict=True))
        if name == HIDDEN
        or slot.of(name) < least
        or (name == EMPTY and at < last)
        or (name != EMPTY and best.count(name) > 1)
    )


def _soften(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mean of each 2 x 2 pixels: faces are compared at every second one."""
    return np.asarray(cv2.blur(picture, (2, 2), anchor=(0, 0)), np.uint8)


def ground_of(layout: Layout) -> Ground:
    """Return where arms reach over a line of slots."""
    slots = layout.slots
    left, top = min(s.x - s.w / 2 for s in slots), min(s.y - s.h / 2 for s in slots)
    right, bottom = max(s.x + s.w / 2 for s in slots), max(s.y + s.h / 2 for s in slots)
    return Ground(layout.board, (left, top, right, bottom))
