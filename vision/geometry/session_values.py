"""Values of a session's description, and one line on what is wrong with it."""

import math
from collections.abc import Mapping
from typing import Any, Final

from vision.geometry.distortion import Distortion

TILES_PER_MAT: Final = 4
MARKER_IDS: Final = range(50)
"""The markers of the ArUco dictionary DICT_4X4_50."""
USUAL_HFOV_DEG: Final = 66.0
"""Half of all webcams and camera modules see less, half more: where nobody knows better."""
HFOV_RANGE_DEG: Final = (10.0, 150.0)
"""Horizontal fields of view that a pinhole model can describe; camera modules have 40 to 120."""


class BadLayout(ValueError):
    """A description of a table that cannot be used; one line says why."""


def take_value(table: Mapping[str, Any], path: str, right: str) -> Any:
    """Return the value under the last word of *path*; *right* says what would be right."""
    key = path.rpartition(".")[2]
    if key not in table:
        raise BadLayout(f"'{path}' is missing: {right}")
    return table[key]


def take_table(table: Mapping[str, Any], path: str, right: str) -> Mapping[str, Any]:
    """Return the table at *path*."""
    value = take_value(table, path, right)
    if not isinstance(value, Mapping):
        raise BadLayout(f"'{path}' is {value!r:.40}; it must be {right}")
    return value


def take_number(table: Mapping[str, Any], path: str, right: str) -> float:
    """Return the finite number at *path*."""
    value = take_value(table, path, right)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadLayout(f"'{path}' is {value!r:.40}; it must be {right}")
    return float(value)


def take_length(table: Mapping[str, Any], path: str) -> float:
    """Return the length in mm at *path*, above 0."""
    value = take_number(table, path, "a length above 0 in mm")
    if value <= 0.0:
        raise BadLayout(f"'{path}' is {value:g}; it must be a length above 0 in mm")
    return value


def take_marker_ids(
    mat: Mapping[str, Any], path: str = "mat.marker_ids"
) -> tuple[int, int, int, int]:
    """Return the four different marker ids at *path*."""
    right = "four different numbers from 0 to 49 (top left, top right, bottom right, bottom left)"
    value = take_value(mat, path, right)
    if (
        not isinstance(value, list | tuple)
        or not all(type(i) is int and i in MARKER_IDS for i in value)
        or not len(value) == len(set(value)) == TILES_PER_MAT
    ):
        raise BadLayout(f"'{path}' is {value!r:.40}; it must be {right}")
    return (value[0], value[1], value[2], value[3])


def take_hfov_deg(session: Mapping[str, Any]) -> float:
    """Return how wide the camera's pictures are in degrees, once they are straightened."""
    return take_distortion(session).straight_hfov_deg


def take_distortion(session: Mapping[str, Any]) -> Distortion:
    """Return how the lens shows the table: 10 to 150 degrees wide; a usual lens if untold."""
    image = session.get("image", {})
    if not isinstance(image, Mapping):
        raise BadLayout(f"'image' is {image!r:.40}; it must be a table with hfov_deg")
    if "hfov_deg" not in image:
        return Distortion(USUAL_HFOV_DEG)
    right = "the horizontal field of view, 10 to 150 degrees"
    hfov_deg = take_number(image, "image.hfov_deg", right)
    if not HFOV_RANGE_DEG[0] <= hfov_deg <= HFOV_RANGE_DEG[1]:
        raise BadLayout(f"'image.hfov_deg' is {hfov_deg:g}; it must be 10 to 150 degrees")
    k1 = take_number(image, "image.k1", "a number") if "k1" in image else 0.0
    distortion = Distortion(hfov_deg, k1)
    if not distortion.is_possible:
        raise BadLayout(f"'image.k1' is {k1:g}: no lens of {hfov_deg:g} degrees bends so much")
    return distortion
