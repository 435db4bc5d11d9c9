"""The white paper of the corner tiles: what the light is like before anything has been learned."""

from typing import Final

import numpy as np

from vision.frame import Picture
from vision.layout import Mat
from vision.palette import SAME_LIGHT, Light
from vision.tiles import Pose

MARGIN_MM: Final = 2.6
"""How far outside the black square the paper is looked at; it reaches 5 mm."""
ALONG: Final = (-0.4, -0.2, 0.0, 0.2, 0.4)
"""Where along each side, as shares of its length."""
WHITE: Final = 240.0
"""The level of white paper in a well exposed picture; brighter paper is taken as it is."""
DARKEST: Final = 40.0


def read_paper_light(picture: Picture, pose: Pose, mat: Mat) -> Light:
    """Return how to see *picture* as if its tiles' paper were white and well exposed."""
    away = mat.marker_mm / 2 + MARGIN_MM
    edge = [(along * mat.marker_mm, side * away) for side in (-1, 1) for along in ALONG]
    around = np.array(edge + [(y, x) for x, y in edge])
    whites = []
    for centre in mat.centres:
        points = np.column_stack([around + np.array(centre), np.zeros(len(around))])
        pixels = np.round(pose.project(points)).astype(int)
        limit = (picture.shape[1], picture.shape[0])
        pixels = pixels[np.all((pixels >= 0) & (pixels < limit), axis=1)]
        if len(pixels):
            whites.append(np.median(picture[pixels[:, 1], pixels[:, 0]], axis=0))
    if not whites:
        return SAME_LIGHT
    white = np.median(whites, axis=0)  # a hand may lie on one tile
    return np.asarray(SAME_LIGHT * (WHITE / np.clip(white, DARKEST, WHITE)), np.float32)
