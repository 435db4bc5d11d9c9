"""Picos for tests: one simulated one that tests share, and a hand on its wires."""

import platform
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from hardware.contact import Contact
from hardware.device import HardwareError
from hardware.facts import Troubled
from hardware.pico.link import PicoLink
from hardware.pico.machine import find_micropython
from hardware.pico.simulation import SimulatedPico
from hardware.pins import PICO, PinPlan, usual_plan
from tests.hardware.recorders import Record

PATIENCE_S: Final = 60.0
"""What has not come by then will not come, however busy the machine."""
QUICK_S: Final = (0.02, 0.1)
"""Pauses between tries, for tests that wait for them."""
PLAN: Final = usual_plan(
    PICO,
    [
        "tilt_0", "tilt_1", "tilt_2", "idol_a", "idol_b", "undo", "pause", "pixels",
        *(f"{kind}_{seat}" for seat in range(4) for kind in ("done", "uno", "me")),
    ],
)  # fmt: skip
"""The wires of a simulated Pico, unless told."""
MARK: Final = "pause"
"""The contact with the highest number: once its edge has come, so have all before."""


def wait_for(wanted: Callable[[], object], what: str = "") -> None:
    """Return once *wanted* holds; fails once PATIENCE_S are over."""
    until_s = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until_s, what or "what was waited for has not come"
        time.sleep(0.001)


def require_micropython() -> str:
    """Return the VM's path; where PyPI has no VM the test that needs it is skipped."""
    try:
        return find_micropython()
    except HardwareError as error:
        if platform.machine() == "x86_64":
            raise
        pytest.skip(str(error))


@contextmanager
def simulated_pico(**settings: Any) -> Iterator[SimulatedPico]:
    """Yield a simulated Pico of the test's own."""
    require_micropython()
    with tempfile.TemporaryDirectory() as folder, SimulatedPico(Path(folder), **settings) as pico:
        yield pico


@cache
def shared_pico() -> SimulatedPico:
    """Return the Pico of all tests that leave it as it was; `tests.hardware.conftest` ends it."""
    require_micropython()
    return SimulatedPico(Path(tempfile.mkdtemp(prefix="shared-pico-")))


class Hand:
    """Moves a Pico's contacts, and returns when the link has told of it."""

    def __init__(self, pico: SimulatedPico, link: PicoLink) -> None:
        self._pico = pico
        self._told = threading.Event()
        self._up = False
        (self._mark,) = link.open(PLAN, MARK).values()
        self._mark.when_changed = lambda _active, _at_s: self._told.set()

    def ground(self, role: str, *, grounded: bool) -> None:
        """Tie the wire of *role* to ground, or let it go."""
        self.ground_pin(pin_of(role), grounded=grounded)

    def ground_pin(self, pin: int, *, grounded: bool) -> None:
        """Tie GP *pin* to ground, or let it go."""
        (self._pico.close_contact if grounded else self._pico.open_contact)(pin)
        self.settle()

    def settle(self) -> None:
        """Return once everything that has happened so far has been told."""
        self._told.clear()
        move = self._pico.open_contact if self._mark.active else self._pico.close_contact
        move(pin_of(MARK))
        assert self._told.wait(PATIENCE_S), "the Pico's edges do not come"


def pin_of(role: str, plan: PinPlan = PLAN) -> int:
    """Return the GP number of *role*."""
    pin = plan.find(role)
    assert pin is not None
    return pin.number


@contextmanager
def linked(
    pico: SimulatedPico, record: Record | None = None, plan: PinPlan = PLAN, lights: int = 9
) -> Iterator[PicoLink]:
    """Yield a link that has found *pico*; what troubles it is written down."""
    heard = record or Record()
    link = PicoLink(plan, str(pico.port), heard.add, lights=lights, pauses_s=QUICK_S)
    with link:
        yield link


@contextmanager
def pico_contact(role: str) -> Iterator[tuple[Contact, Callable[[bool], None]]]:
    """Yield the contact of *role* on the shared Pico, at rest, and what drives its wire."""
    pico = shared_pico()
    low_is_active = next(each for each in PLAN.pins if each.name == role).active_low

    def drive(active: bool) -> None:
        hand.ground(role, grounded=active == low_is_active)

    with linked(pico) as link:
        hand = Hand(pico, link)
        drive(False)
        (contact,) = [
            contact
            for name, contact in link.open(PLAN, role.partition("_")[0]).items()
            if name == role
        ]
        yield contact, drive


class Troubles(Record):
    """The troubles of a link, in words, to be waited for."""

    def wait_for_word(self, word: str) -> str:
        """Return the first trouble that has *word* in it."""
        self.wait_for(lambda heard: any(word in each.trouble for each in heard if _told(each)))
        return next(trouble for trouble in self.troubles() if word in trouble)

    def wait_for_end(self) -> None:
        """Return once the newest trouble is over."""
        self.wait_for(lambda heard: heard and _told(heard[-1]) and not heard[-1].trouble)


def _told(item: object) -> bool:
    return isinstance(item, Troubled)
