"""How UNO Tiki is played: the clauses of docs/rules/uno_tiki.md as functions."""

from bisect import bisect

from companion.rules.base import IllegalAction, Outcome
from companion.rules.uno_tiki.cards import (
    COLOUR,
    COLOURS,
    DRAWS,
    IS_TIKI,
    IS_WILD,
    KEPT,
    SPINS,
    SYMBOL,
    Action,
    Called,
    Card,
    Caught,
    Chosen,
    Counted,
    Cut,
    Discarded,
    Drew,
    Kept,
    Named,
    Passed,
    Played,
    Spun,
    Took,
    TurnedUp,
    fitting,
    spins,
)
from companion.rules.uno_tiki.legal import OPEN, held, legal_actions, may_go, wanted
from companion.rules.uno_tiki.rounds import (
    count,
    cut,
    end_round,
    size,
    turn_up,
)
from companion.rules.uno_tiki.state import Hand, Phase, State, changed


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if type(action) is Played:
        return _play(state, action.card, action.colour)
    if type(action) is Drew:
        return _draw(state)
    if state.phase == "over":
        raise IllegalAction("the game is over", "UT-19")
    match action:
        case Passed():
            if state.phase != "drawn":
                raise IllegalAction("one passes only after drawing a card", "UT-5")
            return _advance(state)
        case Spun(seats):
            return _spin(state, seats)
        case Chosen(seat):
            if state.phase != "choose" or seat not in state.between:
                raise IllegalAction(f"seat {seat} is not there to be chosen", "UT-11")
            return _act(changed(state, between=()), seat)
        case Took(card):
            return _take(state, card)
        case Discarded(card):
            return _discard(state, card)
        case Kept():
            if state.phase != "discard" or KEPT not in legal_actions(state):
                raise IllegalAction("whoever has begun to discard goes on", "UT-13")
            return _resume_order(state)
        case Called(seat) | Caught(seat):
            return _call(state, seat, caught=isinstance(action, Caught))
        case Named(colour):
            if state.phase != "colour":
                raise IllegalAction("no colour is to be named now", "UT-3")
            return changed(state, phase="play", colour=colour)
        case TurnedUp(card):
            return turn_up(state, card)
        case Cut(card):
            return cut(state, card)
        case Counted(seat, points):
            return count(state, seat, points)
        case _:
            raise AssertionError(action)


def _refuse_play(state: State, card: Card, colour: str) -> IllegalAction:
    """Return why *card* may not be played now."""
    if state.phase == "over":
        return IllegalAction("the game is over", "UT-19")
    if state.phase not in ("play", "drawn"):
        return IllegalAction(f"{card}: no card is to be played now", "UT-4")
    hand = state.hands[state.seat]
    if isinstance(hand, tuple) and card not in hand:
        return IllegalAction(f"seat {state.seat} does not hold {card}", "UT-4")
    if state.phase == "drawn" and state.drawn not in ("", card):
        return IllegalAction(f"only the card just drawn may be played, not {card}", "UT-5")
    if (colour in COLOURS) != (card in IS_WILD):
        return IllegalAction("a colour is named with a Wild, and only with a Wild", "UT-8")
    wanted = f"{state.colour} {state.symbol}".strip()
    return IllegalAction(f"{card} does not go onto {wanted}", "UT-4")


def _is_playable(state: State, card: Card, colour: str) -> bool:
    hand, phase = state.hands[state.seat], state.phase
    return (
        (phase == "play" or (phase == "drawn" and state.drawn in ("", card)))
        and card in fitting(state.colour, state.symbol)
        and (colour != "") == (card in IS_WILD)
        and (isinstance(hand, int) or card in hand)
    )


def _without(hand: Hand, card: Card) -> Hand:
    """Return *hand* without one *card*, or one card fewer where they are unknown."""
    if isinstance(hand, int):
        return hand - 1
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _play(state: State, card: Card, colour: str) -> State:
    """Return the state after *card* was played (UT-4, UT-6 to UT-10)."""
    seat, hands = state.seat, state.hands
    if not _is_playable(state, card, colour):
        raise _refuse_play(state, card, colour)
    hand = _without(hands[seat], card)
    left = size(hand)
    options, way, skip = state.options, state.way, False
    discard, idol, top, symbol = state.discard, state.idol, state.colour, state.symbol
    if card in IS_TIKI:  # UT-9: the pile and its colour stay
        idol = (*idol, card)
    else:
        discard = (*discard, card)
        top, symbol = colour or COLOUR[card], SYMBOL[card]
        if symbol == "reverse":
            way = -way
            skip = len(hands) == 2 and options.two_player_reverse == "skip"
        elif symbol == "skip":
            skip = True
    spin = card in SPINS and bool(idol) and (left > 0 or options.last_card_spin)
    steps = 2 * way if skip else way
    played = State(
        options,
        "spin" if spin else "play",
        seat if spin or not left else (seat + steps) % len(hands),
        way,
        (*hands[:seat], hand, *hands[seat + 1 :]),
        state.deck,
        state.deck_size,
        state.shuffled,
        discard,
        idol,
        top,
        symbol,
        skip and spin,
        -1,
        0,
        "over",
        "",
        (),
        seat if left == 1 else -1,
        -1 if left else seat,
        0,
        state.match,
    )
    return played if left or spin else end_round(played)


