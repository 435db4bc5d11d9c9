"""What an entered action may have been, by the rules."""

from collections.abc import Sequence
from typing import TypeVar

from companion.language.message import say
from companion.referee.game import Game
from companion.rules.base import InvalidAction, RulesError

S = TypeVar("S")
A = TypeVar("A")


def legal_forms(game: Game[S, A], states: Sequence[S], action: str) -> tuple[tuple[A, ...], S]:
    """Return all that *action* may have been, no secret among it, and the state it fits.

    states: those in which it may have happened; there is at least one.
    Raises RulesError if it fits none.
    """
    refused: RulesError | None = None
    parsed = game.rules.parse_action(action)
    for state in states:
        if game.is_secret(state, parsed):
            raise InvalidAction(
                say(
                    "that is secret; enter it on that player’s own phone, where nobody else sees it"
                )
            )
        legal = []
        for form in game.forms(state, parsed):
            try:
                game.rules.apply(state, form)
            except RulesError as error:
                refused = refused or error
            else:
                legal.append(form)
        if legal:
            return tuple(legal), state
    assert refused is not None
    raise refused
