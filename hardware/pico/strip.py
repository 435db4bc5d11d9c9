"""A strip of lights whose data wire is on the Pico."""

from contextlib import suppress

from hardware.lights import LightStrip, Strip
from hardware.neopixels import NAME, StripConfig
from hardware.output_worker import RESEND_S, OnTrouble, OutputWorker, ignore_trouble
from hardware.pico.link import LinkLost, PicoLink


class _Lights:
    """The lights of a link as a `hardware.output_worker.Connection`."""

    def __init__(self, link: PicoLink, config: StripConfig) -> None:
        self._link = link
        self._config = config

    def show(self, value: Strip) -> None:
        share = self._config.brightness
        dimmed = tuple(
            (int(red * share), int(green * share), int(blue * share)) for red, green, blue in value
        )
        with suppress(LinkLost):  # the link tells of it, and it is shown when the Pico is back
            self._link.show_lights(dimmed, self._config.order)

    def close(self) -> None:
        """Let nothing go: the link is not the strip's own."""


def explain(error: Exception) -> str:
    """Return one line with the remedy from what showing lights has raised."""
    return f"{NAME}: {error}"


class PicoStrip(LightStrip):
    """A strip of WS2812 lights on a Pico.

    A value is on its way when it has been set; a thread of its own takes it there.  Whatever keeps
    the Pico away is the link's to report; when it is back, it shows the value again at once.
    """

    __slots__ = ("_latest", "_link", "_worker")

    def __init__(
        self,
        link: PicoLink,
        config: StripConfig,
        on_trouble: OnTrouble = ignore_trouble,
        *,
        resend_s: float = RESEND_S,
    ) -> None:
        self._link = link
        self._latest: Strip = ()
        self._worker: OutputWorker[Strip] = OutputWorker(
            NAME,
            lambda: _Lights(link, config),
            explain,
            on_trouble,
            resend_s=resend_s,
        )
        super().__init__(config.lights, config.budget_ma, config.brightness)
        link.on_connected.append(self._show_again)

    @property
    def trouble(self) -> str:
        """What keeps the lights dark, in one line with the remedy; "" while they work."""
        return self._worker.trouble or self._link.trouble or super().trouble

    def _show_again(self) -> None:
        self._worker.submit(self._latest)

    def _write(self, value: Strip) -> None:
        self._latest = value
        self._worker.submit(value)

    def _release(self) -> None:
        self._link.on_connected.remove(self._show_again)
        self._worker.close()
