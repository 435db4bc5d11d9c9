"""Contacts on the Raspberry Pi's own header, through gpiozero."""

import atexit
import importlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from hardware.chips import DEV, HEADER_LABELS, Chip, Chips, KernelChips, find_header
from hardware.contact import notify
from hardware.device import HardwareError, NoSuchAttribute
from hardware.pins import PinPlan

if TYPE_CHECKING:
    from hardware.contact import Changed

FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory", "sudo apt install python3-lgpio"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory", "sudo apt install python3-rpi.gpio"),
    "mock": ("gpiozero.pins.mock", "MockFactory", "pip install gpiozero"),
}
"""gpiozero's ways to the pins, by name: the default first, and how each is installed."""
CHIPS: Final = DEV
FAKE_REMEDY: Final = 'choose kind = "fake", or a Pico'
FAR_S: Final = 60.0
"""A time of an edge that lies so far from now was taken by another clock: kernels before 5.7 count
from 1970."""


class NoPins(HardwareError, OSError):
    """The header's pins cannot be used; one line says why, and what to do."""


def _gpiozero() -> Any:
    """Return the package: 30 ms that only a table with wires has to wait for."""
    return importlib.import_module("gpiozero")


def pin_factory(name: str = "lgpio", chips: Chips | None = None) -> Any:
    """Return gpiozero's pin factory called *name*; raises NoPins with the remedy.

    lgpio serves every Raspberry Pi.  rpigpio is the older RPi.GPIO, for boards before the Raspberry
    Pi 5, whose pins sit behind another chip, and kernels before 6.6, on which it still detects
    edges. mock has simulated pins, for trying a config out on any machine.
    chips: among which lgpio's is chosen, the kernel's unless told.
    """
    if name not in FACTORIES:
        raise NoPins(f"pins.factory is {name!r}; it must be {' or '.join(map(repr, FACTORIES))}")
    module, kind, install = FACTORIES[name]
    if "LG_WD" not in os.environ:  # else it litters the working folder
        os.environ["LG_WD"] = _pipes_folder()
    chosen: dict[str, int] = {}
    found: tuple[Chip, ...] = ()
    try:
        make = getattr(importlib.import_module(module), kind)
        if name == "lgpio":
            found = (chips or KernelChips(CHIPS)).found()
            if header := find_header(found):
                chosen["chip"] = header.number
        factory = make(**chosen)
        soc = factory.board_info.soc
    except ImportError:
        raise NoPins(f"{name} is not installed here; {install}, or {FAKE_REMEDY}") from None
    except Exception as error:  # noqa: BLE001 - each library behind it has errors of its own
        raise NoPins(f"{name} found no pins: {_cause(error)}") from None
    if name == "rpigpio" and soc == "BCM2712":
        factory.close()
        raise NoPins('RPi.GPIO cannot drive the Raspberry Pi 5; choose pins.factory = "lgpio"')
    if name == "lgpio" and not chosen:
        factory.close()
        raise NoPins(_no_header(found))
    return factory


def header_chip(chips: Chips | None = None) -> Chip | None:
    """Return the chip that lgpio's factory is given, None if there is none or no lgpio."""
    try:
        return find_header((chips or KernelChips(CHIPS)).found())
    except (ImportError, OSError):
        return None


def _no_header(found: Sequence[Chip]) -> str:
    """Return why no button would answer on any of these chips, in one line with the remedy."""
    there = ", ".join(map(str, found)) or "none that can be opened"
    return (
        f"no GPIO chip is the header's: there is {there}, and the header's is called"
        f" {' or '.join(HEADER_LABELS)}; sudo apt full-upgrade and restart, or {FAKE_REMEDY}"
    )


