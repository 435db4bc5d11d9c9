"""The computer itself: model, system, power, clock, memory."""

import re
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from companion.apps.doctor.machine import Machine
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, simulated, skipped

MIN_MEMORY_MB: Final = 150
"""The daemon takes up to 100 MB; the system needs some more."""
HOT_C: Final = 80.0
"""Where a Raspberry Pi begins to slow down."""
_BEST: Final = "Raspberry Pi OS (64-bit) of trixie, with Raspberry Pi Imager"
_STRONGER: Final = (
    "use this model's official power supply and a short, thick cable; give the lights a 5 V"
    " supply of their own, then restart"
)
_COOLER: Final = "fit a heat sink or a fan and leave space around it, then restart"
_NOW: Final = {
    0: "undervoltage now",
    1: "frequency capped now",
    2: "throttled now",
    3: "soft temperature limit reached now",
}
_ASKED: Final = ("NTPSynchronized", "NTP", "Timezone")
_UTC: Final = ("UTC", "Etc/UTC")
"""What a system has that nobody has set up; people live in other zones, some of equal time."""
_ZONE_REMEDY: Final = (
    "sudo timedatectl set-timezone Europe/Berlin, with your own place: timedatectl list-timezones;"
    " if UTC is yours, Atlantic/Reykjavik is the same"
)
_SINCE: Final = 16
"""The same bits, shifted by so many, mean "has happened since start-up"."""


def pi_model(machine: Machine) -> str:
    """Return the model as a Raspberry Pi gives it, "" on any other computer."""
    model = machine.read("/proc/device-tree/model").rstrip("\0\n")
    return model if "Raspberry Pi" in model else ""


def is_pi_5(machine: Machine) -> bool:
    """Return whether the header is behind the Raspberry Pi 5's own chip (also 500 and CM5)."""
    return re.search(r"Raspberry Pi (5|Compute Module 5)", pi_model(machine)) is not None


def check_board(machine: Machine, requirements: Requirements) -> Verdict:
    """Return which Raspberry Pi this is."""
    if model := pi_model(machine):
        return ok(model)
    if requirements.header:
        return failed(
            "this is not a Raspberry Pi, so it has no header for the configured wires",
            'set kind = "fake" under [lights], [sensors] and [buttons], or move to a Raspberry Pi,'
            ' or the wires to a Pico: pins.board = "pico"',
        )
    if requirements.pico:
        return ok("not a Raspberry Pi, and not needed: the wires end on a Pico")
    return simulated("not a Raspberry Pi; the devices on its header are simulated")


def check_system(machine: Machine, _: Requirements) -> Verdict:
    """Say which system and Python this is; on a Raspberry Pi they have to be 64-bit."""
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.read("/etc/os-release"), re.MULTILINE)
    name = found[1] if found else "an unknown system"
    detail = f"{name}, Python {machine.python}, {machine.bits}-bit"
    if pi_model(machine) and machine.bits < 64:
        return failed(detail, f"OpenCV has no ready-made 32-bit packages; install {_BEST}")
    return ok(detail)


def check_power(machine: Machine, _: Requirements) -> Verdict:
    """Say whether the supply is strong enough and the chip cool enough."""
    if not pi_model(machine):
        return skipped("only a Raspberry Pi reports its power supply")
    warmth = _temperature_c(machine)
    warm = "" if warmth is None else f", {warmth:.0f} degrees"
    answer = machine.run("vcgencmd", "get_throttled")
    if answer is None:
        return failed("vcgencmd is not installed", "sudo apt install raspi-utils")
    found = re.search(r"throttled=0x([0-9a-f]{1,8})\b", answer.output, re.IGNORECASE)
    if not found:
        return failed(
            f"vcgencmd says: {answer.output or 'nothing'}",
            "sudo usermod -aG video $USER, then log in again",
        )
    faults = spell_throttling(int(found[1], 16))
    if not faults and (warmth is None or warmth < HOT_C):
        return ok(f"enough voltage and never throttled since start-up{warm}")
    weak = any("voltage" in fault for fault in faults)
    return failed("; ".join(faults or ("too hot",)) + warm, _STRONGER if weak else _COOLER)


