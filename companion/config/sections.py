"""All sections of the settings, and what follows from several of them together."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.config.devices import ButtonsConfig, CameraConfig, PinsConfig, SensorsConfig
from companion.config.hub import HubConfig
from companion.config.mqtt import MqttConfig, check_mqtt
from companion.config.table import AUTO, TableConfig, check_table
from companion.config.web import WebConfig, check_web
from companion.config.wifi import WifiConfig, check_wifi
from companion.registry import GAMES, recordings
from companion.validation import Misfit, show
from hardware.buttons import BUTTONS
from hardware.neopixels import StripConfig
from hardware.output_devices import check_buses
from hardware.panels import PanelConfig
from hardware.pins import HEADER, PICO, PinPlan, plan_pins
from hardware.sound import SoundConfig


class LogConfig(msgspec.Struct, frozen=True):
    """Where games are kept; "" is games.db in the user's state folder."""

    file: str = ""


class HistoryConfig(msgspec.Struct, frozen=True):
    """What is kept of games beside the log.

    frames: whether the picture is kept that each decision rested on: a JPEG in a folder beside the
        log.  max_frames, max_mb: how many at most, and how many megabytes; the oldest go first.
    """

    frames: bool = False
    max_frames: Annotated[int, Meta(ge=1, le=100_000)] = 2000
    max_mb: Annotated[float, Meta(ge=1, le=100_000)] = 200.0


class BackupConfig(msgspec.Struct, frozen=True):
    """Backups that the companion makes by itself.

    folder: where they go, "" makes none.  every_h: one is made so long after the last at the
        latest, if anything has changed, and one after each game.  keep: how many; the oldest go.
    """

    folder: str = ""
    every_h: Annotated[float, Meta(ge=1, le=8760)] = 24.0
    keep: Annotated[int, Meta(ge=1, le=1000)] = 10


class Config(msgspec.Struct, frozen=True):
    """All settings; the sections are frozen, so that the defaults can be shared."""

    table: TableConfig = TableConfig()
    camera: CameraConfig = CameraConfig()
    web: WebConfig = WebConfig()
    wifi: WifiConfig = WifiConfig()
    log: LogConfig = LogConfig()
    history: HistoryConfig = HistoryConfig()
    backup: BackupConfig = BackupConfig()
    lights: StripConfig = StripConfig()
    display: PanelConfig = PanelConfig()
    sound: SoundConfig = SoundConfig()
    sensors: SensorsConfig = SensorsConfig()
    buttons: ButtonsConfig = ButtonsConfig()
    pins: PinsConfig = PinsConfig()
    mqtt: MqttConfig = MqttConfig()
    hub: HubConfig = HubConfig()


_NEEDED: Final = {
    "idol_a": "idol_b", "idol_b": "idol_a", "idol_index": "idol_a",
    "tilt_1": "tilt_0", "tilt_2": "tilt_1",
}  # fmt: skip
"""The wire without which another is of no use."""


def check(config: Config) -> None:
    """Raise Misfit, BadValue or BadPins if sections contradict each other."""
    check_table(config.table)
    check_web(config.web)
    check_wifi(config.wifi)
    check_mqtt(config.mqtt)
    _check_camera(config)
    _check_board(config)
    _check_wires(config, pin_plan(config))


def _check_camera(config: Config) -> None:
    game, camera = config.table.game, camera_of(config)
    is_shipped = camera.source == "recording" and not camera.folder
    if is_shipped and game not in (AUTO, *recordings()):
        raise Misfit(
            f"camera.source is 'recording', but no recording of {game} is included; set it to"
            " 'none', or camera.folder to a recording"
        )


def camera_of(config: Config) -> CameraConfig:
    """Return the camera that the table uses: none where the only game has no mat to be seen.

    A recording that is named is shown all the same.
    """
    game, camera = config.table.game, config.camera
    is_named = camera.source == "recording" and camera.folder
    if game == AUTO or GAMES[game].has_mat or is_named:
        return camera
    return replace(camera, source="none")


def as_used(config: Config) -> Config:
    """Return *config* with the camera that the table uses."""
    return replace(config, camera=camera_of(config))


def _check_board(config: Config) -> None:
    pins = config.pins
    if pins.board == "header":
        check_buses(config.lights, config.display)
    if pins.port and pins.board != "pico":
        raise Misfit(
            f"pins.port is {show(pins.port)}, but pins.board is '{pins.board}'; set pins.board to"
            " 'pico', or pins.port to ''"
        )


def _check_wires(config: Config, plan: PinPlan) -> None:
    if config.sensors.kind == "wired" and not plan.named("tilt", "idol"):
        raise Misfit(
            "sensors.kind is 'wired', but no sensor has a pin; set its pins under [pins], for"
            " example tilt_0 = true, idol_a = true and idol_b = true"
        )
    if config.buttons.kind == "wired" and not plan.named(*BUTTONS):
        raise Misfit(
            "buttons.kind is 'wired', but no button has a pin; set its pin under [pins], for"
            " example done_0 = true"
        )
    for role, needed in _NEEDED.items():
        if plan.find(role) and not plan.find(needed):
            raise Misfit(f"pins.{role} is set, but pins.{needed} is not; set both")


def is_wired(config: Config) -> bool:
    """Return whether sensors or buttons are at the ends of wires."""
    return "wired" in (config.sensors.kind, config.buttons.kind)


def pin_plan(config: Config) -> PinPlan:
    """Return where every wire ends, the lights' data among them; raises BadPins."""
    board = PICO if config.pins.board == "pico" else HEADER
    lights = {"pixels": config.lights.pin} if config.lights.kind == "neopixel" else {}
    return plan_pins({**config.pins.wires, **lights}, board, settings={"pixels": "lights.pin"})


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
    name = "recordings.db" if camera_of(config).source == "recording" else "games.db"
    return state_folder() / name


def frames_folder(log: Path) -> Path:
    """Return where the pictures are kept that decisions rested on: beside the *log*."""
    return log.with_suffix(".frames")


def example() -> str:
    """Return the defaults as TOML; deploy/tiki.toml says the same with comments."""
    lines = []
    for name, section in msgspec.structs.asdict(Config()).items():
        values = msgspec.structs.asdict(section)
        lines.append(f"[{name}]")
        lines += [f"{key} = {_toml(value)}" for key, value in values.items() if key != "wires"]
        lines.append("")
    return "\n".join(lines)


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
