"""The countdown: a fake clock, a pause, a restart, an end that is taken back, and the end."""

from pathlib import Path

import pytest

from companion.referee.countdown import Countdown, phase_began, spent_s
from companion.referee.live_session import HURRY_S
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.referee.entering import acts, sit
from tests.referee.fast_rounds import FIVE_MINUTES, GOALS, LAYS, Clock, sit_fast
from tests.tables import NAMES, told


def left_s(countdown: Countdown) -> float | None:
    """Return the time that is left; called, so that mypy does not take it for a constant."""
    return countdown.left_s


def test_what_is_not_timed_has_no_clock() -> None:
    """Neither time left nor a limit, and no tick changes anything."""
    countdown = Countdown(Clock())
    countdown.follow(None, paused=False, phase=0)
    assert (countdown.left_s, countdown.seconds_left, countdown.seconds_limit) == (None,) * 3
    assert not countdown.is_running
    live_session, changes = sit("topple"), list[None]()
    live_session.on_change.add(lambda: changes.append(None))
    live_session.tick()
    assert not changes


def test_seconds_are_counted_down_to_nought() -> None:
    """Whole seconds as a clock shows them, and never fewer than none."""
    clock = Clock()
    countdown = Countdown(clock)
    shown = []
    for _ in range(6):
        countdown.follow(2.0, paused=False, phase=0)
        shown.append(countdown.seconds_left)
        clock.now_s += 0.5
    assert shown == [2, 2, 1, 1, 0, 0]
    assert (countdown.left_s, countdown.seconds_limit) == (0.0, 2)


def test_a_pause_stops_the_clock() -> None:
    """Nothing is lost while it stands still, however often that happens."""
    clock = Clock()
    countdown = Countdown(clock)
    for paused in (False, True, False, True, True):
        countdown.follow(60.0, paused=paused, phase=0)
        assert countdown.is_running is not paused
        clock.now_s += 10.0
    assert countdown.left_s == 40.0


def test_another_phase_has_all_its_time_and_one_taken_back_what_it_had() -> None:
    """Whether a phase has ended for good is known when the next one begins."""
    clock = Clock()
    countdown = Countdown(clock)
    countdown.follow(60.0, paused=False, phase=1)
    clock.now_s += 15.0
    countdown.follow(None, paused=False, phase=1)
    clock.now_s += 100.0
    assert left_s(countdown) is None
    countdown.follow(60.0, paused=False, phase=1)
    assert left_s(countdown) == 45.0
    clock.now_s += 1.0
    countdown.follow(60.0, paused=False, phase=2)
    assert left_s(countdown) == 60.0


def test_what_had_gone_before_the_start_is_gone() -> None:
    """*spent_s* counts once, at the beginning, and may be all there was."""
    for spent, left in ((20.0, 39.0), (70.0, 0.0)):
        clock = Clock()
        countdown = Countdown(clock)
        countdown.follow(60.0, paused=False, phase=1, spent_s=spent)
        clock.now_s += 1.0
        countdown.follow(60.0, paused=False, phase=1)
        assert countdown.left_s == left


def test_the_five_minutes_begin_with_the_fourth_goal() -> None:
    """TP-14: to lay out cards and goals takes its time; a goal turned up later counts."""
    table = sit_fast()
    table.do(*LAYS, *GOALS[:3])
    table.wait(30)
    assert table.left() is None
    table.do(GOALS[3])
    assert table.left() == table.live_session.countdown.seconds_limit == FIVE_MINUTES
    table.wait(2)
    table.do("play pink1 2")
    assert table.live_session.session.state.phase == "goal"
    table.wait(3)
    assert table.left() == FIVE_MINUTES - 5


def test_everybody_hears_of_the_last_seconds_and_of_the_end() -> None:
    """Each of the last ten is told; then the clock itself says so, and the game is lost."""
    table = sit_fast()
    table.do(*LAYS, *GOALS)
    table.wait(FIVE_MINUTES - HURRY_S - 1)
    assert told(table.live_session, "moment") == []
    table.wait(HURRY_S + 1)
    moments = [each for each in told(table.live_session, "moment") if each["kind"] == "countdown"]
    assert [each["seconds_left"] for each in moments] == list(range(HURRY_S, 0, -1))
    assert acts(table.live_session)[-1] == "time"
    entry = told(table.live_session, "observed")[-1]
    assert (entry["action"], entry["by"]) == ("time", "sensor")
    (result,) = told(table.live_session, "result")
    assert (result["winners"], result["ended_by"]) == ([], "TP-14")
    assert table.left() is None
    table.wait(5)
    assert acts(table.live_session).count("time") == 1


