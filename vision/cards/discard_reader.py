"""Reader of UNO Tiki's table: the card on the discard pile, and the Tiki Face in the idol."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration import NO_CARD, BadCalibration
from vision.capture.frame import Frame, Picture
from vision.capture.frame_cache import FrameCache
from vision.cards.acceptance import is_accepted
from vision.cards.detection import (
    MAX_PILE_HEIGHT_MM,
    PLACEMENT_MARGIN_MM,
    PilePatch,
    PileSnapshot,
    crop_pile_patches,
)
from vision.cards.layout import UNO_TIKI, CardSize, UnoLayout
from vision.cards.pointer import Pointer, PointerDetector
from vision.cards.spirals import detect_spirals
from vision.cards.table_reader import CardTableReader
from vision.cards.tiki_face import IdolBack, classify_back, crop_back, reidentify_back
from vision.cards.uno_card import TIKI, WILD, classify_card
from vision.geometry.pose import Pose
from vision.observation import HIDDEN, Evidence, Observation, Pointing, Reason, Status, Table
from vision.occlusion.arms_over_cards import ArmDetector
from vision.occlusion.background import BackgroundModel, ObjectBox
from vision.photometry.chromaticity import ColourCorrection, to_lut
from vision.photometry.white_reference import estimate_white_balance

DISCARD_RADIUS_MM: Final = 54.0
"""How far from its place a discarded card reaches at any angle: half its diagonal, and 2 mm."""
PATCH_MM: Final = 124.0
"""Side of the patch in which the discarded card is detected: its diagonal, and 10 mm all round."""
MAX_DRAW_PILE_HEIGHT_MM: Final = 30.0
"""The whole deck."""
IDOL_HEIGHT_MM: Final = 70.0
POINTER_HEIGHT_MM: Final = 34.0
IDOL_HALF_WIDTH_SHARE: Final = 0.4
"""Heights of idol and arm, and half the idol's width above its foot, over the foot's diameter."""
MAX_POSE_SPREAD_MM: Final = 2.0
"""A pose that fits the tiles worse is of a stretched picture or of pushed tiles, where the high
pointer is seen at another angle.  Of a camera that only moved it is less than 0.1."""
SPIN: Final = "spin"


class UnoReader(CardTableReader):
    """Reads pictures of UNO Tiki's table, in any order; the idol only after `calibrate`, or a spin.

    Shown in the order in which they were taken, two pictures between which the idol was spun teach
    what its arm looks like.
    Its places are the discard pile, such as "red-7-spin", and the face in the idol, "tiki-draw2".
    """

    def __init__(self, layout: UnoLayout = UNO_TIKI) -> None:
        arms = ArmDetector(layout.mat, _played_area(layout), _background(layout))
        super().__init__(layout, arms)
        self._layout = layout
        self._pointer_detector = PointerDetector(layout.idol)
        self._recent_backs = FrameCache[IdolBack | None]()
        self._believed_back: IdolBack | None = None

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the table, the card's size and the pointer from a picture of a known table.

        truth: `{"discard": ..., "idol_deg": 0.0}`.  Raises BadCalibration if the tiles, the card
        or the pointer are not visible.
        """
        deg = truth.get("idol_deg")
        if isinstance(deg, bool) or not isinstance(deg, int | float):
            raise BadCalibration(f"{frame.name}: idol_deg is {deg!r}; it must be an angle")
        picture, pose = self._locate_for_calibration(frame)
        light = estimate_white_balance(picture, pose, self._layout.mat)
        card = self._detector.detect(self._crop_patch(picture, pose, light))
        if card is None:
            raise BadCalibration(f"{frame.name}: {NO_CARD.format('the discard pile')}")
        if not self._pointer_detector.calibrate(picture, pose, light, float(deg)):
            raise BadCalibration(f"{frame.name}: no arm found at {deg:g} degrees; turn the idol")
        self._recent_backs.forget()
        self._start_from(frame, picture, pose, card.panel.side)

    def set_reference(self, frame: str, table: Table) -> None:
        """Compare later pictures with the picture *frame*, and its idol's back with that one's."""
        super().set_reference(frame, table)
        if frame in self._recent_backs:
            self._believed_back = self._recent_backs[frame]

    def read(self, frame: Frame) -> Observation:
        """Return the observation of *frame*; one without the mat in view is an observation too."""
        located = self._locate(frame)
        if located is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        picture, pose = located
        light = estimate_white_balance(picture, pose, self._layout.mat)
        white = self._arms.measure_white(picture, pose)
        discard, snapshot = self._classify_discard(self._crop_patch(picture, pose, light, white))
        pointer = self._detect_pointer(picture, pose, light)
        back = None
        if pointer is not None:
            back = crop_back(picture, pose, to_lut(light), self._layout.idol, pointer.deg)
        unchanged = self._reidentifier.compare([snapshot])
        if unchanged:
            unchanged = (*unchanged, reidentify_back(self._believed_back, back))
        is_discard_accepted = is_accepted(discard)
        is_doubtful = (not is_discard_accepted, pointer is None)
        observation = Observation(
            frame.name,
            Status.UNSETTLED,
            (discard, classify_back(back)),
            doubtful=tuple(place for place in range(2) if is_doubtful[place]),
            unchanged=unchanged,
            since=self._reidentifier.reference,
        )
        may_be_light = bool(observation.since) and not observation.doubtful
        arm = self._arms.find_arm(picture, pose, may_be_light=may_be_light)
        if arm is not None:
            return replace(observation, reason=Reason.HAND, arms=arm.sides)
        self._reidentifier.keep(frame.name, [snapshot])
        self._recent_backs.keep(frame.name, back)
        self._arms.keep(frame.name, picture, pose, white)
        shown = pointer or self._watch_turn(picture, pose, light)
        deg = None if shown is None else round(shown.deg, 1) % 360.0
        observation = replace(observation, facts=() if deg is None else (Pointing(deg),))
        if pointer is None or not is_discard_accepted:
            is_hidden = discard.of(HIDDEN) == 1.0
            return replace(observation, reason=Reason.HIDDEN if is_hidden else Reason.UNCLEAR)
        return replace(
            observation,
            status=Status.OK,
            reading={"discard": _parse_card(discard.best), "idol_deg": deg},
            confidence=min(discard.of(discard.best), pointer.confidence),
        )

    def _crop_patch(
        self,
        picture: Picture,
        pose: Pose,
        light: ColourCorrection,
        white: NDArray[np.float64] | None = None,
    ) -> PilePatch:
        size = CardSize(PATCH_MM, PATCH_MM)
        (patch,) = crop_pile_patches(picture, pose, light, (self._layout.discard,), size, white)
        return patch

    def _classify_discard(self, patch: PilePatch) -> tuple[Evidence, PileSnapshot]:
        """Return evidence and snapshot of the discard pile; without a whole card it is HIDDEN."""
        cached = self._cache.find(0, patch)
        if cached is not None:
            return cached.evidence, cached.snapshot
        snapshot = PileSnapshot(patch, self._detector.detect(patch))
        evidence = _classify_top(snapshot)
        if is_accepted(evidence):
            self._cache.store(0, snapshot, evidence)
        return evidence, snapshot

    def _detect_pointer(
        self, picture: Picture, pose: Pose, light: ColourCorrection
    ) -> Pointer | None:
        if pose.residual_mm > MAX_POSE_SPREAD_MM:
            return None
        pointer = self._pointer_detector.detect(picture, pose, light)
        return pointer if pointer is not None and pointer.is_accepted else None

    def _watch_turn(self, picture: Picture, pose: Pose, light: ColourCorrection) -> Pointer | None:
        if pose.residual_mm > MAX_POSE_SPREAD_MM:
            return None
        return self._pointer_detector.watch_turn(picture, pose, light)


