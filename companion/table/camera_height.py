"""What people are told of a camera that stands too low or too high over its table."""

import math

from companion.language.message import Message, say
from vision.geometry.camera_distance import find_least_height, find_most_height
from vision.geometry.layout import Mat
from vision.geometry.lens import UNSURE_ERROR, Lens
from vision.geometry.pose import Pose


def ask_to_raise(pose: Pose, mat: Mat, lens: Lens, shape: tuple[int, ...]) -> Message:
    """Return how a camera by which tiles of *mat* are cut off would show them all.

    shape: of its picture.
    """
    height_mm = float(pose.camera[2])
    least_mm = find_least_height(pose, mat, lens.distortion, shape)
    if height_mm >= least_mm:
        return say("Point the camera at the middle of the four tiles.")
    if lens.error > UNSURE_ERROR:
        return say(
            "Raise the camera by about {percent} % of its height, and point it at the middle of the"
            " four tiles.",
            percent=_percent(least_mm, height_mm),
        )
    return say(
        "Raise the camera by {cm} cm, and point it at the middle of the four tiles.",
        cm=math.ceil((least_mm - height_mm) / 10.0),
    )


def ask_for_larger_pieces(
    pose: Pose, mat: Mat, lens: Lens, shape: tuple[int, ...], px_per_mm: float
) -> Message | None:
    """Return how a camera would show the pieces large enough, None if it does.

    px_per_mm: that many pixels are needed.
    """
    height_mm = float(pose.camera[2])
    most_mm = find_most_height(pose, mat, lens.distortion, shape, px_per_mm)
    if height_mm <= most_mm:
        return None
    if most_mm < find_least_height(pose, mat, lens.distortion, shape):
        return say(
            "The picture is too coarse for this table: {width} × {height} pixels. Set more"
            " under [camera] in the settings, such as 1536 × 864.",
            width=shape[1],
            height=shape[0],
        )
    if lens.error > UNSURE_ERROR:
        return say(
            "What lies on the table is small in the picture. Lower the camera by about {percent} %"
            " of its height.",
            percent=_percent(most_mm, height_mm),
        )
    return say(
        "What lies on the table is small in the picture. Lower the camera by {cm} cm.",
        cm=math.ceil((height_mm - most_mm) / 10.0),
    )


def _percent(wanted_mm: float, height_mm: float) -> int:
    """Return by how much a height has to change, a share that hardly depends on the lens."""
    return max(1, math.ceil(100.0 * abs(wanted_mm / height_mm - 1.0)))
