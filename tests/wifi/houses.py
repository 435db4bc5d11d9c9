"""Houses with Wi-Fi: what is in sight of a table, and its own as it is while phones can join it."""

from typing import Final

from companion.wifi.fake_radio import FakeRadio
from companion.wifi.own_wifi import OwnWifi
from companion.wifi.radio import Credentials, Network

OWN: Final = Credentials("Tiki-7K4M", "k7m4px2h9d")
NETWORKS: Final = (
    Network("Café <2>", 80, "open"),
    Network("Home", 60),
    Network("Far", 10, "sae"),
    Network("Office", 50, "other"),
)


def open_wifi(*, is_open: bool = True) -> OwnWifi:
    """Return the table's own Wi-Fi as it is while phones can join it."""
    own_wifi = OwnWifi(FakeRadio({}), OWN, next_address="http://tiki.local:8321")
    own_wifi.is_open, own_wifi.networks = is_open, NETWORKS
    return own_wifi
