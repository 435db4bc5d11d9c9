"""Parade: six animals in a line; a turn sends one to its head, or the last one home for a point."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup, Outcome

NAME: Final = "parade"
SEATS: Final = range(2, 5)
ANIMALS: Final = ("crab", "fish", "gull", "seal", "toad", "wolf")
FEWEST: Final = 3
"""When so many are left, the parade is over."""


class Led(NamedTuple):
    """The seat to act sent *animal* to the head of the line; "" sent the last one home."""

    animal: str


HOME: Final = Led("")


class State(NamedTuple):
    """One moment: who is to act, the line from its head on, and everybody's points."""

    seat: int
    line: tuple[str, ...]
    points: tuple[int, ...]


def initial(
    seats: int, options: Mapping[str, Any] | None = None, setup: Mapping[str, Any] | None = None
) -> State:
    """Return the start; *setup* may have `first`.  Raises InvalidSetup."""
    if type(seats) is not int or seats not in SEATS or options:
        raise InvalidSetup("Parade is for 2 to 4 players and has no options (PA-1)")
    return State(int((setup or {}).get("first", 0)), ANIMALS, (0,) * seats)


def turn(state: State) -> int | None:
    """Return who is to act."""
    return state.seat if len(state.line) > FEWEST else None


def legal_actions(state: State) -> tuple[Led, ...]:
    """Return every animal but the first, and the way home."""
    return () if turn(state) is None else (HOME, *map(Led, state.line[1:]))


def apply(state: State, action: Led) -> State:
    """Return the state after *action*; raises IllegalAction."""
    if action not in legal_actions(state):
        raise IllegalAction(f"the {action.animal} leads the line already, or is at home", "PA-2")
    rest = tuple(animal for animal in state.line if animal != action.animal)
    line = state.line[:-1] if action == HOME else (action.animal, *rest)
    points = list(state.points)
    points[state.seat] += action == HOME
    return State((state.seat + 1) % len(points), line, tuple(points))


def outcome(state: State) -> Outcome | None:
    """Return who sent most animals home."""
    if turn(state) is not None:
        return None
    best = max(state.points)
    winners = tuple(seat for seat, points in enumerate(state.points) if points == best)
    return Outcome(state.points, winners, "PA-3")


def parse_action(text: str) -> Led:
    """Return the action that *text* names: `lead ANIMAL` or `home`.  Raises InvalidAction."""
    match text.split():
        case ["lead", animal] if animal in ANIMALS:
            return Led(animal)
        case ["home"]:
            return HOME
    raise InvalidAction(f"'{text[:60]}' is not an action; an action is 'lead crab' or 'home'")


def format_action(action: Led) -> str:
    """Return the text of *action*."""
    return f"lead {action.animal}" if action.animal else "home"


def action_from_json(thing: object) -> Led:
    """Return the action given as its text or as an object; raises InvalidAction."""
    match thing:
        case {"type": "led", "animal": str(animal), **rest} if not rest:
            return parse_action(f"lead {animal}" if animal else "home")
    return parse_action(thing if isinstance(thing, str) else repr(thing))


def action_to_json(action: Led) -> dict[str, Any]:
    """Return *action* as an object."""
    return {"type": "led", **action._asdict()}


def state_to_json(state: State) -> dict[str, Any]:
    """Return all of *state*; nothing is secret."""
    phase = "over" if turn(state) is None else "play"
    return {"phase": phase, "line": list(state.line), "scores": list(state.points)}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything."""
    del seat
    return state_to_json(state)


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* as *seat* may know it, which is all of it."""
    del seat
    return state
