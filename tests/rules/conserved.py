"""What is in the box of each game, and what a state accounts for."""

from collections import Counter
from typing import Any

from companion.rules import tippi_toppi
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


def _cards(seen: dict[str, Any]) -> Contents:
    laid = Counter(card for pile in seen["piles"] for card in pile)
    if _is_partly_hidden(seen):
        told = Counter(card for hand in seen["hands"] for card in hand or () if card)
        assert max((laid + told).values(), default=0) <= 2
        # Nobody sees whose cards are played in High Speed; they are what is left.
        sizes = [size for size in seen["hand_sizes"] if size is not None]
        fast = None in seen["hand_sizes"]
        total = sum(laid.values()) + seen["cards_left"] + sum(sizes)
        piles = 4 - sum(1 for pile in seen["piles"] if pile)
        return Counter(cards=56 if fast else total + piles)
    held = [card for hand in seen["hands"] for card in hand]
    return laid + Counter(held) + Counter(seen["deck"])


def _two_of_each_card(seen: dict[str, Any]) -> Contents:
    if _is_partly_hidden(seen):
        return Counter(cards=56)
    return Counter(dict.fromkeys(tippi_toppi.NAMES, 2))


def _uno_cards(seen: dict[str, Any]) -> Contents:
    laid = Counter(seen["discard"]) + Counter(seen["idol"])
    if _is_partly_hidden(seen):
        deck = Counter(seen["options"]["deck"])
        held = [card for hand in seen["hands"] for card in hand or () if card]
        assert laid + Counter(held) <= deck
        return Counter(cards=sum(laid.values()) + sum(seen["hand_sizes"]) + seen["deck_size"])
    held = [card for hand in seen["hands"] for card in hand]
    return laid + Counter(held) + Counter(seen["deck"])


def _is_partly_hidden(seen: dict[str, Any]) -> bool:
    return seen["deck"] is None or any(hand is None or None in hand for hand in seen["hands"])


def _census(seen: dict[str, Any]) -> Contents:
    deck = Counter(seen["options"]["deck"])
    if _is_partly_hidden(seen):
        return Counter(cards=deck.total())
    return +deck


def _points(seen: dict[str, Any]) -> Contents:
    found = Contents()
    for points in seen["rounds"]:
        found.update({str(seat): each for seat, each in enumerate(points)})
    return found


def _totals(seen: dict[str, Any]) -> Contents:
    return Contents({str(seat): score for seat, score in enumerate(seen["scores"])})


_COUNT = {
    "tiki_topple": _tikis,
    "tactiki": _pieces,
    "topple": _discs,
    "tippi_toppi": _cards,
    "uno_tiki": _uno_cards,
    "score_sheet": _points,
}
_BOX = {
    "tiki_topple": _nine_tikis,
    "tactiki": _two_of_each_rank,
    "topple": _twelve_of_each_colour,
    "tippi_toppi": _two_of_each_card,
    "uno_tiki": _census,
    "score_sheet": _totals,
}
