"""Hands of cards that only their seats know, for the games that have some."""

from companion.language.message import Message, say


def dealing_words(player: str) -> Message:
    """Return that the cards of a seat of the companion's are dealt."""
    return say("Show the companion the cards of {player}, one by one", player=player)


def drawing_words(player: str) -> Message:
    """Return that a seat of the companion's draws a card."""
    return say("Draw a card for {player} and show it to the companion", player=player)


def without_hand_cards(action: str) -> str:
    """Return the text of *action* as everyone may read it, without the cards of a hand.

    >>> without_hand_cards("drew red-7"), without_hand_cards("hand 1 red-7 blue-2")
    ('drew hidden', 'hand 1')
    """
    match action.split():
        case ["drew", _]:
            return "drew hidden"
        case ["hand", seat, *_]:
            return f"hand {seat}"
    return action
