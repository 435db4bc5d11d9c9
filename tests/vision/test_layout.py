"""Session files: what is understood, and what is said about the rest."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.sessions import FRAMES
from vision.cards.layout import TIPPI_TOPPI, UNO_TIKI, parse_pile_layout, parse_uno_layout
from vision.columns.grid import parse_stacks, parse_tower
from vision.geometry.layout import TIKI_TOPPLE, TIKIS, BadLayout, parse_layout

PARSERS: Final[dict[str, Callable[[Any], Any]]] = {
    "s01": parse_layout,
    "tactiki_s02": parse_stacks,
    "topple_s03": parse_tower,
    "tippi_toppi_s01": parse_pile_layout,
    "uno_tiki_s01": parse_uno_layout,
}
"""What understands which session of the tests."""
NEEDED: Final = {
    "s01": (
        *("mat", "mat.width", "mat.marker_ids", "mat.marker_mm"),
        *("layout", "layout.slots", "layout.slots.4.x", "layout.piece", "layout.piece.height"),
        "layout.floor_z",
    ),
    "topple_s03": (
        *("mat", "layout", "layout.disc", "layout.disc.diameter", "layout.balance"),
        *("layout.balance.size", "layout.balance.spots", "layout.balance.spots.2.3.x"),
        *("layout.balance.marker_ids", "layout.balance.marker_mm", "layout.balance.top_height"),
    ),
    "tippi_toppi_s01": ("layout.piles.0.h",),
    "uno_tiki_s01": (
        *("layout.discard", "layout.discard.x", "layout.draw", "layout.idol"),
        *("layout.idol.arm_reach", "layout.card", "layout.card.h"),
    ),
}
WRONG: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "s01": (
        *(("mat", 7), ("mat.width", -1), ("mat.width", "wide"), ("mat.width", True)),
        *(("mat.height", float("nan")), ("mat.marker_ids", [0, 1, 2])),
        *(("mat.marker_ids", [0, 1, 2, 2]), ("mat.marker_ids", [0, 1, 2, 50])),
        *(("mat.marker_ids", "0123"), ("image.hfov_deg", 400), ("layout.slots", [])),
        *(("layout.slots.0", "top"), ("layout.names", ["nani"] * 9)),
        *(("layout.piece.w", 80), ("layout.piece.h", 60)),
        *(("layout.board", [1, 2, 3]), ("layout.board", [348, 2, 72, 298])),
    ),
    "tactiki_s02": (
        *(("layout.cells", [[]]), ("layout.cells.1", 4), ("layout.cells.1.2", "here")),
        *(("layout.cells.0.0.x", float("nan")), ("layout.figure", None)),
        *(("layout.figure.width", 0), ("layout.figure.stack_pitch", "thick")),
        *(("layout.board", [1, 2, 3]), ("layout.board", [300, 22, 20, 318])),
        ("layout.floor_z", True),
    ),
    "tippi_toppi_s01": (
        *(("layout.piles", []), ("layout.piles", "four"), ("layout.piles.0", 3)),
        ("layout.piles.0.y", "far"),
    ),
}


def session_of(name: str) -> dict[str, Any]:
    """Return a session of the tests."""
    found: dict[str, Any] = json.loads((FRAMES / name / "session.json").read_text("utf-8"))
    return found


def find(session: dict[str, Any], path: str) -> tuple[Any, Any]:
    """Return the table or list that holds the value at *path*, and its key there."""
    *tables, key = path.split(".")
    target: Any = session
    for table in tables:
        target = target[int(table) if isinstance(target, list) else table]
    return target, int(key) if isinstance(target, list) else key


def refusal(name: str, session: dict[str, Any]) -> str:
    """Return the line with which *session* is refused."""
    with pytest.raises(BadLayout) as caught:
        PARSERS[name](session)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_default_rigs_are_those_of_the_session_files() -> None:
    """Without a session.json a reader assumes the layout that the instructions describe."""
    known = {"s01": TIKI_TOPPLE, "tippi_toppi_s01": TIPPI_TOPPI, "uno_tiki_s01": UNO_TIKI}
    for name, usual in known.items():
        assert PARSERS[name](session_of(name)) == usual


def test_a_board_has_25_cells_row_by_row() -> None:
    """From the mat's top left on, 60 mm apart."""
    cells = parse_stacks(session_of("tactiki_s02")).cells
    assert len(cells) == 25
    assert (cells[0], cells[1], cells[24]) == ((50.0, 50.0), (110.0, 50.0), (290.0, 290.0))


def test_the_tikis_come_in_calibration_order() -> None:
    """The order is that of the calibration picture, from the top down."""
    assert TIKIS[0] == "hookipa"
    assert TIKIS[-1] == "nui"
    assert len(set(TIKIS)) == len(TIKIS) == len(TIKI_TOPPLE.slots)


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_key_is_named(name: str) -> None:
    """Whatever is missing, the message is one line, opens with its path and says what is right."""
    for path in NEEDED[name]:
        session = session_of(name)
        table, key = find(session, path)
        del table[key]
        assert refusal(name, session).startswith(f"'{path}' is missing: ")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_named(name: str) -> None:
    """A value that cannot be is quoted, with what would be right."""
    for path, value in WRONG[name]:
        session = session_of(name)
        table, key = find(session, path)
        table[key] = value
        said = refusal(name, session)
        assert said.startswith(f"'{path}"), (path, value, said)
        assert "it must" in said, (path, value, said)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["mat", "layout", "image", "slots", "piece", "width"]), inner
            )
        ),
        max_leaves=12,
    ).filter(lambda value: isinstance(value, dict))
)
def test_no_session_file_breaks_the_parser(session: dict[str, Any]) -> None:
    """Any JSON object gives a layout or a BadLayout, never another exception."""
    with pytest.raises(BadLayout):
        parse_layout(session)
