"""From the settings to the table's own Wi-Fi, and to the daemon that has it."""

import os
import socket
from pathlib import Path

import pytest

from companion.config import CameraConfig, Config, WifiConfig
from companion.config.sections import LogConfig
from companion.config.web import WebConfig
from companion.daemon import Daemon
from companion.wifi.start import open_own_wifi

AUTO = WifiConfig(access_point="auto")


@pytest.fixture
def listener() -> socket.socket:
    """Return a socket on port 8321, as far as it tells."""

    class Listener:
        def getsockname(self) -> tuple[str, int]:
            return "0.0.0.0", 8321

    return Listener()  # type: ignore[return-value]


def test_addresses_are_those_that_are_served(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Port 80 only where systemd has opened it; a name of the owner's goes first."""
    monkeypatch.setattr(socket, "gethostname", lambda: "tiki.example")
    own_wifi = open_own_wifi(Config(wifi=AUTO), None, listener)
    assert own_wifi
    assert own_wifi.address == "http://10.42.0.1:8321"
    assert own_wifi.next_address == "http://tiki.local:8321"
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    config = Config(wifi=AUTO, web=WebConfig(address="https://tiki.example.org"))
    own_wifi = open_own_wifi(config, None, listener)
    assert own_wifi
    assert own_wifi.address == "http://10.42.0.1"
    assert own_wifi.next_address == "https://tiki.example.org"


@pytest.mark.parametrize("wifi", [AUTO, WifiConfig()])
def test_the_daemon_has_one_if_it_is_wanted(tmp_path: Path, wifi: WifiConfig) -> None:
    """Its name and password are kept beside the log."""
    config = Config(
        camera=CameraConfig(source="none"),
        web=WebConfig(host="127.0.0.1", port=0),
        log=LogConfig(file=str(tmp_path / "games.db")),
        wifi=wifi,
    )
    daemon = Daemon(config)
    try:
        is_wanted = wifi is AUTO
        assert (daemon.table.own_wifi is not None) == is_wanted
        assert (tmp_path / "games.wifi.json").exists() == is_wanted
    finally:
        daemon.rig.close()
        daemon.log.close()
        daemon._listener.close()
