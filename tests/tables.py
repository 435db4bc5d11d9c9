"""A table for tests: what perfect eyes would see of lines, and a session at it."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.referee.game import EMPTY
from companion.referee.live_session import LiveSession
from companion.rules import tiki_topple
from companion.rules.tiki_topple import TIKIS, State
from companion.session.log import Log, utc_now
from companion.session.log_errors import MEMORY
from companion.session.session import Header
from vision.observation import Evidence, Observation, Reason, Status

SIDES = ("near", "right", "far", "left")
NAMES = ("Ann", "Bob", "Cem", "Dia")
OPENED: list[Log] = []


def see_table(frame: str, table: Sequence[str | None], doubt: float = 0.01) -> Observation:
    """Return the observation of a settled *table*, each place as sure as 1 - *doubt*."""
    return Observation(
        frame,
        Status.OK,
        tuple(Evidence({name or EMPTY: 1 - doubt, "something else": doubt}) for name in table),
    )


def see(frame: str, line: Sequence[str]) -> Observation:
    """Return the observation of a settled *line* of tikis."""
    return see_table(frame, (*line, *(EMPTY,) * (len(TIKIS) - len(line))))


def see_hand(frame: str, *arms: str) -> Observation:
    """Return the observation of a hand over the table, its arm coming in from the sides *arms*."""
    return Observation(frame, Status.UNSETTLED, reason=Reason.HAND, arms=frozenset(arms))


def open_log(path: Path | str = MEMORY, now: Callable[[], str] = utc_now) -> Log:
    """Return the log at *path*, by default one that keeps nothing; closed when the test ends."""
    OPENED.append(Log(path, now))
    return OPENED[-1]


def sit_down(
    seats: int = 3,
    line: Sequence[str] | None = TIKIS,
    secrets: Sequence[str | None] = (),
    log: Log | None = None,
    **options: Any,
) -> LiveSession:
    """Return a session of *seats* players, with *line* told beforehand unless it is None."""
    chosen = tiki_topple.parse_options(options, seats)
    header = Header(
        game="tiki_topple",
        players=NAMES[:seats],
        options=tiki_topple.options_to_json(chosen),
        setup={"line": list(line)} if line else {},
        sides=SIDES[:seats],
    )
    return LiveSession(log or open_log(), header, secrets)


def told(live_session: LiveSession, *kinds: str) -> list[dict[str, Any]]:
    """Return what *live_session* has told so far, of the types *kinds* or of all."""
    bodies = [item.body for item in live_session.feed.since(0)]
    return [body for body in bodies if not kinds or body["type"] in kinds]


def moves(live_session: LiveSession) -> list[tuple[int, str]]:
    """Return seat and action of every move that *live_session* has accepted and not undone."""
    acts = live_session.session.history.acts
    return [(act.seat, act.forms[0]) for act in acts if act.seat is not None]


def random_round(
    rng: random.Random, seats: int, line: Sequence[str]
) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return seat, action and line after each move of one random legal round."""
    options = {"rounds": 1, "tie": "share"}
    state: State = tiki_topple.initial(seats, options, {"line": list(line)})
    played: list[tuple[int, str, tuple[str, ...]]] = []
    while state.phase == "play":
        seat, action = state.seat, rng.choice(tiki_topple.legal_actions(state))
        state = tiki_topple.apply(state, action)
        played.append((seat, tiki_topple.format_action(action), state.line))
    return played
