"""`tiki lights off`: darkness for lights whose companion was killed."""

import argparse
from pathlib import Path
from typing import Final

from companion.cli.asking import require_rest
from companion.cli.failure import Failure
from companion.cli.settings import read_settings
from companion.config import Config, pin_plan
from hardware.device import HardwareError
from hardware.neopixels import put_out
from hardware.pico.ports import programs_at
from hardware.pins import PICO

OFF: Final = "off"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "lights",
        help="put out lights that a companion has left on",
        description="Lights on the Raspberry Pi's header keep their colours when the companion is"
        " killed (kill -9). This puts them out; the service does it by itself. It leaves the lights"
        " of a companion alone that runs. On a Pico they go out after two seconds without this.",
    )
    parser.add_argument("what", metavar=OFF, choices=(OFF,), help="the one thing there is to do")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the settings that tiki run is started with"
    )
    parser.add_argument(
        "--quiet",
        action="store_true",
        help="say nothing and end with status 0 whatever comes, as the service wants it: its"
        " journal has told already what is wrong",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Put the lights out if they are on the header; raises Failure unless it is to be quiet."""
    try:
        said = _put_out(read_settings(arguments.config))
    except Failure:
        if not arguments.quiet:
            raise
        return 0
    if not arguments.quiet:
        print(said)
    return 0


def _put_out(config: Config) -> str:
    """Return what has been done; raises Failure."""
    if reason := _elsewhere(config):
        return reason
    require_rest(config, programs_at)
    try:
        put_out(config.lights)
    except HardwareError as error:
        raise Failure(str(error)) from None
    return "The lights are out."


def _elsewhere(config: Config) -> str:
    """Return why there is nothing to put out, "" if the lights are on the header."""
    if config.lights.kind == "fake":
        return (
            "No lights are configured: the page alone shows them, so there is nothing to put out."
        )
    if pin_plan(config).board is PICO:
        return "The lights are on the Pico, which puts them out by itself."
    return ""
