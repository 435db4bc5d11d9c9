"""How the referee judges one observation after the other."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Generic, TypeAlias, TypeVar

from companion.language.message import say, say_count
from companion.referee.clerk import Clerk, Doubt, Look, Sight
from companion.referee.evidence import INCONCLUSIVE, LIMITS, Fit, combine, may_be_one_table
from companion.referee.explain import (
    Ambiguous,
    Certain,
    Reckoning,
    Unexplained,
    Unsettled,
    Verdict,
    explain,
    reckon,
    tables,
)
from companion.referee.game import EMPTY, Table
from companion.referee.hypotheses import Hypothesis, Proposal, hypothesis_of
from companion.referee.legality import legal_forms
from companion.referee.notices import Illegal
from companion.referee.questions import MAX_OPEN, Questions, find_answers, find_endings
from companion.referee.transient_notices import TransientNotice
from companion.rules.base import RulesError
from vision.observation import Observation, Reason, Status

S = TypeVar("S")
A = TypeVar("A")

AskWhoseTurn: TypeAlias = Callable[[Table, str], bool]
MAX_UNSETTLED_PICTURES: Final = 3
"""After so many still pictures with the same few explanations, the referee asks."""
MAX_UNJUDGED_PICTURES: Final = 8
"""After so many that could not be judged, more may have happened than can be worked out: a hand is
over the table for two or three pictures of a move."""
WAITING_WORDS: Final = {
    Reason.HAND: say("A hand is over the table"),
    Reason.HIDDEN: say("Something is covering a place"),
    Reason.GAP: say("A move is in progress: there is a gap"),
    Reason.UNCLEAR: say("A piece cannot be recognised"),
    Reason.MOTION: say("Something is moving"),
    Reason.NOT_CALIBRATED: say("The camera has not been calibrated yet"),
    Reason.TILES: say("The corner tiles are not in view"),
    Reason.PICTURE: say("The camera sends no pictures"),
}


class ObservationJudge(Generic[S, A]):
    """Explains pictures by the game, and lets the clerk log what has happened, ask or wait.

    ask_whose_turn: asks whether to go on from a table that a picture shows, if that can be.
    """

    def __init__(self, clerk: Clerk[S, A]) -> None:
        self._clerk = clerk
        self._questions = Questions(clerk, self.reconsider)
        self.ask_whose_turn: AskWhoseTurn = lambda *_: False

    @property
    def _doubt(self) -> Doubt[S, A]:
        return self._clerk.doubt

    @property
    def _sight(self) -> Sight:
        return self._clerk.sight

    def observe(self, observation: Observation) -> None:
        """Judge one picture of the table.

        What is seen again after something was in the way has stood by intent: that is a second
        look. Seen again without, it is the same look.
        """
        self._sight.newest = observation
        if not self.is_judged(observation):
            self._sight.unjudged += 1
            self._sight.arms |= observation.arms
            self._sight.is_disturbed, self._sight.last = True, None
            self._doubt.inconclusive, self._doubt.pictures = None, 0
            reason = observation.reason
            words = WAITING_WORDS[reason] if reason else say("The board has tipped over")
            self._clerk.wait(observation.frame, reason.value if reason else "fallen", words)
            return
        self._sight.last = observation
        self._sight.look = Look(observation)
        if self._doubt.holds:
            self._clerk.rest()
            return
        if self._doubt.is_leading:
            self._judge_led(observation)
            return
        if self._is_held(observation):
            self._clerk.rest()
            return
        game, state = self._clerk.game, self._clerk.state
        if game.expects_start(state):
            self._judge_start(observation)
        else:
            self._judge(observation)

    def is_judged(self, observation: Observation) -> bool:
        """Return whether the table is in view and at rest; rules may resolve unclear places."""
        if not observation.places:
            return False
        return observation.status is Status.OK or observation.reason in (
            Reason.UNCLEAR,
            Reason.HIDDEN,
        )

    def reconsider(self) -> None:
        """Judge once more what lies there, since more may explain it now than when it was seen."""
        if self._sight.last is not None and not self._clerk.game.expects_start(self._clerk.state):
            look = self._sight.look
            self.observe(replace(self._sight.last, unchanged=()))
            if look and (again := self._sight.look):
                self._sight.look = replace(again, observation=look.observation)

    def believe_for(self, action: str) -> bool:
        """Log the one thing that may have happened after which *action* is legal, if there is one.

        So what was entered goes to the turn that it was entered for, also while a picture of the
        one before is not understood.  Not what looks like a forbidden move.
        """
        doubt = self._doubt
        asked, picture = doubt.question, doubt.inconclusive
        if isinstance(asked, Illegal) and (asked.clause or not doubt.are_all):
            return False
        found, frame = doubt.proposals, asked.frame if asked else None
        if picture is not None:
            verdict, frame = self._reckon(picture).verdict, picture.frame
            found = verdict.proposals if isinstance(verdict, Unsettled) else ()
        allowed = [each for each in found if self._allows(each, action)]
        if len(allowed) != 1 or frame is None:
            return False
        self._clerk.commit(allowed[0], frame)
        self._sight.last = None  # which was not understood, and is not looked at once more
        return True

    def _allows(self, proposal: Proposal[S, A], action: str) -> bool:
        states = [branch.state for branch in proposal.after.branches]
        try:
            legal_forms(self._clerk.game, states, action)
        except RulesError:
            return False
        return True

    def hold(self, stood: Table, wanted: Table) -> None:
        """Wait until the table shows *wanted*: what *stood* there is not to be accepted again.

        Unless the reader cannot tell the one from the other: then the people are taken at their
        word.
        """
        if self._clerk.session.rules.outcome(self._clerk.state):
            return  # nobody has to put up what is over
        last = self._sight.last
        if last is not None and not Fit(last).prefers(stood, wanted):
            return
        self._doubt.held = stood
        self._clerk.ask(self._clerk.words.put_right(wanted, stood))

    def reread_corrected(self) -> None:
        """Let the reader look again where the people say that the table is not as was accepted."""
        accepted, shown = self._sight.accepted, self._clerk.shown
        if accepted is not None and len(shown) == len(accepted) and shown != accepted:
            pairs = zip(accepted, shown, strict=True)
            known = tuple(old if old == new else None for old, new in pairs)
            self._clerk.on_accepted(self._sight.accepted_frame, known)

    def note_accepted(self, frame: str) -> None:
        """Let the reader compare with the picture *frame* from now on."""
        shown = self._clerk.shown
        self._sight.accepted, self._sight.accepted_frame = shown, frame
        self._clerk.on_accepted(frame, shown)

    def _is_held(self, observation: Observation) -> bool:
        """Return whether the table stands as it did when the people changed the game on a page."""
        held = self._doubt.held
        if held is None:
            return False
        game, fit = self._clerk.game, Fit(self._compared(observation), self._sight.accepted)
        hypothesis = hypothesis_of(game, Proposal(self._clerk.session.history))
        if fit.prefers(held, hypothesis.table) and fit.may_be(held, tables(game, hypothesis)):
            return True
        self._clerk.settle()
        return False

    def _judge_led(self, observation: Observation) -> None:
        """Name the next place that is wrong, until the table shows what the game has."""
        clerk, game = self._clerk, self._clerk.game
        self._sight.arms, self._sight.is_disturbed = frozenset(), False
        log = hypothesis_of(game, Proposal(clerk.session.history), is_fixed=True)
        verdict = explain(game, [log], self._compared(observation))
        match verdict:
            case Certain():
                clerk.settle()
                self.note_accepted(observation.frame)
                clerk.conclude(TransientNotice("remark", words=say("The table is right again")))
            case Unexplained(seen):
                self._sight.table = seen
                clerk.ask(clerk.words.lead_back(log.table, seen))
                clerk.rest()
            case _:
                self._wait_until_clear(observation.frame)

    def _judge_start(self, observation: Observation) -> None:
        clerk, game = self._clerk, self._clerk.game
        seen = Fit(observation).legible()
        self._sight.arms, self._sight.is_disturbed = frozenset(), False
        if seen is None:
            self._wait_until_clear(observation.frame)
            return
        self._sight.table = seen
        actions = game.start(seen)
        if not actions:
            placed = sum(content != EMPTY for content in seen)
            words = say_count(
                "{number} of {places} places is filled; the round starts when all are filled",
                "{number} of {places} places are filled; the round starts when all are filled",
                placed,
                places=game.places,
            )
            clerk.wait(observation.frame, "start", words)
            return
        clerk.start(actions, observation.frame)
        self.note_accepted(observation.frame)

    def _judge(self, observation: Observation) -> None:
        observation = replace(observation, arms=observation.arms | self._sight.arms)
        seen, observation = observation, self._compared(observation)
        second_look = self._sight.is_disturbed
        verdict = (reckoning := self._reckon(observation)).verdict
        before = self._doubt.inconclusive
        if isinstance(verdict, Unsettled) and before and may_be_one_table(before, observation):
            observation = combine(before, observation)
            verdict = (reckoning := self._reckon(observation)).verdict
        self._sight.look = Look(seen, reckoning)
        if isinstance(verdict, Unsettled):
            self._doubt.inconclusive, self._doubt.is_behind = observation, True
            self._sight.unjudged += 1
            self._wait_for_more(verdict, observation.frame)
            return
        self._doubt.inconclusive, self._doubt.pictures = None, 0
        self._sight.arms, self._sight.is_disturbed = frozenset(), False
        self._note_seen(verdict)
        is_stretch, self._sight.unjudged = self._sight.unjudged >= MAX_UNJUDGED_PICTURES, 0
        match verdict:
            case Certain(proposal) if self._may_be_forbidden(proposal, observation.arms):
                table = self._clerk.game.shown(proposal.after.state)
                self._reject(Unexplained(table, (proposal,)), observation)
            case Certain(proposal):
                self._accept_explanation(proposal, observation, second_look)
            case Ambiguous(proposals):
                self._questions.ask(proposals, observation.frame)
            case Unexplained():
                self._reject(verdict, observation, is_lost=is_stretch)
        self._clerk.rest()

    def _compared(self, observation: Observation) -> Observation:
        """Return *observation* without its comparison, unless that is with what was accepted.

        In a place where the game stands otherwise than what was accepted it tells nothing.
        """
        accepted, shown = self._sight.accepted, self._clerk.shown
        if accepted is None or observation.since != self._sight.accepted_frame:
            return replace(observation, unchanged=())
        looks = zip(observation.unchanged, accepted, shown, strict=False)
        unchanged = tuple(same if old == new else INCONCLUSIVE for same, old, new in looks)
        return replace(observation, unchanged=unchanged)

    def _reckon(self, observation: Observation) -> Reckoning[S, A]:
        sides = self._clerk.session.header.sides
        return reckon(self._clerk.game, self._hypotheses(), observation, sides, LIMITS)

    def _hypotheses(self) -> list[Hypothesis[S, A]]:
        """Return what may have happened so far: the log, and what is open beyond it."""
        game, doubt = self._clerk.game, self._doubt
        log = Proposal(self._clerk.session.history)
        return [
            hypothesis_of(game, log, is_fixed=doubt.is_sure),
            *(hypothesis_of(game, proposal) for proposal in doubt.proposals),
        ]

    def _note_seen(self, verdict: Verdict[S, A]) -> None:
        match verdict:
            case Certain(proposal):
                self._sight.table = self._clerk.game.shown(proposal.after.state)
            case Ambiguous(proposals):
                self._sight.table = self._clerk.game.shown(proposals[0].after.state)
            case Unexplained(seen):
                self._sight.table = seen

    def _wait_for_more(self, verdict: Unsettled[S, A], frame: str) -> None:
        pictures = self._doubt.pictures = self._doubt.pictures + 1 if verdict.proposals else 0
        if pictures >= MAX_UNSETTLED_PICTURES and len(verdict.proposals) <= MAX_OPEN:
            self._questions.publish(find_answers((), verdict.proposals), frame)
            return
        self._wait_until_clear(frame)

    def _wait_until_clear(self, frame: str) -> None:
        reason = Reason.UNCLEAR
        self._clerk.wait(frame, reason.value, WAITING_WORDS[reason])

    def _may_be_forbidden(self, proposal: Proposal[S, A], arms: frozenset[str]) -> bool:
        """Return whether what looks like a take-back may as well be a move that the rules forbid.

        Where a play shifts what it does not touch, another's may leave the table as it was before;
        elsewhere the very same piece has come back.
        """
        game, history = self._clerk.game, self._clerk.session.history
        if not game.shifts or not proposal.steps or any(step.forms for step in proposal.steps):
            return False
        shown = game.shown(proposal.after.state)
        return not self._is_arm_of(proposal, arms) and bool(game.refusal(history.state, shown, ""))

    def _is_arm_of(self, proposal: Proposal[S, A], arms: frozenset[str]) -> bool:
        """Return whether who is to have reached in last was seen to."""
        sides = self._clerk.session.header.sides
        return bool(sides) and proposal.seat is not None and sides[proposal.seat] in arms

    def _accept_explanation(
        self, proposal: Proposal[S, A], observation: Observation, second_look: bool
    ) -> None:
        """Log *proposal*; an indirect one that stands unchanged needs a second observation first.

        A pair that stood through another look was meant; what looks like one forbidden move was
        not, and only the people can say otherwise, also once play has continued from there. But a
        take-back was one if play goes on from it, unless the arm that was seen is another's.
        A picture that leaves places in doubt, as in the dark or under a lid, is none to compare
        later ones with, unless it shows something new.
        """
        doubt = self._doubt
        refused = isinstance(doubt.question, Illegal) and doubt.question.clause
        known = [each for each in doubt.proposals if proposal.goes_on_from(each)]
        is_same = proposal.steps in [each.steps for each in known]
        is_takeback = not any(step.forms for each in known for step in each.steps)
        arms = observation.arms
        if is_takeback and not is_same and (not arms or self._is_arm_of(proposal, arms)):
            refused = None
        may_be_other = refused or not doubt.are_all
        if doubt.is_unlikely and known and (may_be_other or (is_same and not second_look)):
            return
        frame = observation.frame
        self._clerk.commit(proposal, frame)
        if proposal.steps or observation.status is Status.OK:
            self.note_accepted(frame)
        if proposal.steps and None in self._clerk.shown:
            self.reconsider()  # that was one of several things that are seen at once

    def _reject(
        self, verdict: Unexplained[S, A], observation: Observation, *, is_lost: bool = False
    ) -> None:
        """Name what is wrong, or ask whose turn it is where the game was lost sight of.

        is_lost: whether too much may have happened unseen. So it has where people play on from a
        table that nothing explains.
        """
        clerk, history = self._clerk, self._clerk.session.history
        game, doubt, frame, seen = clerk.game, clerk.doubt, observation.frame, verdict.seen
        if self._is_new_start(seen):
            clerk.take_back(history.acts[-1], frame)
            self._judge_start(observation)
            return
        if not any(True for _ in game.plays(history.state)):
            return  # people or cards have to speak first; nothing that is seen meanwhile is wrong
        if seen == doubt.rejected:
            return
        unlikely = verdict.proposals
        is_lost = is_lost or (doubt.rejected is not None and not doubt.is_unlikely)
        if is_lost and not unlikely and self.ask_whose_turn(seen, frame):
            doubt.rejected = seen
            return
        legal = tables(game, hypothesis_of(game, Proposal(history)))
        if seen in legal:  # by a take-back, if it is one
            legal = [clerk.shown]
        answers = find_endings(doubt.proposals if doubt.is_sure else (), unlikely)
        told = [answer.told for answer in answers]
        notice = clerk.words.illegal(history, legal, seen, frame, told)
        if unlikely and len(unlikely) <= MAX_OPEN:
            doubt.proposals, doubt.is_unlikely, doubt.are_all = unlikely, True, verdict.are_all
        else:
            answers = ()
            if not doubt.is_sure:
                doubt.proposals, doubt.is_unlikely = (), False
        doubt.rejected = seen
        clerk.ask(notice, self._questions.choices(answers, frame))

    def _is_new_start(self, seen: Table) -> bool:
        """Return whether people still put up a table that was taken for the start too early."""
        game, session = self._clerk.game, self._clerk.session
        acts = session.history.acts
        return (
            bool(game.start(seen))
            and bool(acts)
            and acts[-1].seat is None
            and game.is_unusual_start(session.state)
        )
