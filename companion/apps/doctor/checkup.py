"""What the doctor finds at a companion that is playing."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Final

from companion.apps.doctor.bundle import bundle_of, games_of, pictures_of
from companion.apps.doctor.examination import CHECKS, Check, examine
from companion.apps.doctor.machine import LocalMachine
from companion.apps.doctor.requirements import read_requirements
from companion.config import Config, frames_folder
from companion.referee.live_session import LiveSession

WHILE_RUNNING: Final = (
    "board",
    "system",
    "power",
    "memory",
    "disk",
    "clock",
    "permissions",
    "eyes",
)
"""The checks that disturb nothing of a companion that is playing; it says of its own devices what
is wrong with them."""


class Checkup:
    """Examines the machine of a running companion; its event loop goes on meanwhile.

    log: the file of its games.
    """

    checks = WHILE_RUNNING

    def __init__(self, config: Config, live_session: LiveSession, log: Path) -> None:
        self._config, self._live_session, self._log = config, live_session, log

    async def examine(self, names: Collection[str]) -> tuple[Check, ...]:
        """Return what the checks of *names* say."""
        return await asyncio.to_thread(self._examine, names)

    async def make_bundle(self, *, with_pictures: bool) -> bytes:
        """Return a support bundle; see `companion.apps.doctor.bundle`."""
        games = [*games_of(self._live_session.log)]
        checks, troubles = await self.examine(WHILE_RUNNING), self._live_session.troubles
        pictures = [*pictures_of(frames_folder(self._log))] if with_pictures else []
        return await asyncio.to_thread(bundle_of, self._config, checks, games, pictures, troubles)

    def _examine(self, names: Collection[str]) -> tuple[Check, ...]:
        requirements = read_requirements(self._config, self._log)
        chosen = {name: CHECKS[name] for name in WHILE_RUNNING if name in names}
        return examine(LocalMachine(), requirements, chosen)