def test_a_change_is_told_once_a_second_only() -> None:
    """Two ticks a second do not make the pages twice."""
    table, changes = sit_fast(), list[None]()
    table.do(*LAYS, *GOALS)
    table.wait(1)
    table.live_session.on_change.add(lambda: changes.append(None))
    table.wait(10)
    assert len(changes) == 10


def test_a_paused_game_is_not_lost_in_time() -> None:
    """The clock stands still, nobody is told to hurry, and it goes on from there."""
    table = sit_fast()
    table.do(*LAYS, *GOALS)
    table.wait(100)
    table.live_session.pause()
    table.wait(400)
    assert table.left() == FIVE_MINUTES - 100
    assert [each["kind"] for each in told(table.live_session, "moment")] == ["paused"]
    table.live_session.pause()
    table.wait(1)
    assert table.left() == FIVE_MINUTES - 101


@pytest.mark.parametrize("ending", ["time", "play pink1 2"])
def test_an_end_that_is_taken_back_gives_no_time_away(ending: str) -> None:
    """Who tapped by mistake, so that the game was over, has the time left that there was."""
    table = sit_fast()
    header = open_header(
        game_of("tippi_toppi"), NAMES[:3], {"high_speed": True, "goals": 1, "goal_deck": []}, 0
    )
    table.live_session.renew(header, "a short one")
    table.do(*LAYS, "goal sum pink 4")
    table.wait(100)
    table.do(ending)
    assert table.left() is None
    table.wait(50)
    table.live_session.referee.undo()
    table.live_session.changed()
    assert table.left() == FIVE_MINUTES - 100


def test_goals_that_are_laid_anew_begin_anew() -> None:
    """Taking the fourth goal back and turning up another is another beginning."""
    table = sit_fast()
    table.do(*LAYS, *GOALS)
    table.wait(100)
    table.live_session.referee.undo()
    table.live_session.changed()
    assert table.left() is None
    table.do("goal sum pink 6")
    assert table.left() == FIVE_MINUTES


def test_another_game_has_its_own_clock() -> None:
    """What was left of the last one is forgotten."""
    table = sit_fast()
    table.do(*LAYS, *GOALS)
    table.wait(100)
    table.live_session.renew(table.live_session.header, "again")
    assert table.left() is None
    table.do(*LAYS, *GOALS)
    assert table.left() == FIVE_MINUTES


@pytest.mark.parametrize("away_s", [1.0, 5000.0])
def test_a_restart_goes_on_from_the_times_of_the_log(tmp_path: Path, away_s: float) -> None:
    """What had gone until the last entry is gone; the time without the companion is nobody's."""
    before = sit_fast(tmp_path / "game.db")
    before.do(*LAYS)
    before.wait(1000)
    before.do(*GOALS)
    before.wait(60)
    before.do("play green1 0")
    before.wait(7)  # after the last entry: nothing tells of it
    before.live_session.log.close()
    before.clock.now_s += away_s
    after = sit_fast(tmp_path / "game.db", before.clock)
    assert after.live_session.resumed
    assert after.left() == FIVE_MINUTES - 60
    after.wait(FIVE_MINUTES - 60)
    assert acts(after.live_session)[-1] == "time"


def test_how_much_had_gone_is_read_from_the_log() -> None:
    """From the entry that began the phase to the last one, of whatever kind that is."""
    table = sit_fast()
    session, game = table.live_session.session, table.live_session.game
    assert (phase_began(session, game), spent_s(session, game)) == (0, 0.0)
    table.do(*LAYS, *GOALS)
    assert (phase_began(session, game), spent_s(session, game)) == (8, 0.0)
    table.wait(12)
    table.do("play green1 0")
    table.live_session.referee.undo()
    table.wait(3)
    table.do("play green2 0")
    assert (phase_began(session, game), spent_s(session, game)) == (8, 15.0)
