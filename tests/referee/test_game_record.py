"""Game records: out of one log and into another, and no damaged or foreign file gets in."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee.past import GameCourse, open_course
from companion.referee.record_reading import (
    IMPORTED,
    MAX_BYTES,
    NO_RECORD,
    BadRecord,
    import_record,
    read_record,
)
from companion.registry import GAMES
from companion.scoreboard import read_scoreboard
from companion.session.events import SecretEntered, SessionClosed
from companion.session.log import Log
from tests.referee.played import play
from tests.referee.written_records import BEGAN, data_of, written
from tests.tables import sit_down
from tests.web.visitors import sit_down_dealt


def course_of(game: str, seed: int, **more: Any) -> GameCourse[Any, Any]:
    """Return a random game."""
    live_session = play(game, seed, **more)
    return GameCourse(live_session.session, live_session.game)


def assert_goes_round(course: GameCourse[Any, Any], *, full: bool) -> None:
    """Fail unless the game is the same once it was exported and imported, to the last word."""
    lines = written(course, full=full)
    with Log(":memory:") as log:
        number = import_record(log, read_record(data_of(lines)))
        again = open_course(log, number)
        assert written(again, full=full) == lines
        assert log.opened() == {number: BEGAN}
        assert again.steps >= course.steps
        with course.at(course.steps) as here, again.at(again.steps) as there:
            mine, yours = read_scoreboard(here), read_scoreboard(there)
        assert (mine.places, mine.winners, mine.round) == (yours.places, yours.winners, yours.round)
        assert [each.score for each in mine.players] == [each.score for each in yours.players]
        assert mine.table == yours.table


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), most=st.integers(1, 60), full=st.booleans())
@pytest.mark.slow(keep=["uno_tiki"])
def test_a_record_goes_out_and_in(game: str, seed: int, most: int, full: bool) -> None:
    """At any moment of any game, with second thoughts and secrets, nothing changes on the way."""
    assert_goes_round(course_of(game, seed, most=most), full=full)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_goes_out_and_in(game: str) -> None:
    """A game that was played for long, to its end if it has one by then."""
    course = course_of(game, 1)
    for full in (False, True):
        assert_goes_round(course, full=full)


def test_a_record_says_nothing_secret() -> None:
    """Ranks and cards that were entered stand in the full record alone."""
    for game in ("tactiki", "tiki_topple"):
        course = course_of(game, 2, most=6)
        secrets = [
            entry.event.action
            for entry in course.session.entries
            if isinstance(entry.event, SecretEntered)
        ]
        assert secrets
        told, whole = json.dumps(written(course)), json.dumps(written(course, full=True))
        for secret in secrets:
            assert secret not in told
            assert secret in whole
        assert '"secret"' not in told


def test_known_ranks_leave_a_record_that_can_be_played_again() -> None:
    """What the ranks have decided is told as people would have entered it who know none."""
    for seed in range(6):
        lines = written(course_of("tactiki", seed, most=80))
        clashes = [line for line in lines if line.get("action", "").startswith("clash")]
        assert clashes
        assert read_record(data_of(lines)).header.complete


def test_a_game_whose_cards_were_told_beforehand_says_that_it_is_not_complete() -> None:
    """Cards that only the companion knew are left out, and it is said that they are wanted."""
    live_session = sit_down_dealt(("kapu", "nui", "nani"), ("nani", "nui", "kapu"))
    for action in ("up1 eepo", "up1 huhu"):
        live_session.referee.enter(action)
    lines = written(GameCourse(live_session.session, live_session.game))
    assert lines[0]["complete"]  # so far nothing that happened needs them
    assert "cards" not in lines[0]["setup"]
    while offers := live_session.referee.offers():
        live_session.referee.enter(offers[0])
    course = GameCourse(live_session.session, live_session.game)
    assert course.is_over
    lines = written(course)
    assert not lines[0]["complete"]
    with pytest.raises(BadRecord, match=r"line 1: .* ask the host for the full record"):
        read_record(data_of(lines))
    assert_goes_round(course, full=True)


def test_an_imported_game_is_a_past_one_and_the_game_on_the_table_goes_on() -> None:
    """It is closed, and whoever starts the companion again finds the game that was on."""
    live_session = sit_down(rounds=1)
    live_session.referee.enter("up1 nani")
    log, here = live_session.log, live_session.session.number
    number = import_record(log, read_record(data_of(written(course_of("topple", 1, most=9)))))
    assert log.unfinished() == here < number
    assert log.entries(number)[-1].event == SessionClosed(IMPORTED)


def good_lines() -> list[dict[str, Any]]:
    """Return the record of a short game of Topple."""
    return written(course_of("topple", 4, most=12))


def changed(place: int, /, **fields: Any) -> list[dict[str, Any]]:
    """Return that record with *fields* in line *place*, from 0."""
    lines = good_lines()
    lines[place] |= fields
    return lines


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], NO_RECORD),
        ([{"some": "json"}], NO_RECORD),
        (changed(0, version=2), "line 1: it is a record of format 2, but this version reads 1"),
        (changed(0, game="chess"), "line 1: the game 'chess' is not known; the known ones: "),
        (changed(0, players=["Ann"]), "line 1: Topple is not for 1 players"),
        (changed(0, players=["Ann", "B\nb", "Cem"]), r"line 1: 'B\nb' is not a player's name"),
        (changed(0, options={"target": "many"}), "line 1: "),
        (changed(0, colour="red"), "line 1: unknown field 'colour'; did you mean 'colours'?"),
        (changed(0, opened_at="yesterday"), "line 1: opened_at is 'yesterday'; it must be a time"),
        (good_lines()[:-1], "the record ends without its result; get the file again"),
        (good_lines()[:3] + good_lines()[4:], "line 4: its seq is 4, not 3"),
        (changed(2, type="moved"), "line 3: no event has the type 'moved'"),
        (changed(2, at=5), "line 3: at is 5; it must be a time"),
        (changed(2, at="2026-01-01T20:00:00"), "line 3: at is '2026-01-01T20:00:00'; it"),
        (changed(3, action="roll 7"), "line 4: "),
        (changed(2, seat=2), "line 3: seat 2 could not do that then"),
        (changed(-1, scores=[90, 0, 0]), "its result is not what the rules make of the game"),
        ([*good_lines()[:2], ["a", "list"], *good_lines()[3:]], "line 3: it is not a JSON object"),
    ],
)
def test_a_damaged_or_foreign_record_is_refused(lines: list[Any], words: str) -> None:
    """In one line, which says where and why."""
    with pytest.raises(BadRecord) as refused:
        read_record(data_of(lines))
    said = str(refused.value)
    assert words in said
    assert said.startswith("line ")
    assert len(said.splitlines()) == 1


def test_what_is_no_text_is_refused() -> None:
    """A picture, half a line and a file without end are no records."""
    for data, words in (
        (b"\xff\xd8\xff\xe0 a picture", f"line 1: {NO_RECORD}"),
        (data_of(good_lines())[:-9], "it is not JSON; the file is damaged"),
        (b" " * (MAX_BYTES + 1), "a game record has at most"),
        (data_of(good_lines()).replace(b'"seq": 2,', b'"seq": NaN,'), "line 3: it is not JSON"),
    ):
        with pytest.raises(BadRecord, match=words):
            read_record(data)


def test_points_that_the_rules_do_not_give_are_refused() -> None:
    """Who changes the points of a round is found out by the line that has them."""
    lines = written(course_of("uno_tiki", 1))
    place = next(at for at, line in enumerate(lines) if line["type"] == "round")
    lines[place]["points"] = [500, 0, 0]
    with pytest.raises(BadRecord, match=f"line {place + 1}: those are not the points"):
        read_record(data_of(lines))


def refusal_of(lines: list[Any]) -> str:
    """Return why a record is refused, "" if it is read."""
    try:
        read_record(data_of(lines))
    except BadRecord as error:
        return str(error)
    return ""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow(keep=["0-"])
def test_whatever_is_wrong_with_a_record_it_is_said_in_one_line(game: str, seed: int) -> None:
    """Values of a record replaced at random: it is read, or refused as a bad one."""
    rng, lines = random.Random(seed), written(course_of(game, seed, most=40), full=True)
    values: list[Any] = [
        None,
        -1,
        0,
        9,
        1e300,
        "",
        "x",
        [],
        ["x"],
        {},
        True,
        "card 9 kapu nui nani",
        [None] * 9,
    ]
    refused = 0
    for _ in range(150):
        spoilt = json.loads(json.dumps(lines))
        line = rng.choice(spoilt)
        line[rng.choice([*line])] = rng.choice(values)
        said = refusal_of(spoilt)
        refused += bool(said)
        assert len(said.splitlines()) <= 1
    assert refused > 50


def test_the_example_of_the_document_is_a_record() -> None:
    """docs/game-record.md shows what `tiki log import` takes."""
    page = Path(__file__).parents[2] / "docs" / "game-record.md"
    (example,) = re.findall(r"```json\n(.*?)```", page.read_text(), re.DOTALL)
    record = read_record(example.encode())
    lines = json.loads(json.dumps([*record.lines()]))
    assert lines == [json.loads(line) for line in example.splitlines()]
    fields = set(re.findall(r"`(\w+)`", page.read_text()))
    assert {*written(course_of("topple", 1, most=1))[0]} <= fields
