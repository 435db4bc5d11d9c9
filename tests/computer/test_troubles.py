"""The computer's seat when something else is going on: questions, pauses, full disks, hints."""

import asyncio
import logging
from pathlib import Path

import pytest

from companion.apps.computer.coach import Hint, coach_of
from companion.apps.computer.decisive_pages import Review, _review_of, _reviews
from companion.apps.computer.engine import EngineLost, Task
from companion.apps.computer.hands import hands_of
from companion.apps.computer.seats import ComputerSeats
from companion.referee.live_session import LiveSession
from companion.referee.own_play import hand_text
from companion.rules.tiki_topple import TIKIS
from companion.session.log import Log
from tests.computer.seats import Scripted, first, meant_at, only, played, settle, with_computers
from tests.full_disks import read_only
from tests.referee.entering import acts, sit
from tests.tables import moves, see, sit_down
from tests.web.visitors import open_pub

pytestmark = pytest.mark.anyio

HAND = ("red-7", "red-1", "red-3", "red-4", "blue-1", "blue-3", "blue-4")


class Slow(Scripted):
    """Chooses when it is let."""

    def __init__(self, live: LiveSession, action: str) -> None:
        super().__init__(only(action), [], live.game.rules)
        self.is_let = asyncio.Event()

    async def choose(self, task: Task) -> object:
        """Return the choice for *task* once it may."""
        await self.is_let.wait()
        return await super().choose(task)


async def test_what_it_thought_of_while_the_game_was_stopped_is_not_done() -> None:
    """To draw needs nobody's hand: neither when paused meanwhile, nor while a question stands."""
    live = with_computers(sit("uno_tiki", "turn red-9", seats=2), "", "fair")
    for card in HAND:
        hands_of(live).show(1, card)
    slow = Slow(live, "draw")
    task = asyncio.create_task(ComputerSeats(live, slow.choose).play())
    await settle()
    live.pause()
    slow.is_let.set()
    await settle()
    assert "draw" not in acts(live)
    live.pause()
    await settle()
    assert acts(live)[-1] == "draw"
    task.cancel()


async def test_a_question_that_opens_while_it_thinks_comes_first() -> None:
    """A wrong table; then it thinks anew, of what lies there."""
    live = with_computers(sit_down(2), "fair")
    slow = Slow(live, "up1 huhu")
    task = asyncio.create_task(ComputerSeats(live, slow.choose).play())
    await settle()
    for number in range(2):
        live.observe(see(f"{number}", (*TIKIS[4:], *TIKIS[:4])))
    assert live.referee.question is not None
    slow.is_let.set()
    await settle()
    assert meant_at(live) is None
    live.observe(see("3", TIKIS))
    await settle()
    assert meant_at(live) is not None
    task.cancel()


@pytest.mark.parametrize("game", ["tiki_topple", "topple"])
async def test_a_disk_that_is_full_stops_it_until_it_is_not(
    game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its secret card and its die cannot be saved: said once, by the log, and tried again."""
    with Log(tmp_path / "games.db") as log:
        start = sit_down(2) if game == "tiki_topple" else sit(game, seats=2)
        live = with_computers(start, "fair", "fair", log=log)
        with read_only(log), caplog.at_level(logging.ERROR):
            task = asyncio.create_task(
                ComputerSeats(live, Scripted(first, [], live.game.rules).choose).play()
            )
            await settle()
            assert not task.done()
            assert meant_at(live) is None
            assert log.trouble
        log.retry()
        await settle()
        assert not caplog.records
        assert meant_at(live) is not None
        task.cancel()


async def test_a_search_that_fails_accuses_nobody_and_ends_no_game() -> None:
    """What it plays at random is among what its player would choose from."""
    told = set()
    for _ in range(30):
        live = with_computers(sit("uno_tiki", "turn red-9", seats=2), "", "fair")
        for card in ("blue-1", "blue-3", "blue-4", "blue-6", "blue-7", "wild", "red-1"):
            hands_of(live).show(1, card)
        state = live.session.state
        live.session.history.positions[-1] = (
            type(live.session.history.branches[0])(
                state._replace(hands=(("red-3",), state.hands[1]), exposed=0)
            ),
        )

        async def lost(_: Task) -> None:
            raise EngineLost

        task = asyncio.create_task(ComputerSeats(live, lost).play())
        await settle()
        told.add(acts(live)[-1].split()[0])
        task.cancel()
    assert not told & {"catch", "uno"}


async def test_a_hint_shown_by_lights_is_no_move_of_the_companions() -> None:
    """A person who plays something else has done nothing that was not meant."""
    live = with_computers(sit_down(2), "", "fair")
    async with played(live, only("up1 huhu")) as scripted:
        coach = coach_of(live)
        task = asyncio.create_task(coach.follow(scripted.choose))
        coach.switch(0, is_on=True)
        await settle()
        coach.light(0)
        await settle()
        assert meant_at(live) is not None
        live.referee.enter("up1 nani")
        live.changed()
        await settle()
        assert moves(live) == [(0, "up1 nani")]
        assert live.transient_notice is None
        task.cancel()


async def test_the_search_for_a_hint_is_stopped_when_the_table_changes() -> None:
    """The companion's own seat, which is next, waits for nothing."""
    live, stopped = sit_down(2), list[bool]()

    async def slow(_: Task) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    coach = coach_of(live)
    task = asyncio.create_task(coach.follow(slow))
    coach.switch(0, is_on=True)
    await settle()
    live.referee.enter("up1 nani")
    live.changed()
    await settle()
    assert stopped == [True]
    task.cancel()


async def test_lights_tell_nobody_of_a_closed_hand() -> None:
    """The hint stays on the phone of its seat, without a button for the lights."""
    live = sit("uno_tiki", "turn red-9", seats=2)
    live.referee.enter_secret(1, hand_text(1, HAND))
    scripted, coach = Scripted(only("play red-7"), [], live.game.rules), coach_of(live)
    task = asyncio.create_task(coach.follow(scripted.choose))
    coach.switch(1, is_on=True)
    await settle()
    assert coach.hint is not None
    assert coach.hint.words == "red 7"
    coach.light(1)
    assert meant_at(live) is None
    task.cancel()


def test_the_page_of_a_closed_hand_has_no_button_for_the_lights() -> None:
    """What it would show is a card."""
    live = sit("uno_tiki", "turn red-9", seats=2)
    live.referee.enter_secret(1, hand_text(1, HAND))
    pub = open_pub(live)
    phone = pub.player(1)
    phone.post("/coach", hints="on")
    coach = coach_of(live)
    coach._asked = (live.session.number, live.session.next_seq, 1)
    coach.hint = Hint("play red-7", "red 7", "", 60, 50, is_secret=True)
    live.changed()
    page = phone.get("/seat").text
    assert "A good move" in page
    assert "Show it with the lights" not in page


def test_what_decided_one_game_is_not_told_of_another() -> None:
    """As many entries make it no other game's review."""
    pub = open_pub(sit_down(2))
    site = pub.app.state.site
    session = pub.live_session.session
    _reviews[site] = Review((session.number, session.next_seq))
    assert _review_of(site) is not None
    pub.live_session.renew(pub.live_session.header, "another game")
    assert _review_of(site) is None
