"""Read UNO Tiki's table: the card on the discard pile, and the face that shows in the idol."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration import NO_CARD, BadCalibration
from vision.capture.frame import Frame, Picture
from vision.capture.frame_cache import FrameCache
from vision.cards.acceptance import is_sure
from vision.cards.layout import UNO_TIKI, CardSize, UnoLayout
from vision.cards.pointer import Arm, IdolReader
from vision.cards.reidentification import Lying, Memory
from vision.cards.tiki_face import Back, is_same_back, look_behind, weigh_back
from vision.cards.top_card import TopCard, Window, is_as_large, look_at
from vision.cards.uno_card import TIKI, WILD, find_spirals, weigh_card
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose
from vision.geometry.rectification import downscale_to_limit
from vision.observation import HIDDEN, Evidence, Observation, Pointing, Reason, Status, Table
from vision.occlusion.arms_over_cards import ArmDetector
from vision.occlusion.background import BackgroundModel, ObjectBox
from vision.photometry.chromaticity import ColourCorrection, to_lut
from vision.photometry.saturated_white import measure_overexposure
from vision.photometry.white_reference import estimate_white_balance

ROOM_MM: Final = 54.0
"""How far from the middle of the discard pile a card reaches, whichever way it lies."""
THICKEST_MM: Final = 9.0
LOOKED_AT_Z_MM: Final = 4.0
WINDOW_MM: Final = 124.0
"""The side of the window in which the discarded card is looked for."""
DRAW_ROOM_MM: Final = 8.0
DRAW_PILE_MM: Final = 30.0
IDOL_TOP_MM: Final = 70.0
IDOL_SHARE: Final = 0.4
"""The idol's height, and half its width there as a share of its foot's."""
ARM_TOP_MM: Final = 34.0
LEAST_BORDER: Final = 0.85
MOST_SPREAD_MM: Final = 2.0
"""A pose that fits the tiles no better is of a stretched picture or of pushed tiles: what stands as
high as the arm would be seen elsewhere.  Cameras that only moved come to less than 0.1.
"""
SPIN: Final = "spin"
SAME_LEVELS: Final = 8
"""By how many levels any block of the pile may differ if nothing has changed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """The discard pile as it looked when its card was last named for sure: in blocks, closely."""

    blocks: NDArray[np.int16]
    evidence: Evidence
    lying: Lying


class UnoReader:
    """Reads pictures of UNO Tiki's table, in any order; the idol only after `calibrate`.

    Its places are the discard pile, such as "red-7-spin", and the face in the idol, "tiki-draw2".
    """

    def __init__(self, layout: UnoLayout = UNO_TIKI) -> None:
        self._layout = layout
        self._tracker = MarkerTracker(layout)
        self._idol = IdolReader(layout.idol)
        self._side: float | None = None
        self._known: _Known | None = None
        self._memory = Memory(layout.card)
        self._backs = FrameCache[Back | None]()
        self._back: Back | None = None
        self._reaching = ArmDetector(layout.mat, _played(layout), _background(layout))

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the table, the card's size and the idol's arm from a picture of a known table.

        truth: `{"discard": ..., "idol_deg": 0.0}`.  Raises BadCalibration, and nothing is read
        by it, if the tiles, the card or the arm are not in view.
        """
        deg = truth.get("idol_deg")
        if isinstance(deg, bool) or not isinstance(deg, int | float):
            raise BadCalibration(f"{frame.name}: idol_deg is {deg!r}; an angle would be right")
        picture = downscale_to_limit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        light = estimate_white_balance(picture, pose, self._layout.mat)
        card = self._card(self._window(picture, pose, light))
        if card is None:
            raise BadCalibration(f"{frame.name}: {NO_CARD.format('the discard pile')}")
        if not self._idol.learn(picture, pose, light, float(deg)):
            raise BadCalibration(f"{frame.name}: no arm found at {deg:g} degrees; turn the idol")
        self._side = card.panel.side
        self._known = None
        self._memory.forget()
        self._backs.forget()
        self._reaching.learn(frame.name, picture, pose)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.eyes.Reader`.

        What lies there is named by the referee then; the eyes keep how it looks.
        """
        del table
        self._memory.believe(frame)
        self._reaching.believe(frame)
        if frame in self._backs:
            self._back = self._backs[frame]

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        picture = downscale_to_limit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        light = estimate_white_balance(picture, pose, self._layout.mat)
        white = self._reaching.measure_white(picture, pose)
        discard, lying = self._weigh_discard(self._window(picture, pose, light, white))
        arm = self._idol.find(picture, pose, light) if pose.residual_mm <= MOST_SPREAD_MM else None
        arm = arm if arm is not None and arm.sure else None
        back = None if arm is None else self._look_behind(picture, pose, light, arm)
        unchanged, since = self._compare(lying, back)
        seen = Observation(
            frame.name,
            Status.UNSETTLED,
            (discard, weigh_back(back)),
            doubtful=_doubtful(discard, arm),
            unchanged=unchanged,
            since=since,
        )
        may_be_light = bool(since) and not seen.doubtful
        reach = self._reaching.find_arm(picture, pose, may_be_light=may_be_light)
        if reach is not None:
            return replace(seen, reason=Reason.HAND, arms=reach.sides)
        self._keep(frame.name, lying, back)
        self._reaching.keep(frame.name, picture, pose, white)
        seen = replace(seen, facts=_facts(arm))
        if arm is None or not is_sure(discard):
            is_hidden = discard.of(HIDDEN) == 1.0
            return replace(seen, reason=Reason.HIDDEN if is_hidden else Reason.UNCLEAR)
        confidence = min(discard.of(discard.best), _surety(arm))
        reading = {"discard": _describe(discard.best), "idol_deg": round(arm.deg, 1) % 360.0}
        return replace(seen, status=Status.OK, reading=reading, confidence=confidence)

    def _window(
        self,
        picture: Picture,
        pose: Pose,
        light: ColourCorrection,
        white: NDArray[np.float64] | None = None,
    ) -> Window:
        size, levels = CardSize(WINDOW_MM, WINDOW_MM), to_lut(light)
        (window,) = look_at(
            picture,
            pose,
            levels,
            (self._layout.discard,),
            size,
            LOOKED_AT_Z_MM,
            measure_overexposure(white),
        )
        return window

    def _card(self, window: Window) -> TopCard | None:
        """Return the whole card on the discard pile, or None."""
        card = window.find_card(self._layout.card)
        if card is None or card.face.border < LEAST_BORDER:
            return None
        return card if self._side is None or is_as_large(card.panel, self._side) else None

    def _weigh_discard(self, window: Window) -> tuple[Evidence, Lying]:
        """Return the evidence for the discarded card, and how it lies.

        A pile that looks just as when it was last named for sure is not named again.
        """
        blocks, known = window.coarsen(), self._known
        if known is not None and int(np.abs(blocks - known.blocks).max()) <= SAME_LEVELS:
            return known.evidence, known.lying
        card = self._card(window)
        evidence, lying = _weigh_card(card), Lying(window, card)
        if is_sure(evidence):
            self._known = _Known(blocks, evidence, lying)
        return evidence, lying

    def _look_behind(self, picture: Picture, pose: Pose, light: ColourCorrection, arm: Arm) -> Back:
        return look_behind(picture, pose, to_lut(light), self._layout.idol, arm.deg)

    def _compare(self, lying: Lying, back: Back | None) -> tuple[tuple[float, ...], str]:
        """Return how surely each place looks as in the picture last believed, and its name."""
        alike = self._memory.compare([lying])
        return (*alike, is_same_back(self._back, back)) if alike else (), self._memory.since

    def _keep(self, frame: str, lying: Lying, back: Back | None) -> None:
        """Remember how the table looks until the picture *frame* is believed."""
        self._memory.keep(frame, [lying])
        self._backs.keep(frame, back)


