"""What UNO Tiki says about why: of an action, of a round's end, of a clause."""

from collections.abc import Sequence

from companion.games.uno_tiki.help import CLAUSES
from companion.games.uno_tiki.reasons import reason_of
from companion.games.uno_tiki.round_ends import round_end_of
from companion.referee.game import Reason, RoundEnd
from companion.rules.base import RulesError
from companion.rules.uno_tiki import Action, State, apply


class Explained:
    """The part of a `Game` that explains UNO Tiki."""

    def reason(self, before: State, action: Action, players: Sequence[str]) -> Reason | None:
        """Return why *action* counted as it did."""
        after = _after(before, action)
        return reason_of(before, action, after, players) if after else None

    def round_end(self, before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
        """Return how the round ended that *action* has ended."""
        after = _after(before, action)
        return round_end_of(before, action, after, players) if after else None

    def clause_words(self, clause: str) -> str:
        """Return what the rules say under *clause*."""
        return CLAUSES.get(clause, "")


def _after(before: State, action: Action) -> State | None:
    """Return the state after *action*; None if later play has shown that it was another."""
    try:
        return apply(before, action)
    except RulesError:
        return None
