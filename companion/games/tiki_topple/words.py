"""The moves of Tiki Topple in words."""

from collections.abc import Sequence

from companion.language.message import Message, listed, say
from companion.referee.game import EMPTY
from companion.rules.tiki_topple import CARD_WORDS, POINTS, tiki_name


def action_words(action: str) -> Message:
    """Return the text of an action in words.

    >>> action_words("up2 nani")
    'Tiki Up 2 on Nani'
    """
    first, *rest = action.split()
    for card, name in CARD_WORDS.items():
        if card == first:
            return say("{card} on {tiki}", card=name, tiki=tiki_name(rest[0]))
    if first == "line":
        return say("the line {tikis}", tikis=_names(rest))
    return say("secret card {tikis}", tikis=secret_card_words(rest[1:]))


def secret_card_words(card: Sequence[str]) -> Message:
    """Return the tikis of a secret card, each with its points.

    >>> secret_card_words(("nani", "huhu", "nui"))
    'Nani for 9, Huhu for 5, Nui for 2 points'
    """
    top, middle, bottom = map(tiki_name, card)
    return say(
        "{top} for {most}, {middle} for {more}, {bottom} for {least} points",
        top=top,
        middle=middle,
        bottom=bottom,
        most=POINTS[0],
        more=POINTS[1],
        least=POINTS[2],
    )


def sentence(seat: int | None, forms: Sequence[str], players: Sequence[str]) -> Message:
    """Return a move with its player, or what chance has brought, as a line of its own."""
    if seat is not None:
        words = listed(map(action_words, forms), "or")
        return say("{player}: {move}", player=players[seat], move=words)
    kind, *rest = forms[0].split()
    if kind == "card":
        owner, *card = rest
        return say(
            "{player} shows the secret card {tikis}",
            player=players[int(owner)],
            tikis=secret_card_words(card),
        )
    return say("The round begins with the line {tikis}", tikis=_names(rest))


def place_words(place: int, content: str | None) -> Message:
    """Return what a place of the line shows; *place* counts from 0, None is not known.

    >>> place_words(2, "kapu")
    'Kapu in place 3'
    """
    if content is None:
        return say("Something in place {place}", place=place + 1)
    if content == EMPTY:
        return say("Nothing in place {place}", place=place + 1)
    return say("{tiki} in place {place}", tiki=tiki_name(content), place=place + 1)


def _names(tikis: Sequence[str]) -> Message:
    return listed(map(tiki_name, tikis), "units")
