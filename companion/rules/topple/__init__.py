"""Topple: the whole game; nothing in it is secret.

The clauses TO-1 to TO-14 are in docs/rules/topple.md, with their source in the rulebook.
"""

from companion.rules.topple.board import (
    ANY,
    COLOURS,
    LEVEL,
    PIECES,
    ROLLS,
    UNSEEN,
    Action,
    Column,
    Knocked,
    Passed,
    Placed,
    Rolled,
    Toppled,
    colour_words,
)
from companion.rules.topple.forms import (
    action_from_json,
    action_to_json,
    format_action,
    initial,
    parse_action,
    seen_by,
    state_to_json,
    view,
)
from companion.rules.topple.play import (
    apply,
    legal_actions,
    outcome,
    resumed,
    totals,
    turn,
    with_piece,
    worth,
)
from companion.rules.topple.scoring import Part, line_name, parts
from companion.rules.topple.state import Options, Round, State

NAME = "topple"

__all__ = [
    "ANY",
    "COLOURS",
    "LEVEL",
    "NAME",
    "PIECES",
    "ROLLS",
    "UNSEEN",
    "Action",
    "Column",
    "Knocked",
    "Options",
    "Part",
    "Passed",
    "Placed",
    "Rolled",
    "Round",
    "State",
    "Toppled",
    "action_from_json",
    "action_to_json",
    "apply",
    "colour_words",
    "format_action",
    "initial",
    "legal_actions",
    "line_name",
    "outcome",
    "parse_action",
    "parts",
    "resumed",
    "seen_by",
    "state_to_json",
    "totals",
    "turn",
    "view",
    "with_piece",
    "worth",
]
