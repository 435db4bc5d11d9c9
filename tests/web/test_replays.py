"""Falls played back on the pages: switched on by the host, seen by who is at the table alone."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion.table.instant_replay import KEPT_S, InstantReplay
from companion.web.table_memory import TableMemory
from tests.falls import Clock, filmed, is_filming
from tests.referee.entering import sit, tell
from tests.web.screens import PHONE, TELEVISION, grave, photograph, sticks_out
from tests.web.serving import Served, served
from tests.web.visitors import Pub, open_pub

FALLEN = ("roll 3", "place 11 pink", "roll 3")
HINT = "Falls are filmed"


def pub_with(replay: InstantReplay | None, memory: TableMemory | None = None) -> Pub:
    """Return a table where *replay* films what the host has asked for."""
    memory = memory or TableMemory()
    pub = open_pub(sit("topple", *FALLEN), replay=replay, memory=memory)
    if replay is not None:
        replay.follow(pub.live_session, lambda: memory.films_falls)
    return pub


def test_the_host_switches_it_on_and_everyone_is_told(tmp_path: Path) -> None:
    """It stays so after a restart; nobody else can, and it is off at first."""
    memory = TableMemory(tmp_path / "table.json")
    replay = InstantReplay(Clock())
    pub = pub_with(replay, memory)
    host, seat, stranger = pub.host(), pub.player(0), pub.stranger()
    assert not is_filming(replay)
    assert HINT not in stranger.get("/").text
    assert "at most 24 MB" in host.get("/desk").text
    for other in (seat, stranger):
        assert other.post("/films-falls", on="1").status_code == 403
    assert host.post("/films-falls", on="1").status_code == 303
    assert is_filming(replay)
    for page, visitor in (("/", stranger), ("/seat", seat), ("/desk", host)):
        assert HINT in visitor.get(page).text
    assert TableMemory(tmp_path / "table.json").films_falls
    assert host.post("/films-falls", on="0").status_code == 303
    assert HINT not in stranger.get("/").text
    assert not TableMemory(tmp_path / "table.json").films_falls


def test_a_table_without_a_tower_or_a_camera_is_not_asked() -> None:
    """Nor can it be switched on there."""
    pubs = (pub_with(None), open_pub(sit("tactiki", seats=2), replay=InstantReplay(Clock())))
    for pub in pubs:
        host = pub.host()
        assert "/films-falls" not in host.get("/desk").text
        assert host.post("/films-falls", on="1").status_code == 409
        assert not pub.app.state.site.table.memory.films_falls


def test_who_is_at_the_table_sees_the_film_and_no_stranger() -> None:
    """The host, the seats and the table's screens; pictures may show people."""
    replay = filmed()
    pub = open_pub(sit("topple", *FALLEN), replay=replay)
    host, seat, stranger = pub.host(), pub.player(0), pub.stranger()
    for visitor, page in ((host, "/"), (seat, "/seat"), (seat, "/"), (host, "/desk")):
        assert 'data-number="1"' in visitor.get(page).text
        answer = visitor.get("/replay/1/0.jpg")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        assert Image.open(BytesIO(answer.content)).format == "JPEG"
    assert 'data-number="1"' not in stranger.get("/").text
    assert stranger.get("/replay/1/0.jpg").status_code == 403
    for visitor in (seat, stranger):
        assert visitor.get("/replay/1/fall.webp").status_code == 403
    assert "fall.webp" in host.get("/").text
    assert "fall.webp" not in seat.get("/seat").text


def test_a_screen_of_the_table_sees_the_film() -> None:
    """Once the host has let it in."""
    pub = open_pub(sit("topple", *FALLEN), replay=filmed())
    screen, host = pub.stranger(), pub.host()
    assert screen.post("/screen").status_code == 303
    assert 'data-number="1"' not in screen.get("/").text
    (sign,) = pub.app.state.site.screens.signs
    assert host.post("/screens", sign=sign).status_code == 303
    assert 'data-number="1"' in screen.get("/").text
    assert screen.get("/replay/1/0.jpg").status_code == 200


