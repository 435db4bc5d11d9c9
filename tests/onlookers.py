"""Onlookers: all that anybody but one seat can get of a game, for comparing two that differ there.

The list of addresses comes from the application itself, so that no new page can be forgotten.
"""

import asyncio
import itertools
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from starlette.routing import Mount, Route, WebSocketRoute

from companion.apps.mqtt.broker import Message as Published
from companion.apps.mqtt.discovery import Discovery
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.messages import notice_messages
from companion.apps.mqtt.naming import TableName
from companion.apps.mqtt.outbox import Outbox
from companion.apps.mqtt.publisher import Publisher
from companion.apps.mqtt.topics import Topics
from companion.referee.live_session import LiveSession
from companion.referee.narrator import narrate
from companion.referee.notices import notice_to_json
from companion.scenes import update_outputs
from companion.scoreboard import read_scoreboard
from companion.session.log import Log
from companion.web.app import create_app, live_pages
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from hardware.output_devices import OutputDevices
from hardware.simulated_sensors import even_sectors
from tests.tables import open_log
from tests.web import asking
from tests.web.asking import QUIET, Asked, form_headers
from tests.web.visitors import HOST_KEY, Pub, Visitor

OWNER: Final = 1
"""The seat whose secret is kept."""
WIRES: Final = ("asyncio", "httpx", "httpcore", "sse_starlette")
"""What logs how it is asked and answers, and when; what it answers is compared as such."""
CORRECTED: Final = 3  # so many of the newest things are looked at on the page that corrects one
PLAY: Final = "/api/v1/play"
ENTRANCES: Final = ("/enter", "/instead", "/api/tell", PLAY)
"""Where somebody may try to enter something."""
QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "/desk": ("", "none"),
    "/desk/new": ("", "game=topple"),
    "/live": tuple(f"page={page}" for page in live_pages()),
    **dict.fromkeys(("/games/{number}", "/api/v1/games/{number}"), ("", "step=1")),
    "/api/v1/games/{number}/record": ("", "full"),
}


def open_timeless_log() -> Log:
    """Return a log that keeps nothing, and in which it is always the same moment."""
    return open_log(now=lambda: "2026-01-01T20:00:00.000+00:00")


def open_known_pub(live_session: LiveSession, patch: pytest.MonkeyPatch) -> Pub:
    """Return *live_session* with its pages and devices, and with keys that are always the same.

    So nothing has to be masked: two games are told alike to the byte.
    """
    numbers = itertools.count()
    patch.setattr("companion.web.http.keys._new_key", lambda: f"key-{next(numbers)}")
    patch.setattr("companion.web.http.keys.new_code", lambda: "BCDF")
    keys, outputs = Keys(HOST_KEY), OutputDevices()
    app = create_app(RunningTable(live_session, keys, outputs, idol_sectors=even_sectors))
    live_session.on_change.add(lambda: update_outputs(outputs, read_scoreboard(live_session)))
    live_session.changed()
    return Pub(live_session, app, keys, outputs)


def parameters(pub: Pub) -> dict[str, list[str]]:
    """Return what may stand in each variable part of an address."""
    seats = range(len(pub.live_session.header.players))
    invitations = [pub.keys.invitation(seat) for seat in seats]
    seqs = [told.seq for told in read_scoreboard(pub.live_session).history]
    return {
        "{key}": [*(key for key in invitations if key), "nobody's"],
        "{number}": [str(pub.live_session.session.number), "999"],
        "{place}": ["0", "999"],
        "{game}": ["topple", "chess"],
        "{what}": ["seats", "chess"],
        "{seq}": [str(seq) for seq in dict.fromkeys((*seqs[:CORRECTED], *seqs[-1:], 999))],
    }


STATIC = ("/static", "/static/virtual")


def addresses(pub: Pub) -> Iterator[str]:
    """Yield every address that can be asked for; fails at one of which we do not know how."""
    known = parameters(pub)
    for route in pub.app.routes:
        if isinstance(route, Mount):
            assert route.path in STATIC, f"{route.path} is not looked at here"
            continue
        if isinstance(route, WebSocketRoute):  # of its twins see tests/virtual/test_world.py
            continue
        assert isinstance(route, Route), f"{route} is not looked at here"
        if "GET" not in (route.methods or ()):
            continue
        paths = [route.path]
        for part, values in known.items():
            paths = [path.replace(part, quote(each)) for path in paths for each in values]
        for path in dict.fromkeys(paths):
            assert "{" not in path, f"say in `parameters` what may stand in {path}"
            for query in QUERIES.get(route.path, ("",)):
                yield f"{path}?{query}" if query else path


