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

from companion.games import GAMES, game_of, recordings
from companion.referee.opening import fit_players, open_header
from companion.rules.base import RulesError
from companion.session.session import Header
from hardware.buttons import BUTTONS
from hardware.device import BadValue
from hardware.hands import check_buses
from hardware.neopixels import StripConfig
from hardware.panels import PanelConfig
from hardware.pins import ROLES, BadPins, PinPlan, plan_pins
from hardware.sound import SoundConfig
from hardware.spin import PULSES

Source = Literal["recording", "video", "picamera2", "none"]
SensorKind = Literal["fake", "header", "none"]
Factory = Literal["lgpio", "rpigpio", "mock"]
SIDES: Final = ("near", "right", "far", "left")
AUTO: Final = "auto"
MAX_PLAYERS: Final = 10


class BadConfig(ValueError):
    """A setting that cannot be used: file, key, what was given, what would be right."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """Who plays what, for a new game.

    game: "auto" goes on with the last one, and is changed on the pages or by putting other corner
    tiles on the table; a game's name is that game and no other.
    sides: where each player sits, or none.  first: the seat that begins or deals; -1 leaves it to
    the dice or the cards, where a game has them.
    rounds: of a game that is played in so many; 0 takes the rulebook's number.
    options: of the game's rules, as docs/rules/ lists them; with "auto" a table of them for each
    game.
    """

    game: str = AUTO
    players: tuple[str, ...] = ("Red", "Blue", "Yellow", "Green")
    sides: tuple[str, ...] = ()
    first: int = 0
    rounds: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def options_of(self, game: str) -> dict[str, Any]:
        """Return the options that the file has for *game*.

        With "auto" a game that is not played in so many rounds does without them.
        """
        options: dict[str, Any] = {}
        if self.game in (AUTO, game):
            options.update(self.options.get(game, {}) if self.game == AUTO else self.options)
        plays = game_of(game)
        has_rounds = "rounds" in plays.parse_options({}, plays.seats[0])
        if self.rounds and (self.game == game or has_rounds):
            options["rounds"] = self.rounds
        return options


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Where pictures come from; "none" if everything is to be entered.

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
class SensorsConfig:
    """The tower's tilt and the idol.

    kind: "fake" is moved by `tiki tell --sensor`, "header" is on the Pi's own pins.
    topple_s: so long tilted is a fall; a lesson may raise it, see `TiltFigures`.
    pulses: of the idol's encoder in one revolution.  rest_s: so long without a step is rest.
    hand_deg: how far the idol's hand reaches to each side; it is used when the seats are taught.
    """

    kind: SensorKind = "fake"
    topple_s: float = 0.6
    pulses: int = 20
    rest_s: float = 0.8
    hand_deg: float = 5.0


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The buttons: one set for each seat, undo and pause.  kind: as of the sensors."""

    kind: SensorKind = "fake"


