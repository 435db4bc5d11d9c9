"""A score sheet: points by round, and no rules of what earns them.

The clauses SS-1 to SS-5 are in docs/rules/score_sheet.md.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from companion.language.message import say
from companion.rules.base import IllegalAction, Outcome

LEAST: Final = -99
MOST: Final = 999
MAX_ROUNDS: Final = 99

Phase: TypeAlias = Literal["write", "over"]


@dataclass(frozen=True, slots=True)
class Options:
    """How the sheet is kept.

    of: the name of the game whose points these are, "" for any.
    target: the points that end the game, 0 for none.  rounds: after how many it ends, 0 for any.
    lowest: whether the fewest points win.
    """

    of: str = ""
    target: int = 0
    rounds: int = 0
    lowest: bool = False


@dataclass(frozen=True, slots=True)
class Wrote:
    """The points of *seat* in this round were written down, or others in their place."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Filled:
    """The points of several seats were written at once: by seat, None for who is left out."""

    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The people have ended the game."""


Action: TypeAlias = Wrote | Filled | Ended


class State(NamedTuple):
    """One moment.

    rounds: by seat, the points of each finished round.  written: those of this round, None while
    they are missing.  ended_by: the clause that ended the game, "" while it goes on.
    """

    options: Options
    rounds: tuple[tuple[int, ...], ...]
    written: tuple[int | None, ...]
    ended_by: str = ""

    @property
    def phase(self) -> Phase:
        """Whether points are still written."""
        return "over" if self.ended_by else "write"


def turn(state: State) -> int | None:
    """Return None: points are written in any order (SS-2)."""
    del state
    return None


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what each seat may write, and whether the game may be ended.

    Several at once (Filled) are not listed: there are too many.
    """
    if state.ended_by:
        return ()
    end: tuple[Action, ...] = (Ended(),) if _may_end(state) else ()
    return (*end, *_writable(len(state.written)))


@cache
def _writable(seats: int) -> tuple[Action, ...]:
    points = range(LEAST, MOST + 1)
    return tuple(Wrote(seat, each) for seat in range(seats) for each in points)


def _may_end(state: State) -> bool:
    return bool(state.rounds) and not any(points is not None for points in state.written)


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; raises IllegalAction."""
    if state.ended_by:
        raise IllegalAction(say("the game is over"), state.ended_by)
    if isinstance(action, Ended):
        if not _may_end(state):
            raise IllegalAction(
                say("the game can be ended between two rounds, not in the middle of one"), "SS-5"
            )
        return state._replace(ended_by="SS-5")
    seats = len(state.written)
    fresh = action.points if isinstance(action, Filled) else _alone(action, seats)
    if len(fresh) != seats:
        raise IllegalAction(
            say("there are {seats} players, not {number}", seats=seats, number=len(fresh)), "SS-2"
        )
    if all(points is None for points in fresh):
        raise IllegalAction(say("no points have been entered"), "SS-2")
    if not all(points is None or LEAST <= points <= MOST for points in fresh):
        raise IllegalAction(
            say("the points of a round must be from {least} to {most}", least=LEAST, most=MOST),
            "SS-2",
        )
    both = zip(state.written, fresh, strict=True)
    return _closed(state._replace(written=tuple(old if new is None else new for old, new in both)))


def _alone(action: Wrote, seats: int) -> tuple[int | None, ...]:
    if not 0 <= action.seat < seats:
        raise IllegalAction(say("there is no such player in this game"), "SS-1")
    return tuple(action.points if seat == action.seat else None for seat in range(seats))


def _closed(state: State) -> State:
    """Return *state*, with its round finished if all points are there (SS-2, SS-3)."""
    complete = tuple(points for points in state.written if points is not None)
    if len(complete) < len(state.written):
        return state
    options, rounds = state.options, (*state.rounds, complete)
    scored = state._replace(rounds=rounds, written=(None,) * len(complete))
    reached = options.target and max(totals(scored)) >= options.target
    if reached or len(rounds) == (options.rounds or MAX_ROUNDS):
        return scored._replace(ended_by="SS-3")
    return scored


def totals(state: State) -> tuple[int, ...]:
    """Return everybody's points of all finished rounds."""
    return tuple(sum(points[seat] for points in state.rounds) for seat in range(len(state.written)))


def leaders(state: State, points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that *points* put first, all that share it (SS-4)."""
    best = min(points) if state.options.lowest else max(points)
    return tuple(seat for seat, each in enumerate(points) if each == best)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None while it goes on."""
    if not state.ended_by:
        return None
    scores = totals(state)
    return Outcome(scores, leaders(state, scores), state.ended_by)
