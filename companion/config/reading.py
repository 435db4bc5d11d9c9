"""From a TOML file to the settings: every refusal is one line."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.config.devices import WIRED, CameraConfig, PinsConfig, Wire
from companion.config.sections import Config, check
from companion.validation import (
    Misfit,
    convert,
    convert_fields,
    field_types,
    one_line,
    refuse_unknown,
)
from hardware.device import BadValue
from hardware.pins import BadPins

_SECTIONS: Final = field_types(Config)
_PINS: Final = {
    **{name: kind for name, kind in field_types(PinsConfig).items() if name != "wires"},
    **dict.fromkeys(WIRED, Wire),
}
_SECRETS: Final = ("key", "password")
_MAX_DEPTH: Final = 8
"""Tables and lists within each other; the games' options need 4."""
_INTEGERS: Final = range(-(2**63), 2**63)
"""What a whole number may be in TOML."""
_TOO_LONG: Final = "a whole number of more than 64 bits; TOML has none"


class BadConfig(ValueError):
    """A setting that cannot be used: file, key, what was given, what would be right."""


def load_config(path: Path | None) -> Config:
    """Return the settings in *path*; raises BadConfig.

    None: the defaults, at a table of one's own, where no recording is shown.
    """
    if path is None:
        return Config(camera=CameraConfig(source="auto"))
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}; name a readable TOML file") from None
    except RecursionError:
        raise BadConfig(f"{path} is nested too deeply; deploy/tiki.toml shows each key") from None
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(one_line(f"{path} is not TOML: {error}")) from None
    except UnicodeDecodeError as error:
        raise BadConfig(
            f"{path} is not UTF-8 from byte {error.start} on; save it as UTF-8"
        ) from None
    except ValueError:  # of a number with thousands of digits
        raise BadConfig(f"{path} has {_TOO_LONG}") from None
    try:
        return parse_config(found)
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None


def parse_config(found: Mapping[str, Any]) -> Config:
    """Return the settings that a parsed TOML file gives; raises BadConfig."""
    try:
        refuse_unknown("section", found, _SECTIONS)
        config = Config(**{name: _read_section(name, values) for name, values in found.items()})
        check(config)
    except (Misfit, BadValue, BadPins) as error:
        raise BadConfig(one_line(str(error))) from None
    return config


def _read_section(name: str, values: object) -> Any:
    if not isinstance(values, Mapping):
        raise Misfit(f"{name} is a section: write [{name}] and its keys below it")
    _check_size(name, values)
    section, prefix = _SECTIONS[name], f"{name}."
    if section is PinsConfig:
        found = convert_fields(_PINS, values, what="key", prefix=prefix)
        wires = {role: found.pop(role) for role in list(found) if role in WIRED}
        return PinsConfig(**found, wires=wires)
    _check_secrets(prefix, values)
    checked = convert_fields(field_types(section), values, what="key", prefix=prefix)
    try:
        return section(**checked)
    except BadValue as error:
        raise Misfit(str(error) if prefix in str(error) else f"{name}: {error}") from None


def _check_secrets(prefix: str, values: Mapping[str, Any]) -> None:
    """Raise Misfit if a secret is no text, and do not show it: a terminal may be kept."""
    for name in _SECRETS:
        if name in values and not isinstance(values[name], str):
            raise Misfit(f"{prefix}{name} is not a text; put it in quotes")


def _check_size(name: str, value: object, depth: int = 0) -> None:
    """Raise Misfit if *value* is nested too deeply, or has a number that TOML does not have."""
    if isinstance(value, Mapping | list):
        if depth > _MAX_DEPTH:
            raise Misfit(f"{name} is nested too deeply; deploy/tiki.toml shows each key")
        for inner in value.values() if isinstance(value, Mapping) else value:
            _check_size(name, inner, depth + 1)
    elif isinstance(value, int) and value not in _INTEGERS:
        raise Misfit(f"{name} has {_TOO_LONG}")


def override(config: Config, setting: str, value: object, said: str) -> Config:
    """Return *config* with another value of a setting such as "web.port"; raises BadConfig.

    said: where the value was given, such as "--port".
    """
    name, _, key = setting.partition(".")
    section = getattr(config, name)
    try:
        checked = convert(said, field_types(type(section))[key], value)
        changed = msgspec.structs.replace(section, **{key: checked})
    except (Misfit, BadValue) as error:
        raise BadConfig(one_line(str(error))) from None
    return msgspec.structs.replace(config, **{name: changed})
