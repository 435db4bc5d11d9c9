"""`tiki doctor`'s check of the broker: lets the table in, write and read; keeps its state."""

import asyncio
import secrets
from typing import TYPE_CHECKING, Final

from companion.apps.doctor.machine import Machine
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, skipped
from companion.apps.mqtt.broker import BrokerTrouble, Connection
from companion.apps.mqtt.echo import hear_oneself
from companion.apps.mqtt.messages import encode
from companion.apps.mqtt.naming import KEPT_S, NOBODY
from companion.apps.mqtt.topics import Topics
from companion.config import MqttConfig

if TYPE_CHECKING:
    from companion.apps.mqtt.paho_broker import PahoBroker

ANSWER_S: Final = 8.0
"""Less than a check may take in all."""
ECHO_S: Final = 3.0


def check_broker(_: Machine, requirements: Requirements) -> Verdict:
    """Return whether the table can be published; nothing of it is."""
    config = requirements.config.mqtt
    if not config.broker:
        return skipped("no broker is named in mqtt.broker")
    try:
        # Loaded only now: most tables have no broker.
        from companion.apps.mqtt.paho_broker import PahoBroker  # noqa: PLC0415
    except ModuleNotFoundError as error:
        return failed(f"the package {error.name} is missing", "run ./run once to install it")
    broker = PahoBroker(config, f"tiki-doctor-{secrets.token_hex(4)}")
    return asyncio.run(_examine(config, broker))


async def _examine(config: MqttConfig, broker: "PahoBroker") -> Verdict:
    name = f"{config.broker}:{config.port_used}"
    try:
        async with asyncio.timeout(ANSWER_S):
            connection = await broker.connect()
            try:
                topics = Topics(config.prefix, config.table_used)
                is_kept = await _keeps(connection, topics)
            finally:
                await connection.close(tell=False)
    except TimeoutError:
        return failed(
            f"the broker {name} does not answer",
            "check mqtt.broker, mqtt.port and the network",
        )
    except BrokerTrouble as trouble:
        what, _, remedy = str(trouble).partition("; ")
        return failed(what, remedy or "see the broker's own log")
    kept = (
        f"it keeps the state of '{config.table_used}'"
        if is_kept
        else f"it keeps nothing of '{config.table_used}' yet, which comes with tiki run"
    )
    user = f" and lets '{config.user}' in" if config.user else ""
    return ok(f"{name} answers{user}; {kept}")


async def _keeps(connection: Connection, topics: Topics) -> bool:
    """Return whether the broker has kept a state; raises Refused if it may not be read."""
    await connection.subscribe(topics.state, topics.claim)
    question = encode({"instance": NOBODY, "doctor": secrets.token_hex(4)})
    is_heard, heard = await hear_oneself(connection, topics.claim, question, ECHO_S)
    if not is_heard:
        raise connection.refused("read", topics.claim)
    try:
        async with asyncio.timeout(KEPT_S):
            while not any(each.retained for each in heard):
                heard.append(await connection.receive())
    except TimeoutError:
        return False
    return True
