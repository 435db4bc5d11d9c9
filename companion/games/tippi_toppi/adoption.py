"""Piles of Tippi Toppi that the people adopt, though no card that was played explains them."""

from collections import Counter
from typing import TypeAlias

from companion.language.message import say
from companion.referee.game import EMPTY
from companion.rules.base import InvalidAction
from companion.rules.tippi_toppi import HIDDEN, NAMES, State, card_words, resumed
from companion.rules.tippi_toppi.cards import COPIES, Card
from companion.session.events import TableAdopted

Piles: TypeAlias = list[tuple[Card, ...]]


def adopt(state: State, adopted: TableAdopted) -> State:
    """Return *state* with the adopted top cards; goals that they meet are met.

    Tops that changed places have moved, a top that is gone has been taken off again, and what is
    new came from the hands or the cards to draw: no hand is known from then on. Raises
    InvalidAction.
    """
    if state.phase != "play":
        raise InvalidAction(say("cards or goals have to be turned up and entered first"))
    tops = tuple(map(_card_of, adopted.table))
    piles, loose = _lifted(list(state.piles), tops)
    fresh = 0
    for place, card in enumerate(tops):
        pile = piles[place]
        if pile and pile[-1] == card:
            continue
        if card in loose:
            loose.remove(card)
        elif pile[-2:-1] == (card,):
            loose.append(pile[-1])
            piles[place] = pile[:-1]
            continue
        else:
            fresh += 1
        piles[place] = (*pile, card)
    laid = Counter(card for pile in piles for card in pile)
    most = next((card for card in tops if laid[card] > COPIES), None)
    if most is not None:
        raise InvalidAction(say("there are only two {card} cards", card=card_words(most)))
    seat = state.seat if adopted.seat is None else adopted.seat
    if not 0 <= seat < len(state.hands):
        raise InvalidAction(say("nobody sits at that seat"))
    if fresh or loose:
        state = _with_unknown(state, fresh - len(loose))
    return resumed(state._replace(seat=seat, piles=tuple(piles), tops=tops))


def _card_of(content: str | None) -> Card:
    name = (content or EMPTY).replace(" ", "")
    if name not in NAMES:
        raise InvalidAction(
            say("each of the four piles must have a card on top; correct that first")
        )
    return NAMES.index(name)


def _lifted(piles: Piles, tops: tuple[Card, ...]) -> tuple[Piles, list[Card]]:
    """Return *piles* without those tops that now lie on another pile, and these cards."""
    changed = [place for place, pile in enumerate(piles) if pile[-1:] != (tops[place],)]
    landed, loose = Counter(tops[place] for place in changed), []
    for place in changed:
        card = piles[place][-1]
        if landed[card]:
            landed[card] -= 1
            loose.append(card)
            piles[place] = piles[place][:-1]
    return piles, loose


def _with_unknown(state: State, fresh: int) -> State:
    """Return *state* with *fresh* cards fewer to draw, or then in the hand that is to play.

    No card of any hand is known any more.
    """
    hands = [hand if hand is None else (HIDDEN,) * len(hand) for hand in state.hands]
    short = max(fresh - state.cards_left, 0)
    hand = hands[state.seat]
    if hand is not None:
        hands[state.seat] = hand[: max(len(hand) - short, 0)]
    left = max(state.cards_left - fresh, 0)
    return state._replace(hands=tuple(hands), deck=(), cards_left=left)
