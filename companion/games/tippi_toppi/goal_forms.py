"""How a goal that was turned up is entered: one of the deck by one tap, any other by its parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from markupsafe import Markup

from companion.games.tippi_toppi.words import colour_words, goal_label, goal_words
from companion.language.message import say, say_as
from companion.language.speech import translated
from companion.rules.tippi_toppi import COLOURS, all_goals

Words: TypeAlias = tuple[tuple[str, str], ...]
"""Each value that a form may send, with its words."""


@dataclass(frozen=True, slots=True)
class GoalForm:
    """A small form for goals of one kind: a button sends it, after something else was picked.

    kind: the goal's first word.  title: for people.  buttons: its second word, or all others.
    label, picks: its third word and what that is, if it has one.
    """

    kind: str
    title: str
    buttons: Words
    label: str = ""
    picks: Words = ()


GROUPS: Final = {
    "sum": say("A colour adds up to …"),
    "sum all": say("All four add up to …"),
    "equal": say("Two colours add up to the same"),
    "double": say("One colour adds up to twice as much as another"),
    "count": say("How many of a colour, exactly"),
    "count number": say("How many of a number, exactly"),
    "adjacent": say("Exactly two of a colour, side by side"),
    "apart": say("Exactly two of a colour, not side by side"),
    "alternate": say("A colour on every other pile"),
    "only": say("Only two colours"),
    "different": say("All different"),
    "same": say("All alike"),
    "pairs": say("Two pairs"),
    "run": say("Consecutive numbers"),
    "parity": say("Even and odd"),
    "below": say("High and low"),
    "other": say("None of these"),
}
"""What each kind of goal is called, in the order in which they are shown."""


WIDTHS: Final = {
    "sum": "short",
    "count": "short",
    "count number": "short",
    **dict.fromkeys(("sum all", "adjacent", "apart", "alternate"), "narrow"),
}
"""How much room a label of the kind needs; the usual is "wide"."""


def group_of(goal: str) -> str:
    """Return the key of the kind of *goal* in GROUPS.

    >>> group_of("sum all 10"), group_of("count 7 2"), group_of("above 4")
    ('sum all', 'count number', 'below')
    """
    match goal.split():
        case ["sum", "all", _]:
            return "sum all"
        case ["count", what, _] if what.isdigit():
            return "count number"
        case ["above", _]:
            return "below"
        case [kind, *_]:
            return kind
    return "other"


def blotted(colour: str) -> Markup:
    """Return the word for *colour*, with a blot of it beside."""
    shown = '<span class="hue"><span class="blot paint-{0}" aria-hidden="true"></span>{1}</span>'
    return Markup(shown).format(colour, translated(colour_words(colour)))  # noqa: S704


def shown_goal(goal: str) -> str:
    """Return what *goal* asks, each of its colours with a blot."""
    return goal_words(goal, blotted)


def groups(goals: Sequence[str]) -> list[tuple[str, str, list[tuple[str, Any]]]]:
    """Return *goals* by kind: its title, how wide its labels are, and each with what is left open.

    One that is alone of its kind has all its words. Nothing where any goal may come.
    """
    if len(goals) >= len(all_goals()):
        return []
    found: list[tuple[str, str, list[tuple[str, Any]]]] = []
    for key, title in GROUPS.items():
        mine = [goal for goal in goals if group_of(goal) == key]
        label = goal_label if len(mine) > 1 else goal_words
        if mine:
            labelled = [(goal, label(goal, blotted)) for goal in mine]
            found.append((title, WIDTHS.get(key, "wide"), labelled))
    return found


def _named(kind: str) -> Words:
    """Return every goal of *kind* without that word, and its words."""
    texts = [text for text in all_goals() if text.split()[0] == kind]
    return tuple((text.partition(" ")[2], goal_words(text)) for text in texts)


def _labelled(kind: str) -> Words:
    """Return every goal of *kind* without that word, and what its kind leaves open."""
    texts = [text for text in all_goals() if text.split()[0] == kind]
    return tuple((text.partition(" ")[2], goal_label(text)) for text in texts)


def up_to(most: int, least: int = 1) -> Words:
    """Return the numbers from *least* to *most* as words of a form."""
    return tuple((str(number), str(number)) for number in range(least, most + 1))


_EACH: Final[Words] = tuple((colour, colour_words(colour)) for colour in COLOURS)
_HOW_MANY: Final[Words] = (*up_to(4), ("0", say_as("a number", "none")))
ORDERS: Final[Words] = (
    ("ascending", say("rising from left to right")),
    ("either", say("rising in either direction")),
    ("any", say("on any piles")),
)
"""What a run asks for, by the words of its card."""
_SUM: Final = say_as("of numbers", "Sum")
_COUNT: Final = say("How many")

GOAL_FORMS: Final = (
    GoalForm("sum", GROUPS["sum"], _EACH, _SUM, up_to(28)),
    GoalForm("sum", GROUPS["sum all"], (("all", say("all four")),), _SUM, up_to(28, 4)),
    GoalForm("equal", GROUPS["equal"], _labelled("equal")),
    GoalForm("double", GROUPS["double"], _labelled("double")),
    GoalForm("count", GROUPS["count"], _EACH, _COUNT, _HOW_MANY),
    GoalForm("count", GROUPS["count number"], up_to(7), _COUNT, _HOW_MANY),
    GoalForm("adjacent", GROUPS["adjacent"], _EACH),
    GoalForm("apart", GROUPS["apart"], _EACH),
    GoalForm("alternate", GROUPS["alternate"], _EACH),
    GoalForm("only", GROUPS["only"], _labelled("only")),
    GoalForm("different", GROUPS["different"], _named("different")),
    GoalForm("same", GROUPS["same"], _named("same")),
    GoalForm("pairs", GROUPS["pairs"], _named("pairs")),
    GoalForm(
        "run",
        GROUPS["run"],
        (("3", say_as("how many numbers", "three")), ("4", say_as("how many numbers", "four"))),
        say("In which order"),
        (("", say("as set for this game")), *ORDERS),
    ),
    GoalForm("below", say("All numbers below …"), up_to(7, 2)),
    GoalForm("above", say("All numbers above …"), up_to(6)),
    GoalForm("parity", GROUPS["parity"], _named("parity")),
    GoalForm("other", GROUPS["other"], _named("other")),
)
"""All goals of the rules, one form for each kind."""
