"""Rounds of UNO Tiki, dealt or near their end with short hands and piles, known or forgotten."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from companion.rules import uno_tiki as game

_USUAL: Final = tuple(Counter(game.usual_census()).elements())
_CARDS: Final = (*_USUAL, *(card for card in game.KINDS if card.endswith("-0")))
_FACES: Final = tuple(card for card in game.KINDS if card.startswith("tiki-"))
HIDE: Final = (0.0, 0.5, 1.0)


def late_round(rng: Random) -> game.State:
    """Return someone about to play; every hand is known, each card drawn is entered.

    The deck of the table is what lies there, so that counting cards has something to find out.
    """
    seats = rng.randrange(2, 5)
    cards = iter(rng.sample((*_CARDS, *_FACES * 3), 60))
    hands = tuple(_drawn(cards, rng.randrange(1, 5)) for _ in range(seats))
    deck = _drawn(cards, rng.randrange(6))
    idol = tuple(rng.choices(_FACES, k=rng.randrange(4)))
    plain = [card for card in cards if card not in _FACES and not card.startswith("wild")]
    discard = tuple(plain[: rng.randrange(1, 5)])
    options = {
        "target": 1000,
        "discard_two": rng.choice(("up_to_two", "two_or_none")),
        "goto_overrides_skip": rng.random() < 0.5,
    }
    state = game.initial(seats, options, {"dealer": 0})
    census = Counter((*deck, *idol, *discard))
    for hand in hands:
        census.update(hand)
    colour, symbol = discard[-1].split("-")[:2]
    return replace(
        state,
        options=replace(state.options, deck=tuple(sorted(census.items()))),
        phase="play",
        seat=rng.randrange(seats),
        hands=hands,
        deck=deck,
        deck_size=len(deck),
        shuffled=bool(deck),
        discard=discard,
        idol=idol,
        colour=colour,
        symbol=symbol,
    )


def dealt_round(rng: Random) -> game.State:
    """Return a round that has just been dealt; every hand is known, each card drawn is entered."""
    seats = rng.randrange(2, 7)
    order = rng.sample(_USUAL, len(_USUAL))
    options = {"target": 1, "discard_two": rng.choice(("up_to_two", "two_or_none"))}
    state = game.initial(seats, options, {"dealer": rng.randrange(seats), "decks": [order]})
    return state._replace(deck=tuple(sorted(state.deck)), shuffled=True)


def _drawn(cards: Iterator[str], number: int) -> tuple[str, ...]:
    return tuple(sorted(next(cards) for _ in range(number)))


def forgotten(state: game.State, rng: Random) -> game.State:
    """Return *state* as a companion may know it: some hands hidden, some in part, no draw pile."""
    hide = rng.choice(HIDE)
    hands = []
    for hand in state.hands:
        kept = 1.0 if rng.random() < hide else rng.choice(HIDE)
        hands.append(tuple(sorted("" if rng.random() < kept else card for card in hand)))
    return state._replace(hands=tuple(hands), deck=(), shuffled=False)