def _advance(state: State) -> State:
    """Return *state* with the turn at the next seat, or the one after (UT-7)."""
    steps = state.way * (2 if state.skip else 1)
    return changed(
        state,
        phase="play",
        seat=(state.seat + steps) % len(state.hands),
        skip=False,
        target=-1,
        owed=0,
        drawn="",
    )


def _resume_order(state: State) -> State:
    """Return *state* after the idol's action: play goes on in order, or the round is over."""
    return end_round(state) if state.out >= 0 else _advance(state)


def _spin(state: State, seats: tuple[int, ...]) -> State:
    """Return the state after the idol stopped (UT-11)."""
    if state.phase != "spin":
        raise IllegalAction("nobody is to spin the idol now", "UT-11")
    if Spun(seats) not in spins(len(state.hands)):
        raise IllegalAction("the idol stops at one seat, or between two neighbours", "UT-11")
    if len(seats) == 2:
        return changed(state, phase="choose", between=seats)
    return _act(state, seats[0]) if seats else state


def _act(state: State, seat: int) -> State:
    """Return the state after *seat* got the action of the face that is showing (UT-12 to UT-14)."""
    face = state.idol[-1]
    if seat == state.out:  # UT-17: whoever is out has no cards to act with
        return end_round(state)
    if face in DRAWS:
        return _give(state, seat, DRAWS[face], "over")
    if face != "tiki-goto":
        owed = -1 if wanted(state) else 2
        return changed(state, phase="discard", target=seat, owed=owed)
    if state.out >= 0:
        return end_round(state)
    if state.skip and not state.options.goto_overrides_skip:
        seat = (seat + state.way) % len(state.hands)
    return changed(state, phase="play", seat=seat, skip=False)


def _draw(state: State) -> State:
    if state.phase != "play":
        over = state.phase == "over"
        message = "the game is over" if over else "no card is to be drawn for a turn now"
        raise IllegalAction(message, "UT-19" if over else "UT-5")
    seat, deck = state.seat, state.deck
    hand = state.hands[seat]
    if not deck or isinstance(hand, int):
        return _give(changed(state, exposed=-1), seat, 1, "drawn")
    if state.shuffled:
        return changed(state, phase="draw", target=seat, owed=1, after="drawn", exposed=-1)
    return changed(
        state,
        phase="drawn",
        hands=(*state.hands[:seat], add(hand, deck[0]), *state.hands[seat + 1 :]),
        deck=deck[1:],
        deck_size=state.deck_size - 1,
        drawn=deck[0],
        exposed=-1,
        idle=0,
    )


