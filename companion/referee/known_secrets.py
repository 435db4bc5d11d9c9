"""Whether the companion has ever known what only one seat may know."""

from typing import TypeVar

from companion.referee.game import Secrets
from companion.session.history import History

S = TypeVar("S")
A = TypeVar("A")


def has_known_secrets(game: Secrets[S, A], history: History[S, A]) -> bool:
    """Return whether a secret that the companion knew has decided what was legal at any time.

    Whether it still does may be a secret itself: the last known card of a hand may have been
    played. That there was one, everyone may know.
    """
    return any(game.plays_by_secrets(branches[0].state) for branches in history.positions)
