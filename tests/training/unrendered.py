"""Flat pictures in place of what Blender makes of a scene."""

from pathlib import Path

import cv2
import numpy as np

from rendering.scenes import PICTURE_PX, Scene, project, projection


def pretend_to_render(folder: Path, scenes: list[Scene]) -> None:
    """Put flat pictures with the tiles where they should be in place of what Blender makes."""
    for scene in scenes:
        picture = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), 120, np.uint8)
        matrix = projection(scene["camera"])
        for tile in scene["tiles"]:
            print_ = cv2.imread(str(folder / f"tile-{tile['number']}.png"))
            assert print_ is not None
            half, turn = 25.0, np.exp(1j * np.radians(tile["turn_deg"]))
            ends = half * turn * np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
            places = np.array([(tile["x"] + e.real, tile["y"] + e.imag, 0.0) for e in ends])
            side = print_.shape[0]
            corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
            seen = project(matrix, places).astype(np.float32)
            move = cv2.getPerspectiveTransform(corners, seen)
            laid = cv2.warpPerspective(print_, move, PICTURE_PX)
            mask = cv2.warpPerspective(np.full_like(print_, 255), move, PICTURE_PX) > 127
            picture[mask] = laid[mask]
        cv2.imwrite(str(folder / f"{scene['name']}.png"), picture)
