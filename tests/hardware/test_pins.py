"""The pin table agrees with the boards, and a plan refuses what cannot be wired."""

from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import BUTTONS, parse_button
from hardware.pins import (
    HEADER,
    PICO,
    ROLES,
    SEATS,
    BadPins,
    Board,
    PinPlan,
    plan_pins,
    usual_plan,
)

boards = pytest.mark.parametrize("board", [HEADER, PICO], ids=lambda board: board.name)


def test_the_header_is_gpiozeros() -> None:
    """Every physical pin is what gpiozero, which knows the boards, says it is."""
    rows = MockFactory().board_info.headers["J8"].pins
    ours = {pin.physical: f"GPIO{pin.number}" for pin in HEADER.pins} | dict(HEADER.rails)
    assert ours == {place: pin.name for place, pin in rows.items()}


@boards
def test_a_board_has_forty_pins_and_each_once(board: Board) -> None:
    """Signals and rails share no place and leave none out."""
    places = [*(pin.physical for pin in board.pins), *board.rails]
    assert sorted(places) == list(range(1, 41))
    assert len({pin.number for pin in board.pins}) == len(board.pins)


def test_the_pico_counts_as_its_card_does() -> None:
    """Some pins of the Pico's pinout card, which has ground at every fifth place."""
    known = {0: 1, 1: 2, 2: 4, 5: 7, 6: 9, 9: 12, 10: 14, 13: 17, 14: 19, 15: 20, 16: 21, 18: 24,
             21: 27, 22: 29, 26: 31, 27: 32, 28: 34}  # fmt: skip
    assert {pin.number: pin.physical for pin in PICO.pins if pin.number in known} == known
    grounds = sorted(place for place, rail in PICO.rails.items() if "GND" in rail)
    assert grounds == [*range(3, 39, 5)]


@boards
def test_everything_at_once_fits(board: Board) -> None:
    """All roles have pins of their own; the plan that ships passes its own checks."""
    plan = usual_plan(board)
    needless = {"idol_index"} if board is PICO else set()
    assert {role.name for role in ROLES} - {role.name for role in plan.pins} == needless
    assert len(set(plan.pins.values())) == len(plan.pins)


def test_every_device_has_its_roles() -> None:
    """Three buttons for each seat, two for all, ball switches and the idol's three wires."""
    names = [role.name for role in ROLES]
    assert {parse_button(name) for name in names if name.partition("_")[0] in BUTTONS} == {
        *((button, seat) for button in ("done", "uno", "me") for seat in range(SEATS)),
        ("undo", None),
        ("pause", None),
    }
    assert names[:3] == ["tilt_0", "tilt_1", "tilt_2"]
    assert {"idol_a", "idol_b", "idol_index", "pixels"} <= set(names)


def test_a_picos_encoder_sits_on_neighbours() -> None:
    """CircuitPython's rotaryio counts on two pins in a row only."""
    plan = usual_plan(PICO)
    first, second = plan.find("idol_a"), plan.find("idol_b")
    assert first
    assert second
    assert second.number == first.number + 1
    assert plan_pins({"idol_a": 15, "idol_b": 14}, PICO).named("idol")
    assert plan_pins({"idol_a": 23, "idol_b": 5}, HEADER).named("idol")
    with pytest.raises(BadPins) as caught:
        plan_pins({"idol_a": 2, "idol_b": 5}, PICO)
    assert str(caught.value) == (
        "pins.idol_a and pins.idol_b are 2 and 5; a Pico counts on two pins in a row only, such as"
        " 2 and 3"
    )


@boards
def test_a_wire_may_end_at_its_usual_pin(board: Board) -> None:
    """True is the pin that the table has for it, on either board; False is no wire."""
    names = ("tilt_0", "idol_a", "idol_b", "pixels")
    plan = plan_pins({**dict.fromkeys(names, True), "undo": False}, board)
    assert plan == usual_plan(board, names)
    assert plan.find("undo") is None


