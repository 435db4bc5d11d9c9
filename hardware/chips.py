"""The kernel's GPIO chips, told by their labels: which of them has the header's pins.

The number of a chip is the order in which the kernel found it.  gpiozero (2.0.1) opens chip 4 on a
Raspberry Pi 5 if there is one and chip 0 on every other, a Pi 500 and a Compute Module 5 too; where
the header is elsewhere it opens a chip without it, and no button answers.  The label is the
driver's own name and tells for certain.

Sources: Linux, drivers/pinctrl/pinctrl-rp1.c and drivers/pinctrl/bcm/pinctrl-bcm2835.c (labels).
"""

import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

DEV: Final = Path("/dev")
HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Of the chip with the header's pins: Pi 5, 500 and Compute Module 5; Pi 4, 400 and Compute Module
4; all before them, and the Zero 2 W."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip that can be opened.  number: of its node in /dev.  label: its driver's own name."""

    number: int
    label: str

    def __str__(self) -> str:
        """Return what people call it.

        >>> print(Chip(4, "pinctrl-rp1"))
        gpiochip4 (pinctrl-rp1)
        """
        return f"gpiochip{self.number} ({self.label})"


class Chips(Protocol):
    """What GPIO chips there are."""

    def found(self) -> tuple[Chip, ...]:
        """Return those that this user may open, the lowest number first; claims no pin.

        A chip that has two nodes is there twice: newer kernels have /dev/gpiochip4 as another name
        of the Pi 5's chip 0.
        """


class KernelChips:
    """The chips in *folder*, asked through lgpio; see `Chips`."""

    def __init__(self, folder: Path = DEV) -> None:
        self._folder = folder

    def found(self) -> tuple[Chip, ...]:
        """Return those that this user may open; raises ImportError without lgpio."""
        lgpio: Any = importlib.import_module("lgpio")  # only a Pi has it
        nodes = (re.fullmatch(r"gpiochip(\d+)", each.name) for each in self._folder.iterdir())
        chips = []
        for number in sorted(int(node[1]) for node in nodes if node):
            try:
                handle = lgpio.gpiochip_open(number)
            except lgpio.error:
                continue
            try:
                chips.append(Chip(number, str(lgpio.gpio_get_chip_info(handle)[3])))
            except lgpio.error:  # it was pulled out meanwhile
                continue
            finally:
                lgpio.gpiochip_close(handle)
        return tuple(chips)


class FakeChips:
    """Chips that are only imagined; see `Chips`.  chips: number and label of each."""

    def __init__(self, *chips: tuple[int, str]) -> None:
        self._chips = tuple(sorted(chips))

    def found(self) -> tuple[Chip, ...]:
        """Return all of them."""
        return tuple(Chip(number, label) for number, label in self._chips)


def find_header(chips: Sequence[Chip]) -> Chip | None:
    """Return which of *chips* has the header's pins, None if none has.

    >>> found = find_header(FakeChips((0, "raspberrypi-exp-gpio"), (3, "pinctrl-rp1")).found())
    >>> print(found)
    gpiochip3 (pinctrl-rp1)
    """
    for label in HEADER_LABELS:
        for chip in chips:
            if chip.label == label:
                return chip
    return None
