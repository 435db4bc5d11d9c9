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


def _pieces(seen: dict[str, Any]) -> Contents:
    standing = [piece for row in seen["cells"] for column in row for piece in column]
    found = Counter(f"{piece['side']} {piece['rank']}" for piece in standing)
    for side, ranks in seen["defeated"].items():
        found.update(f"{side} {rank}" for rank in ranks)
    return found


def _two_of_each_rank(seen: dict[str, Any]) -> Contents:
    # A side's ranks are known or not as a whole; unknown ones are None.
    known = {side for side in ("tiki", "tac") if f"{side} None" not in _pieces(seen)}
    return Counter(
        f"{side} {rank if side in known else None}"
        for side in ("tiki", "tac")
        for rank in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    )


def _discs(seen: dict[str, Any]) -> Contents:
    standing = Counter(disc for row in seen["cells"] for column in row for disc in column)
    return standing + Counter(seen["stock"])


def _twelve_of_each_colour(seen: dict[str, Any]) -> Contents:
    colours = seen["options"]["colours"]
    both = seen["options"]["two_colours"]
    played = [
        colours[seat + extra] for seat in seen["players"] for extra in ((0, 2) if both else (0,))
    ]
    return Counter(dict.fromkeys(played, 12))


_COUNT = {"tiki_topple": _tikis, "tactiki": _pieces, "topple": _discs}
_BOX = {"tiki_topple": _nine_tikis, "tactiki": _two_of_each_rank, "topple": _twelve_of_each_colour}
