"""TacTiki in text and JSON: set-ups, actions, states and views."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.tactiki.pieces import (
    PIECES,
    RANKS,
    RESULTS,
    SIDES,
    SIZE,
    Action,
    Arranged,
    Claimed,
    Clashed,
    Column,
    Moved,
    Piece,
    Reincarnated,
    Result,
    code_of,
    is_whole,
    name,
    piece_name,
)
from companion.rules.tactiki.play import (
    known_ranks,
    outcome,
    turn,
)
from companion.rules.tactiki.ranks import possible_ranks
from companion.rules.tactiki.state import Clash, Options, State

MOST_REPETITIONS: Final = 99
MOST_QUIET_TURNS: Final = 9999


def is_result(word: object) -> TypeGuard[Result]:
    """Tell whether *word* is how an attacker can fare."""
    return word in RESULTS


def format_action(action: Action) -> str:
    """Return the text of *action*; parse_action gives it back.

    >>> format_action(Moved(22, 17)), format_action(Reincarnated(20, 5))
    ('move 42 32', 'back 40 5')
    """
    match action:
        case Moved(source, target):
            return f"move {name(source)} {name(target)}"
        case Reincarnated(field, rank):
            return f"back {name(field)} {rank}" if rank else f"back {name(field)}"
        case Clashed(result):
            return f"clash {result}"
        case Arranged(seat, ranks):
            return f"ranks {seat} {' '.join(map(str, ranks))}"
        case Claimed():
            return "draw"


def parse_action(text: str) -> Action:
    """Return the action that *text* names: `move 42 32`, `back 40`, `clash win`, ...

    Raises InvalidAction, saying what would be right.

    >>> parse_action("clash win")
    Clashed(result='win')
    """
    match text.split():
        case ["move", source, target]:
            return Moved(_field(source), _field(target))
        case ["back", field]:
            return Reincarnated(_field(field))
        case ["back", field, rank] if rank in ("1", "2", "3", "4", "5"):
            return Reincarnated(_field(field), int(rank))
        case ["clash", result] if is_result(result):
            return Clashed(result)
        case ["ranks", ("0" | "1") as seat, *ranks] if len(ranks) == PIECES:
            return Arranged(int(seat), _ranks([int(r) if r in "12345" else 0 for r in ranks]))
        case ["draw"]:
            return Claimed()
    raise InvalidAction(
        f"'{text[:60]}' is no action; an action is 'move 42 32', 'back 40', 'back 40 5',"
        " 'clash win', 'clash lose', 'clash tie', 'ranks 0 1 1 2 2 3 3 4 4 5 5' or 'draw'"
    )


def _field(text: str) -> int:
    if len(text) == 2 and all(digit in "01234" for digit in text):
        return int(text[0]) * SIZE + int(text[1])
    raise InvalidAction(f"a field is its row and column, 00 to 44, not '{text[:20]}'")


def _ranks(ranks: Sequence[object]) -> tuple[int, ...]:
    if all(type(rank) is int and rank in RANKS for rank in ranks):
        return tuple(int(str(rank)) for rank in ranks)
    raise InvalidAction("ranks are numbers from 1 to 5")


def _place(place: object) -> int:
    match place:
        case [r, c] if type(r) is int and type(c) is int and 0 <= r < SIZE and 0 <= c < SIZE:
            return r * SIZE + c
    raise InvalidAction("a field is [row, column], each from 0 to 4")


def action_from_json(thing: object) -> Action:
    """Return the action given as its text or as an object with a `type`; raises InvalidAction."""
    match thing:
        case str():
            return parse_action(thing)
        case {"type": "moved", "from": source, "to": target, **rest} if not rest:
            return Moved(_place(source), _place(target))
        case {"type": "reincarnated", "field": field, **rest} if not rest.keys() - {"rank"}:
            rank = rest.get("rank")
            return Reincarnated(_place(field), 0 if rank is None else _ranks([rank])[0])
        case {"type": "clashed", "result": result, **rest} if is_result(result) and not rest:
            return Clashed(result)
        case {"type": "arranged", "seat": int(seat), "ranks": [*ranks], **rest} if not rest:
            if type(seat) is int:
                return Arranged(seat, _ranks(ranks))
        case {"type": "claimed", **rest} if not rest:
            return Claimed()
    raise InvalidAction(
        "an action is its text, or an object with type 'moved' (from, to), 'reincarnated' (field,"
        " rank), 'clashed' (result), 'arranged' (seat, ranks) or 'claimed'"
    )


def action_to_json(action: Action) -> dict[str, Any]:
    """Return *action* as an object with a `type`."""
    match action:
        case Moved(source, target):
            return {"type": "moved", "from": _pair(source), "to": _pair(target)}
        case Reincarnated(field, rank):
            return {"type": "reincarnated", "field": _pair(field), "rank": rank or None}
        case Clashed(result):
            return {"type": "clashed", "result": result}
        case Arranged(seat, ranks):
            return {"type": "arranged", "seat": seat, "ranks": list(ranks)}
        case Claimed():
            return {"type": "claimed"}


def _pair(field: int) -> list[int]:
    return list(divmod(field, SIZE))


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
    if type(seats) is not int or seats != 2:
        raise InvalidSetup(f"TacTiki is for 2 players, not {seats!r} (TA-1)")
    setup = dict(setup or {})
    given = setup.pop("ranks", None) or {}
    if setup:
        raise InvalidSetup(f"setup has no '{next(iter(setup))}'; it has ranks")
    if not isinstance(given, Mapping) or not set(given) <= set(SIDES):
        raise InvalidSetup("setup.ranks is an object with tiki and tac (TA-2)")
    tiki, tac = (_parse_ranks(given.get(side)) for side in SIDES)
    empty: list[Column] = [()] * SIZE
    home = [[(seat + 4 * c, seat + 4 * c + 2) for c in range(SIZE)] for seat in (0, 1)]
    columns = (*home[1], *empty, *empty, *empty, *home[0])
    tops = tuple(code_of(columns[row * SIZE : row * SIZE + SIZE]) for row in range(SIZE))
    return State(
        options=parse_options(options or {}),
        phase="move",
        seat=0,
        moved=0,
        columns=columns,
        tops=tops,
        pools=((), ()),
        ranks=(tiki, tac),
        facts=(),
        field=0,
        turns=1,
        quiet=0,
        seen=((0, columns),),
        claim=False,
        ended_by="",
    )


def _parse_ranks(ranks: object) -> tuple[int, ...]:
    if ranks is None:
        return (0,) * PIECES
    try:
        if isinstance(ranks, list) and is_whole(_ranks(ranks)):
            return _ranks(ranks)
    except InvalidAction:
        pass
    raise InvalidSetup("a side's ranks are ten numbers, two of each from 1 to 5 (TA-2)")


def parse_options(options: Mapping[str, Any]) -> Options:
    """Return a table's options, the usual ones where *options* is silent; raises InvalidSetup."""
    usual = options_to_json(Options())
    unknown = set(options) - set(usual)
    if unknown:
        known = ", ".join(usual)
        raise InvalidSetup(f"there is no option '{min(unknown, key=str)}'; the options are {known}")
    chosen = usual | dict(options)
    if chosen["statue"] not in ("five", "pure"):
        raise InvalidSetup("statue is 'five' or 'pure' (TA-11)")
    repetition, quiet = chosen["repetition"], chosen["quiet_turns"]
    if type(repetition) is not int or repetition not in (0, *range(2, MOST_REPETITIONS + 1)):
        raise InvalidSetup(f"repetition is 0 or from 2 to {MOST_REPETITIONS} (TA-13)")
    if type(quiet) is not int or not 0 <= quiet <= MOST_QUIET_TURNS:
        raise InvalidSetup(f"quiet_turns is a number from 0 to {MOST_QUIET_TURNS} (TA-13)")
    return Options(chosen["statue"], repetition, quiet)


