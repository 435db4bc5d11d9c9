"""Topple in text and JSON: set-ups, actions and states."""

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.topple.board import (
    PASSED,
    PIPS,
    SIZE,
    SPOTS,
    TOPPLED,
    UNSEEN,
    Action,
    Knocked,
    Passed,
    Placed,
    Rolled,
    Toppled,
)
from companion.rules.topple.play import full_stock, name, outcome, totals, turn
from companion.rules.topple.state import Options, State

SEATS: Final = range(2, 5)  # TO-2
MOST_POINTS: Final = 9999
_WORD: Final = "abcdefghijklmnopqrstuvwxyz"
_UNSEEN: Final = "?"


def is_colour(word: object) -> bool:
    """Tell whether *word* can name a colour: lower-case letters, at most 20."""
    return isinstance(word, str) and 0 < len(word) <= 20 and set(word) <= set(_WORD)


def format_action(action: Action) -> str:
    """Return the text of *action*; parse_action gives it back.

    >>> format_action(Placed(12, "pink"))
    'place 22 pink'
    """
    match action:
        case Rolled(pips):
            return f"roll {pips or _UNSEEN}"
        case Placed(spot, colour):
            return f"place {name(spot)} {colour}"
        case Toppled():
            return "topple"
        case Knocked(seat):
            return f"knock {seat}"
        case Passed():
            return "pass"


def parse_action(text: str) -> Action:
    """Return the action that *text* names: `roll 4`, `place 22 pink`, `topple`, `knock 2`, `pass`.

    Raises InvalidAction, saying what would be right.

    >>> parse_action("roll 6")
    Rolled(pips=6)
    """
    match text.split():
        case ["roll", pips] if pips in map(str, PIPS):
            return Rolled(int(pips))
        case ["roll", "?"]:
            return Rolled(UNSEEN)
        case ["place", spot, colour] if is_colour(colour) and spot in map(name, SPOTS):
            return Placed(int(spot[0]) * SIZE + int(spot[1]), colour)
        case ["topple"]:
            return TOPPLED
        case ["knock", ("0" | "1" | "2" | "3") as seat]:
            return Knocked(int(seat))
        case ["pass"]:
            return PASSED
    raise InvalidAction(
        f"'{text[:60]}' is no action; an action is 'roll 4', 'roll ?' if nobody tells, 'place 22"
        " pink' (row and column from 0 to 4, a colour), 'topple', 'knock 2' (a seat) or 'pass'"
    )


def action_from_json(thing: object) -> Action:
    """Return the action given as its text or as an object with a `type`; raises InvalidAction."""
    match thing:
        case str():
            return parse_action(thing)
        case {"type": "rolled", "pips": pips, **rest} if _is_in(pips, PIPS) and not rest:
            return Rolled(pips)
        case {"type": "rolled", "pips": None, **rest} if not rest:
            return Rolled(UNSEEN)
        case {"type": "placed", "spot": [r, c], "colour": str(colour), **rest} if not rest:
            if _is_in(r, range(SIZE)) and _is_in(c, range(SIZE)) and is_colour(colour):
                return Placed(r * SIZE + c, colour)
        case {"type": "toppled", **rest} if not rest:
            return TOPPLED
        case {"type": "knocked", "seat": seat, **rest} if _is_in(seat, range(4)) and not rest:
            return Knocked(seat)
        case {"type": "passed", **rest} if not rest:
            return PASSED
    raise InvalidAction(
        "an action is its text, or an object with type 'rolled' (pips), 'placed' (spot, colour),"
        " 'toppled', 'knocked' (seat) or 'passed'"
    )


def _is_in(number: object, allowed: range) -> bool:
    return type(number) is int and number in allowed


def action_to_json(action: Action) -> dict[str, Any]:
    """Return *action* as an object with a `type`."""
    match action:
        case Rolled(pips):
            return {"type": "rolled", "pips": pips or None}
        case Placed(spot, colour):
            return {"type": "placed", "spot": list(divmod(spot, SIZE)), "colour": colour}
        case Toppled():
            return {"type": "toppled"}
        case Knocked(seat):
            return {"type": "knocked", "seat": seat}
        case Passed():
            return {"type": "passed"}


