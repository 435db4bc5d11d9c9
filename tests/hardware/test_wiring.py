"""The wiring tables and drawings say what the pin table says, in the documents too."""

import re
import xml.etree.ElementTree as ET

import pytest

from hardware.pins import HEADER, PICO, BadPins, PinPlan, plan_pins, usual_plan
from hardware.wiring import draw_wiring, wiring_table
from tests.hardware.wiring_pages import PAGE, PLANS, drawing, with_tables

plans = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
AGAIN = "write it anew: python -m tests.hardware.wiring_pages"


def texts_of(svg: str) -> list[str]:
    """Return all texts of a drawing, in order."""
    return [each.text or "" for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def assert_inside(svg: str) -> None:
    """Check that all rectangles, lines and texts begin and end on the page."""
    root = ET.fromstring(svg)
    width, height = (float(each) for each in root.attrib["viewBox"].split()[2:])
    for shape in root:
        at = {key: float(value) for key, value in shape.attrib.items() if key in "x y x1 x2 y1 y2"}
        wide = float(shape.attrib.get("width", 0))
        if shape.text:  # some 0.62 of its size is a letter wide
            wide = 0.62 * float(shape.attrib["font-size"]) * len(shape.text)
        before = {"middle": 0.5, "end": 1.0}.get(shape.attrib.get("text-anchor", ""), 0.0)
        for key, value in at.items():
            if "y" in key:
                assert 0 <= value <= height, shape.attrib
            else:
                assert value - before * wide >= 0, shape.text
                assert value + (1 - before) * wide <= width, shape.text


@plans
def test_the_drawing_in_the_documents_is_the_codes(plan: PinPlan) -> None:
    """The committed picture is what the pin table gives."""
    assert drawing(plan.board.name).read_text() == draw_wiring(plan), AGAIN


def test_the_tables_in_the_documents_are_the_codes() -> None:
    """docs/build-your-own.md has both."""
    assert PAGE.read_text() == with_tables(PAGE.read_text()), AGAIN


def test_a_document_that_differs_is_noticed() -> None:
    """One changed number, and one table that is not there."""
    text = PAGE.read_text()
    assert with_tables(text.replace("GPIO17", "GPIO16")) == text
    with pytest.raises(AssertionError, match="0 places"):
        with_tables(text.replace("<!-- wires of the pico -->", ""))


@plans
def test_every_wire_is_in_the_table_and_the_drawing(plan: PinPlan) -> None:
    """With its name, its use, its number and its place."""
    table, shown = wiring_table(plan), texts_of(draw_wiring(plan))
    for role, pin in plan.pins.items():
        assert f"| `{role.name}` | {role.what} | {plan.board.label(pin)} |" in table
        assert role.what in shown
        assert shown.count(f"{plan.board.prefix}{pin.number}") == 1
    for physical in range(1, 41):
        assert shown.count(str(physical)) == 1


@plans
def test_the_drawing_stays_on_its_page(plan: PinPlan) -> None:
    """Nothing is cut off."""
    assert_inside(draw_wiring(plan))


@pytest.mark.parametrize(
    "part",
    ['<text x="205" y="9" font-size="3">too wide</text>', '<line x1="1" y1="1" x2="2" y2="301"/>'],
)
def test_what_leaves_the_page_is_noticed(part: str) -> None:
    """A text at the edge, a line below it."""
    with pytest.raises(AssertionError):
        assert_inside(f'<svg viewBox="0 0 210 297">{part}</svg>')


def test_only_what_is_built_is_shown() -> None:
    """One ball switch needs no level shifter."""
    plan = usual_plan(HEADER, ["tilt_0"])
    shown = texts_of(draw_wiring(plan))
    assert "ball switch below the tower" in shown
    assert not any("shifter" in text or "encoder, A" in text for text in shown)
    assert wiring_table(plan).count("`") == 2
    shown = texts_of(draw_wiring(usual_plan(HEADER, ["undo"])))
    assert "Each button" in shown
    assert "Each ball switch (SW-520D)" not in shown


def test_a_wire_on_another_pin_is_shown_there() -> None:
    """The drawing follows the plan, not the usual pins."""
    table = wiring_table(plan_pins({"tilt_0": 26, "pixels": 12}))
    assert "| `tilt_0` | ball switch below the tower | GPIO26 (physical pin 37) |" in table
    assert "nearest is pin 39" in table
    with pytest.raises(BadPins):
        plan_pins({"tilt_0": 40})


@pytest.mark.parametrize(("plan", "board"), [(PLANS["header"], HEADER), (PLANS["pico"], PICO)])
def test_the_nearest_ground_is_a_ground(plan: PinPlan, board: object) -> None:
    """Every button and switch is sent to one, at most four places away."""
    assert plan.board is board
    for physical, ground in re.findall(
        r"physical pin (\d+)\).*nearest is pin (\d+)", wiring_table(plan)
    ):
        assert plan.board.rails[int(ground)] == "GND"
        assert abs(int(physical) - int(ground)) <= 5
