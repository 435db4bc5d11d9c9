"""What is in the box of each game, and what a state accounts for."""

from collections import Counter
from typing import Any

from companion.rules.protocol import Spoken

Contents = Counter[str]


def contents(rules: Spoken[Any, Any], state: Any) -> Contents:
    """Return what *state* holds, wherever it lies."""
    return _COUNT[rules.NAME](rules.state_to_json(state))


def expected(rules: Spoken[Any, Any], state: Any) -> Contents:
    """Return what is in the box, as far as *state* is in play."""
    return _BOX[rules.NAME](rules.state_to_json(state))


def _tikis(seen: dict[str, Any]) -> Contents:
    return Counter(seen["line"]) + Counter(seen["toasted"])


def _nine_tikis(seen: dict[str, Any]) -> Contents:
    names = ["hookipa", "lokahi", "nani", "wikiwiki", "akamai", "huhu", "kapu", "eepo", "nui"]
    return Counter(names if seen["line"] else ())


_COUNT = {"tiki_topple": _tikis}
_BOX = {"tiki_topple": _nine_tikis}
