"""Devices without hardware: they remember what they show and have shown."""

from collections import deque
from typing import Final

from PIL import Image

from hardware.display import HEIGHT, WIDTH, Form, ScoreDisplay
from hardware.lights import LightStrip, Strip
from hardware.sound import Cue, Sound

MAX_REMEMBERED_VALUES: Final = 100


class FakeStrip(LightStrip):
    """A simulated light strip.

    shown: what it has shown, oldest first, the last 100.
    """

    __slots__ = ("shown",)

    def __init__(self, lights: int = 9, budget_ma: float = 500.0, brightness: float = 1.0) -> None:
        self.shown: deque[Strip] = deque(maxlen=MAX_REMEMBERED_VALUES)
        super().__init__(lights, budget_ma, brightness)

    def _write(self, value: Strip) -> None:
        self.shown.append(value)


class FakeDisplay(ScoreDisplay):
    """A simulated score display.

    shown: the pictures it has shown, oldest first, the last 100.
    """

    __slots__ = ("shown",)

    def __init__(self, size: tuple[int, int] = (WIDTH, HEIGHT), form: Form = "pixels") -> None:
        self.shown: deque[Image.Image] = deque(maxlen=MAX_REMEMBERED_VALUES)
        super().__init__(size, form)

    def _write(self, value: Image.Image) -> None:
        self.shown.append(value)


class FakeSound(Sound):
    """A simulated sound.

    shown: the cues it has played, oldest first, the last 100.
    """

    __slots__ = ("shown",)

    def __init__(self) -> None:
        self.shown: deque[Cue] = deque(maxlen=MAX_REMEMBERED_VALUES)
        super().__init__()

    def _write(self, value: Cue) -> None:
        self.shown.append(value)
