"""Topple in text and JSON: set-ups, actions and states."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any, Final

from companion.rules.base import InvalidSetup
from companion.rules.codec import (
    custom,
    flag,
    invalid_value,
    list_of,
    number,
    one_of,
    optional,
    plain,
    seat,
    square,
)
from companion.rules.notation import Choices, Kind, Notation, read_setup, require_seats
from companion.rules.topple import board
from companion.rules.topple.board import SIZE, SPOTS, Action, Colour
from companion.rules.topple.play import full_stock, outcome, totals, turn
from companion.rules.topple.state import Options, State

SEATS: Final = range(2, 5)  # TO-2
MAX_TARGET_POINTS: Final = 9999
_A_COLOUR: Final = "a word of at most 20 lower-case letters"


def _read_colour(thing: object) -> Colour:
    if isinstance(thing, str) and 0 < len(thing) <= 20 and set(thing) <= set(ascii_lowercase):
        return thing
    raise invalid_value(_A_COLOUR, thing)


_COLOUR: Final = custom(_A_COLOUR, _read_colour)
_PIPS: Final = optional(number(board.PIPS), board.UNSEEN, "?")
_ACTIONS: Final = Notation[Action](
    Kind(board.Rolled, "rolled", "'roll 4', 'roll ?' if the number is unknown", {"pips": _PIPS}),
    Kind(
        board.Placed,
        "placed",
        "'place 22 pink' (row and column from 0 to 4, a colour)",
        {"spot": square(SIZE), "colour": _COLOUR},
    ),
    Kind(board.Toppled, "toppled", "'topple'"),
    Kind(board.Knocked, "knocked", "'knock 2' (a seat)", {"seat": seat(4)}),
    Kind(board.Passed, "passed", "'pass'"),
)
format_action: Final = _ACTIONS.format_action
parse_action: Final = _ACTIONS.parse_action
action_to_json: Final = _ACTIONS.action_to_json
action_from_json: Final = _ACTIONS.action_from_json

_OPTIONS: Final = Choices[Options](
    target=(number(range(1, MAX_TARGET_POINTS + 1)), "TO-12"),
    colours=(list_of(_COLOUR, "a list of 4 different words", 4, 4, differ=True), "TO-2"),
    two_colours=(flag(), "TO-13"),
    young=(flag(), "TO-14"),
    count_completing=(flag(), "TO-5"),
    must_place=(flag(), "TO-4"),
    next_start=(one_of(("next", "roll", "same")), "TO-11"),
    tie=(one_of(("play_on", "share")), "TO-12"),
)
options_to_json: Final = _OPTIONS.to_json


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    chosen = _OPTIONS.read(Options(two_colours=seats == 2), options)
    if chosen.two_colours and seats != 2:
        raise InvalidSetup(
            f"two_colours is false for {seats} players, not True; only 2 players have two colours"
            " each (TO-13)"
        )
    return chosen


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
    require_seats(seats, SEATS, "Topple", "TO-2")
    first: int | None = read_setup(setup, first=(optional(seat(seats), None), "TO-3"))["first"]
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
        "rounds": plain(state.rounds),
        "winners": list(result.winners) if result else None,
    }


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything: all pieces and points lie open."""
    del seat
    return state_to_json(state)


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* as *seat* may know it, which is all of it."""
    del seat
    return state