def spell_throttling(bits: int) -> tuple[str, ...]:
    """Return what `vcgencmd get_throttled` means.  Source: Raspberry Pi's documentation of it.

    >>> spell_throttling(0x50001)
    ('undervoltage now', 'throttled since start-up')
    """
    spelt = []
    for bit, now in _NOW.items():
        if bits >> bit & 1:
            spelt.append(now)
        elif bits >> bit + _SINCE & 1:
            spelt.append(now.replace("now", "since start-up"))
    return tuple(spelt)


def _temperature_c(machine: Machine) -> float | None:
    text = machine.read("/sys/class/thermal/thermal_zone0/temp").strip()
    return int(text) / 1000 if re.fullmatch(r"-?\d{1,6}", text) else None


def check_clock(machine: Machine, _: Requirements) -> Verdict:
    """Say what time it is where, and whether that can be true.

    A Raspberry Pi without a clock battery starts in the past.  The order of moves never hangs on
    the clock; only the times in the log do.
    """
    remedy = (
        "connect it to a network and wait a minute, or set it by hand: sudo timedatectl set-time"
        " 'YYYY-MM-DD hh:mm'"
    )
    if machine.now_s() < _born_s():
        return failed("the clock shows a date before the companion was installed", remedy)
    answer = machine.run("timedatectl", "show", *(f"--property={name}" for name in _ASKED))
    said = dict(line.partition("=")[::2] for line in answer.output.splitlines()) if answer else {}
    time, zone = _time_and_zone(machine, said.get("Timezone", ""))
    is_pi = bool(pi_model(machine))
    if is_pi and zone in _UTC:
        return failed(f"{time}: the time zone is the one that nobody has chosen", _ZONE_REMEDY)
    is_synchronised = said.get("NTPSynchronized") == "yes"
    if is_synchronised or machine.exists("/run/systemd/timesync/synchronized"):
        return ok(f"{time}; set by the network")
    if not is_pi:
        return skipped(f"{time}; this system does not report whether the network sets it")
    if said.get("NTP") == "no":
        return failed(
            f"{time}; setting the clock over the network is switched off",
            "sudo timedatectl set-ntp true",
        )
    if _keeps_time(machine):
        return ok(f"{time}; not set by the network yet, but a battery-backed clock keeps it")
    return failed(f"{time}; not set by the network yet, and no battery keeps it", remedy)


def _time_and_zone(machine: Machine, name: str) -> tuple[str, str]:
    """Return the time with the name of its zone, and that name: *name*, or UTC if there is none."""
    name = name or machine.read("/etc/timezone").strip()
    try:
        zone: tzinfo = ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        name, zone = "UTC", UTC
    return f"{datetime.fromtimestamp(machine.now_s(), zone):%H:%M}, {name}", name


def _keeps_time(machine: Machine) -> bool:
    for clock in machine.find("/sys/class/rtc/rtc*"):
        # The Pi 5 always has a clock, but its battery is bought apart: below 1 V there is none.
        battery_uv = machine.read(f"{clock}/battery_voltage").strip()
        if not re.fullmatch(r"\d{1,6}", battery_uv):
            return True
    return False


def _born_s() -> float:
    return Path(__file__).stat().st_mtime


def check_memory(machine: Machine, _: Requirements) -> Verdict:
    """Say how much memory is left for the companion."""
    found = re.search(
        r"^MemAvailable:\s+(\d{1,12}) kB", machine.read("/proc/meminfo"), re.MULTILINE
    )
    if not found:
        return skipped("this system does not report it")
    free_mb = int(found[1]) / 1024
    detail = f"{free_mb:,.0f} MB free"
    if free_mb < MIN_MEMORY_MB:
        least = f"the companion needs {MIN_MEMORY_MB} MB"
        return failed(
            detail, f"{least}; close other programs, or start without the desktop in raspi-config"
        )
    return ok(detail)
