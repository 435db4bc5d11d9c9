"""The page of a game: every step of it, with its reasons, for everyone and without secrets."""

import re

import pytest
from markupsafe import escape
from playwright.sync_api import Browser, expect

from companion.referee.past import GameCourse
from companion.referee.record_reading import import_record, read_record
from companion.registry import GAMES
from companion.scoreboard import read_scoreboard
from tests.referee.played import play
from tests.referee.written_records import data_of, written
from tests.tables import sit_down
from tests.untranslated import NAMED, Marked, untranslated
from tests.web.screens import PHONE, sticks_out, violations
from tests.web.serving import served
from tests.web.visitors import Pub, assert_silent_about, hidden_field, open_pub
from tests.web.well_formed import read_page


def page_of(pub: Pub, step: int | None = None, number: int = 1) -> str:
    """Return the page of a game as a stranger sees it."""
    answer = pub.stranger().get(f"/games/{number}{'' if step is None else f'?step={step}'}")
    assert answer.status_code == 200, answer.text
    read_page(answer.text)
    return answer.text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow(keep=["0-"])
def test_every_step_of_every_game_has_a_page(game: str, seed: int) -> None:
    """Each is whole, says what happened, draws the table as it was, and leads to its neighbours."""
    pub = open_pub(play(game, seed, 20))
    steps = GameCourse(pub.live_session.session, pub.live_session.game).steps
    drawings, lines = set(), read_scoreboard(pub.live_session).history[::-1]
    for step in range(steps + 1):
        page = page_of(pub, step)
        links = {int(number) for number in re.findall(r'href="/games/1\?step=(\d+)" *>', page)}
        assert {*range(1, steps + 1)} <= links
        assert ('rel="prev"' in page, 'rel="next"' in page) == (step > 0, step < steps)
        (drawn,) = re.findall(r'<section class="region table".*?</section>', page, re.DOTALL)
        drawings.add(drawn)
        if step:
            assert f"Step {step} of {steps}" in page
            assert escape(lines[step - 1].words) in page
    assert len(drawings) > steps / 4
    assert page_of(pub) == page_of(pub, steps)


def test_the_step_says_what_the_move_brought_and_why() -> None:
    """Gains with their names, the reason, and the rule behind one tap."""
    live_session = play("tippi_toppi", 1)
    pub, course = open_pub(live_session), GameCourse(live_session.session, live_session.game)
    for step in range(1, course.steps + 1):
        with course.at(step) as past:
            line = read_scoreboard(past).history[0]
        if any(line.gains):
            break
    else:
        pytest.fail("nobody scored")
    page = page_of(pub, step)
    for player, gained in zip(live_session.header.players, line.gains, strict=True):
        assert not gained or re.search(rf"{player} <b>[+\u2212]{abs(gained)}</b>", page)
    assert line.reason in page
    assert ("Why?" in page) == bool(line.rule)


def test_a_past_game_has_its_page_while_another_is_on() -> None:
    """Also one of another kind, which then draws its own table; the one that is on says that."""
    live_session = sit_down(rounds=1)
    pub = open_pub(live_session)
    other = play("topple", 3, 40)
    lines = written(GameCourse(other.session, other.game))
    number = import_record(live_session.log, read_record(data_of(lines)))
    page = page_of(pub, 4, number)
    assert "<h1>Topple</h1>" in page
    assert "data-spot" in page
    assert "data-tiki" in page_of(pub)
    assert "This game is still going." in page_of(pub)
    assert "This game was not finished." in page_of(pub, number=number)
    over = play("tiki_topple", 1)
    lines = written(GameCourse(over.session, over.game))
    number = import_record(live_session.log, read_record(data_of(lines)))
    assert re.search(
        r'id="outcome">(\w+|[\w ,]+|Everyone) won this game', page_of(pub, number=number)
    )


def test_looking_back_leaves_the_game_and_its_seats_alone() -> None:
    """A phone keeps its seat, links stay open, and no page of the game in play changes."""
    pub = open_pub(play("topple", 1, 20))
    phone, before = pub.player(1), pub.stranger().get("/").text
    invitation = pub.keys.invitation(0)
    followers = len(pub.outputs.strip.followers)
    for step in (0, 5, 10):
        page_of(pub, step)
    assert phone.get("/seat").status_code == 200
    assert pub.keys.invitation(0) == invitation
    assert pub.stranger().get("/").text == before
    assert len(pub.outputs.strip.followers) == followers