def test_a_pico_needs_no_index() -> None:
    """It counts every step; the wire is refused by any pin, and may be said not to be there."""
    for number in (4, True):
        with pytest.raises(BadPins, match=r"pins.idol_index has no use on a Pico, which counts"):
            plan_pins({"idol_index": number}, PICO)
    assert plan_pins({"idol_index": False}, PICO).pins == {}


def test_what_is_free_is_free() -> None:
    """No pin that another wire is to have, wherever it stands in the file."""
    with pytest.raises(BadPins, match=r"free: 0, 1, 3, 4, 6, 7, ") as caught:
        plan_pins({"undo": 2, "done_0": 2, "tilt_0": True}, PICO)
    assert "5," not in str(caught.value).partition("free")[2].partition("10")[0]


def test_a_plan_knows_what_is_wired() -> None:
    """Only what was given has a pin, in the table's order."""
    plan = plan_pins({"undo": 14, "done_1": 5, "tilt_0": 4})
    wired = plan.named("done", "undo")
    assert [(role.name, pin.number) for role, pin in wired] == [("done_1", 5), ("undo", 14)]
    assert plan.find("pause") is None
    assert plan.named("idol") == ()


@pytest.mark.parametrize(
    ("wires", "said"),
    [
        ({"tlit_0": 4}, "unknown key 'pins.tlit_0'; did you mean 'pins.tilt_0'?"),
        ({"kettle": 4}, "unknown key 'pins.kettle'; known: tilt_0, tilt_1"),
        ({"undo": 28}, "pins.undo is 28, and there is no GPIO28; if you mean physical pin 28"),
        ({"undo": 40}, "no GPIO40; if you mean physical pin 40, write 21"),
        ({"undo": 41}, "no GPIO41; they go from 0 to 27, the usual one is 14"),
        ({"undo": -1}, "no GPIO-1; they go from 0 to 27"),
        ({"undo": 2}, "pins.undo is 2, which is taken by I2C"),
        ({"undo": 10}, "pins.undo is 10, which is taken by SPI"),
        ({"undo": 0}, "pins.undo is 0, which is taken by the chip that identifies"),
        ({"undo": "14"}, "pins.undo is '14'; it must be a pin number, such as 14"),
        ({"undo": None}, "pins.undo is None; it must be a pin number, such as 14, or true for"),
        ({"pixels": 5}, "pins.pixels is 5, which cannot drive lights; it must be 10, 12, 18, 21"),
        (
            {"undo": 4, "tilt_0": 4},
            "pins.undo and pins.tilt_0 are both on GPIO4 (physical pin 7); give one of them",
        ),
    ],
)
def test_what_cannot_be_wired_is_refused(wires: dict[str, Any], said: str) -> None:
    """One line names the setting, what is wrong with it and what would be right."""
    with pytest.raises(BadPins) as caught:
        plan_pins(wires)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lights_may_have_the_matrix_displays_pin() -> None:
    """GPIO10 drives lights where no display is on SPI, and nothing else."""
    assert plan_pins({"pixels": 10}).find("pixels") == HEADER.find(10)


def test_a_pico_has_other_pins() -> None:
    """What the board uses itself cannot be had, and the section is named as the config has it."""
    assert isinstance(plan_pins({"undo": 2}, PICO), PinPlan)
    with pytest.raises(BadPins, match=r"pico.undo is 25, and there is no GP25; if you mean"):
        plan_pins({"undo": 25}, PICO, section="pico")
    with pytest.raises(
        BadPins, match=r"no GP23; they go from 0 to 22 and 26 to 28, the usual one is 20"
    ):
        plan_pins({"undo": 23}, PICO)
    with pytest.raises(BadPins, match=r"unknown key 'pins.und'; did you mean 'pins.undo'"):
        usual_plan(PICO, ["und"])
