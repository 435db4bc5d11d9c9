"""The pages of Tippi Toppi: four piles, the goals, and the cards that may be played."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.games.tippi_toppi.game import ending_words
from companion.games.tippi_toppi.highlights import highlights
from companion.games.tippi_toppi.words import card_words, goal_words, pile_words
from companion.rules.tippi_toppi import COLOURS, DIFFICULTIES, NAMES, all_goals
from companion.web.offers import offered
from companion.web.pages import Choice, Pages
from companion.web.site import Site, Visitor

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
    "Sums": ("sum",),
    "Comparing two colours": ("equal", "double"),
    "How many of a colour": ("count", "only"),
    "Position of a colour": ("adjacent", "apart", "alternate"),
    "Different, alike, consecutive": ("different", "same", "pairs", "run"),
    "Low, high, even, odd": ("below", "above", "parity"),
    "Goals that you check yourselves": ("other",),
}
"""The cards of the goal deck, in groups."""


def _named(kind: str) -> Words:
    """Return every goal of *kind* without that word, and its words."""
    texts = [text for text in all_goals() if text.split()[0] == kind]
    return tuple((text.partition(" ")[2], goal_words(text)) for text in texts)


def _up_to(most: int, least: int = 1) -> Words:
    return tuple((str(number), str(number)) for number in range(least, most + 1))


_EACH: Final[Words] = tuple((colour, colour) for colour in COLOURS)
_HOW_MANY: Final[Words] = (*_up_to(4), ("0", "none"))
_ORDERS: Final[Words] = (
    ("", "as set for this game"),
    ("ascending", "rising to the right"),
    ("either", "rising to one side"),
    ("any", "on any piles"),
)

GOAL_FORMS: Final = (
    GoalForm("sum", "A colour adds up to …", _EACH, "Sum", _up_to(28)),
    GoalForm("sum", "All four add up to …", (("all", "all four"),), "Sum", _up_to(28, 4)),
    GoalForm("equal", "Two colours add up to the same", _named("equal")),
    GoalForm("double", "One colour adds up to twice another", _named("double")),
    GoalForm("count", "Exactly … of a colour", _EACH, "How many", _HOW_MANY),
    GoalForm("count", "Exactly … of a number", _up_to(7), "How many", _HOW_MANY),
    GoalForm("adjacent", "Two of a colour side by side", _named("adjacent")),
    GoalForm("apart", "Two of a colour not side by side", _named("apart")),
    GoalForm("alternate", "A colour on every second pile", _named("alternate")),
    GoalForm("only", "Only two colours", _named("only")),
    GoalForm("different", "All different", _named("different")),
    GoalForm("same", "All four alike", _named("same")),
    GoalForm("pairs", "Two pairs", _named("pairs")),
    GoalForm("run", "Consecutive numbers", (("3", "three"), ("4", "four")), "Order", _ORDERS),
    GoalForm("below", "All numbers below …", _named("below")),
    GoalForm("above", "All numbers above …", _named("above")),
    GoalForm("parity", "Even and odd", _named("parity")),
    GoalForm("other", "None of these", _named("other")),
)
"""All goals of the rules, one form for each kind."""


def card_face(card: str) -> dict[str, str]:
    """Return how *card* is drawn: its colour, its number and its words."""
    return {"colour": card[:-1], "number": card[-1], "words": card_words(card)}


def talk_words(talk: Mapping[str, Sequence[str]]) -> str:
    """Return in one line what may be said, and what may not.

    >>> talk_words({"allowed": [], "forbidden": ["anything at all"]})
    'You may not say anything at all.'
    """
    may, must_not = " and ".join(talk["allowed"]), " or ".join(talk["forbidden"])
    if may and must_not:
        return f"You may say {may}, but not {must_not}."
    return f"You may not say {must_not}." if must_not else f"You may say {may}."


def taps(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what may be entered now: by *seat*, or by the host for None.

    plays: for each pile the cards that may have been played onto it.  lays: cards for a new pile.
    draws: cards that may have been drawn.  undrawn: whether the card drawn may stay hidden.
    turns_up: whether a goal is turned up.  goals: those left in the goal deck, in groups.
    met, stuck, time: whether that may be said.
    """
    actions = offered(site, seat)
    goals = [" ".join(words[1:]) for words in actions if words[0] == "goal"]
    plays: list[list[dict[str, str]]] = [[] for _ in site.board().table["piles"]]
    for action in actions:
        match action:
            case ["play", card, pile, *by] if not by or seat is None or by[1] == str(seat):
                who = site.board().players[int(by[1])].name if by else ""
                tap = {"action": " ".join(action), "who": who, **card_face(card)}
                plays[int(pile)].append(tap)
    return {
        "plays": plays if any(plays) else [],
        "lays": _cards(actions, "lay"),
        "draws": _cards([words for words in actions if words[-1] != "hidden"], "drew"),
        "undrawn": ["drew", "hidden"] in actions,
        "turns_up": bool(goals),
        "goals": _groups(goals),
        "met": ["met"] in actions,
        "stuck": ["stuck"] in actions,
        "time": ["time"] in actions,
    }


