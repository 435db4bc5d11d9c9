"""CircuitPython's `neopixel_write`: tells the simulation what it would send down the strip."""

import digitalio
import simulation


def neopixel_write(pin, buf):
    """Send *buf* down the strip at *pin*."""
    if pin.direction != digitalio.Direction.OUTPUT:
        raise ValueError("the pin is not an output")
    simulation.tell(simulation.PIXELS, bytes([pin.pin.number]) + bytes(buf))
