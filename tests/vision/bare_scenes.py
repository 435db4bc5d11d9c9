"""Scenes with columns in every cell and nothing else, and where their patches are."""

import numpy as np

from rendering.patches import find_pose, grid_of
from rendering.piece_kinds import KINDS
from rendering.scenes import PICTURE_PX, Scene, random_camera
from vision.columns.patches import PatchGeometry, project_patches
from vision.geometry.pose import Pose

SHAPE = (PICTURE_PX[1], PICTURE_PX[0])


def bare_scene(kind: str, seed: int, height: int) -> Scene:
    """Return a scene with columns of one *height* exactly in every cell, and nothing else."""
    given_kind = KINDS[kind]
    cells = [divmod(index, 5) for index in range(25)]
    return {
        "name": "0000",
        "game": kind,
        "camera": random_camera(np.random.default_rng(seed), given_kind),
        "hand": None,
        "tiles": [
            {"number": index, "x": x * given_kind.mat, "y": y * given_kind.mat, "turn_deg": 0.0}
            for index, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1)))
        ],
        "board": {"turn_deg": 0.0, "tilt_deg": 0.0, "towards_deg": 0.0, "dx": 0.0, "dy": 0.0},
        "columns": [
            {
                "spot": index,
                "pieces": [
                    {
                        "paint": 0,
                        "x": given_kind.pitch_xy * (column - 2),
                        "y": given_kind.pitch_xy * (row - 2),
                        "z": given_kind.pitch_z * level,
                    }
                    for level in range(height)
                ],
            }
            for index, (row, column) in enumerate(cells)
        ],
    }


def project_scene(scene: Scene, bend: float = 0.0) -> tuple[Pose, PatchGeometry]:
    """Return pose and patches for *scene*, seen through a lens that bends so much."""
    kind = KINDS[scene["game"]]
    pose = find_pose(scene, bend, np.random.default_rng(7))
    floor_z = kind.floor_z if kind.name == "tactiki" else 0.0
    return pose, project_patches(grid_of(kind), pose, floor_z, SHAPE)
