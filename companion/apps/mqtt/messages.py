"""What is published, as JSON: nothing but what everyone at the table may know."""

import json
from collections.abc import Mapping
from typing import Any, Final

from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.topics import SCHEMA, Topics
from companion.language.speech import translated_json
from companion.referee.feed import Item
from companion.referee.game import Game
from companion.referee.live_session import LiveSession
from companion.registry import GAMES, game_of
from companion.scoreboard import read_scoreboard
from companion.session.log import LogError
from companion.session.session import Header, Session

ONLINE: Final = "online"
OFFLINE: Final = "offline"
TOWER_KINDS: Final = ("topple", "knock", "wobble")
IDOL_KINDS: Final = ("spin", "void_spin", "between", "distrusted")


def encode(thing: Mapping[str, Any]) -> bytes:
    """Return *thing* as JSON, `schema` first, its messages in the language that is spoken."""
    return json.dumps({"schema": SCHEMA, **translated_json(thing)}, ensure_ascii=False).encode()


def decode(payload: bytes) -> dict[str, Any]:
    """Return the JSON object that *payload* is, {} if it is none: anybody may publish anything."""
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def availability(topics: Topics, state: str, instance: str) -> Message:
    """Return the message that says whether the table is there: *state* is ONLINE or OFFLINE."""
    return Message(topics.availability, encode({"state": state, "instance": instance}))


def state_message(topics: Topics, live_session: LiveSession) -> Message:
    """Return the scoreboard, as `/api/v1/state` has it."""
    return Message(topics.state, encode(read_scoreboard(live_session).to_json()))


def notice_messages(topics: Topics, item: Item) -> list[Message]:
    """Return a notice, and once more as an event of the tower or the idol if it is one."""
    body = item.body
    found = [
        Message(topics.notices, encode({"table": topics.table, "id": item.id, "notice": body}))
    ]
    for topic, kinds in ((topics.tower, TOWER_KINDS), (topics.idol, IDOL_KINDS)):
        if body["type"] == "moment" and body["kind"] in kinds:
            event = {name: body[name] for name in ("seats", "angle_deg", "words")}
            found.append(Message(topic, encode({"event_type": body["kind"], **event})))
    return found


class EventMessages:
    """The entries of a log as messages, each with what a reader needs to understand it alone."""

    def __init__(self, topics: Topics, live_session: LiveSession) -> None:
        self._topics = topics
        self._live_session = live_session

    def message(self, item: Item, after: str) -> Message:
        """Return the entry *item*; *after*: the id of the entry that was sent before it."""
        session, seq = item.position
        header = self._header(session)
        thing: dict[str, Any] = {
            "table": self._topics.table,
            "id": item.id,
            "after": after,
            "session": session,
            "seq": seq,
            "game": header.game,
            "players": list(header.players),
            "resumes": header.resumes,
            "event": item.body,
        }
        found = self._standing(session, seq, item.body["type"])
        return Message(
            self._topics.events, encode({**thing, "standing": found} if found else thing)
        )

    def _header(self, session: int) -> Header:
        now = self._live_session
        if session == now.session.number:
            return now.header
        return Header.from_json(now.log.header(session))

    def _standing(self, number: int, seq: int, kind: str) -> dict[str, Any] | None:
        """Return how the game stands, if entry *seq* is the newest of its session."""
        now = self._live_session
        if number == now.session.number:
            is_newest = seq == len(now.session.entries)
            return standing_of(now.game, now.session) if is_newest else None
        name = self._header(number).game
        if kind != "closed" or name not in GAMES:
            return None
        try:
            return standing_of(game_of(name), Session(now.log, number, game_of(name)))
        except LogError:  # an older version's rules
            return None


def standing_of(game: Game[Any, Any], session: Session[Any, Any]) -> dict[str, Any]:
    """Return the points of everyone, and who has won, as the scoreboard has them."""
    outcome = game.rules.outcome(session.state)
    return {
        "scores": list(game.scores(session.state)),
        "is_over": outcome is not None,
        "winners": list(outcome.winners) if outcome else [],
    }
