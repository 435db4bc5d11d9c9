"""The clerk: logs what is accepted, puts questions to the people, and knows what is open."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.referee.bookkeeping import follow_up, result_of
from companion.referee.explain import Reckoning
from companion.referee.game import Game, Table
from companion.referee.hypotheses import Proposal, Step
from companion.referee.notices import Ask, Illegal, Notice, Result, Waiting
from companion.referee.transient_notices import TransientNotice
from companion.referee.wording import Wording
from companion.session.events import ChanceObserved, Event, MoveAccepted, MoveUndone
from companion.session.history import Act
from companion.session.session import Session
from vision.observation import Observation

S = TypeVar("S")
A = TypeVar("A")


@dataclass(slots=True)
class Doubt(Generic[S, A]):
    """What is open, and all of it settled at once.

    question: the wrong table or the open question that stands.  answers: what each of its
        candidates leads to.  is_put_by_game: a table that stays as it is does not answer it.
    proposals: what may have happened.  is_unlikely: none of it was meant, as far as one can see.
    asked: what of it was asked first, see `find_answers`.
    are_all: whether nothing else can have happened.
    rejected: the table that was called wrong.  held: the one that stands as it did when people
        changed the game on a page.  is_leading: whether the table is being led back.
    inconclusive: the picture to be combined with the next one.
    pictures: so many still ones did not settle it.  is_behind: what a still one has shown since the
        log's newest entry is not understood, so that a move may be missing.
    """

    question: Illegal | Ask | None = None
    answers: Sequence[Callable[[], None]] = ()
    is_put_by_game: bool = False
    proposals: Sequence[Proposal[S, A]] = ()
    asked: Sequence[Proposal[S, A]] = ()
    is_unlikely: bool = False
    are_all: bool = True
    rejected: Table | None = None
    held: Table | None = None
    is_leading: bool = False
    inconclusive: Observation | None = None
    pictures: int = 0
    is_behind: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it is not certain how the game stands."""
        return self.question is not None or self.is_behind

    @property
    def holds(self) -> bool:
        """Whether nothing that is seen counts until people have answered."""
        return isinstance(self.question, Ask) and self.question.holds

    @property
    def is_sure(self) -> bool:
        """Whether one of `proposals` has happened."""
        return bool(self.proposals) and not self.is_unlikely


@dataclass(frozen=True, slots=True)
class Look:
    """One picture of the table at rest, and what was made of it.

    reckoning: None where no rules were asked: before the start, or while people have to answer.
    """

    observation: Observation
    reckoning: Reckoning[Any, Any] | None = None


@dataclass(slots=True)
class Sight:
    """What was seen of the table.

    table: what lies there; () if nothing was ever seen.
    accepted: the table that the reader compares with, and accepted_frame: its picture.
    arms: that reached in since the table was judged last.  is_disturbed: whether anything did.
    last: the last picture of the table at rest, None if something was in the way.
    unjudged: so many pictures came since one was judged.
    newest: the last picture of all.  look: the last one at rest, with what was made of it.
    """

    table: Table = ()
    accepted: Table | None = None
    accepted_frame: str = ""
    arms: frozenset[str] = frozenset()
    is_disturbed: bool = False
    last: Observation | None = None
    unjudged: int = 0
    newest: Observation | None = None
    look: Look | None = None


