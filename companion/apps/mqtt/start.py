"""From the settings to a publisher."""

from collections.abc import Callable
from typing import Final

from companion.apps.mqtt.discovery import Discovery
from companion.apps.mqtt.naming import TableName
from companion.apps.mqtt.outbox import Outbox
from companion.apps.mqtt.publisher import DEVICE, Publisher
from companion.apps.mqtt.topics import Topics
from companion.config import MqttConfig
from companion.referee.live_session import LiveSession

ENDING: Final = "mqtt.json"


async def publish_table(
    config: MqttConfig,
    live_session: LiveSession,
    url: Callable[[], str],
    language: Callable[[], str],
) -> None:
    """Publish *live_session* as *config* says, forever; return at once if no broker is set.

    url: returns where the table's pages are, "" for nowhere.  language: returns the table's.
    """
    if not config.broker:
        return
    try:
        # Loaded only now: most tables have no broker.
        from companion.apps.mqtt.paho_broker import PahoBroker  # noqa: PLC0415
    except ModuleNotFoundError as error:
        missing = f"the package {error.name} is missing; run ./run once to install it"
        live_session.report(DEVICE, missing)
        return
    topics = Topics(config.prefix, config.table_used)
    target = f"{config.broker}:{config.port_used} {topics.prefix}/{topics.table}"
    outbox = Outbox(live_session.log.beside(ENDING), target)
    name = TableName(topics)
    broker = PahoBroker(config, f"tiki-{topics.table}-{name.instance}")
    discovery = Discovery(config.discovery, config.discovery_prefix, url, config.commands)
    publisher = Publisher(
        live_session, broker, topics, outbox, discovery, language=language, name=name
    )
    await publisher.run()
