"""TacTiki in text and JSON: set-ups, actions, states and views."""

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.codec import (
    custom,
    invalid_value,
    list_of,
    number,
    one_of,
    optional,
    plain,
    read_object,
    seat,
    square,
)
from companion.rules.notation import Choices, Kind, Notation, read_setup, require_seats
from companion.rules.tactiki import pieces
from companion.rules.tactiki.pieces import PIECES, RANKS, SIDES, SIZE, Action, Piece
from companion.rules.tactiki.play import known_ranks, outcome, turn
from companion.rules.tactiki.ranks import possible_ranks
from companion.rules.tactiki.state import Clash, Fact, Options, Removed, State

MAX_REPETITIONS: Final = 99
MAX_TURNS: Final = 9999
_FIELD: Final = square(SIZE)
_RANK: Final = number(RANKS)
_TEN: Final = list_of(_RANK, "ten ranks from 1 to 5", PIECES, PIECES)
_ACTIONS: Final = Notation[Action](
    Kind(pieces.Moved, "moved", "'move 42 32'", {"from": _FIELD, "to": _FIELD}),
    Kind(
        pieces.Reincarnated,
        "reincarnated",
        "'back 40', 'back 40 5'",
        {"field": _FIELD, "rank": optional(_RANK, 0)},
    ),
    Kind(
        pieces.Clashed,
        "clashed",
        "'clash win', 'clash lose', 'clash tie'",
        {"result": one_of(pieces.RESULTS)},
    ),
    Kind(
        pieces.Arranged,
        "arranged",
        "'ranks 0 1 1 2 2 3 3 4 4 5 5'",
        {"seat": seat(len(SIDES)), "ranks": _TEN},
    ),
    Kind(pieces.Claimed, "claimed", "'draw'"),
)
format_action: Final = _ACTIONS.format_action
parse_action: Final = _ACTIONS.parse_action
action_to_json: Final = _ACTIONS.action_to_json
action_from_json: Final = _ACTIONS.action_from_json

_OPTIONS: Final = Choices[Options](
    statue=(one_of(("five", "pure")), "TA-11"),
    repetition=(
        number((0, *range(2, MAX_REPETITIONS + 1)), f"0 or from 2 to {MAX_REPETITIONS}"),
        "TA-13",
    ),
    quiet_turns=(number(range(MAX_TURNS + 1)), "TA-13"),
    max_turns=(number(range(MAX_TURNS + 1)), "TA-13"),
)
options_to_json: Final = _OPTIONS.to_json


def parse_options(options: Mapping[str, Any]) -> Options:
    """Return a table's options, the usual ones where *options* is silent; raises InvalidSetup."""
    return _OPTIONS.read(Options(), options)


_A_SIDE: Final = "ten numbers, two of each from 1 to 5"


def _read_side(thing: object) -> tuple[int, ...]:
    ranks = list_of(_RANK, _A_SIDE).from_json(thing)
    if not pieces.is_whole(ranks):
        raise invalid_value(_A_SIDE, thing)
    return ranks


