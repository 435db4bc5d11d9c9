"""The event queue: what other threads report is handled on the event loop, in order.

While the log cannot be written, all of it waits in that order: the pictures of a table on which
people play on are judged one after the other as soon as the log can be written again.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from companion.session.log import Log, LogError

MAX_WAITING: Final = 2000
"""So many calls wait at most: some hours of play.  What is reported then is left out, until the
table is looked at again."""
logger = logging.getLogger(__name__)


class EventQueue:
    """Calls posted from any thread, run on the event loop.

    log: while it cannot be written, only urgent calls are run.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._loop: asyncio.AbstractEventLoop | None = None
        self._calls: deque[Callable[[], None]] = deque()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run on *loop* from now on, beginning with what was posted before."""
        self._loop = loop
        for _ in tuple(self._calls):
            loop.call_soon(self._run_oldest)

    def post(self, call: Callable[[], None]) -> None:
        """Run *call* when it is its turn; from any thread."""
        if self._is_blocked() and len(self._calls) >= MAX_WAITING:
            return
        self._calls.append(call)
        self._wake(self._run_oldest)

    def post_urgent(self, call: Callable[[], None]) -> None:
        """Run *call* soon, whatever waits; from any thread.  It writes nothing to the log."""
        if self._loop is None:
            self.post(call)
        else:
            self._wake(call)

    def retry(self) -> None:
        """Let a log that failed try again; if it can be written, run what has waited."""
        if self._is_blocked() and self._log.retry():
            while self._calls and not self._is_blocked():
                self._run_oldest()

    def _wake(self, call: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended; nobody listens any more
                self._loop.call_soon_threadsafe(call)

    def _run_oldest(self) -> None:
        """Run the oldest call, unless it has run already or the log cannot be written."""
        if self._is_blocked() or not self._calls:
            return
        call = self._calls.popleft()
        try:
            call()
        except LogError as error:
            logger.warning("%s", error)
            if self._is_blocked():
                self._calls.appendleft(call)

    def _is_blocked(self) -> bool:
        return bool(self._log.trouble)
