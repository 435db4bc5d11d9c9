"""The grammar of Tippi Toppi's goals: what a goal card may ask of the four piles (TP-7 to TP-9).

Every goal is a sum over the four top cards that must fall into a set: weights that depend on the
pile spell out a pattern of colours or numbers, weights that do not add numbers up. The sums of two
piles are worked out beforehand, so any goal is tested by three lookups.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, product
from typing import Final, TypeAlias

from companion.rules.base import InvalidAction
from companion.rules.tippi_toppi.cards import COLOURS, KINDS, PILES, VALUES

Tops: TypeAlias = tuple[int, ...]
Pattern: TypeAlias = tuple[int, ...]
Weights: TypeAlias = tuple[int, ...]

RUN_ORDERS: Final = ("ascending", "either", "any")
ALTERNATIONS: Final = ("exact", "any")
OTHER: Final = "other"
_FOUR: Final = range(PILES)
_SEVEN: Final = len(VALUES)
_KINDS: Final = len(KINDS)
_WIDE: Final = 64  # more than any sum of four cards


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal card: its text, and the sum that tests it.

    left, right: what the first two and the last two piles add to the sum, by `pair` of top cards.
    """

    text: str
    left: Weights = field(compare=False, repr=False)
    right: Weights = field(compare=False, repr=False)
    good: frozenset[int] = field(repr=False)


def is_met(goal: Goal, tops: Tops) -> bool:
    """Tell whether the four top cards meet *goal*."""
    return bool(met_of((goal,), tops))


def met_of(goals: tuple[Goal, ...], tops: Tops) -> list[Goal]:
    """Return those of *goals* that the four top cards meet."""
    first, second, third, fourth = tops
    left, right = first * _KINDS + second, third * _KINDS + fourth
    return [goal for goal in goals if goal.left[left] + goal.right[right] in goal.good]


def has_other(goals: tuple[Goal, ...]) -> bool:
    """Tell whether one of the open *goals* is checked by the players; such stand last (TP-7)."""
    return bool(goals) and goals[-1].text == OTHER


def _goal(text: str, weights: tuple[Weights, ...], good: Iterable[int]) -> Goal:
    first, second, third, fourth = weights
    left = tuple(a + b for a in first for b in second)
    right = tuple(c + d for c in third for d in fourth)
    return Goal(text, left, right, frozenset(good))


def _cards(weight: Callable[[int, int], int]) -> Weights:
    return tuple(weight(colour, value) for colour in range(len(COLOURS)) for value in VALUES)


def _sums(text: str, weight: Callable[[int, int], int], good: set[int]) -> Goal:
    return _goal(text, (_cards(weight),) * PILES, good)


def _colours(text: str, wanted: Callable[[Pattern], bool]) -> Goal:
    weights = tuple(_cards(lambda colour, _, pile=pile: colour * 4**pile) for pile in _FOUR)  # type: ignore[misc]
    good = [
        sum(colour * 4**pile for pile, colour in enumerate(pattern))
        for pattern in product(range(4), repeat=PILES)
        if wanted(pattern)
    ]
    return _goal(text, weights, good)


def _numbers(text: str, wanted: Callable[[Pattern], bool]) -> Goal:
    weights = tuple(_cards(lambda _, value, pile=pile: value * 8**pile) for pile in _FOUR)  # type: ignore[misc]
    good = [
        sum(value * 8**pile for pile, value in enumerate(pattern))
        for pattern in product(VALUES, repeat=PILES)
        if wanted(pattern)
    ]
    return _goal(text, weights, good)


def _both_different(text: str) -> Goal:
    colours, numbers = _colours("", _differ), _numbers("", _differ)
    left = tuple(c + 256 * n for c, n in zip(colours.left, numbers.left, strict=True))
    right = tuple(c + 256 * n for c, n in zip(colours.right, numbers.right, strict=True))
    good = frozenset(c + 256 * n for c in colours.good for n in numbers.good)
    return Goal(text, left, right, good)


