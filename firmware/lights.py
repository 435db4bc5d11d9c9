"""The strip of NeoPixels.  The Pi has dimmed the colours already, and kept them to its budget."""

import board
import neopixel
from wire import USUAL_ORDER


class Lights:
    """So many lights, its *count*, with their data wire at this GP *number*; dark at the start."""

    def __init__(self, number: int, count: int) -> None:
        self._pin = getattr(board, f"GP{number}")
        self._count = count
        self._dark = True
        self._open(USUAL_ORDER)

    def _open(self, order: str) -> None:
        # Told red, green and blue alike, lights with a white of their own show that: the library
        # sees to it.
        self._order = order
        self._pixels = neopixel.NeoPixel(
            self._pin, self._count, brightness=1.0, auto_write=False, pixel_order=order
        )
        self._pixels.show()

    def reorder(self, order: str) -> None:
        """Let the lights take their colours in *order*; another than before puts them out."""
        if order != self._order:
            self._pixels.deinit()
            self._open(order)
            self._dark = True

    def take(self, first: int, colours: bytes) -> bool:
        """Remember *colours*, three bytes for each light from *first* on; False if it has fewer."""
        if first < 0 or first + len(colours) // 3 > self._count:
            return False
        for place in range(len(colours) // 3):
            red, green, blue = colours[3 * place : 3 * place + 3]
            self._pixels[first + place] = (red, green, blue)
        self._dark = False
        return True

    def show(self) -> None:
        """Show the colours that were taken."""
        self._pixels.show()

    def rest(self) -> None:
        """Go dark."""
        if not self._dark:
            self._pixels.fill(0)
            self._pixels.show()
            self._dark = True
