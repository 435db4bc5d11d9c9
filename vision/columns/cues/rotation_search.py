"""Try out how one small picture is turned in another, and where it lies there.

Both show a round thing, of which the core is compared, in few pixels: in all turns, and in all
places where it may lie.
"""

from functools import cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points

Levels: TypeAlias = NDArray[np.float32]

SIDE_PX: Final = 96
"""How wide templates are."""
SPAN: Final = 1.4
"""And how many radii of the round thing half of that is."""
WIDE_PX: Final = 144
"""How wide subjects are, at the same scale: what they show may lie aside."""
LOOSE_PX: Final = 14.0
"""How far aside it may lie in any case."""
CORE: Final = 0.95
"""What is compared reaches so many radii out."""
TURNS: Final = 36
COARSE: Final = 6
"""Turns are tried out in pictures so many times smaller."""
TRIED: Final = 2
"""How many turns are likeliest, no two of them less than APART apart."""
APART: Final = 2
SOFT_CORE, SOFT_WINDOWS = (7, 7), (5, 5)
"""Means of so many pixels are taken before, of a core twice: it is then about as soft as windows in
few pixels."""
TINY: Final = 1e-6

RADIUS_PX: Final = SIDE_PX / (2 * SPAN)
MIDDLE: Final = (SIDE_PX - 1) / 2
"""How large the round thing is in a template, and where its middle is, across and down."""


def turn_core(picture: Picture) -> Levels:
    """Return the core of a template's *picture* in all turns (TURNS, n), in few pixels."""
    soft = cv2.blur(cv2.blur(picture, SOFT_CORE), SOFT_CORE)
    return _flatten(np.asarray(cv2.remap(soft, *_lay_turned_core(), cv2.INTER_LINEAR), np.uint8))


def cut_windows(picture: Picture, places: Points) -> Levels:
    """Return (places, n): what a core sees at *places* (places, 2) of a subject's *picture*."""
    soft = cv2.blur(picture, SOFT_WINDOWS)
    side = WIDE_PX // COARSE
    small = cv2.resize(soft, (side, side), interpolation=cv2.INTER_AREA)
    down, across = _lay_core()
    rows, columns = (
        np.rint((side - 1) / 2 + part + places[:, index, None]).astype(np.intp)
        for part, index in ((down, 1), (across, 0))
    )
    return _flatten(np.asarray(small[rows, columns], np.uint8))


def find_places(way_px: tuple[float, float]) -> Points:
    """Return where a core may lie in a small subject (n, 2), across and down of its middle.

    way_px: it may lie so far aside, or as far the other way, and LOOSE_PX around that.
    """
    places, way = _lay_places(), np.array(way_px) / COARSE
    along = np.clip(places @ way / max(float(way @ way), TINY), -1.0, 1.0)
    aside = np.linalg.norm(places - along[:, None] * way, axis=1)
    return np.asarray(places[aside * COARSE <= LOOSE_PX], np.float64)


def find_turns(turned: Levels, windows: Levels) -> list[tuple[float, int]]:
    """Return the TRIED likeliest turns of a core in radians, and each with its likeliest place.

    turned: see `turn_core`.  windows: see `cut_windows`; which of them it is is returned.
    """
    alike = turned @ windows.T
    return [
        (-2.0 * np.pi * turn / TURNS, int(alike[turn].argmax()))
        for turn in _choose_turns(alike.max(axis=1))
    ]


def _choose_turns(alike: Levels) -> list[int]:
    """Return the TRIED turns that are most *alike* (TURNS,), no two of them nearly the same."""
    found: list[int] = []
    for turn in np.argsort(-alike).tolist():
        if all(min((turn - one) % TURNS, (one - turn) % TURNS) >= APART for one in found):
            found.append(turn)
        if len(found) == TRIED:
            break
    return found


def _flatten(seen: NDArray[np.uint8]) -> Levels:
    """Return *seen* (n, pixels, channels) as (n, pixels * channels) whose products are likeness."""
    levels = seen.transpose(0, 2, 1).astype(np.float32, order="C")
    levels -= levels.mean(axis=2, keepdims=True)
    sizes = np.sqrt(np.einsum("ncp,ncp->nc", levels, levels)[..., None])
    levels /= (sizes + TINY) * levels.shape[1] ** 0.5
    return levels.reshape(len(levels), -1)


@cache
def _lay_core() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far down and across of its middle the core's pixels lie, in a small picture."""
    reach = round(CORE * RADIUS_PX / COARSE)
    down, across = np.indices((2 * reach,) * 2) - (reach - 0.5)
    inside = np.hypot(down, across) <= CORE * RADIUS_PX / COARSE
    return down[inside], across[inside]


@cache
def _lay_turned_core() -> tuple[Levels, Levels]:
    """Return where (TURNS, n) the core's pixels lie across and down a template, in all turns."""
    down, across = (COARSE * part for part in _lay_core())
    angles = 2.0 * np.pi * np.arange(TURNS)[:, None] / TURNS
    x = across * np.cos(angles) - down * np.sin(angles) + MIDDLE
    y = across * np.sin(angles) + down * np.cos(angles) + MIDDLE
    return x.astype(np.float32), y.astype(np.float32)


@cache
def _lay_places() -> Points:
    """Return (n, 2): where a core lies wholly inside of a small subject."""
    reach = WIDE_PX // (2 * COARSE) - round(CORE * RADIUS_PX / COARSE)
    ways = np.arange(-reach, reach + 1, dtype=np.float64)
    return np.array([(across, down) for down in ways for across in ways])
