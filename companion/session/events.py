"""What can happen in a session, as frozen records with a JSON form.

An event is a fact that was accepted; it is never changed or removed, only followed by another that
takes it back. The JSON form has `type` first; its words are those of the web event stream and of
`tiki replay --json`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, TypeAlias


@dataclass(frozen=True, slots=True)
class MoveAccepted:
    """A seat made a move.

    action: its text.  also: other actions that would have left the same table, while it is open
    which one was played.
    table: what lay in each place afterwards, None where that is not known, or None alone if it was
    never seen; places left out at the end are empty.
    frame: the picture that showed it, None for a move that was entered.
    by: "hand" or "sensor", for what no picture showed; else "".
    """

    type: ClassVar[str] = "move"
    seat: int
    action: str
    also: tuple[str, ...] = ()
    table: tuple[str | None, ...] | None = None
    frame: str | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class ChanceObserved:
    """Something that no player chose: a starting line, a secret card, a die, the idol.

    also, table, frame, by: as of a move.
    """

    type: ClassVar[str] = "observed"
    action: str
    frame: str | None = None
    by: str = ""
    also: tuple[str, ...] = ()
    table: tuple[str | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoveUndone:
    """The event number *undone* was taken back, and with it all that came after."""

    type: ClassVar[str] = "undo"
    undone: int
    action: str
    frame: str | None = None


@dataclass(frozen=True, slots=True)
class MoveResolved:
    """Later play showed which of several actions the move number *settles* was."""

    type: ClassVar[str] = "resolved"
    settles: int
    action: str


@dataclass(frozen=True, slots=True)
class MoveCorrected:
    """The people said that the move number *corrects* was *action*."""

    type: ClassVar[str] = "corrected"
    corrects: int
    action: str


@dataclass(frozen=True, slots=True)
class SecretEntered:
    """A seat entered a secret.

    *action* is what will be observed when it is shown, or, where the game keeps it, counts at once.
    """

    type: ClassVar[str] = "secret"
    seat: int
    round: int
    action: str


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round ended: its points and the totals so far, by seat, and the clause that ended it.

    table: what lay there at its end, if that is what was scored.
    """

    type: ClassVar[str] = "round"
    round: int
    table: tuple[str, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    round_ended_by: str


@dataclass(frozen=True, slots=True)
class SpinObserved:
    """The idol was spun, whether the game had asked for it or not; the game does not follow it.

    angle_deg: where it points, clockwise from its zero.  turns: revolutions, never negative.
    seats: whom it names; two if it stopped between them, none if it names nobody.
    trusted: no step was lost.  void: it turned less than once.
    spinner: whose spin the game was waiting for, None if nobody's.
    """

    type: ClassVar[str] = "spin"
    angle_deg: float
    turns: float
    clockwise: bool
    seats: tuple[int, ...]
    trusted: bool
    void: bool
    spinner: int | None = None


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """The session was put away; a new one may begin."""

    type: ClassVar[str] = "closed"
    reason: str


Event: TypeAlias = (
    MoveAccepted
    | ChanceObserved
    | MoveUndone
    | MoveResolved
    | MoveCorrected
    | SecretEntered
    | RoundScored
    | SpinObserved
    | SessionClosed
)
KINDS: Final[dict[str, type[Event]]] = {
    kind.type: kind
    for kind in (
        MoveAccepted,
        ChanceObserved,
        MoveUndone,
        MoveResolved,
        MoveCorrected,
        SecretEntered,
        RoundScored,
        SpinObserved,
        SessionClosed,
    )
}
_FORMS: Final[dict[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("action", "by", "reason", "round_ended_by"), lambda value: type(value) is str),
    **dict.fromkeys(
        ("seat", "round", "undone", "settles", "corrects"), lambda value: type(value) is int
    ),
    "also": lambda value: _is_tuple_of(value, str),
    "table": lambda value: value is None or _is_tuple_of(value, str, type(None)),
    "frame": lambda value: value is None or type(value) is str,
    **dict.fromkeys(("points", "scores", "seats"), lambda value: _is_tuple_of(value, int)),
}
"""What the fold and the pages rely on of each field; a log may have been written by anybody."""
_PRIVATE: Final = {"secret": ("action",)}
_RENAMED: Final = {"line": "table"}  # as logs of version 0.1 have it


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its number in the log, from 1 without gaps, and its time (ISO 8601, UTC)."""

    seq: int
    at: str
    event: Event


def _is_tuple_of(value: object, *kinds: type) -> bool:
    return isinstance(value, tuple) and all(type(each) in kinds for each in value)


class BadEvent(ValueError):
    """A JSON object that is no event of this version."""


def event_to_json(event: Event) -> dict[str, Any]:
    """Return all of *event*, private parts included: for the log on disk alone."""
    found: dict[str, Any] = {"type": event.type}
    for field in fields(event):
        value = getattr(event, field.name)
        found[field.name] = list(value) if isinstance(value, tuple) else value
    return found


def event_from_json(thing: Mapping[str, Any]) -> Event:
    """Return the event that event_to_json made *thing* of; raises BadEvent.

    >>> event_from_json({"type": "undo", "undone": 7, "action": "up1 nani", "frame": None})
    MoveUndone(undone=7, action='up1 nani', frame=None)
    """
    if not isinstance(thing, Mapping):  # a log on disk may hold any JSON
        raise BadEvent("an event is a JSON object")
    kind = KINDS.get(str(thing.get("type")))
    if kind is None:
        raise BadEvent(f"no event has the type {thing.get('type')!r}")
    values = {
        _RENAMED.get(name, name): tuple(value) if isinstance(value, list) else value
        for name, value in thing.items()
        if name != "type"
    }
    for name, value in values.items():
        if name in _FORMS and not _FORMS[name](value):
            raise BadEvent(f"{kind.type}: {value!r} is no {name}")
    make: Any = kind
    try:
        event: Event = make(**values)
    except TypeError as error:
        raise BadEvent(f"{kind.type}: {error}") from None
    return event


def public_json(entry: Entry, public: Callable[[str], str] = str) -> dict[str, Any]:
    """Return what everybody may know of *entry*: `type`, `seq`, then its fields, no secrets.

    public: what everybody may read of an action, see `Game.public`.
    """
    found = event_to_json(entry.event)
    hidden = _PRIVATE.get(entry.event.type, ())
    shown = {name: value for name, value in found.items() if name not in hidden and name != "type"}
    if "action" in shown:
        shown["action"] = public(shown["action"])
    if "also" in shown:
        also = dict.fromkeys(map(public, shown["also"]))
        shown["also"] = [text for text in also if text != shown["action"]]
    for name in ("also", "by", "table"):
        if not shown.get(name, True):
            del shown[name]
    return {"type": entry.event.type, "seq": entry.seq, **shown, "at": entry.at}
