"""The referee: from observations, facts and entries to accepted events."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from companion.language.message import message_of, say
from companion.referee.agreement import Agreement
from companion.referee.bookkeeping import follow_up, result_of
from companion.referee.explain import start_of_move, tables_after
from companion.referee.facts import Fact, SpinFact
from companion.referee.game import Game, People, Reaction, Table
from companion.referee.glimpses import Glimpses, find_people
from companion.referee.hypotheses import Proposal, Step
from companion.referee.legality import legal_forms
from companion.referee.notices import Ask, Illegal, Notice, Result, Waiting
from companion.referee.observation_judge import ObservationJudge
from companion.referee.transient_notices import TransientNotice, remarked
from companion.referee.wording import Wording
from companion.rules.base import RulesError
from companion.session.events import ChanceObserved, Entry, Event, MoveAccepted, MoveUndone
from companion.session.history import Act, ReplayError, agree
from companion.session.session import Session
from vision.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

EntrySource: TypeAlias = Literal["hand", "sensor"]
UNDO: Final = "undo"


class Referee(Generic[S, A]):
    """Judges everything that is seen, sensed or entered, and appends what it accepts to the log.

    question: the wrong table or the open question that stands, None while all is well.
    glimpses: what pictures showed beside the places.
    agreement: for a table that the rules do not explain.
    waiting: what the referee waits for, None if only for the next move.
    publish: called once with every notice, when it comes up.
    show: called with every transient notice, None when the last one is over.
    on_accepted: called with every picture that shows the table as the log has it, and that table.
    """

    def __init__(
        self,
        session: Session[S, A],
        game: Game[S, A],
        publish: Callable[[Notice], None] = lambda _: None,
        show: Callable[[TransientNotice | None], None] = lambda _: None,
        on_accepted: Callable[[str, Table], None] = lambda *_: None,
    ) -> None:
        self.session = session
        self.game = game
        self.question: Illegal | Ask | None = None
        self.waiting: Waiting | None = None
        # Told only once what they tell of is on the disk.
        self._publish = session.log.deferred(publish)
        self._show = session.log.deferred(show)
        self.on_accepted = session.log.deferred(on_accepted)
        self._answers: list[Callable[[], None]] = []
        self._is_put_by_game = False
        self.glimpses = Glimpses()
        self._words = Wording(game, session.header.players)
        self._judge = ObservationJudge(self, self._words)
        self.agreement = Agreement(self, self._judge, self._words)
        with self.together():
            follow_up(session, game)
            self._show_secrets()
            self.rest()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let all that happens meanwhile count together, or nothing of it, here as in the log.

        Inside another one it is a part of that; end that too after an error.  Raises LogError.
        """
        before = [(part, vars(part).copy()) for part in (self, self._judge)]

        def put_back() -> None:
            for part, known in before:
                vars(part).update(known)

        with self.session.together(put_back):
            yield

    # What is seen, sensed and entered.

    def observe(self, observation: Observation) -> None:
        """Judge a picture's places, if it has any, and what else it shows; raises LogError."""
        if observation.places:
            with self.together():
                self._judge.observe(observation)
        for fact in self.glimpses.compare(observation, self.session.history.acts):
            try:
                self.on_fact(fact)
            except (RulesError, ReplayError) as error:
                self._show(remarked(say("The camera: {error}", error=message_of(error))))
        if not observation.places:
            with self.together():
                self._judge.observe(observation)

    def on_fact(self, fact: Fact) -> bool:
        """Take what a sensor or a button has found out; False if this game has no such device.

        Raises RulesError or LogError, and nothing has changed then.
        """
        people = self._people()
        reaction = self.game.on_fact(self.session.state, fact, people)
        if reaction is None:
            return False
        with self.together():
            if isinstance(fact, SpinFact):
                self.session.append(fact.spin)
            self._react(reaction)
        return True

    def enter(self, action: str, by: EntrySource = "hand") -> None:
        """Take what happened; raises RulesError or LogError, and nothing has changed then.

        by: who reported it.
        """
        with self.together():
            self._enter(action, by, None)

    def enter_secret(self, seat: int, action: str) -> None:
        """Keep what *seat* enters for itself alone; shows it if that has come.

        Raises ReplayError if the rules do not allow it.
        """
        with self.together():
            self.session.enter_secret(seat, self.game.round_number(self.session.state), action)
            self._show_secrets()
            self.rest()

    # What people may say of what has happened.

    def offers(self) -> tuple[str, ...]:
        """Return the texts of all that people may enter now."""
        return self._texts(self.game.offers(self.session.state))

    def alternatives(self) -> tuple[str, ...]:
        """Return the texts of all that may have happened in place of what happened last."""
        history = self.session.history
        if not history.acts:
            return ()
        return self._texts(self.game.offers(history.positions[-2][0].state))

    def may_enter(self, seat: int, action: str) -> bool:
        """Return whether *action* is *seat*'s business now; raises InvalidAction."""
        parsed = self.session.rules.parse_action(action)
        return self.game.entry_seat(self.session.state, parsed) in (None, seat)

    def choose(self, index: int) -> bool:
        """Take candidate *index* of the standing question; False if there is none such."""
        candidates = self.question.candidates if self.question else ()
        if not 0 <= index < min(len(candidates), len(self._answers)):
            return False
        with self.together():
            self._answers[index]()
        return True

    def newest(self) -> Act | None:
        """Return what would be taken back, None if there is nothing."""
        return self.session.history.newest()

    def undo(self) -> None:
        """Take back what happened last, for what it had replaced; raises ReplayError if nothing."""
        history, last, before = self.session.history, self.newest(), self._shown()
        if last is None:
            raise ReplayError("there is nothing to take back")
        start = history.acts[start_of_move(self.game, history, history.index(last.seq))]
        with self.together():
            self._accept(MoveUndone(start.seq, last.forms[0]))
            self._after_entry(before)

    def replace(self, action: str, by: EntrySource = "hand") -> None:
        """Put *action* in place of what happened last.

        Raises ReplayError if nothing has, or what `enter` raises; nothing has changed then.
        """
        last = self.newest()
        if last is None:
            raise ReplayError("there is nothing to take back")
        with self.together():
            self._enter(action, by, None, last)

    def correct(self, seq: int, action: str) -> None:
        """Put *action* in place of entry *seq*; raises ReplayError if the rest does not follow."""
        before = self._shown()
        with self.together():
            self.session.correct(seq, action)
            follow_up(self.session, self.game)
            self._after_entry(before)

    def result(self) -> Result:
        """Return how the game stands now.

        While it is open what happened last, that is left out unless it makes no difference to the
        scores.
        """
        return result_of(self.game, self._judge.state_for_result(), self.session.history)

    # What only the referee's own parts call.

    def commit(self, proposal: Proposal[S, A], frame: str) -> None:
        """Log the steps of *proposal*, which *frame* has shown."""
        notice = None
        for step in proposal.steps:
            notice = self._take(step, frame) or notice
        if proposal.steps or not self._is_put_by_game:
            self.settle_questions()
        if proposal.steps:
            self.conclude(notice)

    def start(self, actions: Sequence[str], frame: str) -> None:
        """Log that a round begins by *actions*, as *frame* shows it."""
        for action in actions:
            self._accept(ChanceObserved(action, frame))
        self.conclude(None)

    def take_back(self, act: Act, frame: str | None) -> None:
        """Log that *act* no longer counts, as *frame* shows."""
        self._accept(MoveUndone(act.seq, act.forms[0], frame))

    def ask(self, notice: Illegal | Ask, answers: Sequence[Callable[[], None]] = ()) -> None:
        """Let *notice* stand until it is answered; *answers*: what each candidate leads to."""
        self._answers, self._is_put_by_game = list(answers), False
        if notice != self.question:
            self.question = notice
            self._publish(notice)

    def interrupt(self, notice: Ask, leave: Callable[[], None]) -> None:
        """Ask *notice*: its first candidate is to *leave*, its second to go on with what is asked.

        What stands until now is asked once more, unless play has continued meanwhile.
        """
        before, answers, known = self.question, self._answers, self.session.next_seq

        def go_on() -> None:
            self.question, self._answers = None, []
            if before and self.session.next_seq == known:
                self.ask(before, answers)

        self.ask(notice, [leave, go_on])

    def conclude(self, notice: TransientNotice | None) -> None:
        """Tell what has happened, and what is waited for now."""
        self._show(notice)
        self._show_secrets()
        self.rest()
        if self.session.rules.outcome(self.session.state):
            self._publish(self.result())

    def settle_questions(self) -> None:
        """Forget what was asked."""
        self.question, self._answers, self._is_put_by_game = None, [], False
        self._judge.forget()

    def wait(self, frame: str | None, reason: str, message: str) -> None:
        """Say what is waited for, once."""
        known, self.waiting = self.waiting, Waiting(frame, reason, message)
        if not known or known.reason != reason or known.message != message:
            self._publish(self.waiting)

    def rest(self) -> None:
        """Say what is waited for while the table is at rest."""
        reason, message = self.game.wants(self.session.state, self.session.header.players)
        if reason:
            self.wait(None, reason, message)
        else:
            self.waiting = None

    def _people(self) -> People:
        last = self.newest()
        return find_people(self.session.header, last.forms[0] if last else "")

    def _texts(self, actions: tuple[A, ...]) -> tuple[str, ...]:
        return tuple(map(self.session.rules.format_action, actions))

    def _react(self, reaction: Reaction) -> None:
        if reaction.action and reaction.instead:
            self.replace(reaction.action, "sensor")
        elif reaction.action:
            self._enter(reaction.action, "sensor", reaction.transient_notice)
        elif reaction.transient_notice:
            self._show(reaction.transient_notice)
        if reaction.ask:
            asked = reaction.ask
            self.ask(asked, [self._answer(each.actions) for each in asked.candidates])
            self._is_put_by_game = True  # a table that stays as it is does not answer it

    def _answer(self, actions: tuple[str, ...]) -> Callable[[], None]:
        """Return what a candidate of a game's own question leads to."""

        def answer() -> None:
            self.settle_questions()
            if actions[:1] == (UNDO,):
                self.replace(actions[1])
            else:
                for action in actions:
                    self.enter(action)

        return answer

    def _enter(
        self,
        action: str,
        by: EntrySource,
        notice: TransientNotice | None,
        instead: Act | None = None,
    ) -> None:
        """Take what happened; *instead*: what is taken back in the same instant."""
        undone = [MoveUndone(instead.seq, instead.forms[0], replaced=True)] if instead else []
        trial = self.session.history.copy()
        trial.follow(Entry(self.session.next_seq, "", each) for each in undone)
        states = [branch.state for branch in trial.branches]
        forms, state = legal_forms(self.game, states, action)
        text, *also = self._texts(forms)
        seat = self.game.actor(state, forms[0])
        event: MoveAccepted | ChanceObserved = (
            ChanceObserved(text, by=by, also=tuple(also))
            if seat is None
            else MoveAccepted(seat, text, tuple(also), by=by)
        )
        notice = notice or self.game.transient_notice(state, forms[0], self.session.header.players)
        after = tables_after(self.game, states, forms)
        if len(after) == 1:
            self._take_entered([*undone, event], notice)
        else:  # which of its forms it was, or an earlier one was, shows on the table alone
            answers = [
                partial(self._take_entered, [*undone, replace(event, table=table)], None)
                for table in after
            ]
            self.ask(self._words.which_table(self.game.public(text), after), answers)

    def _take_entered(self, events: Sequence[Event], notice: TransientNotice | None) -> None:
        before = self._shown()
        for event in events:
            self._accept(event)
        self._after_entry(before, notice)

    def _take(self, step: Step, frame: str | None = None) -> TransientNotice | None:
        history = self.session.history
        if not step.forms:
            self.take_back(history.acts[step.undo_at], frame)
            return None
        branches = history.branches
        action, *also = step.forms
        self._accept(
            ChanceObserved(action, frame, also=tuple(also), table=step.table)
            if step.seat is None
            else MoveAccepted(step.seat, action, tuple(also), step.table, frame)
        )
        return self._words.announce(step, [branch.state for branch in branches])

    def _accept(self, event: Event) -> None:
        self.session.append(event)
        follow_up(self.session, self.game)

    def _shown(self) -> Table:
        return self.game.shown(self.session.state)

    def _after_entry(self, before: Table, notice: TransientNotice | None = None) -> None:
        """Hold what stands on the table against the game until it follows; *before*: as it was."""
        is_followed = before == self._shown() and not self._judge.is_holding
        self.settle_questions()
        self.conclude(notice)
        self._judge.reread_corrected()
        wanted, stood = self._shown(), self._judge.last_table()
        if is_followed:
            self._judge.reconsider()
        elif stood and not agree(wanted, stood):
            self._judge.hold(stood, wanted)

    def _show_secrets(self) -> None:
        """Show the secrets that have to be shown, as far as they were entered."""
        while True:
            state, secrets = self.session.state, self.session.history.secrets
            number = self.game.round_number(state)
            seats = [seat for seat in self.game.secrets_due(state) if (number, seat) in secrets]
            if not seats:
                return
            if notice := self._take(Step((secrets[number, seats[0]],))):
                self._show(notice)
