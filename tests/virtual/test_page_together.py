"""Two browsers at one virtual table, which the companion serves: both see and move the same."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.evenings import KEY
from tests.virtual.dragged_evenings import Evening, evening
from tests.virtual.opened_pages import HIDE, watched
from tests.virtual.pointing import Table

pytestmark = pytest.mark.timeout(900)


def beside(browser: Browser, table: Evening, *, as_host: bool) -> Page:
    """Open the table in another browser: the host's second one, or a bystander's."""
    page = browser.new_context(viewport={"width": 780, "height": 640}).new_page()
    if as_host:
        page.goto(f"{table.house.url}/?key={KEY}")
    page.goto(f"{table.house.url}/virtual")
    page.wait_for_function("() => virtualTable.world.isThere")
    return page


@pytest.mark.slow
def test_two_hosts_move_the_same_pieces_and_one_of_them_is_the_eye(
    browser: Browser, tmp_path: Path
) -> None:
    """What one drags the other sees move; the eye goes over when its page is hidden."""
    with evening(browser, tmp_path, "topple", {"target": 50}) as table:
        complaints = watched(table.page.context, f"{table.house.url}/virtual")
        other = beside(browser, table, as_host=True)
        its_hand = Table(other)
        assert table.page.evaluate("virtualTable.loop.isOurs")
        assert not other.evaluate("virtualTable.loop.isOurs")
        expect(other.get_by_text("Another page draws")).to_be_attached()
        disc = table.free("disc", "blue")
        table.hand.drag(disc, 180.0, 320.0)
        its_hand.wait(lambda all_: abs(all_[disc["id"]]["y"] - 320) < 5, "the other saw nothing")
        its_hand.drag(its_hand.pieces[disc["id"]], 60.0, 320.0)
        table.hand.wait(lambda all_: abs(all_[disc["id"]]["x"] - 60) < 5, "the first saw nothing")
        table.page.evaluate(HIDE, True)
        other.wait_for_function("() => virtualTable.loop.isOurs")
        sent = other.evaluate("virtualTable.loop.times.length")
        other.wait_for_function("n => virtualTable.loop.times.length > n", arg=sent)
        assert complaints == []


def test_a_browser_that_is_closed_in_mid_drag_lets_the_piece_fall(
    browser: Browser, tmp_path: Path
) -> None:
    """Nobody's hand holds it any more, and who stays can take it."""
    with evening(browser, tmp_path, "topple", {"target": 50}) as table:
        other = beside(browser, table, as_host=True)
        its_hand = Table(other)
        disc = table.free("disc", "green")
        with its_hand.carrying(disc, 180.0, 330.0):
            table.hand.wait(lambda all_: all_[disc["id"]]["held"] is not None, "it is not held")
            other.context.close()
            its_hand.pointer = table.hand.pointer  # whose letting go does nothing
        table.hand.wait(lambda all_: all_[disc["id"]]["held"] is None, "it hangs in the air")
        table.hand.drag(table.hand.pieces[disc["id"]], 60.0, 330.0)
        table.hand.wait(lambda all_: abs(all_[disc["id"]]["x"] - 60) < 5, "it cannot be taken")


@pytest.mark.slow
def test_a_bystander_watches_and_moves_nothing(browser: Browser, tmp_path: Path) -> None:
    """It sees the pieces move, but has neither sliders nor buttons."""
    with evening(browser, tmp_path, "topple", {"target": 50}) as table:
        other = beside(browser, table, as_host=False)
        expect(other.get_by_text("You are watching")).to_be_visible()
        expect(other.locator("#sliders")).to_have_count(0)
        disc = table.free("disc", "pink")
        Table(other).drag(disc, 180.0, 330.0)
        assert table.hand.pieces[disc["id"]]["x"] == disc["x"]
        table.hand.drag(disc, 180.0, 320.0)
        Table(other).wait(lambda all_: abs(all_[disc["id"]]["y"] - 320) < 5, "it sees nothing")
