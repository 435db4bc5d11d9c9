"""A clock that stands until it is moved, and a disk that takes nothing."""

from dataclasses import dataclass


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    now_s: float = 0.0

    def __call__(self) -> float:
        """Return its time."""
        return self.now_s


def refuse(*_: object, **__: object) -> None:
    """Write nothing, as a full disk does."""
    raise OSError(28, "No space left on device", "/var/lib/tiki/games.keys.json.part")
