"""Boards with grey columns, drawn in the light of known sources."""

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.towers import PICTURE, layout, pose_above
from vision.capture.frame import Picture
from vision.columns.cues.light_sources import LightDirection, to_unit_vector
from vision.columns.patches import View, ViewBuilder
from vision.geometry.pose import Points, Pose

PIXEL_MM = 1.0
KNOWN = {5: 1, 6: 1, 7: 1, 8: 1, 15: 1, 16: 2, 17: 3, 18: 4}
"""How high which columns of a drawn board are."""
NEAR_DEG = 12.0
RISE_MM = 2.0
LEVEL = 120.0
"""How bright light of one is in a picture."""


@dataclass(frozen=True)
class Light:
    """A drawn light source: how strong, how large, and where it stands."""

    azimuth_deg: float
    elevation_deg: float
    strength: float = 1.0
    wide_deg: float = 0.0

    def list_ways(self) -> list[Points]:
        """Return the directions from which it shines."""
        turns = [math.radians(turn) for turn in range(0, 360, 45)] if self.wide_deg else []
        around = [(0.0, 0.0), *((math.cos(turn), math.sin(turn)) for turn in turns)]
        return [
            to_unit_vector(
                self.azimuth_deg + self.wide_deg * aside / np.cos(np.radians(self.elevation_deg)),
                self.elevation_deg + self.wide_deg * up,
            )
            for aside, up in around
        ]

    def is_near(self, beam: LightDirection) -> bool:
        """Return whether *beam* points at it."""
        way = to_unit_vector(self.azimuth_deg, self.elevation_deg)
        return bool(way @ beam.vector > np.cos(np.radians(NEAR_DEG)))


def heights() -> NDArray[np.intp]:
    """Return how high the columns on the drawn board are (25,)."""
    drawn = np.zeros(25, np.intp)
    drawn[list(KNOWN)] = list(KNOWN.values())
    return drawn


@cache
def pose() -> Pose:
    """Return the pose of a camera above a place beside the board's middle."""
    return pose_above(60.0, 130.0, 560.0)


def are_hidden(
    places: Points, ways: Points, high: NDArray[np.intp] | None = None
) -> NDArray[np.bool_]:
    """Return from which *places* (n, 2) a column stands in the way; followed up in small steps.

    ways: (n, 2) how far aside the way to the source goes for each mm up.  high: (25,) how high the
    columns are, unless as usual.
    """
    grid = layout()
    hidden = np.zeros(len(places), np.bool_)
    rises = [grid.figure.rise_mm(height) for height in (heights() if high is None else high)]
    for foot, rise_mm in zip(grid.cell_centres, rises, strict=True):
        for up_mm in np.arange(0.0, rise_mm + RISE_MM, RISE_MM) if rise_mm else ():
            away = places + up_mm * ways - foot
            hidden |= (away**2).sum(axis=1) < grid.figure.radius**2
    return hidden


def draw(
    *sources: Light,
    ambient: float = 0.4,
    grain: float = 0.0,
    high: NDArray[np.intp] | None = None,
) -> Picture:
    """Return a picture of a board with printed spots and grey columns in the light of *sources*.

    grain: how much brighter or darker stripes along the board are.  high: see `are_hidden`.
    """
    grid = layout()
    left, top, right, bottom = grid.edges
    rows, columns = np.indices((int((bottom - top) / PIXEL_MM), int((right - left) / PIXEL_MM)))
    flat = np.stack([columns, rows], axis=2).reshape(-1, 2) * PIXEL_MM + [left, top]
    light = np.full(len(flat), ambient)
    for source in sources:
        ways = source.list_ways()
        for way in ways:
            shone = ~are_hidden(flat, np.broadcast_to(way[:2] / way[2], flat.shape), high)
            light += source.strength * shone / len(ways)
    spot_mm = np.linalg.norm(flat[:, None] - grid.cell_centres, axis=2).min(axis=1)
    light *= np.where(spot_mm < grid.figure.radius, 1.6, 1.0)
    stripes = np.asarray(np.random.default_rng(3).normal(0.0, grain, columns.shape[1]))
    light *= np.exp(stripes[columns.ravel()]) * (1.0 + 0.1 * (flat[:, 0] - left) / (right - left))
    eye = pose().camera
    light[are_hidden(flat, (eye[:2] - flat) / eye[2], high)] = 0.5
    board = (LEVEL * light ** (1 / 2.2)).reshape(rows.shape)
    to_board = np.array([[PIXEL_MM, 0, left], [0, PIXEL_MM, top], [0, 0, 1]])
    size = (PICTURE[1], PICTURE[0])
    seen = cv2.warpPerspective(board, pose().homography(0.0) @ to_board, size, flags=cv2.INTER_AREA)
    noisy = np.asarray(seen) + np.random.default_rng(4).normal(0.0, 2.0, seen.shape)
    return np.repeat(noisy.clip(0, 255).round().astype(np.uint8)[..., None], 3, axis=2)


def look(picture: Picture) -> View:
    """Return what a reader would see of a drawn board."""
    return ViewBuilder(layout(), 0.0).build(picture, pose())
