"""What is put onto a Pico: every module of the firmware, the wiring, Adafruit's library."""

import base64
import hashlib
from importlib.metadata import distribution
from pathlib import Path

import pytest

import firmware
from hardware.pico import release
from hardware.pico.release import LIBRARY, WIRING, NoLibrary, Wiring, released_files
from hardware.pins import PICO, plan_pins, usual_plan

FULL = Wiring(tuple(range(5, 22)), (2, 3), (22, 9))


def test_every_module_of_the_firmware_is_put_where_it_is_found() -> None:
    """boot.py and code.py on top, all else in lib/, as it is; nothing of the simulation."""
    files = released_files(FULL)
    folder = Path(firmware.__file__).parent
    modules = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    assert {name for name in files if "/" not in name} == {"boot.py", "code.py"}
    assert {Path(name).name for name in files} == modules | {"neopixel.py"}
    for name, data in files.items():
        if name not in (WIRING, "lib/neopixel.py"):
            assert data == (folder / Path(name).name).read_bytes()


def test_the_wiring_is_that_of_the_settings_in_the_order_of_the_pin_table() -> None:
    """All tilt and button wires, then idol, then lights with their count."""
    wires = {"pause": 1, "tilt_0": 6, "idol_b": 11, "idol_a": 10, "done_0": 0, "pixels": 28}
    plan = plan_pins(wires, PICO)
    assert Wiring.of(plan, 24) == Wiring((6, 0, 1), (10, 11), (28, 24))
    roles = [role.name for role in usual_plan(PICO).pins]
    assert Wiring.of(usual_plan(PICO, roles), 9) == FULL
    assert Wiring.of(plan_pins({}, PICO), 9) == Wiring((), (), None)


@pytest.mark.parametrize("wiring", [FULL, Wiring((), (), None), Wiring((5,), (), (0, 1))])
def test_wiring_py_says_the_same_to_the_firmware_and_to_us(wiring: Wiring) -> None:
    """It has the three names that the firmware reads."""
    names: dict[str, object] = {}
    exec(wiring.source, names)
    assert names["KEYS"] == wiring.keys
    assert names["IDOL"] == (wiring.idol or None)
    assert names["LIGHTS"] == wiring.lights
    assert Wiring.read(wiring.source) == wiring
    assert Wiring.read((Path(firmware.__file__).parent / "wiring.py").read_text()) == FULL


@pytest.mark.parametrize(
    "source",
    ["", "KEYS = (", "KEYS = 1\nIDOL = None\nLIGHTS = None", "KEYS = ()\nIDOL = ()\nLIGHTS = 3",
     "KEYS = [x]\nIDOL = None\nLIGHTS = None", "import os", "KEYS = (" * 5000, "\0"],
)  # fmt: skip
def test_a_damaged_wiring_py_says_nothing(source: str) -> None:
    """Nothing of it is ever run."""
    assert Wiring.read(source) is None


def test_adafruits_library_is_copied_as_it_is_with_its_licence() -> None:
    """What pip has checked, byte for byte; its head names the authors and MIT."""
    data = released_files(FULL)["lib/neopixel.py"]
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    (entry,) = (each for each in distribution(LIBRARY).files or () if each.name == "neopixel.py")
    assert entry.hash
    assert entry.hash.value == digest
    head = data[:1000].decode()
    assert "SPDX-FileCopyrightText" in head
    assert "SPDX-License-Identifier: MIT" in head


def test_without_the_library_only_a_pico_without_lights_is_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line says how to get it."""
    monkeypatch.setattr(release, "LIBRARY", "no-such-package")
    assert "lib/neopixel.py" not in released_files(Wiring((5,), (), None))
    with pytest.raises(NoLibrary, match="pip install --no-deps"):
        released_files(FULL)
