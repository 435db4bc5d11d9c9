"""The owner's settings: a TOML file, every key known, every value checked.

deploy/tiki.toml is the commented example with all keys at their defaults.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from companion.referee.games import GAMES, SEEN, open_header
from companion.rules.base import RulesError
from companion.session.session import Header

Source = Literal["recording", "video", "picamera2", "none"]
Kind = Literal["fake"]
SensorKind = Literal["fake", "none"]
SIDES: Final = ("near", "right", "far", "left")


class BadConfig(ValueError):
    """A setting that cannot be used: file, key, what was given, what would be right."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """Who plays what, for a new game.

    sides: where each player sits, or none.  first: the seat that begins, in UNO Tiki the one that
    deals; -1 leaves it to the dice or the cards.
    rounds: of Tiki Topple; 0 takes the rulebook's number.
    options: of the game's rules, as docs/rules/ lists them.
    """

    game: str = "tiki_topple"
    players: tuple[str, ...] = ("Red", "Blue", "Yellow", "Green")
    sides: tuple[str, ...] = ()
    first: int = 0
    rounds: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Where pictures come from; "none" for the games that no camera reads.

    folder: of a recording; "" is the one that ships with the companion.  frame_s: how long each of
    its pictures is shown.  device: number or path of a video device.
    settle_s: how long nothing may move before the table is read.
    """

    source: Source = "recording"
    folder: str = ""
    frame_s: float = 2.0
    device: str = "0"
    width_px: int = 1536
    height_px: int = 864
    rate_hz: float = 5.0
    settle_s: float = 0.7


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the pages are served.

    host: "0.0.0.0" is the home network, "127.0.0.1" this machine alone.  Whoever opens the page
    may look; changing the game takes the key that the companion prints when it starts.
    key: "" makes a new one at every start.
    """

    host: str = "0.0.0.0"  # noqa: S104 - looking is for everybody at the table, see above
    port: int = 8321
    key: str = ""


@dataclass(frozen=True, slots=True)
class LogConfig:
    """Where games are kept; "" is games.db in the user's state folder."""

    file: str = ""


@dataclass(frozen=True, slots=True)
class LightsConfig:
    """The light strip: nine pixels beside the line."""

    kind: Kind = "fake"


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """The score display."""

    kind: Kind = "fake"


