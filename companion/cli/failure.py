"""How a command ends when it cannot continue: one line, and an exit status."""


class Failure(Exception):
    """What is wrong and what to do next, in one line for the terminal."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status
