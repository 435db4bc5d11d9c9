"""The turn clock: whose time it is, whatever the people and the machine's clock do."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.referee.game_record import record_of
from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse
from companion.referee.record_reading import read_record
from companion.referee.turn_clock import LIMITS_S, TurnClock, spent_s
from companion.session.events import Entry, Event, TurnTimed
from companion.session.log import Log, LogError
from tests.falls import Clock
from tests.referee.entering import handle, sit, tell, tower
from tests.referee.played import secrets_of

LIMIT_S = 60


class Timed:
    """A game whose turns are timed by a clock that the test moves."""

    def __init__(
        self, *actions: str, log: Log | None = None, limit_s: int | None = LIMIT_S
    ) -> None:
        self.clock = Clock()
        self.live = sit("topple", seats=3, log=log)
        self.live.turn_clock = TurnClock(self.clock)
        self.live.turn_limit_s = lambda _game: limit_s
        self.live.changed()
        self.play(0, *actions)

    def play(self, after_s: float, *actions: str) -> None:
        """Let time go by, then enter *actions* at once."""
        self.clock.now_s += after_s
        tell(self.live, *actions)
        self.live.changed()

    @property
    def seats_s(self) -> tuple[int, ...]:
        """The seconds of each seat."""
        times = self.live.turn_times
        assert times is not None
        return times.seats_s

    @property
    def turn_s(self) -> int:
        """The seconds of this turn."""
        times = self.live.turn_times
        assert times is not None
        return times.turn_s

    @property
    def is_running(self) -> bool:
        """Whether time goes by."""
        times = self.live.turn_times
        assert times is not None
        return times.is_running


def test_no_turn_is_timed_unless_the_people_want_it() -> None:
    """Nothing is shown, nothing logged."""
    table = Timed("roll 3", limit_s=None)
    table.play(5, "place 11 pink")
    assert table.live.turn_times is None
    assert not [each for each in table.live.session.entries if isinstance(each.event, TurnTimed)]
    assert not spent_s(table.live.session, table.live.game)


def test_time_goes_to_the_seat_whose_turn_it_is() -> None:
    """From the first act on; the roll and the placing of a seat are one turn of it."""
    table = Timed()
    table.play(100, "roll 3")
    assert (table.seats_s, table.turn_s) == ((0, 0, 0), 0)
    table.clock.now_s += 7
    assert (table.seats_s, table.turn_s) == ((7, 0, 0), 7)
    table.play(5, "place 11 pink")
    assert (table.seats_s, table.turn_s) == ((12, 0, 0), 0)
    table.play(20, "roll 3")
    table.clock.now_s += 3
    assert (table.seats_s, table.turn_s) == ((12, 23, 0), 23)


def test_it_stands_still_in_a_pause() -> None:
    """Supper is nobody's turn."""
    table = Timed("roll 3", "place 11 pink", "roll 3")
    table.clock.now_s += 4
    table.live.pause()
    assert not table.is_running
    table.clock.now_s += 1000
    table.live.pause()
    table.clock.now_s += 2
    assert table.seats_s == (0, 6, 0)
    assert table.is_running


def test_an_open_question_is_nobodys_time() -> None:
    """Who made it fall? Until that is said, the clock stands."""
    table = Timed("roll 3", "place 11 pink")
    table.clock.now_s += 5
    handle(table.live, tower("topple"))
    assert table.live.referee.question is not None
    table.clock.now_s += 500
    assert table.seats_s == (0, 5, 0)
    nothing = len(table.live.referee.question.candidates) - 1
    table.live.referee.choose(nothing)
    table.live.changed()
    table.clock.now_s += 2
    assert table.seats_s == (0, 7, 0)


def test_what_was_taken_back_leaves_its_time_to_whose_turn_it_is_again() -> None:
    """Bob thought for 20 seconds, but it was Ann's turn all the time."""
    table = Timed("roll 3")
    table.play(10, "place 11 pink")
    table.clock.now_s += 20
    assert table.seats_s == (10, 20, 0)
    table.live.referee.undo()
    table.live.changed()
    table.clock.now_s += 5
    assert (table.seats_s, table.turn_s) == ((35, 0, 0), 35)
    table.play(0, "place 31 pink")
    assert table.seats_s == (35, 0, 0)


def test_a_corrected_move_stays_when_it_was_made() -> None:
    """Corrected by its number, or replaced as the newest one."""
    table = Timed("roll 3")
    table.play(10, "place 11 pink")
    table.clock.now_s += 20
    table.live.referee.replace("place 31 pink")
    table.live.changed()
    table.clock.now_s += 1
    assert table.seats_s == (10, 21, 0)
    seq = table.live.session.history.acts[-1].seq
    table.live.referee.correct(seq, "place 33 pink")
    table.live.changed()
    assert table.seats_s == (10, 21, 0)


def test_a_restart_goes_on_from_the_last_move(tmp_path: Path) -> None:
    """Whatever the date says then; what lay between is nobody's time."""
    path = tmp_path / "games.db"
    instants = iter(("2026-01-01T00:00:00Z", *["1970-01-01T00:00:00Z"] * 99))
    with Log(path, now=lambda: next(instants)) as log:
        table = Timed("roll 3", log=log)
        table.play(10, "place 11 pink")
        table.play(30, "roll 3")
        table.clock.now_s += 99
        header = table.live.header
    with Log(path, now=lambda: datetime.now(UTC).isoformat()) as log:
        live = LiveSession(log, header, turn_clock=TurnClock(clock := Clock()))
        live.turn_limit_s = lambda _game: 0
        live.changed()
        times = live.turn_times
        assert times is not None
        assert (times.seats_s, times.turn_s) == ((10, 30, 0), 30)
        clock.now_s += 4
        assert spent_s(live.session, live.game) == [10, 30, 0]
        times = live.turn_times
        assert times is not None
        assert times.seats_s == (10, 34, 0)


