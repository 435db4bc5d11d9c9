"""A photographed hand of UNO Tiki on the pages: shown, completed by taps, and entered as points."""

from collections.abc import Sequence
from typing import Any, Final

from companion.games.uno_tiki.blind import without_hands
from companion.games.uno_tiki.drawing import Face, card_face, photographed_words
from companion.games.uno_tiki.hand_counts import (
    CARDS,
    Seen,
    excess_words,
    find_excess,
    kinds_of,
    points_of,
    sum_points,
)
from companion.language.message import Message, say, say_as, say_count
from companion.rules.uno_tiki.hands import unseen
from companion.web.forms import Form, Refused, number
from companion.web.pages.game_pages import PhotographedCard
from companion.web.pages.offers import offered
from companion.web.site import Site

ACTION: Final = "hand"
"""What the form of a photographed hand says instead of an action."""
CHOICES: Final = (*CARDS[-2:], *CARDS[:-2])
"""Wilds and Tiki Faces first: they are unsure most often."""
NOT_COUNTED: Final = say(
    "It is not time to count your cards. After the round, the hands are counted one by one."
)
INCOMPLETE: Final = say(
    "Some cards of the hand are not recognised yet. Tap those with a question mark."
)


def due(site: Site, seat: int | None) -> int:
    """Return whose hand *seat*, or the host for None, may count now; raises Refused."""
    for words in offered(site, seat):
        if words[0] == "count":
            return int(words[1])
    raise Refused(409, NOT_COUNTED)


def count_held(site: Site, seat: int) -> int:
    """Return how many cards *seat* holds, as everyone may know."""
    return len(site.live_session.session.state.hands[seat])


def hand_values(
    site: Site, seat: int, cards: Sequence[PhotographedCard], size: tuple[int, int]
) -> dict[str, Any]:
    """Return what the answer to a photograph of the hand of *seat* shows.

    cards: those in the picture.  size: its width and height in pixels.
    tiles: a face, a name as forms have it, and its points, for each card in the picture, or of the
    hand if that has more; None for the face of one that is to be named.  One that is not sure is
    kept although the hand has as many without it: another may be the one that does not belong
    there.  spots: where in the picture those are, with their numbers.
    """
    held = count_held(site, seat)
    named = [card.card for card in cards if card.card is not None]
    open_ones = [card for card in cards if card.card is None]
    unnamed = max(len(open_ones), held - len(named))
    whole = len(named) == held and not open_ones
    return {
        "sentence": _sentence(held, len(named), len(open_ones)),
        "notes": [excess_words(each) for each in find_excess(named, _left(site))],
        "player": site.board().players[seat],
        "tiles": [(_face(card), " ".join(card), points_of(card)) for card in named]
        + [(None, "", 0)] * unnamed,
        "held": held,
        "points": sum_points(named) if whole else None,
        "choices": [(_face(card), " ".join(card), points_of(card)) for card in CHOICES],
        "spots": _mark_spots(open_ones),
        "size": size,
    }


def _mark_spots(cards: Sequence[PhotographedCard]) -> list[tuple[int, int, int, int]]:
    """Return a number, x, y and radius in pixels for each of *cards*."""
    return [
        (place, round(card.at[0]), round(card.at[1]), round(1.2 * card.size_px))
        for place, card in enumerate(cards, 1)
    ]


def _face(card: Seen) -> Face:
    """Return how *card* is drawn; of Tiki Faces it is open which one it is."""
    if card == ("wild", "tiki"):
        sign = say_as("a card", "Tiki Face")
        return Face("tiki", sign, False, "", False, photographed_words(*card))
    return card_face(kinds_of(card)[0])


def _left(site: Site) -> dict[str, int]:
    """Return how many of each card are neither open nor played, as everyone may know."""
    return dict(unseen(without_hands(site.live_session.session.state)))


def _sentence(held: int, named: int, unsure: int) -> Message:
    if not named and not unsure:
        return say(
            "No card can be recognised. Fan the cards out in good light so that the upper left"
            " corner of each one can be seen."
        )
    if named + unsure > held:
        return say(
            "The picture shows {seen} cards, but the hand has {held}. Tap what does not belong to"
            " the hand.",
            seen=named + unsure,
            held=held,
        )
    if named == held:
        return say_count(
            "{number} card: is this the whole hand? Tap one to change it.",
            "{number} cards: is this the whole hand? Tap one to change it.",
            held,
        )
    return say_count(
        "{number} card is uncertain. Tap the question mark and choose the card.",
        "{number} cards are uncertain. Tap each question mark and choose the card.",
        held - named,
    )


def composed(site: Site, form: Form) -> str | None:
    """Return the count that a photographed hand's form says, None for any other form.

    Raises Refused if a card is not named, or there are more or fewer than the hand has.
    """
    if form.get("action") != ACTION:
        return None
    hands = site.live_session.session.state.hands
    seat = number(form, "seat", 0, len(hands) - 1)
    cards: list[Seen] = []
    for place in range(number(form, "cards", 0, 999)):
        words = form.get(f"card{place}", "").split()
        if not words:
            continue
        card = tuple(words)
        if card not in CARDS:
            raise Refused(400, say("“{card}” is not a card of this game.", card=" ".join(words)))
        cards.append((card[0], card[1]))
    if len(cards) != len(hands[seat]):
        raise Refused(409, INCOMPLETE)
    return f"count {seat} {sum_points(cards)}"
