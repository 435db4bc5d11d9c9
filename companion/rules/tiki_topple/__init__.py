"""Tiki Topple: the whole game, with secret cards known or unknown.

The clauses TT-1 to TT-14 are in docs/rules/tiki_topple.md, with their source in the rulebook.
"""

from companion.rules.tiki_topple.forms import (
    action_from_json,
    action_to_json,
    format_action,
    initial,
    is_tiki,
    options_to_json,
    parse_action,
    parse_options,
    parse_secret_card,
    seen_by,
    state_to_json,
    view,
)
from companion.rules.tiki_topple.pieces import (
    CARDS,
    POINTS,
    TIKIS,
    TIKIS_AT_END,
    Card,
    Line,
    SecretCard,
    Tiki,
    is_grouped,
    is_usual,
    kinds,
    spend,
)
from companion.rules.tiki_topple.play import (
    apply,
    legal_actions,
    move,
    outcome,
    points_of,
    resumed,
    turn,
    warnings,
)
from companion.rules.tiki_topple.state import Action, Dealt, Lined, Options, Played, Round, State
from companion.rules.tiki_topple.words import CARD_WORDS, SHORT_CARD_WORDS, tiki_name

NAME = "tiki_topple"

__all__ = [
    "CARDS",
    "CARD_WORDS",
    "NAME",
    "POINTS",
    "SHORT_CARD_WORDS",
    "TIKIS",
    "TIKIS_AT_END",
    "Action",
    "Card",
    "Dealt",
    "Line",
    "Lined",
    "Options",
    "Played",
    "Round",
    "SecretCard",
    "State",
    "Tiki",
    "action_from_json",
    "action_to_json",
    "apply",
    "format_action",
    "initial",
    "is_grouped",
    "is_tiki",
    "is_usual",
    "kinds",
    "legal_actions",
    "move",
    "options_to_json",
    "outcome",
    "parse_action",
    "parse_options",
    "parse_secret_card",
    "points_of",
    "resumed",
    "seen_by",
    "spend",
    "state_to_json",
    "tiki_name",
    "turn",
    "view",
    "warnings",
]
