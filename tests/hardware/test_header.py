"""The choice of gpiozero's way to the pins, and what is said when there is none."""

import os
import tempfile
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from hardware import header
from hardware.chips import FakeChips
from hardware.header import NoPins, pin_factory
from tests.hardware.pin_factories import failing, install

PI_4, PI_5 = "c03115", "c04170"


@pytest.fixture(autouse=True)
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put an empty folder in the place of /dev."""
    monkeypatch.setattr(header, "CHIPS", tmp_path)
    return tmp_path


@pytest.mark.parametrize(("name", "module"), [("lgpio", "lgpio"), ("rpigpio", "rpigpio")])
def test_a_factory_is_chosen_by_name(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both names lead to gpiozero's own factories, and lgpio is the default."""
    install(monkeypatch, "lgpio", lambda **_: MockFactory(revision=PI_5))
    install(monkeypatch, "rpigpio", lambda: MockFactory(revision=PI_4))
    chips = FakeChips((0, "pinctrl-rp1"))
    assert header.FACTORIES[name][0] == f"gpiozero.pins.{module}"
    soc = {"lgpio": "BCM2712", "rpigpio": "BCM2711"}
    assert pin_factory(name, chips).board_info.soc == soc[name]
    assert pin_factory(chips=chips).board_info.soc == soc["lgpio"]


def test_the_named_factories_are_gpiozeros() -> None:
    """The table names files and classes that this gpiozero really has."""
    folder = Path(gpiozero.__file__).parent
    for module, kind, _ in header.FACTORIES.values():
        source = folder / "pins" / f"{module.rpartition('.')[2]}.py"
        assert f"class {kind}(" in source.read_text()


def test_rpi_gpio_is_refused_on_a_pi_5(monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO knows nothing of the Pi 5's pins, and would only fail later."""
    install(monkeypatch, "rpigpio", lambda: MockFactory(revision=PI_5))
    with pytest.raises(NoPins, match=r'cannot drive the Raspberry Pi 5; choose .* "lgpio"'):
        pin_factory("rpigpio")


def test_what_is_wrong_is_said_with_its_remedy(dev: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not installed, no Pi, no chip, no permission, in use: each is one line of its own."""

    def said(make: Any, name: str = "lgpio") -> str:
        install(monkeypatch, name, make)
        with pytest.raises(NoPins) as caught:
            pin_factory(name, FakeChips())
        assert "\n" not in str(caught.value)
        return str(caught.value)

    no_open = failing(RuntimeError("can not open gpiochip"))
    assert "sudo apt install python3-lgpio" in said(None)
    assert "not a Raspberry Pi" in said(failing(gpiozero.PinUnknownPi("unable to locate")))
    only = "This module can only be run on a Raspberry Pi!"
    assert "not a Raspberry Pi" in said(failing(RuntimeError(only)), "rpigpio")
    assert "there is no" in said(no_open)
    (dev / "gpiochip0").touch()
    assert "close other programs" in said(no_open)
    monkeypatch.setattr("os.access", lambda *_: False)  # root may read anything
    assert "sudo usermod -aG gpio $USER" in said(no_open)


def test_lgpios_pipes_lie_where_nobody_else_has_left_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of this process, which the next factory uses too; a chosen one is kept."""
    install(monkeypatch, "lgpio", failing(RuntimeError("can not open gpiochip")))
    monkeypatch.delenv("LG_WD", raising=False)
    for _ in range(2):
        with pytest.raises(NoPins):
            pin_factory("lgpio", FakeChips())
    folder = Path(os.environ["LG_WD"])
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder != Path(tempfile.gettempdir())
    monkeypatch.setenv("LG_WD", "/run/companion")
    with pytest.raises(NoPins):
        pin_factory("lgpio", FakeChips())
    assert os.environ["LG_WD"] == "/run/companion"


def test_an_unknown_factory_is_refused() -> None:
    """Only the two that are kept working can be chosen."""
    with pytest.raises(NoPins, match=r"pins.factory is 'pigpio'; it must be 'lgpio' or 'rpigpio'"):
        pin_factory("pigpio")
