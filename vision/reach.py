"""From which side of the mat an arm comes in: soft evidence of who is moving."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.layout import Layout
from vision.palette import LIGHTNESS_WEIGHT, fit_light, read_tones
from vision.pose import Points, Pose
from vision.rectify import Mask

WIDTH_PX: Final = 192
COLOUR_CHANGE: Final = 0.09
BRIGHTER: Final = 0.15
DARKER: Final = -0.5
"""Less dark is taken for a shadow."""
LEAST_SHARE: Final = 0.01
"""An arm covers at least this share of the picture."""
JOIN_PX: Final = 9
"""A wrist in the table's colour parts a hand from its sleeve by less than this."""
LEAST_BASE_PX: Final = 4
"""Pixels of the picture's edge that the arm must come in over."""
LEAST_LENGTH_MM: Final = 110.0
"""Fingers that barely reach into the picture do not show where their arm comes from."""
LONG_MM: Final = 250.0
CLEAR: Final = 1.5
"""The arm must come in this much more along the mat than across it, or the other way round..."""
CLEAR_IF_SHORT: Final = 6.0
"""...and this much if the picture cuts it off early: a neighbour may slant in at the corner."""


class Surroundings:
    """The whole table, small, as it was when nobody reached over it."""

    def __init__(self, layout: Layout, picture: Picture, pose: Pose) -> None:
        self._layout = layout
        self._pose = pose
        self._small = _shrink(picture)

    def find_reach(self, picture: Picture, pose: Pose) -> frozenset[str]:
        """Return the one side from which an arm reaches the slots; empty if that is not clear.

        Only pictures by a camera that has not moved since can be compared: *pose* tells.
        """
        small = _shrink(picture)
        if pose is not self._pose or small.shape != self._small.shape:
            return frozenset()
        scale = picture.shape[1] / small.shape[1]
        places = _to_mat(small.shape[:2], scale, pose)
        over_slots = self._over_slots(places)
        arm = self._arm(small, over_slots)
        if arm is None:
            return frozenset()
        edge = np.zeros_like(arm)
        edge[[0, -1], :] = True
        edge[:, [0, -1]] = True
        base = places[arm & edge]
        if len(base) < LEAST_BASE_PX:
            return frozenset()
        low, high = np.reshape(self._layout.board, (2, 2))
        # Over the slots pieces have changed too: the rest of the board shows the arm alone.
        hand = places[arm & np.all((places >= low) & (places <= high), axis=-1) & ~over_slots]
        if len(hand) < LEAST_BASE_PX:
            return frozenset()
        across, along = np.median(base, axis=0) - np.median(hand, axis=0)
        length = max(abs(across), abs(along))
        clear = CLEAR if length >= LONG_MM else CLEAR_IF_SHORT
        if length < max(LEAST_LENGTH_MM, clear * min(abs(across), abs(along))):
            return frozenset()
        if abs(across) > abs(along):
            return frozenset({"right" if across > 0 else "left"})
        return frozenset({"near" if along > 0 else "far"})

    def _arm(self, small: NDArray[np.uint8], over_slots: Mask) -> Mask | None:
        """Return the largest changed patch that covers slots, or None."""
        light = fit_light(small.reshape(-1, 3)[::3], self._small.reshape(-1, 3)[::3])
        change = cv2.blur(read_tones(small, light) - read_tones(self._small), (3, 3))
        lightness = change[..., 0] / LIGHTNESS_WEIGHT
        changed = np.hypot(change[..., 1], change[..., 2]) > COLOUR_CHANGE
        changed |= (lightness > BRIGHTER) | (lightness < DARKER)
        closed = cv2.morphologyEx(
            changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((JOIN_PX, JOIN_PX), np.uint8)
        )
        count, labels = cv2.connectedComponents(closed)
        sizes = np.bincount(labels.ravel(), minlength=count)
        covering = np.bincount(labels[over_slots], minlength=count) > 0
        sizes[~covering] = 0
        sizes[0] = 0
        best = int(sizes.argmax())
        if sizes[best] < LEAST_SHARE * labels.size:
            return None
        found: Mask = labels == best
        return found

    def _over_slots(self, places: Points) -> Mask:
        slots = self._layout.slots
        low = np.array([min(s.x - s.w / 2 for s in slots), min(s.y - s.h / 2 for s in slots)])
        high = np.array([max(s.x + s.w / 2 for s in slots), max(s.y + s.h / 2 for s in slots)])
        over: Mask = np.all((places >= low) & (places <= high), axis=-1)
        return over


def _shrink(picture: Picture) -> NDArray[np.uint8]:
    height = max(1, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
    return np.asarray(
        cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8
    )


def _to_mat(shape: tuple[int, int], scale: float, pose: Pose) -> Points:
    """Return the place on the table in mm, (height, width, 2), of each pixel of a small picture."""
    rows, columns = np.indices(shape)
    pixels = (np.stack([columns, rows, np.zeros(shape)], axis=-1) + 0.5) * scale - 0.5
    pixels[..., 2] = 1.0
    homogeneous = pixels @ np.linalg.inv(pose.plane(0.0)).T
    points: Points = homogeneous[..., :2] / homogeneous[..., 2:]
    return points