def options_to_json(options: Options) -> dict[str, Any]:
    """Return *options* as parse_options takes them."""
    return {
        "statue": options.statue,
        "repetition": options.repetition,
        "quiet_turns": options.quiet_turns,
    }


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
        "attacked": _pair(state.field) if state.phase == "clash" else None,
        "quiet": max(state.quiet, 0),
        "claim": state.claim,
        "scores": list(result.scores) if result else [0, 0],
        "winners": list(result.winners) if result else None,
    }


def _cells(state: State, told: Any) -> list[list[list[dict[str, Any]]]]:
    """Return the fields row by row, the pieces bottom first, with what is *told* of each."""
    cells = [
        [{"side": SIDES[piece & 1], "piece": piece_name(piece), **told(piece)} for piece in column]
        for column in state.columns
    ]
    return [cells[row * SIZE : row * SIZE + SIZE] for row in range(SIZE)]


def _fact_to_json(fact: Any) -> dict[str, Any]:
    if isinstance(fact, Clash):
        attacker, defender = piece_name(fact.attacker), piece_name(fact.defender)
        return {
            "turn": fact.turn,
            "attacker": attacker,
            "defender": defender,
            "result": fact.result,
        }
    return {"turn": fact.turn, "returned": piece_name(fact.piece)}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know; None is a bystander, who is told no rank (TA-2).

    A seat has its own ranks, those that clashes exposed, and what may follow from both (TA-14).
    """
    seen = state_to_json(state)
    if seat is None:
        seen["cells"] = _cells(state, lambda _: {})
    else:
        known = _known_to(state, seat)
        pieces = [piece for column in state.columns for piece in column]
        possible = possible_ranks(state.facts, known, pieces)
        seen["cells"] = _cells(state, lambda piece: {"ranks": list(possible[piece])})
    seen["defeated"] = {
        side: list(seen["defeated"][side]) if owner == seat else [None] * len(state.pools[owner])
        for owner, side in enumerate(SIDES)
    }
    return seen


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
