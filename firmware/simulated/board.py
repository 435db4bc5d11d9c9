"""CircuitPython's `board`: a Pico's pins."""

board_id = "raspberry_pi_pico"


class Pin:
    """A pin by its GP number."""

    def __init__(self, number):
        self.number = number
        self.taken = False

    def take(self):
        """Let one device have it."""
        if self.taken:
            raise ValueError(f"GP{self.number} in use")
        self.taken = True

    def __repr__(self):
        return f"board.GP{self.number}"


for _number in tuple(range(23)) + (26, 27, 28):
    globals()[f"GP{_number}"] = Pin(_number)