@dataclass(frozen=True, slots=True)
class PinsConfig:
    """Where the wires of sensors and buttons end on the Pi's header.

    factory: gpiozero's way to the pins; "mock" has imagined ones.
    wires: the GPIO number of each role that has a wire; in the file beside the factory.
    """

    factory: Factory = "lgpio"
    wires: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    table: TableConfig = field(default_factory=TableConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    web: WebConfig = field(default_factory=WebConfig)
    log: LogConfig = field(default_factory=LogConfig)
    lights: StripConfig = field(default_factory=StripConfig)
    display: PanelConfig = field(default_factory=PanelConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    sensors: SensorsConfig = field(default_factory=SensorsConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    pins: PinsConfig = field(default_factory=PinsConfig)


WIRED: Final = tuple(role.name for role in ROLES if role.name != "pixels")
"""What may have a pin of its own in the file; the lights have theirs in lights.pin."""

NEEDED: Final = {
    "idol_a": "idol_b", "idol_b": "idol_a", "idol_index": "idol_a",
    "tilt_1": "tilt_0", "tilt_2": "tilt_1",
}  # fmt: skip
"""What is of no use without another."""

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
    "lights.lights": (1, 1000),
    "lights.budget_ma": (1, 100_000),
    "lights.idol_deg": (-360, 360),
    "display.bus": (0, 99),
    "sensors.topple_s": (0.3, 3),
    "sensors.pulses": (PULSES[0], PULSES[-1]),
    "sensors.rest_s": (0.1, 5),
    "sensors.hand_deg": (0, 45),
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
    made: dict[str, Any] = {}
    for name, section in sections.items():
        values = found.get(name, {})
        if not isinstance(values, Mapping):
            raise BadConfig(f"{name} is a section: write [{name}] and its keys below")
        made[name] = _pins(values) if name == "pins" else _section(name, section, values)
    config = Config(**made)
    _check_table(config.table)
    _check_camera(config)
    _check_wires(config)
    return config


def _section(name: str, kind: type[Any], values: Mapping[str, Any]) -> Any:
    hints = get_type_hints(kind)
    _refuse_unknown("key", values, hints, f"{name}.")
    checked = {key: _value(f"{name}.{key}", hints[key], value) for key, value in values.items()}
    try:
        return kind(**checked)
    except BadValue as error:
        named = "" if f"{name}." in str(error) else f"{name}: "
        raise BadConfig(f"{named}{error}") from None


def _pins(values: Mapping[str, Any]) -> PinsConfig:
    wires = {key: value for key, value in values.items() if key != "factory"}
    _refuse_unknown("key", values, dict.fromkeys(("factory", *WIRED)), "pins.")
    checked = {key: _value(f"pins.{key}", int, value) for key, value in wires.items()}
    factory = _value("pins.factory", Factory, values.get("factory", "lgpio"))
    return PinsConfig(factory, checked)


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
    if table.game not in (AUTO, *GAMES):
        known = " or ".join(map(repr, (AUTO, *GAMES)))
        raise BadConfig(f"table.game is {table.game!r}; it may be {known}")
    count = len(table.players)
    is_auto = table.game == AUTO
    seats = range(1, MAX_PLAYERS + 1) if is_auto else game_of(table.game).seats
    if count not in seats or len(set(table.players)) != count or not all(table.players):
        raise BadConfig(f"table.players wants {seats[0]} to {seats[-1]} different names")
    if table.first >= count:
        raise BadConfig(f"table.first is {table.first}; the seats are 0 to {count - 1}")
    if table.sides and (len(table.sides) != count or not set(table.sides) <= set(SIDES)):
        raise BadConfig(f"table.sides wants one of {', '.join(SIDES)} for each player, or nothing")
    if is_auto:
        _refuse_unknown("game", table.options, dict.fromkeys(GAMES), "table.options.")
        for game, options in table.options.items():
            _value(f"table.options.{game}", Mapping[str, Any], options)
    for game in GAMES if is_auto else (table.game,):
        where = f"table.options.{game}" if is_auto else "table.options"
        try:
            table_header(table, game)
        except (RulesError, TypeError, ValueError) as error:
            raise BadConfig(f"{where}: {error}") from None


def _check_camera(config: Config) -> None:
    game, camera = config.table.game, config.camera
    is_shipped = camera.source == "recording" and not camera.folder
    if is_shipped and game not in (AUTO, *recordings()):
        raise BadConfig(
            f"camera.source is 'recording', but none of {game} ships; set it to 'none', or"
            " camera.folder to a recording"
        )


def _check_wires(config: Config) -> None:
    try:
        check_buses(config.lights, config.display)
        plan = pin_plan(config)
    except (BadValue, BadPins) as error:
        raise BadConfig(str(error)) from None
    wires = config.pins.wires
    if config.sensors.kind == "header" and not plan.named("tilt", "idol"):
        raise BadConfig(
            "sensors.kind is 'header', but no sensor has a wire; write its pins into [pins], usual"
            " are tilt_0 = 4, idol_a = 17 and idol_b = 27"
        )
    if config.buttons.kind == "header" and not plan.named(*BUTTONS):
        raise BadConfig(
            "buttons.kind is 'header', but no button has a wire; write its pin into [pins], usual"
            " is done_0 = 23"
        )
    for role, needed in NEEDED.items():
        if role in wires and needed not in wires:
            raise BadConfig(
                f"pins.{role} is set, but pins.{needed} is not; the one needs the other"
            )


def pin_plan(config: Config) -> PinPlan:
    """Return where every wire ends, the lights' data among them; raises BadPins."""
    lights = {"pixels": config.lights.pin} if config.lights.kind == "neopixel" else {}
    return plan_pins({**config.pins.wires, **lights}, settings={"pixels": "lights.pin"})


def table_header(table: TableConfig, game: str) -> Header:
    """Return what opens a session of *game* at the configured table; raises InvalidSetup.

    Names beyond the game's seats are left out.
    """
    plays = game_of(game)
    players = fit_players(plays, table.players)
    options = table.options_of(game)
    first = table.first if 0 <= table.first < len(players) else None
    sides = table.sides[: len(players)] if len(table.sides) >= len(players) else ()
    return open_header(plays, players, options, first, sides)


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
        keys = [key.name for key in fields(values) if key.name != "wires"]
        lines += [f"{key} = {_toml(getattr(values, key))}" for key in keys]
        lines.append("")
    return "\n".join(lines)


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
