"""Home Assistant's discovery: what its documented schema takes, and what its templates give."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jinja2
import pytest

from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.discovery import Discovery, components_of, discovery_messages
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.messages import IDOL_KINDS, TOWER_KINDS, availability, state_message
from companion.apps.mqtt.topics import Topics
from companion.language.catalogue import LANGUAGES
from companion.language.speech import speaking
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.referee.transient_notices import TransientNotice
from companion.registry import GAMES, game_of
from tests.mqtt.home_assistant import faults
from tests.mqtt.tables import TOPICS, actions, played, publishing, until
from tests.tables import NAMES, open_log, sit_down

ON = Discovery(is_on=True, url=lambda: "http://tiki.local:8321", commands=True)
ADDRESS = "homeassistant/device/tiki_bar/config"


def message_of(players: int = 3, discovery: Discovery = ON) -> dict[str, Any]:
    """Return the message for a table of so many players."""
    components = components_of(TOPICS, players, discovery)
    (message,) = discovery_messages(TOPICS, discovery, components, {})
    found: dict[str, Any] = json.loads(message.payload)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_what_home_assistant_is_told_fits_its_documented_schema(game: str, language: str) -> None:
    """Of every game, in every language, and under a deep prefix."""
    topics = Topics("cafe/tiki", "table-1")
    with speaking(language):
        header = open_header(game_of(game), NAMES[:2], {}, 0)
        components = components_of(topics, len(header.players), ON)
        for message in discovery_messages(topics, ON, components, {"score_7": "sensor"}):
            assert faults(message.topic, json.loads(message.payload)) == []


def test_the_schema_notices_what_does_not_fit() -> None:
    """Each kind of fault is named."""
    assert faults(ADDRESS, message_of()) == []
    wrong = message_of()
    wrong["components"]["turn"] |= {"state_topic": "tiki/+/state", "colour": "red"}
    wrong["components"]["tower"].pop("event_types")
    wrong["components"]["idol"]["unique_id"] = wrong["components"]["tower"]["unique_id"]
    wrong["components"]["game"].pop("unique_id")
    wrong["components"]["score_0"]["state_class"] = "points"
    wrong["components"]["undo"]["device_class"] = "score"
    wrong["components"]["lamp"] = {"platform": "lamp"}
    wrong["components"]["light"] = {"platform": "light", "command_topic": "a"}
    wrong["device"].pop("identifiers")
    wrong["origin"]["name"] = ""
    wrong["qos"] = True
    found = faults(ADDRESS, wrong)
    assert sorted(found) == sorted(
        [
            "game: unique_id is missing", "score_0: state_class is wrong",
            "undo: device_class is wrong", "turn: unknown colour", "turn: state_topic is wrong",
            "tower: event_types is missing",
            "two entities have the same unique_id", "lamp: platform is 'lamp'",
            "light: nothing is written down here of light", "device: identifiers is missing",
            "origin: name is wrong", "qos is wrong",
        ]
    )  # fmt: skip
    assert faults("homeassistant/bar/config", {"schema": 1}) == [
        "no discovery topic: homeassistant/bar/config", "unknown: schema", "device is missing",
        "origin is missing", "components is missing",
    ]  # fmt: skip


def rendered(
    message: dict[str, Any],
    live_session: LiveSession,
    field: str = "value_template",
    other: Mapping[str, object] = MappingProxyType({}),
) -> dict[str, str]:
    """Return what Home Assistant shows of each sensor, or makes of another *field*.

    other: what is otherwise in the state.
    """
    state = {**json.loads(state_message(TOPICS, live_session).payload), **other}
    environment = jinja2.Environment(autoescape=False)
    return {
        name: environment.from_string(each[field]).render(value_json=state)
        for name, each in message["components"].items()
        if each["platform"] == "sensor" and field in each
    }


def test_the_sensors_show_game_turn_scores_and_the_last_event() -> None:
    """Home Assistant's templates are Jinja's; before the first move there is nothing to say."""
    live_session = sit_down(3)
    assert rendered(message_of(), live_session) == {
        "game": "Tiki Topple", "turn": "Ann", "last_event": "None",
        "score_0": "0", "score_1": "0", "score_2": "0",
    }  # fmt: skip
    live_session.referee.enter(actions()[0])
    found = rendered(message_of(), live_session)
    assert found["turn"] == "Bob"
    assert "Ann" in found["last_event"]
    attributes = rendered(message_of(), live_session, "json_attributes_template")
    assert {name: json.loads(each) for name, each in attributes.items()} == {
        "turn": {"seat": 2}, "score_0": {"player": "Ann"}, "score_1": {"player": "Bob"},
        "score_2": {"player": "Cem"},
    }  # fmt: skip


def test_a_seat_at_which_nobody_sits_any_more_has_an_unknown_score() -> None:
    """What Home Assistant calls None is unknown; anything else would leave the last score there."""
    found = rendered(message_of(3), sit_down(2))
    assert (found["score_1"], found["score_2"]) == ("0", "None")
    attributes = rendered(message_of(3), sit_down(2), "json_attributes_template")
    assert json.loads(attributes["score_2"]) == {"player": None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_and_names_do_not_depend_on_who_plays_nor_ids_on_the_language(language: str) -> None:
    """Home Assistant keeps the id that it once gave, and people write it on their dashboards."""
    with speaking(language):
        found = components_of(Topics("tiki", "Table-1"), 2, ON)
    ids = {name: each["default_entity_id"] for name, each in found.items()}
    assert ids == {
        "game": "sensor.table_1_game", "turn": "sensor.table_1_turn",
        "last_event": "sensor.table_1_last_event", "tower": "event.table_1_tower",
        "idol": "event.table_1_idol", "undo": "button.table_1_take_back",
        "score_0": "sensor.table_1_score_seat_1", "score_1": "sensor.table_1_score_seat_2",
    }  # fmt: skip
    assert {each["unique_id"] for each in found.values()} == {f"tiki_Table-1_{n}" for n in ids}
    assert not any(player in json.dumps(found) for player in NAMES)


@played
async def test_home_assistants_birth_has_the_table_announced_and_its_state_published_again() -> (
    None
):
    """Not its farewell, nor a birth that the broker has kept; within the time that it is given."""
    broker, live_session = FakeBroker(), sit_down(3)
    discovery = Discovery(is_on=True, prefix="ha")
    address = ADDRESS.replace("homeassistant", "ha")

    def told() -> list[int]:
        topics = [each.topic for each in broker.published]
        return [topics.count(address), topics.count(TOPICS.state)]

    async with publishing(live_session, broker, discovery=discovery, birth_s=0.1):
        await until(lambda: told() == [1, 1])
        for wrong in (b"offline", b"", b"\xff"):
            broker.take(Message("ha/status", wrong))
        broker.take(Message("ha/status", b"online", retained=True))
        broker.take(Message("homeassistant/status", b"online"))
        await asyncio.sleep(0.4)
        assert told() == [1, 1]
        broker.take(Message("ha/status", b"online"))
        await until(lambda: told() == [2, 2])
        await asyncio.sleep(0.4)
        assert told() == [2, 2]


@pytest.mark.parametrize("game", GAMES)
def test_the_sensors_can_be_read_in_every_game(game: str) -> None:
    """Also where nobody's turn it is; a seat that nobody has any more is unknown."""
    header = open_header(game_of(game), NAMES[:2], {}, 0)
    found = rendered(message_of(4), LiveSession(open_log(), header))
    assert found["turn"] in (*header.players, "None")
    assert (found["score_0"], found["score_1"]) == ("0", "0")
    assert (found["score_2"], found["score_3"], found["last_event"]) == ("None",) * 3
    assert all(found.values())