def initial(
    seats: int = 2,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before TIKI's first move.

    options: see `Options`; what is missing takes the usual value.
    setup: `ranks`, an object with `tiki` and `tac`, each ten ranks as in `Arranged`, or null or
        missing if the engine is not to know them.
    Raises InvalidSetup.
    """
    require_seats(seats, range(2, 3), "TacTiki", "TA-1")
    unknown = (0,) * PIECES
    sides = dict.fromkeys(SIDES, optional(custom(_A_SIDE, _read_side), unknown))
    ranks = custom("an object with tiki and tac", lambda thing: read_object(thing, sides))
    told = read_setup(setup, ranks=(optional(ranks, {}), "TA-2"))["ranks"]
    empty: list[pieces.Column] = [()] * SIZE
    home = [[(seat + 4 * c, seat + 4 * c + 2) for c in range(SIZE)] for seat in (0, 1)]
    columns = (*home[1], *empty, *empty, *empty, *home[0])
    look = pieces.look_of(columns)
    return State(
        options=parse_options(options or {}),
        phase="move",
        seat=0,
        moved=0,
        columns=columns,
        tops=pieces.tops_of(columns),
        pools=((), ()),
        ranks=(told.get("tiki", unknown), told.get("tac", unknown)),
        facts=(),
        field=0,
        turns=1,
        quiet=0,
        look=look,
        seen=(look,),
        claim=False,
        ended_by="",
    )


def state_to_json(state: State) -> dict[str, Any]:
    """Return all that the engine knows of *state*, ranks included."""
    result = outcome(state)
    ranks = known_ranks(state)
    return {
        "options": options_to_json(state.options),
        "phase": state.phase,
        "turn": turn(state),
        "seat": state.seat,
        "turns": state.turns,
        "moved": state.moved,
        "cells": _cells(state, lambda piece: {"rank": ranks.get(piece)}),
        "defeated": {
            side: [rank or None for rank in pool]
            for side, pool in zip(SIDES, state.pools, strict=True)
        },
        "facts": [_fact_to_json(fact) for fact in state.facts],
        "attacked": _FIELD.to_json(state.field) if state.phase == "clash" else None,
        "quiet": max(state.quiet, 0),
        "claim": state.claim,
        "scores": list(result.scores) if result else [0, 0],
        "winners": list(result.winners) if result else None,
    }


def _cells(state: State, told: Any) -> list[list[list[dict[str, Any]]]]:
    """Return the fields row by row, the pieces bottom first, with what is *told* of each."""
    cells = [
        [
            {"side": SIDES[piece & 1], "piece": pieces.piece_name(piece), **told(piece)}
            for piece in column
        ]
        for column in state.columns
    ]
    return [cells[row * SIZE : row * SIZE + SIZE] for row in range(SIZE)]


def _fact_to_json(fact: Fact) -> dict[str, Any]:
    if isinstance(fact, Clash):
        attacker, defender = map(pieces.piece_name, (fact.attacker, fact.defender))
        return {**plain(fact), "attacker": attacker, "defender": defender}
    if isinstance(fact, Removed):
        return {"turn": fact.turn, "removed": pieces.piece_name(fact.piece)}
    return {"turn": fact.turn, "returned": pieces.piece_name(fact.piece)}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know; None is a bystander, who is told no rank (TA-2).

    A seat has its own ranks, those that clashes exposed, and what may follow from both (TA-14).
    """
    seen = state_to_json(state)
    if seat is None:
        seen["cells"] = _cells(state, lambda _: {})
    else:
        known = _known_to(state, seat)
        standing = [piece for column in state.columns for piece in column]
        possible = possible_ranks(state.facts, known, standing)
        seen["cells"] = _cells(state, lambda piece: {"ranks": list(possible[piece])})
    seen["defeated"] = {
        side: list(seen["defeated"][side]) if owner == seat else [None] * len(state.pools[owner])
        for owner, side in enumerate(SIDES)
    }
    return seen


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* with all that *seat* may not know unknown; None is a bystander (TA-2)."""
    known = {} if seat is None else _known_to(state, seat)
    first, second = (
        tuple(known.get(owner + 2 * k, 0) for k in range(len(ranks)))
        for owner, ranks in enumerate(state.ranks)
    )
    tiki, tac = (
        pool if owner == seat else (0,) * len(pool) for owner, pool in enumerate(state.pools)
    )
    return state._replace(ranks=(first, second), pools=(tiki, tac))


def _known_to(state: State, seat: int) -> dict[Piece, int]:
    """Return the ranks that *seat* has seen: its own, and those that a clash exposed."""
    exposed = {
        piece
        for fact in state.facts
        if isinstance(fact, Clash)
        for piece in (fact.attacker, fact.defender)
    }
    ranks = known_ranks(state)
    return {piece: rank for piece, rank in ranks.items() if piece & 1 == seat or piece in exposed}
