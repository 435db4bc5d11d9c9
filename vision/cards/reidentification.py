"""Re-identification of the card on a pile: whether it is the very card of an earlier picture.

A card laid on its twin has the same name, but hardly ever lies as exactly: its position differs by
millimetres, it may lie the other way up, and the old card's edge shows beneath. A card that was
only pushed uncovers no card. An untouched card looks more alike than that, even if the camera is
pushed, the light changes or the picture is worse.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame_cache import FrameCache
from vision.cards.detection import PileSnapshot, TopCard
from vision.cards.layout import CardSize
from vision.cards.segmentation import CROP_PX_PER_MM, Panel
from vision.geometry.pose import Points

MAX_UNTOUCHED_SHIFT_MM: Final = 1.6
"""Most any corner of an untouched card seems to move (1.3 in 739 pairs, docs/decisions/0225)."""
MIN_TOUCHED_SHIFT_MM: Final = 3.0
"""From here on the card was certainly moved or replaced: twice that."""
BLOCK_MM: Final = 4.0
"""Cards are compared in square blocks of this size, without those along their edges."""
MAX_SAME_FACE_DIFFERENCE: Final = 0.4
MIN_OTHER_FACE_DIFFERENCE: Final = 0.6
"""Difference of the share of paper, 0 to 1, in the block where two crops differ most: of the same
face (99 % of 739 pairs), and of two faces or of one and its half-turn (docs/decisions/0225)."""
MAX_SAME_COLOUR_DISTANCE, MIN_OTHER_COLOUR_DISTANCE = 0.3, 0.75
"""Between the log colours of the panels.  Tuned."""
MIN_UNCOVERED_MM2: Final = 40.0
"""Of the old card's area that the new one must leave uncovered for it to tell anything."""
MAX_REPLACED_CHANGE_LEVELS: Final = 14.0
MAX_PERHAPS_REPLACED_CHANGE_LEVELS: Final = 30.0
"""Mean change of the uncovered area if the old card still lies there, or perhaps does.  Tuned."""
UNCOVERED_MARGIN_MM: Final = 1.5
"""Around the new card nothing is compared: edges are known no better."""

SAME: Final = 0.97
REPLACED: Final = 0.02
PERHAPS_REPLACED: Final = 0.15
UNKNOWN: Final = 0.5
"""Probabilities that it is the same card.  Set by hand; the referee asks about those between."""


class CardReidentifier:
    """Compares piles with how they looked in the picture that was last believed.

    reference: the name of that picture, "" if there is none.
    """

    def __init__(self, card: CardSize) -> None:
        self._size = card
        self._recent = FrameCache[Sequence[PileSnapshot]]()
        self._believed: Sequence[PileSnapshot] = ()
        self.reference = ""

    def reset(self) -> None:
        """Forget all pictures."""
        self._recent.forget()
        self._believed, self.reference = (), ""

    def keep(self, frame: str, piles: Sequence[PileSnapshot]) -> None:
        """Keep the *piles* of the picture *frame* until it is believed."""
        self._recent.keep(frame, piles)

    def set_reference(self, frame: str) -> None:
        """Compare with the picture *frame* from now on, if it is still kept."""
        if frame in self._recent:
            self._believed, self.reference = self._recent[frame], frame

    def compare(self, piles: Sequence[PileSnapshot]) -> tuple[float, ...]:
        """Return for each of *piles* the probability that its top card is the same as then.

        () if there is no picture to compare with.
        """
        if not self._believed:
            return ()
        pairs = zip(self._believed, piles, strict=True)
        return tuple(reidentify_card(before, after, self._size) for before, after in pairs)


