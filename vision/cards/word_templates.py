"""Template matching of the short words printed on Tiki Faces, with templates drawn here."""

from functools import cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

STROKE_SHARE: Final = 0.23
"""Thickness of the strokes over the height of the letters.  Measured."""

_Stroke: TypeAlias = tuple[tuple[float, float], ...]


def _arc(
    x: float, y: float, radius_x: float, radius_y: float, start_deg: float, end_deg: float
) -> _Stroke:
    """Return a part of an ellipse around (x, y), clockwise from the right."""
    angles = np.radians(np.linspace(start_deg, end_deg, 15))
    return tuple((x + radius_x * np.cos(a), y + radius_y * np.sin(a)) for a in angles)


LETTERS: Final[dict[str, tuple[float, tuple[_Stroke, ...]]]] = {
    "+": (1.0, (((0.12, 0.52), (0.82, 0.52)), ((0.47, 0.17), (0.47, 0.87)))),
    "-": (0.62, (((0.1, 0.58), (0.48, 0.58)),)),
    "1": (0.86, (((0.16, 0.22), (0.44, 0.13), (0.44, 0.88)), ((0.14, 0.88), (0.74, 0.88)))),
    "2": (0.84, ((*_arc(0.4, 0.36, 0.26, 0.24, 200, 400), (0.14, 0.87), (0.72, 0.87)),)),
    "4": (0.88, (((0.56, 0.88), (0.56, 0.13), (0.12, 0.66), (0.8, 0.66)),)),
    "A": (0.98, (((0.1, 0.88), (0.48, 0.12), (0.86, 0.88)), ((0.24, 0.65), (0.72, 0.65)))),
    "L": (0.82, (((0.2, 0.12), (0.2, 0.88), (0.7, 0.88)),)),
    "G": (1.0, ((*_arc(0.5, 0.5, 0.38, 0.38, 320, 40), (0.86, 0.55), (0.6, 0.55)),)),
    "O": (1.02, (_arc(0.5, 0.5, 0.38, 0.38, 0, 360),)),
}
"""The width of each letter and its strokes, over its height: x to the right, y down."""


def correlate(image: NDArray[np.float32], template: NDArray[np.float32]) -> float:
    """Return the peak of the normalised cross-correlation, at most 1; 0 for a uniform image."""
    scores = cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED)
    return float(np.nan_to_num(scores).max())


@cache
def render_word(word: str, height_px: float) -> NDArray[np.float32]:
    """Return *word* (rows, columns), 1 on 0, in letters of LETTERS that are *height_px* high.

    Drawn eight times as large with a margin of 4 pixels, scaled down, and blurred as by a camera.
    """
    oversampling = 8
    height, margin = height_px * oversampling, 4 * oversampling
    width = sum(LETTERS[letter][0] for letter in word) * height
    canvas = np.zeros((round(height + 2 * margin), round(width + 2 * margin)), np.uint8)
    left = float(margin)
    for letter in word:
        letter_width, strokes = LETTERS[letter]
        for stroke in strokes:
            points = np.round(np.array(stroke) * height + [left, margin]).astype(np.int32)
            cv2.polylines(canvas, [points], False, 255, round(STROKE_SHARE * height))
        left += letter_width * height
    scale = 1 / oversampling
    small = cv2.resize(canvas, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small.astype(np.float32) / 255.0, (0, 0), 1.0)
    return np.asarray(blurred, np.float32)
