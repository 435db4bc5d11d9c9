"""The prompter: enters what people and sensors of a recording reported, at the right time."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from companion.recording import EnteredAction
from companion.referee.facts import FELL, TowerFact
from companion.referee.legality import legal_forms
from companion.referee.live_session import LiveSession
from companion.referee.referee import UNDO
from companion.referee.table_dispute import ADOPT
from companion.rules.base import RulesError
from companion.session.events import TableAdopted, event_from_json
from companion.session.history import ADOPTED, ReplayError
from vision.observation import Observation, Reason, Status

MOVED: Final = "moved"
"""Reported by the motion gate: something moved on the table. Between two pictures that look alike
it tells that the table was touched and left so."""
INSTEAD: Final = "instead"
"""Followed by an action, which takes the place of the newest that counts."""
CORRECT: Final = "correct"
"""Followed by the place of an act that counts, from 0, and the action that it really was."""


@dataclass(slots=True)
class _Due:
    """What waits to be entered, and how many acts counted when it first had to wait."""

    said: EnteredAction
    acts: int | None = None


class Prompter:
    """Enters the script in order, as soon as the game allows it.

    What was said of a table that the referee has not seen yet waits until it has: a goal that lay
    open from the start, a colour of a card whose picture was missed. If pictures show meanwhile
    that it has happened, it is not entered once more.
    """

    def __init__(self, live_session: LiveSession, script: Sequence[EnteredAction]) -> None:
        self._live_session = live_session
        # A game that is taken up again has in its log what was said so far.
        known = sum(bool(getattr(entry.event, "by", "")) for entry in live_session.session.entries)
        self._coming = _after(script, known)
        self._due: list[_Due] = []
        self._refused = ""

    def pass_frame(self, frame: str) -> None:
        """Enter what follows *frame*, and what still waits."""
        for said in self._coming:
            if said.after_frame == frame:
                self._due.append(_Due(said, self._acts() if self._due else None))
        self._coming = [said for said in self._coming if said.after_frame != frame]
        while self._due:
            due = self._due[0]
            seen = self._find_seen(due)
            if seen is None:
                try:
                    self._enter(due.said, is_late=due.acts is not None)
                except (RulesError, ReplayError) as error:
                    self._refused = str(error)
                    if due.acts is None:
                        due.acts = self._acts()
                    return
            self._due.pop(0)
            for later in self._due:  # what has answered one thing that was said answers no other
                if seen is not None and later.acts is not None:
                    later.acts = max(later.acts, seen + 1)

    def not_entered(self) -> Iterator[str]:
        """Yield a line for everything that could never be entered, with the reason."""
        for said in (*(due.said for due in self._due), *self._coming):
            yield f"'{said.action}', said after {said.after_frame}, was refused: {self._refused}"

    def _acts(self) -> int:
        return len(self._live_session.session.history.acts)

    def _find_seen(self, due: _Due) -> int | None:
        """Return the place of the act by which pictures have shown what was said since it waits."""
        if due.acts is None:
            return None
        acts = self._live_session.session.history.acts
        return next(
            (
                at
                for at in range(due.acts, len(acts))
                if acts[at].frame is not None and due.said.action in acts[at].forms
            ),
            None,
        )

    def _enter(self, said: EnteredAction, *, is_late: bool) -> None:
        """Let *said* count; raises RulesError or ReplayError.

        is_late: it has waited, so that it tells nothing of what pictures have shown since.
        """
        referee = self._live_session.referee
        match said.action.split():
            case [word] if word == MOVED:
                moved = Observation(said.after_frame, Status.UNSETTLED, reason=Reason.MOTION)
                self._live_session.observe(moved)
            case [word] if word == UNDO:
                referee.undo()
            case [word, *action] if word == INSTEAD:
                referee.replace(" ".join(action), said.by)
            case [word, place, *action] if word == CORRECT and place.isdecimal():
                acts = self._live_session.session.history.acts
                if int(place) >= len(acts):
                    raise ReplayError(f"there is no act {place} to correct")
                referee.correct(acts[int(place)].seq, " ".join(action))
            case [word, *_] if word == ADOPT:  # a JSON object follows: table, seat, used
                referee.dispute.adopt(_adopted(said))
            case [word] if word == FELL and said.by == "sensor" and self._live_session.has_tower:
                referee.on_fact(TowerFact(FELL))  # which blames nobody unless it is certain
            case _ if said.seat is not None:
                referee.enter_secret(said.seat, said.action)
            case _:
                if is_late:
                    branches = referee.session.history.branches
                    states = [branch.state for branch in branches]
                    legal_forms(referee.game, states, said.action)
                referee.enter(said.action, said.by)


def _adopted(said: EnteredAction) -> TableAdopted:
    """Return the table that was adopted when *said*; raises ReplayError if it is none."""
    try:
        thing = json.loads(said.action.partition(" ")[2])
        found = event_from_json({**thing, "type": ADOPTED, "frame": said.after_frame or None})
    except (ValueError, TypeError) as error:
        raise ReplayError(f"'{said.action}' is no table that was adopted: {error}") from None
    assert isinstance(found, TableAdopted)
    return found


def _after(script: Sequence[EnteredAction], known: int) -> list[EnteredAction]:
    """Return *script* without its beginning, in which *known* actions were entered."""
    for at, said in enumerate(script):
        if known == 0:
            return list(script[at:])
        is_action = said.seat is None and said.action.split()[:1] not in (
            [MOVED],
            [UNDO],
            [CORRECT],
            [ADOPT],
        )
        known -= is_action
    return []