@cache
def _pipes_folder() -> str:
    """Return a folder of this process for lgpio's pipes, which is there until the process ends.

    Their names are the same in every process: in a folder that all share, such as /tmp, one that
    another user has left cannot be opened, and no pin can be used.
    """
    folder = tempfile.mkdtemp(prefix="tiki-lgpio-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _cause(error: Exception) -> str:
    if isinstance(error, _gpiozero().PinUnknownPi) or "only be run on a Raspberry Pi" in str(error):
        return f"this is not a Raspberry Pi; {FAKE_REMEDY}"
    chips = sorted(CHIPS.glob("gpiochip*"))
    if not chips:
        return f"there is no {CHIPS}/gpiochip*; update the kernel, or {FAKE_REMEDY}"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return f"no permission for {chips[0]}; sudo usermod -aG gpio $USER, then log in again"
    return f"{error}; close other programs that use the pins and try again"


class HeaderContact:
    """One pin of the header as a `Contact`, not debounced, every edge with its time.

    pin: the BCM number.  active_low: active while the pin is tied to ground.
    pull_up: True for the inner resistor to 3.3 V, False for the one to ground, None for neither.
    factory: from `pin_factory`, or gpiozero's mock.  clock: what its edges' times are told in.
    An edge has the kernel's own time where the factory passes it on (lgpio does), otherwise the
    time at which it was received.  The kernel does not say how many edges overran its buffer of
    32, but two that lead to the same level reveal one that is `lost`.
    Raises HardwareError if the pin cannot be used.
    """

    __slots__ = (
        "__weakref__", "_active", "_active_low", "_clock", "_input", "_lost", "_number",
        "_start_s", "_start_ticks", "when_changed",
    )  # fmt: skip

    def __init__(
        self,
        pin: int,
        factory: Any,
        *,
        active_low: bool = True,
        pull_up: bool | None = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.when_changed: Changed | None = None
        self._number = pin
        self._active_low = active_low
        self._clock = clock
        self._lost = 0
        state = None if pull_up is not None else not active_low
        try:
            self._input: Any = _gpiozero().InputDevice(
                pin, pull_up=pull_up, active_state=state, pin_factory=factory
            )
            self._start_ticks, self._start_s = factory.ticks(), clock()
            self._active = self._level(self._input.pin.state)
            self._input.pin.edges = "both"
            self._input.pin.when_changed = self._handle_edge  # kept weakly, so it must be bound
        except Exception as error:  # noqa: BLE001 - as above
            raise HardwareError(f"GPIO{pin} cannot be read: {_reason(error)}") from None

    @property
    def active(self) -> bool:
        """The level now; the last one known once it is closed."""
        return self._active if self._input.closed else self._level(self._input.pin.state)

    @property
    def lost(self) -> int:
        """How many edges are known to be missed so far."""
        return self._lost

    def close(self) -> None:
        """Let the pin go; may be called twice."""
        self.when_changed = None
        if not self._input.closed:
            self._input.pin.when_changed = None
            self._input.close()

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise NoSuchAttribute(f"a {type(self).__name__} has no '{name}' that could be set")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        standing = "closed" if self._input.closed else f"active={self.active}"
        return f"<HeaderContact GPIO{self._number} {standing}>"

    def _level(self, state: float) -> bool:
        return bool(state) != self._active_low

    def _handle_edge(self, ticks: Any, state: float) -> None:
        active = self._level(state)
        self._lost += active == self._active
        self._active = active
        now_s = self._clock()
        since_s = self._input.pin_factory.ticks_diff(ticks, self._start_ticks)
        at_s = self._start_s + since_s
        notify(self.when_changed, active, at_s if abs(now_s - at_s) < FAR_S else now_s)


def open_contacts(plan: PinPlan, factory: Any, *kinds: str) -> dict[str, HeaderContact]:
    """Return a contact for each wire of *plan* of these kinds, by role, such as done_0.

    Raises HardwareError, naming the role, if one cannot be used; then none stays open.
    """
    contacts: dict[str, HeaderContact] = {}
    with ExitStack() as failing:
        for role, pin in plan.named(*kinds):
            try:
                contact = HeaderContact(pin.number, factory, active_low=role.active_low)
            except HardwareError as error:
                raise HardwareError(f"{role.name}: {error}") from None
            failing.callback(contact.close)
            contacts[role.name] = contact
        failing.pop_all()
    return contacts


def _reason(error: Exception) -> str:
    if isinstance(error, _gpiozero().GPIOPinInUse):
        return "another device of the companion uses it; give each its own pin"
    if isinstance(error, _gpiozero().PinInvalidPin):
        return "the header has no such pin; BCM numbers go from 0 to 27"
    if "add edge detection" in str(error):
        return 'on this kernel RPi.GPIO detects no edges; choose pins.factory = "lgpio"'
    if "busy" in str(error).lower():
        return "another program uses it; stop that program, or choose another pin"
    return f"{error}; choose another pin, or another pins.factory"
