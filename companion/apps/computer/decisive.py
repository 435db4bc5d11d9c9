"""The moves that decided a game that is over: each looked at again, as its own seat saw it."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.apps.computer.engine import Task
from companion.apps.computer.tasks import knows_enough, task_of, words_of
from companion.language.message import Message, say
from companion.referee.live_session import LiveSession

Choose: TypeAlias = Callable[[Task], Awaitable[Any]]
Progress: TypeAlias = Callable[[int, int], None]
LEVEL: Final = "strong"
SHOWN: Final = 3
LEAST_SHARE: Final = 0.05
"""What changes less of the wins is chance, and is not shown."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A move that somebody chose: its number in the log, its text, and what was known before."""

    seq: int
    seat: int
    action: str
    state: Any


@dataclass(frozen=True, slots=True)
class Decisive:
    """A move that mattered.

    weight: the share of the wins that it gave away, or that the next best would have.
    better: the words of the best move instead, "" if this was it.
    """

    seat: int
    words: str
    weight: float
    better: str

    @property
    def sentence(self) -> Message:
        """Why it mattered."""
        number = round(100 * self.weight)
        if self.better:
            return say(
                "{better} would have won {number} more of 100 tries",
                better=self.better,
                number=number,
            )
        return say("the next best move won {number} fewer of 100 tries", number=number)


def turns_of(live_session: LiveSession) -> Iterator[Turn]:
    """Yield the moves of the game of which it is known what their seats could choose from."""
    history, rules = live_session.session.history, live_session.session.rules
    for act, branches in zip(history.acts, history.positions, strict=False):
        state = branches[0].state
        if act.adopted is not None or len(branches) > 1 or rules.turn(state) != act.seat:
            continue
        if act.seat is not None and knows_enough(live_session, act.seat, state):
            yield Turn(act.seq, act.seat, act.forms[0], state)


async def find_decisive(
    live_session: LiveSession, choose: Choose, progress: Progress
) -> tuple[Decisive, ...]:
    """Return the moves that mattered most, the weightiest first; raises EngineLost.

    progress: is told how many of how many moves have been looked at.
    """
    turns, found = list(turns_of(live_session)), list[Decisive]()
    for number, turn in enumerate(turns):
        progress(number, len(turns))
        choice = await choose(task_of(live_session, turn.seat, LEVEL, turn.state))
        if (decisive := _weigh(live_session, turn, choice.values)) is not None:
            found.append(decisive)
    return tuple(sorted(found, key=lambda each: each.weight, reverse=True)[:SHOWN])


def _weigh(
    live_session: LiveSession, turn: Turn, values: tuple[tuple[str, float], ...]
) -> Decisive | None:
    if len(values) < 2:
        return None
    (best, most), (_, next_most) = values[:2]
    share = dict(values).get(turn.action, values[-1][1])
    is_best = turn.action == best
    weight = most - next_most if is_best else most - share
    if weight < LEAST_SHARE:
        return None
    better = "" if is_best else words_of(live_session, best)
    return Decisive(turn.seat, words_of(live_session, turn.action), weight, better)
