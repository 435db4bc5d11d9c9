"""The measures of the printed parts: read from OpenSCAD's files, and refused in one plain line."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.cad.checks_of_bracket import length_mm
from hardware.cad.checks_of_foot import (
    PICO_HOLES_MM,
    PICO_LENGTH_MM,
    PICO_WIDTH_MM,
    chamber_cm3,
    derive,
    tipping_push_n,
)
from hardware.cad.making import faults
from hardware.cad.parameters import (
    BRACKET,
    FOOT,
    BadValue,
    parse_measures,
    parse_values,
    read_encoders,
    read_measures,
)

MEASURES = read_measures()


def fault(*words: str) -> str:
    """Return the one line with which *words* are refused."""
    try:
        values = parse_values(words)
    except BadValue as error:
        return str(error)
    found = list(faults(values))
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize("encoder", read_encoders())
def test_each_encoder_gives_good_parts(encoder: str) -> None:
    """Neither encoder's measures need another one changed."""
    assert list(faults(parse_values([f"encoder={encoder}"]))) == []


@pytest.mark.parametrize("file", [FOOT, BRACKET], ids=lambda file: file.name)
def test_every_measure_of_a_file_is_read(file: Path) -> None:
    """Each assignment above [Hidden] is a measure with its unit, and its default is allowed."""
    shown = file.read_text().partition("/* [Hidden] */")[0]
    names = re.findall(r"^(\w+) = ", shown, re.MULTILINE)
    measures = list(parse_measures(shown))
    assert [each.name for each in measures] == [name for name in names if name != "part"]
    for each in measures:
        assert each.parse(each.example().partition("=")[2]) == each.default
        if not each.choices and not each.whole:
            assert each.name.endswith(("_mm", "_g", "_n", "_g_cm3")), each.name


def test_the_picos_figures_are_the_same_in_both_languages() -> None:
    """Those of the datasheet stand in OpenSCAD and in Python."""
    text = FOOT.read_text()
    assert f"pico_length = {PICO_LENGTH_MM};" in text
    assert f"pico_width = {PICO_WIDTH_MM};" in text
    assert f"pico_holes = [{PICO_HOLES_MM[0]}, {PICO_HOLES_MM[1]}];" in text


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("wall_m=3", "wall_m=3: there is no measure wall_m; did you mean wall_mm?"),
        ("zzz=3", "zzz=3: there is no measure zzz; ./run cad --list shows all"),
        ("wall_mm", "wall_mm: give a measure as NAME=VALUE, such as wall_mm=2.4"),
        ("wall_mm=", "wall_mm=: not a number; give 1.2 to 6, as in wall_mm=2.4"),
        ("wall_mm=2,4", "wall_mm=2,4: not a number; give 1.2 to 6, as in wall_mm=2.4"),
        ("wall_mm=1.1", "wall_mm=1.1: out of its limits; give 1.2 to 6"),
        ("wall_mm=nan", "wall_mm=nan: out of its limits"),
        ("wall_mm=inf", "wall_mm=inf: out of its limits"),
        ("wire_openings=2.5", "wire_openings=2.5: give a whole number, 1 to 4"),
        ("rubber_feet=5", "rubber_feet=5: it can be 3 or 4 or 6"),
        ("encoder_shape=oval", "encoder_shape=oval: it can be square or round"),
        ("encoder=ky040", "encoder=ky040: it can be ec11 or optical"),
        ("wall_mm=2 wall_mm=3", "wall_mm=3: wall_mm is given twice; give it once"),
        ("panel_mm=5", "the bush is 7 mm long and its nut takes 2.5; make panel_mm 4.5 or less"),
        ("bush_length_mm=0", "without a bush (bush_length_mm=0) two screws or more must hold"),
        ("encoder=optical encoder_screw_circle_mm=25", "too close to the boss of 20 mm"),
        ("shaft_flat_mm=7", "on a shaft of 6 mm it is 3.6 to 6; measure H again"),
        ("shaft_length_mm=12", "only 4 mm of it are left for the hub, which needs 5"),
        ("ring_inner_diameter_mm=63", "the inner one must be 61.5 or less"),
        ("ring_inner_diameter_mm=20", "the ring is too close to the encoder's body"),
        ("ring_inner_diameter_mm=44 encoder=optical encoder_screw_circle_mm=38", "the heads of"),
        ("ring_outer_diameter_mm=118", "make foot_diameter_mm 132 or more"),
        ("encoder=optical foot_diameter_mm=98 push_n=0.1", "a Pico does not fit in beside"),
        ("usb_plug_length_mm=8", "the Pico's socket is 7.0 mm inside the wall; use a cable"),
        ("usb_plug_height_mm=12", "would touch the bottom; make post_height_mm 4.1 or more"),
        ("pico_headroom_mm=5 encoder_depth_mm=5", "would touch the top; add"),
        (
            "pico_headroom_mm=6.5 usb_plug_height_mm=5 wire_opening_mm=9 encoder_depth_mm=5",
            "8.5 or less",
        ),
        ("foot_diameter_mm=130 bed_mm=120", "the bed is 120 mm wide (bed_mm); make the foot 114"),
        ("push_n=3", "a push of 1.18 N at the idol's hand tips this foot over"),
        ("pin_pitch_mm=4", "too far apart below a can of 5 mm, at most 3.2; measure K and M"),
        (
            "can_diameter_mm=3.6 can_clearance_mm=0.05 pin_pitch_mm=1.5 pin_diameter_mm=0.9",
            "at most 0.7",
        ),
        ("board_mm=90", "the bracket is 74.8 mm long"),
        ("can_length_mm=5", "too short for a wire of 2 mm and its cable tie"),
    ],
)
def test_a_bad_value_is_refused_in_one_line(words: str, line: str) -> None:
    """The line says what was given, why not, and what would do."""
    said = fault(*words.split())
    assert line in said
    assert "\n" not in said
    assert re.match(r"\w+(=\S*)?: ", said)


