"""The pages of every game: all that they offer is taken, and none of them ever breaks."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.scoreboard import read_scoreboard
from companion.web.pages.entering import CHANCE
from tests.referee.entering import sit
from tests.tables import NAMES, open_log
from tests.untranslated import NAMED, Marked, untranslated
from tests.web.filled_forms import action_of, filled
from tests.web.forms import actions_of, forms_of
from tests.web.games import seats_of
from tests.web.visitors import Pub, Visitor, alert, open_pub
from tests.web.well_formed import read_page

STEPS = 45
SOON, SELDOM = 9, 25
"""Every page is opened at each of the first steps, and then this seldom."""
MOST = 1000
SHORT: dict[str, dict[str, Any]] = {
    "tiki_topple": {"rounds": 1, "tie": "share"},
    "tactiki": {"quiet_turns": 9},
    "topple": {"young": True},
    "uno_tiki": {"target": 1},
    "score_sheet": {"rounds": 12},
}


@dataclass(frozen=True)
class Sent:
    """What became of a form: where it went, the action that it has put together, and if it counts.

    path: "" if there was no form to send.
    """

    path: str = ""
    action: str = ""
    is_taken: bool = False


def send_a_form(rng: random.Random, host: Visitor, *paths: str) -> Sent:
    """Send one form of the desk as somebody might.

    paths: where it may go, most likely to the first.
    """
    forms = [form for form in forms_of(host.get("/desk")) if form.path in paths]
    if not forms:
        return Sent()
    weights = [20 if form.path == paths[0] else 1 for form in forms]
    (form,) = rng.choices(forms, weights)
    sent = filled(rng, form)
    answer = host.post(form.path, **sent)
    assert answer.status_code in (303, 409), (form, sent)
    if answer.status_code == 409:
        assert alert(answer).startswith("The rules do not allow that: "), (sent, alert(answer))
    return Sent(form.path, action_of(sent), answer.status_code == 303)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow(keep=["0-topple", "0-tactiki", "0-uno_tiki"])
def test_random_tapping_agrees_with_the_rules_alone(game: str, seed: int) -> None:
    """What the desk offers is taken unless the rules refuse it, and nothing else happens."""
    rng = random.Random(seed)
    pub = open_pub(sit(game, seats=seats_of(game, 2 + seed % 3)))
    host, table = pub.host(), pub.live_session.game
    oracle: list[Any] = [pub.live_session.session.state]
    replaced: list[list[Any]] = [[]]  # with each state, those that an undo of it brings back
    refused = 0
    for _ in range(STEPS):
        sent = send_a_form(rng, host, "/enter", "/undo", "/instead")
        before = oracle[:-1] if sent.path in ("/undo", "/instead") else oracle
        if sent.is_taken:
            kept = {"/enter": [[]], "/instead": [[*replaced[-1], oracle[-1]]]}.get(sent.path, [])
            back = replaced[-1] if sent.path == "/undo" else []
            replaced = [*replaced[: len(before)], *kept, *([back[:-1]] if back else [])]
            newest = pub.live_session.session.history.newest()
            action = newest.forms[0] if newest and sent.action == CHANCE else sent.action
            parsed = action and table.rules.parse_action(action)
            after = [table.rules.apply(before[-1], parsed)] if parsed else []
            oracle = [*before, *after, *back[-1:]]
        elif sent.path:
            refused += 1
            with pytest.raises(RulesError):
                table.rules.apply(before[-1], table.rules.parse_action(sent.action))
        assert pub.live_session.session.state == oracle[-1]
        board = read_scoreboard(pub.live_session)
        assert [player.score for player in board.players] == [*table.scores(oracle[-1])]
    assert refused < STEPS / 4


def test_the_random_tapping_sees_an_action_that_is_not_offered() -> None:
    """A disabled spot is no tap, and an enabled one is."""
    page = open_pub(sit("topple", "roll 1")).host().get("/desk")
    assert [each for each in actions_of(page) if each.startswith("place")] == ["place 22"]


def assert_whole(page: httpx.Response) -> None:
    """Fail unless *page* is what was asked for, well formed, and tells of no mistake of ours."""
    assert page.status_code == 200, (page.url, page.text)
    assert "Traceback" not in page.text
    if page.headers["content-type"].startswith("text/html"):
        read_page(page.text)


def all_pages(pub: Pub) -> Iterator[httpx.Response]:
    """Yield every page of the game that is on, as everybody at the table may open it."""
    host = pub.host()
    for path in ("/", "/desk", "/desk/new", "/api/state", "/display.png"):
        yield host.get(path)
    for told in read_scoreboard(pub.live_session).history[:3]:
        yield host.get(f"/desk/correct/{told.seq}")
    for seat in range(len(pub.live_session.header.players)):
        pub.keys.invite_anew(seat)
        yield pub.stranger().get(f"/join/{pub.keys.invitation(seat)}")
        player = pub.player(seat)
        yield player.get("/")
        yield player.get("/seat")
    yield pub.stranger().get("/")


def assert_translated(page: httpx.Response) -> None:
    """Fail if a text of *page*, which is in a language that marks all of them, is English only."""
    if "html" in page.headers["content-type"]:
        names = [*NAMED, *(game_of(each).title for each in GAMES)]
        assert list(untranslated(page.text, names)) == [], page.url


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow(keep=["0-"])
def test_no_page_ever_breaks(game: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first moment to the last of a game that is played at random, all pages are whole.

    Each text on them can be said in another language.
    """
    rng = random.Random(seed)
    seats = seats_of(game)
    header = open_header(game_of(game), NAMES[:seats], SHORT.get(game, {}), 0)
    pub = open_pub(LiveSession(open_log(), header))
    host, step, sent = pub.host(), 0, Sent("/enter")
    while sent.path:
        if step < SOON or step % SELDOM == 0 or read_scoreboard(pub.live_session).is_over:
            with monkeypatch.context() as marking:
                marking.setattr("companion.language.speech.language_of", lambda _: Marked())
                pub.live_session.changed()
                for page in all_pages(pub):
                    assert_whole(page)
                    assert_translated(page)
            pub.live_session.changed()
        sent = send_a_form(rng, host, "/enter")
        step += 1
        assert step < MOST
    board = pub.stranger().get("/").text
    assert "The game is over." in board
    assert re.search(r"wins?!|Nobody has won", board)
