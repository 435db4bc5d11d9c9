"""The scribe: the referee of a game that nobody watches, but that people and sensors tell."""

from collections.abc import Callable
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from companion.referee.moments import Moment
from companion.referee.notices import Ask, Illegal, Notice, Result, Waiting
from companion.referee.told import ButtonWord, Reaction, Table, ToldGame, TowerWord
from companion.rules.base import InvalidAction
from companion.session.events import ChanceObserved, Event, MoveAccepted, MoveUndone, SpinObserved
from companion.session.history import Act, ReplayError
from companion.session.session import Session

S = TypeVar("S")
A = TypeVar("A")

Teller: TypeAlias = Literal["hand", "sensor"]
UNDO: Final = "undo"


class Scribe(Generic[S, A]):
    """Takes down what it is told, as far as the rules allow it.

    publish: told every notice once.  show: told every moment, None when the last one is over.
    """

    def __init__(
        self,
        session: Session[S, A],
        table: ToldGame[S, A],
        publish: Callable[[Notice], None] = lambda _: None,
        show: Callable[[Moment | None], None] = lambda _: None,
    ) -> None:
        self.session = session
        self.table = table
        self.question: Illegal | Ask | None = None
        self.waiting: Waiting | None = None
        self._publish = publish
        self._show = show
        self._add_what_follows()
        self._rest()

    def tell(self, action: str, by: Teller = "hand") -> None:
        """Take what happened; raises InvalidAction, IllegalAction or LogError, and nothing changed.

        by: who told it.
        """
        self._take(action, by, None)

    def offers(self) -> tuple[str, ...]:
        """Return the texts of all that people may tell now."""
        return tuple(map(self.session.rules.format_action, self.table.offers(self.session.state)))

    def alternatives(self) -> tuple[str, ...]:
        """Return the texts of all that may have happened in place of what happened last."""
        history = self.session.history
        if not history.acts:
            return ()
        before = self.table.offers(history.positions[-2][0].state)
        return tuple(map(self.session.rules.format_action, before))

    def may_tell(self, seat: int, action: str) -> bool:
        """Tell whether *action* is *seat*'s business now; raises InvalidAction."""
        parsed = self.session.rules.parse_action(action)
        return self.table.teller(self.session.state, parsed) in (None, seat)

    def choose(self, index: int, by: Teller = "hand") -> bool:
        """Take candidate *index* of the standing question; False if there is none such."""
        candidates = self.question.candidates if self.question else ()
        if not 0 <= index < len(candidates):
            return False
        actions = candidates[index].actions
        self.question = None
        if actions[:1] == (UNDO,):
            self.replace(actions[1], by)
        else:
            for action in actions:
                self.tell(action, by)
        return True

    def undo(self) -> None:
        """Take back what happened last, whoever did it; raises ReplayError if nothing has."""
        last = self.newest()
        if last is None:
            raise ReplayError("there is nothing to take back")
        self._accept(MoveUndone(last.seq, last.forms[0]))
        self._settle(None)

    def replace(self, action: str, by: Teller = "hand") -> None:
        """Put *action* in place of what happened last.

        Raises ReplayError if nothing has, or what `tell` raises; nothing has changed then.
        """
        history = self.session.history
        if not history.acts:
            raise ReplayError("there is nothing to take back")
        self._checked(history.positions[-2][0].state, action)
        last = history.acts[-1]
        self._accept(MoveUndone(last.seq, last.forms[0]))
        self.tell(action, by)

    def correct(self, seq: int, action: str) -> None:
        """Put *action* in place of entry *seq*; raises ReplayError if the rest does not follow."""
        self.session.correct(seq, action)
        self._add_what_follows()
        self._settle(None)

    def newest(self) -> Act | None:
        """Return what happened last and still counts."""
        acts = self.session.history.acts
        return acts[-1] if acts else None

    def hear_tower(self, move: TowerWord, knocked: bool) -> bool:
        """Take what the tower's tilt says; False if this game has no tower."""
        return self._react(
            self.table.on_tower(self.session.state, move, knocked, self._table_now())
        )

    def hear_spin(self, spin: SpinObserved, reason: str) -> bool:
        """Log a spin and take what it means; False if this game has no idol.

        reason: why it names no seat, in words.
        """
        reaction = self.table.on_spin(self.session.state, spin, reason, self._table_now())
        if reaction is not None:
            self.session.append(spin)
        return self._react(reaction)

    def hear_button(self, button: ButtonWord, seat: int) -> None:
        """Take what it means that *seat* pressed its *button*."""
        asked = self.question.candidates if self.question else ()
        for place, candidate in enumerate(asked):
            if button == "me" and candidate.actions == (f"knock {seat}",):
                self.choose(place, "sensor")
                return
        self._react(self.table.on_button(self.session.state, button, seat, self._table_now()))

    def result(self) -> Result:
        """Return how the game stands now, with the rounds that were finished."""
        state = self.session.state
        outcome = self.session.rules.outcome(state)
        last = self.table.last_round(state)
        return Result(
            game=self.table.name,
            scores=last.scores if last else (0,) * len(self.session.header.players),
            winners=outcome.winners if outcome else None,
            ended_by=outcome.ended_by if outcome else None,
            round_ended_by=last.round_ended_by if last else None,
            moves=sum(act.seat is not None for act in self.session.history.acts),
        )

    def _table_now(self) -> Table:
        last = self.newest()
        return Table(self.session.header.players, last.forms[0] if last else "")

    def _react(self, reaction: Reaction | None) -> bool:
        if reaction is None:
            return False
        if reaction.action and reaction.instead:
            self.replace(reaction.action, "sensor")
        elif reaction.action:
            self._take(reaction.action, "sensor", reaction.moment)
        elif reaction.moment:
            self._show(reaction.moment)
        if reaction.ask and reaction.ask != self.question:
            self.question = reaction.ask
            self._publish(reaction.ask)
        return True

    def _take(self, action: str, by: Teller, moment: Moment | None) -> None:
        state = self.session.state
        parsed = self._checked(state, action)
        text = self.session.rules.format_action(parsed)
        seat = self.table.actor(state, parsed)
        self._accept(
            ChanceObserved(text, by=by) if seat is None else MoveAccepted(seat, text, by=by)
        )
        self._settle(moment or self.table.moment(state, parsed, self.session.header.players))

    def _checked(self, state: S, action: str) -> A:
        """Return *action*, which may happen in *state* and gives no hand away."""
        parsed = self.session.rules.parse_action(action)
        if self.table.is_secret(parsed):
            raise InvalidAction("what a hand holds is its player's business, and is not told here")
        self.session.rules.apply(state, parsed)
        return parsed

    def _accept(self, event: Event) -> None:
        self.session.append(event)
        self._add_what_follows()

    def _add_what_follows(self) -> None:
        """Log the newest round's score unless that was done right after the round had ended.

        Also when a session is taken up again: the process may have ended right in between.
        """
        history = self.session.history
        last = self.table.last_round(history.state)
        if last is None:
            return
        end = len(history.acts)
        while self.table.last_round(history.positions[end - 1][0].state) == last:
            end -= 1
        ended_at = history.acts[end - 1].seq
        if not any(entry.event == last for entry in self.session.entries[ended_at:]):
            self.session.append(last)

    def _settle(self, moment: Moment | None) -> None:
        """Show *moment*, forget what was asked, and say what is waited for next."""
        self.question = None
        self._show(moment)
        self._rest()
        if self.session.rules.outcome(self.session.state):
            self._publish(self.result())

    def _rest(self) -> None:
        reason, message = self.table.wants(self.session.state, self.session.header.players)
        known, self.waiting = self.waiting, Waiting(None, reason, message) if reason else None
        if self.waiting and self.waiting != known:
            self._publish(self.waiting)
