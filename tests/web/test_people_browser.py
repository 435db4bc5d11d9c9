"""The page of people on phones, and what a new game takes over of whoever has played here."""

from playwright.sync_api import Browser

from companion.referee.live_session import LiveSession
from companion.web.table_memory import Season, TableMemory
from tests.web.score_sheets import enter_result, result, sheet_header
from tests.web.screens import PHONE, SMALL_PHONE, grave, sticks_out
from tests.web.serving import served

LONG = ("W" * 20, "Marie-Luise Hoffmann")


def three_games() -> LiveSession:
    """Return the third game between two people with long names, which is over as the others."""
    live_session = result(LONG)()
    for _ in range(2):
        live_session.renew(live_session.header, "the host began the same game again")
        enter_result(live_session, (3, 9))
    return live_session


def test_the_page_fits_on_phones_and_can_be_read(browser: Browser) -> None:
    """With names as long as they may be; in German, whose words are long."""
    memory = TableMemory()
    memory.keeps_people = True
    memory.seasons = (Season("W" * 20, "2001-01-01", "2999-12-31"),)
    with served(three_games, memory=memory) as house:
        for size in (PHONE, SMALL_PHONE):
            context = browser.new_context(viewport=size, locale="de")
            page = context.new_page()
            page.goto(house.host_url)
            page.goto(f"{house.url}people?one={LONG[0]}&other={LONG[1]}")
            assert page.locator("#ratings tr").count() == 2
            assert page.locator(".versus").inner_text().split() == [
                LONG[0],
                "0",
                ":",
                "3",
                *LONG[1].split(),
            ]
            assert sticks_out(page)[0] <= 0
            assert grave(page) == []
            context.close()


def test_somebody_is_forgotten_by_two_taps(browser: Browser) -> None:
    """The first tap asks once more."""
    memory = TableMemory()
    memory.keeps_people = True
    with served(three_games, memory=memory) as house:
        context = browser.new_context(viewport=PHONE)
        page = context.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}people")
        page.select_option("[name=person]", LONG[1])
        page.locator("#forget summary").click()
        page.locator("#forget button").click()
        page.wait_for_load_state()
        assert page.locator("#results tbody tr").count() == 1
        assert house.do(lambda live: live.header.players) == (LONG[0], "Somebody")
        context.close()


def test_a_known_person_has_the_colour_of_last_time(browser: Browser) -> None:
    """Also where the name is written in capitals; not if another player has it."""

    def make() -> LiveSession:
        live_session = result(("Ann", "Bob"))()
        header = sheet_header(("Ann", "Bob"), colours=("pink", "white"))
        live_session.renew(header, "the host began a new game")
        return live_session

    with served(make) as house:
        house.do(lambda _: setattr(house.pub.app.state.site.table.memory, "keeps_people", True))
        context = browser.new_context(viewport=PHONE)
        page = context.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}welcome?people=new")
        page.fill("[name=name0]", "BOB")
        page.fill("[name=name1]", "Bob")
        page.fill("[name=name1]", "ann")
        page.locator("[name=name1]").blur()
        chosen = [page.locator(f"[name=colour{seat}]").input_value() for seat in range(2)]
        assert chosen == ["white", "pink"]
        page.fill("[name=name0]", "Ann")
        page.locator("[name=name0]").blur()
        assert page.locator("[name=colour0]").input_value() == "white"
        context.close()