@dataclass(frozen=True, slots=True)
class SensorsConfig:
    """The tower's tilt and the idol.  "fake": moved by `tiki tell --sensor`."""

    kind: SensorKind = "fake"


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The buttons: one set for each seat, undo and pause.  "fake": as of the sensors."""

    kind: SensorKind = "fake"


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    table: TableConfig = field(default_factory=TableConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    web: WebConfig = field(default_factory=WebConfig)
    log: LogConfig = field(default_factory=LogConfig)
    lights: LightsConfig = field(default_factory=LightsConfig)
    display: DisplayConfig = field(default_factory=DisplayConfig)
    sensors: SensorsConfig = field(default_factory=SensorsConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)


# The least and greatest value of each number that has them.
_BOUNDS: Final = {
    "table.first": (-1, 9),
    "table.rounds": (0, 99),
    "camera.frame_s": (0.05, 3600),
    "camera.width_px": (320, 9248),
    "camera.height_px": (240, 6944),
    "camera.rate_hz": (1, 60),
    "camera.settle_s": (0.1, 10),
    "web.port": (0, 65535),
}


def load_config(path: Path | None) -> Config:
    """Return the settings in *path*, or the defaults for None; raises BadConfig."""
    if path is None:
        return Config()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}; name a readable TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path} is not TOML: {error}") from None
    try:
        return parse_config(found)
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None


def parse_config(found: Mapping[str, Any]) -> Config:
    """Return the settings that a parsed TOML file gives; raises BadConfig."""
    sections = get_type_hints(Config)
    _refuse_unknown("section", found, sections, "")
    made = {}
    for name, section in sections.items():
        values = found.get(name, {})
        if not isinstance(values, Mapping):
            raise BadConfig(f"{name} is a section: write [{name}] and its keys below")
        made[name] = _section(name, section, values)
    config = Config(**made)
    _check_table(config.table)
    _check_eyes(config)
    return config


def _section(name: str, kind: type[Any], values: Mapping[str, Any]) -> Any:
    hints = get_type_hints(kind)
    _refuse_unknown("key", values, hints, f"{name}.")
    checked = {key: _value(f"{name}.{key}", hints[key], value) for key, value in values.items()}
    return kind(**checked)


def _refuse_unknown(
    kind: str, found: Mapping[str, Any], known: Mapping[str, Any], prefix: str
) -> None:
    for key in found:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean '{prefix}{near[0]}'?" if near else f"known: {', '.join(known)}"
            raise BadConfig(f"unknown {kind} '{prefix}{key}'; {hint}")


def _value(key: str, kind: Any, value: Any) -> Any:
    if get_origin(kind) is Mapping:
        if not isinstance(value, Mapping):
            raise BadConfig(f"{key} is {value!r}; write [{key}] and its keys below")
        return dict(value)
    if choices := () if kind == tuple[str, ...] else get_args(kind):
        if value not in choices:
            raise BadConfig(f"{key} is {value!r}; it may be {' or '.join(map(repr, choices))}")
        return value
    if kind == tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise BadConfig(f"{key} is {value!r}; it wants a list of texts")
        return tuple(value)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        names = {int: "a whole number", float: "a number", str: "a text"}
        raise BadConfig(f"{key} is {value!r}; it wants {names[kind]}")
    low, high = _BOUNDS.get(key, (None, None))
    if low is not None and not low <= value <= high:
        raise BadConfig(f"{key} is {value}; it may be from {low} to {high}")
    return value


def _check_table(table: TableConfig) -> None:
    if table.game not in GAMES:
        known = " or ".join(map(repr, GAMES))
        raise BadConfig(f"table.game is {table.game!r}; the companion plays {known} so far")
    count, seats = len(table.players), GAMES[table.game]().seats
    if count not in seats or len(set(table.players)) != count or not all(table.players):
        raise BadConfig(f"table.players wants {seats[0]} to {seats[-1]} different names")
    if table.first >= count:
        raise BadConfig(f"table.first is {table.first}; the seats are 0 to {count - 1}")
    if table.sides and (len(table.sides) != count or not set(table.sides) <= set(SIDES)):
        raise BadConfig(f"table.sides wants one of {', '.join(SIDES)} for each player, or nothing")
    try:
        table_header(table)
    except RulesError as error:
        raise BadConfig(f"table.options: {error}") from None


def _check_eyes(config: Config) -> None:
    game, source = config.table.game, config.camera.source
    if game not in SEEN and source != "none":
        raise BadConfig(
            f"camera.source is {source!r}, but no camera reads {game} yet; set it to 'none'"
        )
    if game in SEEN and source == "none":
        raise BadConfig(f"camera.source is 'none', but {game} is read by camera; name one")
    if game in SEEN and config.table.first < 0:
        raise BadConfig(f"table.first is -1; in {game} somebody has to begin, 0 for the first")


def table_header(table: TableConfig) -> Header:
    """Return what opens a session of the configured table; raises InvalidSetup."""
    options = {**table.options, **({"rounds": table.rounds} if table.rounds else {})}
    first = table.first if table.first >= 0 else None
    return open_header(table.game, table.players, options, first, table.sides)


def state_folder() -> Path:
    """Return where games are kept: systemd's StateDirectory, else the user's state folder."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given.split(":")[0])
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "tiki"


def log_path(config: Config) -> Path:
    """Return the log's file; a recording has one of its own, so it never mixes with real games."""
    if config.log.file:
        return Path(config.log.file)
    name = "recordings.db" if config.camera.source == "recording" else "games.db"
    return state_folder() / name


def example() -> str:
    """Return the defaults as TOML; deploy/tiki.toml says the same with comments."""
    lines = []
    for section in fields(Config):
        lines.append(f"[{section.name}]")
        values = getattr(Config(), section.name)
        lines += [f"{key.name} = {_toml(getattr(values, key.name))}" for key in fields(values)]
        lines.append("")
    return "\n".join(lines)


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
