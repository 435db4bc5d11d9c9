"""CircuitPython's `digitalio`, as far as the lights' data pin needs it."""


class Direction:
    """Which way."""

    INPUT = 0
    OUTPUT = 1


class DigitalInOut:
    """A pin that is driven."""

    def __init__(self, pin):
        pin.take()
        self.pin = pin
        self.direction = Direction.INPUT

    def deinit(self):
        """Give the pin back."""
        self.pin.taken = False
