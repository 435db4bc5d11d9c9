"""What tables publish, read strictly: whoever may write to the broker may publish anything."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from companion.apps.mqtt.topics import SCHEMA

MAX_PAYLOAD_BYTES: Final = 262_144
"""A scoreboard has some 10,000."""
MAX_NUMBER: Final = 2**31 - 1
_TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
"""PostgreSQL takes no NUL in a text, and a name has no lines."""

Name: TypeAlias = Annotated[str, Meta(max_length=100)]
Text: TypeAlias = Annotated[str, Meta(max_length=1000)]
Number: TypeAlias = Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
Names: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=32)]
Numbers: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=32)]
T = TypeVar("T", bound=msgspec.Struct)


class Standing(msgspec.Struct, frozen=True):
    """How a game stands: the points of each seat, and the seats that have won."""

    scores: Numbers
    is_over: bool
    winners: Numbers


class Entry(msgspec.Struct, frozen=True):
    """What is read of an entry of the log.  at: when it happened, by the table's clock."""

    type: Name
    at: datetime


class Event(msgspec.Struct, frozen=True):
    """An entry of a table's log, as docs/mqtt.md describes it.

    event: the entry itself, as it was sent.
    """

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    after: Annotated[str, Meta(max_length=64)]
    session: Place
    seq: Place
    game: Name
    players: Names
    event: msgspec.Raw
    resumes: Count = 0
    standing: Standing | None = None


class Seat(msgspec.Struct, frozen=True):
    """A player on the scoreboard."""

    name: Name
    score: Number
    is_turn: bool = False
    is_winner: bool = False
    colour: Name = ""


class Line(msgspec.Struct, frozen=True):
    """Something that happened, in words."""

    words: Text


class Board(msgspec.Struct, frozen=True):
    """What is read of a scoreboard.

    id: of the newest item of the table's event stream, perhaps a notice after the newest entry.
    """

    game: Name
    title: Name
    players: Annotated[tuple[Seat, ...], Meta(max_length=32)]
    id: Annotated[str, Meta(max_length=100)] = ""
    round: Count = 0
    rounds: Count = 0
    is_over: bool = False
    last_move: Text = ""
    waiting_for: Text = ""
    history: tuple[Line, ...] = ()
    warnings: Annotated[tuple[Text, ...], Meta(max_length=64)] = ()

    @property
    def entry(self) -> str:
        """The id of the newest entry of the log, "" if the session in play has none.

        >>> Board("", "", (), "3.17.b7bf62+a1b2c3.9").entry, Board("", "", (), "3.0.0").entry
        ('3.17.b7bf62', '')
        """
        found = self.id.partition("+")[0]
        return "" if found.split(".")[1:2] == ["0"] else found


class Availability(msgspec.Struct, frozen=True):
    """Whether a table is there, and which companion says so."""

    state: Annotated[str, Meta(pattern="^(online|offline)$")]
    instance: Name = ""


class Claim(msgspec.Struct, frozen=True):
    """A table asks whether another one has its name."""

    instance: Name


class Unreadable(ValueError):
    """Nothing that a table of a known version publishes; says why."""


def table_of(topic: str) -> str:
    """Return the table that publishes to *topic*; raises Unreadable.

    >>> table_of("cafe/tiki/bar/events")
    'bar'
    """
    levels = topic.split("/")
    if len(levels) < 3 or not _TABLE.fullmatch(levels[-2]):
        raise Unreadable("that is not the name of a table")
    return levels[-2]


def read(kind: type[T], payload: bytes) -> T:
    """Return the message of *kind* in *payload*; raises Unreadable.

    Texts come without control characters.
    """
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise Unreadable(f"it has {len(payload)} bytes, at most {MAX_PAYLOAD_BYTES} are read")
    try:
        version = msgspec.json.decode(payload, type=_Versioned).schema
        if version > SCHEMA:
            raise Unreadable(f"it is of schema {version}, and this hub knows {SCHEMA}; update it")
        return msgspec.convert(_cleaned(msgspec.json.decode(payload, type=kind)), kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Unreadable(str(error)) from None


def read_entry(event: Event) -> Entry:
    """Return what is read of the entry in *event*, its time in UTC; raises Unreadable."""
    entry = read(Entry, bytes(event.event))
    if entry.at.tzinfo is None:
        raise Unreadable("its time has no zone")
    return msgspec.structs.replace(entry, at=entry.at.astimezone(UTC))


class _Versioned(msgspec.Struct):
    schema: Count = SCHEMA


def _cleaned(value: Any) -> Any:
    """Return *value* as plain Python, without control characters in its texts."""
    if isinstance(value, str):
        return _CONTROL.sub(" ", value)
    if isinstance(value, msgspec.Raw):
        return value
    if isinstance(value, msgspec.Struct):
        return {name: _cleaned(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple):
        return tuple(_cleaned(each) for each in value)
    return value