@pytest.mark.parametrize("path", ["/games/2", "/games/x", "/games/1?step=99", "/games/1?step=x"])
def test_what_is_not_there_is_said_in_a_sentence(path: str) -> None:
    """No such game, no such step."""
    answer = open_pub(sit_down()).stranger().get(path)
    assert answer.status_code == 404
    assert "There is no game with that number" in answer.text or "no such step" in answer.text


def test_a_game_of_another_version_is_said_in_a_sentence() -> None:
    """It stays in the log, and the page says why it is not shown; the log's path is not told."""
    live_session = sit_down()
    header = {**live_session.log.header(1), "options": {"rounds": "no longer known"}}
    with live_session.log.transaction():
        live_session.log.open_session(header)
    pub = open_pub(live_session)
    answer = pub.stranger().get("/games/2")
    assert answer.status_code == 409
    assert "another version of the companion" in answer.text
    assert ":memory:" not in answer.text


def test_hidden_ranks_and_cards_are_on_no_page_of_a_game_that_is_on() -> None:
    """Whoever looks back learns what everyone learned then; the full record is not there yet."""
    pub = open_pub(play("tiki_topple", 3, 4))
    for step in (None, 0, 2):
        page = page_of(pub, step)
        assert_silent_about(page, "top9", "card 0", "secret card entered")
    host = pub.host()
    assert "?full" not in host.get("/games/1").text
    assert host.get("/api/v1/games/1/record?full").status_code == 409
    finished = open_pub(play("tiki_topple", 3))
    assert "?full" in finished.host().get("/games/1").text
    assert "?full" not in finished.stranger().get("/games/1").text


@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_the_page_can_be_translated(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but what the game itself draws and says, which is looked at elsewhere."""
    pub = open_pub(play(game, 1, 30))
    monkeypatch.setattr("companion.language.speech.language_of", lambda _: Marked())
    for step in (0, 10, None):
        page = page_of(pub, step)
        words = {line.words for line in read_scoreboard(pub.live_session).history}
        page = re.sub(r'<section class="region table".*?</section>', "", page, flags=re.DOTALL)
        page = re.sub(r'<p class="reason">.*?</p>', "", page, flags=re.DOTALL)
        page = re.sub(r'<p class="round">.*?</p>', "", page)  # the date, which Babel says
        names = [*NAMED, *words, pub.live_session.game.title]
        assert list(untranslated(page, names)) == []


def test_another_language_shows_the_same_step() -> None:
    """Whoever chooses one at the foot of the page stays where they are."""
    visitor = open_pub(play("topple", 1, 12)).stranger()
    back = hidden_field(visitor.get("/games/1?step=4"), "back")
    answer = visitor.post("/language", language="de", back=back)
    assert (answer.status_code, answer.headers["location"]) == (303, "/games/1?step=4")
    for page in ("/games/statistics", "/games/1?step=4"):
        assert hidden_field(visitor.get(page), "back") == page


def test_the_game_on_other_machines_clocks() -> None:
    """A game shows when it began in the reader's own way."""
    live_session = play("topple", 1, 5)
    pub = open_pub(live_session)
    pages = [
        pub.stranger().ask("GET", "/games/1", headers={"accept-language": language}).text
        for language in ("en", "de", "es")
    ]
    days = [re.findall(r'<p class="round">(.+?)</p>', page)[0] for page in pages]
    assert len({*days}) == 3


def test_arrow_keys_go_from_step_to_step(browser: Browser) -> None:
    """With a keyboard; the links do it by taps, and without JavaScript as well."""
    with served(lambda: play("topple", 1, 30)) as house:
        page = browser.new_page(viewport=PHONE)
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{house.url}games/1?step=5")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#step")).to_have_text(re.compile("Step 6 of"))
        page.wait_for_load_state()
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#step")).to_have_text(re.compile("Step 5 of"))
        page.wait_for_load_state()
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#step")).to_have_text(re.compile("Step 4 of"))
        overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert page.evaluate(overflow) is False
        assert complaints == []
        plain = browser.new_page(viewport=PHONE, java_script_enabled=False)
        plain.goto(f"{house.url}games/1?step=5")
        plain.locator("a[rel=next]").click()
        expect(plain.locator("#step")).to_have_text(re.compile("Step 6 of"))


def test_the_pages_can_be_used_by_all(browser: Browser) -> None:
    """Axe finds nothing on a phone, and nothing is wider than its screen."""
    with served(lambda: play("tiki_topple", 1)) as house:
        page = browser.new_context(viewport=PHONE, bypass_csp=True).new_page()
        for path in ("games/1?step=2", "games/statistics", "api"):
            page.goto(f"{house.url}{path}")
            assert violations(page) == []
            assert sticks_out(page)[0] <= 0, path