def _background(layout: UnoLayout) -> BackgroundModel:
    """Return the model of the table; the draw pile, which grows and shrinks, is left out of it."""
    idol, discard, draw = layout.idol, layout.discard, layout.draw
    reach, body = idol.arm_reach + 2.0, idol.diameter * IDOL_HALF_WIDTH_SHARE
    things = [
        ObjectBox(discard.x, discard.y, DISCARD_RADIUS_MM, DISCARD_RADIUS_MM, MAX_PILE_HEIGHT_MM),
        ObjectBox(idol.x, idol.y, reach, reach, POINTER_HEIGHT_MM),
        ObjectBox(idol.x, idol.y, body, body, IDOL_HEIGHT_MM),
    ]
    half_w, half_h = (
        layout.card.w / 2 + PLACEMENT_MARGIN_MM,
        layout.card.h / 2 + PLACEMENT_MARGIN_MM,
    )
    return BackgroundModel(
        things, [ObjectBox(draw.x, draw.y, half_w, half_h, MAX_DRAW_PILE_HEIGHT_MM)]
    )


def _played_area(layout: UnoLayout) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom in mm of the part of the table in which things change."""
    idol, discard = layout.idol, layout.discard
    circles = ((idol.x, idol.y, idol.arm_reach), (discard.x, discard.y, DISCARD_RADIUS_MM))
    left, top = (min(each[axis] - each[2] for each in circles) for axis in (0, 1))
    right, bottom = (max(each[axis] + each[2] for each in circles) for axis in (0, 1))
    return left, top, right, bottom


def _classify_top(pile: PileSnapshot) -> Evidence:
    """Return the evidence for a discarded card, "red-7-spin" or "red-7"; a Tiki Face is "tiki"."""
    if pile.card is None:
        return Evidence({HIDDEN: 1.0})
    has_spirals = detect_spirals(pile.card.crop)
    spin = 0.5 if has_spirals is None else float(has_spirals)
    probabilities: dict[str, float] = {}
    for name, probability in classify_card(pile.card.crop).probabilities.items():
        if name in (HIDDEN, f"{WILD} {TIKI}"):
            probabilities[name.rpartition(" ")[2]] = probability
            continue
        plain = WILD if name == f"{WILD} {WILD}" else name.replace(" ", "-")
        probabilities[plain] = probability * (1.0 - spin)
        probabilities[f"{plain}-{SPIN}"] = probability * spin
    return Evidence({name: each for name, each in probabilities.items() if each})


def _parse_card(name: str) -> dict[str, Any]:
    """Return a card as `tiki read` prints it.

    >>> _parse_card("red-7-spin"), _parse_card("tiki")["color"]
    ({'color': 'red', 'symbol': '7', 'spin': True}, 'wild')
    """
    first, *others = name.split("-")
    spin = others[-1:] == [SPIN]
    if first in (WILD, TIKI):
        return {"color": WILD, "symbol": first, "spin": spin}
    return {"color": first, "symbol": others[0], "spin": spin}
