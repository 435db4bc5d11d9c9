"""The pin table: where each wire ends, on the Raspberry Pi's header and on a Pico.

The one source for the code, for the tables in the docs and for the wiring drawing.  Everything at
once fits: four seats with three buttons each, undo, pause, the idol (with its index on the header:
a Pico counts every step), three ball switches, the lights, and displays on I2C and SPI.  On the
header that takes every pin, so some are shared, and stay free for their other use as long as the
device on them is not built:

- GPIO14 and 15 (undo, pause) are also the serial port, which nothing here needs: switch its
  console off in raspi-config, under Interface Options.
- GPIO7 and 9 (the second and third ball switch) are also claimed by SPI, though its displays do
  not listen to them: write `dtoverlay=spi0-1cs,no_miso` in /boot/firmware/config.txt.
- GPIO12 and 21 could drive the lights in place of GPIO18, GPIO10 too if no display is on SPI.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hardware.device import HardwareError

SEATS: Final = 4


class BadPins(HardwareError, ValueError):
    """A wire that cannot end at its pin; one line says which, why, and what would be right."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One signal of a board.

    number: as the code counts.  physical: its place on the board.
    held: what needs it, so that no device can have it; "" if none.
    shared: what else may be using it, "" if nothing.
    """

    number: int
    physical: int
    held: str = ""
    shared: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Where wires can end.

    prefix: of a pin's number.  rails: the physical pins that give power or ground.
    lights: the pins that can drive NeoPixels, none if every pin can.
    """

    name: str
    prefix: str
    pins: tuple[Pin, ...]
    rails: Mapping[int, str]
    lights: tuple[int, ...] = ()

    def find(self, number: int) -> Pin | None:
        """Return the pin with this number, None if there is none."""
        return next((pin for pin in self.pins if pin.number == number), None)

    def label(self, pin: Pin) -> str:
        """Return what people call *pin*.

        >>> HEADER.label(HEADER.pins[17])
        'GPIO17 (physical pin 11)'
        """
        return f"{self.prefix}{pin.number} (physical pin {pin.physical})"


@dataclass(frozen=True, slots=True)
class Role:
    """What a wire is for.

    name: as in the config.  what: for people.  header, pico: the number of its usual pin, None
    where it has no use.
    active_low: whether it means something while tied to ground.  A ball switch is the other way
    round: it lets go of ground when it is tilted, and so does a wire that breaks.
    """

    name: str
    what: str
    header: int
    pico: int | None
    active_low: bool = True

    def usual(self, board: Board) -> int | None:
        """Return the number of its usual pin on *board*, None if it has no use there."""
        return self.header if board is HEADER else self.pico


_I2C: Final = "I2C, the OLED display's bus"
SPI: Final = "SPI, the matrix display's bus"
UART: Final = "the serial port"
_HAT: Final = "the chip that identifies add-on boards"
_HELD: Final = {0: _HAT, 1: _HAT, 2: _I2C, 3: _I2C, 8: SPI, 10: SPI, 11: SPI}
_SHARED: Final = {7: SPI, 9: SPI, 14: UART, 15: UART}
_PHYSICAL: Final = (
    27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33,
    8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13,
)  # fmt: skip

