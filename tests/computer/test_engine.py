"""The process that searches: it answers, is stopped at once, and its loss is told."""

import asyncio
import os
import time

import pytest

from companion.apps.computer.engine import Engine, EngineLost
from companion.apps.computer.engine_process import NICENESS
from companion.apps.computer.tasks import task_of
from tests.referee.entering import sit
from tests.tables import sit_down

pytestmark = pytest.mark.anyio


async def test_it_answers_with_a_legal_move_from_another_process() -> None:
    """At the lowest priority; the next task goes to the same process."""
    live, engine = sit_down(2), Engine()
    try:
        choice = await engine.choose(task_of(live, 0, "gentle"))
        assert choice.action in live.referee.offers()
        pid = _pid(engine)
        assert pid != os.getpid()
        assert os.getpriority(os.PRIO_PROCESS, pid) == NICENESS
        await engine.choose(task_of(live, 0, "gentle"))
        assert _pid(engine) == pid
    finally:
        await engine.close()
    with pytest.raises(ProcessLookupError):
        os.getpriority(os.PRIO_PROCESS, pid)


async def test_a_search_that_nobody_wants_any_more_ends_at_once() -> None:
    """The process is gone, and another answers the next task."""
    live, engine = sit("tactiki", seats=2), Engine()
    await engine.choose(task_of(sit_down(2), 0, "gentle"))
    pid = _pid(engine)
    search = asyncio.create_task(engine.choose(task_of(live, 0, "strong")))
    await asyncio.sleep(0.02)
    began = time.monotonic()
    search.cancel()
    await asyncio.gather(search, return_exceptions=True)
    assert time.monotonic() - began < 0.5
    choice = await engine.choose(task_of(sit_down(2), 0, "gentle"))
    assert choice.action
    assert _pid(engine) != pid
    await engine.close()


@pytest.mark.parametrize("program", ["companion.no_such_module", "companion.apps.computer.tasks"])
async def test_a_process_that_ends_is_told(program: str) -> None:
    """In the middle of the game, which goes on without it."""
    engine = Engine(program)
    with pytest.raises(EngineLost):
        await engine.choose(task_of(sit_down(2), 0, "gentle"))
    await engine.close()


async def test_one_that_does_not_answer_is_given_up() -> None:
    """And ended."""
    engine = Engine(wait_s=0.01)
    with pytest.raises(EngineLost):
        await engine.choose(task_of(sit("tactiki", seats=2), 0, "strong"))
    await engine.close()


def _pid(engine: Engine) -> int:
    process = engine._process
    assert process is not None
    return process.pid
