"""The referee: from observations, facts and entries to accepted events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from companion.language.message import message_of, say
from companion.referee.bookkeeping import follow_up
from companion.referee.clerk import Clerk, Look
from companion.referee.explain import start_of_move, tables_after
from companion.referee.facts import Fact, SpinFact, Traces
from companion.referee.game import Game, People, Reaction, Table
from companion.referee.legality import legal_forms
from companion.referee.notices import Ask, Candidate, Illegal, Notice, Waiting, distinct_seats
from companion.referee.observation_judge import ObservationJudge
from companion.referee.side_observations import SideObservations, find_people, name_places
from companion.referee.table_dispute import TableDispute
from companion.referee.transient_notices import TransientNotice, remarked
from companion.rules.base import RulesError
from companion.session.events import ChanceObserved, Entry, Event, MoveAccepted, MoveUndone
from companion.session.history import Act, History, ReplayError, agree
from companion.session.session import Session
from vision.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

EntrySource: TypeAlias = Literal["hand", "sensor"]
UNDO: Final = "undo"


@dataclass(frozen=True, slots=True)
class _Source:
    """What an event says of where it comes from; see `MoveAccepted`."""

    by: EntrySource | Literal[""]
    frame: str | None = None


class Referee(Generic[S, A]):
    """Judges everything that is seen, sensed or entered, and appends what it accepts to the log.

    side_observations: what pictures showed beside the places.
    heard: what each kind of sensor and button reported last, of those that this game uses.
    dispute: for a table that the rules do not explain.
    """

    def __init__(
        self,
        session: Session[S, A],
        game: Game[S, A],
        publish: Callable[[Notice], None] = lambda _: None,
        show: Callable[[TransientNotice | None], None] = lambda _: None,
        on_accepted: Callable[[str, Table], None] = lambda *_: None,
    ) -> None:
        """Take up *session*, and log what follows from it; raises LogError.

        publish: called once with every notice, when it comes up.
        show: called with every transient notice, None when the last one is over.
        on_accepted: called with every picture that shows the table as the log has it, and that
            table.
        """
        self.session = session
        self.game = game
        self.side_observations = SideObservations()
        self.heard: dict[type[Fact], Fact] = {}
        self._clerk = clerk = Clerk(session, game, publish, show, on_accepted)
        self._judge = ObservationJudge(clerk)
        self.dispute = TableDispute(clerk, self._judge)
        self.together = clerk.together
        self.result = clerk.result
        with self.together():
            follow_up(session, game)
            clerk.show_secrets()
            clerk.rest()

    @property
    def question(self) -> Illegal | Ask | None:
        """The wrong table or the open question that stands, None while all is well."""
        return self._clerk.doubt.question

    @property
    def waiting(self) -> Waiting | None:
        """What the referee waits for, None if only for the next move."""
        return self._clerk.waiting

    @property
    def last_seen(self) -> Observation | None:
        """The last picture of the table at rest, None if something was in the way since."""
        return self._clerk.sight.last

    @property
    def look(self) -> Look | None:
        """The last picture of the table at rest with what was made of it, None if there is none."""
        return self._clerk.sight.look

    @property
    def newest_picture(self) -> Observation | None:
        """The last picture of all, also with something in the way; None if there is none."""
        return self._clerk.sight.newest

    # What is seen, sensed and entered.

    def observe(self, observation: Observation) -> None:
        """Judge a picture's places, if it has any, and what else it shows; raises LogError."""
        if observation.places:
            with self.together():
                self._ask_overlooked(observation)
                self._judge.observe(observation)
        self._take_glimpses(observation)
        if not observation.places:
            with self.together():
                self._judge.observe(observation)

    def _take_glimpses(self, observation: Observation) -> None:
        """Take what *observation* shows beside the places, or wait until people have answered."""
        if self._clerk.doubt.holds:
            return
        for fact in self.side_observations.compare(observation, self.session.history.acts):
            try:
                self._take_fact(fact, observation.frame)
            except (RulesError, ReplayError) as error:
                self._clerk.show(remarked(say("The camera: {error}", error=message_of(error))))
            self.side_observations.note(fact.now, self.session.history.acts)

    def _ask_overlooked(self, observation: Observation) -> None:
        """Ask what *observation* may have been preceded by, unless something else comes first."""
        doubt = self._clerk.doubt
        if doubt.holds or doubt.is_leading or doubt.held is not None:
            return
        if not self._judge.is_judged(observation):
            return
        history = self.session.history
        facts = tuple(self.side_observations.compare(observation, history.acts))
        last = history.last_move()
        last_move = last.forms[0] if last else ""
        traces = Traces(doubt.rejected or (), name_places(observation), facts, last_move)
        ask = self.game.overlooked(self.session.state, traces, self._people())
        if ask is not None:
            self._ask(ask, observation.frame)

    def on_fact(self, fact: Fact) -> bool:
        """Take what a sensor or a button has found out; False if this game has no such device.

        Raises RulesError or LogError, and nothing has changed then.
        """
        return self._take_fact(fact, None)

    def _take_fact(self, fact: Fact, frame: str | None) -> bool:
        people = self._people()
        reaction = self.game.on_fact(self.session.state, fact, people)
        if reaction is None:
            return False
        if frame is None:
            self.heard[type(fact)] = fact
        with self.together():
            if isinstance(fact, SpinFact):
                self.session.append(fact.spin)
            self._react(reaction, frame)
        return True

    def enter(self, action: str, by: EntrySource = "hand") -> None:
        """Take what happened; raises RulesError or LogError, and nothing has changed then.

        by: who reported it.
        """
        with self.together():
            self._enter(action, _Source(by))

    def enter_secret(self, seat: int, action: str) -> None:
        """Keep what *seat* enters for itself alone; shows it if that has come.

        Raises ReplayError if the rules do not allow it.
        """
        with self.together():
            self.session.enter_secret(seat, self.game.round_number(self.session.state), action)
            self._clerk.show_secrets()
            self._clerk.rest()

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
        """Return whether *action* is *seat*'s business now; raises InvalidAction.

        What the companion plays itself is everybody's: people do and tell it.  But not which of
        its cards: a refusal would tell what it holds.
        """
        parsed = self.session.rules.parse_action(action)
        whose = self.game.entry_seat(self.session.state, parsed)
        if whose in (None, seat):
            return True
        return self.session.header.is_computer(whose) and not self.game.card_of(parsed)

    def choose(self, index: int) -> bool:
        """Take candidate *index* of the standing question; False if there is none such."""
        candidates = self.question.candidates if self.question else ()
        if not 0 <= index < min(len(candidates), len(self._clerk.doubt.answers)):
            return False
        held = self._clerk.doubt.holds
        with self.together():
            self._clerk.doubt.answers[index]()
        if held and self.last_seen is not None:
            self._take_glimpses(self.last_seen)
        return True

    def say_anew(self) -> None:
        """Say what is waited for by the names that the players have now."""
        waiting = self._clerk.waiting
        if waiting is not None and waiting.frame is None:
            self._clerk.rest()

    def newest(self) -> Act | None:
        """Return what would be taken back, None if there is nothing."""
        return self.session.history.newest()

    def undo(self) -> None:
        """Take back what happened last, for what it had replaced; raises ReplayError if nothing."""
        history, last, before = self.session.history, self.newest(), self._clerk.shown
        if last is None:
            raise ReplayError("there is nothing to take back")
        start = history.acts[start_of_move(self.game, history, history.index(last.seq))]
        with self.together():
            self._clerk.accept(MoveUndone(start.seq, last.forms[0]))
            self._after_entry(before)

    def replace(self, action: str, by: EntrySource = "hand") -> None:
        """Put *action* in place of what happened last.

        Raises ReplayError if nothing has, or what `enter` raises; nothing has changed then.
        """
        self._replace(action, _Source(by))

    def _replace(self, action: str, source: _Source) -> None:
        last = self.newest()
        if last is None:
            raise ReplayError("there is nothing to take back")
        with self.together():
            self._enter(action, source, instead=last)

    def correct(self, seq: int, action: str) -> None:
        """Put *action* in place of entry *seq*; raises ReplayError if the rest does not follow."""
        before = self._clerk.shown
        with self.together():
            self.session.correct(seq, action)
            follow_up(self.session, self.game)
            self._after_entry(before)

    def interrupt(self, notice: Ask, leave: Callable[[], None]) -> None:
        """Ask *notice*: its first candidate is to *leave*, its second to go on with what is asked.

        What stands until now is asked once more, unless play has continued meanwhile.
        """
        asked, clerk, known = self._clerk.doubt, self._clerk, self.session.next_seq
        before, answers = asked.question, asked.answers

        def go_on() -> None:
            clerk.doubt.question, clerk.doubt.answers = None, ()
            if before and self.session.next_seq == known:
                clerk.ask(before, answers)

        clerk.ask(notice, [leave, go_on])

    def _people(self) -> People:
        last, is_sure = self.newest(), not self._clerk.doubt.is_open
        return find_people(self.session.header, last.forms[0] if last else "", is_sure=is_sure)

    def _texts(self, actions: tuple[A, ...]) -> tuple[str, ...]:
        return tuple(map(self.session.rules.format_action, actions))

    def _react(self, reaction: Reaction, frame: str | None) -> None:
        """Do as the game says; *frame*: the picture that it reacts to, None to a sensor."""
        source = _Source("sensor" if frame is None else "", frame)
        if reaction.action and reaction.instead:
            self._replace(reaction.action, source)
        elif reaction.action:
            self._enter(reaction.action, source, reaction.transient_notice)
        elif reaction.transient_notice:
            self._clerk.show(reaction.transient_notice)
        if reaction.ask:
            self._ask(reaction.ask, reaction.ask.frame)

    def _ask(self, ask: Ask, frame: str | None) -> None:
        """Put a question of the game's own, which *frame* has raised."""
        candidates = tuple(
            Candidate(each.actions, each.text, each.meaning, self._whose(each.actions))
            for each in ask.candidates
        )
        answers = [self._answer(each.actions) for each in candidates]
        self._clerk.ask(Ask(frame, ask.message, candidates, ask.holds), answers)
        self._clerk.doubt.is_put_by_game = True

    def _whose(self, actions: tuple[str, ...]) -> tuple[int, ...]:
        """Return whose business a candidate of a game's own question is; () if nobody's."""
        history, state, seats = self.session.history, self.session.state, list[int | None]()
        for action in actions:
            if action == UNDO:
                seats.append(history.acts[-1].seat)
                state = history.positions[-2][0].state
            else:
                parsed = self.session.rules.parse_action(action)
                seats.append(self.game.entry_seat(state, parsed))
        return distinct_seats(seats)

    def _answer(self, actions: tuple[str, ...]) -> Callable[[], None]:
        """Return what a candidate of a game's own question leads to."""

        def answer() -> None:
            self._clerk.settle()
            if actions[:1] == (UNDO,):
                self.replace(actions[1])
            else:
                for action in actions:
                    self.enter(action)
            if not actions:
                self._judge.reconsider()

        return answer

    def _enter(
        self,
        action: str,
        source: _Source,
        notice: TransientNotice | None = None,
        instead: Act | None = None,
    ) -> None:
        """Take what happened; *instead*: what is taken back in the same instant."""
        undone = (
            [MoveUndone(instead.seq, instead.forms[0], source.frame, replaced=True)]
            if instead
            else []
        )
        trial = self.session.history.copy()
        trial.follow(Entry(self.session.next_seq, "", each) for each in undone)
        try:
            forms, state = legal_forms(self.game, _states(trial), action)
        except RulesError:
            if instead or not self._judge.believe_for(action):
                raise
            trial = self.session.history
            forms, state = legal_forms(self.game, _states(trial), action)
        states = _states(trial)
        text, *also = self._texts(forms)
        seat = self.game.actor(state, forms[0])
        event: MoveAccepted | ChanceObserved = (
            ChanceObserved(text, source.frame, source.by, tuple(also))
            if seat is None
            else MoveAccepted(seat, text, tuple(also), frame=source.frame, by=source.by)
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
            question = self._clerk.words.which_table(self.game.public(text), after, seat)
            self._clerk.ask(question, answers)

    def _take_entered(self, events: Sequence[Event], notice: TransientNotice | None) -> None:
        before = self._clerk.shown
        for event in events:
            self._clerk.accept(event)
        self._after_entry(before, notice)

    def _after_entry(self, before: Table, notice: TransientNotice | None = None) -> None:
        """Hold what stands on the table against the game until it follows; *before*: as it was."""
        is_followed = before == self._clerk.shown and self._clerk.doubt.held is None
        self._clerk.settle()
        self._clerk.conclude(notice)
        self._judge.reread_corrected()
        wanted, stood = self._clerk.shown, self._clerk.sight.table
        if is_followed:
            self._judge.reconsider()
        elif stood and not agree(wanted, stood):
            self._judge.hold(stood, wanted)


def _states(history: History[S, A]) -> list[S]:
    return [branch.state for branch in history.branches]
