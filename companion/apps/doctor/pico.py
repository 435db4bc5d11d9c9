"""The serial ports, and the Pico at one of them: whether it is the right one and up to date."""

from companion import PROGRAM
from companion.apps.doctor.machine import Machine, SerialPort
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, skipped
from firmware.version import VERSION
from firmware.wire import PROTOCOL
from hardware.pico.ports import DIALOUT, PICOS, PRODUCT, NoPico, find_nodes, is_pico, taken
from hardware.pico.session import Hello
from hardware.pico.troubles import REPLUG, UPDATE, foreign, other_wiring


def check_serial(machine: Machine, requirements: Requirements) -> Verdict:
    """Say which serial devices there are; greet the Pico, if one is configured and at rest."""
    ports = machine.serial_ports()
    if not requirements.pico:
        return _list(machine, ports)
    try:
        nodes = [requirements.port] if requirements.port else find_nodes(ports)
    except NoPico as error:
        return _failed(error)
    refused = None
    for node in nodes:
        verdict = _check_pico(machine, requirements, node)
        if verdict.status == "ok":
            return verdict
        refused = refused or verdict
    return refused or skipped("no serial device")


def _list(machine: Machine, ports: tuple[SerialPort, ...]) -> Verdict:
    if not ports:
        return skipped("no serial device, and none is configured")
    for port in ports:
        if is_pico(port) and not machine.usable(port.device):
            return failed(f"no permission for {port.device}, a {_product(port)}", DIALOUT)
    return ok(", ".join(f"{_product(port)} at {port.device}" for port in ports))


def _check_pico(machine: Machine, requirements: Requirements, node: str) -> Verdict:
    if not machine.exists(node):
        return failed(
            f"nothing is plugged in at {node}",
            'plug the Pico in, or set pins.port to "", which finds it',
        )
    if not machine.usable(node):
        return failed(f"no permission for {node}", DIALOUT)
    if users := machine.holders(node):
        if PROGRAM not in users:
            return _failed(taken(node, users))
        return ok(f"the companion has the Pico at {node}, so it was not asked; the page says more")
    try:
        hello = machine.greet_pico(node)
    except NoPico as error:
        return _stranger(machine, node) or _failed(error)
    return _judge(hello, requirements, node)


def _stranger(machine: Machine, node: str) -> Verdict | None:
    for port in machine.serial_ports():
        known = is_pico(port) or port.product == PRODUCT or port.vid is None
        if port.device == node and not known:
            return failed(
                f"{_product(port)} is at {node}, and no Pico",
                'set pins.port to the Pico\'s, or to "", which finds it',
            )
    return None


def _judge(hello: Hello, requirements: Requirements, node: str) -> Verdict:
    if hello.protocol != PROTOCOL:
        return _failed(foreign(hello))
    if hello.firmware != VERSION:
        return failed(
            f"the Pico at {node} has firmware {hello.firmware}, this companion {VERSION}", UPDATE
        )
    lights = requirements.config.lights.lights if requirements.lights == "neopixel" else 0
    if trouble := other_wiring(hello, requirements.plan, lights):
        return _failed(trouble)
    return ok(
        f"{hello.board} at {node} answers: firmware {hello.firmware}, wired as the settings say,"
        f" started by {hello.reason}"
    )


def _failed(said: object) -> Verdict:
    what, _, remedy = str(said).rpartition(": ")
    return failed(what, remedy) if what else failed(remedy, REPLUG)


def _product(port: SerialPort) -> str:
    if port.vid is None or port.pid is None:
        return port.product or "a serial port"
    known = PICOS.get((port.vid, port.pid))
    return known or f"{port.product or 'a serial port'} ({port.vid:04X}:{port.pid:04X})"
