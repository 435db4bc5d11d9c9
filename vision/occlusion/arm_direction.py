"""From which side of the mat an arm comes in: soft evidence of who is moving."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points, Pose
from vision.geometry.rectification import Mask
from vision.photometry.chromaticity import (
    LIGHTNESS_WEIGHT,
    Chroma,
    fit_light,
    match_levels,
    to_chroma,
)

WIDTH_PX: Final = 192
COLOUR_CHANGE: Final = 0.09
BRIGHTER: Final = 0.15
DARKER: Final = -0.5
"""Less dark is taken for a shadow."""
LEAST_SHARE: Final = 0.01
"""An arm covers at least this share of the picture."""
JOIN_PX: Final = 9
"""A wrist in the table's colour parts a hand from its sleeve by less than this."""
EXPLAINED: Final = 0.3
"""Another tone curve leaves less than this share of the changes, if it was one."""
LEAST_BASE_PX: Final = 4
"""Pixels of the picture's edge that the arm must come in over."""
LEAST_LENGTH_MM: Final = 110.0
"""Fingers that barely reach into the picture do not show where their arm comes from."""
LONG_MM: Final = 250.0
MOVED_MM: Final = 60.0
"""Seen by a camera that has come further, what stands on the table looks otherwise too much."""
CLEAR: Final = 1.5
"""The arm must come in this much more along the mat than across it, or the other way round..."""
CLEAR_IF_SHORT: Final = 6.0
"""...and this much if the picture cuts it off early: a neighbour may slant in at the corner."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where arms reach: left, top, right and bottom edge in mm, on a plane of its own.

    board: of what does not change.  played: of the places on it, whose pieces do.
    z_mm: how high above the table that plane is.
    """

    board: tuple[float, float, float, float]
    played: tuple[float, float, float, float]
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class ArmSighting:
    """What comes in over the picture's edge and reaches the places.

    is_over: whether anything does.  sides: the one side of the mat from which it comes, "near",
    "right", "far" or "left"; empty where that is not clear.  is_in_view: whether something comes in
    over the edge, however far.
    """

    is_over: bool
    sides: frozenset[str] = frozenset()
    is_in_view: bool = False


