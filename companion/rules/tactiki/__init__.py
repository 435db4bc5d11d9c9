"""TacTiki: the whole game, with ranks known or unknown.

The clauses TA-1 to TA-14 are in docs/rules/tactiki.md, with their source in the rulebook.
"""

from companion.rules.tactiki.forms import (
    action_from_json,
    action_to_json,
    format_action,
    initial,
    parse_action,
    seen_by,
    state_to_json,
    view,
)
from companion.rules.tactiki.lookahead import Lookahead, lookahead_of
from companion.rules.tactiki.pieces import (
    HOME,
    RANKS,
    SIDES,
    TRIBES,
    Action,
    Arranged,
    Claimed,
    Clashed,
    Column,
    Moved,
    Reincarnated,
    compare,
    field_name,
)
from companion.rules.tactiki.play import apply, legal_actions, outcome, turn
from companion.rules.tactiki.ranks import contradiction, is_possible, possible_ranks
from companion.rules.tactiki.resumption import resumed
from companion.rules.tactiki.state import Clash, Fact, Options, Return, State

NAME = "tactiki"

__all__ = [
    "HOME",
    "NAME",
    "RANKS",
    "SIDES",
    "TRIBES",
    "Action",
    "Arranged",
    "Claimed",
    "Clash",
    "Clashed",
    "Column",
    "Fact",
    "Lookahead",
    "Moved",
    "Options",
    "Reincarnated",
    "Return",
    "State",
    "action_from_json",
    "action_to_json",
    "apply",
    "compare",
    "contradiction",
    "field_name",
    "format_action",
    "initial",
    "is_possible",
    "legal_actions",
    "lookahead_of",
    "outcome",
    "parse_action",
    "possible_ranks",
    "resumed",
    "seen_by",
    "state_to_json",
    "turn",
    "view",
]
