"""The pages of Tippi Toppi: four piles, the goals, and the cards that may be played."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from companion.games.tippi_toppi.goal_forms import GOAL_FORMS, ORDERS, groups, shown_goal
from companion.games.tippi_toppi.highlights import highlights
from companion.games.tippi_toppi.words import (
    card_words,
    colour_words,
    ending_words,
    pile_words,
)
from companion.language.message import capitalised, listed, say, say_as
from companion.rules.tippi_toppi import NAMES
from companion.web.pages.game_pages import Choice, Pages
from companion.web.pages.offers import offered
from companion.web.site import Site, Visitor

Ways: TypeAlias = dict[str, list[dict[str, str]]]
"""For each card the actions with which it may be entered: their texts and words."""

FEW: Final = 4
"""So many different cards, a hand at most, are shown with all their piles at once."""
SHEET: Final = sorted(NAMES, key=lambda card: card[-1])
"""All cards in rows by number, a column for each colour."""
SAMPLE_CARDS: Final = ("orange1", "pink2", "green3", "purple4")
SAMPLES: Final = [{"color": card[:-1], "value": int(card[-1])} for card in SAMPLE_CARDS]
"""One card of each colour, for the camera."""
LEVELS: Final = {
    "beginner": say_as("difficulty", "beginner"),
    "normal": say_as("difficulty", "normal"),
    "advanced": say_as("difficulty", "advanced"),
    "expert": say_as("difficulty", "expert"),
    "champion": say_as("difficulty", "champion"),
}


def card_face(card: str) -> dict[str, str]:
    """Return how *card* is drawn: its colour with the word for it, its number and its words."""
    colour, number = card[:-1], card[-1]
    return {
        "colour": colour,
        "hue": colour_words(colour),
        "number": number,
        "words": card_words(card),
    }


def shown_card(content: str) -> dict[str, str] | None:
    """Return how what a pile shows is drawn, None if that is no card."""
    card = content.replace(" ", "")
    return card_face(card) if card in SHEET else None


def talk_words(options: Mapping[str, Any]) -> str:
    """Return in one line what may be said, and what may not (TP-10, TP-15, TP-16)."""
    if options["silence"]:
        return say("Enjoy the Silence: nobody may say anything.")
    if options["open_hands"]:
        return say("All cards lie open: you may say anything.")
    return say("Talk about piles and goals, but not about your numbers or colours.")


def taps(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what may be entered now: by *seat*, or by the host for None.

    plays, lays, draws: sheets of cards that may be played, begin a pile or have been drawn.
    few: the cards that may be played instead, if they are so few that all their piles have room.
    undrawn: whether the card drawn may stay hidden.  turns_up: whether a goal is turned up.
    goals: those left in the goal deck, in groups.  met, stuck, time: whether that may be said.
    any: whether there is anything of all this.
    """
    actions = offered(site, seat)
    goals = [" ".join(words[1:]) for words in actions if words[0] == "goal"]
    plays = _plays(site, seat, actions)
    return {
        "plays": sheet(plays) if len(plays) > FEW else [],
        "few": sheet(plays, plays) if len(plays) <= FEW else [],
        "lays": sheet(_single(actions, "lay")),
        "draws": sheet(_single(actions, "drew")),
        "undrawn": ["drew", "hidden"] in actions,
        "turns_up": bool(goals),
        "goals": groups(goals),
        "met": ["met"] in actions,
        "stuck": ["stuck"] in actions,
        "time": ["time"] in actions,
        "any": bool(actions),
    }


def _plays(site: Site, seat: int | None, actions: Sequence[Sequence[str]]) -> Ways:
    """Return the plays of *seat*, or of everybody, by card and pile."""
    players = site.board().players
    found: Ways = {}
    for action in actions:
        match action:
            case ["play", card, pile, *by] if not by or seat is None or by[1] == str(seat):
                name = card_words(card)
                values = {"card": name, "number": int(pile) + 1}
                words, short = say("{card} on pile {number}", **values), pile_words(int(pile))
                if by:
                    values["player"] = players[int(by[1])].name
                    words = say("{player}: {card} on pile {number}", **values)
                    if seat is None:
                        short = say("{player}: pile {number}", **values)
                way = {"action": " ".join(action), "words": words, "short": short}
                found.setdefault(card, []).append(way)
    return found


def _single(actions: Iterable[Sequence[str]], verb: str) -> Ways:
    """Return the cards that *verb* may name, each with that action."""
    named = [words[1] for words in actions if words[0] == verb and words[1] in NAMES]
    return {
        card: [{"action": f"{verb} {card}", "words": card_words(card), "short": ""}]
        for card in named
    }


def sheet(ways: Ways, cards: Iterable[str] = SHEET) -> list[dict[str, Any]]:
    """Return *cards* as they are drawn, each with its *ways*; nothing if none has any."""
    if not ways:
        return []
    return [{"name": card, "ways": ways.get(card, []), **card_face(card)} for card in cards]