@pytest.mark.parametrize("game", GAMES)
def test_of_nothing_every_sensor_of_every_game_is_unknown(game: str) -> None:
    """What "-", an empty text or an error gives would leave there what was before."""
    header = open_header(game_of(game), NAMES[:2], {}, 0)
    message = message_of(2)
    live_session = LiveSession(open_log(), header)
    nothing: dict[str, object] = {"players": [], "turn": None, "history": [], "title": ""}
    found = rendered(message, live_session, other=nothing)
    assert found == dict.fromkeys(found, "None")
    found = rendered(message, live_session, other={"history": [{"words": ""}]})
    assert found["last_event"] == "None"
    numbers = [name for name, each in message["components"].items() if "state_class" in each]
    assert numbers == ["score_0", "score_1"]


def test_availability_is_read_by_its_template() -> None:
    """It says online or offline, as Home Assistant wants it."""
    (told,) = message_of()["availability"]
    for state in ("online", "offline"):
        value = json.loads(availability(TOPICS, state, "0").payload)
        read = jinja2.Template(told["value_template"]).render(value_json=value)
        assert read == state
    assert (told["payload_available"], told["payload_not_available"]) == ("online", "offline")


@played
async def test_tower_and_idol_send_events_of_the_kinds_that_were_told() -> None:
    """Each as `event_type`, and nothing of what else happens."""
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker, discovery=ON):
        await until(lambda: ADDRESS in broker.kept and TOPICS.state in broker.kept)
        for kind in (*TOWER_KINDS, *IDOL_KINDS, "remark"):
            live_session.show(TransientNotice(kind, (1,), 90.0, words="words"))
        await until(lambda: b'"remark"' in broker.published[-1].payload)
    told = json.loads(broker.kept[ADDRESS])["components"]
    for name, topic in (("tower", TOPICS.tower), ("idol", TOPICS.idol)):
        sent = [json.loads(each.payload) for each in broker.published if each.topic == topic]
        assert [each["event_type"] for each in sent] == told[name]["event_types"]
        assert all(each["seats"] == [1] for each in sent)
        assert topic not in broker.kept


def test_the_button_is_there_only_if_the_table_obeys() -> None:
    """Without commands nobody listens to it."""
    assert "undo" in message_of()["components"]
    assert "undo" not in message_of(discovery=Discovery(is_on=True))["components"]
    assert components_of(TOPICS, 4, Discovery()) == {}


@played
async def test_a_player_who_leaves_is_taken_off_home_assistant_as_it_wants_it(
    tmp_path: Path,
) -> None:
    """First with nothing but the platform, then not at all; all goes when it is turned off."""
    broker, file = FakeBroker(), tmp_path / "outbox.json"
    for players in (3, 2):
        async with publishing(sit_down(players), broker, file, ON):
            await until(lambda: TOPICS.state in broker.kept)
        broker.kept.pop(TOPICS.state)
    sent = [json.loads(each.payload) for each in broker.published if each.topic == ADDRESS]
    assert [each["components"].get("score_2") for each in sent[1:]] == [
        {"platform": "sensor"},
        None,
    ]
    assert not any(faults(ADDRESS, each) for each in sent)
    for _ in range(2):
        async with publishing(sit_down(2), broker, file):
            await until(lambda: TOPICS.state in broker.kept)
        broker.kept.pop(TOPICS.state)
    assert ADDRESS not in broker.kept
    assert [each.payload for each in broker.published if each.topic == ADDRESS][3:] == [b""]
