"""UNO Tiki through three phones: every entry in its fewest taps, counted and won."""

from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.scoreboard import Scoreboard, read_scoreboard
from companion.session.session import Header
from tests.referee.entering import tell
from tests.tables import NAMES, open_log
from tests.web.forms import taps_of
from tests.web.phones import Phone, Table, table_of
from tests.web.screens import TAP_PX
from tests.web.visitors import open_pub

ANN, BOB, CEM = range(3)
OPTIONS: Final = {"target": 20}
HAND: Final = ["green-1", "green-2", "green-3", "green-4", "green-5", "green-6", "wild"]
BEGIN: Final = (
    # who enters it, the action, how many taps it takes
    (ANN, "cut red-9", 2),
    (BOB, "cut wild", 2),
    (CEM, "cut blue-5-spin", 2),
    (ANN, "turn wild", 2),
    (BOB, "colour red", 1),
    (BOB, "play red-5", 1),
    (CEM, "draw", 1),
    (CEM, "pass", 1),
    (ANN, "play tiki-discard2", 2),
    (ANN, "spin between 1 2", 2),
    (ANN, "choose 1", 1),
    (BOB, "discard blue-1", 2),
    (BOB, "keep", 1),
    (BOB, "play wild green", 1),
    (CEM, "play green-2-spin", 1),
    (CEM, "spin void", 1),
    (CEM, "spin 0", 1),
    (ANN, "keep", 1),
    (ANN, "play tiki-discard-yellow", 2),
    (ANN, "spin 1", 1),
    (BOB, "discard yellow-1", 1),
    (BOB, "discard yellow-2", 1),
    (BOB, "keep", 1),
    (BOB, "play green-3", 1),
    (CEM, "catch 1", 1),
)
BACK_TO_BOB: Final = ((CEM, "play tiki-goto", 2), (CEM, "spin 1", 1))
END: Final = (
    (BOB, "play blue-3", 1),
    *BACK_TO_BOB,
    (BOB, "play blue-4", 1),
    (BOB, "uno 1", 1),
    *BACK_TO_BOB,
    (BOB, "play blue-5", 1),
)


def lay(*entries: tuple[int, str, int]) -> LiveSession:
    """Return a game to twenty points in which cards were drawn for the deal, after *entries*."""
    header = open_header(game_of("uno_tiki"), NAMES[:3], OPTIONS, None)
    live_session = LiveSession(open_log(), header)
    tell(live_session, *(action for _, action, _ in entries))
    return live_session


def button(phone: Phone, action: str) -> Locator:
    """Return the button that enters *action*."""
    return phone.page.locator(f'button[name="action"][value="{action}"]')


def play(table: Table, *entries: tuple[int, str, int]) -> None:
    """Enter each of *entries* on its phone with as many taps as it says."""
    for seat, action, taps in entries:
        phone = table.seats[seat]
        expect(button(phone, action)).to_have_count(1)
        assert phone.enter(button(phone, action)) == taps, action


def board(table: Table) -> Scoreboard:
    """Return what everybody may see now."""
    return table.house.do(read_scoreboard)


def test_every_entry_takes_its_fewest_taps() -> None:
    """On the page of whose it is; and each of them has a reason."""
    pub = open_pub(lay())
    players = [pub.player(seat) for seat in range(3)]
    for seat, action, taps in (*BEGIN, *BACK_TO_BOB, *END):
        assert taps_of(players[seat].get("/seat"))[action] == taps, action
        tell(pub.live_session, action)
        pub.live_session.changed()
        if action == "catch 1":
            reasons = [line.reason for line in read_scoreboard(pub.live_session).history[:12]]
            assert reasons[0].startswith("Bob has one card left and did not call UNO in time")
            assert all(reasons)