def _cards(actions: list[list[str]], verb: str) -> list[list[dict[str, str]]]:
    """Return every card in rows by number, its action "" where *actions* do not have it."""
    cards = [words[1] for words in actions if words[0] == verb]
    if not cards:
        return []
    return [
        [
            {"action": f"{verb} {card}" if card in cards else "", **card_face(card)}
            for card in NAMES
            if card.endswith(number)
        ]
        for number, _ in _up_to(7)
    ]


def _groups(goals: list[str]) -> list[tuple[str, Words]]:
    """Return *goals* in words and in groups; nothing where any goal may come up."""
    if len(goals) >= len(all_goals()):
        return []
    found = []
    for name, kinds in GROUPS.items():
        mine = tuple((goal, goal_words(goal)) for goal in goals if goal.split()[0] in kinds)
        if mine:
            found.append((name, mine))
    return found


def hands(site: Site) -> list[list[dict[str, str] | None] | None]:
    """Return by seat the hand that lies open, each unknown card as None; None for a closed one."""
    table = site.board().table
    if not table["options"]["open_hands"]:
        return [None for _ in table["hands"]]
    sizes = zip(table["hands"], table["hand_sizes"], strict=True)
    told = [[None] * (size or 0) if hand is None else hand for hand, size in sizes]
    return [[card_face(card) if card else None for card in hand] for hand in told]


def undeclared_hands(site: Site) -> dict[int, Words]:
    """Return the seats whose open hand is not known as a whole, and the cards that may be in it."""
    table = site.board().table
    if not table["options"]["open_hands"] or site.board().is_over:
        return {}
    known = [[card for card in hand or () if card] for hand in table["hands"]]
    found: dict[int, Words] = {}
    for seat, size in enumerate(table["hand_sizes"]):
        if size and len(known[seat]) < size:
            left = Counter(table["unseen"])
            for other, cards in enumerate(known):
                left.subtract(cards if other != seat else ())
            found[seat] = tuple((card, card_words(card)) for card in NAMES if left[card] > 0)
    return found


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the piles, the goals' stand, what may be said, and how the game ended."""
    del visitor
    board, live_session = site.board(), site.live_session
    table = board.table
    tops, heights = table["tops"], table["heights"]
    fast = table["options"]["high_speed"] and board.phase == "play"
    return {
        "phrase": "Everyone plays" if fast else "",
        "piles": [
            {"name": pile_words(pile).capitalize(), "height": height, "top": top and card_face(top)}
            for pile, (top, height) in enumerate(zip(tops, heights, strict=True))
        ],
        "hands": hands(site),
        "talk": talk_words(table["talk"]),
        "ending": ending_words(live_session.session.state, live_session.header.players)
        if board.is_over
        else "",
    }


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the host may enter."""
    del visitor
    return {"taps": taps(site, None), "goal_forms": GOAL_FORMS, "untold": undeclared_hands(site)}


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the visitor's seat may enter."""
    own = {seat: cards for seat, cards in undeclared_hands(site).items() if seat == visitor.seat}
    return {"taps": taps(site, visitor.seat), "goal_forms": GOAL_FORMS, "untold": own}


PAGES: Final = Pages(
    highlights=highlights,
    stage_label="The piles and the goals",
    choices=(
        Choice(
            "difficulty", "Difficulty", "word", words=tuple((each, each) for each in DIFFICULTIES)
        ),
        Choice("goals", "Goals to meet", hint="set by the difficulty"),
        Choice("high_speed", "High Speed: five minutes and no turns", "flag"),
        Choice("silence", "Enjoy the Silence: nobody says anything", "flag"),
        Choice("open_hands", "Kids: all hands are open", "flag"),
        Choice(
            "run_order",
            "Consecutive numbers, order not stated",
            "word",
            words=_ORDERS[1:],
        ),
        Choice(
            "alternating",
            "A colour on every second pile",
            "word",
            words=(("exact", "and nowhere else"), ("any", "and possibly elsewhere")),
        ),
    ),
    carried=("difficulty", "run_order", "alternating"),
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
)