def _differ(pattern: Pattern) -> bool:
    return len(set(pattern)) == len(pattern)


def _agree(pattern: Pattern) -> bool:
    return len(set(pattern)) == 1


def _make_pairs(pattern: Pattern) -> bool:
    return sorted(map(pattern.count, set(pattern))) == [2, 2]


def _places(pattern: Pattern, colour: int) -> list[int]:
    return [place for place, here in enumerate(pattern) if here == colour]


def _steps_over(pattern: Pattern, colour: int) -> bool:
    return pattern[0] == pattern[2] == colour or pattern[1] == pattern[3] == colour


def _has_run(pattern: Pattern, length: int, order: str) -> bool:
    """Tell whether *length* piles have consecutive numbers; in "any" order they need not adjoin."""
    if order == "any":
        return any({low + n for n in range(length)} <= set(pattern) for low in VALUES)
    parts = [pattern[start : start + length] for start in range(PILES - length + 1)]
    steps = {1} if order == "ascending" else {1, -1}
    return any(
        {there - here for here, there in pairwise(part)} == {step}
        for part in parts
        for step in steps
    )


def _parity(which: str) -> Callable[[Pattern], bool]:
    if which == "alternating":
        return lambda pattern: all((pattern[i] + pattern[i + 1]) % 2 for i in range(PILES - 1))
    rest = ("even", "odd").index(which)
    return lambda pattern: all(value % 2 == rest for value in pattern)


def _colour(word: str) -> int:
    return COLOURS.index(word)


def _is_number(word: str, low: int, high: int) -> bool:
    return word in map(str, range(low, high + 1))


OTHER_GOAL: Final = _sums(OTHER, lambda _, value: 0 * value, set())
"""A goal that is none of the grammar: no cards meet it, the players say when it is met."""


@cache
def parse_goal(text: str, run_order: str = "ascending", alternating: str = "exact") -> Goal:
    """Return the goal that *text* names; raises InvalidAction, saying what would be right.

    The goal's own text is the same for every order of two colours that are asked for alike.
    run_order: what `run 3` without a word means.  alternating: whether `alternate` is exact.

    >>> is_met(parse_goal("sum pink 4"), (9, 0, 8, 27))  # pink 3, green 1, pink 2, purple 7
    False
    >>> parse_goal("equal pink green").text
    'equal green pink'
    """
    words = text.split()
    if words == [OTHER]:
        return OTHER_GOAL
    goal = _sum_goal(words) or _colour_goal(words, alternating) or _number_goal(words, run_order)
    if goal is None:
        raise InvalidAction(f"'{text[:60]}' is not a goal; a goal is {GRAMMAR}")
    return goal


GRAMMAR: Final = (
    "such as 'sum pink 4', 'equal green pink', 'count green 3', 'adjacent pink', 'same number' or"
    " 'run 3 any' (TP-7 has all), or 'other' for one that you check yourselves"
)


def _sum_goal(words: Sequence[str]) -> Goal | None:
    text = " ".join(words)
    match words:
        case ["sum", "all", number] if _is_number(number, 4, 28):
            return _sums(text, lambda _, value: value, {int(number)})
        case ["sum", colour, number] if colour in COLOURS and _is_number(number, 1, 28):
            mine = _colour(colour)  # TP-8: a sum of at least 1 needs a pile of the colour
            return _sums(text, lambda c, value: value * (c == mine), {int(number)})
        case [("equal" | "double") as kind, one, two] if {one, two} <= set(COLOURS) and one != two:
            if kind == "equal":
                one, two = sorted((one, two), key=_colour)
            first, second = _colour(one), _colour(two)
            times = 1 if kind == "equal" else 2
            return _sums(
                f"{kind} {one} {two}",
                lambda c, value: value * (c == first) + _WIDE * value * (c == second),
                {times * total + _WIDE * total for total in range(1, 29)},
            )
    return None


