"""Search exhaustively for the rotation and place of one small image in another.

Both show a disc, whose core is correlated at low resolution: in all rotations, at all places where
it may lie.
"""

from functools import cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points

Channels: TypeAlias = NDArray[np.float32]
"""Images or pixels of several channels; each function says in which order."""

TEMPLATE_PX: Final = 96
"""Side of templates: a level makes the radius of a figure's top about a pixel larger."""
TEMPLATE_HALF_RADII: Final = 1.4
"""Half a template's side in radii of the disc."""
SEARCH_PX: Final = 144
"""Side of the images in which a template is searched for, at the same scale."""
MAX_OFFSET_PX: Final = 14.0
"""How far the disc may lie from where it is expected, since pieces are not quite centred."""
CORE_RADII: Final = 0.95
"""Radius of what is correlated, without the rim, in radii of the disc."""
ROTATIONS: Final = 36
DOWNSAMPLING: Final = 6
"""The search's resolution: ten degrees, and six pixels of the template."""
CANDIDATES: Final = 2
"""So many rotations are refined..."""
MIN_ROTATIONS_BETWEEN: Final = 2
"""...if they are so many steps apart."""
EPSILON: Final = 1e-6

RADIUS_PX: Final = TEMPLATE_PX / (2 * TEMPLATE_HALF_RADII)
CENTRE_PX: Final = (TEMPLATE_PX - 1) / 2
"""The disc in a template: its radius, and its centre along both axes."""


def rotate_core(template: Picture) -> Channels:
    """Return the core of *template* in all rotations (ROTATIONS, n), normalised."""
    # Two box filters leave it about as soft as the windows, which are also downsampled.
    soft = cv2.blur(cv2.blur(template, (7, 7)), (7, 7))
    rotated = cv2.remap(soft, *_list_rotated_core_pixels(), cv2.INTER_LINEAR)
    return _normalise(np.asarray(rotated, np.uint8))


def crop_windows(image: Picture, places: Points) -> Channels:
    """Return (places, n) what a core at each of *places* covers of a search image, normalised.

    places: (places, 2), as `list_places` returns them.
    """
    side = SEARCH_PX // DOWNSAMPLING
    small = cv2.resize(cv2.blur(image, (5, 5)), (side, side), interpolation=cv2.INTER_AREA)
    down, across = _list_core_pixels()
    rows, columns = (
        np.rint((side - 1) / 2 + offset + places[:, axis, None]).astype(np.intp)
        for offset, axis in ((down, 1), (across, 0))
    )
    return _normalise(np.asarray(small[rows, columns], np.uint8))


def list_places(search_axis_px: tuple[float, float]) -> Points:
    """Return where a core may lie in a downsampled search image (n, 2), from its centre.

    search_axis_px: it may be off by up to this across and down, or the opposite, and by
    MAX_OFFSET_PX around that.
    """
    reach = SEARCH_PX // (2 * DOWNSAMPLING) - round(CORE_RADII * RADIUS_PX / DOWNSAMPLING)
    steps = np.arange(-reach, reach + 1, dtype=np.float64)
    places = np.array([(across, down) for down in steps for across in steps])
    axis = np.array(search_axis_px) / DOWNSAMPLING
    along = np.clip(places @ axis / max(float(axis @ axis), EPSILON), -1.0, 1.0)
    offset = np.linalg.norm(places - along[:, None] * axis, axis=1)
    return np.asarray(places[offset * DOWNSAMPLING <= MAX_OFFSET_PX], np.float64)


def find_rotations(rotated: Channels, windows: Channels) -> list[tuple[float, int]]:
    """Return the CANDIDATES best rotations in radians, each with the index of its best place.

    rotated: see `rotate_core`.  windows: see `crop_windows`.
    """
    correlation = rotated @ windows.T
    best: list[int] = []
    for rotation in np.argsort(-correlation.max(axis=1)).tolist():
        steps = [min((rotation - one) % ROTATIONS, (one - rotation) % ROTATIONS) for one in best]
        if all(step >= MIN_ROTATIONS_BETWEEN for step in steps):
            best.append(rotation)
        if len(best) == CANDIDATES:
            break
    return [(-2.0 * np.pi * each / ROTATIONS, int(correlation[each].argmax())) for each in best]


def _normalise(pixels: NDArray[np.uint8]) -> Channels:
    """Return *pixels* (n, pixels, channels) as (n, pixels * channels), whose products correlate."""
    levels = pixels.transpose(0, 2, 1).astype(np.float32, order="C")
    levels -= levels.mean(axis=2, keepdims=True)
    norms = np.sqrt(np.einsum("ncp,ncp->nc", levels, levels)[..., None])
    levels /= (norms + EPSILON) * levels.shape[1] ** 0.5
    return levels.reshape(len(levels), -1)


@cache
def _list_core_pixels() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the core's pixels down and across from its centre, at low resolution."""
    radius_px = CORE_RADII * RADIUS_PX / DOWNSAMPLING
    reach = round(radius_px)
    down, across = np.indices((2 * reach,) * 2) - (reach - 0.5)
    inside = np.hypot(down, across) <= radius_px
    return down[inside], across[inside]


@cache
def _list_rotated_core_pixels() -> tuple[Channels, Channels]:
    """Return the core's pixels (ROTATIONS, n) across and down a template, in all rotations."""
    down, across = (DOWNSAMPLING * part for part in _list_core_pixels())
    angles = 2.0 * np.pi * np.arange(ROTATIONS)[:, None] / ROTATIONS
    x = across * np.cos(angles) - down * np.sin(angles) + CENTRE_PX
    y = across * np.sin(angles) + down * np.cos(angles) + CENTRE_PX
    return x.astype(np.float32), y.astype(np.float32)
