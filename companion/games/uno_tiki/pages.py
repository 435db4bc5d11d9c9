"""The pages of UNO Tiki: the pile, the idol, and what may be played onto them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.games.uno_tiki import hand_pages
from companion.games.uno_tiki.drawing import (
    card_face,
    is_photographed,
    pads,
    photographed_words,
    shown_card,
    sums_by_tens,
)
from companion.games.uno_tiki.highlights import highlights
from companion.games.uno_tiki.words import action_words
from companion.language.message import Message, capitalised, say
from companion.rules.uno_tiki import KINDS
from companion.rules.uno_tiki.naming import COLOUR_WORDS
from companion.web.pages.game_pages import Choice, Pages
from companion.web.pages.offers import offered
from companion.web.site import Site, Visitor

QUESTIONS: Final[Mapping[str, Message]] = {
    "play": say("Which card was played?"),
    "discard": say("Which card was discarded?"),
    "turn": say("Which card was turned up?"),
    "cut": say("Which card was drawn?"),
}
ALONE: Final = ("draw", "pass", "keep", "drew hidden")
"""Actions that have a button of their own."""


def taps(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what may be entered now: by *seat*, or by the host for None.

    asked, pads: which card, and the cards to choose from.  colours: to begin with.
    alone: actions that have a button of their own.  stops, ends, void: where the idol may point.
    choose, uno, catch: seats to choose from, that may call UNO, that may be caught.
    counting, sums: the seat whose hand is counted, and what it can be worth.
    """
    actions = offered(site, seat)
    by_seat: dict[str, list[int]] = {"choose": [], "uno": [], "catch": [], "count": []}
    for words in actions:
        if words[0] in by_seat and int(words[1]) not in by_seat[words[0]]:
            by_seat[words[0]].append(int(words[1]))
    spins = [words[1:] for words in actions if words[0] == "spin"]
    asked = [words for words in actions if words[0] in QUESTIONS]
    verb = asked[0][0] if asked else ""
    alone = [" ".join(words) for words in actions if " ".join(words) in ALONE]
    counted = by_seat.pop("count")
    return {
        "asked": QUESTIONS.get(verb, ""),
        "pads": pads(asked, site.board().table["colour"] or "" if verb == "play" else ""),
        "colours": [
            (words[1], capitalised(COLOUR_WORDS[words[1]]))
            for words in actions
            if words[0] == "colour"
        ],
        "alone": [(action, capitalised(action_words(action))) for action in alone],
        "stops": [int(words[0]) for words in spins if len(words) == 1 and words != ["void"]],
        "ends": [(int(words[1]), int(words[2])) for words in spins if words[0] == "between"],
        "void": ["void"] in spins,
        "counting": counted[0] if counted else None,
        "sums": sums_by_tens([int(words[2]) for words in actions if words[0] == "count"]),
        **by_seat,
    }


class UnoTikiPages(Pages):
    """The pages of UNO Tiki."""

    summary = say("Match colour, number or symbol, and let the spinning idol choose who draws.")
    first_reason = say(
        "By the rulebook, everybody draws a card, and the highest number deals. The player to the"
        " dealer’s left begins."
    )
    first_does = say("deals")
    stage_label = say("The pile and the idol")
    calibration_words = say(
        "Lay one card on the discard pile and turn the idol’s arm to the far side of the mat."
        " Take your hands away, then press the button. From then on, the camera recognises the"
        " arm and sees where it points."
    )
    known: Mapping[str, Any] = {"idol_deg": 0.0}
    known_words = say("One card on the discard pile, with the idol’s arm pointing to the far side")
    first_words = (say("Who deals"), say("draw cards to decide"))
    choices = (
        Choice(
            "target",
            say("Points to win"),
            most=9999,
            help=say("The game ends when somebody has this many; by the rulebook it is 500."),
        ),
        Choice(
            "scoring",
            say("Who scores"),
            "word",
            words=(
                ("winner", say("the winner takes all points")),
                ("lowest", say("all players, and the lowest score wins")),
            ),
            help=say(
                "By the rulebook, whoever goes out gets the points of all cards that are left."
                " Otherwise all players get the points of their own cards, and points are bad."
            ),
        ),
    )
    carried = (
        "deck",
        "scoring",
        "target",
        "two_player_reverse",
        "discard_two",
        "last_card_spin",
        "goto_overrides_skip",
    )
    idol = True

    highlights = staticmethod(highlights)
    card_words = staticmethod(photographed_words)
    hand_size = staticmethod(hand_pages.count_held)
    hand_due = staticmethod(hand_pages.due)
    hand_values = staticmethod(hand_pages.hand_values)
    composed = staticmethod(hand_pages.composed)

    def card_values(self, site: Site, seat: int | None, colour: str, symbol: str) -> dict[str, Any]:
        """Return what a photographed card is called, and the pad to enter it with if it may be.

        A card looks the same with and without the Spin symbol to the reader, and so does every Tiki
        Face: all that it may be are offered.
        """
        asked = [words for words in offered(site, seat) if words[0] in QUESTIONS]
        found = [words for words in asked if is_photographed(words[1], colour, symbol)]
        words = photographed_words(colour, symbol)
        if not found:
            return {
                "sentence": say("In the picture: {card}. It cannot be entered now.", card=words)
            }
        (pad, *_) = pads(found, "")
        return {"sentence": say("In the picture: {card}. Tap it to enter it.", card=words),
                "pad": pad}  # fmt: skip

    def photographed(self, seen: tuple[str, str]) -> Sequence[str]:
        """Return the cards that look like it: with and without Spin, or all Tiki Faces."""
        return [card for card in KINDS if is_photographed(card, *seen)]

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return the card on the pile and the face in the idol.

        lying: the table as it lies; that of a round that has ended stays.
        """
        board = site.board()
        lying = board.round_end.view if board.round_end else board.table
        pile, idol, colour = lying["discard"], lying["idol"], lying["colour"]
        top = card_face(pile[-1]) if pile else None
        named = colour if top is not None and top.ink == "wild" else None
        return {
            "lying": lying,
            "top": top,
            "named": named,
            "named_words": capitalised(COLOUR_WORDS[named]) if named else "",
            "face": card_face(idol[-1]) if idol else None,
            "shown_card": shown_card,
        }

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the host may enter."""
        return {"taps": taps(site, None)}

    def seat_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the visitor's seat may enter, and what is known of its hand."""
        seat, live_session = visitor.seat, site.live_session
        hands = live_session.session.rules.view(live_session.session.state, seat)["hands"]
        hand = [card for card in (hands[seat] or ()) if card] if seat is not None else []
        return {"taps": taps(site, seat), "hand": [card_face(card) for card in hand]}

    def lowest_wins(self, site: Site) -> bool:
        """Return whether all players score the cards that they have left."""
        return bool(site.board().table["options"]["scoring"] == "lowest")


PAGES: Final = UnoTikiPages()
