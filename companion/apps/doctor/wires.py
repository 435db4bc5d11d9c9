"""The header's pins, the buses, and the permissions to use them."""

import errno
import re
from collections.abc import Mapping
from typing import Final

from companion.apps.doctor.computer import pi_model
from companion.apps.doctor.machine import Machine
from companion.apps.doctor.requirements import ON_I2C, ON_SPI, Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, simulated, skipped
from companion.validation import some_of
from hardware.device import HardwareError
from hardware.pins import HEADER, PICO, SPI, UART, Pin

GROUPS: Final = {
    "/dev/gpiochip*": "gpio",
    "/dev/pio0": "gpio",
    "/dev/i2c-*": "i2c",
    "/dev/spidev*": "spi",
    "/dev/video*": "video",
    "/dev/ttyACM*": "dialout",
}
"""Who may use what, by Raspberry Pi OS's own udev rules."""
DISPLAYS: Final = (0x3C, 0x3D)
CONFIG_TXT: Final = "/boot/firmware/config.txt"
_DEAF_FROM: Final = (6, 6)
"""The kernel from which on RPi.GPIO detects no edges."""
MOST_NAMED: Final = 4
_RESTART: Final = "then restart"


def check_pins(machine: Machine, requirements: Requirements) -> Verdict:
    """Return where each wire ends, and which other program uses its pin of the header."""
    prefix = requirements.plan.board.prefix
    plan = ", ".join(
        f"{role.name} {prefix}{pin.number}" for role, pin in requirements.plan.pins.items()
    )
    if requirements.plan.board is PICO:
        if requirements.pico:
            return ok(f"on the Pico: {plan}")
        return simulated(f"nothing is configured on the Pico; the plan: {plan or 'no wires'}")
    if not pi_model(machine) and not requirements.header:
        wires = f"the plan: {plan}" if plan else "the settings name no wires"
        return simulated(f"no header here; {wires}")
    if conflict := _conflict(machine, requirements) or _deaf(machine, requirements):
        return conflict
    try:
        users = machine.pin_users(requirements.factory)
    except HardwareError as error:
        if not requirements.header:
            return simulated(f"nothing is configured on them, and {error}")
        what, _, remedy = str(error).partition("; ")
        return failed(what, remedy or "restart, then run it again")
    chip = machine.header_chip(requirements.factory)
    where = f" on {chip}" if chip else ""
    if not requirements.header:
        return simulated(
            f"{requirements.factory} opens the pins{where}, nothing is configured on them; {plan}"
        )
    held = [(role, pin) for role, pin in requirements.plan.pins.items() if pin.number in users]
    if held:
        return failed(
            some_of([f"{role.name}: {_holder(pin, users)}" for role, pin in held], MOST_NAMED),
            "stop the program (the companion itself, if it runs), or set"
            f" pins.{held[0][0].name} to another pin",
        )
    return ok(f"{requirements.factory} opens them{where}, and nothing else uses one: {plan}")


def _holder(pin: Pin, users: Mapping[int, str]) -> str:
    return f"{HEADER.label(pin)} is held by {users[pin.number]}"


def _conflict(machine: Machine, requirements: Requirements) -> Verdict | None:
    if requirements.sensors != "wired":
        return None
    # The Pi 5's ttyAMA10 is a socket of its own.
    if _console(machine) and (role := _role_on(requirements, UART)):
        return failed(
            f"{role[0]}: {HEADER.label(role[1])} is also the serial console",
            f"switch it off: sudo raspi-config nonint do_serial_cons 1, {_RESTART}",
        )
    if machine.find("/dev/spidev0.*") and (role := _role_on(requirements, SPI)):
        lines = machine.read(CONFIG_TXT).splitlines()
        if not any(re.match(r"\s*dtoverlay=spi0-1cs\b.*\bno_miso\b", line) for line in lines):
            return failed(
                f"{role[0]}: {HEADER.label(role[1])} is also claimed by SPI",
                f"write dtoverlay=spi0-1cs,no_miso in {CONFIG_TXT} in place of dtparam=spi=on,"
                f" {_RESTART}",
            )
    return None


def _console(machine: Machine) -> bool:
    line = machine.read("/proc/cmdline")
    return re.search(r"\bconsole=(serial0|ttyS0|ttyAMA0)\b", line) is not None


def _role_on(requirements: Requirements, shared: str) -> tuple[str, Pin] | None:
    for role, pin in requirements.plan.pins.items():
        if pin.shared == shared:
            return role.name, pin
    return None