def reidentify_card(before: PileSnapshot, after: PileSnapshot, size: CardSize) -> float:
    """Return the probability that the same card of that *size* is on top, 0.5 if unknown."""
    if before is after:
        return SAME
    if before.card is None:
        return UNKNOWN
    if after.card is None:  # it was detected before
        return PERHAPS_REPLACED
    old, new = _Appearance(before.card, size), _Appearance(after.card, size)
    shift_mm = float(np.linalg.norm(old.corners - new.corners, axis=1).max())
    upright, half_turned = old.difference(new), old.difference(new, half_turned=True)
    colours = float(np.linalg.norm(before.card.crop.log_colour - after.card.crop.log_colour))
    if colours >= MIN_OTHER_COLOUR_DISTANCE:
        return REPLACED
    is_other_face = upright >= MIN_OTHER_FACE_DIFFERENCE
    if shift_mm > MIN_TOUCHED_SHIFT_MM:
        return REPLACED if is_other_face else _compare_uncovered(before, after, old, new)
    if is_other_face:
        is_half_turned = half_turned <= MAX_SAME_FACE_DIFFERENCE
        is_touched = is_half_turned or shift_mm > MAX_UNTOUCHED_SHIFT_MM
        return REPLACED if is_touched else PERHAPS_REPLACED
    if shift_mm <= MAX_UNTOUCHED_SHIFT_MM and upright <= MAX_SAME_FACE_DIFFERENCE:
        return SAME if colours <= MAX_SAME_COLOUR_DISTANCE else UNKNOWN
    return UNKNOWN


class _Appearance:
    """How a card lies and looks.  corners: (4, 2) in mm from the patch's centre."""

    def __init__(self, card: TopCard, size: CardSize) -> None:
        self.corners = _card_corners(card.panel, size)
        self._crop = card.crop

    @cached_property
    def paper_shares(self) -> NDArray[np.float32]:
        """The share of paper, 0 to 1, in each block (rows, columns)."""
        crop, block = self._crop, BLOCK_MM * CROP_PX_PER_MM
        inset = round(block)
        inner = crop.minima[inset:-inset, inset:-inset].astype(np.float32)
        shares = np.clip((inner - crop.panel_level) / max(crop.contrast, 1.0), 0.0, 1.0)
        shape = (round(shares.shape[1] / block), round(shares.shape[0] / block))
        return np.asarray(cv2.resize(shares, shape, interpolation=cv2.INTER_AREA), np.float32)

    def difference(self, other: "_Appearance", *, half_turned: bool = False) -> float:
        """Return the greatest difference between the paper shares of any block."""
        shares = self.paper_shares[::-1, ::-1] if half_turned else self.paper_shares
        return float(np.abs(shares - other.paper_shares).max())


def _card_corners(panel: Panel, size: CardSize) -> Points:
    """Return the corners (4, 2) of a card in mm from the patch's centre."""
    angle = math.radians(panel.angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [size.w / 2, size.h / 2]
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + [panel.x, panel.y], np.float64)


def _compare_uncovered(
    before: PileSnapshot, after: PileSnapshot, old: _Appearance, new: _Appearance
) -> float:
    """Return the probability that a card was only pushed, by the area that it uncovered."""
    pictures = before.patch.picture, after.patch.picture
    shape = pictures[0].shape[:2]
    was, now = (_polygon_mask(shape, each.corners) for each in (old, new))
    side = 2 * round(UNCOVERED_MARGIN_MM * CROP_PX_PER_MM) + 1
    inside = cv2.erode(was, np.ones((3, 3), np.uint8)) > 0
    uncovered = inside & (cv2.dilate(now, np.ones((side, side), np.uint8)) == 0)
    if np.count_nonzero(uncovered) < MIN_UNCOVERED_MM2 * CROP_PX_PER_MM**2:
        return UNKNOWN
    change = float(np.asarray(cv2.absdiff(*pictures).max(axis=2), np.uint8)[uncovered].mean())
    if change <= MAX_REPLACED_CHANGE_LEVELS:
        return REPLACED
    return PERHAPS_REPLACED if change <= MAX_PERHAPS_REPLACED_CHANGE_LEVELS else UNKNOWN


def _polygon_mask(shape: tuple[int, ...], corners: Points) -> NDArray[np.uint8]:
    """Return which pixels (rows, columns) of a patch lie within *corners* in mm, as 0 and 1."""
    centre = (np.array(shape[1::-1]) - 1) / 2
    pixels = np.round(corners * CROP_PX_PER_MM + centre).astype(np.int32)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, pixels, 1)
    return mask
