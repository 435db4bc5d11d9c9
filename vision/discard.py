"""Read UNO Tiki's table: the card on the discard pile, and where the idol points."""

from collections.abc import Mapping
from typing import Any, Final

from vision.calibration import BadCalibration
from vision.card_layout import UNO_TIKI, CardSize, UnoLayout
from vision.certainty import is_sure
from vision.frame import Frame, Picture
from vision.idol import Arm, IdolReader
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status
from vision.palette import Light, to_levels
from vision.paper import read_paper_light
from vision.play_area import PlayArea, Thing
from vision.pose import Pose
from vision.rectify import shrink_to_fit
from vision.tiles import TileTracker
from vision.top_card import TopCard, is_as_large, look_at
from vision.uno_card import find_spirals, weigh_card

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


class UnoReader:
    """Reads pictures of UNO Tiki's table, in any order; the idol only after `calibrate`."""

    def __init__(self, layout: UnoLayout = UNO_TIKI) -> None:
        self._layout = layout
        self._tracker = TileTracker(layout)
        self._idol = IdolReader(layout.idol)
        self._play_area = _play_area(layout)
        self._side: float | None = None

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the table, the card's size and the idol's arm from a picture of a known table.

        truth: `{"discard": ..., "idol_deg": 0.0}`.  Raises BadCalibration, and nothing is read
        by it, if the tiles, the card or the arm are not in view.
        """
        deg = truth.get("idol_deg")
        if isinstance(deg, bool) or not isinstance(deg, int | float):
            raise BadCalibration(f"{frame.name}: idol_deg is {deg!r}; an angle would be right")
        picture = shrink_to_fit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        light = read_paper_light(picture, pose, self._layout.mat)
        card = self._card(picture, pose, light)
        if card is None:
            raise BadCalibration(f"{frame.name}: no card found on the discard pile; uncover it")
        if not self._idol.learn(picture, pose, light, float(deg)):
            raise BadCalibration(f"{frame.name}: no arm found at {deg:g} degrees; turn the idol")
        self._side = card.panel.side
        self._play_area.learn(picture, pose)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        picture = shrink_to_fit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        light = read_paper_light(picture, pose, self._layout.mat)
        card = self._card(picture, pose, light)
        arm = self._idol.find(picture, pose, light) if pose.spread_mm <= MOST_SPREAD_MM else None
        places = (_weigh_discard(card), _weigh_arm(arm))
        reason = _doubt(places, self._idol.knows_arm)
        if reason is not Reason.HAND and self._play_area.is_reached_over(picture, pose):
            reason = Reason.HAND
        if reason is not None or arm is None:
            reason = reason or Reason.UNCLEAR
            unsure = (not is_sure(places[0]), places[1].best == HIDDEN)
            doubtful = tuple(at for at, doubted in enumerate(unsure) if doubted)
            return Observation(
                frame.name, Status.UNSETTLED, places, reason=reason, doubtful=doubtful
            )
        color, symbol, *spin = places[0].best.split()
        discard = {"color": color, "symbol": symbol, "spin": spin == [SPIN]}
        reading = {"discard": discard, "idol_deg": round(arm.deg, 1) % 360.0}
        confidence = min(place.of(place.best) for place in places)
        return Observation(frame.name, Status.OK, places, reading, confidence)

    def _card(self, picture: Picture, pose: Pose, light: Light) -> TopCard | None:
        """Return the whole card on the discard pile, or None."""
        size, levels = CardSize(WINDOW_MM, WINDOW_MM), to_levels(light)
        (window,) = look_at(picture, pose, levels, (self._layout.discard,), size, LOOKED_AT_Z_MM)
        card = window.find_card(self._layout.card)
        if card is None or card.face.border < LEAST_BORDER:
            return None
        return card if self._side is None or is_as_large(card.panel, self._side) else None


def _play_area(layout: UnoLayout) -> PlayArea:
    """Return the table around the discard pile and the idol; the draw pile may grow and shrink."""
    idol, discard, draw = layout.idol, layout.discard, layout.draw
    reach, body = idol.arm_reach + 2.0, idol.diameter * IDOL_SHARE
    things = [
        Thing(discard.x, discard.y, ROOM_MM, ROOM_MM, THICKEST_MM),
        Thing(idol.x, idol.y, reach, reach, ARM_TOP_MM),
        Thing(idol.x, idol.y, body, body, IDOL_TOP_MM),
    ]
    half_w, half_h = layout.card.w / 2 + DRAW_ROOM_MM, layout.card.h / 2 + DRAW_ROOM_MM
    return PlayArea(things, [Thing(draw.x, draw.y, half_w, half_h, DRAW_PILE_MM)])


def _weigh_discard(card: TopCard | None) -> Evidence:
    """Return the evidence for the discarded card, "red 7 spin" or "red 7"."""
    if card is None:
        return Evidence({HIDDEN: 1.0})
    evidence = weigh_card(card.face)
    spin = find_spirals(card.face)
    if spin is None:
        return Evidence({HIDDEN: 0.9, evidence.best: 0.1})
    mark = f" {SPIN}" if spin else ""
    return Evidence(
        {
            name if name == HIDDEN else name + mark: share
            for name, share in evidence.probabilities.items()
        }
    )


def _weigh_arm(arm: Arm | None) -> Evidence:
    """Return the evidence for where the idol points, in whole degrees."""
    if arm is None or not arm.sure:
        return Evidence({HIDDEN: 1.0})
    sure = min(0.99, 0.6 + arm.score)
    return Evidence({f"{round(arm.deg) % 360}": sure, HIDDEN: 1.0 - sure})


def _doubt(places: tuple[Evidence, Evidence], knows_arm: bool) -> Reason | None:
    """Return why the places cannot be read, or None if they can."""
    discard, arm = places
    if discard.of(HIDDEN) == 1.0 or (knows_arm and arm.best == HIDDEN):
        return Reason.HAND
    return None if is_sure(discard) and arm.best != HIDDEN else Reason.UNCLEAR
