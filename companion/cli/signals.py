"""Signals that stop a command which serves: it ends in order, and with status 0."""

import contextlib
import itertools
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any, Final, Self

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, the usual request to end, and a terminal that was closed."""
STOP_LIMIT_S: Final = 2.9
"""Whatever has not ended so long after the first signal is ended by force."""


class StopRequest:
    """The wish to stop, by any signal; a context manager that receives signals meanwhile.

    At first a signal ends the process at once, since nothing has been opened. After `defer` it is
    only kept, and after `call` also passed on. A second signal changes nothing. Signals that were
    ignored when the process began, as with nohup, stay ignored.
    hangs: whether something is left that would keep the process from ending by itself.
    """

    def __init__(self) -> None:
        self.hangs = False
        self._act: Callable[[], None] = _leave
        self._before: Mapping[signal.Signals, Any] = {}
        self._received = itertools.count()
        self._requested = threading.Event()
        self._in_order = False

    @property
    def requested(self) -> bool:
        """Whether a signal has come."""
        return self._requested.is_set()

    def defer(self) -> None:
        """Keep a signal from now on: what is being opened has to be closed first."""
        self._act = _wait

    def call(self, stop: Callable[[], None]) -> None:
        """Call *stop* at the first signal; at once if it has come already."""
        self._act = stop
        if self.requested:
            stop()

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            wanted = (each for each in STOP_SIGNALS if signal.getsignal(each) != signal.SIG_IGN)
            self._before = {each: signal.signal(each, self._handle) for each in wanted}
        threading.Thread(target=self._force, name="stop limit", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._in_order = True
        release_output()
        for each, handler in self._before.items():
            # Python takes a moment to end, in which another Ctrl-C must do no harm.
            signal.signal(each, signal.SIG_IGN if self.requested else handler)
        if self.hangs and error is None:
            logging.shutdown()
            os._exit(0)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        # Counted in one step: another signal may come before the event has let go of its lock.
        if next(self._received) == 0:
            self._requested.set()
            self._act()

    def _force(self) -> None:
        self._requested.wait()
        threading.Event().wait(STOP_LIMIT_S)
        if not self._in_order:
            with contextlib.suppress(OSError):
                os.write(2, b"tiki: something did not stop and was left; the game is saved\n")
        os._exit(0 if self._in_order else 1)


def release_output() -> None:
    """Flush what was printed; if its reader or terminal is gone, drop the rest without an error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with contextlib.suppress(OSError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def _leave() -> None:
    raise SystemExit(0)


def _wait() -> None:
    pass