def _background(layout: UnoLayout) -> BackgroundModel:
    """Return the table around the discard pile and the idol; the draw pile may grow and shrink."""
    idol, discard, draw = layout.idol, layout.discard, layout.draw
    reach, body = idol.arm_reach + 2.0, idol.diameter * IDOL_SHARE
    things = [
        ObjectBox(discard.x, discard.y, ROOM_MM, ROOM_MM, THICKEST_MM),
        ObjectBox(idol.x, idol.y, reach, reach, ARM_TOP_MM),
        ObjectBox(idol.x, idol.y, body, body, IDOL_TOP_MM),
    ]
    half_w, half_h = layout.card.w / 2 + DRAW_ROOM_MM, layout.card.h / 2 + DRAW_ROOM_MM
    return BackgroundModel(things, [ObjectBox(draw.x, draw.y, half_w, half_h, DRAW_PILE_MM)])


def _played(layout: UnoLayout) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom edge of the part of the table in which things change."""
    idol, discard = layout.idol, layout.discard
    things = ((idol.x, idol.y, idol.arm_reach), (discard.x, discard.y, ROOM_MM))
    left, top = (min(thing[axis] - thing[2] for thing in things) for axis in (0, 1))
    right, bottom = (max(thing[axis] + thing[2] for thing in things) for axis in (0, 1))
    return left, top, right, bottom


def _weigh_card(card: TopCard | None) -> Evidence:
    """Return the evidence for a discarded card, "red-7-spin" or "red-7"; a Tiki Face is "tiki"."""
    if card is None:
        return Evidence({HIDDEN: 1.0})
    spin = find_spirals(card.face)
    likely: dict[str, float] = {}
    for name, share in weigh_card(card.face).probabilities.items():
        if name in (HIDDEN, f"{WILD} {TIKI}"):
            likely[name.rpartition(" ")[2]] = share
            continue
        plain = WILD if name == f"{WILD} {WILD}" else name.replace(" ", "-")
        marked = 0.5 if spin is None else float(spin)
        likely |= {plain: share * (1.0 - marked), f"{plain}-{SPIN}": share * marked}
    return Evidence({name: share for name, share in likely.items() if share})


def _describe(card: str) -> dict[str, Any]:
    """Return a card as `tiki read` prints it.

    >>> _describe("red-7-spin"), _describe("tiki")["color"]
    ({'color': 'red', 'symbol': '7', 'spin': True}, 'wild')
    """
    name, *parts = card.split("-")
    spin = parts[-1:] == [SPIN]
    if name in (WILD, TIKI):
        return {"color": WILD, "symbol": name, "spin": spin}
    return {"color": name, "symbol": parts[0], "spin": spin}


def _surety(arm: Arm) -> float:
    """Return how sure it is that the *arm* points where it seems to."""
    return min(0.99, 0.6 + arm.score)


def _facts(arm: Arm | None) -> tuple[Pointing, ...]:
    """Return where the idol points."""
    return () if arm is None else (Pointing(round(arm.deg, 1) % 360.0),)


def _doubtful(discard: Evidence, arm: Arm | None) -> tuple[int, ...]:
    """Return which places kept the table from being read."""
    unsure = (not is_sure(discard), arm is None)
    return tuple(at for at, doubted in enumerate(unsure) if doubted)
