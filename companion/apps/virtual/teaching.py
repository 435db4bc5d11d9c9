"""Teaching the eyes the virtual table, as a host would: lay what is asked for, then the start."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from companion.apps.virtual.relay import Relay
from companion.language.message import Message, say, without_stop
from companion.registry import game_of
from companion.web.pages.set_up import positions
from companion.web.site import Site

PICTURES: Final = 3
"""So many pictures after it was laid surely show the new table."""
SETTLE_S: Final = 1.2
"""Pieces glide to where they are laid."""
RETRY_S: Final = 1.5
TRIES: Final = 4


class Teacher:
    """Lays the table of the game in play, and lets the eyes learn it where they have not yet.

    learned: the games whose table was learned since the companion was started.
    """

    def __init__(self, site: Site, relay: Relay) -> None:
        self._site = site
        self._relay = relay
        self._task: asyncio.Task[None] | None = None
        self.learned: set[str] = set()

    @property
    def is_teaching(self) -> bool:
        """Whether it is at it."""
        return self._task is not None and not self._task.done()

    def attend(self) -> None:
        """Teach the game in play, if nobody has and a page draws what the camera sees."""
        game = self._game
        if self._relay.game != game:
            self._lay_start(game)
        if self._relay.has_eye and game not in self.learned and not self.is_teaching:
            self.teach()

    def follow_game(self, game: str) -> None:
        """Lay the table of *game*, which has just begun."""
        world = self._relay.world
        if self._task is not None:
            self._task.cancel()
        if world is None or self._relay.game != game or world.is_touched:
            self._lay_start(game)
        self._task = None
        self.attend()

    def lay(self, what: str, game: str) -> None:
        """Lay what a host wants: the start of *game*, or what the eyes learn from."""
        if what == "calibration" and game == self._game:
            self.teach()
            return
        if self._task is not None:
            self._task.cancel()
        self._lay_start(game)

    def teach(self) -> None:
        """Lay what the eyes learn from, let them, and lay the start."""
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.create_task(self._teach(self._game))

    def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()

    @property
    def _game(self) -> str:
        return self._site.live_session.header.game

    def _lay_start(self, game: str) -> None:
        self._relay.lay_start(game, len(self._site.live_session.header.players))

    async def _teach(self, game: str) -> None:
        """Teach while nothing that is seen counts: what the eyes learn from is no game's table."""
        table = self._site.live_session
        if not table.paused:
            table.pause()
        try:
            await self._teach_paused(game)
        finally:
            if table.paused:
                table.pause()

    async def _teach_paused(self, game: str) -> None:
        title = game_of(game).title
        truth = self._truth()
        if truth is None or self._site.table.calibrate is None:
            self._relay.say_status(
                say("The eyes read {game} without having learned it.", game=title)
            )
            self._lay_start(game)
            return
        trouble: Message | str = ""
        for _ in range(TRIES):
            self._relay.say_status(say("The eyes learn the table of {game} …", game=title))
            self._relay.lay_reading(game, truth)
            await self._wait_for_pictures()
            trouble = await self._learn(truth)
            if not trouble:
                self.learned.add(game)
                self._lay_start(game)
                await self._wait_for_pictures()
                self._relay.say_status(say("The eyes have learned the table. Play!"))
                return
            await asyncio.sleep(RETRY_S)
        self._relay.say_status(
            say(
                "The eyes could not learn this table: {reason}. Change the room, then lay it for"
                " the calibration again.",
                reason=without_stop(trouble),
            )
        )

    def _truth(self) -> Mapping[str, Any] | None:
        """Return what the set-up page asks a host to put up; the most that it asks for."""
        found = {position.name: position.truth for position in positions(self._site)}
        return next((found[name] for name in ("samples", "put-up", "now") if name in found), None)

    async def _wait_for_pictures(self) -> None:
        wanted = self._relay.pictures + PICTURES
        come = asyncio.Event()
        self._relay.on_picture = come.set
        while self._relay.pictures < wanted:
            await come.wait()
            come.clear()
        await asyncio.sleep(SETTLE_S)

    async def _learn(self, truth: Mapping[str, Any]) -> Message | str:
        """Return why the next still picture cannot be learned, "" if it was."""
        learned: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def finish(trouble: str | None) -> None:
            if not learned.done():
                learned.set_result(trouble)

        assert self._site.table.calibrate is not None
        self._site.table.calibrate(truth, finish)
        return await learned or ""
