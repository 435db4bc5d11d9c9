"""The page of what the eyes see: for the host, and what it says of real recordings."""

import re
from html import unescape
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from companion.apps.eyes.regions import EYES, eyes_regions
from companion.language.catalogue import LANGUAGES
from companion.language.speech import speaking
from companion.referee.facts import SpinFact, TowerFact
from companion.registry import GAMES
from companion.session.events import SpinObserved
from companion.web.site import Visitor
from tests.eyes.films import play_film
from tests.referee.entering import sit
from tests.tables import see, see_hand, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.screens import PHONE, SMALL_PHONE, grave, sticks_out
from tests.web.serving import served
from tests.web.visitors import Pub, open_pub

LAPTOP: Final[ViewportSize] = {"width": 1366, "height": 768}
FILMS = {"tiki_topple": 17, "tactiki": 7, "topple": 12, "tippi_toppi": 9, "uno_tiki": 8}
"""Up to a picture in which something is to be seen: a question, a forbidden play, a move."""


def texts(html: str) -> str:
    """Return what *html* says, without tags."""
    return unescape(" ".join(re.sub(r"<[^>]*>", " ", html).split()))


def region(pub: Pub, name: str) -> str:
    """Return what the host reads in the piece *name* of the page."""
    page = pub.host().get("/eyes").text
    found = re.search(rf'data-region="{name}"[^>]*>(.*?)</section>', page, re.DOTALL)
    assert found, f"no region {name}"
    return texts(found[1])


def test_the_page_is_the_hosts() -> None:
    """Nobody else opens it; a stranger who follows it gets empty pieces."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    pub = open_pub(live_session)
    assert "What may have happened" in pub.host().get("/eyes").text
    for other in (pub.player(0), pub.stranger()):
        assert other.get("/eyes").status_code == 403
    assert "/eyes" in pub.host().get("/desk").text
    site = pub.app.state.site
    assert eyes_regions(site, Visitor((), False, None, None)) == dict.fromkeys(EYES, "")
    assert all(eyes_regions(site, Visitor((), False, 1, None)).values())


def test_the_desk_offers_it_only_where_pictures_come() -> None:
    """A table without a camera has no eyes, and a game without a mat never has."""
    assert "/eyes" not in open_pub(sit_down()).host().get("/desk").text
    page = open_pub(sit("score_sheet", seats=2)).host().get("/eyes")
    assert page.status_code == 200
    assert "No picture of the table has come yet." in texts(page.text)


def test_a_move_a_hand_and_a_pause_are_told() -> None:
    """What the referee makes of each picture stands there in words."""
    live_session = sit_down()
    pub = open_pub(live_session)
    live_session.observe(see("a.jpg", LOKAHI_UP))
    odds = region(pub, "odds")
    assert "Accepted: Ann: Tiki Up 1 on Lokahi." in odds
    assert "> 99 %" in odds
    live_session.observe(see_hand("b.jpg", "right"))
    assert "It waits: A hand is over the table." in region(pub, "odds")
    assert "Something is in the way now" in region(pub, "sight")
    said = region(pub, "witnesses")
    assert "Picture b.jpg: A hand is over the table" in said
    assert "right side (Bob)" in said
    live_session.pause()
    assert "The game is paused" in region(pub, "odds")


def test_all_sources_speak() -> None:
    """Sensors and people stand beside the camera, each with what it said last."""
    live_session = sit("topple", "roll 3")
    pub = open_pub(live_session)
    assert "Tilt switch Nothing yet" in region(pub, "witnesses")
    live_session.referee.on_fact(TowerFact("wobble"))
    live_session.changed()
    said = region(pub, "witnesses")
    assert "Tilt switch The tower wobbles" in said
    assert "People, by phone or desk" in said
    assert "Nothing yet" not in said.partition("People, by phone or desk")[2]


def test_a_spin_is_told_with_its_angle() -> None:
    """The idol's sensor speaks only in the game that has an idol."""
    live_session = play_film("uno_tiki", 8)
    spin = SpinObserved(182.4, 2.5, clockwise=True, seats=(0,), trusted=True, void=False)
    live_session.referee.on_fact(SpinFact(spin))
    live_session.changed()
    pub = open_pub(live_session)
    assert "Stopped at 182° after 2.5 turns" in region(pub, "witnesses")
    assert "Idol’s sensor" not in region(open_pub(sit_down()), "witnesses")


@pytest.mark.parametrize("game", FILMS)
def test_every_place_of_a_film_is_drawn(game: str) -> None:
    """Each where the plan has it, with how sure it is, in all languages."""
    live_session = play_film(game, FILMS[game])
    pub = open_pub(live_session)
    page = pub.host().get("/eyes").text
    places = re.findall(r'data-place="(\d+)" data-percent="(\d+)"', page)
    assert [int(number) for number, _ in places] == [*range(live_session.game.places)]
    assert max(int(sure) for _, sure in places) > 90
    assert 'style="' not in page
    for language in LANGUAGES:
        with speaking(language):
            found = eyes_regions(pub.app.state.site, Visitor((), True, None, None))
        assert all(found.values())


def test_every_watched_game_is_among_the_films() -> None:
    """So that no game's places are left undrawn."""
    assert {*FILMS} == {name for name, each in GAMES.items() if each.is_watched}


def test_it_follows_the_camera_and_fits(browser: Browser, phone: BrowserContext) -> None:
    """A question appears by itself; nothing sticks out, and all can be read."""
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}eyes")
        expect(page.locator(".odds .made")).to_contain_text("No picture")
        house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
        expect(page.locator(".odds .made")).to_contain_text("Accepted: Ann")
        expect(page.locator(".sightmap [data-place]")).to_have_count(9)
        house.do(
            lambda live_session: live_session.observe(
                see("2", ("nani", "lokahi", "hookipa", *LOKAHI_UP[3:]))
            )
        )
        expect(page.locator(".odds li").first).to_have_attribute("data-share", re.compile("1.000"))
        page.close()
        for size in (PHONE, SMALL_PHONE, LAPTOP):
            context = browser.new_context(viewport=size, locale="de")
            page = context.new_page()
            page.goto(house.host_url)
            page.goto(f"{house.url}eyes")
            assert sticks_out(page)[0] <= 0
            assert grave(page) == []
            context.close()
