"""Reader of a line of pieces: which stands in which slot, or why that cannot be said."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import BadCalibration, Separation
from vision.capture.frame import Frame, Picture
from vision.geometry.layout import TIKI_TOPPLE, Layout
from vision.geometry.pose import Pose
from vision.geometry.rectification import Mask
from vision.geometry.table_tracking import track_table
from vision.geometry.table_view import view_of
from vision.line.assignment import min_assignment_costs
from vision.line.empty_slots import (
    MAX_EMPTY_TEXTURE,
    has_white_slot,
    is_groove_empty,
    measure_texture,
)
from vision.line.faces import FaceTemplates, face_area
from vision.line.view import LineView
from vision.observation import EMPTY, HIDDEN, Evidence, Observation, Reason, Status, Table
from vision.occlusion.arm_direction import ArmRegion, ReferenceTable
from vision.occlusion.board_background import ILLUMINATION_HYPOTHESES, BoardBackground
from vision.photometry.chromaticity import Chroma, ColourCorrection, max_channel, to_chroma, to_lut
from vision.photometry.white_reference import (
    SATURATED_LEVEL,
    estimate_white_balance,
    is_overexposed,
)

__all__ = ["BadCalibration", "LineReader"]

MIN_LINE: Final = 3
"""Tikis in a line: a round ends when three are left."""
HIDDEN_MISFIT: Final = 0.45
"""A slot that fits every class worse than this is hidden by something else."""
TEXTURE_TO_MISFIT: Final = 5.0
"""Makes the texture of an empty slot comparable with the misfit of a face."""
SOFTMAX_TEMPERATURE: Final = 0.03
"""A class whose misfit is smaller by this is e times as probable."""
MAX_SATURATED_SHARE: Final = 0.3
MIN_POOR_MISFIT: Final = 0.2
"""Where more of a slot is saturated its colours are lost: if then even the best misfit exceeds this
value, the softmax temperature rises in proportion."""
UNCALIBRATED_MISFIT_SCALE: Final = 0.4
MAX_UNCALIBRATED_MISFIT: Final = 0.6
"""Misfits from default faces are larger and say less; beyond this a face is another set's."""
MIN_FACE_DISTANCE: Final = 0.25
"""Misfit of two faces that are told apart well: half of the least on rendered tables."""
MIN_CONFIDENCE: Final = 0.8
MIN_UNCALIBRATED_CONFIDENCE: Final = 0.85
"""Probability of each slot's class in a reading: above 0.95 in good light; before a calibration no
background model tells a hand from the board."""


