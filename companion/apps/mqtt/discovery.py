"""Home Assistant's discovery: the table as one device, all of it in one message.

Nothing that people write on dashboards depends on who plays or in which language: Home Assistant
keeps the id that it once gave an entity.  What there is none of is None, which it calls unknown;
at "-" or nothing it goes on showing the last number.  `./run home-assistant` tries all of it in the
real one.

Source: home-assistant.io, integrations/mqtt, "Device discovery payload" and "Use the Birth and Will
messages to trigger discovery", and the pages of the platforms sensor.mqtt, event.mqtt and
button.mqtt.
"""

import json
import re
from collections.abc import Callable, Mapping
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
BIRTH: Final = ONLINE.encode()
"""What Home Assistant says when it has started, or has found the broker again."""
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

    @property
    def status(self) -> str:
        """The topic on which Home Assistant says that it is there.

        >>> Discovery(prefix="ha").status
        'ha/status'
        """
        return f"{self.prefix}/status"


def device_id(topics: Topics) -> str:
    """Return what the table is called among all devices.

    >>> device_id(Topics("cafe/tiki", "bar"))
    'cafe_tiki_bar'
    """
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{topics.prefix}_{topics.table}")


def components_of(topics: Topics, seats: int, discovery: Discovery) -> Components:
    """Return the entities of a table of so many *seats*, by their name in the device.

    There is no light among them: Home Assistant's light is one that it can switch, and the lights
    of the table belong to the game.
    """
    if not discovery.is_on:
        return {}
    is_turn = "value_json.turn is not none"
    turn = f"value_json.players[value_json.turn].name if {is_turn} else none"
    last = f"value_json.history[0].words[:{MAX_STATE_CHARS}] if value_json.history else none"
    found: Components = {
        "game": {
            **_entity(topics, "sensor.game", say("Game"), "mdi:dice-multiple"),
            **_state(topics, "value_json.title or none"),
        },
        "turn": {
            **_entity(topics, "sensor.turn", say("Turn"), "mdi:account-arrow-right"),
            **_state(topics, f"({turn}) or none"),
            **_attribute(topics, "seat", f"value_json.turn + 1 if {is_turn} else none"),
        },
        "last_event": {
            **_entity(topics, "sensor.last_event", say("Last event"), "mdi:history"),
            **_state(topics, f"({last}) or none"),
        },
        "tower": {
            **_entity(topics, "event.tower", say("Tower"), "mdi:tower-fire"),
            "state_topic": topics.tower,
            "event_types": list(TOWER_KINDS),
        },
        "idol": {
            **_entity(topics, "event.idol", say("Idol"), "mdi:rotate-right"),
            "state_topic": topics.idol,
            "event_types": list(IDOL_KINDS),
        },
    }
    for seat in range(seats):
        found[f"score_{seat}"] = _score(topics, seat)
    if discovery.commands:
        found["undo"] = {
            **_entity(topics, "button.take_back", say("Take back"), "mdi:undo"),
            "command_topic": topics.command,
            "payload_press": UNDO,
        }
    return {
        name: {**each, "unique_id": f"{device_id(topics)}_{name}"} for name, each in found.items()
    }


def _score(topics: Topics, seat: int) -> dict[str, Any]:
    """Return the score of *seat*, its player's name beside it; unknown while nobody sits there."""
    score, name = (
        f"value_json.players[{seat}].{each} if value_json.players | length > {seat} else none"
        for each in ("score", "name")
    )
    words = say("Score, seat {number}", number=seat + 1)
    return {
        **_entity(topics, f"sensor.score_seat_{seat + 1}", words, "mdi:counter"),
        **_state(topics, score),
        **_attribute(topics, "player", name),
        "state_class": "measurement",
    }


def _entity(topics: Topics, kind: str, name: str, icon: str) -> dict[str, Any]:
    """Return what every entity has; *kind*: its platform, and its id within the table."""
    platform, own = kind.split(".")
    table = re.sub(r"[^a-z0-9]+", "_", topics.table.lower()).strip("_")
    return {
        "platform": platform,
        "name": name,
        "icon": icon,
        "default_entity_id": f"{platform}.{table}_{own}",
    }


def _state(topics: Topics, value: str) -> dict[str, str]:
    return {"state_topic": topics.state, "value_template": f"{{{{ {value} }}}}"}


def _attribute(topics: Topics, name: str, value: str) -> dict[str, str]:
    return {
        "json_attributes_topic": topics.state,
        "json_attributes_template": f"{{{{ {{'{name}': {value}}} | tojson }}}}",
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