HEADER: Final = Board(
    "header",
    "GPIO",
    tuple(
        Pin(number, physical, _HELD.get(number, ""), _SHARED.get(number, ""))
        for number, physical in enumerate(_PHYSICAL)
    ),
    {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
    lights=(10, 12, 18, 21),
)
"""The Raspberry Pi's 40 pins by BCM number, alike on every model since the B+.  Up to the Pi 4 the
lights need PWM (GPIO12, 18), PCM (21) or SPI (10) to keep their time."""

_PICO_PHYSICAL: Final = (
    1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29,
)  # fmt: skip

PICO: Final = Board(
    "pico",
    "GP",
    (
        *(Pin(number, physical) for number, physical in enumerate(_PICO_PHYSICAL)),
        *(Pin(number, physical) for number, physical in ((26, 31), (27, 32), (28, 34))),
    ),
    {30: "RUN", 33: "AGND", 35: "ADC_VREF", 36: "3V3", 37: "3V3_EN", 39: "VSYS", 40: "VBUS"}
    | dict.fromkeys((3, 8, 13, 18, 23, 28, 38), "GND"),
)
"""A Raspberry Pi Pico, W and 2 alike; GP23 to GP25 and GP29 are used on the board itself."""


def _seat_roles(seat: int, header: tuple[int, int, int]) -> tuple[Role, ...]:
    kinds = (("done", "turn is over"), ("uno", 'call of "UNO!"'), ("me", '"it was me"'))
    return tuple(
        Role(f"{kind}_{seat}", f"button of seat {seat}: {what}", pin, 8 + 3 * seat + place)
        for place, ((kind, what), pin) in enumerate(zip(kinds, header, strict=True))
    )


ROLES: Final = (
    Role("tilt_0", "ball switch below the tower", 4, 5, active_low=False),
    Role("tilt_1", "second ball switch", 7, 6, active_low=False),
    Role("tilt_2", "third ball switch", 9, 7, active_low=False),
    Role("idol_a", "idol's encoder, A", 17, 2),
    Role("idol_b", "idol's encoder, B", 27, 3),
    Role("idol_index", "idol's encoder, once a turn", 22, None),
    *_seat_roles(0, (23, 24, 25)),
    *_seat_roles(1, (5, 6, 13)),
    *_seat_roles(2, (19, 26, 16)),
    *_seat_roles(3, (12, 20, 21)),
    Role("undo", "button: undo", 14, 20),
    Role("pause", "button: pause", 15, 21),
    Role("pixels", "lights' data", 18, 22),
)
"""Every wire there can be.  Three buttons of a seat lie together on the header, near a ground."""
_BY_NAME: Final = {role.name: role for role in ROLES}


@dataclass(frozen=True, slots=True)
class PinPlan:
    """Which wires there are, and the pin of each; from `plan_pins` or `usual_plan`."""

    board: Board
    pins: Mapping[Role, Pin]

    def find(self, role: str) -> Pin | None:
        """Return the pin of the role of this name, None if it has no wire."""
        return self.pins.get(_BY_NAME[role])

    def named(self, *kinds: str) -> tuple[tuple[Role, Pin], ...]:
        """Return the wires of these kinds, such as "tilt" or "undo", in the table's order."""
        return tuple(
            (role, self.pins[role])
            for role in ROLES
            if role in self.pins and role.name.partition("_")[0] in kinds
        )


def usual_plan(board: Board = HEADER, roles: Iterable[str] | None = None) -> PinPlan:
    """Return the table's own pins for the roles of these names, None for all that *board* has.

    Raises BadPins if one is unknown, or has no use there.

    >>> [pin.number for _, pin in usual_plan(HEADER, ["idol_a", "idol_b"]).named("idol")]
    [17, 27]
    """
    if roles is None:
        roles = [role.name for role in ROLES if role.usual(board) is not None]
    return plan_pins(dict.fromkeys(roles, True), board)


def plan_pins(
    wires: Mapping[str, int],
    board: Board = HEADER,
    section: str = "pins",
    settings: Mapping[str, str] = MappingProxyType({}),
) -> PinPlan:
    """Return the plan of *wires*: for each role's name a pin's number, or True for its usual pin.

    A role that is False has no wire.
    section: of the config, to name a setting by.  settings: what those are called that are set
    elsewhere, by role, such as lights.pin.
    Raises BadPins on a role or a pin that there is not, on a pin that is held by something else or
    cannot do it, on two wires at one pin, and on an encoder that the board cannot count.
    """
    plan: dict[Role, Pin] = {}
    called = {name: settings.get(name, f"{section}.{name}") for name in wires}
    for name, number in wires.items():
        role = _role(name, section)
        if number is False:
            continue
        pin = _pin(role, number, board, called[name])
        for other, taken in plan.items():
            if taken == pin:
                raise BadPins(
                    f"{called[other.name]} and {called[name]} are both on {board.label(pin)};"
                    f" give one of them another pin, free: {_free(board, wires)}"
                )
        plan[role] = pin
    found = PinPlan(board, plan)
    _check_encoder(found, called)
    return found


def _check_encoder(plan: PinPlan, called: Mapping[str, str]) -> None:
    a, b = plan.find("idol_a"), plan.find("idol_b")
    if plan.board is PICO and a and b and abs(a.number - b.number) != 1:
        raise BadPins(
            f"{called['idol_a']} and {called['idol_b']} are {a.number} and {b.number}; a Pico"
            " counts on two pins in a row only, such as 2 and 3"
        )


def _role(name: str, section: str) -> Role:
    if name not in _BY_NAME:
        near = difflib.get_close_matches(name, _BY_NAME, 1)
        hint = f"did you mean '{section}.{near[0]}'?" if near else f"known: {', '.join(_BY_NAME)}"
        raise BadPins(f"unknown key '{section}.{name}'; {hint}")
    return _BY_NAME[name]


def _pin(role: Role, number: object, board: Board, setting: str) -> Pin:
    usual = role.usual(board)
    if usual is None:
        raise BadPins(
            f"{setting} has no use on a Pico, which counts every step of the idol; remove it"
        )
    if number is True:
        number = usual
    if type(number) is not int:
        raise BadPins(
            f"{setting} is {number!r}; it must be a pin number, such as {usual}, or true for that"
        )
    pin = board.find(number)
    if pin is None:
        raise BadPins(
            f"{setting} is {number}, and there is no {board.prefix}{number};"
            f" {_nearest(number, board, usual)}"
        )
    lights = role.name == "pixels" and board.lights
    if lights and number not in lights:
        able = ", ".join(map(str, lights))
        raise BadPins(f"{setting} is {number}, which cannot drive lights; it must be {able}")
    if pin.held and not lights:
        raise BadPins(
            f"{setting} is {number}, which is taken by {pin.held}; the usual one is {usual}"
        )
    return pin


def _nearest(number: int, board: Board, usual: int) -> str:
    for meant in board.pins:
        if meant.physical == number:
            return f"if you mean physical pin {number}, write {meant.number}"
    known = _runs([pin.number for pin in board.pins])
    return f"they go from {known}, the usual one is {usual}"


def _runs(numbers: Sequence[int]) -> str:
    """Return *numbers*, which rise, in words.

    >>> _runs([0, 1, 2, 26, 27])
    '0 to 2 and 26 to 27'
    """
    starts = [each for each in numbers if each - 1 not in numbers]
    ends = [each for each in numbers if each + 1 not in numbers]
    return " and ".join(f"{first} to {last}" for first, last in zip(starts, ends, strict=True))


def _free(board: Board, wires: Mapping[str, int]) -> str:
    used = {
        role.usual(board) if wires[role.name] is True else wires[role.name]
        for role in ROLES
        if role.name in wires
    }
    free = [str(pin.number) for pin in board.pins if not pin.held and pin.number not in used]
    return ", ".join(free) or "none"
