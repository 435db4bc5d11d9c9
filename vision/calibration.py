"""What every reader says of a picture that it cannot learn from."""


class BadCalibration(ValueError):
    """A picture that cannot be learned from: one line says why."""
