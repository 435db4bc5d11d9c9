"""The phones at a table count what they should, and notice a tap that does nothing."""

import pytest
from playwright.sync_api import Browser

from tests.referee.test_entering import sit
from tests.web.phones import table_of


def test_taps_are_counted_where_they_are_made(browser: Browser) -> None:
    """A die is one tap of the phone whose turn it is; what is folded away costs another."""
    with table_of(browser, lambda: sit("topple", seats=3)) as table:
        phone = table.seats[0]
        assert phone.enter('button[value="roll 3"]') == 1
        assert (phone.taps, table.taps) == (1, 1)


def test_a_tap_without_effect_fails(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A button that enters nothing is no way to play."""
    monkeypatch.setattr("tests.web.phones.PATIENCE_S", 0.3)
    with (
        table_of(browser, lambda: sit("topple", seats=2)) as table,
        pytest.raises(AssertionError, match="nothing happened"),
    ):
        table.seats[0].enter("h1")
