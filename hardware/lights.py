"""A strip of coloured lights, such as WS2812 (NeoPixel)."""

from typing import Final, TypeAlias

from hardware.device import BadValue, OutputDevice

Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue, each from 0 dark to 255 full; the light given off is in proportion."""
Strip: TypeAlias = tuple[Colour, ...]

DARK: Final[Colour] = (0, 0, 0)
FULL: Final = 255
LEVELS: Final = range(FULL + 1)
CHANNEL_MA: Final = 20.0
"""What one of a WS2812's three emitters draws at full, in milliamperes; newer ones draw less."""
IDLE_MA: Final = 1.0
"""What a WS2812 draws while it is dark."""


class OverBudget(BadValue):
    """A picture that would draw more current than the supply may give.

    needed_ma, budget_ma: both in milliamperes.
    """

    def __init__(self, needed_ma: float, budget_ma: float) -> None:
        super().__init__(
            f"these colours draw {needed_ma:.0f} mA, more than the {budget_ma:.0f} mA allowed"
        )
        self.needed_ma = needed_ma
        self.budget_ma = budget_ma


def current_ma(strip: Strip, brightness: float = 1.0) -> float:
    """Return what *strip* draws, in milliamperes, at a WS2812's rated current.

    brightness: from 0 to 1, by which the strip's driver dims every colour.

    >>> current_ma(((255, 255, 255), (0, 0, 0)))
    62.0
    """
    return sum(IDLE_MA + brightness * sum(colour) / FULL * CHANNEL_MA for colour in strip)


def within_budget(strip: Strip, budget_ma: float, brightness: float = 1.0) -> Strip:
    """Return *strip*, dimmed evenly as far as it must be to draw at most *budget_ma*.

    Every level is multiplied by the same share and rounded down, so hues and what is brighter than
    what stay; a light may go dark only where rounding leaves nothing.  What is within the budget
    comes back as it is.  A budget that not even a dark strip keeps gives a dark strip.

    >>> within_budget(((255, 255, 255), (100, 0, 0)), 32.0)
    ((112, 112, 112), (44, 0, 0))
    """
    idle_ma = IDLE_MA * len(strip)
    needed_ma = current_ma(strip, brightness)
    if needed_ma <= budget_ma:
        return strip
    share = max(0.0, (budget_ma - idle_ma) / (needed_ma - idle_ma)) if needed_ma > idle_ma else 0.0
    return tuple(
        (int(red * share), int(green * share), int(blue * share)) for red, green, blue in strip
    )


class LightStrip(OutputDevice[Strip]):
    """A strip of lights.

    value: a colour for each light.  budget_ma: the most that the strip may draw, in milliamperes;
    500 unless told, which any USB port gives.  A value that would draw more is refused whole;
    `within_budget` dims one so that it is not.
    brightness: from 0 to 1, by which the strip's driver dims every colour.
    """

    __slots__ = ("_brightness", "_budget_ma", "_lights")

    def __init__(self, lights: int = 9, budget_ma: float = 500.0, brightness: float = 1.0) -> None:
        self._lights = lights
        self._budget_ma = budget_ma
        self._brightness = brightness
        super().__init__(rest=(DARK,) * lights)

    @property
    def lights(self) -> int:
        """How many lights the strip has."""
        return self._lights

    @property
    def budget_ma(self) -> float:
        """The most that the strip may draw, in milliamperes."""
        return self._budget_ma

    @property
    def brightness(self) -> float:
        """The share of every level that is given off."""
        return self._brightness

    @property
    def current_ma(self) -> float:
        """What the strip draws now, in milliamperes."""
        return current_ma(self.value, self._brightness)

    def _check(self, value: Strip) -> Strip:
        if len(value) != self._lights:
            raise BadValue(f"{len(value)} colours for a strip of {self._lights} lights")
        for place, colour in enumerate(value):
            if [level in LEVELS for level in colour] != [True] * 3:
                raise BadValue(f"light {place}: {colour!r} is not three levels from 0 to 255")
        needed_ma = current_ma(value, self._brightness)
        if needed_ma > self._budget_ma:
            raise OverBudget(needed_ma, self._budget_ma)
        return tuple((red, green, blue) for red, green, blue in value)