def test_a_heavier_filling_and_a_wider_foot_stand_better() -> None:
    """Weight and a wider foot want a harder push; a taller idol and fewer rubber feet do not."""
    push = tipping_push_n(parse_values([]))
    assert tipping_push_n(parse_values(["fill_density_g_cm3=4"])) > push
    assert tipping_push_n(parse_values(["foot_diameter_mm=150"])) > push
    assert tipping_push_n(parse_values(["idol_arm_height_mm=150"])) < push
    assert tipping_push_n(parse_values(["rubber_feet=3"])) < push


def test_what_follows_from_the_defaults() -> None:
    """The foot's inner height, the shaft in the hub, chamber and bracket, reckoned by hand."""
    values = parse_values([])
    foot = derive(values)
    assert foot.inside == 4 + 1 + 18
    assert foot.hub_grip == 20 - 3 - (7 - 3) - 1
    assert chamber_cm3(values) == pytest.approx(110.63, abs=0.01)
    assert length_mm(values) == pytest.approx(74.8)


@given(st.data())
def test_whatever_is_allowed_is_judged(data: st.DataObject) -> None:
    """Values within their limits give parts or sentences of one line, never another error."""
    words = []
    for measure in MEASURES.values():
        value = (
            data.draw(st.sampled_from(measure.choices))
            if measure.choices
            else data.draw(st.floats(measure.least, measure.most))
        )
        shown = round(value) if measure.whole and not isinstance(value, str) else value
        words.append(
            f"{measure.name}={shown:g}" if not isinstance(shown, str) else f"{measure.name}={shown}"
        )
    for line in faults(parse_values(words)):
        assert "\n" not in line
        assert line.partition("=")[0] in MEASURES


@given(st.text(max_size=30))
def test_any_word_is_refused_by_name(word: str) -> None:
    """What no measure is called is told, not raised as another error."""
    with pytest.raises(BadValue):
        parse_values([word.replace("encoder=", "")])
