"""The moves that decided a game, found by looking at each again."""

import asyncio
from typing import Any

import pytest

from companion.apps.computer.decisive import find_decisive, turns_of
from companion.apps.computer.engine import Task
from companion.referee.live_session import LiveSession
from tests.computer.seats import Chosen
from tests.tables import sit_down
from tests.web.visitors import alert, open_pub

MOVES = ("up1 huhu", "up2 nani", "up1 kapu", "up1 eepo")


def table() -> LiveSession:
    """Return Tiki Topple after four moves."""
    live = sit_down(2)
    for move in MOVES:
        live.referee.enter(move)
    return live


def test_what_gave_most_away_comes_first() -> None:
    """What hardly mattered is left out."""
    live, told = table(), []
    values = {
        "up1 huhu": (("up1 huhu", 0.9), ("up2 nani", 0.7)),
        "up2 nani": (("up1 kapu", 0.8), ("up2 nani", 0.2)),
        "up1 kapu": (("up1 kapu", 0.5), ("up1 nui", 0.49)),
        "up1 eepo": (("up1 kapu", 0.5), ("up1 eepo", 0.4)),
    }
    moves = iter(MOVES)

    async def choose(_: Task) -> Any:
        return Chosen("", values[next(moves)])

    found = asyncio.run(find_decisive(live, choose, lambda *at: told.append(at)))
    assert [(each.seat, each.words) for each in found] == [
        (1, "Tiki Up 2 on Nani"),
        (0, "Tiki Up 1 on Huhu"),
        (1, "Tiki Up 1 on Eepo"),
    ]
    assert found[0].sentence == "Tiki Up 1 on Kapu would have won 60 more of 100 tries"
    assert found[1].sentence == "the next best move won 20 fewer of 100 tries"
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]


def test_moves_that_nobody_chose_openly_are_not_judged() -> None:
    """All four were; a seat's cards in its own hand would not be known."""
    assert [turn.action for turn in turns_of(table())] == list(MOVES)


def test_before_the_end_there_is_nothing_to_be_found() -> None:
    """The page says so, and nothing is begun; a stranger may not begin it."""
    pub = open_pub(table())
    answer = pub.host().post("/computer/decisive")
    assert (answer.status_code, "not over yet" in alert(answer)) == (409, True)
    assert "not over yet" in pub.stranger().get("/computer/decisive").text
    assert pub.stranger().post("/computer/decisive").status_code == 403


@pytest.mark.parametrize("page", ["/computer/decisive", "/computer/cards"])
def test_the_pages_say_what_they_are(page: str) -> None:
    """Each has its heading."""
    assert "<h1>" in open_pub(table()).host().get(page).text
