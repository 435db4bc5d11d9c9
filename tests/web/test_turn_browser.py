"""Whose turn it is: in the title of the page, and signalled to the seat whose page it is."""

from playwright.sync_api import BrowserContext, Page, expect

from companion.rules.tiki_topple import TIKIS
from tests.tables import see, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.melodies import LISTEN, notes_of, played
from tests.web.serving import Served, served

BUZZES = """
window.buzzes = [];
navigator.vibrate = (pattern) => { buzzes.push(pattern); return true; };
"""
WHOSE = "Object.assign({}, document.getElementById('whose').dataset)"


def take_seat(phone: BrowserContext, house: Served, seat: int) -> Page:
    """Return the page of *seat*, which its player has touched."""
    link = house.do(lambda _: house.pub.keys.invitation(seat))
    page = phone.new_page()
    page.goto(f"{house.url}join/{link}")
    page.locator("main form button").first.click()
    page.locator("h1").click()
    return page


def move(house: Served) -> None:
    """Let the camera see Ann's move, after which it is Bob's turn."""
    house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))


def test_the_title_says_whose_turn_it_is(phone: BrowserContext) -> None:
    """The scoreboard's for all, a seat's page only that it is its own; the host's stays."""
    with served(sit_down) as house:
        board, host = phone.new_page(), phone.new_page()
        board.goto(house.url)
        expect(board).to_have_title("Ann to move – Tiki Companion")
        host.goto(house.host_url)
        host.goto(f"{house.url}desk")
        bob = take_seat(phone, house, 1)
        expect(bob).to_have_title("Bob – Tiki Companion")
        move(house)
        expect(board).to_have_title("Bob to move – Tiki Companion")
        expect(bob).to_have_title("Your turn – Bob – Tiki Companion")
        expect(host).to_have_title("Host’s desk – Tiki Companion")
        house.do(lambda live_session: live_session.referee.undo())
        house.do(lambda live_session: live_session.changed())
        expect(bob).to_have_title("Bob – Tiki Companion")
        for page in (board, host, bob):
            page.close()


def test_a_phone_vibrates_when_its_turn_comes_and_no_other(phone: BrowserContext) -> None:
    """Once, when it comes; the phone of whose turn it is not stays still."""
    phone.add_init_script(BUZZES)
    with served(sit_down) as house:
        bob = take_seat(phone, house, 1)
        expect(bob.locator("#turn-signal")).to_have_value("buzz")
        move(house)
        expect(bob).to_have_title("Your turn – Bob – Tiki Companion")
        assert bob.evaluate("buzzes") == [[200, 100, 200]]
        house.do(lambda live_session: live_session.changed())
        cem = take_seat(phone, house, 2)
        expect(cem).to_have_title("Cem – Tiki Companion")
        assert cem.evaluate("buzzes") == []
        bob.close()
        cem.close()


def test_the_signal_is_chosen_and_kept(phone: BrowserContext) -> None:
    """Off, or a sound where one is wanted; each is tried when it is chosen, and kept."""
    phone.add_init_script(BUZZES + LISTEN)
    with served(sit_down) as house:
        bob = take_seat(phone, house, 1)
        bob.locator("#turn-signal").select_option("sound")
        assert played(bob) == notes_of("turn")
        bob.reload()
        expect(bob.locator("#turn-signal")).to_have_value("sound")
        hint = bob.locator("#turn-signal-hint")
        expect(hint).to_be_visible()  # browsers want a touch first, and people are told
        bob.locator("h1").click()
        expect(hint).to_be_hidden()
        move(house)
        assert played(bob) == notes_of("turn")
        assert bob.evaluate("buzzes") == []
        bob.locator("#turn-signal").select_option("none")
        bob.reload()
        bob.locator("h1").click()
        expect(bob.locator("#turn-signal")).to_have_value("none")
        house.do(lambda live_session: live_session.referee.undo())
        house.do(lambda live_session: live_session.changed())
        expect(bob).to_have_title("Bob – Tiki Companion")
        house.do(lambda live_session: live_session.observe(see("2", TIKIS)))
        move(house)
        expect(bob).to_have_title("Your turn – Bob – Tiki Companion")
        assert bob.evaluate("[buzzes, played]") == [[], []]
        bob.close()


def test_a_browser_that_cannot_vibrate_offers_it_not(phone: BrowserContext) -> None:
    """An iPhone has no vibration for pages: nothing is promised there."""
    phone.add_init_script("delete Navigator.prototype.vibrate;")
    with served(sit_down) as house:
        bob = take_seat(phone, house, 1)
        # The page is there before its scripts have run: this waits for them.
        expect(bob.locator("#turn-signal option")).to_have_count(2)
        values = "[...document.getElementById('turn-signal').options].map((each) => each.value)"
        assert bob.evaluate(values) == ["none", "sound"]
        expect(bob.locator("#turn-signal")).to_have_value("none")
        bob.close()


def test_the_title_tells_no_more_than_the_scoreboard(phone: BrowserContext) -> None:
    """What a seat's page knows of the turn is what everybody sees, and whether it is its own."""
    with served(sit_down) as house:
        bob = take_seat(phone, house, 1)
        assert bob.evaluate(WHOSE) == {"title": ""}
        move(house)
        expect(bob).to_have_title("Your turn – Bob – Tiki Companion")
        found = bob.evaluate(WHOSE)
        assert found == {"title": "Your turn – Bob – Tiki Companion", "mine": ""}
        bob.close()
