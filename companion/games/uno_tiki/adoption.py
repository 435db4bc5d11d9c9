"""A pile or an idol of UNO Tiki that the people adopt, though no played card explains it."""

from typing import Final

from companion.games.uno_tiki.words import TIKI
from companion.language.message import say
from companion.referee.game import EMPTY
from companion.rules.base import InvalidAction
from companion.rules.uno_tiki import HIDDEN, State, resumed
from companion.rules.uno_tiki.cards import IS_TIKI, KINDS, Card
from companion.rules.uno_tiki.hands import without
from companion.session.events import TableAdopted

UNDER_WAY: Final = ("play", "drawn", "colour", "spin", "choose", "draw", "discard")


def adopt(state: State, adopted: TableAdopted) -> State:
    """Return *state* with the adopted card and face on top, and none of their effects.

    A new card came from the hand of whoever's turn it was, if that turn is over, else from the
    cards to draw; a top that is gone has gone back there. Raises InvalidAction.
    """
    if state.phase not in UNDER_WAY:
        raise InvalidAction(say("it is nobody’s turn now"))
    if adopted.seat is None or not 0 <= adopted.seat < len(state.hands):
        raise InvalidAction(say("say whose turn it is"))
    card, face = adopted.table
    if card == TIKI:
        raise InvalidAction(say("a Tiki Face goes into the idol; put it there first"))
    if card not in KINDS or card in IS_TIKI:
        raise InvalidAction(say("there must be a card on the discard pile; correct that first"))
    if face not in (None, EMPTY, *IS_TIKI):
        raise InvalidAction(say("only Tiki Faces belong in the idol; correct that first"))
    discard, played = _topped(state.discard, card)
    idol, put_in = ((), -len(state.idol)) if face == EMPTY else _topped(state.idol, face)
    more = played + put_in
    seat = state.seat
    if more > 0 and adopted.seat != seat:
        hand = _less(state.hands[seat], card if played > 0 else face or "", more)
        state = state._replace(hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))
    elif more:
        size = max(state.deck_size - more, 0)
        state = state._replace(deck=(), deck_size=size, shuffled=False)
    return resumed(state._replace(discard=discard, idol=idol), adopted.seat)


def _topped(pile: tuple[Card, ...], card: str | None) -> tuple[tuple[Card, ...], int]:
    """Return *pile* with *card* on top, and how many cards it has more."""
    if card is None or pile[-1:] == (card,):
        return pile, 0
    if pile[-2:-1] == (card,):
        return pile[:-1], -1
    return (*pile, card), 1


def _less(hand: tuple[Card, ...], card: Card, number: int) -> tuple[Card, ...]:
    """Return *hand* without *card* and *number* cards in all, hidden if it is not known there."""
    if len(hand) < number:
        raise InvalidAction(say("that player had no card left to play"))
    if card in hand and number == 1:
        return without(hand, card)
    return (HIDDEN,) * (len(hand) - number)
