"""UNO Tiki: the whole game, with hands known or unknown.

The clauses UT-1 to UT-21 are in docs/rules/uno_tiki.md, with their source in the rulebook.
"""

from companion.rules.uno_tiki.cards import (
    COLOURS,
    HIDDEN,
    KINDS,
    POINTS,
    Action,
    Called,
    Caught,
    Chosen,
    Counted,
    Cut,
    Discarded,
    Drew,
    HandDeclared,
    Kept,
    Named,
    Passed,
    Played,
    Spun,
    Took,
    TurnedUp,
    usual_census,
)
from companion.rules.uno_tiki.forms import (
    action_from_json,
    action_to_json,
    format_action,
    parse_action,
    seen_by,
    state_to_json,
    view,
)
from companion.rules.uno_tiki.hands import unseen
from companion.rules.uno_tiki.legal import legal_actions, turn
from companion.rules.uno_tiki.play import apply, outcome, resumed, warnings
from companion.rules.uno_tiki.setup import initial, parse_options
from companion.rules.uno_tiki.state import Match, Options, Pending, Round, State

NAME = "uno_tiki"

__all__ = [
    "COLOURS",
    "HIDDEN",
    "KINDS",
    "NAME",
    "POINTS",
    "Action",
    "Called",
    "Caught",
    "Chosen",
    "Counted",
    "Cut",
    "Discarded",
    "Drew",
    "HandDeclared",
    "Kept",
    "Match",
    "Named",
    "Options",
    "Passed",
    "Pending",
    "Played",
    "Round",
    "Spun",
    "State",
    "Took",
    "TurnedUp",
    "action_from_json",
    "action_to_json",
    "apply",
    "format_action",
    "initial",
    "legal_actions",
    "outcome",
    "parse_action",
    "parse_options",
    "resumed",
    "seen_by",
    "state_to_json",
    "turn",
    "unseen",
    "usual_census",
    "view",
    "warnings",
]
