"""The past: at every step the table is told as it was told then."""

import random
from typing import Any

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse, open_course
from companion.registry import GAMES
from companion.scoreboard import Scoreboard, read_scoreboard
from companion.session.log import LogError
from tests.referee.played import play
from tests.tables import open_log, sit_down
from tests.web.games import open_game

PASSING = {"id": "", "moment": None, "seconds_left": None, "seconds_limit": None}
"""What belongs to the moment, and to no step of the game."""


def told(live_session: LiveSession) -> dict[str, object]:
    """Return the scoreboard without what belongs to the moment."""
    return read_scoreboard(live_session).to_json() | PASSING


def boards_of(course: GameCourse[Any, Any]) -> list[Scoreboard]:
    """Return the scoreboard of every step."""
    found = []
    for step in range(course.steps + 1):
        with course.at(step) as past:
            found.append(read_scoreboard(past))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_told_as_it_was_then(game: str) -> None:
    """Without second thoughts, the past is what everybody saw, to the last word."""
    live_session, rng = open_game(game), random.Random(0)
    then = [told(live_session)]
    for _ in range(40):
        offers = live_session.referee.offers()
        if not offers:
            break
        live_session.referee.enter(rng.choice(offers))
        then.append(told(live_session))
    course = GameCourse(live_session.session, live_session.game)
    seen = [board.to_json() | PASSING for board in boards_of(course)]
    assert seen[-len(then) :] == then


@pytest.mark.parametrize("game", GAMES)
def test_what_was_taken_back_is_no_step(game: str) -> None:
    """After undoing and replacing, each step adds one line to the history, and the last is now."""
    live_session = play(game, 3, 40)
    course = GameCourse(live_session.session, live_session.game)
    assert len(live_session.session.entries) > course.steps
    boards = boards_of(course)
    assert [len(board.history) for board in boards] == [*range(course.steps + 1)]
    assert boards[-1].to_json() | PASSING == told(live_session)
    words = [line.words for line in boards[-1].history[::-1]]
    assert [board.last_move or "" for board in boards] == [
        next((line.words for line in board.history if line.seat is not None), "")
        for board in boards
    ]
    assert [board.history[0].words for board in boards[1:]] == words


def test_a_corrected_move_is_shown_as_it_was_corrected() -> None:
    """The past has the move that the people say was made, not the one that was taken for it."""
    live_session = sit_down(rounds=1)
    referee = live_session.referee
    for action in ("up1 nani", "up1 lokahi"):
        referee.enter(action)
    first = live_session.session.history.acts[0]
    referee.correct(first.seq, "up2 nui")
    with GameCourse(live_session.session, live_session.game).at(1) as past:
        assert "Nui" in read_scoreboard(past).last_move
        assert past.session.history.acts[0].forms == ("up2 nui",)


def test_looking_back_changes_nothing() -> None:
    """Whatever is done to the past stays there: the game and its log are as they were."""
    live_session = sit_down(rounds=1)
    live_session.referee.enter("up1 nani")
    entries = live_session.log.entries(live_session.session.number)
    with GameCourse(live_session.session, live_session.game).at(0) as past:
        past.referee.enter("up3 kapu")
        past.referee.undo()
    assert live_session.log.entries(live_session.session.number) == entries
    assert len(live_session.session.history.acts) == 1


def test_a_secret_that_was_entered_is_not_shown_before_its_time() -> None:
    """Cards that a later step shows are not there in an earlier one."""
    live_session = play("tiki_topple", 3)
    course = GameCourse(live_session.session, live_session.game)
    shown = [[card for card in board.table["cards"] if card] for board in boards_of(course)]
    assert len(shown[-1]) == 3  # the last of them ends the round
    assert not any(shown[:-1])


def test_a_session_that_is_not_there_or_not_ours_is_said() -> None:
    """Both are errors of the log, in one line."""
    with pytest.raises(LogError, match="no session 7"):
        open_course(open_log(), 7)
    log = open_log()
    log.open_session({"game": "chess", "players": ["Ann"], "options": {}})
    with pytest.raises(LogError, match="a game of chess"):
        open_course(log, 1)
