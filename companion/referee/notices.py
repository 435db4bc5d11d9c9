"""Notices: the referee waits, asks, or reports that something is wrong; the game is unchanged.

A notice stands until the table or the people answer it; the log does not keep it, because the next
picture brings it back.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may have happened, for people to choose.

    actions: texts of the moves; "undo" stands for a take-back.  text: the same in words.
    meaning: how the game would stand then, in a sentence; "" if nobody needs to know.
    whose: the seats whose moves these are; () for nobody's.
    """

    actions: tuple[str, ...]
    text: str
    meaning: str = ""
    whose: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The referee waits: for a hand to go, for the tiles, for what people have to say."""

    type: ClassVar[str] = "waiting"
    frame: str | None
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Illegal:
    """The table cannot have come about by a legal move.

    slots: the places in which *seen* differs from *nearest*, from 0.  clause: the rule that forbids
    what it looks like, if it looks like something.  candidates: moves that nobody saw and that
    would explain it, or whose turn it may be.  frame: the picture that showed it, None if people
    changed the game and it has to follow.
    message: all of it in words; where a page has room it shows *why* and *remedy*, its two parts.
    """

    type: ClassVar[str] = "illegal"
    frame: str | None
    slots: tuple[int, ...]
    message: str
    nearest: tuple[str | None, ...]
    seen: tuple[str | None, ...]
    clause: str | None = None
    candidates: tuple[Candidate, ...] = ()
    why: str = ""
    remedy: str = ""


def distinct_seats(seats: Iterable[int | None]) -> tuple[int, ...]:
    """Return *seats* as they come, each once, without nobody's.

    >>> distinct_seats([2, None, 0, 2])
    (2, 0)
    """
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))


@dataclass(frozen=True, slots=True)
class Ask:
    """Several things may have happened, and it matters which.

    holds: nothing that is seen counts until people have answered.
    """

    type: ClassVar[str] = "ask"
    frame: str | None
    message: str
    candidates: tuple[Candidate, ...]
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How the game stands when it or the recording ends; see design of `tiki replay --json`."""

    type: ClassVar[str] = "result"
    game: str
    scores: tuple[int, ...]
    winners: tuple[int, ...] | None
    ended_by: str | None
    round_ended_by: str | None
    moves: int


FOR_PAGES: Final = ("why", "remedy", "meaning", "whose", "holds")
"""What of a notice and its candidates is not sent: their texts have it all."""
Notice: TypeAlias = Waiting | Illegal | Ask | Result


def notice_to_json(notice: Notice) -> dict[str, Any]:
    """Return *notice* as an object, `type` first."""
    found: dict[str, Any] = {"type": notice.type}
    for name in notice.__dataclass_fields__:
        value = getattr(notice, name)
        if name == "candidates":
            if value or isinstance(notice, Ask):
                found[name] = [
                    {"actions": list(candidate.actions), "text": candidate.text}
                    for candidate in value
                ]
        elif name not in ("clause", *FOR_PAGES) or (name == "clause" and value):
            found[name] = list(value) if isinstance(value, tuple) else value
    return found
