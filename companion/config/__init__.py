"""The owner's settings: a TOML file; unknown keys and values out of bounds are refused.

Each section is a struct whose fields are the keys, with their types, bounds and defaults.
deploy/tiki.toml is the commented example with all keys at their defaults.
"""

from companion.config.devices import CameraConfig, PinsConfig, SensorsConfig
from companion.config.hub import HubConfig
from companion.config.mqtt import MqttConfig
from companion.config.reading import BadConfig, load_config, override, parse_config
from companion.config.sections import (
    BackupConfig,
    Config,
    as_used,
    camera_of,
    example,
    frames_folder,
    is_wired,
    log_path,
    pin_plan,
    state_folder,
)
from companion.config.table import AUTO, TableConfig, table_header
from companion.config.wifi import WifiConfig

__all__ = [
    "AUTO",
    "BackupConfig",
    "BadConfig",
    "CameraConfig",
    "Config",
    "HubConfig",
    "MqttConfig",
    "PinsConfig",
    "SensorsConfig",
    "TableConfig",
    "WifiConfig",
    "as_used",
    "camera_of",
    "example",
    "frames_folder",
    "is_wired",
    "load_config",
    "log_path",
    "override",
    "parse_config",
    "pin_plan",
    "state_folder",
    "table_header",
]