def _deaf(machine: Machine, requirements: Requirements) -> Verdict | None:
    found = re.match(r"(\d{1,3})\.(\d{1,3})", machine.read("/proc/sys/kernel/osrelease"))
    if requirements.sensors != "wired" or requirements.factory != "rpigpio" or not found:
        return None
    if tuple(map(int, found.groups())) < _DEAF_FROM:
        return None
    return failed(
        f"RPi.GPIO detects no edges on this kernel, {found[0]}", 'set pins.factory to "lgpio"'
    )


def check_permissions(machine: Machine, _: Requirements) -> Verdict:
    """Say whether this user may use what is there."""
    nodes = [(node, group) for pattern, group in GROUPS.items() for node in machine.find(pattern)]
    if not nodes:
        return skipped("no device needs extra permissions")
    refused = [(node, group) for node, group in nodes if not machine.usable(node)]
    if not refused:
        kinds = ", ".join(dict.fromkeys(group for _, group in nodes))
        return ok(f"all {len(nodes)} devices can be used ({kinds})")
    detail = f"no permission for {some_of([node for node, _ in refused], MOST_NAMED)}"
    if not pi_model(machine):
        return skipped(f"{detail}; the checks that need it say so below")
    missing = sorted({group for _, group in refused} - machine.groups())
    if missing:
        return failed(detail, f"sudo usermod -aG {','.join(missing)} $USER, then log in again")
    groups = " and ".join(sorted({group for _, group in refused}))
    return failed(
        detail, f"sudo apt full-upgrade, whose rules give it to the group {groups}, {_RESTART}"
    )


def check_i2c(machine: Machine, requirements: Requirements) -> Verdict:
    """Say who answers on the display's bus.  Only a Raspberry Pi's bus is ever called.

    Other computers have their memory's chips on such a bus, which are better left in peace.
    """
    needed = requirements.display in ON_I2C
    node = f"/dev/i2c-{requirements.bus}"
    if not pi_model(machine):
        if not needed:
            return skipped("no Raspberry Pi, and nothing is configured on I2C")
        return failed(
            f"the {requirements.display} needs a Raspberry Pi", 'set display.kind to "fake"'
        )
    if not machine.exists(node):
        if not needed:
            return skipped("I2C is off, and nothing is configured on it")
        return failed(f"there is no {node}", f"sudo raspi-config nonint do_i2c 0, {_RESTART}")
    try:
        found = machine.i2c_addresses(requirements.bus)
    except PermissionError:
        return failed(f"no permission for {node}", "sudo usermod -aG i2c $USER, then log in again")
    except OSError as error:
        stuck = "is stuck" if error.errno == errno.ETIMEDOUT else f"fails ({error.strerror})"
        return failed(
            f"{node} {stuck}",
            "unplug everything on SDA and SCL, physical pins 3 and 5, and restart; one of these"
            " wires is shorted or swapped",
        )
    return _judge_addresses(found, requirements) if needed else ok(_spell(node, found))


def _judge_addresses(found: tuple[int, ...], requirements: Requirements) -> Verdict:
    detail = _spell(f"/dev/i2c-{requirements.bus}", found)
    if requirements.address in found:
        return ok(detail)
    if other := [address for address in found if address in DISPLAYS]:
        return failed(
            f"{detail}, not the display's 0x{requirements.address:02X}",
            f"set display.address to 0x{other[0]:02X}",
        )
    return failed(
        f"{detail}; the display should be at 0x{requirements.address:02X}",
        "check its four wires: VCC to physical pin 1, GND to 6, SDA to 3, SCL to 5",
    )


def _spell(node: str, found: tuple[int, ...]) -> str:
    names = [f"0x{each:02X}" + " (a display)" * (each in DISPLAYS) for each in found]
    return f"{', '.join(names) or 'nothing'} {'answer' if len(names) > 1 else 'answers'} on {node}"


def check_spi(machine: Machine, requirements: Requirements) -> Verdict:
    """Say whether the bus of matrix and seven-segment displays is there; they never answer."""
    nodes = machine.find("/dev/spidev0.*")
    if requirements.display not in ON_SPI:
        return skipped(f"SPI is {'on' if nodes else 'off'}, and nothing is configured on it")
    if not nodes:
        return failed(
            "there is no /dev/spidev0.0", f"sudo raspi-config nonint do_spi 0, {_RESTART}"
        )
    if not machine.usable(nodes[0]):
        return failed(
            f"no permission for {nodes[0]}", "sudo usermod -aG spi $USER, then log in again"
        )
    return ok(f"{nodes[0]} is there; a MAX7219 cannot answer, so check that it shows something")
