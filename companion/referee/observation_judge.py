"""How the referee judges one observation after the other."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from companion.language.message import say, say_count
from companion.referee.evidence import INCONCLUSIVE, LIMITS, Fit, combine, may_be_one_table
from companion.referee.explain import (
    Ambiguous,
    Certain,
    Unexplained,
    Unsettled,
    Verdict,
    explain,
    tables,
)
from companion.referee.game import EMPTY, Table
from companion.referee.hypotheses import Hypothesis, Proposal, hypothesis_of
from companion.referee.notices import Ask, Illegal
from companion.referee.transient_notices import TransientNotice
from companion.referee.wording import Wording, differing
from vision.observation import Observation, Reason, Status

if TYPE_CHECKING:
    from companion.referee.referee import Referee

S = TypeVar("S")
A = TypeVar("A")

MAX_OPEN: Final = 32
MAX_UNSETTLED_PICTURES: Final = 3
"""After so many still pictures with the same few explanations, the referee asks."""
WAITING_WORDS: Final = {
    Reason.HAND: say("A hand is over the table"),
    Reason.HIDDEN: say("Something is hiding a place"),
    Reason.GAP: say("A move is in progress: there is a gap"),
    Reason.UNCLEAR: say("A piece cannot be recognised"),
    Reason.MOTION: say("Something is moving"),
    Reason.NOT_CALIBRATED: say("The camera has not been calibrated yet"),
    Reason.TILES: say("The corner tiles are not in view"),
    Reason.PICTURE: say("The camera sends no pictures"),
}


class ObservationJudge(Generic[S, A]):
    """What was seen of the table and is not settled yet, for the referee that it belongs to."""

    def __init__(self, referee: "Referee[S, A]", words: Wording[S, A]) -> None:
        self._referee = referee
        self._words = words
        self._open: list[Proposal[S, A]] = []
        self._is_unlikely = False
        self._are_all = True
        self._rejected: Table | None = None
        self._held: Table | None = None
        self._seen: Table | None = None
        self._accepted: Table | None = None
        self._accepted_frame = ""
        self._arms: frozenset[str] = frozenset()
        self._disturbed = False
        self._is_leading = False
        self._inconclusive: Observation | None = None
        self._last: Observation | None = None
        self._unsettled = 0

    def observe(self, observation: Observation) -> None:
        """Judge one picture of the table.

        What is seen again after something was in the way has stood by intent: that is a second
        look. Seen again without, it is the same look.
        """
        if not self._is_judged(observation):
            self._arms |= observation.arms
            self._disturbed, self._inconclusive, self._last, self._unsettled = True, None, None, 0
            reason = observation.reason
            words = WAITING_WORDS[reason] if reason else say("The board has tipped over")
            self._referee.wait(observation.frame, reason.value if reason else "fallen", words)
            return
        self._last = observation
        if self._is_leading:
            self._judge_led(observation)
            return
        if self._is_held(observation):
            self._referee.rest()
            return
        game, state = self._referee.game, self._referee.session.state
        if game.expects_start(state):
            self._judge_start(observation)
        else:
            self._judge(observation)

    def _is_judged(self, observation: Observation) -> bool:
        """Return whether the table is in view and at rest; rules may resolve unclear places."""
        if not observation.places:
            return False
        return observation.status is Status.OK or observation.reason in (
            Reason.UNCLEAR,
            Reason.HIDDEN,
        )

    def last_table(self) -> Table:
        """Return what lies on the table: what was seen last; () if nothing ever was."""
        return self._seen or ()

    def reconsider(self) -> None:
        """Judge once more what lies there, since more may explain it now than when it was seen."""
        referee = self._referee
        if self._last is not None and not referee.game.expects_start(referee.session.state):
            self.observe(replace(self._last, unchanged=()))

    def hold(self, stood: Table, wanted: Table) -> None:
        """Wait until the table shows *wanted*: what *stood* there is not to be accepted again.

        Unless the reader cannot tell the one from the other: then the people are taken at their
        word.
        """
        if self._referee.session.rules.outcome(self._referee.session.state):
            return  # nobody has to put up what is over
        if self._last is not None and not Fit(self._last).prefers(stood, wanted):
            return
        self._held = stood
        self._referee.ask(self._words.put_right(wanted, stood))

    @property
    def is_holding(self) -> bool:
        """Whether the table has not followed yet what people changed on a page."""
        return self._held is not None

    @property
    def is_leading(self) -> bool:
        """Whether the table is being led back to what the game has."""
        return self._is_leading

    @property
    def last_frame(self) -> str | None:
        """The name of the last picture of the table at rest, None if something was in the way."""
        return self._last.frame if self._last is not None else None

    def lead_back(self) -> None:
        """Take nothing for a move until the table shows what the game has."""
        wanted = self._referee.game.shown(self._referee.session.state)
        if differing(wanted, self.last_table()):
            self._is_leading = True
            self._referee.ask(self._words.lead_back(wanted, self.last_table()))

    def reread_corrected(self) -> None:
        """Let the reader look again where the people say that the table is not as was accepted."""
        if self._accepted is None:
            return
        shown = self._referee.game.shown(self._referee.session.state)
        if len(shown) == len(self._accepted) and shown != self._accepted:
            pairs = zip(self._accepted, shown, strict=True)
            known = tuple(old if old == new else None for old, new in pairs)
            self._referee.on_accepted(self._accepted_frame, known)

    def note_accepted(self, frame: str) -> None:
        """Let the reader compare with the picture *frame* from now on."""
        self._accepted = self._referee.game.shown(self._referee.session.state)
        self._accepted_frame = frame
        self._referee.on_accepted(frame, self._accepted)

    def forget(self) -> None:
        """Forget all that was open."""
        self._open, self._is_unlikely, self._rejected, self._held = [], False, None, None
        self._inconclusive, self._unsettled, self._is_leading = None, 0, False

    def state_for_result(self) -> S:
        """Return the state by which the game stands while it is open what happened last."""
        state = self._referee.session.state
        if self._open and not self._is_unlikely:
            states = [proposal.after.state for proposal in self._open]
            game = self._referee.game
            if len({(game.last_round(each), game.scores(each)) for each in states}) == 1:
                return states[0]
        return state

    def _is_held(self, observation: Observation) -> bool:
        """Return whether the table stands as it did when the people changed the game on a page."""
        if self._held is None:
            return False
        game, fit = self._referee.game, Fit(self._compared(observation), self._accepted)
        hypothesis = hypothesis_of(game, Proposal(self._referee.session.history))
        if fit.prefers(self._held, hypothesis.table) and fit.may_be(
            self._held, tables(game, hypothesis)
        ):
            return True
        self._referee.settle_questions()
        return False

    def _judge_led(self, observation: Observation) -> None:
        """Name the next place that is wrong, until the table shows what the game has."""
        referee, game = self._referee, self._referee.game
        self._arms, self._disturbed = frozenset(), False
        log = hypothesis_of(game, Proposal(referee.session.history), is_fixed=True)
        verdict = explain(game, [log], self._compared(observation))
        match verdict:
            case Certain():
                referee.settle_questions()
                self.note_accepted(observation.frame)
                referee.conclude(TransientNotice("remark", words=say("The table is right again")))
            case Unexplained(seen):
                self._seen = seen
                referee.ask(self._words.lead_back(log.table, seen))
                referee.rest()
            case _:
                self._wait_until_clear(observation.frame)

    def _judge_start(self, observation: Observation) -> None:
        referee, game = self._referee, self._referee.game
        seen = Fit(observation).legible()
        self._arms, self._disturbed = frozenset(), False
        if seen is None:
            self._wait_until_clear(observation.frame)
            return
        self._seen = seen
        actions = game.start(seen)
        if not actions:
            placed = sum(content != EMPTY for content in seen)
            words = say_count(
                "{number} of {places} places is filled; the round starts when all of them are",
                "{number} of {places} places are filled; the round starts when all of them are",
                placed,
                places=game.places,
            )
            referee.wait(observation.frame, "start", words)
            return
        referee.start(actions, observation.frame)
        self.note_accepted(observation.frame)

    def _judge(self, observation: Observation) -> None:
        referee = self._referee
        observation = replace(observation, arms=observation.arms | self._arms)
        observation = self._compared(observation)
        second_look = self._disturbed
        verdict = self._explain(observation)
        inconclusive = self._inconclusive
        if (
            isinstance(verdict, Unsettled)
            and inconclusive
            and may_be_one_table(inconclusive, observation)
        ):
            observation = combine(inconclusive, observation)
            verdict = self._explain(observation)
        if isinstance(verdict, Unsettled):
            self._inconclusive = observation
            self._wait_for_more(verdict, observation.frame)
            return
        self._inconclusive, self._unsettled = None, 0
        self._arms, self._disturbed = frozenset(), False
        self._note_seen(verdict)
        match verdict:
            case Certain(proposal):
                self._accept_explanation(proposal, observation.frame, second_look)
            case Ambiguous(proposals):
                self._ask(proposals, observation.frame)
            case Unexplained():
                self._reject(verdict, observation)
        referee.rest()

    def _compared(self, observation: Observation) -> Observation:
        """Return *observation* without its comparison, unless that is with what was accepted.

        In a place where the game stands otherwise than what was accepted it tells nothing.
        """
        accepted, shown = self._accepted, self._referee.game.shown(self._referee.session.state)
        if accepted is None or observation.since != self._accepted_frame:
            return replace(observation, unchanged=())
        looks = zip(observation.unchanged, accepted, shown, strict=False)
        unchanged = tuple(same if old == new else INCONCLUSIVE for same, old, new in looks)
        return replace(observation, unchanged=unchanged)

    def _explain(self, observation: Observation) -> Verdict[S, A]:
        session = self._referee.session
        return explain(
            self._referee.game, self._hypotheses(), observation, session.header.sides, LIMITS
        )

    def _hypotheses(self) -> list[Hypothesis[S, A]]:
        """Return what may have happened so far: the log, and what is open beyond it."""
        game = self._referee.game
        log = Proposal(self._referee.session.history)
        is_fixed = bool(self._open) and not self._is_unlikely
        return [
            hypothesis_of(game, log, is_fixed=is_fixed),
            *(hypothesis_of(game, proposal) for proposal in self._open),
        ]

    def _note_seen(self, verdict: Verdict[S, A]) -> None:
        match verdict:
            case Certain(proposal):
                self._seen = self._referee.game.shown(proposal.after.state)
            case Ambiguous(proposals):
                self._seen = self._referee.game.shown(proposals[0].after.state)
            case Unexplained(seen):
                self._seen = seen
            case _:
                pass

    def _wait_for_more(self, verdict: Unsettled[S, A], frame: str) -> None:
        self._unsettled = self._unsettled + 1 if verdict.proposals else 0
        if self._unsettled >= MAX_UNSETTLED_PICTURES and len(verdict.proposals) <= MAX_OPEN:
            self._publish_question(verdict.proposals, frame)
            return
        self._wait_until_clear(frame)

    def _wait_until_clear(self, frame: str) -> None:
        reason = Reason.UNCLEAR
        self._referee.wait(frame, reason.value, WAITING_WORDS[reason])

    def _accept_explanation(self, proposal: Proposal[S, A], frame: str, second_look: bool) -> None:
        """Log *proposal*; an indirect one that stands unchanged needs a second observation first.

        A pair that stood through another look was meant; what looks like one forbidden move was
        not, and only the people can say otherwise, also once play has continued from there.
        """
        question = self._referee.question
        refused = isinstance(question, Illegal) and question.clause
        goes_on = [proposal.steps[: len(each.steps)] == each.steps for each in self._open]
        is_same = proposal.steps in [each.steps for each in self._open]
        may_be_other = refused or not self._are_all
        if self._is_unlikely and any(goes_on) and (may_be_other or (is_same and not second_look)):
            return
        self._referee.commit(proposal, frame)
        referee = self._referee
        self.note_accepted(frame)
        if proposal.steps and None in referee.game.shown(referee.session.state):
            self.reconsider()  # that was one of several things that are seen at once

    def _ask(self, proposals: Sequence[Proposal[S, A]], frame: str) -> None:
        if [each.steps for each in proposals] == [each.steps for each in self._open]:
            return
        if len(proposals) > MAX_OPEN:
            return
        self._open, self._is_unlikely, self._rejected = list(proposals), False, None
        self._publish_question(proposals, frame)

    def _publish_question(self, proposals: Sequence[Proposal[S, A]], frame: str) -> None:
        """Put the question which of *proposals* has happened, unless that is asked already."""
        candidates, asked = self._words.candidates(proposals), self._referee.question
        if not (isinstance(asked, Ask) and asked.candidates == candidates):
            notice = Ask(frame, say("What happened?"), candidates)
            self._referee.ask(notice, self._answers(proposals, frame))

    def _answers(self, proposals: Sequence[Proposal[S, A]], frame: str) -> list[Callable[[], None]]:
        return [partial(self._take_chosen, proposal, frame) for proposal in proposals]

    def _take_chosen(self, proposal: Proposal[S, A], frame: str) -> None:
        """Log what people have chosen; the table that made them be asked shows it still."""
        self._referee.commit(proposal, frame)
        self.reconsider()

    def _reject(self, verdict: Unexplained[S, A], observation: Observation) -> None:
        referee, history = self._referee, self._referee.session.history
        game, frame, seen = referee.game, observation.frame, verdict.seen
        if self._is_new_start(seen):
            referee.take_back(history.acts[-1], frame)
            self._judge_start(observation)
            return
        if not any(True for _ in game.plays(history.state)):
            return  # people or cards have to speak first; nothing that is seen meanwhile is wrong
        if seen == self._rejected:
            return
        unlikely = verdict.proposals
        legal = tables(game, hypothesis_of(game, Proposal(history)))
        notice = self._words.illegal(history, legal, seen, frame, unlikely)
        is_sure = self._open and not self._is_unlikely
        if unlikely and len(unlikely) <= MAX_OPEN:
            self._open, self._is_unlikely = list(unlikely), True
            self._are_all = verdict.are_all
        elif not is_sure:
            self._open = []
        self._rejected = seen
        referee.ask(notice, self._answers(self._open, frame))

    def _is_new_start(self, seen: Table) -> bool:
        """Return whether people still put up a table that was taken for the start too early."""
        game, session = self._referee.game, self._referee.session
        acts = session.history.acts
        return (
            bool(game.start(seen))
            and bool(acts)
            and acts[-1].seat is None
            and game.is_unusual_start(session.state)
        )
