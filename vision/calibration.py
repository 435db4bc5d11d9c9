"""What every reader says of a picture that it cannot learn from."""

from typing import Final

NO_CARD: Final = "no whole card can be recognised on {}; uncover it, and keep shadow edges off it"


class BadCalibration(ValueError):
    """A picture that cannot be learned from: one line says why."""
