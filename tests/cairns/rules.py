"""Cairns: twelve discs in piles on eight places; a turn carries the top of one onto another."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup, Outcome

NAME: Final = "cairns"
SEATS: Final = range(2, 5)
COLOURS: Final = ("pink", "yellow", "blue", "green")
START: Final = (
    ("yellow", "blue", "pink"),
    (),
    ("blue", "green", "yellow"),
    (),
    ("green", "pink", "blue"),
    (),
    ("pink", "yellow", "green"),
    (),
)
TALLEST: Final = 5
MAX_TURNS: Final = 12
NOWHERE: Final = -1


class Carried(NamedTuple):
    """The top disc of place *start* was put on place *end*."""

    start: int
    end: int


class State(NamedTuple):
    """One moment.

    piles: the colours at each place, bottom first.  turns: how many there were.  last: where the
    disc lies that was carried last.
    """

    seats: int
    piles: tuple[tuple[str, ...], ...] = START
    turns: int = 0
    last: int = NOWHERE


def initial(
    seats: int, options: Mapping[str, Any] | None = None, setup: Mapping[str, Any] | None = None
) -> State:
    """Return the start: three discs on every other place.  Raises InvalidSetup."""
    if type(seats) is not int or seats not in SEATS or options or setup:
        raise InvalidSetup("Cairns is for 2 to 4 players and has no options (CA-1)")
    return State(seats)


def turn(state: State) -> int | None:
    """Return who is to act."""
    return state.turns % state.seats if state.turns < MAX_TURNS else None


def legal_actions(state: State) -> tuple[Carried, ...]:
    """Return every way to carry a disc, but for the one that was carried last."""
    if turn(state) is None:
        return ()
    places = range(len(state.piles))
    starts = [place for place in places if state.piles[place] and place != state.last]
    ends = [place for place in places if len(state.piles[place]) < TALLEST]
    return tuple(Carried(start, end) for start in starts for end in ends if start != end)


def apply(state: State, action: Carried) -> State:
    """Return the state after *action*; raises IllegalAction."""
    if action not in legal_actions(state):
        raise IllegalAction("a disc is carried onto at most four, and not twice running", "CA-2")
    piles = list(state.piles)
    *left, disc = piles[action.start]
    piles[action.start] = tuple(left)
    piles[action.end] = (*piles[action.end], disc)
    return State(state.seats, tuple(piles), state.turns + 1, action.end)


def points(state: State) -> tuple[int, ...]:
    """Return on how many places each player's colour is on top."""
    tops = [pile[-1] for pile in state.piles if pile]
    return tuple(tops.count(colour) for colour in COLOURS[: state.seats])


def outcome(state: State) -> Outcome | None:
    """Return whose colour is on top of most."""
    if turn(state) is not None:
        return None
    found = points(state)
    winners = tuple(seat for seat, each in enumerate(found) if each == max(found))
    return Outcome(found, winners, "CA-3")


def parse_action(text: str) -> Carried:
    """Return the action that *text* names: `carry START END`.  Raises InvalidAction."""
    match text.split():
        case ["carry", start, end] if {start, end} <= set(map(str, range(len(START)))):
            return Carried(int(start), int(end))
    raise InvalidAction(f"'{text[:60]}' is not an action; an action is 'carry 0 3'")


def format_action(action: Carried) -> str:
    """Return the text of *action*."""
    return f"carry {action.start} {action.end}"


def action_from_json(thing: object) -> Carried:
    """Return the action given as its text; raises InvalidAction."""
    return parse_action(thing if isinstance(thing, str) else repr(thing))


def action_to_json(action: Carried) -> dict[str, Any]:
    """Return *action* as an object."""
    return {"type": "carried", **action._asdict()}


def state_to_json(state: State) -> dict[str, Any]:
    """Return all of *state*; nothing is secret."""
    phase = "over" if turn(state) is None else "play"
    return {"phase": phase, "piles": list(map(list, state.piles)), "scores": points(state)}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything."""
    del seat
    return state_to_json(state)


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* as *seat* may know it, which is all of it."""
    del seat
    return state
