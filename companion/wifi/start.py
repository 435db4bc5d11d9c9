"""From the settings to the table's own Wi-Fi."""

import socket
from pathlib import Path

from companion.config import Config
from companion.service import is_given_sockets
from companion.wifi.credentials import credentials_of
from companion.wifi.network_manager import NetworkManager
from companion.wifi.own_wifi import OwnWifi
from companion.wifi.radio import ADDRESS


def open_own_wifi(config: Config, file: Path | None, listener: socket.socket) -> OwnWifi | None:
    """Return what watches over the network, None if *config* wants no Wi-Fi of the table's own.

    file: where its name and password are kept.  listener: of the pages.
    """
    if config.wifi.access_point == "off":
        return None
    name, port = socket.gethostname().partition(".")[0], listener.getsockname()[1]
    # Port 80 is root's: the service manager opens it; without one, there is the companion's own.
    address = f"http://{ADDRESS}" if is_given_sockets() else f"http://{ADDRESS}:{port}"
    next_address = config.web.address or f"http://{name}.local:{port}"
    credentials = credentials_of(config.wifi, file)
    return OwnWifi(NetworkManager(), credentials, address, next_address)


async def watch_network(own_wifi: OwnWifi | None) -> None:
    """Watch over the network forever; return at once if the table has no Wi-Fi of its own."""
    if own_wifi is not None:
        await own_wifi.run()
