"""Why a picture cannot calibrate a reader."""

from typing import Final

NO_CARD: Final = (
    "no whole card is detected on {}; uncover it, and keep the edge of any shadow off it"
)


class BadCalibration(ValueError):
    """A picture that cannot calibrate a reader; one line says why."""
