"""All checks, in the order in which to fix what fails, and running them."""

import time
from collections.abc import Callable, Mapping
from threading import Thread
from typing import Final, NamedTuple, TypeAlias

from companion.apps.doctor.computer import (
    check_board,
    check_clock,
    check_memory,
    check_power,
    check_system,
)
from companion.apps.doctor.devices import (
    check_camera,
    check_display,
    check_eyes,
    check_lights,
    check_sound,
)
from companion.apps.doctor.keeping import check_disk, check_page
from companion.apps.doctor.machine import Machine
from companion.apps.doctor.network import check_network
from companion.apps.doctor.pico import check_serial
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed
from companion.apps.doctor.wifi import check_wifi
from companion.apps.doctor.wires import (
    check_i2c,
    check_permissions,
    check_pins,
    check_spi,
)

Examine: TypeAlias = Callable[[Machine, Requirements], Verdict]
CHECK_TIMEOUT_S: Final = 10.0
REPORT: Final = "restart and run it again; if it still fails, report this line"

CHECKS: Final[Mapping[str, Examine]] = {
    "board": check_board,
    "system": check_system,
    "power": check_power,
    "memory": check_memory,
    "disk": check_disk,
    "clock": check_clock,
    "permissions": check_permissions,
    "pins": check_pins,
    "i2c": check_i2c,
    "spi": check_spi,
    "serial": check_serial,
    "lights": check_lights,
    "display": check_display,
    "sound": check_sound,
    "camera": check_camera,
    "eyes": check_eyes,
    "page": check_page,
    "wifi": check_wifi,
    "network": check_network,
}


class Check(NamedTuple):
    """One check's name and what it says."""

    name: str
    verdict: Verdict

    def to_json(self) -> dict[str, str]:
        """Return it as `tiki doctor --json` prints it."""
        verdict = self.verdict
        return {
            "name": self.name,
            "status": verdict.status,
            "detail": verdict.detail,
            "remedy": verdict.remedy,
        }


def examine(
    machine: Machine,
    requirements: Requirements,
    checks: Mapping[str, Examine] = CHECKS,
    timeout_s: float = CHECK_TIMEOUT_S,
) -> tuple[Check, ...]:
    """Return what every one of *checks* says, in order; none can raise, or take over *timeout_s*.

    All run at once.  One that hangs, in a driver perhaps, is left behind and said to have failed.
    """
    verdicts: dict[str, Verdict] = {}

    def attend(name: str) -> None:
        try:
            verdicts[name] = checks[name](machine, requirements)
        except Exception as error:  # noqa: BLE001 - what a check did not foresee is a finding too
            verdicts[name] = failed(f"this check failed: {type(error).__name__}: {error}", REPORT)

    threads = {name: Thread(target=attend, args=(name,), daemon=True) for name in checks}
    for thread in threads.values():
        thread.start()
    until_s = time.monotonic() + timeout_s
    for thread in threads.values():
        thread.join(max(until_s - time.monotonic(), 0.0))
    late = failed(f"no answer within {timeout_s:g} s", REPORT)
    return tuple(Check(name, verdicts.get(name, late)) for name in checks)
