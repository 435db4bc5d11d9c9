"""A real hub, a real broker and real tables: one that goes, and two of one name."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from companion.apps.mqtt.start import publish_table
from tests.hub.hubs import HubProcess
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.tables import actions, until
from tests.tables import sit_down

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


def bar(state: dict[str, Any]) -> dict[str, Any]:
    """Return what is shown of the table `bar`, {} if it is not known."""
    found: list[dict[str, Any]] = [each for each in state["tables"] if each["name"] == "bar"]
    return found[0] if found else {}


def test_two_tables_of_one_name_and_one_that_goes_are_shown(tmp_path: Path) -> None:
    """The first is shown as it is, the second as its twin; once it goes, since when it is away."""
    (tmp_path / "broker").mkdir()

    async def play(broker: Mosquitto, hub: HubProcess) -> None:
        first, second = sit_down(3), sit_down(2)
        config = broker.config(table="bar")
        publishing = asyncio.create_task(publish_table(config, first, str, lambda: "en"))
        first.referee.enter(actions()[0])
        first.changed()

        def shows_first(state: dict[str, Any]) -> bool:
            shown = bar(state)
            return bool(shown) and shown["is_online"] and len(shown["players"]) == 3

        shown = bar(await asyncio.to_thread(hub.wait, shows_first))
        assert not shown["twin"]
        other = asyncio.create_task(publish_table(config, second, str, lambda: "en"))
        await until(lambda: second.troubles)
        shown = bar(await asyncio.to_thread(hub.wait, lambda state: bar(state)["twin"]))
        assert len(shown["players"]) == 3
        for task in (other, publishing):
            task.cancel()
        await asyncio.gather(other, publishing, return_exceptions=True)
        gone = bar(await asyncio.to_thread(hub.wait, lambda state: not bar(state)["is_online"]))
        assert gone["since"] > shown["since"]

    with (
        Mosquitto(tmp_path / "broker") as broker,
        HubProcess(tmp_path, broker, f"sqlite:///{tmp_path}/hub.db") as hub,
    ):
        hub.wait(lambda state: not state["troubles"])
        asyncio.run(play(broker, hub))
