"""The hands of one table: all devices that show something to the people there."""

from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from hardware.display import ScoreDisplay
from hardware.fakes import FakeDisplay, FakeStrip
from hardware.lights import LightStrip


@dataclass(frozen=True, slots=True)
class Hands:
    """The light strip beside the line and the score display; fakes unless others are given."""

    strip: LightStrip = field(default_factory=FakeStrip)
    display: ScoreDisplay = field(default_factory=FakeDisplay)

    def close(self) -> None:
        """Put all devices to rest; may be called twice."""
        try:
            self.strip.close()
        finally:
            self.display.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
