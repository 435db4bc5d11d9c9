"""Closing: parts are put to rest side by side, and one that hangs keeps no other from it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from threading import Thread
from typing import Final

CLOSE_LIMIT_S: Final = 1.2
"""A device that hangs must not keep the process from ending, nor the log from being closed."""

logger = logging.getLogger(__name__)


async def end_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel *tasks* and wait for them; with what one has failed before is logged."""
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            logger.error("A job of the companion has failed", exc_info=outcome)


async def close_parts(
    parts: Mapping[str, Callable[[], None]], limit_s: float = CLOSE_LIMIT_S
) -> list[str]:
    """Close *parts*, each in a thread of its own; return those that may still run after *limit_s*.

    parts: by their name for people, what closes each. What one raises is logged.
    """
    left = await asyncio.gather(*(_close(name, act, limit_s) for name, act in parts.items()))
    return [name for name in left if name]


async def _close(name: str, act: Callable[[], None], limit_s: float) -> str:
    loop = asyncio.get_running_loop()
    closed = asyncio.Event()
    failed: list[Exception] = []

    def work() -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - drivers raise what they like
            failed.append(error)
            logger.warning("%s could not be closed: %s", name, error)
        with contextlib.suppress(RuntimeError):  # the loop has ended; nobody waits any more
            loop.call_soon_threadsafe(closed.set)

    # No executor: the process would wait for its threads, and so for what hangs.
    Thread(target=work, name=f"close {name}", daemon=True).start()
    try:
        await asyncio.wait_for(closed.wait(), limit_s)
    except TimeoutError:
        logger.warning("%s did not stop within %.1f s and was left", name, limit_s)
        return name
    return name if failed else ""
