"""What a Wi-Fi radio can do: look for networks, be an access point, join a network."""

from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from companion.language.message import Message, say

ADDRESS: Final = "10.42.0.1"
"""The table's in its own Wi-Fi; NetworkManager has it for the first network that it shares."""
PREFIX_BITS: Final = 24

Security: TypeAlias = Literal["open", "password", "sae", "other"]
"""What a network asks for: nothing; a password, by WPA2 or by WPA3 alone; what no page can ask."""
Reason: TypeAlias = Literal["password", "absent", "address", "refused"]
"""Why a network was not joined."""

REASONS: Final[dict[Reason, Message]] = {
    "password": say("the password is not right"),
    "absent": say("no network of that name was found"),
    "address": say("it gave the table no address; restart the router and try again"),
    "refused": say("it did not answer; move the table closer to the router and try again"),
}


class NoRadio(Exception):
    """The radio cannot be used; says why in one line."""


class NotJoined(Exception):
    """A network was not joined.  reason, words: why."""

    def __init__(self, reason: Reason) -> None:
        self.reason: Final = reason
        self.words: Final = REASONS[reason]
        super().__init__(self.words)


@dataclass(frozen=True, slots=True)
class Network:
    """A network that was seen.  strength: in percent, of its best access point."""

    name: str
    strength: int
    security: Security = "password"


@dataclass(frozen=True, slots=True)
class Choice:
    """The network that the table is to join.  password: "" for none.

    is_hidden: whether it has to be called by its name, as it does not tell it.
    """

    name: str
    password: str = ""
    security: Security = "password"
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Credentials:
    """The name of the table's own Wi-Fi, and its password."""

    name: str
    password: str

    @property
    def code(self) -> str:
        r"""What a QR code has for phones to join.

        >>> Credentials("Tiki;1", "k7m4px2h9d").code
        'WIFI:T:WPA;S:Tiki\\;1;P:k7m4px2h9d;;'
        """
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)


@dataclass(frozen=True, slots=True)
class Situation:
    """How the table stands.

    is_connected: whether it is in a network, by cable or Wi-Fi; its own does not count.
    is_open: whether its own Wi-Fi is there.  knows_any: whether it knows any network by password.
    sees_known: whether one of these is in sight.
    """

    is_connected: bool
    is_open: bool = False
    knows_any: bool = False
    sees_known: bool = False


class Radio(Protocol):
    """A radio that is in one network at a time; every method raises NoRadio if it is not there."""

    async def situation(self) -> Situation:
        """Return how the table stands."""

    async def scan(self) -> tuple[Network, ...]:
        """Return the networks in sight, the strongest first; not while the own one is open."""

    async def open(self, credentials: Credentials) -> None:
        """Open a Wi-Fi of the table's own; it ends with this process at the latest."""

    async def close(self) -> None:
        """Close it, so that networks that are known can be joined; once more does no harm."""

    async def join(self, choice: Choice, limit_s: float) -> None:
        """Join a network, and keep it for ever; raises NotJoined if that failed within *limit_s*.

        Then nothing of it is kept.
        """
