"""One picture, and when it was taken."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with its name and time.

    picture: (height, width, 3) uint8, blue green red, 0 dark to 255 bright.
    taken_s: seconds on the camera's own monotonic clock.
    """

    name: str
    picture: Picture
    taken_s: float
