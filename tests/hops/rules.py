"""Hops: ten blue and ten yellow figures on 5 x 5 fields; a turn is two hops to a field beside."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup, Outcome

NAME: Final = "hops"
SEATS: Final = range(2, 3)
COLOURS: Final = ("blue", "yellow")
SIDE: Final = 5
MAX_HOPS: Final = 20
"""Of both together; then the game is over."""


class Hopped(NamedTuple):
    """The top figure of field *start* hopped onto *end*; fields count row by row."""

    start: int
    end: int


class State(NamedTuple):
    """One moment: the colours on each field, bottom first, and how many hops there were."""

    fields: tuple[tuple[str, ...], ...]
    hops: int = 0

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.hops // 2 % 2


def initial(
    seats: int, options: Mapping[str, Any] | None = None, setup: Mapping[str, Any] | None = None
) -> State:
    """Return the start: two on each field of the own row.  Raises InvalidSetup."""
    if seats not in SEATS or options or setup:
        raise InvalidSetup("Hops is for 2 players and has no options (HO-1)")
    blue, yellow = ((colour, colour) for colour in COLOURS)
    return State((*(yellow,) * SIDE, *((),) * (SIDE * (SIDE - 2)), *(blue,) * SIDE))


def turn(state: State) -> int | None:
    """Return who is to act."""
    return state.seat if state.hops < MAX_HOPS else None


def beside(field: int) -> tuple[int, ...]:
    """Return the fields beside *field*."""
    row, column = divmod(field, SIDE)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return tuple(SIDE * r + c for r, c in near if r in range(SIDE) and c in range(SIDE))


def legal_actions(state: State) -> tuple[Hopped, ...]:
    """Return every hop of a figure of whose turn it is."""
    if turn(state) is None:
        return ()
    own = COLOURS[state.seat]
    starts = [at for at, figures in enumerate(state.fields) if figures and figures[-1] == own]
    return tuple(Hopped(start, end) for start in starts for end in beside(start))


def apply(state: State, action: Hopped) -> State:
    """Return the state after *action*; raises IllegalAction."""
    if action not in legal_actions(state):
        raise IllegalAction("only own figures hop, to a field beside theirs", "HO-2")
    fields = list(state.fields)
    *left, figure = fields[action.start]
    fields[action.start] = tuple(left)
    fields[action.end] = (*fields[action.end], figure)
    return State(tuple(fields), state.hops + 1)


def points(state: State) -> tuple[int, ...]:
    """Return on how many fields each colour is on top."""
    tops = [figures[-1] for figures in state.fields if figures]
    return tuple(tops.count(colour) for colour in COLOURS)


def outcome(state: State) -> Outcome | None:
    """Return who is on top of more fields."""
    if turn(state) is not None:
        return None
    found = points(state)
    winners = tuple(seat for seat, each in enumerate(found) if each == max(found))
    return Outcome(found, winners, "HO-3")


def parse_action(text: str) -> Hopped:
    """Return the action that *text* names: `hop START END`.  Raises InvalidAction."""
    match text.split():
        case ["hop", start, end] if {start, end} <= set(map(str, range(SIDE**2))):
            return Hopped(int(start), int(end))
    raise InvalidAction(f"'{text[:60]}' is not an action; an action is 'hop 22 21'")


def format_action(action: Hopped) -> str:
    """Return the text of *action*."""
    return f"hop {action.start} {action.end}"


def action_from_json(thing: object) -> Hopped:
    """Return the action given as its text; raises InvalidAction."""
    return parse_action(thing if isinstance(thing, str) else repr(thing))


def action_to_json(action: Hopped) -> dict[str, Any]:
    """Return *action* as an object."""
    return {"type": "hopped", **action._asdict()}


def state_to_json(state: State) -> dict[str, Any]:
    """Return all of *state*; nothing is secret."""
    phase = "over" if turn(state) is None else "play"
    return {"phase": phase, "fields": list(map(list, state.fields)), "scores": points(state)}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything."""
    del seat
    return state_to_json(state)


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* as *seat* may know it, which is all of it."""
    del seat
    return state
