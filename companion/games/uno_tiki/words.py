"""Words for the cards and actions of UNO Tiki."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.language.message import Message, capitalised, say, say_count
from companion.rules.uno_tiki.naming import CARD_WORDS, COLOUR_WORDS, FACES

TIKI: Final = "tiki"
"""What the reader calls any Tiki Face on the discard pile."""


def card_words(card: str) -> Message:
    """Return the name of *card*.

    >>> card_words("red-7-spin"), card_words("tiki-draw4")
    ('red 7 with Spin', 'Tiki Face Draw 4')
    """
    return say("a Tiki Face") if card == TIKI else CARD_WORDS[card]


def place_words(place: int, card: str) -> Message:
    """Return what lies on the pile, place 0, or in the idol, place 1; *card*: "" for nothing.

    >>> place_words(0, "red-7"), place_words(1, "")
    ('red 7 on the discard pile', 'no card in the idol')
    """
    if not card:
        return say("no card in the idol") if place else say("no card on the discard pile")
    if place:
        return say("{card} in the idol", card=card_words(card))
    return say("{card} on the discard pile", card=card_words(card))


def action_words(action: str, players: Sequence[str] = ()) -> str:
    """Return *action* in a few words, as on a button; "" for what is not said anywhere.

    >>> action_words("spin between 0 1", ["Ann", "Bob"]), action_words("play wild red")
    ('the idol points between Ann and Bob', 'Wild (now red)')
    """
    word, *rest = action.split()
    if word in _ALONE:
        return _ALONE[word]
    if word in _OF_CARDS:
        return _OF_CARDS[word](*rest)
    if word == "spin":
        return _spin_words(rest, players)
    if word == "count":
        return _count_words(_name(rest[0], players), int(rest[1]))
    return _OF_PLAYERS[word](_name(rest[0], players))


def sentence(seat: int | None, action: str, players: Sequence[str]) -> str:
    """Return what happened as a sentence; *seat*: who did it, None for chance.

    >>> sentence(0, "play wild red", ["Ann"]), sentence(None, "spin 0", ["Ann"])
    ('Ann plays Wild and chooses red', 'The idol points to Ann')
    """
    word, *rest = action.split()
    if seat is None:
        return capitalised(action_words(action, players))
    player = players[seat]
    if word in _DONE:
        return _DONE[word](player)
    if word == "choose":
        return say("{player} chooses {other}", player=player, other=_name(rest[0], players))
    if word == "discard":
        return say("{player} discards {card}", player=player, card=card_words(rest[0]))
    if word == "colour":
        colour = COLOUR_WORDS[rest[0]]
        return say("{player} chooses {colour} as the first colour", player=player, colour=colour)
    card = card_words(rest[0])
    if len(rest) == 1:
        return say("{player} plays {card}", player=player, card=card)
    colour = COLOUR_WORDS[rest[1]]
    return say(
        "{player} plays {card} and chooses {colour}", player=player, card=card, colour=colour
    )


def _name(seat: str, players: Sequence[str]) -> str:
    """Return the name of *seat*, or how its player is spoken of where nobody knows names."""
    return players[int(seat)] if players else say("player {number}", number=int(seat) + 1)


def _played(card: str, colour: str = "") -> Message:
    if not colour:
        return card_words(card)
    return say("{card} (now {colour})", card=card_words(card), colour=COLOUR_WORDS[colour])


def _turned(card: str) -> Message:
    if card in FACES:
        return say("{card} goes into the idol", card=card_words(card))
    return say("{card} starts the pile", card=card_words(card))


def _spin_words(ends: list[str], players: Sequence[str]) -> Message:
    match ends:
        case ["void"]:
            return say("less than a full turn: spin again")
        case ["between", one, other]:
            one, other = _name(one, players), _name(other, players)
            return say("the idol points between {one} and {other}", one=one, other=other)
    return say("the idol points to {player}", player=_name(ends[0], players))


def _count_words(player: str, points: int) -> Message:
    return say_count(
        "{player} has {number} point in hand",
        "{player} has {number} points in hand",
        points,
        player=player,
    )


_ALONE: Final[Mapping[str, Message]] = {
    "draw": say("draws a card"),
    "pass": say("passes"),
    "keep": say("discards no more cards"),
    "uno": say("UNO!"),
    "drew": say("a card is drawn, face down"),
}
_OF_CARDS: Final[Mapping[str, Callable[..., Message]]] = {
    "play": _played,
    "turn": _turned,
    "discard": lambda card: say("discards {card}", card=card_words(card)),
    "cut": lambda card: say("{card} is drawn to decide who deals", card=card_words(card)),
    "colour": lambda colour: say(
        "chooses {colour} as the first colour", colour=COLOUR_WORDS[colour]
    ),
}
_OF_PLAYERS: Final[Mapping[str, Callable[[str], Message]]] = {
    "choose": lambda player: say("chooses {player}", player=player),
    "catch": lambda player: say("{player} did not call UNO and draws two cards", player=player),
    "hand": lambda player: say("the cards of {player} were entered", player=player),
}
_DONE: Final[Mapping[str, Callable[[str], Message]]] = {
    "draw": lambda player: say("{player} draws a card", player=player),
    "pass": lambda player: say("{player} passes", player=player),
    "keep": lambda player: say("{player} discards no more cards", player=player),
    "uno": lambda player: say("{player} calls UNO", player=player),
}
WANTS: Final[Mapping[str, Callable[[str], Message]]] = {
    "cut": lambda player: say("{player} draws a card to decide who deals", player=player),
    "turn_up": lambda player: say(
        "{player} deals seven cards to each player and turns one up", player=player
    ),
    "colour": lambda player: say("{player} chooses the first colour", player=player),
    "play": lambda player: say("{player} plays a card, or draws one", player=player),
    "draw": lambda player: say("{player} draws", player=player),
    "drawn": lambda player: say("{player} plays the card just drawn, or passes", player=player),
    "spin": lambda player: say("{player} spins the idol", player=player),
    "count": lambda player: say("{player} counts the cards left in hand", player=player),
}
"""What is waited for, by the phase; but for choosing and discarding, which need more words."""
