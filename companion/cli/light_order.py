"""`tiki doctor --lights`: the order in which lights take their colours, by what somebody sees."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from companion.apps.doctor.machine import Machine
from companion.cli.asking import require_rest
from companion.cli.failure import Failure
from companion.cli.settings import read_settings
from companion.config import Config, pin_plan
from hardware.device import HardwareError
from hardware.lights import DARK, FULL, LightStrip, Strip, within_budget
from hardware.neopixels import StripConfig
from hardware.output_devices import open_output_devices
from hardware.pico.link import PicoLink
from hardware.pins import PICO

SHOWN: Final = "RGB"
"""What the first lights are told to be."""
SETTLE_S: Final = 2.0
"""By then the lights show it, or it is known why not."""
_QUESTION: Final = (
    "The first three lights should be red, green, blue, and all others dark.\n"
    "What are the first three? R, G, B, W for white, - for dark or mixed [RGB]: "
)

Ask = Callable[[str], str]


def show_and_ask(file: Path | None, machine: Machine, ask: Ask = input) -> int:
    """Light the first three lights of the table in *file*, and say what order is to be set.

    Return 1 if it is another than the settings have; raises Failure if it cannot be told.
    """
    config = read_settings(file)
    _require_lights(config)
    require_rest(config, machine.holders)
    lights = config.lights
    other = lights.order.replace("W", "") if "W" in lights.order else lights.order + "W"
    for order in (lights.order, other):
        with _open_strip(config, order) as strip:
            found = order_of(order, _look(strip, lights, ask))
        if found == lights.order:
            print(f'lights.order is right: "{found}".')
            return 0
        if found:
            print(f'Set order = "{found}" under [lights], and look once more.')
            return 1
    raise Failure(
        f"the lights are wrong both as {lights.order} and as {other}; check their data"
        " wire, ground and level shifter against docs/build-your-own.md"
    )


def order_of(told: str, seen: str) -> str:
    """Return the order of lights that were *told* red, green, blue in one order and are *seen* so.

    "" if they cannot be told: then they have a white of their own and *told* has none, or the
    other way round.

    >>> order_of("GRB", "RGB"), order_of("GRB", "GRB"), order_of("GRB", "W-R")
    ('GRB', 'RGB', '')
    >>> order_of("GRBW", "BWR")
    'WBRG'
    """
    letters = sorted(told)
    if len(set(seen) & set(letters)) != len(SHOWN):
        return ""
    has = dict(zip(SHOWN, seen, strict=True))
    left = [letter for letter in letters if letter not in seen]
    return "".join(has[place] if place in has else left[0] for place in told)


def _require_lights(config: Config) -> None:
    if config.lights.kind == "fake":
        raise Failure(
            'no lights are configured; set kind = "neopixel" under [lights], and name the'
            " settings: --config FILE"
        )
    if config.lights.lights < len(SHOWN):
        raise Failure(
            f"lights.lights is {config.lights.lights}; the order is found with three lights or more"
        )
    if not sys.stdin.isatty():
        raise Failure("--lights asks what you see, so it needs a terminal; run it in one")


@contextmanager
def _open_strip(config: Config, order: str) -> Iterator[LightStrip]:
    lights = msgspec.structs.replace(config.lights, order=order)
    with ExitStack() as stack:
        link = None
        plan = pin_plan(config)
        if plan.board is PICO:
            link = stack.enter_context(PicoLink(plan, config.pins.port, lights=lights.lights))
        try:
            yield stack.enter_context(open_output_devices(lights, link=link)).strip
        except HardwareError as error:
            raise Failure(str(error)) from None


def _look(strip: LightStrip, lights: StripConfig, ask: Ask) -> str:
    """Return what somebody sees of the first three lights, a letter each."""
    strip.value = _colours(lights)
    until_s = time.monotonic() + SETTLE_S
    while time.monotonic() < until_s and not strip.trouble:
        time.sleep(0.05)
    while True:
        if strip.trouble:
            raise Failure(strip.trouble)
        try:
            seen = ask(_QUESTION).replace(" ", "").upper() or SHOWN
        except EOFError:
            raise Failure("no answer; run it again in a terminal") from None
        if len(seen) == len(SHOWN) and not seen.strip("RGBW-"):
            return seen
        print("Three letters, please, such as GRB.")


def _colours(lights: StripConfig) -> Strip:
    colours = ((FULL, 0, 0), (0, FULL, 0), (0, 0, FULL), *(DARK,) * (lights.lights - len(SHOWN)))
    return within_budget(colours, lights.budget_ma, lights.brightness)
