"""Which GPIO chip is the header's: gpio-sim's, with a Raspberry Pi's labels in another order."""

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from hardware.chips import HEADER_LABELS, KernelChips
from hardware.header import HeaderContact, header_chip, pin_factory
from tests.evenings import topple_evening
from tests.hil.inside.examined import examine
from tests.hil.inside.table import wired
from tests.hil.inside.wires import DEVICES, SIMULATED, lines

EXPANDER: Final = "raspberrypi-exp-gpio"
PIN: Final = 23
PATIENCE_S: Final = 10.0


def switch(name: str, *, on: bool) -> None:
    """Let the kernel have the simulated chip of this name, or take it away."""
    (SIMULATED / name / "live").write_text(str(int(on)))
    subprocess.run(["udevadm", "settle"], check=True)


@contextmanager
def chips(labels: Sequence[str]) -> Iterator[None]:
    """Have chips of these labels alone, in this order, in the place of the Raspberry Pi 4's."""
    made = []
    switch("pi", on=False)
    try:
        for number, label in enumerate(labels):
            bank = SIMULATED / f"chip{number}" / "bank0"
            bank.mkdir(parents=True)
            (bank / "num_lines").write_text("54")
            (bank / "label").write_text(label)
            made.append(bank)
            switch(bank.parent.name, on=True)
        yield
    finally:
        for bank in made:
            switch(bank.parent.name, on=False)
            bank.rmdir()
            bank.parent.rmdir()
        switch("pi", on=True)


@pytest.mark.parametrize("label", HEADER_LABELS)
def test_a_button_answers_wherever_the_header_is(label: str) -> None:
    """By itself gpiozero would open chip 0, which has no wires; a wire of the other is heard."""
    order = (EXPANDER, "gpio-brcmstb@107d508500", label, EXPANDER)
    with chips(order):
        assert tuple(each.label for each in KernelChips().found()) == order
        factory = pin_factory()
        contact = HeaderContact(PIN, factory)
        try:
            assert factory.chip == 2
            pull = lines("chip2") / f"sim_gpio{PIN}" / "pull"
            for active in (True, False, True):
                pull.write_text("pull-down" if active else "pull-up")
                until_s = time.monotonic() + PATIENCE_S
                while contact.active is not active and time.monotonic() < until_s:
                    time.sleep(0.05)
                assert contact.active is active
        finally:
            contact.close()
            factory.close()
    assert str(header_chip()) == "gpiochip0 (pinctrl-bcm2711)"


def test_the_doctor_names_it(folder: Path) -> None:
    """Also where no chip is the header's; gpiozero would have opened chip 0 without a word."""
    settings = wired(folder, topple_evening(253, seats=2, target=8), "tilt_0", "undo")
    with chips((EXPANDER, HEADER_LABELS[0])):
        said = examine(folder, settings)["pins"]
    assert said.startswith("ok: lgpio opens them on gpiochip1 (pinctrl-rp1), and nothing else")
    with chips((EXPANDER,)):
        said = examine(folder, settings)["pins"]
    assert said.startswith("failed: no GPIO chip is the header's: there is gpiochip0 (")


def test_the_chips_of_this_machine_are_in_dev() -> None:
    """So the two tests above can fail."""
    assert sorted(each.name for each in DEVICES.glob("gpiochip*")) == ["gpiochip0"]
