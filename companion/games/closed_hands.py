"""Hands of cards that only their seats know, for the games that have some."""


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
