"""The turn clock on pages: switched on by the host for one game, and read from afar."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.referee.turn_clock import TurnClock
from companion.table.instant_replay import InstantReplay
from companion.web.table_memory import TableMemory
from tests.computer.seats import meaning
from tests.falls import Clock
from tests.games.topple_seats import seat
from tests.pictures import end_joining, tower
from tests.referee.entering import sit, tell
from tests.tapping import is_wise
from tests.web.scenes import SCENES
from tests.web.screens import PHONE, TELEVISION, cut_off, grave, small_texts, sticks_out
from tests.web.serving import served
from tests.web.visitors import Pub, open_pub

TIMES = "Time per player"
TALLER = (
    "(all) => all.filter((each) => each.scrollHeight > each.clientHeight)"
    ".map((each) => each.innerText)"
)
BEGUN = ("roll 3", "place 11 pink", "roll 3")


def timed(limit_s: int = 60, **options: int) -> tuple[Pub, Clock]:
    """Return Topple, whose turns are timed, with its clock."""
    memory = TableMemory()
    memory.turn_limits_s = {"topple": limit_s}
    live_session = seat(**options)
    clock = Clock()
    live_session.turn_clock = TurnClock(clock)
    pub = open_pub(live_session, memory=memory)
    live_session.changed()
    return pub, clock


def play(pub: Pub, clock: Clock, after_s: float, *actions: str) -> None:
    """Let time go by, then enter *actions*."""
    clock.now_s += after_s
    tell(pub.live_session, *actions)
    pub.live_session.changed()


def test_the_host_has_the_turns_of_one_game_timed(tmp_path: Path) -> None:
    """Off at first, kept for the next evening, and of no other game."""
    file = tmp_path / "table.json"
    pub = open_pub(sit("topple", *BEGUN), memory=TableMemory(file))
    host, stranger = pub.host(), pub.stranger()
    assert 'id="turn-time"' not in stranger.get("/").text
    assert stranger.post("/turn-clock", limit="60").status_code == 403
    assert pub.player(0).post("/turn-clock", limit="60").status_code == 403
    for wrong in ("61", "-1", "on", ""):
        assert host.post("/turn-clock", limit=wrong).status_code == 400
    assert pub.live_session.turn_times is None
    assert host.post("/turn-clock", limit="60").status_code == 303
    assert 'id="turn-time"' in stranger.get("/").text
    kept = TableMemory(file)
    assert (kept.turn_limit_s("topple"), kept.turn_limit_s("tactiki")) == (60, None)
    assert host.post("/turn-clock", limit="off").status_code == 303
    assert 'id="turn-time"' not in stranger.get("/").text
    assert TableMemory(file).turn_limit_s("topple") is None


@pytest.mark.parametrize("spoilt", ['{"topple": "x"}', "7", '{"topple": null}'])
def test_a_spoilt_memory_is_begun_anew(tmp_path: Path, spoilt: str) -> None:
    """As any other file that people may have edited."""
    file = tmp_path / "table.json"
    file.write_text(f'{{"language": "de", "is_set_up": true, "turn_limits_s": {spoilt}}}')
    assert TableMemory(file).turn_limits_s == {}
    assert TableMemory(file).language == "de"


def test_pages_and_programs_are_told_how_the_time_goes() -> None:
    """By turn and by player; the strip of a film has the turn's."""
    pub, clock = timed()
    play(pub, clock, 0, "roll 3")
    play(pub, clock, 75, "place 11 pink", "roll 3")
    clock.now_s += 9
    pub.live_session.changed()
    for path in ("/", "/?view=overlay"):
        assert re.search(r'data-seconds="9" data-limit="60">0:09<', pub.stranger().get(path).text)
    assert ">1:15<" in pub.stranger().get("/").text
    told = pub.stranger().get("/api/v1/state").json()["time"]
    assert told == {"seats_s": [75, 9, 0], "turn_s": 9, "limit_s": 60, "is_running": True}


def test_the_results_have_the_time_of_each_player() -> None:
    """When the game is over, and of a past game as well."""
    pub, clock = timed(target=1)
    rng, session = random.Random(3), pub.live_session.session
    assert "<th>Time</th>" not in pub.stranger().get("/").text
    for _ in range(300):
        if session.rules.outcome(session.state) is not None:
            break
        offers = pub.live_session.referee.offers()
        play(pub, clock, 30, rng.choice([each for each in offers if is_wise(rng, each)]))
    times = pub.live_session.turn_times
    assert times is not None
    assert not times.is_running
    assert sum(times.seats_s) == 30 * (
        len(session.history.acts) - 1 - len(session.state.rounds[1:])
    )
    for page, words in (("/", "<th>Time</th>"), ("/games/1", TIMES)):
        shown = pub.stranger().get(page).text
        assert words in shown
        for seconds in times.seats_s:
            assert f">{seconds // 60}:{seconds % 60:02}<" in shown
    untimed = open_pub(sit("topple", *BEGUN))
    assert TIMES not in untimed.stranger().get("/games/1").text


