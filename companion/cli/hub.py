"""`tiki hub`: all tables of a broker, standings and a tournament on one page."""

import argparse
import asyncio
import re
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from companion.apps.mqtt.broker import BrokerTrouble
from companion.cli.addresses import print_addresses, print_changes
from companion.cli.console import set_up_console
from companion.cli.failure import Failure
from companion.closing import end_tasks
from companion.config import BadConfig, Config, load_config, override, parse_config
from companion.service import ServiceManager, report
from companion.web.http.server import CannotStart

MISSING: Final = (
    "the package {name} is missing, which the hub needs; install it: ./run hub, or pip install"
    " 'tiki-companion[hub]'"
)
WORDS: Final = {"what": "All tables", "may": "lead a tournament"}
_BROKER: Final = re.compile(
    r"(?P<scheme>mqtts?)://(?:(?P<user>[^@:/]*)(?P<secret>:[^@/]*)?@)?"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^@:/?#\[\]]+)(?::(?P<port>\d{1,5}))?/?"
)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "hub",
        help="show all tables of a broker, standings and a tournament",
        description="Follows all tables that publish to an MQTT broker, keeps what they publish in"
        " SQLite or PostgreSQL, and serves pages with all tables, the standings and a tournament."
        " See docs/hub.md.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (deploy/tiki.toml)")
    parser.add_argument("--broker", metavar="URL", help="mqtt://HOST or mqtts://USER@HOST:PORT")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:////var/lib/tiki/hub.db or postgresql://USER@HOST/NAME",
    )
    parser.add_argument("--port", type=int, metavar="N", help="where the pages are served")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    arguments.stop.defer()
    config = _config(arguments)
    try:
        from companion.apps.hub.database import DatabaseTrouble
        from companion.apps.hub.hub import Hub
    except ModuleNotFoundError as error:
        raise Failure(MISSING.format(name=error.name)) from None
    try:
        hub = Hub(config)
    except (CannotStart, DatabaseTrouble, OSError) as error:
        raise Failure(str(error)) from None
    set_up_console()
    manager = ServiceManager()

    def end() -> None:
        manager.tell("STOPPING=1")
        hub.stop()

    arguments.stop.call(end)
    try:
        asyncio.run(_serve(hub, manager))
    except BrokerTrouble as trouble:
        raise Failure(str(trouble)) from None
    return 0


async def _serve(hub: Any, manager: ServiceManager) -> None:
    def describe() -> str:
        tables = hub.site.overview.tables
        online = sum(table.is_online for table in tables)
        return "; ".join(
            [
                f"{online} of {len(tables)} tables at {hub.reach.url}",
                *hub.reception.troubles.values(),
            ]
        )

    def ready() -> None:
        print_addresses(hub.reach, hub.keys.host, **WORDS)
        print_changes(hub.reach, hub.keys.host, hub.stop, **WORDS)

    task = asyncio.create_task(report(manager, hub.reach.here, lambda: "", describe))
    try:
        await hub.run(ready)
    finally:
        await end_tasks([task])


def _config(arguments: argparse.Namespace) -> Config:
    """Return the settings that file and words give; raises Failure."""
    try:
        config = load_config(arguments.config)
        if arguments.broker is not None:
            config = replace(config, mqtt=replace(config.mqtt, **_broker(arguments.broker)))
            # Once more as a whole: a name that is none, or a secret without a user, is refused.
            parse_config({"mqtt": _given(config)})
        for said, setting in (("--database", "hub.database"), ("--port", "hub.port")):
            value = getattr(arguments, said.removeprefix("--"))
            if value is not None:
                config = override(config, setting, value, said)
    except BadConfig as error:
        raise Failure(str(error)) from None
    if not config.mqtt.broker:
        raise Failure(
            "no broker is named; give --broker mqtt://HOST, or set mqtt.broker in the settings"
        )
    return config


def _given(config: Config) -> dict[str, Any]:
    return {name: getattr(config.mqtt, name) for name in config.mqtt.__struct_fields__}


def _broker(url: str) -> dict[str, Any]:
    """Return the settings of `[mqtt]` that *url* gives; raises Failure."""
    found = _BROKER.fullmatch(url)
    if found is None:
        # Without what was given: it may hold a password.
        raise Failure(
            "--broker takes an address like mqtt://broker.local or mqtts://hub@broker.local:8883"
        )
    if found["secret"]:
        raise Failure(
            "--broker has a password, which other users of this machine can see; set"
            " mqtt.password_file in a settings file, and name that with --config"
        )
    user = {"user": found["user"]} if found["user"] else {}
    return {
        "broker": found["host"].strip("[]"),
        "port": int(found["port"] or 0),
        "tls": found["scheme"] == "mqtts",
        **user,
    }
