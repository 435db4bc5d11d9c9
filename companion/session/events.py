"""What can happen in a session, as frozen structs with a JSON form.

An event is a fact that was accepted; it is never changed or removed, only followed by another that
takes it back. The JSON form has `type` first; its words are those of the web event stream and of
`tiki replay --json`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Meta

from companion.validation import find_misfit


class _Fact(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What every event is; `type` names its kind, in JSON too."""

    @property
    def type(self) -> str:
        return str(self.__struct_config__.tag)


class MoveAccepted(_Fact, frozen=True, tag="move"):
    """A seat made a move.

    action: its text.  also: other actions that would have left the same table, while it is open
    which one was played.
    table: what lay in each place afterwards, None where that is not known, or None alone if it was
    never seen; places left out at the end are empty.
    frame: the picture that showed it, None for a move that was entered.
    by: "hand" or "sensor", for what no picture showed; else "".
    """

    seat: int
    action: str
    also: tuple[str, ...] = ()
    table: tuple[str | None, ...] | None = None
    frame: str | None = None
    by: str = ""


class ChanceObserved(_Fact, frozen=True, tag="observed"):
    """Something that no player chose: a starting line, a secret card, a die, the idol.

    also, table, frame, by: as of a move.
    """

    action: str
    frame: str | None = None
    by: str = ""
    also: tuple[str, ...] = ()
    table: tuple[str | None, ...] | None = None


class MoveUndone(_Fact, frozen=True, tag="undo"):
    """The event number *undone* was taken back, and with it all that came after.

    replaced: the next move or observation takes its place: when people take that back, it counts
    again.
    """

    undone: int
    action: str
    frame: str | None = None
    replaced: bool = False


class MoveResolved(_Fact, frozen=True, tag="resolved"):
    """Later play showed which of several actions the move number *settles* was."""

    settles: int
    action: str


class MoveCorrected(_Fact, frozen=True, tag="corrected"):
    """The people said that the move number *corrects* was *action*."""

    corrects: int
    action: str


class SecretEntered(_Fact, frozen=True, tag="secret"):
    """A seat entered a secret.

    *action* is what will be observed when it is shown, or, where the game keeps it, counts at once.
    """

    seat: int
    round: int
    action: str


class RoundScored(_Fact, frozen=True, tag="round"):
    """A round ended: its points and the totals so far, by seat, and the clause that ended it.

    table: what lay there at its end, if that is what was scored.
    """

    round: int
    table: tuple[str, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    round_ended_by: str


class SpinObserved(_Fact, frozen=True, tag="spin"):
    """The idol was spun, whether the game had asked for it or not; the game does not follow it.

    angle_deg: where it points, clockwise from its zero.  turns: revolutions, never negative.
    seats: whom it names; two if it stopped between them, none if it names nobody.
    trusted: no step was lost.  void: it turned less than once.
    spinner: whose spin the game was waiting for, None if nobody's.
    """

    angle_deg: float
    turns: float
    clockwise: bool
    seats: tuple[int, ...]
    trusted: bool
    void: bool
    spinner: int | None = None


class TableAdopted(_Fact, frozen=True, tag="adopted"):
    """The people said that the table is right, though nothing that the rules allow explains it.

    table: what lies in each place from then on.  seat: whose turn it is then, None in a game
    without turns.  used: what else this has cost whoever's turn it was, such as a card, "" for
    nothing.
    frame: the picture that shows the table.
    """

    table: tuple[str | None, ...]
    seat: int | None = None
    used: str = ""
    frame: str | None = None


class TurnTimed(_Fact, frozen=True, tag="timed"):
    """How long play had gone on when the entry number *entry* was made, where turns are timed.

    played_s: seconds since the clock was first on, without pauses and questions.
    """

    entry: Annotated[int, Meta(ge=1)]
    played_s: Annotated[float, Meta(ge=0, le=1e9)]


class SessionClosed(_Fact, frozen=True, tag="closed"):
    """The session was closed; a new one may begin."""

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
    | TableAdopted
    | TurnTimed
    | SessionClosed
)
KINDS: Final[dict[str, type[Event]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(Event)
}
PRIVATE: Final[Mapping[str, tuple[str, ...]]] = {"secret": ("action",)}
"""The fields, by type, that are for the log on disk alone."""
LEFT_OUT_IF_EMPTY: Final = ("also", "by", "table", "used", "replaced")
"""What the event stream has only if there is something in it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its number in the log, from 1 without gaps, and its time (ISO 8601, UTC)."""

    seq: int
    at: str
    event: Event


class BadEvent(ValueError):
    """A JSON object that is no event of this version."""


def event_to_json(event: Event) -> dict[str, Any]:
    """Return all of *event*, private parts included: for the log on disk alone."""
    found: dict[str, Any] = msgspec.to_builtins(event)
    if not found.get("replaced", True):  # it is said only where it is so
        del found["replaced"]
    return {name: list(value) if type(value) is tuple else value for name, value in found.items()}


def event_from_json(thing: Mapping[str, Any]) -> Event:
    """Return the event that event_to_json made *thing* of; raises BadEvent.

    >>> event_from_json({"type": "undo", "undone": 7, "action": "up1 nani", "frame": None})
    MoveUndone(undone=7, action='up1 nani', frame=None, replaced=False)
    """
    if not isinstance(thing, Mapping):  # a log on disk may hold any JSON
        raise BadEvent("an event is a JSON object")
    kind = KINDS.get(str(thing.get("type")))
    if kind is None:
        raise BadEvent(f"no event has the type {thing.get('type')!r}")
    try:
        return msgspec.convert(thing, kind)
    except msgspec.ValidationError:
        values = {name: value for name, value in thing.items() if name != "type"}
        raise BadEvent(f"{thing['type']}: {find_misfit(kind, values)}") from None


def public_json(entry: Entry, public: Callable[[str], str] = str) -> dict[str, Any]:
    """Return what everyone may know of *entry*: `type`, `seq`, then its fields, no secrets.

    public: what everyone may read of an action, see `Game.public`.
    """
    found = event_to_json(entry.event)
    hidden = PRIVATE.get(entry.event.type, ())
    shown = {name: value for name, value in found.items() if name not in hidden and name != "type"}
    if "action" in shown:
        shown["action"] = public(shown["action"])
    if "also" in shown:
        also = dict.fromkeys(map(public, shown["also"]))
        shown["also"] = [text for text in also if text != shown["action"]]
    for name in LEFT_OUT_IF_EMPTY:
        if not shown.get(name, True):
            del shown[name]
    return {"type": entry.event.type, "seq": entry.seq, **shown, "at": entry.at}
