"""The pages of UNO Tiki: the pile, the idol, and what may be played onto them."""

from typing import Any, Final

from companion.games.uno_tiki.highlights import highlights
from companion.games.uno_tiki.words import FACES, card_words
from companion.web.offers import offered
from companion.web.pages import Choice, Pages
from companion.web.site import Site, Visitor

COLOURS: Final = ("red", "yellow", "green", "blue")
VERBS: Final = {
    "play": "Which card was played?",
    "discard": "Which card was discarded?",
    "turn": "Which card was turned up?",
    "cut": "Which card was drawn?",
}
SIGNS: Final = {"skip": "Skip", "reverse": "Reverse"}


def card_face(card: str) -> dict[str, Any]:
    """Return how *card* is drawn: its colour, its sign, whether it spins, and its words."""
    if card in FACES:
        colour = card.rpartition("-")[2]
        painted = colour if colour in COLOURS else ""
        return {"colour": "tiki", "sign": FACES[card], "spin": False, "dot": painted,
                "words": card_words(card)}  # fmt: skip
    name, spin, _ = card.partition("-spin")
    colour, _, symbol = name.partition("-")
    sign = SIGNS.get(symbol, symbol) or "Wild"
    return {
        "colour": colour,
        "sign": sign,
        "spin": bool(spin),
        "dot": "",
        "words": card_words(card),
    }


def taps(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what may be entered now: by *seat*, or by the host for None.

    asked, groups: which card, and the cards to choose from in groups.  colours: to begin with.
    alone: actions of one word.  stops, ends, void: where the idol may point.  choices: seats to
    choose from.  calls, catches, count: seats that may call UNO, be caught, or count their hand.
    """
    actions = offered(site, seat)
    by_seat: dict[str, list[int]] = {"choose": [], "uno": [], "catch": [], "count": []}
    for words in actions:
        if words[0] in by_seat and int(words[1]) not in by_seat[words[0]]:
            by_seat[words[0]].append(int(words[1]))
    spins = [words[1:] for words in actions if words[0] == "spin"]
    return {
        "asked": next((VERBS[words[0]] for words in actions if words[0] in VERBS), ""),
        "groups": _groups([words for words in actions if words[0] in VERBS]),
        "colours": [words[1] for words in actions if words[0] == "colour"],
        "alone": [words[0] for words in actions if len(words) == 1],
        "hidden": ["drew", "hidden"] in actions,
        "stops": [int(words[0]) for words in spins if len(words) == 1 and words != ["void"]],
        "ends": [(int(words[1]), int(words[2])) for words in spins if words[0] == "between"],
        "void": ["void"] in spins,
        **by_seat,
    }


def _groups(actions: list[list[str]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the cards of *actions*: those of each colour, Wilds, Tiki Faces."""
    found: dict[str, list[dict[str, Any]]] = {}
    for verb, card, *named in actions:
        face = card_face(card)
        group = "Tiki Faces" if face["colour"] == "tiki" else face["colour"].capitalize()
        tap = {**face, "action": " ".join((verb, card, *named)), "named": named[0] if named else ""}
        found.setdefault(group, []).append(tap)
    return list(found.items())


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the card on the pile and the face in the idol."""
    del visitor
    table = site.board().table
    pile, idol = table["discard"], table["idol"]
    return {
        "top": card_face(pile[-1]) if pile else None,
        "face": card_face(idol[-1]) if idol else None,
    }


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the host may enter."""
    del visitor
    return {"taps": taps(site, None)}


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the visitor's seat may enter, and its hand as far as the companion knows it."""
    seat, live_session = visitor.seat, site.live_session
    hands = live_session.session.rules.view(live_session.session.state, seat)["hands"]
    hand = [card for card in (hands[seat] or ()) if card] if seat is not None else []
    return {"taps": taps(site, seat), "hand": [card_face(card) for card in hand]}


PAGES: Final = Pages(
    highlights=highlights,
    stage_label="The pile and the idol",
    calibration_words=(
        "Lay one card on the discard pile and turn the idol's arm to the far side of the mat. Take"
        " your hands away, then press the button. From then on the camera recognises the arm and"
        " sees where it points."
    ),
    known={"idol_deg": 0.0},
    first_words=("Who deals", "draw cards for it"),
    choices=(
        Choice("target", "Points to win", most=9999),
        Choice(
            "scoring",
            "Who scores",
            "word",
            words=(
                ("winner", "the winner takes all points"),
                ("lowest", "all players, the lowest score wins"),
            ),
        ),
    ),
    carried=(
        "deck", "scoring", "target", "two_player_reverse", "discard_two", "last_card_spin",
        "goto_overrides_skip",
    ),
    idol=True,
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
)  # fmt: skip
