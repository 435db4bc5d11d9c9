"""A simulated host who knows the true course of a recorded game.

The host enters what people and sensors reported, answers questions correctly, enters what stays
missed, takes back what has not happened, and counts all of it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.apps.evaluation.counts import Counts
from companion.apps.evaluation.ground_truth import GroundTruth, Position, Scene, position_of
from companion.recording import Recording
from companion.referee.explain import tables_after
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask, Candidate, Illegal
from companion.referee.referee import UNDO
from companion.rules.base import RulesError
from companion.session.history import Act, History, ReplayError
from vision.observation import Observation

MAX_MISSED_PICTURES: Final = 2
"""The host enters a move that was missed in so many settled pictures."""


@dataclass(slots=True)
class FilmTally(Counts):
    """Counts over some games.

    moves: those that the table can tell, of which `right` are in the log without anybody having
    entered them, `tapped` of these by the answer to a question; the rest are missed.
    asked: questions that were answered, `astray` of them without a true answer among the offered.
    wrong: pictures after which something was in the log that had not happened.
    illegal: tables that the rules forbid, of which `named` were called illegal and `believed` led
    to an entry.  alarms: legal tables called illegal though no picture before was missed.
    games, as_recorded: all, and those whose end was as it should be.  refused: those whose first
    picture the reader refused to be calibrated with, for a reason that it gave; nobody plays them.
    stuck: games in which the truth could not even be entered.
    ratios, judging: times to read and to judge a settled picture over that to decode it, without
    the first.
    """

    games: int = 0
    refused: int = 0
    moves: int = 0
    right: int = 0
    tapped: int = 0
    asked: int = 0
    astray: int = 0
    wrong: int = 0
    illegal: int = 0
    named: int = 0
    believed: int = 0
    alarms: int = 0
    as_recorded: int = 0
    stuck: int = 0
    unreadable: int = 0
    ratios: list[float] = field(default_factory=list)
    judging: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def by_itself(self) -> float:
        """The share of the moves that were accepted without a tap; 1.0 if there were none."""
        return (self.right - self.tapped) / self.moves if self.moves else 1.0


class SimulatedHost:
    """A simulated host; see above.

    at: how many of its steps the log has; the log never stays where it has been wrong.
    """

    def __init__(
        self,
        recording: Recording,
        truth: GroundTruth,
        live_session: LiveSession,
        tally: FilmTally,
        name: str,
    ) -> None:
        self.recording = recording
        self.truth = truth
        self.tally = tally
        self.name = name
        self.is_stuck = self._is_restoring = False
        self._live_session = live_session
        self._at = self._limit = self._put_at = 0
        self._came: list[str] = ["missed"] * len(truth.steps)
        self._seen: list[int] = []

    # What is seen.

    def see(self, number: int, observation: Observation) -> float:
        """Let the referee judge *observation* of the picture *number*; count what it accepts.

        Return how many seconds of the processor's time judging took.
        """
        scene, before = self.truth.scenes[number], self._at
        began = time.thread_time()
        self._live_session.observe(observation)
        judged_s = time.thread_time() - began
        is_lying = not scene.is_settled and scene.is_lying
        # What people are about to tell of a picture the referee may have seen in it.
        limit = self._by_next(number) if is_lying else self.truth.entered(number)
        self._limit = max(limit, before)
        now = self._position(self._limit)
        if scene.is_illegal:
            self._count_illegal(scene, now)
        elif now is None or now < before:
            self._count_wrong(scene, now)
        self._count_alarm(number)
        if now is None or (scene.is_illegal and now != before):
            self._restore(before)
        else:
            self._advance(now, "right")
        return judged_s

    def _by_next(self, number: int) -> int:
        """Return how many steps have been taken by the next settled picture."""
        later = range(number, len(self.truth.scenes))
        at = next((at for at in later if self.truth.scenes[at].is_settled), number)
        return self.truth.entered(at)

    def _count_illegal(self, scene: Scene, now: int | None) -> None:
        question = self._live_session.referee.question
        self.tally.illegal += 1
        if isinstance(question, Illegal) and question.frame == scene.name:
            self.tally.named += 1
        else:
            self._note(scene, f"illegal, but not named: {self._words()}")
        if now != self._at:
            self.tally.believed += 1
            self._note(scene, f"illegal, but believed: {self._newest()}")

    def _count_wrong(self, scene: Scene, now: int | None) -> None:
        self.tally.wrong += 1
        if now is not None:
            self._note(scene, f"taken back, though it had happened, down to step {now}")
            return
        true = ", ".join(step.action for step in self.truth.steps[self._at :][:3])
        self._note(scene, f"believed {self._newest()}, not {true}")

    def _count_alarm(self, number: int) -> None:
        """Count a legal table that is called illegal though it is one play away."""
        scene, question = self.truth.scenes[number], self._live_session.referee.question
        if scene.is_illegal or not isinstance(question, Illegal) or question.frame != scene.name:
            return
        behind = self.truth.steps[self._at : self.truth.shown(number)]
        if len({step.at for step in behind}) <= 1:
            self.tally.alarms += 1
            self._note(scene, f"legal, but {question.message}")

    # What people do about it.

    def enter_reported(self, number: int) -> None:
        """Tell what people and sensors told after the picture *number*, and before it.

        Sensors wait until the log has come so far. People see that it has not: they answer what is
        asked, or enter what is missing, before they continue.
        """
        self._limit = until = max(self.truth.entered(number), self._at)
        while self._at < until and not self.is_stuck:
            ahead = self.truth.steps[self._at : until]
            if ahead[0].by is not None:
                self._enter("told")
                continue
            missing = next((at for at, step in enumerate(ahead) if step.by == "hand"), 0)
            if not missing:
                break
            self._make_known(self.truth.scenes[number], self._at + missing)

    def _make_known(self, scene: Scene, limit: int) -> None:
        """Let the log have the first *limit* steps: by the answer to what is asked, or entered."""
        question = self._live_session.referee.question
        if question and question.candidates:
            self._answer(scene, question, limit)
        if self._at < limit and not self.is_stuck:
            self._note(scene, f"missed {self._ahead(limit)}: {self._words()}")
            self._catch_up(limit)

    def attend(self, number: int) -> None:
        """Answer what is asked of a settled picture, and enter what has been missed too often."""
        scene = self.truth.scenes[number]
        if not scene.is_settled or scene.is_illegal or self.is_stuck:
            return
        limit = self.truth.shown(number)
        if scene.is_start and self._at < limit:  # nobody begins before it is known how
            self._note(scene, f"missed the start: {self._words()}")
            self._catch_up(limit)
        self._seen.append(limit)
        question = self._live_session.referee.question
        missed = [seen for seen in self._seen if seen > self._at]
        if isinstance(question, Ask):
            self._answer(scene, question, limit)
        elif missed and isinstance(question, Illegal) and question.candidates:
            # Two quick plays are accepted when the third is seen: only then does anyone answer.
            if question.frame == scene.name:
                self._put_at = limit
            if limit > self._put_at or len(set(missed)) > MAX_MISSED_PICTURES:
                self._answer(scene, question, limit)
        elif len(missed) >= MAX_MISSED_PICTURES:
            self._make_known(scene, limit)
        self.enter_reported(number)

    def end(self) -> None:
        """Let people enter what is still missing, and count."""
        last, tally = self.truth.scenes[-1], self.tally
        if self._at < len(self.truth.steps) and not self.is_stuck:
            self._make_known(last, len(self.truth.steps))
        came = [
            came
            for step, came in zip(self.truth.steps, self._came, strict=True)
            if step.is_move and step.by is None
        ]
        tally.moves += len(came)
        tally.tapped += came.count("tapped")
        tally.right += len(came) - came.count("missed")
        tally.stuck += self.is_stuck
        tally.as_recorded += self._is_as_recorded()

    def _answer(self, scene: Scene, question: Ask | Illegal, limit: int) -> None:
        """Answer truly, if one of the answers is true; else enter what has happened.

        What is about to be told may be the answer.
        """
        self.tally.asked += 1
        until = next(
            (at for at, step in enumerate(self.truth.steps) if at >= limit and step.by is None),
            len(self.truth.steps),
        )
        true = [
            (place, index)
            for index, candidate in enumerate(question.candidates)
            for place in self._leads_to(candidate, until)
            if place > self._at or place == limit  # that nothing has happened is true then alone
        ]
        offered = " / ".join(candidate.text for candidate in question.candidates)
        if not true:
            self.tally.astray += 1
            self._note(scene, f"asked {offered}; none is true, but {self._ahead(limit)}")
            self._catch_up(limit)
            return
        self._note(scene, f"asked {offered}")
        _, index = max(true, key=lambda each: (each[0], -each[1]))
        self._live_session.referee.choose(index)
        now = self._position(until)
        if now is None or now < self._at:
            self._count_wrong(scene, now)
            self._restore(limit)
        else:
            self._limit = max(self._limit, now)
            self._advance(now, "tapped")
            asked = self._live_session.referee.question
            if isinstance(asked, Ask) and asked != question and self._at < limit:
                self._answer(scene, asked, limit)  # which the first answer has raised

    def _leads_to(self, candidate: Candidate, limit: int) -> list[int]:
        """Return the steps, from the log's on, after which the game would stand as it leads to."""
        if UNDO in candidate.actions:
            return []  # what has happened was never taken back
        session, game = self._live_session.session, self._live_session.game
        history: History[Any, Any] = session.history.copy()
        try:
            for action in candidate.actions:
                seat = game.actor(history.state, game.rules.parse_action(action))
                history.add(Act(-1 - len(history.acts), (action,), None, seat))
        except (ReplayError, RulesError):
            return []
        states = [branch.state for branch in history.branches]
        rulings = set(map(game.ruling, states))
        return [
            place
            for place in range(self._at, limit + 1)
            if self.truth.positions[place].table == game.shown(states[0])
            and self.truth.positions[place].rulings & rulings
        ]

    def _catch_up(self, limit: int) -> None:
        """Enter what the log misses of the first *limit* steps."""
        while self._at < limit and not self.is_stuck:
            self._enter("missed")

    def _restore(self, limit: int) -> None:
        """Take back what has not happened, and enter what has, as far as the first *limit* steps.

        They are known to the log already, or would have been, so they come as they came.
        """
        referee = self._live_session.referee
        while (now := self._position(limit)) is None:
            if referee.newest() is None:
                self._get_stuck("what was wrong cannot be taken back")
                return
            referee.undo()
        came = list(self._came)
        self._at, self._is_restoring = now, True
        self._catch_up(limit)
        self._came, self._is_restoring = came, False

    def _enter(self, came: str) -> None:
        """Let people enter the next step."""
        step, referee, game = (
            self.truth.steps[self._at],
            self._live_session.referee,
            self._live_session.game,
        )
        states = [branch.state for branch in self._live_session.session.history.branches]
        entries = len(self._live_session.session.entries)
        try:
            referee.enter(step.action, step.by or "hand")
        except (RulesError, ReplayError) as error:
            self._get_stuck(f"{step.action!r} cannot be entered: {error}")
            return
        if isinstance(referee.question, Ask) and len(self._live_session.session.entries) == entries:
            # On the table it shows which of its forms it was.
            forms = game.forms(states[0], game.rules.parse_action(step.action))
            table = self.truth.positions[self._at + 1].table
            tables = tables_after(game, states, forms)
            referee.choose(tables.index(table) if table in tables else 0)
        now = self._position(self._limit)
        if now == self._at and self._is_idle(self._at):
            self._advance(self._at + 1, came)
        elif now is not None and now > self._at:
            self._advance(self._at + 1, came)
            self._advance(now, "right")  # which could not be understood until this was entered
        elif now is None and not self._is_restoring:
            # What was seen before was judged once more, and something made of it.
            self._count_wrong(self.truth.scenes[step.at[0]], now)
            self._restore(self._at + 1)
        else:
            self._get_stuck(f"{step.action!r} was entered, but the game is another now")

    def _advance(self, now: int, came: str) -> None:
        """Note that the log has the first *now* steps, those that are new *came* so."""
        for place in range(self._at, now):
            self._came[place] = came
        self._at = now

    def _position(self, limit: int) -> int | None:
        """Return how many of the first *limit* steps the log has; None if it holds another game."""
        stands, known = position_of(self._live_session), self.truth.positions
        for is_like in (Position.goes_on_as, Position.is_ruled_as):
            for at in range(limit, -1, -1):
                if is_like(known[at], stands):
                    return self._without_idle(at)
        return None

    def _without_idle(self, at: int) -> int:
        """Return *at*, less the steps still to be told: the position does not tell of them."""
        while at > self._at and self._is_idle(at - 1):
            at -= 1
        return at

    def _is_idle(self, at: int) -> bool:
        """Return whether step *at* is told and changes nothing, as a spin that does not count."""
        before, after = self.truth.positions[at : at + 2]
        return self.truth.steps[at].by is not None and before.goes_on_as(after)

    def _is_as_recorded(self) -> bool:
        """Return whether the game stands at its end as session.json says."""
        replay, result = self.recording.replay or {}, self._live_session.referee.result()
        expected = {
            "final_scores": result.scores,
            "winners": result.winners or (),
            "ended_by": result.ended_by,
        }
        agrees = all(
            replay.get(name) is None or _plain(replay[name]) == _plain(value)
            for name, value in expected.items()
        )
        return agrees and self._at == len(self.truth.steps)

    # What is written down of it.

    def _get_stuck(self, words: str) -> None:
        self.is_stuck = True
        self._note(self.truth.scenes[self.truth.steps[self._at - 1].at[0]], f"stuck: {words}")

    def _note(self, scene: Scene, words: str) -> None:
        self.tally.faults.append(f"{self.name}/{scene.name}: {words}")

    def _ahead(self, limit: int) -> str:
        return ", ".join(step.action for step in self.truth.steps[self._at : limit]) or "nothing"

    def _newest(self) -> str:
        acts = self._live_session.session.history.acts
        return " or ".join(acts[-1].forms) if acts else "a take-back of all"

    def _words(self) -> str:
        """Return what the referee says at the moment."""
        referee = self._live_session.referee
        if referee.question:
            return referee.question.message
        return referee.waiting.message if referee.waiting else "nothing was said"


def _plain(value: object) -> object:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
