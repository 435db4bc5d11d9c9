"""The coach: a hint for who wants one, on that seat's own page, and all see that it is on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.apps.computer.coach import Coach, Hint, coach_of
from companion.apps.computer.engine import EngineLost, Task
from companion.referee.live_session import LiveSession
from companion.scenes.scene import scene_of
from companion.scoreboard import read_scoreboard
from tests.computer.seats import Scripted, meant_at, meanwhile, only, settle
from tests.referee.entering import sit
from tests.tables import open_log, sit_down
from tests.web.visitors import open_pub

UP = "up1 huhu"


@asynccontextmanager
async def coached(live: LiveSession, *seats: int) -> AsyncIterator[Scripted]:
    """Coach *seats* of *live* meanwhile."""
    scripted = Scripted(only(UP), [], live.game.rules)
    coach = coach_of(live)
    for seat in seats:
        coach.switch(seat, is_on=True)
    async with meanwhile(coach.follow(scripted.choose)):
        yield scripted


@pytest.mark.anyio
async def test_nobody_is_coached_who_has_not_asked() -> None:
    """No search is made."""
    live = sit_down()
    async with coached(live) as scripted:
        assert (scripted.tasks, coach_of(live).hint) == ([], None)


@pytest.mark.anyio
async def test_a_hint_says_what_and_why_in_the_words_of_the_game() -> None:
    """For whoever has the turn; gone with the move."""
    live = sit_down()
    async with coached(live, 0):
        hint = coach_of(live).hint
        assert hint is not None
        assert (hint.action, hint.words) == (UP, "Tiki Up 1 on Huhu")
        assert hint.reason == "Huhu climbs from place 6 to place 5, and Akamai moves down"
        assert (hint.share, hint.next_share) == (60, 50)
        live.referee.enter("up1 nani")
        live.changed()
        await settle()
        assert coach_of(live).hint is None


@pytest.mark.anyio
async def test_it_knows_what_its_seat_knows_and_no_more() -> None:
    """The secret card of that seat, and not its neighbour's."""
    live = sit_down(2)
    live.referee.enter_secret(0, "card 0 nui eepo nani")
    live.referee.enter_secret(1, "card 1 nani huhu nui")
    async with coached(live, 0) as scripted:
        (task,) = scripted.tasks
        assert task.seen.cards[0] is not None
        assert task.seen.cards[1] is None


@pytest.mark.anyio
async def test_all_at_the_table_see_that_it_is_on() -> None:
    """And nobody but the seat itself sees the hint."""
    live = sit_down()
    async with coached(live, 0):
        board = read_scoreboard(live)
        assert [player.coached for player in board.players] == [True, False, False]
        assert "good move" not in str(board.to_json())


@pytest.mark.anyio
async def test_the_lights_show_it_if_the_seat_wants() -> None:
    """Until somebody moves."""
    live = sit_down()
    async with coached(live, 0):
        coach_of(live).light(1)
        assert meant_at(live) is None
        coach_of(live).light(0)
        assert live.intention is not None
        assert live.intention.words == "A hint for Ann: Tiki Up 1 on Huhu"
        assert scene_of(read_scoreboard(live)).kind == "meant"
        live.referee.enter("up1 nani")
        live.changed()
        await settle()
        assert meant_at(live) is None


@pytest.mark.anyio
async def test_a_hand_that_nobody_knows_gets_no_hint() -> None:
    """Cards of a closed hand."""
    live = sit("uno_tiki", "turn red-9", seats=2)
    async with coached(live, 0, 1) as scripted:
        assert not scripted.tasks


@pytest.mark.anyio
async def test_a_search_that_fails_leaves_no_hint_and_breaks_nothing() -> None:
    """The next turn is tried again."""
    live = sit_down()

    async def lost(_: Task) -> None:
        raise EngineLost

    coach = coach_of(live)
    coach.switch(0, is_on=True)
    async with meanwhile(coach.follow(lost)):
        assert coach.hint is None


def test_it_stays_on_over_a_restart_and_is_off_in_another_game(tmp_path: Path) -> None:
    """As the seat left it."""
    path = tmp_path / "games.db"
    live = sit_down(log=open_log(path))
    file = tmp_path / "coach.json"
    Coach(live, file).switch(1, is_on=True)
    live.coached = frozenset()
    Coach(live, file)
    assert live.coached == frozenset((1,))
    live.renew(live.header, "another game")
    live.coached = frozenset()
    Coach(live, file)
    assert live.coached == frozenset()


def give_hint(live: LiveSession, seat: int) -> None:
    """Let *seat* have a hint at this moment."""
    coach = coach_of(live)
    coach._asked = (live.session.number, live.session.next_seq, seat)
    coach.hint = Hint(UP, "Tiki Up 1 on Huhu", "Huhu climbs", 60, 50)
    live.changed()


def test_the_hint_of_one_seat_is_never_on_the_page_of_the_next() -> None:
    """Not even for the moment until the coach has heard of the move."""
    pub = open_pub(sit_down())
    phone, other = pub.player(0), pub.player(1)
    for visitor in (phone, other):
        visitor.post("/coach", hints="on")
    give_hint(pub.live_session, 0)
    assert "Tiki Up 1 on Huhu" in phone.get("/seat").text
    pub.live_session.referee.enter("up1 nani")
    assert "A good move" not in other.get("/seat").text
    assert "A good move" not in phone.get("/seat").text


@pytest.mark.anyio
async def test_no_seat_is_given_hints_that_another_asked_for() -> None:
    """In an earlier game that goes on, or after the companion has played there meanwhile."""
    live = sit_down()
    async with coached(live):
        first = live.session.number
        live.renew(live.header, "another game")
        await settle()
        coach_of(live).switch(1, is_on=True)
        await settle()
        live.resume(first, "the first one goes on")
        await settle()
        assert live.coached == frozenset()
        coach_of(live).switch(1, is_on=True)
        for levels in (("", "fair", ""), ("", "", "")):
            live.resume(live.session.number, "another player", computers=levels)
            await settle()
        assert live.coached == frozenset()


def test_the_seats_own_page_has_the_switch_and_the_hint() -> None:
    """No other page has them."""
    pub = open_pub(sit_down())
    phone, other = pub.player(0), pub.player(1)
    assert "Give me hints" in phone.get("/seat").text
    assert phone.post("/coach", hints="on").status_code == 303
    assert pub.live_session.coached == frozenset((0,))
    give_hint(pub.live_session, 0)
    page = phone.get("/seat").text
    assert "Tiki Up 1 on Huhu" in page
    assert "It won 60 of 100 tries" in page
    assert "allowed now" in page
    assert "A good move" not in other.get("/seat").text
    assert "with hints" in other.get("/seat").text
    assert phone.post("/coach", hints="off").status_code == 303
    assert pub.live_session.coached == frozenset()
    assert pub.stranger().post("/coach", hints="on").status_code == 403
