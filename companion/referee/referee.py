"""The referee: from what the eyes saw to what the log accepts."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from companion.referee.explain import Explainer, Proposal, Step, distinct, line_of
from companion.referee.notices import Ask, Illegal, Notice, Result, Waiting
from companion.referee.tables import GameTable
from companion.referee.wording import Wording
from companion.session.events import ChanceObserved, Event, MoveAccepted, MoveResolved, MoveUndone
from companion.session.history import Act
from companion.session.session import Session
from vision.sight import Reason, Sight, Status

S = TypeVar("S")
A = TypeVar("A")

MOST_OPEN: Final = 32
WAITING_WORDS: Final = {
    Reason.HAND: "A hand is over the line",
    Reason.GAP: "A move is in progress: there is a gap in the line",
    Reason.UNCLEAR: "A piece cannot be made out",
    Reason.MOTION: "Something is moving",
    Reason.UNTAUGHT: "The eyes have not been shown a known position yet",
    Reason.TILES: "The corner tiles are not in view",
    Reason.PICTURE: "There is no picture from the camera",
}


class Referee(Generic[S, A]):
    """Judges one sight after the other and appends what it believes to the session.

    question: the illegal line or the open question that stands, None while all is well.
    waiting: what the referee waits for, None if only for the next move.
    publish: told every notice once, when it comes up.
    """

    def __init__(
        self,
        session: Session[S, A],
        table: GameTable[S, A],
        publish: Callable[[Notice], None] = lambda _: None,
    ) -> None:
        self.session = session
        self.table = table
        self.question: Illegal | Ask | None = None
        self.waiting: Waiting | None = None
        self._publish = publish
        self._explainer = Explainer(table)
        self._words = Wording(table, self._explainer, session.header.players)
        self._open: list[Proposal[S, A]] = []
        self._open_line: tuple[str, ...] = ()
        self._far_fetched = False
        self._rejected: tuple[str, ...] | None = None
        self._held: tuple[str, ...] | None = None
        self._seen: tuple[str, ...] | None = None
        self._reach: frozenset[str] = frozenset()
        self._disturbed = False
        self._add_what_follows()
        self._conclude()

    def observe(self, sight: Sight) -> None:
        """Judge one sight of the table.

        A line that is seen again after something was in the way has stood by intent: that is a
        second look. Seen again without, it is the same look.
        """
        line = self._line(sight)
        if line is None:
            self._reach |= sight.reach
            self._disturbed = True
            reason = sight.reason or Reason.UNCLEAR
            self._wait(sight.frame, reason.value, WAITING_WORDS[reason])
            return
        self._seen = line
        reach, self._reach = self._reach, frozenset()
        second_look, self._disturbed = self._disturbed, False
        if self._held is not None:
            if line == self._held:  # taken back on the page, but not yet on the table
                self._rest()
                return
            self._forget()
        if self.table.expects_start(self.session.state):
            self._judge_start(line, sight.frame)
        elif self._open:
            self._judge_open(line, sight.frame, reach, second_look)
        elif self.session.rules.turn(self.session.state) is None:
            self._judge_pause(line, sight.frame)
        else:
            self._judge(line, sight.frame, reach)
        self._rest()

    def choose(self, index: int) -> bool:
        """Take candidate *index* of the standing question; False if there is none such."""
        candidates = self.question.candidates if self.question else ()
        if not 0 <= index < min(len(candidates), len(self._open)):
            return False
        self._commit(self._open[index])
        self._rest()
        return True

    def newest(self) -> Act | None:
        """Return the newest move that still counts."""
        return self.session.history.last_move()

    def undo(self) -> None:
        """Take back the newest move; the table is then to be put right.  Raises ReplayError."""
        stood = self._standing()
        self.session.undo()
        self._after_the_people_spoke(stood)

    def tell(self, action: str) -> None:
        """Take a move that was tapped in by the people; raises ReplayError if it is not legal."""
        stood = self._standing()
        seat = self.session.rules.turn(self.session.state)
        self._accept(MoveAccepted(seat, action) if seat is not None else ChanceObserved(action))
        self._after_the_people_spoke(stood)

    def correct(self, seq: int, action: str) -> None:
        """Put *action* in place of move *seq*; raises ReplayError if the rest does not follow."""
        stood = self._standing()
        self.session.correct(seq, action)
        self._add_what_follows()
        self._after_the_people_spoke(stood)

    def enter_secret(self, seat: int, action: str) -> None:
        """Keep what *seat* will show at the end of this round; shows it if that has come."""
        self.session.enter_secret(seat, self.table.round_number(self.session.state), action)
        self._conclude()

    def result(self) -> Result:
        """Return how the game stands now.

        While it is open what happened last, that is left out unless it makes no difference to the
        scores.
        """
        state = self.session.state
        if self._open and not self._far_fetched:
            states = [proposal.after.state for proposal in self._open]
            if len({self.table.last_round(other) for other in states}) == 1:
                state = states[0]
        outcome = self.session.rules.outcome(state)
        last = self.table.last_round(state)
        moves = sum(act.seat is not None for act in self.session.history.acts)
        return Result(
            game=self.table.name,
            scores=last.scores if last else (0,) * len(self.session.header.players),
            winners=outcome.winners if outcome else None,
            ended_by=outcome.ended_by if outcome else None,
            round_ended_by=last.round_ended_by if last else None,
            moves=moves,
        )

    def _line(self, sight: Sight) -> tuple[str, ...] | None:
        """Return the line that *sight* shows, with the rules' help where it alone is not sure."""
        if sight.status is Status.OK:
            return sight.line
        if sight.reason is not Reason.UNCLEAR or self.table.expects_start(self.session.state):
            return None
        histories = [proposal.after for proposal in self._open] or [self.session.history]
        lines = {line for history in histories for line in self._explainer.lines(history)}
        return line_of(sight.slots, lines)

    def _judge_start(self, line: tuple[str, ...], frame: str) -> None:
        action = self.table.start(line)
        if action is None:
            count, wanted = len(line), self.table.slots
            words = f"{count} of {wanted} tikis stand; all {wanted} begin a round"
            self._wait(frame, "start", words)
        else:
            self._accept(ChanceObserved(action, frame))

    def _judge_pause(self, line: tuple[str, ...], frame: str) -> None:
        """Between the end of play and the scoring only a take-back counts."""
        for proposal in self._explainer.plain(self.session.history, line, frame):
            self._commit(proposal)

    def _judge(self, line: tuple[str, ...], frame: str, reach: frozenset[str]) -> None:
        found = self._explainer.plain(self.session.history, line, frame)
        if len(found) > 1:
            found = self._by_reach(found, reach)
        elif found and self._is_last_movers(reach, found[0]):
            found += self._explainer.replaced(self.session.history, line, frame)
        if len(found) == 1:
            self._commit(found[0])
        elif found:
            self._ask(found, line, frame)
        elif self._is_new_start(line):
            last = self.session.history.acts[-1]
            self._accept(MoveUndone(last.seq, last.forms[0], frame))
            self._judge_start(line, frame)
        elif line != self._rejected:
            self._reject(line, frame)

    def _by_reach(self, found: list[Proposal[S, A]], reach: frozenset[str]) -> list[Proposal[S, A]]:
        """Keep the explanation whose player was seen reaching in, if the arms tell."""
        sides = self.session.header.sides
        if not sides or not reach:
            return found
        # "No change" may stand for much coming and going, so any arm fits it.
        fitting = [
            proposal
            for proposal in found
            if not proposal.steps or reach == {sides[proposal.steps[-1].seat or 0]}
        ]
        return fitting if len(fitting) == 1 else found

    def _is_last_movers(self, reach: frozenset[str], proposal: Proposal[S, A]) -> bool:
        """Tell whether only the arm of who moved last was seen, though *proposal* is another's."""
        sides = self.session.header.sides
        last = self.session.history.last_move()
        if not sides or not last or last.seat is None or not proposal.steps:
            return False
        mover = proposal.steps[-1].seat
        return mover != last.seat and reach == {sides[last.seat]}

    def _judge_open(
        self, line: tuple[str, ...], frame: str, reach: frozenset[str], second_look: bool
    ) -> None:
        put_back = line == self.table.shown(self.session.state)
        if put_back and self._far_fetched:
            self._forget()
        elif line == self._open_line:
            # A pair that stood through another look was meant; what looks like one forbidden card
            # was not, and only the people can say otherwise.
            refused = isinstance(self.question, Illegal) and self.question.clause
            if second_look and self._far_fetched and len(self._open) == 1 and not refused:
                self._commit(self._open[0])
        else:
            self._judge_further(line, frame, reach)

    def _judge_further(self, line: tuple[str, ...], frame: str, reach: frozenset[str]) -> None:
        """Judge a new line while it is still open how the last one came about."""
        history = self.session.history
        found = [
            proposal.then(further)
            for proposal in self._open
            for further in self._explainer.plain(proposal.after, line, frame)
        ]
        if self._far_fetched or line == self.table.shown(history.state):
            found = self._explainer.plain(history, line, frame) + found
        found = self._by_reach(distinct(found), reach)
        if len(found) == 1:
            self._commit(found[0])
        elif 1 < len(found) <= MOST_OPEN:
            self._ask(found, line, frame)
        elif line != self._rejected:
            self._reject(line, frame)

    def _is_new_start(self, line: tuple[str, ...]) -> bool:
        """Tell whether people still put up a line that was taken for the start too early."""
        acts = self.session.history.acts
        return (
            self.table.start(line) is not None
            and bool(acts)
            and acts[-1].seat is None
            and self.table.is_unusual_start(self.session.state)
        )

    def _commit(self, proposal: Proposal[S, A]) -> None:
        for step in proposal.steps:
            self._take(step)
        self._forget()
        if proposal.steps:
            self._conclude()

    def _take(self, step: Step) -> None:
        if not step.forms:
            self.session.undo(step.frame)
            return
        assert step.seat is not None
        action, *also = step.forms
        self._accept(MoveAccepted(step.seat, action, tuple(also), step.line, step.frame))

    def _accept(self, event: Event) -> None:
        self.session.append(event)
        self._add_what_follows()

    def _add_what_follows(self) -> None:
        """Log what follows from the entries and is not logged yet: settled forms and scores.

        Also when a session is taken up again: the process may have ended right in between.
        """
        history = self.session.history
        logged = {entry.event for entry in self.session.entries}
        for act in history.acts:
            forms = history.forms(act.seq)
            if len(act.forms) > 1 and len(forms) == 1:
                resolved = MoveResolved(act.seq, *forms)
                if resolved not in logged:
                    self.session.append(resolved)
        last = self.table.last_round(self.session.state)
        if last and last not in logged:
            self.session.append(last)

    def _conclude(self) -> None:
        """Show the secrets that have to be shown at a round's end."""
        while True:
            state = self.session.state
            number = self.table.round_number(state)
            secrets = self.session.history.secrets
            known = [
                secrets[number, seat]
                for seat in self.table.hidden_cards(state)
                if (number, seat) in secrets
            ]
            if not known:
                break
            self._accept(ChanceObserved(known[0]))
        self._rest()
        if self.session.rules.outcome(self.session.state):
            self._publish(self.result())

    def _rest(self) -> None:
        """Say what is wanted while the table is at rest: cards, a new line, or nothing."""
        state = self.session.state
        if missing := self.table.hidden_cards(state):
            names = ", ".join(self.session.header.players[seat] for seat in missing)
            self._wait(None, "cards", f"The round is over. Secret cards wanted from: {names}")
        elif self.table.expects_start(state):
            if not (self.waiting and self.waiting.reason == "start"):
                number = self.table.round_number(state)
                words = f"Put up all {self.table.slots} tikis for round {number}"
                self._wait(None, "start", words)
        else:
            self.waiting = None

    def _standing(self) -> tuple[str, ...]:
        """Return what is on the table: what was seen last, or what the game says."""
        return self._seen or self.table.shown(self.session.state)

    def _after_the_people_spoke(self, stood: tuple[str, ...]) -> None:
        """Hold what stood on the table against the game, until the table follows."""
        self._forget()
        self._conclude()
        history = self.session.history
        wanted = self.table.shown(history.state)
        if wanted and wanted != stood:
            self._held = stood
            self._say(self._words.put_right(wanted, stood))

    def _ask(self, found: list[Proposal[S, A]], line: tuple[str, ...], frame: str) -> None:
        self._open, self._open_line, self._far_fetched = found, line, False
        self._rejected = None
        self._say(Ask(frame, "What happened?", self._words.candidates(found)))

    def _reject(self, line: tuple[str, ...], frame: str) -> None:
        history = self.session.history
        far_fetched = [
            proposal.then(further)
            for proposal in self._open
            for further in self._explainer.far_fetched(proposal.after, line, frame)
        ]
        sure = self._open and not self._far_fetched
        if not sure:
            far_fetched = self._explainer.far_fetched(history, line, frame) + far_fetched
        far_fetched = distinct(far_fetched)
        self._say(self._words.illegal(history, line, frame, far_fetched))
        self._rejected = line
        if far_fetched and len(far_fetched) <= MOST_OPEN:
            self._open, self._open_line, self._far_fetched = far_fetched, line, True
        elif not sure:
            self._open = []

    def _wait(self, frame: str | None, reason: str, message: str) -> None:
        known, self.waiting = self.waiting, Waiting(frame, reason, message)
        if not known or known.reason != reason or known.message != message:
            self._publish(self.waiting)

    def _forget(self) -> None:
        self._open, self._rejected, self._held, self.question = [], None, None, None

    def _say(self, notice: Illegal | Ask) -> None:
        self.question = notice
        self._publish(notice)
