"""A companion that is killed again and again, each time as soon as the broker has an event."""

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from companion.session.log import Log
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.reader import Reader, logged
from tests.mqtt.tables import TOPICS, actions

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

KILLS = 9
MOVES = 18

# Plays a game where it was left, and publishes it.
PLAYER = """
import asyncio, sys
from companion.config import MqttConfig
from companion.apps.mqtt.start import publish_table
from companion.session.log import Log
from tests.mqtt.tables import actions
from tests.tables import sit_down

async def main(path, port, moves):
    live_session = sit_down(3, log=Log(path))
    config = MqttConfig(broker="127.0.0.1", port=int(port), table="bar")
    task = asyncio.create_task(publish_table(config, live_session, str, lambda: "en"))
    while True:
        done = len(live_session.session.entries)
        if done < int(moves):
            live_session.referee.enter(actions(7)[done])
            live_session.changed()
        await asyncio.sleep(0.02)

asyncio.run(main(*sys.argv[1:]))
"""


def read(listener: Listener) -> Reader:
    """Return a reader that has heard the same."""
    reader = Reader()
    for each in listener.of(TOPICS.events):
        reader.take(each.payload)
    return reader


def _has_read(listener: Listener, moves: int) -> bool:
    return len(read(listener).entries) >= moves


@pytest.mark.slow
def test_a_companion_killed_nine_times_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """What was not yet noted as acknowledged comes twice, with the same id."""
    assert len(actions(7)) >= MOVES
    log = tmp_path / "games.db"
    with Mosquitto(tmp_path) as broker, Listener(broker.port, TOPICS.events) as listener:
        for kill in range(1, KILLS + 1):
            moves = MOVES if kill == KILLS else 2 * kill
            command = [sys.executable, "-c", PLAYER, str(log), str(broker.port), str(moves)]
            with subprocess.Popen(command) as playing:
                try:
                    listener.wait(partial(_has_read, listener, moves))
                finally:
                    playing.send_signal(signal.SIGKILL)
            assert playing.returncode == -signal.SIGKILL
        reader = read(listener)
        with Log(log) as opened:
            assert reader.entries == logged(opened)
    assert (len(reader.entries), reader.missed) == (MOVES, [])