def initial(
    seats: int,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before the first roll.

    options: see `Options`; what is missing takes the rulebook's value.
    setup: `first`, the seat that begins; without it everybody rolls for it (TO-3).
    Raises InvalidSetup.
    """
    if type(seats) is not int or seats not in SEATS:
        raise InvalidSetup(f"Topple is for 2 to 4 players, not {seats!r} (TO-2)")
    setup = dict(setup or {})
    first = setup.pop("first", None)
    if setup:
        raise InvalidSetup(f"setup has no '{next(iter(setup))}'; it has first")
    if first is not None and not _is_in(first, range(seats)):
        raise InvalidSetup(f"setup.first is a seat from 0 to {seats - 1}, not {first!r} (TO-3)")
    chosen = parse_options(options or {}, seats)
    players = tuple(range(seats))
    return State(
        options=chosen,
        phase="start" if first is None else "roll",
        players=players,
        seat=first or 0,
        pips=0,
        cells=((),) * len(SPOTS),
        marks=(0, 0, 0, 0),
        stock=full_stock(players, chosen.two_colours),
        tally=(0, 0, 0, 0),
        fines=(0,) * seats,
        before=-1,
        starter=first or 0,
        rolls=(),
        rolling=players if first is None else (),
        total=(0,) * seats,
        rounds=(),
    )


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    usual = options_to_json(Options(two_colours=seats == 2))
    unknown = set(options) - set(usual)
    if unknown:
        known = ", ".join(usual)
        raise InvalidSetup(f"there is no option '{min(unknown, key=str)}'; the options are {known}")
    chosen = usual | dict(options)
    target, colours = chosen["target"], chosen["colours"]
    if not _is_in(target, range(1, MOST_POINTS + 1)):
        raise InvalidSetup(f"target is a number from 1 to {MOST_POINTS}, not {target!r} (TO-12)")
    if not isinstance(colours, list) or not all(map(is_colour, colours)) or len(colours) != 4:
        raise InvalidSetup("colours is a list of four words in lower-case letters (TO-2)")
    if len(set(colours)) != len(colours):
        raise InvalidSetup("colours are four different words (TO-2)")
    for key, clause in _SWITCHES.items():
        if not isinstance(chosen[key], bool):
            raise InvalidSetup(f"{key} is true or false ({clause})")
    if chosen["two_colours"] and seats != 2:
        raise InvalidSetup("two_colours is for two players only (TO-13)")
    if chosen["next_start"] not in ("next", "roll", "same"):
        raise InvalidSetup("next_start is 'next', 'roll' or 'same' (TO-11)")
    if chosen["tie"] not in ("play_on", "share"):
        raise InvalidSetup("tie is 'play_on' or 'share' (TO-12)")
    return Options(**{**chosen, "colours": tuple(colours)})


_SWITCHES: Final = {
    "two_colours": "TO-13",
    "young": "TO-14",
    "count_completing": "TO-5",
    "must_place": "TO-4",
}


def options_to_json(options: Options) -> dict[str, Any]:
    """Return *options* as parse_options takes them."""
    return {
        "target": options.target,
        "colours": list(options.colours),
        "two_colours": options.two_colours,
        "young": options.young,
        "count_completing": options.count_completing,
        "must_place": options.must_place,
        "next_start": options.next_start,
        "tie": options.tie,
    }


def state_to_json(state: State) -> dict[str, Any]:
    """Return all of *state*; Topple has no secrets."""
    colours = state.options.colours
    cells = [[colours[colour] for colour in column] for column in state.cells]
    result = outcome(state)
    return {
        "options": options_to_json(state.options),
        "round": len(state.rounds) + (state.phase != "over"),
        "phase": state.phase,
        "turn": turn(state),
        "seat": state.seat,
        "players": list(state.players),
        "pips": state.pips or None,
        "cells": [cells[row * SIZE : row * SIZE + SIZE] for row in range(SIZE)],
        "stock": dict(zip(colours, state.stock, strict=True)),
        "points": dict(zip(colours, state.tally, strict=True)),
        "fines": list(state.fines),
        "starting_rolls": [{"seat": seat, "pips": pips} for seat, pips in state.rolls],
        "scores": list(totals(state)),
        "rounds": [
            {"points": list(played.points), "seat": played.seat, "ended_by": played.ended_by}
            for played in state.rounds
        ],
        "winners": list(result.winners) if result else None,
    }


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything: all pieces and points lie open."""
    del seat
    return state_to_json(state)
