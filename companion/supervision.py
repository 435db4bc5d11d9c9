"""Supervision: a job beside the game that fails is named on the pages, and begun again."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from companion.language.message import say

Job: TypeAlias = Callable[[], Awaitable[None]]
Report: TypeAlias = Callable[[str, str], None]
"""Is told the name of a job and what is wrong with it, "" for nothing."""
PAUSES_S: Final = (1.0, 60.0)
"""The shortest and the longest pause before a job begins again; each is twice the one before, so
that one that always fails does not keep a core busy."""
STEADY_S: Final = 30.0
"""A job that has lasted so long is well again."""
logger = logging.getLogger(__name__)


def begin_jobs(jobs: Mapping[str, Job], report: Report) -> list[asyncio.Task[None]]:
    """Return *jobs* as tasks, each under supervision; see `supervise`."""
    return [asyncio.create_task(supervise(name, job, report)) for name, job in jobs.items()]


async def supervise(
    name: str,
    job: Job,
    report: Report,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Run *job*, and again after each failure, until it ends by itself.

    name: of what people miss meanwhile.  sleep: waits so many seconds.
    """
    loop = asyncio.get_running_loop()
    pause_s, logged = PAUSES_S[0], set[tuple[object, ...]]()
    while True:
        began_s = loop.time()
        steady = loop.call_later(STEADY_S, report, name, "") if logged else None
        try:
            await job()
        except Exception as error:
            if (place := _place_of(error)) not in logged:
                logged.add(place)
                logger.exception("A job of the companion has failed: %s", name)
            kind = type(error).__name__
        else:
            if logged:
                report(name, "")
            return
        finally:
            if steady is not None:
                steady.cancel()
        # Without the error's own text: it may contain a secret.
        trouble = say(
            "failed and is restarting by itself ({kind}); restart the companion if this goes on",
            kind=kind,
        )
        try:
            report(name, trouble)
        except Exception:
            logger.exception("It could not be told that %s failed", name)
        if loop.time() - began_s >= STEADY_S:
            pause_s = PAUSES_S[0]
        await sleep(pause_s)
        pause_s = min(2 * pause_s, PAUSES_S[1])


def _place_of(error: Exception) -> tuple[object, ...]:
    """Return what two failures share that are the same fault: the kind, and where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return type(error), frame.filename, frame.lineno