def test_a_game_is_won_through_three_phones(browser: Browser) -> None:
    """A mistake is taken back; who has gone out is seen by all; hands are counted."""
    with table_of(browser, lambda: lay(*BEGIN)) as table:
        play(table, (CEM, "play green-skip", 1))
        for phone in table.seats:
            see_why(phone, "Cem plays green Skip", "Ann loses a turn")
        assert table.seats[CEM].enter("#take-back") == 1
        *first, uno, goto, spin, last = (*BACK_TO_BOB, *END)
        table.house.do(lambda each: tell(each, *(action for _, action, _ in first)))
        table.house.do(LiveSession.changed)
        play(table, uno, goto, spin, last)
        for phone in table.seats:
            expect(phone.page.locator("#last-move")).to_contain_text("Bob plays blue 5")
        count(table)
        check_end(table)


def see_why(phone: Phone, move: str, reason: str) -> None:
    """Fail unless *phone* says what happened last, and why behind one tap, with the rule."""
    last = phone.page.locator("#last-move")
    expect(last).to_contain_text(move)
    expect(last.locator("p").first).to_be_hidden()
    phone.tap(last.locator("summary"))
    expect(last.locator("p").first).to_contain_text(reason)
    expect(last.locator(".rule")).to_contain_text("the next player loses a turn")


def count(table: Table) -> None:
    """Enter the sums of two hands, two taps each; the tens stay open while a page is redrawn."""
    phone = table.seats[ANN]
    phone.tap("#sums-10 > summary")
    table.host.tap("#pause")
    expect(phone.page.locator("#moment")).to_be_visible()
    table.host.tap("#pause")
    expect(button(phone, "count 0 12")).to_be_visible()
    assert phone.enter(button(phone, "count 0 12")) == 1
    play(table, (CEM, "count 2 31", 2))


def check_end(table: Table) -> None:
    """Fail unless everybody sees who has won, by how much and why, and the last card."""
    found = board(table)
    assert (found.winners, [player.score for player in found.players]) == ((BOB,), [0, 43, 0])
    end = found.round_end
    assert end is not None
    assert (end.points, end.scores, end.winners) == ((0, 43, 0), (0, 43, 0), (BOB,))
    assert end.reasons[BOB] == (
        "12 points from Ann’s hand",
        "31 points from Cem’s hand",
    )
    for phone in (*table.seats, table.host):
        expect(phone.page.locator("#turn")).to_contain_text("Bob wins!")
        expect(phone.page.locator("#round-end")).to_contain_text("12 points from Ann’s hand")
        expect(phone.page.locator('#round-end [data-seat="1"] td').first).to_have_text("+43")
        assert not phone.page.locator("[data-own]").count()
    for phone in table.seats:
        expect(phone.page.locator("[data-top]")).to_have_attribute("data-top", "blue 5")


@pytest.mark.slow
def test_whoever_holds_known_cards_alone_can_look_at_them(browser: Browser) -> None:
    """Closed at each load, one tap to see, large enough to tap; no other phone has them."""

    def known() -> LiveSession:
        options = open_header(game_of("uno_tiki"), NAMES[:3], {}, 0).options
        hands = {"dealer": 0, "hands": [None, HAND, None]}
        return LiveSession(open_log(), Header("uno_tiki", NAMES[:3], options, hands))

    with table_of(browser, known) as table:
        play(table, (ANN, "turn red-7", 2))
        own = table.seats[BOB].page.locator("[data-own]")
        expect(own).to_have_count(len(HAND))
        expect(own.first).to_be_hidden()
        table.seats[BOB].tap("#my-hand > summary")
        expect(own.first).to_be_visible()
        check_thumbs(table.seats[BOB].page)
        table.seats[BOB].page.reload()
        expect(own.first).to_be_hidden()
        for other in (table.seats[ANN], table.seats[CEM], table.host):
            expect(other.page.locator("[data-own]")).to_have_count(0)


def check_thumbs(page: Page) -> None:
    """Fail unless all that lies open is large enough for a thumb, and every card is whole."""
    for pad in page.locator(".unopads summary").all():
        pad.click()
    boxes = [each.bounding_box() for each in page.locator("button:visible").all()]
    assert len(boxes) > 20
    assert all(box and min(box["width"], box["height"]) >= TAP_PX for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    cut = page.evaluate(
        "[...document.querySelectorAll('.unocard')]"
        ".filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
    )
    assert cut == []
