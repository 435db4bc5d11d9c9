"""The virtual table's page in trouble: a lost line, a tab behind, no WebGL, dropped pictures."""

import time

from playwright.sync_api import Browser, expect

from tests.virtual.opened_pages import BOARD, FREE, HIDE, LAPTOP, NO_WEBGL, opened
from tests.virtual.pointing import Table
from tests.virtual.stand_in import discs, standing_in

NOTE_STATES = """() => {
  const state = document.getElementById("line-state");
  globalThis.lineStates = [];
  new MutationObserver(() => {
    if (lineStates.at(-1) !== state.textContent) lineStates.push(state.textContent);
  }).observe(state, { childList: true, characterData: true, subtree: true });
}"""
"""Keeps what is said of the line, however shortly."""


def test_one_picture_is_on_its_way_at_a_time(browser: Browser) -> None:
    """None before the last was answered; at rest one a second, and at once when something moves."""
    with (
        standing_in(BOARD, discs(), answers_pictures=False) as table,
        opened(browser, table) as page,
    ):
        page.wait_for_function("() => virtualTable.loop.times.length > 0")
        page.wait_for_timeout(1500)
        assert len(table.pictures) == 1
        assert table.pictures[0][1][:3] == b"\xff\xd8\xff"
        table.answers_pictures = True
        table.tell({"tell": "next"})
        page.wait_for_timeout(4500)
        assert 2 <= len(table.pictures) <= 7
        seen = len(table.pictures)
        moved = {**table.pieces[1], "x": 60.0}
        table.tell({"tell": "pieces", "changed": [moved], "gone": []})
        begun = time.monotonic()
        while len(table.pictures) == seen:
            assert time.monotonic() < begun + 60
            page.wait_for_timeout(20)
        table.tell({"tell": "eye", "yours": False})
        expect(page.get_by_text("Another page draws")).to_be_visible()
        page.wait_for_timeout(300)
        seen = len(table.pictures)
        page.wait_for_timeout(2200)
        assert len(table.pictures) == seen


def test_a_tab_in_the_background_says_so_and_holds_nothing(browser: Browser) -> None:
    """What was in its hand lies where it was."""
    with standing_in(BOARD, discs()) as table, opened(browser, table) as page:
        hand = Table(page)
        with hand.carrying(hand.pieces[1], *FREE):
            page.evaluate(HIDE, True)
            assert table.wait("visible")[-1] == {"do": "visible", "is": False}
            (put,) = table.wait("put")
            assert (put["x"], put["y"]) == (20, 60)
        page.evaluate(HIDE, False)
        assert table.wait("visible", 2)[-1]["is"] is True
        assert len(table.of("put")) == 1


def test_a_lost_line_is_said_and_opened_again(browser: Browser) -> None:
    """With growing pauses, until the companion is back; what was held is forgotten."""
    with standing_in(BOARD, discs()) as table:
        port = table.port
        context = browser.new_context(viewport=LAPTOP)
        page = context.new_page()
        page.goto(table.url)
        page.wait_for_function("() => virtualTable.world.isThere")
        hand = Table(page)
        with hand.carrying(hand.pieces[1], *FREE):
            table.hang_up()
            page.wait_for_function("() => virtualTable.hand.id === null")
        table.wait("hello", 2)
        expect(page.locator("#line-state")).to_be_hidden()
        assert table.of("put") == []
        page.evaluate(NOTE_STATES)
    state = page.locator("#line-state")
    expect(state).to_contain_text("Connection lost. Trying again in 2 s")
    said = page.evaluate("lineStates")
    assert [each for each in said if "again in" in each][-3:] == [
        f"Connection lost. Trying again in {pause_s} s …" for pause_s in ("0.5", "1", "2")
    ]
    with standing_in(BOARD, discs(), port=port) as table:
        table.wait("hello")
        expect(state).to_be_hidden()
        hand.drag(hand.pieces[1], *FREE)
        table.wait("put")
        context.close()


def test_a_browser_without_webgl_2_says_so_and_still_moves_pieces(browser: Browser) -> None:
    """It leads to the scoreboard and names the film; it is never asked for the pictures."""
    with standing_in(BOARD, discs()) as table, opened(browser, table, script=NO_WEBGL) as page:
        assert table.of("hello") == [{"do": "hello", "draws": False, "visible": True}]
        expect(page.get_by_text("does not draw in three dimensions")).to_be_visible()
        expect(page.locator("#undrawn").get_by_role("link", name="Scoreboard")).to_be_visible()
        expect(page.locator("#undrawn")).to_contain_text("tiki demo")
        page.locator("#by-name summary").click()
        page.get_by_role("button", name="green disc").click()
        page.get_by_label("Put the chosen piece").select_option("row 1, column 1")
        (put,) = table.wait("put")
        assert (put["x"], put["y"]) == (108, 108)
        assert table.pictures == []


def test_a_picture_that_the_browser_drops_is_said(browser: Browser) -> None:
    """Another page draws meanwhile; once it is back this one may again."""
    with standing_in(BOARD, discs()) as table, opened(browser, table) as page:
        page.evaluate(
            "globalThis.loss = virtualTable.drawing.view.canvas.getContext('webgl2')"
            ".getExtension('WEBGL_lose_context'); loss.loseContext()"
        )
        assert table.wait("visible")[-1]["is"] is False
        expect(page.locator("#said")).to_contain_text("has dropped the picture")
        page.evaluate("loss.restoreContext()")
        assert table.wait("visible", 2)[-1]["is"] is True
        expect(page.locator("#said")).to_contain_text("back")
