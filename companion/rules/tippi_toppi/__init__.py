"""Tippi Toppi: the whole game, with hands known or unknown.

The clauses TP-1 to TP-18 are in docs/rules/tippi_toppi.md, with their source in the rulebook; one
person plays by the same rules (TP-17).
"""

from companion.rules.tippi_toppi.cards import (
    COLOURS,
    DIFFICULTIES,
    HIDDEN,
    NAMES,
    TALK,
    Action,
    Drew,
    HandDeclared,
    Laid,
    Met,
    Played,
    Revealed,
    Stuck,
    TimeUp,
    card_words,
)
from companion.rules.tippi_toppi.forms import (
    action_from_json,
    action_to_json,
    format_action,
    initial,
    parse_action,
    parse_options,
    seen_by,
    state_to_json,
    view,
)
from companion.rules.tippi_toppi.goals import Goal, all_goals, is_met, parse_goal
from companion.rules.tippi_toppi.hands import hidden, unseen
from companion.rules.tippi_toppi.legal import legal_actions
from companion.rules.tippi_toppi.play import apply, outcome, resumed, surplus_goals, turn, warnings
from companion.rules.tippi_toppi.state import Options, State

NAME = "tippi_toppi"

__all__ = [
    "COLOURS",
    "DIFFICULTIES",
    "HIDDEN",
    "NAME",
    "NAMES",
    "TALK",
    "Action",
    "Drew",
    "Goal",
    "HandDeclared",
    "Laid",
    "Met",
    "Options",
    "Played",
    "Revealed",
    "State",
    "Stuck",
    "TimeUp",
    "action_from_json",
    "action_to_json",
    "all_goals",
    "apply",
    "card_words",
    "format_action",
    "hidden",
    "initial",
    "is_met",
    "legal_actions",
    "outcome",
    "parse_action",
    "parse_goal",
    "parse_options",
    "resumed",
    "seen_by",
    "state_to_json",
    "surplus_goals",
    "turn",
    "unseen",
    "view",
    "warnings",
]