class LineReader:
    """Reads pictures of one table, in any order; best after `calibrate`."""

    def __init__(self, layout: Layout = TIKI_TOPPLE) -> None:
        self._layout = layout
        self._tracker = track_table(layout)
        self._faces = FaceTemplates(layout)
        self._view: LineView | None = None
        self._background: BoardBackground | None = None
        self._table = ReferenceTable(_arm_region(layout))
        self._white_balance: ColourCorrection | None = None

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn faces, illumination and board from a picture that shows the ``line`` of *truth*.

        truth: `{"line": [...]}`, the names from the top down; faces that are not in it stay as they
        were.  Raises BadCalibration, and nothing has changed, if the tiles are not in view or
        *truth* names no line of its pieces; the first must name all whose faces nobody knows.
        """
        names = _parse_line(frame.name, truth, self._layout)
        if not self._is_taught and len(names) < len(self._layout.names):
            raise BadCalibration(f"{frame.name}: the first line to learn has all the pieces in it")
        picture = view_of(frame).picture
        view = self._locate(frame)
        if view is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        floor, faces = view.rectify(picture)
        self._background = BoardBackground(floor, view.ring.watched)
        self._faces.learn(to_chroma(_average(faces)), range(len(names)), names)
        self._table.learn(picture, view.pose)
        self._white_balance = self._estimate_white_balance(picture, view.pose)

    @property
    def _is_taught(self) -> bool:
        """Whether faces are known: by default, or since `calibrate`."""
        return self._faces.has_defaults or self._background is not None

    def find_closest(self) -> Separation | None:
        """Return which two of the learned faces look most alike, None before `calibrate`."""
        found = self._faces.find_closest()
        if found is None:
            return None
        one, other, misfit = found
        names = self._layout.names
        return Separation(names[one], names[other], misfit / MIN_FACE_DISTANCE)

    def list_unseen(self) -> tuple[str, ...]:
        """Return the pieces whose faces were never learned."""
        learned = self._faces.learned
        return tuple(name for at, name in enumerate(self._layout.names) if at not in learned)

    def set_reference(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `table.readers.Reader`."""

    def recognise(self, frame: Frame, known: Table) -> Observation:
        """Return what *frame* shows: each slot is recognised by itself; see `Reader`."""
        del known
        return self.read(frame)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture without a mat gives an observation too."""
        picture = view_of(frame).picture
        view = self._locate(frame)
        if view is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        if not self._is_taught:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.NOT_CALIBRATED)
        floor, faces = view.rectify(picture)
        white_balance = self._estimate_white_balance(picture, view.pose)
        correction, arms = self._find_arms(floor, view, white_balance)
        floor_chroma = to_chroma(floor, correction)
        textures = measure_texture(floor_chroma, self._layout, view.area)
        misfits = self._measure_misfits(to_chroma(_average(faces), correction), textures)
        misfits[view.find_hidden(arms), -1] = 0.0
        slots = self._estimate_posteriors(misfits, faces)
        uncertain = self._find_uncertain(slots)
        line, reason = _judge(slots, bool(arms.any()), uncertain)
        if line is not None:
            reason = self._check_groove(len(line), view, floor, floor_chroma, white_balance)
        if line is None or reason is not None:
            return Observation(
                frame.name,
                Status.UNSETTLED,
                slots,
                reason=reason,
                doubtful=uncertain,
                arms=self._table.find_arm(picture, view.pose).sides
                if reason is Reason.HAND
                else frozenset(),
            )
        confidence = min(slot.of(slot.best) for slot in slots)
        return Observation(frame.name, Status.OK, slots, {"line": list(line)}, confidence)

    def _locate(self, frame: Frame) -> LineView | None:
        """Return the view of the board in *frame*, or None if the tiles are not in view."""
        seen = view_of(frame)
        pose = self._tracker.locate(seen)
        if pose is None:
            return None
        if self._view is None or self._view.pose is not pose:
            self._view = LineView(self._layout, seen.picture, pose)
        return self._view

    def _estimate_white_balance(self, picture: Picture, pose: Pose) -> ColourCorrection:
        return estimate_white_balance(picture, pose, self._layout.mat)

    def _find_arms(
        self, floor: NDArray[np.uint8], view: LineView, white_balance: ColourCorrection
    ) -> tuple[ColourCorrection, Mask]:
        """Return the correction to the calibration's light, and which coarse pixels arms occlude.

        The first hypothesis of the illumination under which nothing does, if there is one.
        """
        background, nothing = self._background, np.zeros(view.area.coarse_shape, bool)
        if background is None:
            return white_balance, nothing
        candidates = []
        for hypothesis in ILLUMINATION_HYPOTHESES:
            correction = background.fit_correction(floor, view.ring, *hypothesis)
            arms = background.find_arms(floor, correction, view.ring)
            occluded = arms.certain
            if arms.brightened.any():
                textures = measure_texture(to_chroma(floor, correction), self._layout, view.area)
                # Shadows go with the pieces: an empty slot is close to where one has gone.
                if not view.is_beside_empty_slot(arms.brightened, textures < MAX_EMPTY_TEXTURE):
                    occluded = occluded | arms.brightened
            if not occluded.any():
                return correction, nothing
            candidates.append((correction, occluded))
        for correction, _ in candidates:
            if background.find_arms(floor, correction, view.ring, may_have_shifted=True).is_empty:
                return correction, nothing
        return candidates[0]

    def _measure_misfits(self, faces: Chroma, textures: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return how badly each class fits each slot: (slots, names + EMPTY + HIDDEN)."""
        empty = TEXTURE_TO_MISFIT * textures
        misfits = self._faces.match(faces).astype(np.float64)
        if self._background is None:
            filled = np.flatnonzero(textures > MAX_EMPTY_TEXTURE)
            misfits = self._match_default_faces(misfits, faces, filled)
            # Default faces are so smooth that wood may fit one; too smooth a slot is no face.
            min_face = TEXTURE_TO_MISFIT * MAX_EMPTY_TEXTURE
            misfits += np.maximum(0.0, min_face - empty)[:, None]
        return np.column_stack([misfits, empty, np.full(len(textures), HIDDEN_MISFIT)])

    def _match_default_faces(
        self, misfits: NDArray[np.float64], faces: Chroma, filled: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return misfits with default faces, from all *filled* slots and their colour cast at once.

        Paint and illumination differ between sets more than some Tikis from each other; but no Tiki
        stands twice, and all stand in the same light.
        """
        cast = np.zeros(3, np.float32)
        for _ in range(4 if len(filled) else 0):  # cast and line agree after two or three
            misfits = self._faces.match(faces - cast).astype(np.float64)
            totals = min_assignment_costs(misfits[filled])
            best = totals.argmin(axis=1)
            cast = self._faces.estimate_cast(faces, filled.tolist(), best.tolist())
            # How much the whole line's cost rises with another name here.
            rise = totals - totals.min(axis=1, keepdims=True)
            misfit = misfits[filled, best][:, None]
            scaled = UNCALIBRATED_MISFIT_SCALE * (misfit + rise)
            misfits[filled] = np.where(misfit <= MAX_UNCALIBRATED_MISFIT, scaled, misfits[filled])
        return misfits

    def _estimate_posteriors(
        self, misfits: NDArray[np.float64], faces: NDArray[np.uint8]
    ) -> tuple[Evidence, ...]:
        """Return the posterior of each slot from its *misfits*."""
        classes = (*self._layout.names, EMPTY, HIDDEN)
        least = misfits.min(axis=1, keepdims=True)
        temperature = np.maximum(1.0, least / MIN_POOR_MISFIT)
        if temperature.max() > 1.0:
            temperature[~self._are_saturated(faces)] = 1.0
        likely = np.exp(-(misfits - least) / (SOFTMAX_TEMPERATURE * temperature))
        likely /= likely.sum(axis=1, keepdims=True)
        return tuple(
            Evidence(dict(zip(classes, (float(p) for p in slot), strict=True))) for slot in likely
        )

    def _are_saturated(self, faces: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return in which slots (slots,) much of the picture is saturated."""
        area, saturated = face_area(self._layout), max_channel(faces) >= SATURATED_LEVEL
        shares = []
        for slot in self._layout.slots:
            left = round(slot.x - slot.w / 2) - area.left
            top = round(slot.y - slot.h / 2) - area.top
            rows = slice(max(top, 0), top + round(slot.h))
            columns = slice(max(left, 0), left + round(slot.w))
            shares.append(float(saturated[rows, columns].mean()))
        return np.array(shares) > MAX_SATURATED_SHARE

    def _find_uncertain(self, slots: Sequence[Evidence]) -> tuple[int, ...]:
        """Return which slots, alone or beside the others, keep a line from being read.

        Those that are hidden or uncertain, that seem to hold the same Tiki as another, or that seem
        empty above a Tiki.
        """
        calibrated = self._background is not None
        min_confidence = MIN_CONFIDENCE if calibrated else MIN_UNCALIBRATED_CONFIDENCE
        best = [slot.best for slot in slots]
        last = max((at for at, name in enumerate(best) if name not in (EMPTY, HIDDEN)), default=-1)
        return tuple(
            at
            for at, (slot, name) in enumerate(zip(slots, best, strict=True))
            if name == HIDDEN
            or slot.of(name) < min_confidence
            or (name == EMPTY and at < last)
            or (name != EMPTY and best.count(name) > 1)
        )

    def _check_groove(
        self,
        filled: int,
        view: LineView,
        floor: NDArray[np.uint8],
        floor_chroma: Chroma,
        white_balance: ColourCorrection,
    ) -> Reason | None:
        """Return why slots below *filled* ones are not surely empty, or None if they are."""
        if not is_groove_empty(floor_chroma, self._layout, view.area, filled, view.masks):
            return Reason.HAND
        is_white = has_white_slot(floor, to_lut(white_balance), self._layout, view.area, filled)
        if is_white or is_overexposed(white_balance, self._white_balance):
            return Reason.UNCLEAR
        return None


def _parse_line(name: str, truth: Mapping[str, Any], layout: Layout) -> list[int]:
    """Return the numbers of the pieces in *truth*'s line, or raise BadCalibration naming *name*."""
    line = truth.get("line")
    if not isinstance(line, list | tuple) or not all(isinstance(each, str) for each in line):
        right = "it must be a list of the pieces' names, from the top down"
        raise BadCalibration(f"{name}: 'line' is {line!r:.40}; {right}")
    numbers = [layout.names.index(each) for each in line if each in layout.names]
    if not len(set(numbers)) == len(numbers) == len(line) or len(line) > len(layout.slots):
        raise BadCalibration(f"{name}: {', '.join(line)} is not a line of its different pieces")
    return numbers


def _judge(
    slots: Sequence[Evidence], has_arm: bool, uncertain: Sequence[int]
) -> tuple[tuple[str, ...] | None, Reason | None]:
    """Return the line that the slots show, or None and the reason why there is none."""
    best = [slot.best for slot in slots]
    if has_arm:
        return None, Reason.HAND
    if HIDDEN in best:
        return None, Reason.UNCLEAR
    filled = next((i for i, name in enumerate(best) if name == EMPTY), len(best))
    line = tuple(best[:filled])
    if any(name != EMPTY for name in best[filled:]):
        return None, Reason.GAP
    if uncertain or len(line) < MIN_LINE:
        return None, Reason.UNCLEAR
    return line, None


def _average(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mean of each 2 x 2 pixels: faces are compared at every second one."""
    return np.asarray(cv2.blur(picture, (2, 2), anchor=(0, 0)), np.uint8)


def _arm_region(layout: Layout) -> ArmRegion:
    """Return where arms reach over a line of slots."""
    slots = layout.slots
    left, top = min(s.x - s.w / 2 for s in slots), min(s.y - s.h / 2 for s in slots)
    right, bottom = max(s.x + s.w / 2 for s in slots), max(s.y + s.h / 2 for s in slots)
    return ArmRegion(layout.board, (left, top, right, bottom))
