"""The table's own Wi-Fi: opened where it is in no network, until a phone has found it one."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from companion.wifi.radio import (
    ADDRESS,
    Choice,
    Credentials,
    Network,
    NoRadio,
    NotJoined,
    Radio,
    Situation,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long each thing is waited for, in seconds.

    new_s: until the own Wi-Fi opens at a table that knows no network in sight; known_s: that sees
    one which it knows, but has not joined it; lost_s: that was in a network since its start, where
    a router may be starting again.
    look_s, calm_s: between two looks at the situation, the second while the table is in a network.
    unused_s: so long nobody may have used the own Wi-Fi before it makes way for a known network;
    retry_s: so long such a network has then to take the table.
    shown_s: so long people are shown how to join it, unless a phone does before.
    farewell_s: in which an answer reaches the phone before the Wi-Fi goes.
    join_s: in which a network must have taken the table.
    """

    new_s: float = 30.0
    known_s: float = 120.0
    lost_s: float = 600.0
    look_s: float = 5.0
    calm_s: float = 30.0
    unused_s: float = 300.0
    retry_s: float = 25.0
    shown_s: float = 600.0
    farewell_s: float = 2.0
    join_s: float = 45.0


class OwnWifi:
    """Watches over the table's network, and stands in for it.

    radio: the table's.  credentials: of the own Wi-Fi.
    address: of the pages in it.
    next_address: where the pages will be in a network that was joined.
    on_change: is called when there is something new to show.
    is_open: whether phones can join the own Wi-Fi.  is_visited: whether one has, since it opened.
    networks: those that were in sight before it opened, the strongest first.
    joining: the name of the network that is being joined, "" for none.
    failed: the name of the last that was not joined, and why; None once one was.
    """

    def __init__(
        self,
        radio: Radio,
        credentials: Credentials,
        address: str = f"http://{ADDRESS}",
        next_address: str = "",
        patience: Patience | None = None,
    ) -> None:
        self.credentials: Final = credentials
        self.address: Final = address
        self.next_address: Final = next_address
        self.on_change: Callable[[], None] = lambda: None
        self.is_open = self.is_visited = False
        self.networks: tuple[Network, ...] = ()
        self.joining = ""
        self.failed: tuple[str, NotJoined] | None = None
        self._radio: Final = radio
        self._patience: Final = patience or Patience()
        self._choice: Choice | None = None
        self._chosen = asyncio.Event()
        self._visits, self._visited_s, self._opened_s = 0, 0.0, 0.0
        self._was_connected = False

    @property
    def is_used(self) -> bool:
        """Whether a phone in the own Wi-Fi has a page open, or had one not long ago."""
        return self._visits > 0 or _now_s() - self._visited_s < self._patience.unused_s

    @property
    def is_awaited(self) -> bool:
        """Whether the own Wi-Fi opened not long ago, and no phone has come through it since."""
        is_new = _now_s() - self._opened_s < self._patience.shown_s
        return self.is_open and is_new and not self.is_visited

    @contextmanager
    def visit(self) -> Iterator[None]:
        """Count a request that comes through the own Wi-Fi, as long as it takes."""
        self._visits += 1
        if not self.is_visited:
            self.is_visited = True
            self.on_change()
        try:
            yield
        finally:
            self._visits -= 1
            self._visited_s = _now_s()

    def choose(self, choice: Choice) -> None:
        """Let the table join a network; what came of it is in *failed*."""
        self._choice = choice
        self._chosen.set()

    async def run(self) -> None:
        """Watch over the network until cancelled; a radio that cannot be used is tried again."""
        said = ""
        while True:
            try:
                await self._until_needed()
                await self._stand_in()
            except NoRadio as error:
                if str(error) != said:
                    said = str(error)
                    logger.info("No Wi-Fi of the table's own: %s", said)
                await asyncio.sleep(self._patience.new_s)

    async def _until_needed(self) -> None:
        """Return once the table has been in no network for longer than it should."""
        since_s = _now_s()
        while True:
            situation = await self._radio.situation()
            if situation.is_connected:
                self._was_connected = True
                await asyncio.sleep(self._patience.calm_s)
                since_s = _now_s()
                continue
            if _now_s() - since_s >= self._limit_s(situation):
                return
            await asyncio.sleep(self._patience.look_s)

    def _limit_s(self, situation: Situation) -> float:
        if self._was_connected:
            return self._patience.lost_s
        return self._patience.known_s if situation.sees_known else self._patience.new_s

    async def _stand_in(self) -> None:
        """Have the own Wi-Fi open until the table is in another network."""
        try:
            await self._open()
            while True:
                if (choice := await self._next_choice()) is not None:
                    if await self._join(choice):
                        return
                    await self._open()
                    continue
                situation = await self._radio.situation()
                if situation.is_connected:
                    return
                if not situation.is_open:  # someone else has closed it
                    await self._open()
                elif situation.knows_any and not self.is_used:
                    if await self._make_way():
                        return
                    await self._open()
        finally:
            self.joining = ""
            self._set_open(False)
            with suppress(NoRadio):
                await self._radio.close()

    async def _open(self) -> None:
        self.networks = await self._radio.scan()
        await self._radio.open(self.credentials)
        # A button that was tapped twice has chosen twice, and counts once.
        self.joining, self._choice = "", None
        self._opened_s = self._visited_s = _now_s()
        self.is_visited = False
        logger.warning(
            "The table is in no network, and has opened a Wi-Fi of its own: %s",
            self.credentials.name,
        )
        self._set_open(True)

    def _set_open(self, is_open: bool) -> None:
        self.is_open = is_open
        self.on_change()

    async def _next_choice(self) -> Choice | None:
        """Return what a phone has chosen, None if none has for a while."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._chosen.wait(), self._patience.look_s)
        self._chosen.clear()
        choice, self._choice = self._choice, None
        return choice

    async def _join(self, choice: Choice) -> bool:
        """Join a network, and return whether that went well."""
        self.joining = choice.name
        self.on_change()
        await asyncio.sleep(self._patience.farewell_s)
        self._set_open(False)
        await self._radio.close()
        try:
            await self._radio.join(choice, self._patience.join_s)
        except NotJoined as failure:
            self.failed = choice.name, failure
            logger.warning("The Wi-Fi %s was not joined: %s", choice.name, failure)
            return False
        self.failed, self._was_connected = None, True
        return True

    async def _make_way(self) -> bool:
        """Close the own Wi-Fi, and return whether a known network takes the table meanwhile."""
        self._set_open(False)
        await self._radio.close()
        until_s = _now_s() + self._patience.retry_s
        while not (await self._radio.situation()).is_connected:
            if _now_s() >= until_s:
                return False
            await asyncio.sleep(min(1.0, self._patience.look_s))
        return True


def _now_s() -> float:
    return asyncio.get_running_loop().time()
