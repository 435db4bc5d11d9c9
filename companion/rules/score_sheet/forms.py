"""A score sheet in text and JSON: options, actions and states."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any, Final

from companion.rules.codec import (
    Codec,
    custom,
    flag,
    invalid_value,
    list_of,
    number,
    optional,
    seat,
)
from companion.rules.notation import Choices, Kind, Notation, read_setup, require_seats
from companion.rules.score_sheet.play import (
    LEAST,
    MAX_ROUNDS,
    MOST,
    Action,
    Ended,
    Filled,
    Options,
    State,
    Wrote,
    outcome,
    totals,
)

SEATS: Final = range(1, 11)  # SS-1
MAX_TARGET_POINTS: Final = 9999
_A_GAME: Final = "the name of a game, at most 20 letters"
_SOME_POINTS: Final = f"a number from {LEAST} to {MOST}"


def _read_game(thing: object) -> str:
    if isinstance(thing, str) and len(thing) <= 20 and set(thing) <= {*ascii_lowercase, "_"}:
        return thing
    raise invalid_value(_A_GAME, thing)


def _points() -> Codec[int]:
    """Return the codec for points, which may be below zero."""
    texts = {str(points): points for points in range(LEAST, MOST + 1)}

    def from_json(thing: object) -> int:
        if type(thing) is int and LEAST <= thing <= MOST:
            return thing
        raise invalid_value(_SOME_POINTS, thing)

    def parse(text: str) -> int:
        if text in texts:
            return texts[text]
        raise invalid_value(_SOME_POINTS, text)

    return Codec(_SOME_POINTS, from_json, int, parse, str)


_ACTIONS: Final = Notation[Action](
    Kind(
        Wrote,
        "wrote",
        "'points 0 12' (a seat, its points of this round)",
        {"seat": seat(SEATS[-1]), "points": _points()},
    ),
    Kind(
        Filled,
        "filled",
        "'round 12 ? -5' (everybody's points of this round, ? for who is left out)",
        {"points": list_of(optional(_points(), None, "?"), "points of each seat", 1, SEATS[-1])},
    ),
    Kind(Ended, "ended", "'end'"),
)
format_action: Final = _ACTIONS.format_action
parse_action: Final = _ACTIONS.parse_action
action_to_json: Final = _ACTIONS.action_to_json
action_from_json: Final = _ACTIONS.action_from_json

_OPTIONS: Final = Choices[Options](
    of=(custom(_A_GAME, _read_game), "SS-1"),
    target=(number(range(MAX_TARGET_POINTS + 1)), "SS-3"),
    rounds=(number(range(MAX_ROUNDS + 1)), "SS-3"),
    lowest=(flag(), "SS-4"),
)
options_to_json: Final = _OPTIONS.to_json


def parse_options(options: Mapping[str, Any]) -> Options:
    """Return the options, the usual ones where *options* is silent; raises InvalidSetup."""
    return _OPTIONS.read(Options(), options)


def initial(
    seats: int, options: Mapping[str, Any] | None = None, setup: Mapping[str, Any] | None = None
) -> State:
    """Return an empty sheet for *seats* players; raises InvalidSetup."""
    require_seats(seats, SEATS, "A score sheet", "SS-1")
    read_setup(setup)
    return State(parse_options(options or {}), (), (None,) * seats)


def state_to_json(state: State) -> dict[str, Any]:
    """Return all of *state*; nothing on it is secret."""
    result = outcome(state)
    return {
        "options": options_to_json(state.options),
        "round": len(state.rounds) + (not result),
        "phase": state.phase,
        "written": list(state.written),
        "rounds": [list(points) for points in state.rounds],
        "scores": list(totals(state)),
        "winners": list(result.winners) if result else None,
    }


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know, which is everything."""
    del seat
    return state_to_json(state)


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* as *seat* may know it, which is all of it."""
    del seat
    return state
