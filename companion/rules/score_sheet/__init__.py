"""A score sheet for people who want no more: points by round, for any game.

The clauses SS-1 to SS-5 are in docs/rules/score_sheet.md.
"""

from companion.rules.score_sheet.forms import (
    SEATS,
    action_from_json,
    action_to_json,
    format_action,
    initial,
    parse_action,
    seen_by,
    state_to_json,
    view,
)
from companion.rules.score_sheet.play import (
    LEAST,
    MOST,
    Action,
    Ended,
    Filled,
    Options,
    State,
    Wrote,
    apply,
    leaders,
    legal_actions,
    outcome,
    totals,
    turn,
)

NAME = "score_sheet"

__all__ = [
    "LEAST",
    "MOST",
    "NAME",
    "SEATS",
    "Action",
    "Ended",
    "Filled",
    "Options",
    "State",
    "Wrote",
    "action_from_json",
    "action_to_json",
    "apply",
    "format_action",
    "initial",
    "leaders",
    "legal_actions",
    "outcome",
    "parse_action",
    "seen_by",
    "state_to_json",
    "totals",
    "turn",
    "view",
]
