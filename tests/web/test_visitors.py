"""The helpers of the web tests fail where they must."""

import httpx
import pytest

from tests.tables import sit_down
from tests.web.visitors import alert, assert_silent_about, hidden_field, open_pub


def test_a_told_secret_is_noticed() -> None:
    """The check for silence fails on the secret itself, in any case."""
    assert_silent_about("the card is hidden", "nani")
    with pytest.raises(AssertionError, match="was told"):
        assert_silent_about("the card is NANI", "nani")


def test_a_page_that_refuses_nothing_has_no_alert() -> None:
    """Neither an alert nor a hidden field is found on a page that has none."""
    page = httpx.Response(200, text='<p id="connection" role="alert" hidden></p><main></main>')
    with pytest.raises(AssertionError, match="refuses nothing"):
        alert(page)
    with pytest.raises(AssertionError, match="no hidden field"):
        hidden_field(page, "mark")


def test_a_stranger_is_no_host() -> None:
    """A browser that has never been here gets nothing that the host gets."""
    pub = open_pub(sit_down())
    assert pub.stranger().get("/desk").status_code == 403
    assert pub.host().get("/desk").status_code == 200
