"""What UNO Tiki says about why: of an action, of a round's end."""

from collections.abc import Sequence

from companion.games.uno_tiki.reasons import reason_of
from companion.games.uno_tiki.round_ends import round_end_of
from companion.referee.game import Reason, RoundEnd
from companion.rules.base import RulesError
from companion.rules.uno_tiki import Action, State, apply


def reason(before: State, action: Action, players: Sequence[str]) -> Reason | None:
    """Return why *action* after *before* counted as it did."""
    after = _after(before, action)
    return reason_of(before, action, after, players) if after else None


def round_end(before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
    """Return how the round ended that *action* has ended."""
    after = _after(before, action)
    return round_end_of(before, action, after, players) if after else None


def _after(before: State, action: Action) -> State | None:
    """Return the state after *action*; None if later play has shown that it was another."""
    try:
        return apply(before, action)
    except RulesError:
        return None
