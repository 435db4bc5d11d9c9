"""Settings of wires: one line chooses the board where they end, and each refusal is one line."""

import re
from pathlib import Path

import pytest

from companion.config import parse_config, pin_plan
from hardware.pins import HEADER, PICO, ROLES
from tests.refused_settings import EXAMPLE, assert_refused

WRONG = (
    ("[lights]\npin = 29", "lights.pin is 29; the header has GPIO 0 to 27, a Pico GP0 to"),
    ("[lights]\npin = '18'", "lights.pin is '18'; it must be a pin number, or true for the"),
    ("[lights]\npin = false", "lights.pin is false; it must be a pin number, or true for"),
    ("[pins]\nboard = 'pi'", "pins.board is 'pi'; it must be 'header' or 'pico'"),
    ("[pins]\nboard = true", "pins.board is true; it must be 'header' or 'pico'"),
    ("[pins]\nport = 0", "pins.port is 0; it must be text"),
    (
        "[pins]\nport = '/dev/ttyACM0'",
        "pins.port is '/dev/ttyACM0', but pins.board is 'header'; set pins.board to 'pico'",
    ),
    (
        "[pins]\nboard = 'pico'\nidol_a = true\nidol_b = true\nidol_index = 4",
        "pins.idol_index has no use on a Pico, which counts every step of the idol; remove it",
    ),
    ("[pins]\nboard = 'pico'\nidol_a = 2\nidol_b = 4", "a Pico counts on two pins in a row"),
    ("[pins]\nboard = 'pico'\ntilt_0 = 24", "no GP24; if you mean physical pin 24, write 18"),
    (
        "[pins]\nboard = 'pico'\ndone_0 = 22\n[lights]\nkind = 'neopixel'",
        "pins.done_0 and lights.pin are both on GP22 (physical pin 29); give one of them",
    ),
    (
        "[pins]\nboard = 'pico'\n[lights]\nkind = 'neopixel'\npin = 24",
        "lights.pin is 24, and there is no GP24; if you mean physical pin 24, write 18",
    ),
    ("[pins]\nboard = 'pico'\n[sensors]\nkind = 'wired'", "no sensor has a pin; set its pins"),
    ("[pins]\nidol_a = true\nidol_b = false", "pins.idol_a is set, but pins.idol_b is not"),
    ("[pins]\nfactory = 'pigpio'", "pins.factory is 'pigpio'; it must be 'lgpio' or"),
    ("[pins]\ntilt = 4", "unknown key 'pins.tilt'; did you mean 'pins.tilt_"),
    ("[pins]\npixels = 18", "unknown key 'pins.pixels'; known: board, port, factory, tilt_0"),
    ("[pins]\ntilt_0 = '4'", "pins.tilt_0 is '4'; it must be a pin number, or true for the"),
    ("[pins]\ntilt_0 = 40", "pins.tilt_0 is 40, and there is no GPIO40; if you mean"),
    ("[pins]\ndone_0 = 2", "pins.done_0 is 2, which is taken by I2C, the OLED display's bus"),
    ("[pins]\nundo = 4\npause = 4", "pins.undo and pins.pause are both on GPIO4 (physical"),
    (
        "[pins]\nundo = 18\n[lights]\nkind = 'neopixel'",
        "pins.undo and lights.pin are both on GPIO18 (physical pin 12); give one of them",
    ),
    ("[lights]\nkind = 'neopixel'\npin = 5", "lights.pin is 5, which cannot drive lights"),
    ("[pins]\nidol_a = 17", "pins.idol_a is set, but pins.idol_b is not"),
    ("[pins]\ntilt_1 = 17", "pins.tilt_1 is set, but pins.tilt_0 is not"),
    ("[sensors]\nkind = 'wired'", "no sensor has a pin; set its pins under [pins], for"),
    (
        "[sensors]\nkind = 'wired'\n[buttons]\nkind = 'wired'\n[pins]\ntilt_0 = 4",
        "no button has a pin; set its pin under [pins], for example done_0 = true",
    ),
)


def test_a_wrong_wire_is_refused_in_one_line(tmp_path: Path) -> None:
    """Which file, which key, what was given, what would be right."""
    for text, words in WRONG:
        assert_refused(tmp_path / "tiki.toml", text, words)


def test_wires_end_where_the_file_says() -> None:
    """Only what is named has a wire; the lights' pin is in the same plan, if there are lights."""
    found = {"pins": {"factory": "mock", "tilt_0": 4, "undo": 14}, "sensors": {"kind": "wired"}}
    config = parse_config(found)
    assert config.pins.factory == "mock"
    plan = pin_plan(config)
    assert {role.name: pin.number for role, pin in plan.pins.items()} == {"tilt_0": 4, "undo": 14}
    lit = pin_plan(parse_config({**found, "lights": {"kind": "neopixel", "pin": 12}}))
    assert lit.pins.keys() - plan.pins.keys() == {role for role in ROLES if role.name == "pixels"}


def test_the_example_names_the_usual_pins() -> None:
    """The comments in deploy/tiki.toml and the pin table say the same of every wire."""
    comment = EXAMPLE.read_text().partition("# Where wires end")[2].partition("[pins]")[0]
    for board, said in zip((HEADER, PICO), comment.split("and on a Pico"), strict=True):
        found = {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)", said)}
        usual = {role.name: role.usual(board) for role in ROLES if role.usual(board) is not None}
        assert found == {name: pin for name, pin in usual.items() if name != "pixels"}


@pytest.mark.parametrize(
    ("board", "pins"),
    [("header", [4, 17, 27, 23, 18]), ("pico", [5, 2, 3, 8, 22])],
)
def test_one_line_chooses_where_the_wires_end(board: str, pins: list[int]) -> None:
    """Wires that are true, and lights that say nothing, move to the usual pins of the board."""
    found = {
        "pins": {
            "board": board,
            "undo": False,
            **dict.fromkeys(("tilt_0", "idol_a", "idol_b", "done_0"), True),
        },
        "sensors": {"kind": "wired"},
        "buttons": {"kind": "wired"},
        "lights": {"kind": "neopixel"},
    }
    plan = pin_plan(parse_config(found))
    assert plan.board.name == board
    assert [pin.number for pin in plan.pins.values()] == pins


def test_what_concerns_the_header_alone_does_not_bind_a_pico() -> None:
    """Lights at GP10 beside a matrix display on the header's SPI; gpiozero's way is not asked."""
    found = {
        "pins": {"board": "pico", "port": "/dev/ttyACM1", "factory": "rpigpio"},
        "lights": {"kind": "neopixel", "pin": 10},
        "display": {"kind": "matrix"},
    }
    config = parse_config(found)
    assert config.pins.port == "/dev/ttyACM1"
    lights = pin_plan(config).find("pixels")
    assert lights
    assert lights.number == 10