def hands(site: Site) -> list[list[dict[str, str] | None] | None]:
    """Return by seat the hand that lies open, each unknown card as None; None for a closed one."""
    table = site.board().table
    if not table["options"]["open_hands"]:
        return [None for _ in table["hands"]]
    sizes = zip(table["hands"], table["hand_sizes"], strict=True)
    told = [[None] * (size or 0) if hand is None else hand for hand, size in sizes]
    return [[card_face(card) if card else None for card in hand] for hand in told]


def undeclared_hands(site: Site) -> dict[int, list[dict[str, Any]]]:
    """Return the seats whose open hand is not known as a whole, and the cards that may be in it.

    Of each card on the sheet: how it is drawn, how many copies the hand has as far as is known
    (`held`), and how many it may have (`copies`).
    """
    table = site.board().table
    if not table["options"]["open_hands"] or site.board().is_over:
        return {}
    known = [Counter(card for card in hand or () if card) for hand in table["hands"]]
    found: dict[int, list[dict[str, Any]]] = {}
    for seat, size in enumerate(table["hand_sizes"]):
        if size and known[seat].total() < size:
            left = Counter(table["unseen"])
            for other, cards in enumerate(known):
                left.subtract(cards if other != seat else ())
            found[seat] = [
                {"name": card, "copies": left[card], "held": known[seat][card], **card_face(card)}
                for card in SHEET
            ]
    return found


class TippiToppiPages(Pages):
    """The pages of Tippi Toppi."""

    summary = say("Play cards together, without saying too much, until all goals are met.")
    first_reason = say("By the rulebook, whoever last ate something orange begins.")
    stage_label = say("The piles and the goals")
    samples: Mapping[str, Any] = {"piles": SAMPLES}
    samples_words = say(
        "One card of each colour on the piles: {cards}, starting with pile 1",
        cards=listed(map(card_words, SAMPLE_CARDS)),
    )
    choices = (
        Choice(
            "difficulty",
            say("Difficulty"),
            "word",
            words=tuple(LEVELS.items()),
            help=say("This sets how many goals your group has to meet."),
        ),
        Choice(
            "goals",
            say("Goals to meet"),
            hint=say("set by the difficulty"),
            help=say("Or a number of your own."),
        ),
        Choice(
            "high_speed",
            say("High Speed"),
            "flag",
            help=say("Five minutes on the clock and no turns: everybody plays at once."),
        ),
        Choice("silence", say("Enjoy the Silence"), "flag", help=say("Nobody may speak.")),
        Choice(
            "open_hands",
            say("Tippi Toppi Kids"),
            "flag",
            help=say("Everybody’s cards lie open on the table, and you may say anything."),
        ),
        Choice(
            "run_order",
            say("Consecutive numbers, if the card names no order"),
            "word",
            words=ORDERS,
            help=say("The direction in which such numbers may rise."),
        ),
        Choice(
            "alternating",
            say("A colour on every other pile"),
            "word",
            words=(
                ("exact", say("and nowhere else")),
                ("any", say("and possibly elsewhere")),
            ),
            help=say("Whether the colour may also be on the piles in between."),
        ),
    )
    carried = ("difficulty", "run_order", "alternating")

    highlights = staticmethod(highlights)

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return the piles, the goals' stand, what may be said, and how the game ended."""
        board, live_session = site.board(), site.live_session
        table = board.table
        tops, heights = table["tops"], table["heights"]
        fast = table["options"]["high_speed"] and board.phase == "play"
        return {
            "phrase": say("Everyone plays") if fast else "",
            "piles": [
                {
                    "name": capitalised(pile_words(pile)),
                    "height": height,
                    "top": top and card_face(top),
                }
                for pile, (top, height) in enumerate(zip(tops, heights, strict=True))
            ],
            "hands": hands(site),
            "shown_card": shown_card,
            "shown_goal": shown_goal,
            "talk": talk_words(table["options"]),
            "ending": ending_words(live_session.session.state, live_session.header.players)
            if board.is_over
            else "",
        }

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the host may enter."""
        return {
            "taps": taps(site, None),
            "goal_forms": GOAL_FORMS,
            "untold": undeclared_hands(site),
        }

    def seat_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the visitor's seat may enter, and whether it is the one to turn up a goal."""
        own = {
            seat: cards for seat, cards in undeclared_hands(site).items() if seat == visitor.seat
        }
        state = site.live_session.session.state
        played = None if state.options.high_speed else state.drawer
        return {
            "taps": taps(site, visitor.seat),
            "goal_forms": GOAL_FORMS,
            "untold": own,
            "turns_goals_up": played in (None, visitor.seat),
        }

    def objection(self, action: str) -> str:
        """Return that no card of a hand was picked, "" otherwise."""
        is_empty = len(action.split()) == 2 and action.startswith("hand ")
        return say("Tap the cards of the hand first, then save them.") if is_empty else ""


PAGES: Final = TippiToppiPages()