def add(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return *hand* with *card*, still in order."""
    place = bisect(hand, card)
    return (*hand[:place], card, *hand[place:])


def _reshuffle(state: State) -> State:
    """Return *state* with all but the cards on top in the draw pile, in unknown order (UT-16)."""
    pool = (*state.discard[:-1], *state.idol[:-1])
    known = not any(isinstance(hand, int) for hand in state.hands)
    return changed(
        state,
        deck=tuple(sorted(pool)) if known else (),
        deck_size=len(pool),
        shuffled=known,
        discard=state.discard[-1:],
        idol=state.idol[-1:],
    )


def _give(state: State, seat: int, number: int, after: Phase) -> State:
    """Return the state after *seat* drew *number* cards, or as far as they are known.

    after: the phase that follows, "over" for play going on in order.
    """
    card = ""
    drawn = 0
    while drawn < number:
        if not state.deck_size:
            state = _reshuffle(state)
            if not state.deck_size:
                break
        hand = state.hands[seat]
        more: Hand
        if isinstance(hand, int):
            more = hand + 1
        elif state.deck and not state.shuffled:
            card = state.deck[0]
            more = add(hand, card)
        else:
            return changed(state, phase="draw", target=seat, owed=number - drawn, after=after)
        state = changed(
            state,
            hands=(*state.hands[:seat], more, *state.hands[seat + 1 :]),
            deck=state.deck[1:],
            deck_size=state.deck_size - 1,
        )
        drawn += 1
    return _drawn(state, seat, after, card, drawn)


def _drawn(state: State, seat: int, after: Phase, card: Card, number: int) -> State:
    """Return *state* when the drawing is over."""
    exposed = -1 if state.exposed == seat else state.exposed
    if after == "over":
        return _resume_order(changed(state, exposed=exposed))
    if after != "drawn":
        return changed(state, phase=after, exposed=exposed, target=-1, owed=0)
    if number:
        return changed(state, phase="drawn", drawn=card, idle=0, target=-1, owed=0)
    idle = state.idle + 1
    if idle >= len(state.hands):  # UT-21: nobody can draw, and nobody plays
        return end_round(changed(state, out=-1))
    return _advance(changed(state, idle=idle))


def _take(state: State, card: Card) -> State:
    """Return the state after the card drawn by a known hand was seen (UT-16)."""
    if state.phase != "draw":
        raise IllegalAction("no card is being drawn", "UT-16")
    seat = state.target
    hand = state.hands[seat]
    assert isinstance(hand, tuple)
    if card not in (state.deck or held(state)):
        raise IllegalAction(f"{card} is not among the cards to draw", "UT-16")
    place = state.deck.index(card) if state.deck else 0
    if state.owed == 1 and state.after == "drawn":
        return changed(
            state,
            phase="drawn",
            hands=(*state.hands[:seat], add(hand, card), *state.hands[seat + 1 :]),
            deck=state.deck[:place] + state.deck[place + 1 :],
            deck_size=state.deck_size - 1,
            drawn=card,
            idle=0,
            target=-1,
            owed=0,
        )
    after = changed(
        state,
        deck=state.deck[:place] + state.deck[place + 1 :],
        hands=(*state.hands[:seat], add(hand, card), *state.hands[seat + 1 :]),
        deck_size=state.deck_size - 1,
    )
    if state.owed > 1:
        return _give(after, seat, state.owed - 1, state.after)
    return _drawn(after, seat, state.after, card, 1)


def _discard(state: State, card: Card) -> State:
    """Return the state after *card* went under the top of the discard pile (UT-13)."""
    seat = state.target
    if state.phase != "discard":
        raise IllegalAction("nobody is to discard now", "UT-13")
    hand = state.hands[seat]
    if isinstance(hand, tuple) and card not in hand:
        raise IllegalAction(f"seat {seat} does not hold {card}", "UT-13")
    if not may_go(state, card):
        raise IllegalAction(f"only {wanted(state)} cards may be discarded, not {card}", "UT-13")
    if state.owed == 2 and state.options.discard_two == "two_or_none" and size(hand) < 2:
        raise IllegalAction("two cards or none are discarded", "UT-13")
    more = _without(hand, card)
    after = changed(
        state,
        hands=(*state.hands[:seat], more, *state.hands[seat + 1 :]),
        discard=(*state.discard[:-1], card, state.discard[-1]),
        owed=state.owed - 1,  # below -1: all of a colour, and begun
        exposed=-1 if state.exposed == seat else state.exposed,
    )
    if not size(more):
        out = seat if state.out < 0 else state.out
        return end_round(changed(after, out=out))
    done = after.owed == 0 or (isinstance(more, tuple) and not any(may_go(after, c) for c in more))
    return _resume_order(after) if done else after


def _call(state: State, seat: int, *, caught: bool) -> State:
    """Return the state after UNO was called, or somebody was caught (UT-15)."""
    if state.exposed < 0 or seat != state.exposed or state.phase not in OPEN:
        raise IllegalAction(f"seat {seat} has no UNO to call now", "UT-15")
    state = changed(state, exposed=-1)
    return _give(state, seat, 2, state.phase) if caught else state


def outcome(state: State) -> Outcome | None:
    """Return the final scores and winners, or None while the game goes on (UT-19)."""
    if state.phase != "over":
        return None
    scores = state.match.scores
    best = min(scores) if state.options.scoring == "lowest" else max(scores)
    winners = tuple(seat for seat, points in enumerate(scores) if points == best)
    return Outcome(scores, winners, "UT-19")


def warnings(state: State) -> tuple[str, ...]:
    """Return what is unusual but the owner's business: more of a card than the deck has (UT-20)."""
    deck = dict(state.options.deck)
    shown = (*state.discard, *state.idol)
    return tuple(
        f"{card} has come up more often than the deck has it (UT-20)"
        for card in dict.fromkeys(shown)
        if shown.count(card) > deck.get(card, 0)
    )