def test_what_is_gone_or_never_was_is_said_in_a_sentence() -> None:
    """By the pictures' addresses, too, which somebody may have kept."""
    clock = Clock()
    pub = open_pub(sit("topple", *FALLEN), replay=filmed(clock))
    host = pub.host()
    for path in ("/replay/2/0.jpg", "/replay/1/99.jpg", "/replay/2/fall.webp"):
        assert host.get(path).status_code == 404
    clock.now_s += KEPT_S
    pub.live_session.changed()
    assert host.get("/replay/1/0.jpg").status_code == 404
    assert 'data-number="1"' not in host.get("/").text
    assert open_pub(sit()).host().get("/replay/1/0.jpg").status_code == 404


def test_the_host_saves_the_film() -> None:
    """As one file that any phone plays, in slow motion; the companion keeps none."""
    answer = open_pub(sit("topple", *FALLEN), replay=filmed()).host().get("/replay/1/fall.webp")
    assert answer.headers["content-type"] == "image/webp"
    with Image.open(BytesIO(answer.content)) as film:
        assert getattr(film, "n_frames", 1) == 12
        film.load()
        assert film.info["duration"] == 600


def fall(house: Served, replay: InstantReplay) -> None:
    """Let the tower fall, with a film of that."""

    def topple(_: object) -> None:
        replay._film = replace(film, kept_s=replay._clock()) if (film := kept) else None
        tell(house.pub.live_session, "knock 1")
        house.pub.live_session.changed()

    kept = filmed(count=8).film
    house.do(topple)


def at_the_table(browser: Browser, house: Served, *, calm: bool = False) -> Page:
    """Return the scoreboard on a television that the host has opened."""
    page = browser.new_page(
        viewport=TELEVISION, reduced_motion="reduce" if calm else "no-preference"
    )
    page.goto(house.host_url)
    return page


def test_the_television_plays_a_fall_by_itself_and_ends(browser: Browser) -> None:
    """In slow motion, from the first picture to the last; then the scoreboard is there again."""
    replay = InstantReplay()
    with served(lambda: sit("topple", *FALLEN), replay=replay) as house:
        page = at_the_table(browser, house)
        assert page.locator(".replay-screen").count() == 0
        fall(house, replay)
        canvas = page.locator(".replay-screen canvas")
        expect(canvas).to_have_attribute("data-place", re.compile("[2-7]"))
        assert photograph(page).convert("RGB").resize((8, 8)).getcolors(64) != [(64, (0, 0, 0))]
        expect(canvas).to_have_attribute("data-place", "7")
        expect(page.locator("#round-end")).to_be_visible()
        expect(
            page.locator(".region.scores")
        ).to_be_hidden()  # whose place the sums of the round have
        page.keyboard.press("Escape")
        expect(page.locator(".replay-screen")).to_have_count(0)
        house.do(lambda live_session: live_session.changed())
        page.wait_for_timeout(300)
        assert page.locator(".replay-screen").count() == 0
        page.close()


def test_who_wants_no_motion_sees_stills(browser: Browser) -> None:
    """The last six pictures side by side."""
    replay = InstantReplay()
    with served(lambda: sit("topple", *FALLEN), replay=replay) as house:
        page = at_the_table(browser, house, calm=True)
        fall(house, replay)
        expect(page.locator(".replay-screen.stills img")).to_have_count(6)
        assert page.locator("canvas").count() == 0
        assert max(sticks_out(page)) <= 0
        page.close()


def test_a_phone_plays_a_fall_when_it_is_asked_to(browser: Browser) -> None:
    """Not by itself; once, and a tap closes it.  When the film is gone, so is the button."""
    replay = InstantReplay()
    with served(lambda: sit("topple", *FALLEN), replay=replay) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(f"{house.url}join/{house.pub.keys.invitation(0)}")
        page.locator("main form button").first.click()
        fall(house, replay)
        again = page.get_by_role("button", name="Watch the fall")
        expect(again).to_be_visible()
        assert page.locator(".replay-screen").count() == 0
        again.click()
        expect(page.locator("canvas")).to_have_attribute("data-place", re.compile("[1-7]"))
        assert sticks_out(page)[0] <= 0
        assert grave(page) == []
        page.get_by_role("button", name="Close").click()
        expect(page.locator(".replay-screen")).to_have_count(0)
        again.click()
        expect(page.locator(".replay-screen")).to_be_visible()
        replay.discard()
        house.do(lambda live_session: live_session.changed())
        expect(again).to_have_count(0)
        expect(page.locator(".replay-screen")).to_have_count(0)
        page.close()
