"""Hands of cards that only their seats know, for the games that have some."""

from collections.abc import Callable, Iterable, Mapping

from companion.referee.own_play import Choices


def choices_of(
    cards: Iterable[str],
    left: Mapping[str, int],
    title: Callable[[str], str],
    words: Callable[[str], str],
) -> tuple[Choices, ...]:
    """Return those of *cards* of which any are *left*, in their order, by *title*."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    for card in cards:
        if left[card]:
            found.setdefault(title(card), []).append((card, words(card), left[card]))
    return tuple((title, tuple(cards)) for title, cards in found.items())


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
