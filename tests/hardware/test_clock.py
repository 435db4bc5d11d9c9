"""The clock of a timed game on display and lights, and that it keeps nothing busy."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.config import parse_config
from companion.daemon import BEAT_S, Daemon
from companion.referee.live_session import HURRY_S
from companion.scenes import update_outputs
from companion.scenes.calls import call_of
from companion.scenes.faces import display_picture
from companion.scenes.scene import Scene, is_lively, scene_of
from companion.scenes.small_faces import digits_text
from companion.scenes.words import headline
from companion.scoreboard import Player, Question, Scoreboard, TransientNotice, read_scoreboard
from hardware.display import DIGITS, Form
from hardware.fakes import FakeDisplay, FakeStrip
from hardware.lights import DARK
from hardware.output_devices import OutputDevices
from hardware.sound import SILENCE, Cue
from hardware.zones import ZoneName
from tests.hardware.boards import board_of, states, with_turn
from tests.hardware.face_sheets import DISTANCE_MM, OLED, PITCH_MM, SHEETS, lit_rows
from tests.hardware.lamp_films import BEATS, SIZES, assert_told_apart, film, shown, without_colour
from tests.referee.entering import tell
from tests.referee.fast_rounds import GOALS, LAYS, sit_fast

LIMIT = 300
SECONDS = 2


def timed(seconds: int, seats: int = 4) -> Scoreboard:
    """Return a scoreboard of a game in which everybody plays at once, against the clock."""
    board = with_turn(board_of(seats), None)
    return replace(board, seconds_left=seconds, seconds_limit=LIMIT)


def test_a_running_clock_is_shown_while_nothing_is_louder() -> None:
    """Instead of a game at rest; what happens, is asked, is won or is one's turn goes first."""
    board = timed(200)
    assert scene_of(board) == Scene("clock", seconds_left=200, seconds_limit=LIMIT)
    asked = Question("ask", "What happened?", mark="1")
    louder: dict[str, Scoreboard] = {
        "ask": replace(board, question=asked),
        "spin": replace(board, moment=TransientNotice("spin", (1,), 90.0)),
        "paused": replace(board, moment=TransientNotice("paused")),
        "no_view": replace(board, waiting="tiles"),
        "turn": with_turn(board, 2),
        "won": replace(board, winners=(0, 1, 2, 3)),
        "lost": replace(board, is_over=True),
    }
    assert {name: scene_of(each).kind for name, each in louder.items()} == {
        name: name for name in louder
    }
    assert (
        scene_of(replace(board, moment=TransientNotice("remark", words="Goal met."))).kind
        == "clock"
    )


def test_the_last_seconds_are_the_countdown_also_after_a_play() -> None:
    """A play ends the moment of that second; lights, display and voice go on as if it had not."""
    for seconds in (HURRY_S, 1):
        moment = TransientNotice("countdown", seconds_left=seconds)
        told = replace(timed(seconds), moment=moment)
        assert scene_of(timed(seconds)).kind == "countdown"
        assert call_of(timed(seconds)) == call_of(told)
        assert shown(timed(seconds), "slots", 9) == shown(told, "slots", 9)
        assert display_picture(timed(seconds)).tobytes() == display_picture(told).tobytes()
    assert scene_of(timed(HURRY_S + 1)).kind == "clock"


@pytest.mark.parametrize(
    ("seconds", "count", "lights"),
    [(300, 9, 9), (299, 9, 9), (267, 9, 9), (266, 9, 8), (150, 8, 4), (151, 8, 5), (11, 9, 1)],
)
def test_the_bar_of_lights_is_the_share_of_the_time_left(
    seconds: int, count: int, lights: int
) -> None:
    """The last light goes with the last second; the bright ones stand where the countdown ends."""
    pattern = without_colour(shown(timed(seconds), "slots", count))
    assert pattern == (1,) * (count - lights) + (2,) * lights


def test_the_next_light_to_go_blinks() -> None:
    """So a clock that goes is told from a turn or a pause; slower than in the last seconds."""
    beats = [without_colour(shown(timed(150), "slots", 8, beat)) for beat in range(4)]
    assert beats == [(1, 1, 1, 1, 2, 2, 2, 2)] * 3 + [(1, 1, 1, 1, 1, 2, 2, 2)]
    assert is_lively(timed(150))
    assert len({shown(timed(150), "slots", 8, beat) for beat in range(BEATS)}) == 2
    assert not is_lively(replace(timed(150), moment=TransientNotice("paused")))


def test_the_bar_never_grows() -> None:
    """As time goes by there are as many bright lights or fewer, on short strips and long ones."""
    for count in (4, 24):
        left = [
            sum(level == 2 for level in without_colour(shown(timed(second), "slots", count)))
            for second in range(LIMIT, HURRY_S, -1)
        ]
        assert left == sorted(left, reverse=True)
        assert (left[0], left[-1]) == (count, 1)


@pytest.mark.parametrize(("name", "count"), SIZES)
@pytest.mark.parametrize("seconds", [300, 150, 20])
def test_the_clock_is_told_from_every_other_scene_without_colour(
    name: ZoneName, count: int, seconds: int
) -> None:
    """In every zone that tells scenes at all."""
    boards = {**states(), "clock": timed(seconds)}
    del boards["topple by nobody"], boards["tie"]
    assert_told_apart({state: film(board, name, count) for state, board in boards.items()})


