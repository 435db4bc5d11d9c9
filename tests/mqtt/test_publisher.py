"""The publisher: every entry once and in order, whatever becomes of broker and companion."""

import asyncio
import json
import random
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.messages import encode
from companion.apps.mqtt.naming import TableName
from companion.apps.mqtt.outbox import Outbox
from companion.apps.mqtt.pauses import Pauses
from companion.apps.mqtt.publisher import STEADY_S, Publisher
from companion.apps.mqtt.topics import SCHEMA
from companion.language.speech import translated_json
from companion.scoreboard import read_scoreboard
from companion.session.log import Log
from tests.mqtt.reader import Reader, ids_of, logged
from tests.mqtt.tables import (
    TOPICS,
    Pause,
    actions,
    at_end,
    kept,
    played,
    publishing,
    read,
    until,
)
from tests.tables import open_log, sit_down


@played
async def test_every_entry_is_published_once_with_what_came_before_it() -> None:
    """Ids are those of the event stream; each message says of which game it is."""
    broker, live_session = FakeBroker(), sit_down(3)
    moves = actions()
    live_session.referee.enter(moves[0])
    async with publishing(live_session, broker):
        for move in moves[1:]:
            live_session.referee.enter(move)
            live_session.changed()
            await asyncio.sleep(0)
        await until(lambda: at_end(broker, live_session))
    reader = read(broker)
    assert reader.entries == logged(live_session.log)
    assert (reader.doubles, reader.missed) == (0, [])
    bodies = [json.loads(each.payload) for each in broker.published]
    assert {each["schema"] for each in bodies} == {SCHEMA}
    events = [each for each in bodies if "event" in each]
    assert [each["id"] for each in events] == ids_of(live_session.log, 1)
    assert {(each["game"], tuple(each["players"])) for each in events} == {
        ("tiki_topple", ("Ann", "Bob", "Cem"))
    }
    assert events[-1]["standing"]["scores"] == [
        player.score for player in read_scoreboard(live_session).players
    ]


@played
async def test_the_state_is_kept_and_is_the_one_that_everybody_can_ask_for() -> None:
    """The same as `/api/v1/state`, for whoever comes late; then the table says goodbye."""
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        await until(lambda: kept(broker, TOPICS.availability).get("state") == "online")
        live_session.referee.enter(actions()[0])
        live_session.changed()
        await until(lambda: at_end(broker, live_session))
        board = json.loads(json.dumps(translated_json(read_scoreboard(live_session).to_json())))
        assert kept(broker, TOPICS.state) == {"schema": SCHEMA, **board}
    assert kept(broker, TOPICS.availability)["state"] == "offline"


@played
async def test_what_happens_while_the_broker_is_away_follows_when_it_is_back() -> None:
    """None lost, none twice, in order; twice in one game."""
    broker, live_session, moves = FakeBroker(), sit_down(3), actions()
    third = len(moves) // 3
    async with publishing(live_session, broker):
        for number, move in enumerate(moves):
            if number in (third, 2 * third):
                broker.stop()
            live_session.referee.enter(move)
            live_session.changed()
            await asyncio.sleep(0.002)
            if number in (third + 3, 2 * third + 3):
                broker.start()
        broker.start()
        await until(lambda: at_end(broker, live_session))
    assert read(broker).entries == logged(live_session.log)
    assert read(broker).missed == []


@played
async def test_a_companion_that_starts_again_goes_on_where_it_was(tmp_path: Path) -> None:
    """Also with games that began while there was no broker; each ends with how it stood."""
    broker, moves = FakeBroker(), actions()
    with Log(tmp_path / "games.db") as log:
        live_session = sit_down(3, log=log)
        async with publishing(live_session, broker, tmp_path / "games.mqtt.json"):
            live_session.referee.enter(moves[0])
            await until(lambda: len(read(broker).entries) == 1)
        for move in moves[1:]:
            live_session.referee.enter(move)
        ended = read_scoreboard(live_session)
        live_session.renew(live_session.header, "another game")
        live_session.referee.enter(actions(2)[0])
    with Log(tmp_path / "games.db") as log:
        live_session = sit_down(3, log=log)
        live_session.referee.enter(actions(2)[1])
        async with publishing(live_session, broker, tmp_path / "games.mqtt.json"):
            await until(lambda: at_end(broker, live_session))
        assert read(broker).entries == logged(log)
    reader = read(broker)
    assert (reader.doubles, reader.missed) == (0, [])
    closed = [json.loads(each.payload) for each in broker.published if b'"closed"' in each.payload]
    assert closed[0]["standing"] == {
        "scores": [player.score for player in ended.players],
        "is_over": ended.is_over,
        "winners": list(ended.winners),
    }


@played
async def test_what_was_not_acknowledged_is_sent_again_and_can_be_told(tmp_path: Path) -> None:
    """Power fails after the broker has an entry and before it has said so."""
    broker, moves, file = FakeBroker(), actions(), tmp_path / "games.mqtt.json"
    live_session = sit_down(3)
    async with publishing(live_session, broker, file) as publisher:
        live_session.referee.enter(moves[0])
        await until(lambda: len(read(broker).entries) == 1)
        await until(lambda: at_end(broker, live_session) and publisher._outbox.newest)
        broker.acknowledges = False
        live_session.referee.enter(moves[1])
        await until(lambda: len(read(broker).entries) == 2)
    broker.acknowledges = True
    async with publishing(live_session, broker, file):
        live_session.referee.enter(moves[2])
        await until(lambda: at_end(broker, live_session))
    reader = read(broker)
    assert reader.entries == logged(live_session.log)
    assert (reader.doubles, reader.missed) == (1, [])


