"""The table's own Wi-Fi: whether there is one, and under which name."""

from typing import Final, Literal

import msgspec

from companion.validation import Misfit, show

MAX_NAME_BYTES: Final = 32
PASSWORD_CHARS: Final = range(8, 64)
"""Both as Wi-Fi has them."""


class WifiConfig(msgspec.Struct, frozen=True):
    """What the table does where it is in no network.

    access_point: "auto" opens a Wi-Fi of its own until a phone has brought it into a network.
    name, password: of that Wi-Fi; "" makes them once, and keeps them beside the log.
    """

    access_point: Literal["off", "auto"] = "off"
    name: str = ""
    password: str = ""


def check_wifi(wifi: WifiConfig) -> None:
    """Raise Misfit if phones could not join by that name and password; no password is shown."""
    if len(wifi.name.encode()) > MAX_NAME_BYTES or not wifi.name.isprintable():
        raise Misfit(
            f"wifi.name is {show(wifi.name)}; it must be of at most {MAX_NAME_BYTES} letters"
            " (bytes of UTF-8)"
        )
    password = wifi.password
    if password and not (
        len(password) in PASSWORD_CHARS and password.isascii() and password.isprintable()
    ):
        raise Misfit(
            f"wifi.password has {len(password)} letters, or one that some phones cannot type; it"
            f" must be of {PASSWORD_CHARS[0]} to {PASSWORD_CHARS[-1]} letters, digits or signs"
        )
