"""Backups that the companion makes by itself, after each game and once in so many hours.

Each is made by `tiki backup` in a process of its own: it may take its time, and reading the log in
this one would let go of SQLite's lock on it.
"""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import companion
from companion.apps.backup.making import NOTHING_MADE, dated_backups
from companion.apps.backup.table_files import group_of
from companion.config import BackupConfig

SETTLE_S: Final = 5.0
"""What is set right just after the end of a game is in its backup, too."""
CHECK_S: Final = 60.0
RETRY_S: Final = 600.0
LIMIT_S: Final = 900.0
"""A backup to a disk that hangs is given up."""
END_LIMIT_S: Final = 1.0
_PROGRAM: Final = "import sys; from companion.cli import main; sys.exit(main(sys.argv[1:]))"
_HOUR_S: Final = 3600.0


class BackupSchedule:
    """Makes the backups that *config* asks for, until `run` is cancelled.

    log: returns where the games are.  settings: their file, None for none.
    report: called with what keeps a backup from being made, "" once one has been made again.
    """

    def __init__(
        self,
        config: BackupConfig,
        log: Callable[[], Path],
        settings: Path | None,
        report: Callable[[str], None],
    ) -> None:
        self._config = config
        self._folder = Path(config.folder).absolute()
        self._log = log
        self._settings = settings
        self._report = report
        self._trouble = ""
        self._game_ended = asyncio.Event()

    def end_game(self) -> None:
        """Have a backup made soon, for a game has ended."""
        self._game_ended.set()

    async def run(self) -> None:
        """Make backups whenever one is due."""
        if not self._config.folder:
            return
        while True:
            has_ended = self._game_ended.is_set()
            self._game_ended.clear()
            if self.is_due(after_game=has_ended or bool(self._trouble)):
                self._tell(await self._make())
            else:
                self._tell("")
            with contextlib.suppress(TimeoutError):
                pause_s = RETRY_S if self._trouble else CHECK_S
                await asyncio.wait_for(self._game_ended.wait(), pause_s)
                await asyncio.sleep(SETTLE_S)

    def is_due(self, *, after_game: bool) -> bool:
        """Return whether there is something new, and it is time to save it."""
        try:
            made_s = max(path.stat().st_mtime for path in dated_backups(self._folder))
        except (OSError, ValueError):  # there is none, or its folder is gone: the attempt says so
            return True
        sources = [*group_of(self._log()), *([self._settings] if self._settings else ())]
        try:
            changed_s = max(path.stat().st_mtime for path in sources)
        except (OSError, ValueError):
            return True
        if changed_s <= made_s:
            return False
        return after_game or time.time() - made_s >= self._config.every_h * _HOUR_S

    def _tell(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._report(trouble)

    async def _make(self) -> str:
        """Make one and return what was in the way, "" if nothing."""
        words = ["backup", str(self._folder), "--log", str(self._log().absolute())]
        words += ["--keep", str(self._config.keep)]
        if self._settings is not None:
            words += ["--config", str(self._settings.absolute())]
        try:
            process = await asyncio.create_subprocess_exec(
                *("nice", "-n", "10", sys.executable, "-c", _PROGRAM, *words),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(Path(companion.__file__).parents[1])},
                start_new_session=True,  # Ctrl-C is the companion's; it passes an end on
            )
        except OSError as error:
            return f"it cannot be started: {error.strerror}; free some memory"
        try:
            _, said = await asyncio.wait_for(process.communicate(), LIMIT_S)
        except TimeoutError:
            return f"it took longer than {LIMIT_S / 60:.0f} minutes; is the disk of it in order?"
        finally:
            if process.returncode is None:
                process.terminate()  # it removes what it has begun
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), END_LIMIT_S)
        if not process.returncode:
            return ""
        lines = said.decode(errors="replace").strip().splitlines() or ["it was ended"]
        return lines[-1].removeprefix("tiki: ").removeprefix(f"{NOTHING_MADE}: ")
