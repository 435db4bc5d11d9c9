"""What is wanted of a broker, whichever client speaks to it."""

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol


class BrokerTrouble(Exception):
    """Something is wrong with the broker or the connection; the message is one line for people."""


class Unreachable(BrokerTrouble):
    """Nobody answered."""


class Refused(BrokerTrouble):
    """The broker does not let this table do what it wants; people have to change something."""


class NameTaken(BrokerTrouble):
    """Another table has the same name."""


class ConnectionEnded(BrokerTrouble):
    """The connection is gone; another try may well succeed."""


AWAY: Final = (Unreachable, ConnectionEnded)
"""The troubles that pass by themselves: nobody has to change anything."""


class Message(NamedTuple):
    """What came from the broker.

    retained: it was kept there, and may be old.  mid: by which it is acknowledged, 0 if that has
    been done.
    """

    topic: str
    payload: bytes
    retained: bool = False
    mid: int = 0


class Connection(Protocol):
    """An open connection.  All that is published is acknowledged (QoS 1)."""

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Return when the broker has *payload*.

        retain: it keeps this for whoever comes later; an empty one clears what it has kept.
        Raises ConnectionEnded, and the broker may or may not have it; or Refused.
        """

    async def subscribe(self, *topics: str) -> None:
        """Let `receive` return what is published to *topics* from now on, and what is kept there.

        Raises ConnectionEnded or Refused.
        """

    async def receive(self) -> Message:
        """Return the next message; raises ConnectionEnded."""

    def refused(self, what: str, topic: str) -> Refused:
        """Return what is wrong if the broker does not let us do *what*: "read", or "write to"."""

    def received(self) -> list[Message]:
        """Return what has come and was not yet returned, [] if nothing has."""

    def acknowledge(self, messages: Iterable[Message]) -> None:
        """Let the broker forget *messages*; what it is not told of it sends again.

        Only where `Broker` keeps what comes; elsewhere each is acknowledged as it comes.
        """

    async def close(self, *, tell: bool = True) -> None:
        """End the connection; *tell*: the broker publishes the will, as after a crash."""


class Broker(Protocol):
    """A broker, and what this table is to it."""

    async def connect(self, will: Message | None = None) -> Connection:
        """Connect; the broker publishes *will*, retained, if this table vanishes.

        Raises Unreachable or Refused.
        """
