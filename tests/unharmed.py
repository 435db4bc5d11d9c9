"""A session that refuses what does not belong there: in one line, and unharmed."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from companion.referee.live_session import LiveSession
from companion.rules.base import RulesError
from tests.enterable import enterable
from tests.referee.entering import tell


def assert_one_line(words: str) -> None:
    """Fail unless *words* are one line for people."""
    assert words.strip()
    assert len(words.splitlines()) == 1
    assert "Traceback" not in words
    assert "Error" not in words


@contextmanager
def nothing_changes(live_session: LiveSession) -> Iterator[None]:
    """Fail if the log, the game or the standing question is another one afterwards."""
    session = live_session.session
    before = (session.number, list(session.entries), session.state, live_session.referee.question)
    kept = session.log.entries(session.number)
    yield
    session = live_session.session
    assert before == (
        session.number,
        session.entries,
        session.state,
        live_session.referee.question,
    )
    assert session.log.entries(session.number) == kept


def play_on(live_session: LiveSession, rng: random.Random) -> bool:
    """Let something happen that may; False if the game is over.

    What is offered is offered for everybody to read: the rules may know better (TA-14).
    """
    offers = enterable(live_session)
    for action in rng.sample(offers, len(offers)):
        try:
            tell(live_session, action)
        except RulesError:
            continue
        return True
    return False
