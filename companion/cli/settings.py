"""The settings that a command is given."""

from pathlib import Path

from companion.cli.failure import Failure
from companion.config import BadConfig, Config, load_config


def read_settings(file: Path | None) -> Config:
    """Return the settings in *file*, the usual ones for None; raises Failure."""
    try:
        return load_config(file)
    except BadConfig as error:
        raise Failure(str(error)) from None
