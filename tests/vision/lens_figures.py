"""How well lenses are measured, drawn: `python -m tests.vision.lens_figures` prints two tables."""

import math

import numpy as np

from tests.vision.held_tiles import wave
from tests.vision.lenses import SHAPE, DrawnLens
from tests.web.setting_up import picture_of
from vision.capture.frame import Picture
from vision.geometry.held_tile import HeldTile
from vision.geometry.lens import Lens, measure_lens
from vision.geometry.pose import camera_matrix
from vision.geometry.table_view import TableView

TABLES = range(8)
HANDS = range(3)
TRUE_DEG = 66.0


def error_of(found: Lens, true_deg: float, shape: tuple[int, ...]) -> float:
    """Return by how much the focal length is wrong, as a logarithm."""
    pixels = [camera_matrix(deg, shape)[0, 0] for deg in (found.hfov_deg, true_deg)]
    return math.log(pixels[0] / pixels[1])


def print_tables() -> None:
    """Print what one view of four tiles tells, by angle and slant."""
    for true_deg in (47.0, 66.0, 92.0):
        for slant_deg in (0.0, 5.0, 10.0, 20.0, 30.0, 35.0):
            true = DrawnLens(true_deg, beside=(9.0, -6.0))
            found = [measure_lens([true.look(slant_deg, table)], SHAPE) for table in TABLES]
            told = np.mean([each.error for each in found])
            worst = max(abs(error_of(each, true_deg, SHAPE)) for each in found)
            print(f"{true_deg:g} at {slant_deg:g} degrees: told {told:.3f}, worst {worst:.3f}")


def print_hands() -> None:
    """Print what a tile in the hand tells, by its distance, and before other lenses."""
    table = picture_of("tiki_topple")
    wall = np.full_like(table, 120)
    for near in (0.2, 0.26, 0.36):
        for hand in HANDS:
            print(f"{near} m: {measure(table, TRUE_DEG, hand, near, 15)}")
    usual_px = camera_matrix(TRUE_DEG, wall.shape)[0, 0]
    for true_deg in (47.0, 58.0, 78.0, 92.0, 102.0):
        near = 0.24 * camera_matrix(true_deg, wall.shape)[0, 0] / usual_px
        for hand in HANDS:
            print(f"{true_deg:g} degrees: {measure(wall, true_deg, hand, near, 20)}")


def measure(picture: Picture, true_deg: float, hand: int, near: float, tilts: int) -> str:
    """Return what came of measuring in words."""
    measuring, pictures = HeldTile(), 0
    for held in wave(49, hand, tilts, near):
        measuring.look(TableView(held.draw(picture, true_deg, seed=pictures)))
        pictures += 1
        if measuring.is_enough:
            break
    off, error = error_of(measuring.lens, true_deg, picture.shape), measuring.lens.error
    return f"{pictures} pictures, told {error:.4f}, off {abs(off):.4f}"


if __name__ == "__main__":
    print_tables()
    print_hands()