class TableSnapshot:
    """The whole table in one picture, made small, to be compared with another.

    small: (rows, columns, 3) uint8.  scale: pixels of the picture for one of these.
    """

    def __init__(self, ground: Ground, picture: Picture, pose: Pose) -> None:
        self._ground = ground
        self.pose = pose
        self.small = _shrink(picture)
        self.scale = picture.shape[1] / self.small.shape[1]

    def find_arm(self, now: "TableSnapshot") -> ArmSighting:
        """Return what reaches over the table *now*.

        Whatever else has changed, such as a piece that was put down beside the board, does not.
        """
        small = now.small
        then = self._as_seen_from(now.pose, small.shape, now.scale)
        if then is None:
            return ArmSighting(False)
        places, over_slots, over_board = now.lay()
        arm, others = self._find_changes(small, then, over_slots)
        is_in_view = any(
            np.count_nonzero(each & _edge_of(each)) >= LEAST_BASE_PX for each in others
        )
        if arm is None:
            return ArmSighting(False, is_in_view=is_in_view)
        base = places[arm & _edge_of(arm)]
        if len(base) < LEAST_BASE_PX:
            return ArmSighting(False, is_in_view=is_in_view)
        # Over the slots pieces have changed too: the rest of the board shows the arm alone.
        hand = places[arm & over_board & ~over_slots]
        sides = _side_of(base, hand) if len(hand) >= LEAST_BASE_PX else frozenset()
        return ArmSighting(True, sides, is_in_view=True)

    def lay(self) -> tuple[Points, Mask, Mask]:
        """Return where each small pixel lies on the ground's plane, (height, width, 2) in mm.

        Then which lie over the places, and which over the board.
        """
        return _lay(self.pose, self._ground, (self.small.shape[0], self.small.shape[1]), self.scale)

    def _as_seen_from(
        self, pose: Pose, shape: tuple[int, ...], scale: float
    ) -> NDArray[np.uint8] | None:
        """Return the table as a camera at *pose* would have seen it, None if it came too near."""
        if shape != self.small.shape:
            return None
        if pose is self.pose:
            return self.small
        if np.linalg.norm(pose.camera - self.pose.camera) > MOVED_MM:
            return None
        to_small = np.array(
            [[1 / scale, 0, 0.5 / scale - 0.5], [0, 1 / scale, 0.5 / scale - 0.5], [0, 0, 1]]
        )
        before, now = (to_small @ each.plane(self._ground.z_mm) for each in (self.pose, pose))
        move, size = now @ np.linalg.inv(before), (shape[1], shape[0])
        return np.asarray(
            cv2.warpPerspective(self.small, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def _find_changes(
        self, small: NDArray[np.uint8], then: NDArray[np.uint8], over_slots: Mask
    ) -> tuple[Mask | None, list[Mask]]:
        """Return the largest changed patch that covers slots, or None, and all other large ones."""
        changed = _find_changed(small, then)
        closed = cv2.morphologyEx(
            changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((JOIN_PX, JOIN_PX), np.uint8)
        )
        count, labels = cv2.connectedComponents(closed)
        sizes = np.bincount(labels.ravel(), minlength=count)
        sizes[0] = 0
        covering = np.bincount(labels[over_slots], minlength=count) > 0
        large = np.flatnonzero(sizes >= LEAST_SHARE * labels.size)
        best = max(large[covering[large]], key=sizes.__getitem__, default=None)
        others = [np.asarray(labels == each) for each in large if each != best]
        return (None if best is None else np.asarray(labels == best)), others


def _find_changed(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> Mask:
    """Return what has changed besides the light, (rows, columns).

    A lamp and an exposure change all by the same; a tone curve or a channel that has reached its
    limit do not. That is believed only if it explains most of what else had changed: it would make
    a hand that covers the board a brighter board.
    """
    few = (now.reshape(-1, 3)[::3], then.reshape(-1, 3)[::3])
    change = to_chroma(now, fit_light(*few)) - to_chroma(then)
    changed = _is_change(change)
    if np.count_nonzero(changed) < LEAST_SHARE * changed.size:
        return changed
    otherwise = _is_change(to_chroma(now) - to_chroma(then, match_levels(few[1], few[0])))
    is_light = np.count_nonzero(otherwise) < EXPLAINED * np.count_nonzero(changed)
    return otherwise if is_light else changed


def _is_change(change: Chroma) -> Mask:
    smooth = cv2.blur(change, (3, 3))
    lightness = smooth[..., 0] / LIGHTNESS_WEIGHT
    changed = np.hypot(smooth[..., 1], smooth[..., 2]) > COLOUR_CHANGE
    return np.asarray(changed | (lightness > BRIGHTER) | (lightness < DARKER), np.bool_)


def _side_of(base: Points, hand: Points) -> frozenset[str]:
    """Return from which side of the mat an arm comes, empty if that is not clear.

    base: (n, 2) in mm where it comes in over the picture's edge.  hand: (n, 2) over the board.
    """
    across, along = np.median(base, axis=0) - np.median(hand, axis=0)
    length = max(abs(across), abs(along))
    clear = CLEAR if length >= LONG_MM else CLEAR_IF_SHORT
    if length < max(LEAST_LENGTH_MM, clear * min(abs(across), abs(along))):
        return frozenset()
    if abs(across) > abs(along):
        return frozenset({"right" if across > 0 else "left"})
    return frozenset({"near" if along > 0 else "far"})


def _within(places: Points, edges: tuple[float, float, float, float]) -> Mask:
    low, high = np.reshape(edges, (2, 2))
    inside: Mask = np.all((places >= low) & (places <= high), axis=-1)
    return inside


@lru_cache(maxsize=4)
def _lay(
    pose: Pose, ground: Ground, shape: tuple[int, int], scale: float
) -> tuple[Points, Mask, Mask]:
    places = _to_mat(shape, scale, pose, ground.z_mm)
    return places, _within(places, ground.played), _within(places, ground.board)


def _edge_of(mask: Mask) -> Mask:
    edge = np.zeros_like(mask)
    edge[[0, -1], :] = True
    edge[:, [0, -1]] = True
    return edge


def _shrink(picture: Picture) -> NDArray[np.uint8]:
    height = max(1, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
    return np.asarray(
        cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8
    )


def _to_mat(shape: tuple[int, int], scale: float, pose: Pose, z_mm: float) -> Points:
    """Return the place in mm, (height, width, 2), of each pixel of a small picture."""
    rows, columns = np.indices(shape)
    pixels = (np.stack([columns, rows, np.zeros(shape)], axis=-1) + 0.5) * scale - 0.5
    pixels[..., 2] = 1.0
    homogeneous = pixels @ np.linalg.inv(pose.plane(z_mm)).T
    points: Points = homogeneous[..., :2] / homogeneous[..., 2:]
    return points
