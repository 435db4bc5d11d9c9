"""A source: values that a device follows by itself, in a thread of their own."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from threading import Event, Thread
from typing import Generic, Protocol, TypeVar

V = TypeVar("V")


class Follows(Protocol[V]):
    """A device that can follow a source."""

    value: V
    source_delay_s: float


class Source(Generic[V]):
    """Shows one after the other of *values* on *device* until they end, fail, or `stop`.

    lock: the device's own, held while a value is shown.
    ended: called once with the error, or None at the end; not after `stop`.
    """

    def __init__(
        self,
        device: Follows[V],
        values: Iterable[V],
        lock: AbstractContextManager[bool],
        ended: Callable[[Exception | None], None],
    ) -> None:
        self.values = values
        self._device = device
        self._ended = ended
        self._stopped = Event()
        self._lock = lock
        Thread(target=self._run, name="source", daemon=True).start()

    def stop(self) -> None:
        """Show nothing more; a value that is still being made is dropped."""
        with self._lock:
            self._stopped.set()

    def _run(self) -> None:
        error: Exception | None = None
        try:
            for value in self.values:
                if not self._show(value):
                    return
                self._stopped.wait(self._device.source_delay_s)
        except Exception as failure:  # noqa: BLE001 - whatever the source raises is told, not lost
            error = failure
        with self._lock:
            if not self._stopped.is_set():
                self._stopped.set()
                self._ended(error)

    def _show(self, value: V) -> bool:
        with self._lock:
            if self._stopped.is_set():
                return False
            self._device.value = value
            return True
