"""The phones at a table count what they should, and notice a tap that does nothing."""

import httpx
import pytest
from playwright.sync_api import Browser

from tests.referee.entering import sit
from tests.web.forms import taps_of
from tests.web.phones import table_of


def test_taps_are_counted_where_they_are_made(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A die is one tap of the phone whose turn it is; a tap that enters nothing fails."""
    with table_of(browser, lambda: sit("topple", seats=2)) as table:
        phone = table.seats[0]
        assert phone.enter('button[value="roll 3"]') == 1
        assert (phone.taps, table.taps) == (1, 1)
        monkeypatch.setattr("tests.web.phones.PATIENCE_S", 0.3)
        with pytest.raises(AssertionError, match="nothing happened"):
            phone.enter("h1")


def test_what_is_folded_away_costs_another_tap() -> None:
    """Where taps are counted on a page as it is sent."""
    page = httpx.Response(
        200,
        html="<details open><button name=action value=one></button></details><details><details>"
        "<button name=action value=three></button></details></details>",
    )
    assert taps_of(page) == {"one": 1, "three": 3}
