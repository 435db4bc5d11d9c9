"""The one thread in which photographs are read, behind all else."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Final, TypeVar

Found = TypeVar("Found")
NICENESS: Final = 10
"""Referees need the cores first."""


def step_back() -> None:
    """Let the thread that calls this wait behind others, where the machine knows of that."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_thread: Final = ThreadPoolExecutor(1, "photographs", step_back)
"""One at a time: reading takes a core for a tenth of a second to some seconds."""


async def read_aside(read: Callable[[], Found]) -> Found:
    """Return what *read* returns, in that thread, once all before it are read."""
    return await asyncio.get_running_loop().run_in_executor(_thread, copy_context().run, read)
