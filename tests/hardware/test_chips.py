"""The kernel's GPIO chips: what every list of them promises, and which has the header's pins."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.chips import HEADER_LABELS, Chip, Chips, FakeChips, KernelChips, find_header
from hardware.header import NoPins, header_chip, pin_factory
from tests.hardware.pin_factories import install

Labels: TypeAlias = Mapping[int, str]
PI_500 = "d04190"
"""For which gpiozero opens chip 0, wherever the header is."""
EXPANDER = "raspberrypi-exp-gpio"
ORDERS = [
    pytest.param({0: label, 1: EXPANDER}, 0, id=f"{label} first") for label in HEADER_LABELS
] + [
    pytest.param({0: EXPANDER, 3: "gpio-brcmstb@107d508500", 12: label}, 12, id=f"{label} last")
    for label in HEADER_LABELS
]


class Lgpio:
    """As much of lgpio as tells the labels of *labels*; a chip without one cannot be opened."""

    class error(Exception):  # noqa: N801 - lgpio's own name
        """What lgpio raises."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.open: set[int] = set()

    def gpiochip_open(self, number: int) -> int:
        """Open the chip."""
        if not self.labels.get(number):
            raise self.error("can not open gpiochip")
        self.open.add(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        """Close it."""
        self.open.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        """Return status, lines, name and label."""
        assert handle in self.open
        return [0, 54, f"gpiochip{handle}", self.labels[handle]]


def kernels(labels: Labels, folder: Path, monkeypatch: pytest.MonkeyPatch) -> KernelChips:
    """Return the chips of a kernel that has these."""
    for number in labels:
        (folder / f"gpiochip{number}").touch()
    (folder / "gpiomem").touch()
    monkeypatch.setitem(sys.modules, "lgpio", Lgpio(labels))
    return KernelChips(folder)


def fakes(labels: Labels, *_: object) -> FakeChips:
    """Return chips that are only imagined."""
    return FakeChips(*labels.items())


contract = pytest.mark.parametrize("make", [kernels, fakes])
Make = Callable[[Labels, Path, pytest.MonkeyPatch], Chips]


@contract
@pytest.mark.parametrize(("labels", "header"), ORDERS)
def test_the_header_is_told_by_its_label(
    make: Make, labels: Labels, header: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All chips are there, by rising numbers, and the header's is found in any order."""
    found = make(labels, tmp_path, monkeypatch).found()
    assert found == tuple(Chip(number, labels[number]) for number in sorted(labels))
    assert find_header(found) == Chip(header, labels[header])


@contract
def test_no_chip_is_no_header(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a chip of another name; of two names of one chip the first is taken."""
    assert make({}, tmp_path, monkeypatch).found() == ()
    assert find_header(make({0: EXPANDER}, tmp_path, monkeypatch).found()) is None
    twice = make({0: "pinctrl-rp1", 4: "pinctrl-rp1"}, tmp_path, monkeypatch).found()
    assert find_header(twice) == Chip(0, "pinctrl-rp1")


def test_a_chip_that_may_not_be_opened_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And none stays open."""
    chips = kernels({0: "", 1: "pinctrl-rp1"}, tmp_path, monkeypatch)
    assert chips.found() == (Chip(1, "pinctrl-rp1"),)
    assert sys.modules["lgpio"].open == set()


@pytest.mark.parametrize(("labels", "header"), ORDERS)
def test_lgpio_opens_the_headers_chip(
    labels: Labels, header: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever board gpiozero takes it for."""
    given: list[int | None] = []

    def make(chip: int | None = None) -> MockFactory:
        given.append(chip)
        return MockFactory(revision=PI_500)

    install(monkeypatch, "lgpio", make)
    pin_factory("lgpio", FakeChips(*labels.items()))
    assert given == [header]
    assert header_chip(FakeChips(*labels.items())) == Chip(header, labels[header])


def test_gpiozero_takes_a_chip() -> None:
    """Its factory has the parameter, and chooses by the revision alone without it."""
    source = (Path(gpiozero.__file__).parent / "pins" / "lgpio.py").read_text()
    assert "def __init__(self, chip=None):" in source
    assert "lgpio.gpiochip_open(chip)" in source


def test_where_no_chip_is_the_headers_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that names those there are; no button would answer on any of them."""
    closed: list[bool] = []

    class Other(MockFactory):  # type: ignore[misc]  # gpiozero has no types
        def close(self) -> None:
            closed.append(True)
            super().close()

    install(monkeypatch, "lgpio", lambda: Other(revision=PI_500))
    with pytest.raises(NoPins) as caught:
        pin_factory("lgpio", FakeChips((0, EXPANDER), (2, "gpio-mockup-A")))
    assert str(caught.value) == (
        "no GPIO chip is the header's: there is gpiochip0 (raspberrypi-exp-gpio), gpiochip2"
        " (gpio-mockup-A), and the header's is called pinctrl-rp1 or pinctrl-bcm2711 or"
        ' pinctrl-bcm2835; sudo apt full-upgrade and restart, or choose kind = "fake", or a Pico'
    )
    assert closed
    assert header_chip(FakeChips((0, EXPANDER))) is None


def test_without_lgpio_no_chip_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a laptop."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert header_chip() is None
