"""Rounds of UNO Tiki: the deal, the start card, the count and the end."""

from companion.language.message import say, say_count
from companion.rules.base import IllegalAction
from companion.rules.uno_tiki.cards import (
    COLOUR,
    HAND,
    HIDDEN,
    IS_TIKI,
    IS_WILD,
    NUMBERS,
    SYMBOL,
    Card,
)
from companion.rules.uno_tiki.hands import is_known, points_held, possible_worth
from companion.rules.uno_tiki.state import Hand, Match, Options, Round, State


def deal(options: Options, match: Match) -> State:
    """Return the start of a round: seven cards each, from a known deck or unknown (UT-2)."""
    seats = len(match.scores)
    total = sum(copies for _, copies in options.deck)
    hands: tuple[Hand, ...] = ((HIDDEN,) * HAND,) * seats
    deck: tuple[Card, ...] = ()
    if match.coming:
        order = match.coming[0]
        hands = tuple(tuple(sorted(order[HAND * s : HAND * s + HAND])) for s in range(seats))
        deck = order[HAND * seats :]
    state = State(
        options=options,
        phase="turn_up",
        seat=match.dealer,
        way=1,
        hands=hands,
        deck=deck,
        deck_size=total - HAND * seats,
        shuffled=False,
        discard=(),
        idol=(),
        colour="",
        symbol="",
        skip=False,
        target=-1,
        owed=0,
        after="over",
        drawn="",
        between=(),
        exposed=-1,
        out=-1,
        idle=0,
        pending=None,
        match=match._replace(coming=match.coming[1:], counted=(None,) * seats),
    )
    while state.phase == "turn_up" and state.deck:
        state = turn_up(state, state.deck[0])
    return state


def cut(state: State, card: Card) -> State:
    """Return the state after a card drawn for the deal (UT-2)."""
    if state.phase != "cut":
        raise IllegalAction(say("it is already known who deals"), "UT-2")
    match = state.match
    cuts, cutting = (*match.cuts, (match.cutting[0], card)), match.cutting[1:]
    if not cutting:
        best = max(cut_value(card) for _, card in cuts)
        highest = tuple(seat for seat, card in cuts if cut_value(card) == best)
        if len(highest) == 1:
            after = match._replace(dealer=highest[0], cuts=cuts, cutting=())
            return deal(state.options, after)
        cuts, cutting = (), highest  # those who draw again have put their first cards back
    return state._replace(seat=cutting[0], match=match._replace(cuts=cuts, cutting=cutting))


def cut_value(card: Card) -> int:
    """Return what *card* counts when it is drawn for the deal (UT-2)."""
    return int(SYMBOL[card]) if SYMBOL[card] in NUMBERS else 0


def turn_up(state: State, card: Card) -> State:
    """Return the state after *card* began the discard pile, or went into the idol (UT-3)."""
    if state.phase != "turn_up":
        raise IllegalAction(say("the discard pile has already been started"), "UT-3")
    # A deck that is not the table's own may be short of a card to turn up.
    left = max(state.deck_size - 1, 0)
    state = state._replace(deck=state.deck[1:], deck_size=left)
    if card in IS_TIKI:
        return state._replace(idol=(*state.idol, card))
    seats, dealer = len(state.hands), state.match.dealer
    symbol, way, seat = SYMBOL[card], 1, (dealer + 1) % seats
    if symbol == "reverse":
        way, seat = -1, dealer
    elif symbol == "skip":
        seat = (dealer + 2) % seats
    begun = state._replace(
        phase="colour" if card in IS_WILD else "play",
        seat=seat,
        way=way,
        discard=(card,),
        colour=COLOUR[card],
        symbol=symbol,
        match=state.match._replace(cuts=()),
    )
    return begun if left else reshuffle(begun)


def reshuffle(state: State) -> State:
    """Return *state* with all but the cards on top in the draw pile, in unknown order (UT-16)."""
    pool = (*state.discard[:-1], *state.idol[:-1])
    known = all(map(is_known, state.hands))
    return state._replace(
        deck=tuple(sorted(pool)) if known else (),
        deck_size=len(pool),
        shuffled=known and bool(pool),
        discard=state.discard[-1:],
        idol=state.idol[-1:],
    )


def end_round(state: State) -> State:
    """Return the state when a round is over: hidden hands are counted first (UT-18, UT-20)."""
    nobody_scores = state.out < 0 and state.options.scoring == "winner"
    counted = tuple(0 if nobody_scores else points_held(hand) for hand in state.hands)
    state = state._replace(phase="count", exposed=-1, match=state.match._replace(counted=counted))
    return score(state) if None not in counted else state


def to_count(state: State) -> int:
    """Return the next seat whose cards have to be counted."""
    return state.match.counted.index(None)


def counts(state: State) -> tuple[int, ...]:
    """Return what the next hand to count can be worth (UT-20)."""
    return possible_worth(state, to_count(state))


def count(state: State, seat: int, points: int) -> State:
    """Return the state after a hand was counted."""
    if state.phase != "count" or not 0 <= seat < len(state.hands):
        raise IllegalAction(say("there are no cards to count now"), "UT-18")
    points_by_seat = state.match.counted
    if seat != to_count(state):
        raise IllegalAction(say("another hand is counted next"), "UT-18")
    if points not in counts(state):
        words = say_count(
            "{number} card from this deck cannot be worth {points} points",
            "{number} cards from this deck cannot be worth {points} points",
            len(state.hands[seat]),
            points=points,
        )
        raise IllegalAction(words, "UT-20")
    points_by_seat = (*points_by_seat[:seat], points, *points_by_seat[seat + 1 :])
    state = state._replace(match=state.match._replace(counted=points_by_seat))
    return score(state) if None not in points_by_seat else state


def score(state: State) -> State:
    """Return the next round, or the end of the game (UT-18, UT-19)."""
    options, match, out = state.options, state.match, state.out
    left = tuple(points or 0 for points in match.counted)
    if options.scoring == "lowest":
        scores = tuple(map(sum, zip(match.scores, left, strict=True)))
    else:
        gains = (sum(left) if seat == out else 0 for seat in range(len(left)))
        scores = tuple(map(sum, zip(match.scores, gains, strict=True)))
    rounds = (*match.rounds, Round(left, out, "UT-17" if out >= 0 else "UT-21"))
    dealer = (match.dealer + 1) % len(scores)
    match = match._replace(scores=scores, rounds=rounds)
    if max(scores) >= options.target:
        return state._replace(phase="over", match=match)
    return deal(options, match._replace(dealer=dealer))