def on_pages(scene: str, limit_s: int) -> TableMemory:
    """Return a memory that has the turns of *scene* timed."""
    memory, live_session = TableMemory(), SCENES[scene]()
    memory.turn_limits_s = {live_session.header.game: limit_s}
    live_session.log.close()
    return memory


@pytest.mark.parametrize("scene", ["asked", "ten", "topple of two", "line"])
def test_the_television_has_room_for_it(browser: Browser, scene: str) -> None:
    """Nothing is cut off or too small to be read from four metres."""
    with served(SCENES[scene], memory=on_pages(scene, 60)) as house:
        house.do(lambda live_session: live_session.changed())
        page = browser.new_page(viewport=TELEVISION)
        page.goto(house.url)
        expect(page.locator("#turn-time")).to_be_visible()
        assert list(small_texts(page)) == []
        assert cut_off(page) == []
        assert max(sticks_out(page)) <= 0
        page.close()


def test_the_television_has_room_for_what_the_companion_means(browser: Browser) -> None:
    """Every player's card shows all that it holds beside the clock and the move that is meant."""
    memory = on_pages("line", 60)
    with served(meaning, memory=memory) as house:
        end_joining(house)
        house.do(lambda live_session: live_session.changed())
        page = browser.new_page(viewport=TELEVISION)
        page.goto(house.url)
        expect(page.locator("#turn-time")).to_be_visible()
        expect(page.locator("#intention")).to_be_visible()
        assert list(small_texts(page)) == []
        assert cut_off(page) == []
        assert page.locator(".player").evaluate_all(TALLER) == []
        page.close()


def test_a_card_that_is_too_low_is_found(browser: Browser) -> None:
    """The measure fails on what it is there to find."""
    page = browser.new_page()
    page.set_content('<p style="height:9px; overflow:hidden">Ann<p>Bob')
    assert page.locator("p").evaluate_all(TALLER) == ["Ann"]
    page.close()


def test_the_television_has_room_for_all_at_once(browser: Browser) -> None:
    """A long reason, the clock, its sign, and that falls are filmed."""
    memory = on_pages("topple", 60)
    memory.films_falls = True
    replay = InstantReplay()
    with served(tower, memory=memory, replay=replay) as house:

        def wait_long(live_session: LiveSession) -> None:
            replay.follow(live_session, lambda: True)
            live_session.changed()
            live_session.turn_clock._played_s += 75
            live_session.changed()
            live_session.tick()

        end_joining(house)
        house.do(wait_long)
        page = browser.new_page(viewport=TELEVISION)
        page.goto(house.url)
        expect(page.locator("#moment[data-moment=slow]")).to_be_visible()
        filming, table = (page.locator(each).bounding_box() for each in ("#filming", "#table"))
        assert filming
        assert table
        assert table["y"] + table["height"] < filming["y"] < filming["y"] + filming["height"] < 1080
        page.locator("#filming").evaluate(
            "(each) => each.remove()"
        )  # which lies outside its region
        assert cut_off(page) == []
        assert max(sticks_out(page)) <= 0
        page.close()


def test_a_page_counts_by_itself(browser: Browser) -> None:
    """And marks a turn that is longer than was wanted; on a phone all of it fits."""
    with served(lambda: sit("topple", *BEGUN), memory=on_pages("topple", 30)) as house:

        def wait_long(live_session: LiveSession) -> None:
            live_session.changed()
            live_session.turn_clock._played_s += 28.5
            live_session.changed()

        page = browser.new_page(viewport=PHONE)
        page.goto(f"{house.url}join/{house.pub.keys.invitation(1)}")
        page.locator("main form button").first.click()
        house.do(wait_long)
        shown = page.locator("#turn-time .minutes")
        expect(shown).to_have_text(re.compile("0:2[89]"))
        expect(shown).to_have_text(re.compile("0:[345]"))
        expect(shown).to_have_class(re.compile("over"))
        expect(page.locator(".player.turn .time .minutes")).to_have_text(re.compile("0:[345]"))
        expect(page.locator(".player:not(.turn) .time .minutes").first).to_have_text("0:00")
        assert sticks_out(page)[0] <= 0
        assert grave(page) == []
        house.do(lambda live_session: live_session.pause())
        expect(page.locator("#turn-time [data-goes]")).to_have_count(0)
        page.close()
