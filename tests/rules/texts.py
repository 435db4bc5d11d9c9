"""A game's rules, asked in the texts of actions."""

from typing import Any, Generic, TypeVar

import pytest

from companion.rules.base import IllegalAction
from companion.rules.protocol import Spoken

S = TypeVar("S")


class Texts(Generic[S]):
    """What may be asked of one game's rules."""

    def __init__(self, rules: Spoken[S, Any]) -> None:
        """Ask *rules*."""
        self._rules = rules

    def after(self, state: S, *texts: str) -> S:
        """Return *state* after the actions *texts*."""
        for text in texts:
            state = self._rules.apply(state, self._rules.parse_action(text))
        return state

    def refused(self, state: S, text: str) -> str:
        """Return the clause that forbids *text*, which is not listed either."""
        action = self._rules.parse_action(text)
        assert action not in self._rules.legal_actions(state)
        with pytest.raises(IllegalAction) as refusal:
            self._rules.apply(state, action)
        assert "\n" not in str(refusal.value)
        return refusal.value.clause

    def listed(self, state: S) -> set[str]:
        """Return the texts of all legal actions."""
        return set(map(self._rules.format_action, self._rules.legal_actions(state)))