@pytest.mark.parametrize("name", SHEETS)
def test_every_display_shows_the_time_apart_from_all_else(name: str) -> None:
    """Another picture each second, and none that another state has."""
    size, form, seats = SHEETS[name]
    others = {display_picture(board, size, form).tobytes() for board in states(seats).values()}
    faces = [display_picture(timed(second, seats), size, form).tobytes() for second in (300, 299)]
    assert len({*others, *faces}) == len(others) + 2


def test_the_time_is_written_as_a_clock_has_it() -> None:
    """Minutes and seconds; on digits, which have no colon, with a stroke between."""
    written = [headline(scene_of(timed(seconds))) for seconds in (300, 245, 61, 59, 11)]
    assert written == ["5:00", "4:05", "1:01", "0:59", "0:11"]
    board = timed(245)
    assert digits_text(board, scene_of(board)) == "    4-05"
    assert len(digits_text(timed(11), scene_of(timed(11)))) == DIGITS


def test_who_stands_two_metres_away_can_read_the_time() -> None:
    """On both OLEDs it keeps to 1/300 of the distance, on a matrix to 1/200; scores stand below."""
    height = lit_rows(timed(288), (0, 0, 128, 43))
    assert height * PITCH_MM['0.96"'] >= DISTANCE_MM / 300
    assert lit_rows(timed(288), (0, 0, 32, 8), (32, 8)) * PITCH_MM["matrix"] >= DISTANCE_MM / 200
    below = (0, 46, 128, 64)
    one, other = (display_picture(board).crop(below) for board in (timed(288), timed(288, 3)))
    assert one.getbbox() is not None
    assert one.tobytes() != other.tobytes()


@pytest.mark.parametrize(("size", "form"), [(OLED, "pixels"), ((8, 8), "segments")])
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 10])
def test_any_number_of_players_has_a_clock(size: tuple[int, int], form: Form, seats: int) -> None:
    """From one to ten seats, whatever the scores."""
    players = tuple(
        Player(seat, f"P{seat}", "", 999, (), False, True, False, False) for seat in range(seats)
    )
    picture = display_picture(replace(timed(288), players=players), size, form)
    assert picture.size == size
    assert picture.getbbox() is not None


def test_a_clock_is_silent_but_lets_a_remark_be_heard() -> None:
    """Which goal was met is said while the clock goes."""
    assert call_of(timed(200)) == SILENCE
    remark = replace(
        timed(200), moment=TransientNotice("remark", words="Goal met: all numbers even")
    )
    assert call_of(remark) == Cue(None, "Goal met: all numbers even")


def test_the_hands_show_a_high_speed_game() -> None:
    """From the scoreboard of a real game; a second later they show something else."""
    table = sit_fast()
    table.do(*LAYS, *GOALS)
    board = read_scoreboard(table.live_session)
    assert (board.seconds_left, board.seconds_limit) == (LIMIT, LIMIT)
    with OutputDevices(FakeStrip(), FakeDisplay()) as outputs:
        update_outputs(outputs, board)
        before = outputs.display.value.tobytes()
        assert DARK not in outputs.strip.value
        table.wait(1)
        update_outputs(outputs, read_scoreboard(table.live_session))
        assert outputs.display.value.tobytes() != before


def test_the_daemon_repaints_but_does_not_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two beats a second and a change each second: a running clock costs no more than that."""
    config = parse_config(
        {
            "table": {"game": "tippi_toppi", "options": {"high_speed": True}},
            "camera": {"source": "none"},
            "web": {"host": "127.0.0.1", "port": 0},
            "log": {"file": str(tmp_path / "game.db")},
        }
    )
    painted: list[Any] = []
    daemons: list[Daemon] = []

    def paint(outputs: OutputDevices, board: Scoreboard, beat: int, _: object) -> None:
        painted.append(board.seconds_left)
        update_outputs(outputs, board, beat)
        if len(set(painted)) > SECONDS:
            daemons[0].stop()

    monkeypatch.setattr("companion.daemon.update_outputs", paint)

    async def run() -> None:
        daemons.append(Daemon(config))
        tell(daemons[0].live_session, *LAYS, *GOALS)
        daemons[0].live_session.changed()
        await daemons[0].run()

    began_s = time.monotonic()
    asyncio.run(run())
    spent_s = time.monotonic() - began_s
    assert len(painted) <= spent_s / BEAT_S + spent_s + 3


def test_who_play_together_win_and_lose_together() -> None:
    """A win of all is no tie, and a loss is no round: said aloud, on displays and in lights."""
    won = replace(timed(20), winners=(0, 1, 2, 3), is_over=True)
    together = replace(won, together=True)
    assert call_of(won).words.startswith("A tie between ")
    assert call_of(together).words == "You have all won!"
    lost = replace(timed(0), is_over=True, together=True)
    assert call_of(lost).words == "Nobody has won this time."
    assert digits_text(together, scene_of(together)) == "YES YES"
    assert digits_text(lost, scene_of(lost)) == "LOSt"
    for size in (OLED, (32, 8)):
        pictures = [display_picture(each, size).tobytes() for each in (won, together, lost)]
        assert len(set(pictures)) == len(pictures)
