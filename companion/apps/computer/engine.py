"""The engine: searches for a move in a process of its own, at the lowest priority.

Pages and eyes never wait for it: the event loop only reads and writes its pipes.
"""

import asyncio
import contextlib
import pickle
import struct
import sys
from dataclasses import dataclass
from typing import Any, Final

LENGTH: Final = struct.Struct("<I")
"""What precedes each message: its length in bytes."""
PROGRAM: Final = "companion.apps.computer.engine_process"
WAIT_S: Final = 15.0
"""So long an answer may take on a busy Raspberry Pi, its start included; a search ends far sooner.
"""


class EngineLost(Exception):
    """The process has ended, or does not answer."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is searched for: see `companion.players.choose`."""

    game: str
    seen: Any
    seat: int
    level: str
    seed: int
    tilt_deg: tuple[float, float] | None = None


class Engine:
    """Asks the process for moves, and begins it when it is needed first, or again."""

    def __init__(self, program: str = PROGRAM, wait_s: float = WAIT_S) -> None:
        self._program = program
        self._wait_s = wait_s
        self._process: asyncio.subprocess.Process | None = None
        self._ended: list[asyncio.subprocess.Process] = []
        self._lock = asyncio.Lock()

    async def choose(self, task: Task) -> Any:
        """Return the `Choice` for *task*; raises EngineLost.

        Whoever cancels this stops the search at once.
        """
        async with self._lock:
            return await self._ask(await self._running(), task)

    async def _ask(self, process: asyncio.subprocess.Process, task: Task) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            _send(process.stdin, pickle.dumps(task))
            async with asyncio.timeout(self._wait_s):
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                answer = await process.stdout.readexactly(length)
                return pickle.loads(answer)  # noqa: S301 (of our own process)
        except asyncio.CancelledError:
            self._end(process)
            raise
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            self._end(process)
            raise EngineLost from None

    async def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._end(self._process)
        await self._bury()

    async def _running(self) -> asyncio.subprocess.Process:
        await self._bury()
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self._program),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        return self._process

    def _end(self, process: asyncio.subprocess.Process) -> None:
        self._process = None
        self._ended.append(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    async def _bury(self) -> None:
        """Wait for what was ended, which is a moment."""
        while self._ended:
            process = self._ended.pop()
            await process.communicate()


def _send(pipe: asyncio.StreamWriter, message: bytes) -> None:
    pipe.write(LENGTH.pack(len(message)) + message)
