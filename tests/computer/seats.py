"""A table at which the companion plays a seat, with choices that a test makes for it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from companion.apps.computer.engine import Task
from companion.apps.computer.seats import ComputerSeats
from companion.referee.intention import Intention
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from tests.tables import open_log, sit_down

TOLD = "Tiki Up 2 on Nani"
MEANT = Intention(1, "up2 nani", f"Move for Bob: {TOLD}", TOLD, (2, 0), "m")
TURNS = 30
"""So many turns of the event loop are enough for all that follows from one change."""


Pick = Callable[[Task, list[str]], str]


def first(_task: Task, legal: list[str]) -> str:
    """Choose what is listed first."""
    return legal[0]


def only(action: str) -> Pick:
    """Return who chooses *action* whatever is legal."""
    return lambda _task, _legal: action


@dataclass
class Scripted:
    """Chooses what *pick* says of the legal actions; keeps what it was asked."""

    pick: Pick
    tasks: list[Task]
    rules: Any

    async def choose(self, task: Task) -> Any:
        """Return the choice for *task*."""
        self.tasks.append(task)
        await asyncio.sleep(0)
        legal = [self.rules.format_action(each) for each in self.rules.legal_actions(task.seen)]
        picked = self.pick(task, legal)
        rest = [(each, 0.5) for each in legal if each != picked]
        return Chosen(picked, ((picked, 0.6), *rest))


@dataclass
class Chosen:
    """What was chosen, and the values of all that could be."""

    action: str
    values: tuple[tuple[str, float], ...] = ()


def with_computers(live_session: LiveSession, *levels: str, log: Log | None = None) -> LiveSession:
    """Return the same table anew, at which the companion plays at *levels*, by seat."""
    again = LiveSession(log or open_log(), replace(live_session.header, computers=levels))
    for act in live_session.session.history.acts:
        again.referee.enter(act.forms[0])
    if again.log is not live_session.log:
        live_session.log.close()
    return again


def meaning() -> LiveSession:
    """Return Tiki Topple in which the companion plays Bob and means to move Nani."""
    live = with_computers(sit_down(3), "", "fair")
    live.referee.enter("up1 huhu")
    live.mean(MEANT)
    return live


@asynccontextmanager
async def meanwhile(job: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run *job*, which never ends by itself, for as long as the block takes."""
    task = asyncio.create_task(job)
    try:
        await settle()
        yield
        if task.done():
            task.result()
            raise AssertionError("it has ended by itself")
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def played(live_session: LiveSession, pick: Pick = first) -> AsyncIterator[Scripted]:
    """Let the companion play its seats of *live_session* meanwhile."""
    scripted = Scripted(pick, [], live_session.game.rules)
    async with meanwhile(ComputerSeats(live_session, scripted.choose).play()):
        yield scripted


async def settle() -> None:
    """Wait until all that follows has happened."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


def meant_at(live_session: LiveSession) -> Intention | None:
    """Return what the companion means to do at this moment."""
    return live_session.intention
