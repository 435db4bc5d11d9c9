"""Pebbles: three heaps; a turn takes pebbles from one of them, and who takes the last has won."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup, Outcome

NAME: Final = "pebbles"
SEATS: Final = range(2, 5)
HEAPS: Final = (3, 4, 5)
MAX_TAKEN: Final = 3


class Took(NamedTuple):
    """The seat to act took *pebbles* from *heap*, counted from 0."""

    heap: int
    pebbles: int


class State(NamedTuple):
    """One moment: who is to act, what is left in each heap, and how many pebbles each seat has."""

    seat: int
    heaps: tuple[int, ...]
    taken: tuple[int, ...]


def initial(
    seats: int, options: Mapping[str, Any] | None = None, setup: Mapping[str, Any] | None = None
) -> State:
    """Return the start; *setup* may have `first`.  Raises InvalidSetup."""
    if type(seats) is not int or seats not in SEATS or options:
        raise InvalidSetup("Pebbles is for 2 to 4 players and has no options (PB-1)")
    return State(int((setup or {}).get("first", 0)), HEAPS, (0,) * seats)


def turn(state: State) -> int | None:
    """Return who is to act."""
    return state.seat if any(state.heaps) else None


def legal_actions(state: State) -> tuple[Took, ...]:
    """Return what may be taken."""
    return tuple(
        Took(heap, count)
        for heap, left in enumerate(state.heaps)
        for count in range(1, min(left, MAX_TAKEN) + 1)
    )


def apply(state: State, action: Took) -> State:
    """Return the state after *action*; raises IllegalAction."""
    if action not in legal_actions(state):
        left = state.heaps[action.heap]
        raise IllegalAction(
            f"heap {action.heap + 1} has {left}; take 1 to {MAX_TAKEN} of them", "PB-2"
        )
    heaps, taken = list(state.heaps), list(state.taken)
    heaps[action.heap] -= action.pebbles
    taken[state.seat] += action.pebbles
    seat = state.seat if not any(heaps) else (state.seat + 1) % len(taken)
    return State(seat, tuple(heaps), tuple(taken))


def outcome(state: State) -> Outcome | None:
    """Return who took the last pebble."""
    return None if any(state.heaps) else Outcome(state.taken, (state.seat,), "PB-3")


def parse_action(text: str) -> Took:
    """Return the action that *text* names: `take HEAP COUNT`.  Raises InvalidAction."""
    match text.split():
        case ["take", ("0" | "1" | "2") as heap, ("1" | "2" | "3") as count]:
            return Took(int(heap), int(count))
    raise InvalidAction(
        f"'{text[:60]}' is not an action; an action is 'take 0 2' (a heap, how many)"
    )


def format_action(action: Took) -> str:
    """Return the text of *action*."""
    return f"take {action.heap} {action.pebbles}"


def action_from_json(thing: object) -> Took:
    """Return the action given as its text or as an object; raises InvalidAction."""
    match thing:
        case {"type": "took", "heap": int(heap), "count": int(count), **rest} if not rest:
            return parse_action(f"take {heap} {count}")
    return parse_action(thing if isinstance(thing, str) else repr(thing))


def action_to_json(action: Took) -> dict[str, Any]:
    """Return *action* as an object."""
    return {"type": "took", **action._asdict()}


def state_to_json(state: State) -> dict[str, Any]:
    """Return all of *state*; nothing is secret."""
    phase = "take" if any(state.heaps) else "over"
    return {"phase": phase, "heaps": list(state.heaps), "scores": list(state.taken)}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything."""
    del seat
    return state_to_json(state)


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* as *seat* may know it, which is all of it."""
    del seat
    return state
