"""An output worker: a thread that passes values to a device which may block, fail or be unplugged.

Setting a value never waits and never raises; a failure is reported once, in one line, and the
worker tries again until the device is back.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from hardware.facts import Troubled

V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)

OnTrouble: TypeAlias = Callable[[Troubled], None]
"""Called from the worker's thread, so it must return at once."""

RESEND_S: Final = 5.0
"""How often a value is sent again, for a panel that lost its power for a moment."""
RETRY_S: Final = (1.0, 30.0)
"""The first pause after a failure, and the longest; each is twice the one before."""
HANG_S: Final = 5.0
"""A device that takes longer to show a value is reported at the next one; a sound may last."""
CLOSE_TIMEOUT_S: Final = 2.0
"""How long closing waits for the last value; a bus that hangs is abandoned."""
PERMANENT_ERRORS: Final = (ImportError, NotImplementedError)
"""What another attempt cannot cure: a missing package, or the wrong machine."""


def ignore_trouble(_: Troubled) -> None:
    """Ignore a trouble."""


class Connection(Protocol[V_contra]):
    """An open connection to a device.  Only the worker's thread uses it."""

    def show(self, value: V_contra, /) -> None:
        """Show *value*, restarting the device if need be; may block, may raise anything."""

    def close(self) -> None:
        """Give the connection back; may raise anything."""


class OutputWorker(Generic[V]):
    """Passes the newest value to a device; values that come too fast are skipped.

    device: its name, for people.  connect: opens the device, or raises anything.
    explain: makes one line with the remedy from what was raised.
    on_trouble: called once with each new trouble, and with "" when it is over.
    resend_s: the pause after which a value is shown again, RESEND_S unless told; None if a late
        value is of no use, as of a sound: it is then neither shown again nor tried again.
    """

    def __init__(
        self,
        device: str,
        connect: Callable[[], Connection[V]],
        explain: Callable[[Exception], str],
        on_trouble: OnTrouble = ignore_trouble,
        *,
        resend_s: float | None = RESEND_S,
        retry_s: tuple[float, float] = RETRY_S,
    ) -> None:
        self._device = device
        self._connect = connect
        self._explain = explain
        self._on_trouble = on_trouble
        self._resend_s = resend_s
        self._retry_s = retry_s
        self._trouble = ""
        self._changed = threading.Condition()
        self._value: list[V] = []  # the newest value, once there is one
        self._fresh = False
        self._closing = False
        self._began_s: float | None = None  # when the call began that has not returned
        self._thread = threading.Thread(target=self._work, name=device, daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str:
        """What is wrong, in one line with the remedy; "" while all is well."""
        return self._trouble

    def submit(self, value: V) -> None:
        """Take *value* to the device as soon as it can be done; returns at once."""
        with self._changed:
            self._value, self._fresh = [value], True
            self._changed.notify()
        began_s = self._began_s
        if began_s is not None and time.monotonic() - began_s > HANG_S:
            error = TimeoutError(f"has not answered for {HANG_S:.0f} s")
            self._report(self._explain(error))

    def close(self) -> None:
        """Deliver the newest value if the device is there, and let it go."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(CLOSE_TIMEOUT_S)

    def _work(self) -> None:
        connection: Connection[V] | None = None
        pause_s = self._retry_s[0]
        while self._wait_for_value(self._resend_s):
            with self._changed:
                (value,), self._fresh = self._value, False
            if self._resend_s is not None:
                self._began_s = time.monotonic()
            try:
                connection = connection or self._connect()
                connection.show(value)
            except Exception as error:  # noqa: BLE001 - drivers raise what they like
                self._began_s = None
                self._report(self._explain(error))
                _drop(connection)
                connection = None
                if isinstance(error, PERMANENT_ERRORS):
                    pause_s = threading.TIMEOUT_MAX
                if self._resend_s is not None:
                    if self._wait_until_closing(pause_s):
                        break
                    with self._changed:
                        self._fresh = True
                    pause_s = min(2 * pause_s, self._retry_s[1])
            else:
                self._began_s = None
                self._report("")
                pause_s = self._retry_s[0]
        _drop(connection)

    def _wait_for_value(self, pause_s: float | None) -> bool:
        """Return True when there is something to show, False when all is shown and it closes."""
        with self._changed:
            while not (self._fresh or self._closing):
                if not self._changed.wait(pause_s) and self._value:
                    return True
            return self._fresh

    def _wait_until_closing(self, pause_s: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._closing, pause_s)

    def _report(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._on_trouble(Troubled(self._device, trouble, time.monotonic()))


def _drop(connection: Connection[V] | None) -> None:
    if connection is not None:
        with contextlib.suppress(Exception):  # it is lost already, or no longer wanted
            connection.close()