class Clerk(Generic[S, A]):
    """Keeps the log and tells the people, for all who judge.

    doubt, sight, waiting: what a failed entry puts back; waiting: None if only for the next move.
    publish, show, on_accepted: see `Referee`; told only what is on the disk.
    """

    def __init__(
        self,
        session: Session[S, A],
        game: Game[S, A],
        publish: Callable[[Notice], None],
        show: Callable[[TransientNotice | None], None],
        on_accepted: Callable[[str, Table], None],
    ) -> None:
        self.session = session
        self.game = game
        self.doubt: Doubt[S, A] = Doubt()
        self.sight = Sight()
        self.waiting: Waiting | None = None
        self.publish = session.log.deferred(publish)
        self.show = session.log.deferred(show)
        self.on_accepted = session.log.deferred(on_accepted)

    @property
    def words(self) -> Wording[S, A]:
        """What says it all, with the names that the players have now."""
        return Wording(self.game, self.session.header.players)

    @property
    def state(self) -> S:
        """The game as it stands."""
        return self.session.state

    @property
    def shown(self) -> Table:
        """The table as the game has it."""
        return self.game.shown(self.session.state)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let all that happens meanwhile count together, or nothing of it, here as in the log.

        Inside another one it is a part of that; end that too after an error.  Raises LogError.
        """
        before = copy(self.doubt), copy(self.sight), self.waiting

        def put_back() -> None:
            self.doubt, self.sight, self.waiting = before

        with self.session.together(put_back):
            yield

    # What is logged.

    def accept(self, event: Event) -> None:
        """Log *event* and what follows from it; raises ReplayError or LogError."""
        self.session.append(event)
        follow_up(self.session, self.game)

    def commit(self, proposal: Proposal[S, A], frame: str) -> None:
        """Log the steps of *proposal*, the last of which *frame* has shown."""
        notice = None
        for step in proposal.steps:
            notice = self._take(step, step.frame or frame) or notice
        if proposal.steps or not self.doubt.is_put_by_game:
            self.settle()
        if proposal.steps:
            self.conclude(notice)

    def start(self, actions: Sequence[str], frame: str) -> None:
        """Log that a round begins by *actions*, as *frame* shows it."""
        for action in actions:
            self.accept(ChanceObserved(action, frame))
        self.conclude(None)

    def take_back(self, act: Act, frame: str | None) -> None:
        """Log that *act* no longer counts, as *frame* shows."""
        self.accept(MoveUndone(act.seq, act.forms[0], frame))

    def show_secrets(self) -> None:
        """Show the secrets that have to be shown, as far as they were entered."""
        while True:
            state, secrets = self.state, self.session.history.secrets
            number = self.game.round_number(state)
            seats = [seat for seat in self.game.secrets_due(state) if (number, seat) in secrets]
            if not seats:
                return
            if notice := self._take(Step((secrets[number, seats[0]],))):
                self.show(notice)

    def _take(self, step: Step, frame: str | None = None) -> TransientNotice | None:
        history = self.session.history
        if not step.forms:
            self.take_back(history.acts[step.undo_at], frame)
            return None
        branches = history.branches
        action, *also = step.forms
        self.accept(
            ChanceObserved(action, frame, also=tuple(also), table=step.table)
            if step.seat is None
            else MoveAccepted(step.seat, action, tuple(also), step.table, frame)
        )
        return self.words.announce(step, [branch.state for branch in branches])

    # What people are told and asked.

    def ask(self, notice: Illegal | Ask, answers: Sequence[Callable[[], None]] = ()) -> None:
        """Let *notice* stand until it is answered; *answers*: what each candidate leads to."""
        self.doubt.answers, self.doubt.is_put_by_game = answers, False
        if notice != self.doubt.question:
            self.doubt.question = notice
            self.publish(notice)

    def settle(self) -> None:
        """Forget what was open."""
        self.doubt = Doubt()

    def conclude(self, notice: TransientNotice | None) -> None:
        """Tell what has happened, and what is waited for now."""
        self.show(notice)
        self.show_secrets()
        self.rest()
        if self.session.rules.outcome(self.state):
            self.publish(self.result())

    def wait(self, frame: str | None, reason: str, message: str) -> None:
        """Say what is waited for, once."""
        known, self.waiting = self.waiting, Waiting(frame, reason, message)
        if not known or known.reason != reason or known.message != message:
            self.publish(self.waiting)

    def rest(self) -> None:
        """Say what is waited for while the table is at rest."""
        reason, message = self.game.wants(self.state, self.session.header.players)
        if reason:
            self.wait(None, reason, message)
        else:
            self.waiting = None

    def result(self) -> Result:
        """Return how the game stands now.

        While it is open what happened last, that is left out unless it makes no difference to the
        scores.
        """
        state = self.state
        if self.doubt.is_sure:
            states = [proposal.after.state for proposal in self.doubt.proposals]
            if len({(self.game.last_round(each), self.game.scores(each)) for each in states}) == 1:
                state = states[0]
        return result_of(self.game, state, self.session.history)
