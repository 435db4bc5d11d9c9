"""Home Assistant's discovery: the table as one device, all of it in one message.

Source: home-assistant.io, integrations/mqtt, "Device discovery payload", and the pages of the
platforms sensor.mqtt, event.mqtt and button.mqtt.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion import __version__
from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.messages import IDOL_KINDS, OFFLINE, ONLINE, TOWER_KINDS
from companion.apps.mqtt.topics import Topics
from companion.language.message import say
from companion.language.speech import translated_json

UNDO: Final = "undo"
MAX_STATE_CHARS: Final = 255
"""Home Assistant takes no longer state."""
_NAME: Final = "Tiki Companion"

Components = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Discovery:
    """What Home Assistant is told.

    is_on: whether it is told of the table at all.  prefix: where it listens.
    url: returns where the table's pages are, "" for nowhere.  commands: whether the table obeys.
    """

    is_on: bool = False
    prefix: str = "homeassistant"
    url: Callable[[], str] = str
    commands: bool = False


def device_id(topics: Topics) -> str:
    """Return what the table is called among all devices.

    >>> device_id(Topics("cafe/tiki", "bar"))
    'cafe_tiki_bar'
    """
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{topics.prefix}_{topics.table}")


def components_of(topics: Topics, players: Sequence[str], discovery: Discovery) -> Components:
    """Return the entities of a table at which *players* sit, by their name in the device.

    There is no light among them: Home Assistant's light is one that it can switch, and the lights
    of the table belong to the game.
    """
    if not discovery.is_on:
        return {}
    turn = "value_json.players[value_json.turn].name if value_json.turn is not none else '-'"
    last = f"(value_json.history[0].words if value_json.history else '-')[:{MAX_STATE_CHARS}]"
    found: Components = {
        "game": _sensor(topics, say("Game"), "value_json.title", "mdi:dice-multiple"),
        "turn": _sensor(topics, say("Turn"), turn, "mdi:account-arrow-right"),
        "last_event": _sensor(topics, say("Last event"), last, "mdi:history"),
        "tower": _event(topics.tower, say("Tower"), TOWER_KINDS, "mdi:tower-fire"),
        "idol": _event(topics.idol, say("Idol"), IDOL_KINDS, "mdi:rotate-right"),
    }
    for seat, player in enumerate(players):
        name, value = say("Score of {player}", player=player), f"value_json.players[{seat}].score"
        score = _sensor(topics, name, value, "mdi:counter")
        found[f"score_{seat}"] = {**score, "state_class": "measurement"}
    if discovery.commands:
        found["undo"] = {
            "platform": "button",
            "name": say("Take back"),
            "icon": "mdi:undo",
            "command_topic": topics.command,
            "payload_press": UNDO,
        }
    return {
        name: {**each, "unique_id": f"{device_id(topics)}_{name}"} for name, each in found.items()
    }


def _sensor(topics: Topics, name: str, value: str, icon: str) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": name,
        "icon": icon,
        "state_topic": topics.state,
        "value_template": f"{{{{ {value} }}}}",
    }


def _event(topic: str, name: str, kinds: Sequence[str], icon: str) -> dict[str, Any]:
    return {
        "platform": "event",
        "name": name,
        "icon": icon,
        "state_topic": topic,
        "event_types": list(kinds),
    }


def discovery_messages(
    topics: Topics, discovery: Discovery, components: Components, announced: Mapping[str, str]
) -> list[Message]:
    """Return the messages, all of them retained, that make Home Assistant know *components* alone.

    announced: by their names, the platforms of those that it may know of.  As it wants it, each
    that is gone is said to be so once, and then left out.
    """
    topic = f"{discovery.prefix}/device/{device_id(topics)}/config"
    if not components:
        return [Message(topic, b"")] if announced else []
    gone = {
        name: {"platform": platform}
        for name, platform in announced.items()
        if name not in components
    }
    found = [{**components, **gone}, components] if gone else [components]
    return [Message(topic, _encode(_device(topics, discovery, each))) for each in found]


def _device(topics: Topics, discovery: Discovery, components: Components) -> dict[str, Any]:
    url = discovery.url()
    address = {"configuration_url": url} if url else {}
    return {
        "device": {
            "identifiers": [device_id(topics)],
            "name": topics.table,
            "manufacturer": _NAME,
            "model": _NAME,
            "sw_version": __version__,
            **address,
        },
        "origin": {"name": _NAME, "sw_version": __version__},
        "availability": [
            {
                "topic": topics.availability,
                "value_template": "{{ value_json.state }}",
                "payload_available": ONLINE,
                "payload_not_available": OFFLINE,
            }
        ],
        "qos": 1,
        "components": components,
    }


def _encode(thing: dict[str, Any]) -> bytes:
    """Without a version: Home Assistant's schema knows no such field."""
    return json.dumps(translated_json(thing), ensure_ascii=False).encode()
