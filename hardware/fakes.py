"""Devices that need no hardware: they keep in mind what they show, and what they have shown."""

from collections import deque
from typing import Final

from luma.core.device import dummy
from PIL import Image

from hardware.display import HEIGHT, WIDTH, ScoreDisplay
from hardware.lights import LightStrip, Strip

REMEMBERED: Final = 100


class FakeStrip(LightStrip):
    """A light strip that is only imagined.

    shown: what it has shown, oldest first, the last 100.
    """

    __slots__ = ("shown",)

    def __init__(self, lights: int = 9, budget_ma: float = 500.0) -> None:
        self.shown: deque[Strip] = deque(maxlen=REMEMBERED)
        super().__init__(lights, budget_ma)

    def _write(self, value: Strip) -> None:
        self.shown.append(value)


class FakeDisplay(ScoreDisplay):
    """A score display that is only imagined: luma's own dummy panel.

    shown: the pictures it has shown, oldest first, the last 100.
    """

    __slots__ = ("shown",)

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.shown: deque[Image.Image] = deque(maxlen=REMEMBERED)
        super().__init__(dummy(width=width, height=height, mode="1"))

    def _write(self, value: Image.Image) -> None:
        super()._write(value)
        self.shown.append(value)