def _colour_goal(words: Sequence[str], alternating: str) -> Goal | None:
    text = " ".join(words)
    match words:
        case ["count", colour, number] if colour in COLOURS and _is_number(number, 0, PILES):
            mine, wanted = _colour(colour), int(number)
            return _colours(text, lambda p: p.count(mine) == wanted)
        case ["adjacent", colour] if colour in COLOURS:
            mine = _colour(colour)
            return _colours(text, lambda p: _places(p, mine) in ([0, 1], [1, 2], [2, 3]))
        case ["apart", colour] if colour in COLOURS:
            mine = _colour(colour)
            return _colours(text, lambda p: _places(p, mine) in ([0, 2], [1, 3], [0, 3]))
        case ["alternate", colour] if colour in COLOURS:
            mine = _colour(colour)
            if alternating == "exact":
                return _colours(text, lambda p: _places(p, mine) in ([0, 2], [1, 3]))
            return _colours(text, lambda p: _steps_over(p, mine))
        case ["only", one, two] if {one, two} <= set(COLOURS) and one != two:
            one, two = sorted((one, two), key=_colour)
            pair = {_colour(one), _colour(two)}  # TP-9: one of the two is enough
            return _colours(f"only {one} {two}", lambda p: set(p) <= pair)
        case ["different", "colours"]:
            return _colours(text, _differ)
        case ["same", "colour"]:
            return _colours(text, _agree)
        case ["pairs", "colours"]:
            return _colours(text, _make_pairs)
    return None


def _number_goal(words: Sequence[str], run_order: str) -> Goal | None:
    text = " ".join(words)
    match words:
        case ["different", "numbers"]:
            return _numbers(text, _differ)
        case ["same", "number"]:
            return _numbers(text, _agree)
        case ["pairs", "numbers"]:
            return _numbers(text, _make_pairs)
        case ["count", value, number] if _is_number(value, 1, _SEVEN) and _is_number(
            number, 0, PILES
        ):
            return _numbers(text, lambda p: p.count(int(value)) == int(number))
        case ["different", "both"]:
            return _both_different(text)
        case ["run", ("3" | "4") as length, *order] if len(order) <= 1:
            how = order[0] if order else run_order
            if how in RUN_ORDERS:
                return _numbers(text, lambda p: _has_run(p, int(length), how))
        case ["below", number] if _is_number(number, 2, _SEVEN):
            return _numbers(text, lambda p: max(p) < int(number))
        case ["above", number] if _is_number(number, 1, _SEVEN - 1):
            return _numbers(text, lambda p: min(p) > int(number))
        case ["parity", ("even" | "odd" | "alternating") as which]:
            return _numbers(text, _parity(which))
    return None


@cache
def all_goals() -> tuple[str, ...]:
    """Return the text of every goal of the grammar, and `other` for all that it lacks."""
    pairs = [(one, two) for i, one in enumerate(COLOURS) for two in COLOURS[i + 1 :]]
    return (
        *(f"sum {colour} {n}" for colour in COLOURS for n in range(1, 29)),
        *(f"sum all {n}" for n in range(4, 29)),
        *(f"equal {one} {two}" for one, two in pairs),
        *(f"double {one} {two}" for one in COLOURS for two in COLOURS if one != two),
        *(f"count {what} {n}" for what in (*COLOURS, *VALUES) for n in range(PILES + 1)),
        *(f"{kind} {c}" for kind in ("adjacent", "apart", "alternate") for c in COLOURS),
        *(f"only {one} {two}" for one, two in pairs),
        *(f"different {what}" for what in ("colours", "numbers", "both")),
        *("same colour", "same number", "pairs colours", "pairs numbers"),
        *(f"run {n}{order}" for n in (3, 4) for order in ("", *(f" {how}" for how in RUN_ORDERS))),
        *(f"below {n}" for n in range(2, 8)),
        *(f"above {n}" for n in range(1, 7)),
        *(f"parity {which}" for which in ("even", "odd", "alternating")),
        OTHER,
    )
