"""Why the Pico has started, and its next start after a fault."""

import time
import traceback

import microcontroller

_FAULT = 0xFA
_FRESH_S = 10.0
RESET_AFTER_S = 2.0


def reason() -> str:
    """Return why it has started: power, reset, fault, or another word of CircuitPython's."""
    nvm = microcontroller.nvm
    if nvm and nvm[0] == _FAULT:
        nvm[0] = 0
        return "fault"
    told = str(microcontroller.cpu.reset_reason).split(".")[-1].lower()
    return {"power_on": "power", "software": "reset", "reset_pin": "reset"}.get(told, told)


def fail(fault: Exception, started_by: str) -> None:
    """Tell the *fault* on the console and start anew, or stop if a start does not cure it.

    Raises *fault* to stop: the console then keeps it, and the drive stays for a repair.
    """
    if started_by == "fault" and time.monotonic() < _FRESH_S:
        raise fault
    traceback.print_exception(fault)
    if microcontroller.nvm:
        microcontroller.nvm[0] = _FAULT
    time.sleep(RESET_AFTER_S)
    microcontroller.reset()
