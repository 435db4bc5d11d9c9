"""What every reader says of a picture that it cannot learn from."""

from typing import Final

NO_CARD: Final = (
    "no whole card can be made out on {}; uncover it, and keep the edge of any shadow off it"
)


class BadCalibration(ValueError):
    """A picture that cannot be learned from: one line says why."""
