"""Work that may take long, beside the event loop."""

import asyncio
import contextlib
from collections.abc import Callable
from threading import Thread
from typing import Any, TypeVar, cast

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Return what *work* returns, or raise what it raises.

    In a thread that nobody waits for at the end: a database that does not answer must not keep the
    hub from stopping.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Any] = loop.create_future()

    def settle(result: object, error: BaseException | None) -> None:
        if not found.done():
            if error is None:
                found.set_result(result)
            else:
                found.set_exception(error)

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop has ended; nobody waits any more
            loop.call_soon_threadsafe(settle, result, failure)

    Thread(target=run, name="hub work", daemon=True).start()
    return cast("T", await found)
