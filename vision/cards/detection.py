"""Detection of the card on top of a pile, seen through a camera whose pose is known."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_corners import MIN_CARD_SCORE, CardQuad, look_closer
from vision.cards.card_crop import CardCrop, PlaneView, crop_card
from vision.cards.card_outlines import BORDER_MM
from vision.cards.layout import CardSize, Place
from vision.cards.segmentation import CROP_PX_PER_MM, Panel, segment_panel
from vision.geometry.pose import Points, Pose
from vision.photometry.chromaticity import ColourCorrection, min_channel, to_lut
from vision.photometry.saturated_white import measure_overexposure

MAX_PILE_HEIGHT_MM: Final = 9.0
"""Twenty cards and some air."""
PLACEMENT_MARGIN_MM: Final = 8.0
"""How far a card reaches beyond its place when it is put down carelessly and turned a little."""
PILE_PLANE_Z_MM: Final = 4.0
"""Piles are cropped as if they were about half as high as they can be."""
BLOCK_PX: Final = round(8.0 * CROP_PX_PER_MM)
"""Averages noise away, but no stroke of a symbol."""
MAX_SCALE: Final = 1.065
"""How large a card on a pile may seem beside the calibrated one, since the pile's top is nearer to
the camera; a card in a hand is larger.  Tuned."""
MIN_BORDER_SHARE: Final = 0.85
"""How much of each edge of a whole card must be paper; glare and noise take some.  Tuned."""


@dataclass(frozen=True, slots=True, eq=False)
class TopCard:
    """A whole card on a pile.  panel: its pose in the pile's patch."""

    panel: Panel
    crop: CardCrop


@dataclass(frozen=True, eq=False)
class PilePatch:
    """The part of the table, around a pile, in which its top card is detected.

    size: in mm.  picture: the patch at CROP_PX_PER_MM.
    """

    view: PlaneView
    size: CardSize
    picture: Picture

    @cached_property
    def blocks(self) -> NDArray[np.int16]:
        """The picture averaged over whole blocks, without what is left over on all sides."""
        rows, columns = (
            slice(side % BLOCK_PX // 2, side - side % BLOCK_PX + side % BLOCK_PX // 2)
            for side in self.picture.shape[:2]
        )
        scale = 1 / BLOCK_PX
        centre = self.picture[rows, columns]
        blocks = cv2.resize(centre, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(blocks, np.int16)


@dataclass(frozen=True, slots=True, eq=False)
class PileSnapshot:
    """A pile as one picture shows it.  card: its top card, None if no whole one was detected."""

    patch: PilePatch
    card: TopCard | None


class TopCardDetector:
    """Detects whole cards of one size on piles."""

    def __init__(self, card: CardSize) -> None:
        self._card = card
        self._side_mm: float | None = None

    @property
    def is_calibrated(self) -> bool:
        """Whether the size at which the camera shows a card is known."""
        return self._side_mm is not None

    def calibrate(self, side_mm: float) -> None:
        """Accept no card that seems much larger than one with a `Panel.side` of *side_mm*."""
        self._side_mm = side_mm

    def detect(self, patch: PilePatch) -> TopCard | None:
        """Return the card on top of the pile, or None if no whole card is visible."""
        panel = segment_panel(patch.picture, self._card)
        if panel is None or not panel.fits(self._card):
            panel = self._locate_panel(patch)
        if panel is None:
            return None
        if self._side_mm is not None and panel.side > MAX_SCALE * self._side_mm:
            return None
        centre = Place(patch.size.w / 2 + panel.x, patch.size.h / 2 + panel.y)
        view = patch.view.rotated(centre, self._card, panel.angle_deg)
        crop = crop_card(view, self._card, CardSize(panel.w, panel.h), panel.threshold)
        if crop is None or crop.border_share < MIN_BORDER_SHARE:
            return None
        if panel.is_merged and not crop.is_symmetric:
            return None
        return TopCard(panel, crop)

    def _locate_panel(self, patch: PilePatch) -> Panel | None:
        """Return the panel of the card whose corners the network locates, None without one.

        Noise and shadow break a panel into pieces, and one in a white oval is too small to tell.
        """
        card, centre = self._card, Place(patch.size.w / 2, patch.size.h / 2)
        expected = patch.view.rotated(centre, card, 0.0).corners_px(card)
        quad = look_closer(patch.view.picture, CardQuad(expected, 1.0))
        if quad.score < MIN_CARD_SCORE:
            return None
        to_mm = np.linalg.inv(patch.view.homography)
        corners = cv2.perspectiveTransform(quad.corners[None], to_mm)[0]
        across, along = corners[[1, 2]] - corners[[0, 3]], corners[[3, 2]] - corners[[0, 1]]
        scales = np.hypot(*np.concatenate([across / card.w, along / card.h]).T)
        if scales.min() * MAX_SCALE < 1.0 or scales.max() > MAX_SCALE:
            return None
        x, y = corners.mean(axis=0).tolist()
        angle_deg = math.degrees(math.atan2(across[:, 1].sum(), across[:, 0].sum()))
        crop = patch.view.rotated(Place(x, y), card, angle_deg).crop(0.0, 0.0, card, CROP_PX_PER_MM)
        threshold, _ = cv2.threshold(min_channel(crop), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        return Panel(
            x=x - centre.x,
            y=y - centre.y,
            angle_deg=(angle_deg + 90.0) % 180.0 - 90.0,
            w=card.w - 2 * BORDER_MM,
            h=card.h - 2 * BORDER_MM,
            side=math.sqrt((card.w - 2 * BORDER_MM) * (card.h - 2 * BORDER_MM)),
            rectangularity=1.0,
            threshold=threshold,
            is_merged=True,
        )


def crop_pile_patches(
    picture: Picture,
    pose: Pose,
    light: ColourCorrection,
    piles: tuple[Place, ...],
    size: CardSize,
    white: NDArray[np.float64] | None = None,
) -> list[PilePatch]:
    """Return the patches of *size* in mm around the *piles*.

    light: white balance of the picture.
    white: (3,) levels that white paper would have if no camera clipped it; None if unknown.
    """
    white_balance, overexposure = to_lut(light), measure_overexposure(white)
    views = [
        PlaneView(picture, homography, white_balance, overexposure)
        for homography in _patch_homographies(pose, piles, size)
    ]
    return [PilePatch(view, size, view.crop(0.0, 0.0, size, CROP_PX_PER_MM)) for view in views]


@lru_cache(maxsize=4)
def _patch_homographies(pose: Pose, piles: tuple[Place, ...], size: CardSize) -> list[Points]:
    """Return for each pile the homography (3, 3) from mm in its patch to pixels."""
    return [
        pose.homography(PILE_PLANE_Z_MM)
        @ [[1.0, 0.0, pile.x - size.w / 2], [0.0, 1.0, pile.y - size.h / 2], [0.0, 0.0, 1.0]]
        for pile in piles
    ]
