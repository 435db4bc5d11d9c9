"""Bookkeeping: what follows from the log's entries and is not in it yet."""

from typing import TypeVar

from companion.referee.game import Game
from companion.referee.notices import Result
from companion.session.events import MoveResolved, RoundScored
from companion.session.history import History
from companion.session.session import Session

S = TypeVar("S")
A = TypeVar("A")


def follow_up(session: Session[S, A], game: Game[S, A]) -> None:
    """Log settled forms of moves and the newest round's score, if that has not been done.

    Also when a session is taken up again: the process may have ended right in between.
    """
    with session.together():
        _resolve(session)
        _score(session, game)


def _resolve(session: Session[S, A]) -> None:
    history = session.history
    open_acts = [act for act in history.acts if len(act.forms) > 1]
    if not open_acts:
        return
    logged = {entry.event for entry in session.entries}
    for act in open_acts:
        forms = history.forms(act.seq)
        if len(forms) == 1:
            resolved = MoveResolved(act.seq, *forms)
            if resolved not in logged:
                session.append(resolved)


def _score(session: Session[S, A], game: Game[S, A]) -> None:
    history = session.history
    last = game.last_round(history.state)
    if last is None:
        return
    end = len(history.acts)
    while end and game.last_round(history.positions[end - 1][0].state) == last:
        end -= 1
    ended_at = history.acts[end - 1].seq
    known = [
        entry.event
        for entry in session.entries[ended_at:]
        if isinstance(entry.event, RoundScored) and entry.event.round == last.round
    ]
    # An end that was replaced and has come back was scored otherwise in between.
    if known[-1:] != [last]:
        session.append(last)


def result_of(game: Game[S, A], state: S, history: History[S, A]) -> Result:
    """Return how *game* stands in *state*, after all the moves of *history*."""
    outcome, last = game.rules.outcome(state), game.last_round(state)
    return Result(
        game=game.name,
        scores=outcome.scores if outcome else game.scores(state),
        winners=outcome.winners if outcome else None,
        ended_by=outcome.ended_by if outcome else None,
        round_ended_by=last.round_ended_by if last else None,
        moves=sum(act.seat is not None for act in history.acts),
    )
