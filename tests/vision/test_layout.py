"""Session files: what is understood, and what is said about the rest."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.sessions import FRAMES
from vision.geometry.layout import TIKI_TOPPLE, TIKIS, BadLayout, parse_layout

SESSION: dict[str, Any] = json.loads((FRAMES / "s01" / "session.json").read_text("utf-8"))


def test_the_default_rig_is_the_one_of_the_session_files() -> None:
    """Without a session.json the reader assumes the layout that the instructions describe."""
    assert parse_layout(SESSION) == TIKI_TOPPLE


def test_the_tikis_come_in_calibration_order() -> None:
    """The order is that of the calibration picture, from the top down."""
    assert TIKIS[0] == "hookipa"
    assert TIKIS[-1] == "nui"
    assert len(set(TIKIS)) == len(TIKIS) == len(TIKI_TOPPLE.slots)


@pytest.mark.parametrize(
    "path",
    [
        "mat",
        "mat.width",
        "mat.marker_ids",
        "mat.marker_mm",
        "image",
        "image.hfov_deg",
        "layout",
        "layout.slots",
        "layout.slots.4.x",
        "layout.piece",
        "layout.piece.height",
        "layout.floor_z",
    ],
)
def test_a_missing_key_is_named(path: str) -> None:
    """Whatever is missing, the message is one line, opens with its path and says what is right."""
    with pytest.raises(BadLayout) as caught:
        parse_layout(without(path))
    assert str(caught.value).startswith(f"'{path}' is missing: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("mat", 7),
        ("mat.width", -1),
        ("mat.width", "wide"),
        ("mat.width", True),
        ("mat.height", float("nan")),
        ("mat.marker_ids", [0, 1, 2]),
        ("mat.marker_ids", [0, 1, 2, 2]),
        ("mat.marker_ids", [0, 1, 2, 50]),
        ("mat.marker_ids", "0123"),
        ("image.hfov_deg", 400),
        ("layout.slots", []),
        ("layout.slots.0", "top"),
        ("layout.names", ["nani"] * 9),
        ("layout.board", [1, 2, 3]),
        ("layout.board", [348, 2, 72, 298]),
    ],
)
def test_a_wrong_value_is_named(path: str, value: object) -> None:
    """A value that cannot be is quoted, with what would be right."""
    session = copy.deepcopy(SESSION)
    target, key = find(session, path)
    target[key] = value
    with pytest.raises(BadLayout, match=r"would be right$"):
        parse_layout(session)


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


def without(path: str) -> dict[str, Any]:
    """Return the session without the key at *path*."""
    session = copy.deepcopy(SESSION)
    target, key = find(session, path)
    del target[key]
    return session


def find(session: dict[str, Any], path: str) -> tuple[Any, Any]:
    """Return the table or list that holds the value at *path*, and its key there."""
    *tables, key = path.split(".")
    target: Any = session
    for table in tables:
        target = target[int(table) if isinstance(target, list) else table]
    return target, int(key) if isinstance(target, list) else key
