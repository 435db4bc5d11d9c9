"""What pages say through the socket, as it is checked before anything is done."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.apps.virtual.piece import Refused
from companion.language.message import say

MAX_CHARS = 4_000
"""Of one message; the room is the longest and has some 500."""
Number = Annotated[float, Meta(ge=-100_000, le=100_000)]
PieceNumber = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Command(msgspec.Struct, frozen=True, tag_field="do"):
    """Something that a page wants done."""


class Hello(Command, frozen=True, tag="hello"):
    """A page has opened.  draws: whether it can draw the camera's pictures."""

    draws: bool = False
    visible: bool = True


class Visible(Command, frozen=True, tag="visible"):
    """A page has come to the front, or gone behind others."""

    is_: bool = msgspec.field(name="is")


class Point(Command, frozen=True, tag="point"):
    """The hand is over a point."""

    x: Number
    y: Number
    z: Number = 40.0


class Away(Command, frozen=True, tag="away"):
    """The hand has left the table."""


class Take(Command, frozen=True, tag="take"):
    """Take a piece into the hand."""

    piece: PieceNumber


class Put(Command, frozen=True, tag="put"):
    """Let go of it."""

    x: Number
    y: Number
    turn: Number | None = None


class Flip(Command, frozen=True, tag="flip"):
    """Turn a card over."""

    piece: PieceNumber


class Turn(Command, frozen=True, tag="turn"):
    """Turn a piece on the spot."""

    piece: PieceNumber
    turn: Number


class Draw(Command, frozen=True, tag="draw"):
    """Take the top card of a pile into the own hand."""

    x: Number
    y: Number


class Stow(Command, frozen=True, tag="stow"):
    """Put the card that is held into the own hand."""


class Shuffle(Command, frozen=True, tag="shuffle"):
    """Shuffle a pile, and lay it there or elsewhere."""

    x: Number
    y: Number
    to: tuple[Number, Number] | None = None


class SpinIdol(Command, frozen=True, tag="spin"):
    """Spin the idol."""


class Roll(Command, frozen=True, tag="roll"):
    """Roll a die."""

    piece: PieceNumber


class LetFall(Command, frozen=True, tag="fall"):
    """Let the tower fall."""


class Peek(Command, frozen=True, tag="peek"):
    """Look below a piece."""

    piece: PieceNumber


class Sit(Command, frozen=True, tag="seat"):
    """Play for a seat that nobody has taken; the host's alone."""

    seat: Annotated[int, Meta(ge=0, le=9)] | None = None


class ChangeRoom(Command, frozen=True, tag="room"):
    """Change the room; the host's alone."""


class Lay(Command, frozen=True, tag="lay"):
    """Lay the table anew, maybe that of another game; the host's alone."""

    what: Literal["start", "calibration"]
    game: Annotated[str, Meta(max_length=40)] | None = None


class Cheat(Command, frozen=True, tag="cheat"):
    """Allow everything, or no longer; the host's alone."""

    is_: bool = msgspec.field(name="is")


AnyCommand = (
    Hello | Visible | Point | Away | Take | Put | Flip | Turn | Draw | Stow | Shuffle | SpinIdol
    | Roll | LetFall | Peek | Sit | ChangeRoom | Lay | Cheat
)  # fmt: skip
HOSTS_OWN = (Sit, ChangeRoom, Lay, Cheat)

_DECODER: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)


def parse_command(text: str) -> tuple[AnyCommand, dict[str, Any]]:
    """Return what *text* wants done, and all its entries; raises Refused, in one sentence."""
    if len(text) > MAX_CHARS:
        raise Refused(say("That message is too long for the table. Load the page again."))
    try:
        command = _DECODER.decode(text)
        entries: dict[str, Any] = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(
            say(
                "The table does not understand that ({reason}). Load the page again.",
                reason=str(error)[:120],
            )
        ) from None
    return command, entries
