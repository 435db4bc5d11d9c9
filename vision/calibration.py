"""Why a picture cannot calibrate a reader, and how well what it learned can be told apart."""

from dataclasses import dataclass
from typing import Final

NO_CARD: Final = (
    "no whole card is detected on {}; uncover it, and keep the edge of any shadow off it"
)
HOPELESS: Final = 0.4
"""Share of the distance that two classes should have, below which nobody can tell them apart."""


class BadCalibration(ValueError):
    """A picture that cannot calibrate a reader; one line says why."""


@dataclass(frozen=True, slots=True)
class Separation:
    """How far two classes of pieces are apart under the light of the calibration.

    one, other: their names, in the words of a reading; *other* may be EMPTY.
    share: of the distance that they should have; from 1 on they are told apart well, below
        `HOPELESS` not at all.
    """

    one: str
    other: str
    share: float

    @property
    def is_weak(self) -> bool:
        """Whether shadow or a weaker lamp may let them look alike."""
        return self.share < 1.0

    @property
    def is_hopeless(self) -> bool:
        """Whether they look alike as it is."""
        return self.share < HOPELESS