@played
async def test_another_log_begins_anew(tmp_path: Path) -> None:
    """What was acknowledged of one log says nothing of another; readers see that they differ."""
    broker, file = FakeBroker(), tmp_path / "games.mqtt.json"
    for seed in (1, 2):
        live_session = sit_down(3, log=open_log())
        for move in actions(seed)[: 3 + seed]:
            live_session.referee.enter(move)
        async with publishing(live_session, broker, file):
            await until(partial(at_end, broker, live_session))
    firsts = [
        json.loads(each.payload)["after"]
        for each in broker.published
        if each.topic == TOPICS.events
    ]
    assert [number for number, after in enumerate(firsts) if not after] == [0, 4]


@pytest.mark.parametrize("spoilt", ["", "{", "[]", '{"target": "here", "newest": [1]}', "\x00"])
@played
async def test_a_spoilt_file_begins_anew(spoilt: str, tmp_path: Path) -> None:
    """All of the game in play is sent again."""
    broker, file = FakeBroker(), tmp_path / "games.mqtt.json"
    file.write_text(spoilt)
    live_session = sit_down(3)
    live_session.referee.enter(actions()[0])
    async with publishing(live_session, broker, file):
        await until(lambda: at_end(broker, live_session))
    assert json.loads(file.read_text())["newest"] == ids_of(live_session.log, 1)[-1]


@played
async def test_a_publisher_that_is_told_to_end_ends_whatever_happens_meanwhile() -> None:
    """At some hundred moments, also when the broker vanishes at that very one."""
    rng = random.Random(1)
    for _ in range(300):
        broker, live_session = FakeBroker(), sit_down(3)
        publisher = Publisher(
            live_session,
            broker.client("bar"),
            TOPICS,
            Outbox(None, ""),
            name=TableName(TOPICS, 0),
        )
        task = asyncio.create_task(publisher.run())
        for _ in range(rng.randrange(60)):
            await asyncio.sleep(0)
        if rng.random() < 0.5:
            broker.stop()
        for _ in range(rng.randrange(3)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task}, timeout=60)
        assert task.done()


@played
async def test_words_are_in_the_language_of_the_table() -> None:
    """What programs read stays as it is."""
    found = {}
    for language in ("en", "de"):
        broker, live_session = FakeBroker(), sit_down(3)
        live_session.referee.enter(actions()[0])
        async with publishing(live_session, broker, language=partial(str, language)):
            await until(partial(at_end, broker, live_session))
        found[language] = kept(broker, TOPICS.state)
    assert found["en"]["last_move"] != found["de"]["last_move"]
    assert found["en"]["phase"] == found["de"]["phase"]


@played
async def test_pauses_grow_and_begin_anew_after_a_steady_connection() -> None:
    """From one second to a minute, never quite the same for two tables."""
    pauses = Pauses()
    found = [pauses.next_s() for _ in range(9)]
    assert found[0] < 2
    assert all(a < b for a, b in pairwise(found[:6]))
    assert 40 < found[-1] < 80
    assert found != [Pauses().next_s() for _ in range(9)]
    pauses.reset()
    assert pauses.next_s() < 2
    assert STEADY_S > 2
    broker, live_session, pause = FakeBroker(), sit_down(3), Pause()
    broker.refuses = "the broker refuses the password"
    async with publishing(live_session, broker, pause=pause):
        await until(lambda: len(pause.asked_s) > 4)
        assert pause.asked_s[4] > pause.asked_s[0] * 4


@played
async def test_a_broker_that_is_away_is_found_soon_after_it_is_back() -> None:
    """However long it was away, and however often."""
    broker, live_session, pause = FakeBroker(), sit_down(3), Pause()
    broker.stop()
    async with publishing(live_session, broker, pause=pause):
        for _ in range(4):
            await until(lambda: len(pause.asked_s) > 8)
            assert max(pause.asked_s) < 7
            pause.asked_s.clear()
            broker.start()
            await until(lambda: at_end(broker, live_session))
            broker.stop()


def test_a_reader_that_has_missed_something_or_has_it_twice_says_so() -> None:
    """The reader of these tests can fail."""
    reader = Reader()
    first = {"session": 1, "seq": 1, "id": "a", "after": "", "event": {}}
    third = {"session": 1, "seq": 3, "id": "c", "after": "b", "event": {}}
    for each in (first, first, third):
        reader.take(json.dumps(each).encode())
    assert (reader.doubles, reader.missed, reader.ids()) == (1, ["c"], [(1, 1), (1, 3)])
    assert Message("a", b"") == Message("a", b"", retained=False)


@played
async def test_what_a_reader_has_missed_is_published_again(tmp_path: Path) -> None:
    """From the event on that it names, with the same ids; an id that is none changes nothing."""
    broker, moves = FakeBroker(), actions()
    live_session = sit_down(3)
    async with publishing(live_session, broker, tmp_path / "games.mqtt.json") as publisher:
        for move in moves[:5]:
            live_session.referee.enter(move)
        await until(lambda: len(read(broker).entries) == 5)
        await until(lambda: publisher._outbox.newest.startswith("1.5."))
        ids = ids_of(live_session.log, 1)
        for wrong in (b"", b"[1]", b'{"after": 3}', encode({"after": "9.9.ffffff"})):
            broker.take(Message(TOPICS.again, wrong))
        broker.take(Message(TOPICS.again, encode({"after": ids[1]})))
        await until(lambda: read(broker).doubles == 3)
        await until(lambda: publisher._outbox.newest == ids[4])
        broker.take(Message(TOPICS.again, encode({"after": ids[0]})))
        live_session.referee.enter(moves[5])
        await until(lambda: len(read(broker).entries) == 6)
        assert read(broker).doubles == 3, "once in so many seconds is enough"
    reader = read(broker)
    assert reader.entries == logged(live_session.log)
    assert reader.missed == []
