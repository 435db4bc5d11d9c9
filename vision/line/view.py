"""The line's board from one camera pose: rectified pictures, occlusion masks, ring around it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Layout
from vision.geometry.pose import Pose
from vision.geometry.rectification import (
    Mask,
    around_slots,
    dilate,
    halve_resolution,
    in_frame_mask,
    slot_occlusion_masks,
)
from vision.line.faces import face_area
from vision.occlusion.board_background import OUTER_RING_MM, build_ring

BOARD_MARGIN_MM: Final = 32.0
"""How much board around the slots is rectified: what pieces occlude, and the rings around that."""
PIECE_PLAY_MM: Final = 3.5
"""How far pieces lie from their slots' centres, and turned a little."""
SHADOW_REACH_MM: Final = 20.0
"""How far beside a piece its own shadow extends: 16 mm high, under a lamp 50 degrees aside."""


class LineView:
    """What depends on the camera's pose alone, computed once per pose.

    masks: for each slot, what a piece in it would occlude of the floor, in coarse pixels.
    """

    def __init__(self, layout: Layout, picture: Picture, pose: Pose) -> None:
        self.pose = pose
        self.area = around_slots(layout, BOARD_MARGIN_MM)
        self._face_area = face_area(layout)
        self._floor_z, self._top_z = layout.floor_z, layout.top_z
        self.masks = slot_occlusion_masks(layout, pose, self.area, PIECE_PLAY_MM)
        visible = in_frame_mask(picture, pose, self.area, layout.floor_z)
        self.ring = build_ring(np.any(self.masks, axis=0), visible)
        self._out_of_frame = np.array([not visible[mask].all() for mask in self.masks])

    def rectify(self, picture: Picture) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the floor at 2 mm per pixel and the plane of the faces at 1 mm, BGR."""
        floor = halve_resolution(self.area.sample(picture, self.pose, self._floor_z))
        return floor, self._face_area.rectify(picture, self.pose, self._top_z)

    def find_hidden(self, arms: Mask) -> NDArray[np.bool_]:
        """Return which slots (slots,) are out of frame, or so close to *arms* as to be occluded."""
        if not arms.any():
            return self._out_of_frame
        near = dilate(arms, OUTER_RING_MM[1])  # arms are only found in the rings around the slots
        return self._out_of_frame | [bool(near[mask].any()) for mask in self.masks]

    def is_beside_empty_slot(self, mask: Mask, is_empty: NDArray[np.bool_]) -> bool:
        """Return whether *mask* lies where the shadow of a piece in an empty slot would."""
        near = dilate(mask, SHADOW_REACH_MM)
        return any(
            empty and bool(near[slot].any())
            for empty, slot in zip(is_empty, self.masks, strict=True)
        )
