"""The table's own Wi-Fi: whether it could open, and phones would find its page."""

from typing import Final

from companion.apps.doctor.machine import Machine
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, skipped

PORTAL: Final = "/etc/systemd/system/tiki-portal.socket"
NAMES: Final = "/etc/NetworkManager/dnsmasq-shared.d/tiki.conf"
OFF: Final = 'wifi.access_point = "off"'


def check_wifi(machine: Machine, requirements: Requirements) -> Verdict:
    """Say whether the table could open a Wi-Fi of its own where it finds no network.

    Its password is a secret, and not said: what the doctor says goes into support bundles.
    """
    if requirements.config.wifi.access_point == "off":
        return skipped('no Wi-Fi of its own is wanted (wifi.access_point is "off")')
    if not machine.has_module("jeepney"):
        return failed("the package jeepney is missing", "run ./run once to install it")
    answer = machine.run("nmcli", "--fields", "RUNNING,WIFI", "--terse", "general")
    if answer is None or not answer.output.startswith("running:"):
        return failed(
            "NetworkManager does not run, which opens it",
            f"sudo apt install network-manager, or set {OFF}",
        )
    if not answer.output.endswith(":enabled"):
        return failed(
            "the Wi-Fi is switched off",
            "set the country: sudo raspi-config, Localisation Options, WLAN Country",
        )
    devices = machine.run("nmcli", "--terse", "--fields", "TYPE,STATE", "device")
    states = [line.split(":") for line in (devices.output if devices else "").splitlines()]
    if not any(kind == "wifi" and state != "unmanaged" for kind, state, *_ in states):
        return failed("NetworkManager has no Wi-Fi here", f"connect one, or set {OFF}")
    missing = [path for path in (PORTAL, NAMES) if not machine.exists(path)]
    if missing:
        return failed(
            f"phones would not find its page by themselves: there is no {', no '.join(missing)}",
            "run deploy/install.sh again; docs/wifi.md says what they do",
        )
    return ok("one of its own opens where no network is; the host’s desk has its password")