async def answer_to(visitor: Visitor, address: str, form: Mapping[str, Any] | None = None) -> str:
    """Return all that *visitor* gets at *address*; a stream until no more comes for a while."""
    path, _, query = address.partition("?")
    method, body = ("GET", b"") if form is None else ("POST", urlencode(form).encode())
    headers = (*form_headers(visitor.cookies), (b"last-event-id", b"0"))
    asked = Asked(method, path, query.encode(), headers, (body,))
    answer = await asking.answer_to(visitor.app, asked)
    assert answer.status < 500, f"{address}: {answer.status}"
    return f"{answer.status} {sorted(answer.headers.items())}\n{answer.body.decode('latin-1')}"


async def publish_all(live_session: LiveSession, topics: Topics) -> list[Published]:
    """Return all that is published of *live_session* to a broker that knows nothing yet."""
    broker, name = FakeBroker(), TableName(topics, kept_s=0)
    name.instance = "0" * 8
    discovery = Discovery(is_on=True, commands=True)
    publisher = Publisher(
        live_session, broker.client("table"), topics, Outbox(None, ""), discovery, name=name
    )
    publishing = asyncio.create_task(publisher.run())
    known, quiet = 0, 0
    while not publishing.done() and quiet < QUIET:
        await asyncio.sleep(0)
        quiet = quiet + 1 if len(broker.published) == known else 0
        known = len(broker.published)
    publishing.cancel()
    await asyncio.wait({publishing})
    assert publishing.cancelled()
    return sorted(broker.published)


def mark_for(pub: Pub, path: str) -> str:
    """Return the mark of now, as what is sent to *path* has it."""
    session = pub.live_session.session
    game = f"{session.number}." if path == PLAY else ""
    return f"{game}{session.next_seq}"


@dataclass
class Onlookers:
    """Everybody who may look at a game, but for whoever sits at the owner's seat.

    log: what Python's logging has heard.
    """

    pub: Pub
    visitors: Mapping[str, Visitor]
    log: pytest.LogCaptureFixture

    @classmethod
    def of(cls, pub: Pub, log: pytest.LogCaptureFixture) -> "Onlookers":
        """Return the host, the players of all other seats but the last one, and a stranger."""
        log.set_level(logging.DEBUG)
        log.clear()
        seats = range(max(2, len(pub.live_session.header.players) - 1))
        others = {f"seat {seat}": pub.player(seat) for seat in seats if seat != OWNER}
        return cls(pub, {"host": pub.host(), **others, "stranger": pub.stranger()}, log)

    def seen(self) -> dict[str, str]:
        """Return all that they can get now, by who and where."""
        return {**asyncio.run(self._pages()), **self._told(), **self._shown(), **self._published()}

    async def _pages(self) -> dict[str, str]:
        found = {}
        for name, visitor in self.visitors.items():
            for address in addresses(self.pub):
                found[f"{name} {address}"] = await answer_to(visitor, address)
        return found

    def _told(self) -> dict[str, str]:
        live_session = self.pub.live_session
        players = live_session.header.players
        bodies: list[dict[str, Any]] = [item.body for item in live_session.feed.since(0)]
        bodies.append(notice_to_json(live_session.referee.result()))
        return {
            "feed": "\n".join(map(json.dumps, bodies)),
            "terminal": "\n".join(narrate(body, live_session.game, players) for body in bodies),
            "logging": "\n".join(
                record.getMessage()
                for record in self.log.records
                if record.name.partition(".")[0] not in WIRES
            ),
        }

    def _published(self) -> dict[str, str]:
        topics, live_session = Topics("tiki", "table"), self.pub.live_session
        notices = [item for item in live_session.feed.since(0) if not item.is_entry]
        told = [each for item in notices for each in notice_messages(topics, item)]
        found: dict[str, str] = {}
        for message in (*told, *asyncio.run(publish_all(live_session, topics))):
            name = f"mqtt {message.topic}"
            found[name] = f"{found.get(name, '')}{message.payload.decode()}\n"
        return found

    def _shown(self) -> dict[str, str]:
        outputs = self.pub.outputs
        return {
            "lights": repr(outputs.strip.value),
            "display": outputs.display.value.tobytes().hex(),
            "sound": repr(outputs.sound.value),
        }

    def probe(self, *actions: str) -> dict[str, str]:
        """Return how each of them is answered who tries to enter *actions*, by who and where."""
        return asyncio.run(self._probe(actions))

    async def _probe(self, actions: Sequence[str]) -> dict[str, str]:
        found = {}
        for name, visitor in self.visitors.items():
            for path, action in itertools.product(ENTRANCES, actions):
                if path == PLAY and action.startswith("card 0") and name == "seat 0":
                    continue  # it may keep such a card for itself
                mark = mark_for(self.pub, path)
                answer = await answer_to(visitor, path, {"action": action, "mark": mark})
                found[f"{name} {path} {action}"] = answer
        return found


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return where two games are not told alike."""
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]
