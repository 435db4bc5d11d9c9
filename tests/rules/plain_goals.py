"""Tippi Toppi's goals once more, straight from the words of TP-7 to TP-9 and without any table."""

from collections.abc import Sequence
from itertools import pairwise

Card = tuple[str, int]


def is_met(goal: str, cards: Sequence[Card]) -> bool:
    """Tell whether four *cards*, each a colour and a number, from the left, meet *goal*."""
    kind, *rest = goal.split()
    return bool(globals()[f"_{kind}"](cards, *rest))


def _sum_of(cards: Sequence[Card], colour: str) -> int:
    """Return the sum of a colour; none of that colour is no sum at all (TP-8)."""
    return sum(number for each, number in cards if each == colour) or -1000


def _sum(cards: Sequence[Card], what: str, total: str) -> bool:
    if what == "all":
        return sum(number for _, number in cards) == int(total)
    return _sum_of(cards, what) == int(total)


def _equal(cards: Sequence[Card], one: str, other: str) -> bool:
    return _sum_of(cards, one) == _sum_of(cards, other) > 0


def _double(cards: Sequence[Card], one: str, other: str) -> bool:
    return _sum_of(cards, one) == 2 * _sum_of(cards, other) > 0


def _count(cards: Sequence[Card], what: str, times: str) -> bool:
    return sum(what in (colour, str(number)) for colour, number in cards) == int(times)


def _piles(cards: Sequence[Card], colour: str) -> list[int]:
    return [pile for pile, card in enumerate(cards) if card[0] == colour]


def _adjacent(cards: Sequence[Card], colour: str) -> bool:
    piles = _piles(cards, colour)
    return len(piles) == 2 and piles[1] - piles[0] == 1


def _apart(cards: Sequence[Card], colour: str) -> bool:
    piles = _piles(cards, colour)
    return len(piles) == 2 and piles[1] - piles[0] > 1


def _alternate(cards: Sequence[Card], colour: str) -> bool:
    return _piles(cards, colour) in ([0, 2], [1, 3])


def _only(cards: Sequence[Card], one: str, other: str) -> bool:
    return all(colour in (one, other) for colour, _ in cards)


def _parts(cards: Sequence[Card], what: str) -> list[list[object]]:
    colours: list[object] = [colour for colour, _ in cards]
    numbers: list[object] = [number for _, number in cards]
    return [
        part
        for part, word in ((colours, "colour"), (numbers, "number"))
        if what in (word, f"{word}s", "both")
    ]


def _different(cards: Sequence[Card], what: str) -> bool:
    return all(len(set(part)) == 4 for part in _parts(cards, what))


def _same(cards: Sequence[Card], what: str) -> bool:
    return all(len(set(part)) == 1 for part in _parts(cards, what))


def _pairs(cards: Sequence[Card], what: str) -> bool:
    return all(all(part.count(each) == 2 for each in part) for part in _parts(cards, what))


def _run(cards: Sequence[Card], length: str, order: str = "ascending") -> bool:
    size, numbers = int(length), [number for _, number in cards]
    if order == "any":
        return any(set(range(low, low + size)) <= set(numbers) for low in range(1, 9 - size))
    parts = [numbers[start : start + size] for start in range(5 - size)]
    if order == "either":
        parts += [part[::-1] for part in parts]
    return any(all(b == a + 1 for a, b in pairwise(part)) for part in parts)


def _below(cards: Sequence[Card], limit: str) -> bool:
    return all(number < int(limit) for _, number in cards)


def _above(cards: Sequence[Card], limit: str) -> bool:
    return all(number > int(limit) for _, number in cards)


def _parity(cards: Sequence[Card], which: str) -> bool:
    odd = [number % 2 for _, number in cards]
    wanted = {
        "even": [[0, 0, 0, 0]],
        "odd": [[1, 1, 1, 1]],
        "alternating": [[0, 1, 0, 1], [1, 0, 1, 0]],
    }
    return odd in wanted[which]


def _other(cards: Sequence[Card]) -> bool:
    del cards
    return False
