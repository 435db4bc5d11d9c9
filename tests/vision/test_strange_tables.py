"""Tables whose sets, lamps and cards no reader was made for, rendered from our own descriptions.

Prints lie right beside the groove, Tikis have other faces, shadows are black; the ovals of cards
touch the border and end near the spirals, as on cards that are sold.
"""

import pytest

from tests.vision import sessions, tables
from tests.vision.judging import assert_all_read, assert_never_wrong
from vision.sight import Status

LINES = ("strange_line_a", "strange_line_b")
CARDS = ("strange_piles", "strange_uno_a", "strange_uno_b")


@pytest.mark.parametrize("session", LINES)
def test_other_tikis_are_read(session: str) -> None:
    """Two of them are nearly of one colour in this light; their faces differ."""
    assert_all_read(sessions.calibrated_reader(session), sessions.settled_shots(session))


@pytest.mark.parametrize("session", LINES)
def test_a_hand_over_another_board_is_seen(session: str) -> None:
    """What is forgiven to nudged boards and black shadows is not forgiven to an arm."""
    shots = sessions.covered_shots(session)
    assert shots
    for sight in assert_never_wrong(sessions.calibrated_reader(session), shots):
        assert sight.status is Status.UNSETTLED


@pytest.mark.parametrize("table", CARDS)
def test_cards_parted_by_ovals_are_read(table: str) -> None:
    """Filled or outlined, with and without spirals."""
    assert_all_read(tables.calibrated_reader(table), tables.settled_shots(table))


@pytest.mark.parametrize("table", CARDS)
def test_a_hand_over_such_cards_is_seen(table: str) -> None:
    """An arm parts a panel too, but not alike on both sides."""
    shots = tables.busy_shots(table)
    assert shots
    for look in assert_never_wrong(tables.calibrated_reader(table), shots):
        assert look.status is Status.UNSETTLED
