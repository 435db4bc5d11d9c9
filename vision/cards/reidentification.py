"""How a card lies: whether it is the very one that lay on top of its pile before.

A card laid on its twin has the same name, but it hardly ever comes to lie as exactly: its place
differs by millimetres, perhaps it lies the other way up, and the old card peeps out beneath, where
it was. A card that was only pushed leaves nothing behind. A card that nobody touched looks more
alike than that, even if the camera is pushed, the light changes or the picture is worse.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.capture.frame_cache import FrameCache
from vision.cards.layout import CardSize
from vision.cards.segmentation import FIND_PX_PER_MM, Panel
from vision.cards.top_card import TopCard, Window
from vision.geometry.pose import Points

NEAR_MM: Final = 1.6
"""A card that nobody touched is found again within this, whatever became of camera and light..."""
FAR_MM: Final = 3.0
"""...and one further away has certainly been touched."""
BLOCK_MM: Final = 4.0
EDGE_MM: Final = 4.0
"""Faces are compared in blocks of that size, without so much at their edges."""
ALIKE: Final = 0.4
UNLIKE: Final = 0.6
"""How much any block may differ between two pictures of the same face, from panel 0 to paper 1; two
faces differ by more than the second, so does one from itself upside down."""
SAME_TINT, OTHER_TINT = 0.3, 0.75
"""The same for colours: how far two tints are apart, of one card and of two."""
UNTOUCHED: Final = 0.97
REPLACED: Final = 0.02
PERHAPS: Final = 0.15
"""How surely a card is the very one that lay there: if it looks so, if another one surely came, and
if one seems to have."""
UNKNOWN: Final = 0.5
LEFT_MM2: Final = 40.0
"""How much of the old card must peep out for that to say anything..."""
STILL: Final = 14.0
STILL_PERHAPS: Final = 30.0
"""...and by how many levels that may have changed on average, to be the same card and perhaps."""
AROUND_MM: Final = 1.5
"""So close around a card nothing is compared: no edge is known better."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """What lies on a pile: its top card, None if there is none to be made out, in its window."""

    window: Window
    card: TopCard | None


class Memory:
    """How piles looked in the last pictures, and in the one that was last believed."""

    def __init__(self, card: CardSize) -> None:
        self._size = card
        self._recent = FrameCache[Sequence[Lying]]()
        self._then: Sequence[Lying] = ()
        self.since = ""

    def forget(self) -> None:
        """Compare with nothing any more."""
        self._recent.forget()
        self._then, self.since = (), ""

    def keep(self, frame: str, piles: Sequence[Lying]) -> None:
        """Remember how *piles* look in the picture *frame*."""
        self._recent.keep(frame, piles)

    def believe(self, frame: str) -> None:
        """Compare with the picture *frame* from now on, if it is remembered."""
        if frame in self._recent:
            self._then, self.since = self._recent[frame], frame

    def compare(self, piles: Sequence[Lying]) -> tuple[float, ...]:
        """Return for each of *piles* how surely the very card lies there that did then.

        () if there is no picture to compare with.
        """
        if not self._then:
            return ()
        pairs = zip(self._then, piles, strict=True)
        return tuple(is_untouched(then, now, self._size) for then, now in pairs)


def is_untouched(then: Lying, now: Lying, size: CardSize) -> float:
    """Return how surely the very card lies there that did, 0.5 where the looks do not tell.

    size: of the cards.
    """
    if then is now:
        return UNTOUCHED
    if then.card is None:
        return UNKNOWN
    if now.card is None:  # it could be made out then
        return PERHAPS
    before, after = _Look(then.card, size), _Look(now.card, size)
    shift_mm = float(np.linalg.norm(before.corners - after.corners, axis=1).max())
    apart, turned = before.differs(after), before.differs(after, upside_down=True)
    tint = float(np.linalg.norm(then.card.face.tint - now.card.face.tint))
    if tint >= OTHER_TINT:
        return REPLACED
    if shift_mm <= NEAR_MM and apart <= ALIKE:
        return UNTOUCHED if tint <= SAME_TINT else UNKNOWN
    if apart >= UNLIKE and shift_mm <= FAR_MM:
        return REPLACED if turned <= ALIKE or shift_mm > NEAR_MM else PERHAPS
    if shift_mm <= FAR_MM:
        return UNKNOWN
    if apart >= UNLIKE:
        return REPLACED
    return _peeps_out(then, now, before.corners, after.corners)


class _Look:
    """A card that lies in a window: its corners (4, 2) in mm from the window's middle, its face."""

    def __init__(self, card: TopCard, size: CardSize) -> None:
        self.corners = _corners(card.panel, size)
        self._card = card

    @cached_property
    def paper(self) -> NDArray[np.float32]:
        """How much of each block is paper, (rows, columns)."""
        face, edge = self._card.face, round(EDGE_MM * FIND_PX_PER_MM)
        pale = face.pale[edge:-edge, edge:-edge].astype(np.float32)
        shares = np.clip((pale - face.low) / max(face.contrast, 1.0), 0.0, 1.0)
        step = BLOCK_MM * FIND_PX_PER_MM
        shape = (round(shares.shape[1] / step), round(shares.shape[0] / step))
        return np.asarray(cv2.resize(shares, shape, interpolation=cv2.INTER_AREA), np.float32)

    def differs(self, other: "_Look", *, upside_down: bool = False) -> float:
        """Return by how much any block of the faces differs at most."""
        mine = self.paper[::-1, ::-1] if upside_down else self.paper
        return float(np.abs(mine - other.paper).max())


def _corners(panel: Panel, size: CardSize) -> Points:
    cos, sin = math.cos(math.radians(panel.turn_deg)), math.sin(math.radians(panel.turn_deg))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [size.w / 2, size.h / 2]
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + [panel.x, panel.y], np.float64)


def _peeps_out(then: Lying, now: Lying, before: Points, after: Points) -> float:
    """Return how surely the card was only pushed, by what is seen where it lay and lies no more."""
    shape = now.window.picture.shape[:2]
    old, new = (_fill(shape, corners) for corners in (before, after))
    side = 2 * round(AROUND_MM * FIND_PX_PER_MM) + 1
    around = np.ones((side, side), np.uint8)
    left = (cv2.erode(old, np.ones((3, 3), np.uint8)) > 0) & (cv2.dilate(new, around) == 0)
    if np.count_nonzero(left) < LEFT_MM2 * FIND_PX_PER_MM**2:
        return UNKNOWN
    apart = _apart(then.window.picture, now.window.picture)[left]
    changed = float(apart.mean())
    return REPLACED if changed <= STILL else PERHAPS if changed <= STILL_PERHAPS else UNKNOWN


def _apart(then: Picture, now: Picture) -> NDArray[np.uint8]:
    return np.asarray(cv2.absdiff(then, now).max(axis=2), np.uint8)


def _fill(shape: tuple[int, ...], corners: Points) -> NDArray[np.uint8]:
    """Return which pixels (rows, columns) of a window of a *shape* are within *corners* in mm."""
    middle = (np.array(shape[1::-1]) - 1) / 2
    pixels = np.round(corners * FIND_PX_PER_MM + middle).astype(np.int32)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, pixels, 1)
    return mask
