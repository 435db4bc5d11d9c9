"""What a Pico with CircuitPython runs: the loop, and what happens if something in it fails."""

import start
import supervisor
import usb_cdc
from pico import Pico

# Files that are copied one after the other must not start it anew each time.
supervisor.runtime.autoreload = False
if usb_cdc.data is None:
    raise RuntimeError("there is no data port: copy boot.py too, then unplug the Pico for a moment")
reason = start.reason()
pico = Pico(usb_cdc.data, reason)
try:
    while True:
        pico.step()
except Exception as fault:  # noqa: BLE001 - whatever it is, a new start may cure it
    start.fail(fault, reason)