def test_a_game_that_was_put_away_goes_on_with_its_times() -> None:
    """In its session of its own; the next game begins at nothing."""
    table = Timed("roll 3")
    table.play(10, "place 11 pink")
    table.live.renew(table.live.header, "again")
    assert table.seats_s == (0, 0, 0)
    table.clock.now_s += 50
    table.live.resume(1, "again")
    table.play(3, "roll 3")
    assert table.seats_s == (10, 3, 0)


def test_building_up_for_a_new_round_is_nobodys_time() -> None:
    """The clock goes on with the first act of the round, and ends with the game."""
    table = Timed("roll 3")
    table.play(10, "place 11 pink")
    table.play(5, "knock 2")
    assert not table.is_running
    table.clock.now_s += 300
    assert (table.seats_s, table.turn_s) == ((10, 5, 0), 0)
    seat = table.live.game.expected(table.live.session.state)
    assert seat is not None
    table.play(0, "roll 3")
    table.clock.now_s += 2
    assert table.seats_s[seat] == (10, 5, 0)[seat] + 2


def test_a_clock_that_is_switched_on_in_mid_game_times_from_then_on() -> None:
    """What was before nobody knows."""
    table = Timed("roll 3", "place 11 pink", limit_s=None)
    table.clock.now_s += 100
    table.live.turn_limit_s = lambda _game: 0
    table.live.changed()
    table.clock.now_s += 8
    assert (table.seats_s, table.turn_s) == ((0, 8, 0), 8)
    table.play(0, "roll 3")
    table.play(4, "place 31 yellow")
    assert table.seats_s == (0, 4, 0)


def test_a_long_turn_gets_one_sign_and_is_not_ended() -> None:
    """Once a turn, for whose turn it is; the next turn gets its own."""
    table = Timed("roll 3", "place 11 pink", "roll 3")
    signs: list[tuple[str, tuple[int, ...], str]] = []
    table.live.on_transient_notice.add(
        lambda notice: signs.append((notice.kind, notice.seats, notice.words))
    )
    for _ in range(200):
        table.clock.now_s += 0.5
        table.live.tick()
    assert signs == [("slow", (1,), "Bob has had 1:00")]
    assert table.live.game.expected(table.live.session.state) == 1
    table.play(0, "place 31 yellow")
    for _ in range(200):
        table.clock.now_s += 0.5
        table.live.tick()
    assert [seats for _, seats, _ in signs] == [(1,), (2,)]


@pytest.mark.parametrize("limit_s", [0, 300])
def test_there_is_no_sign_without_a_limit_or_before_it(limit_s: int) -> None:
    """The times are shown all the same, and told anew now and then."""
    table = Timed("roll 3", limit_s=limit_s)
    table.live.on_transient_notice.add(lambda _: pytest.fail("nobody asked for a sign"))
    changes: list[float] = []
    table.live.on_change.add(lambda: changes.append(table.clock.now_s))
    for _ in range(200):
        table.clock.now_s += 0.5
        table.live.tick()
    assert 8 <= len(changes) <= 12
    assert limit_s in LIMITS_S


def test_a_past_game_knows_its_times() -> None:
    """From its log alone."""
    table = Timed("roll 3")
    table.play(10, "place 11 pink")
    table.play(5, "knock 2")
    course = GameCourse(table.live.session, table.live.game)
    assert spent_s(course.session, course.game) == [10, 5, 0]


def test_a_time_that_cannot_be_logged_is_logged_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full for a moment keeps nobody from playing, and changes no time."""
    table = Timed("roll 3")
    session = table.live.session
    append, failures = session.append, [LogError("the disk is full")]

    def fail_once(event: Event) -> Entry:
        if isinstance(event, TurnTimed) and failures:
            raise failures.pop()
        return append(event)

    monkeypatch.setattr(session, "append", fail_once)
    table.play(10, "place 11 pink")
    assert (failures, spent_s(session, table.live.game)) == ([], [0, 0, 0])
    table.clock.now_s += 5
    assert table.seats_s == (10, 5, 0)
    table.live.changed()
    assert table.seats_s == (10, 5, 0)
    assert spent_s(session, table.live.game) == [10, 0, 0]


def test_a_record_has_the_times_of_what_is_in_it() -> None:
    """By the numbers that entries have there; what seats entered for themselves is not timed."""
    live, rng = sit("tactiki", seats=2), random.Random(2)
    live.turn_clock, live.turn_limit_s = TurnClock(clock := Clock()), lambda _game: 0
    live.changed()
    for seat, secret in enumerate(secrets_of(rng, "tactiki", 2)):
        live.referee.enter_secret(seat, secret or "")
        clock.now_s += 50
        live.changed()
    while len(live.session.history.acts) < 12:
        clock.now_s += 3
        tell(live, rng.choice(live.referee.offers()))
        live.changed()
    secrets = {act.seq for act in live.session.history.acts if act.secret}
    timed = [each.event for each in live.session.entries if isinstance(each.event, TurnTimed)]
    assert secrets
    assert not secrets & {each.entry for each in timed}
    record = record_of(GameCourse(live.session, live.game), "2026-01-01T20:00:00.000+00:00")
    kinds = {entry.seq: entry.event.type for entry in record.entries}
    pointed = [each.event.entry for each in record.entries if isinstance(each.event, TurnTimed)]
    assert pointed
    assert {kinds[entry] for entry in pointed} <= {"move", "observed"}
    data = "".join(json.dumps(line) + "\n" for line in record.lines()).encode()
    assert read_record(data).entries == record.entries
    assert sum(spent_s(live.session, live.game)) == 3 * (len(live.session.history.acts) - 3)
