"""How UNO Tiki is played: the clauses of docs/rules/uno_tiki.md as functions."""

from collections import Counter

from companion.language.message import say
from companion.rules.base import IllegalAction, Outcome
from companion.rules.uno_tiki.cards import (
    COLOUR,
    COLOURS,
    DRAWS,
    IS_TIKI,
    IS_WILD,
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
    HandDeclared,
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
from companion.rules.uno_tiki.draws import (
    advance,
    draw_as_caught,
    draw_for_turn,
    give,
    resume_order,
    take,
)
from companion.rules.uno_tiki.hands import declare, is_known, may_hold, without
from companion.rules.uno_tiki.legal import OPEN, may_go, may_keep, needs_two, wanted
from companion.rules.uno_tiki.naming import CARD_WORDS, FACES, pile_words
from companion.rules.uno_tiki.rounds import (
    count,
    cut,
    end_round,
    turn_up,
)
from companion.rules.uno_tiki.state import State


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if isinstance(action, Played):
        return _play(state, action.card, action.colour)
    if isinstance(action, Drew):
        return draw_for_turn(state)
    if state.phase == "over":
        raise IllegalAction(say("the game is over"), "UT-19")
    if isinstance(action, Passed):
        if state.phase != "drawn":
            raise IllegalAction(say("a player may pass only after drawing a card"), "UT-5")
        return advance(state)
    if isinstance(action, Took):
        return take(state, action.card)
    if isinstance(action, Spun):
        return _spin(state, action.seats)
    if isinstance(action, Chosen):
        return _choose(state, action.seat)
    if isinstance(action, Discarded):
        return _discard(state, action.card)
    if isinstance(action, Kept):
        return _keep(state)
    if isinstance(action, Called | Caught):
        return _call(state, action.seat, caught=isinstance(action, Caught))
    return _prepare(state, action)


def _prepare(state: State, action: Named | TurnedUp | Cut | HandDeclared | Counted) -> State:
    """Return the state after *action*, which is none of a turn."""
    if isinstance(action, Named):
        if state.phase != "colour":
            raise IllegalAction(say("nobody has to choose a colour now"), "UT-3")
        return state._replace(phase="play", colour=action.colour)
    if isinstance(action, TurnedUp):
        return turn_up(state, action.card)
    if isinstance(action, Cut):
        return cut(state, action.card)
    if isinstance(action, HandDeclared):
        return declare(state, action.seat, action.cards)
    return count(state, action.seat, action.points)


def _refuse_play(state: State, card: Card, colour: str) -> IllegalAction:
    """Return why *card* may not be played now."""
    if state.phase == "over":
        return IllegalAction(say("the game is over"), "UT-19")
    if state.phase not in ("play", "drawn"):
        return IllegalAction(say("no card can be played now"), "UT-4")
    name = CARD_WORDS[card]
    if not may_hold(state.hands[state.seat], card):
        return IllegalAction(say("{card} is not in that player’s hand", card=name), "UT-4")
    if state.phase == "drawn" and state.drawn not in ("", card):
        words = say("only the card just drawn may be played, not {card}", card=name)
        return IllegalAction(words, "UT-5")
    if (colour in COLOURS) != (card in IS_WILD):
        return IllegalAction(say("a colour is chosen with a Wild, and only with a Wild"), "UT-8")
    top = pile_words(state.colour, state.symbol)
    return IllegalAction(say("{card} cannot go on {top}", card=name, top=top), "UT-4")


def _is_playable(state: State, card: Card, colour: str) -> bool:
    hand, phase = state.hands[state.seat], state.phase
    return (
        (phase == "play" or (phase == "drawn" and state.drawn in ("", card)))
        and card in fitting(state.colour, state.symbol)
        and (colour != "") == (card in IS_WILD)
        and may_hold(hand, card)
    )


def _play(state: State, card: Card, colour: str) -> State:
    """Return the state after *card* was played (UT-4, UT-6 to UT-10)."""
    seat, hands, phase = state.seat, state.hands, state.phase
    if not _is_playable(state, card, colour):
        raise _refuse_play(state, card, colour)
    unknown = phase == "drawn" and not state.drawn  # then it is not one like it that is known
    hand = without(hands[seat], card, prefer_hidden=unknown)
    left = len(hand)
    options, skip = state.options, False
    played = state.copy()
    if card in IS_TIKI:  # UT-9: the pile and its colour stay
        played.idol += (card,)
    else:
        symbol = SYMBOL[card]
        played.discard += (card,)
        played.colour, played.symbol = colour or COLOUR[card], symbol
        if symbol == "reverse":
            played.way = -state.way
            skip = len(hands) == 2 and options.two_player_reverse == "skip"
        elif symbol == "skip":
            skip = True
    spin = card in SPINS and bool(played.idol) and (left > 0 or options.last_card_spin)
    if not spin and left:
        played.seat = (seat + (2 * played.way if skip else played.way)) % len(hands)
    all_hands = list(hands)
    all_hands[seat] = hand
    played.phase, played.hands = "spin" if spin else "play", tuple(all_hands)
    played.skip, played.drawn, played.idle = skip and spin, "", 0
    played.exposed, played.out = seat if left == 1 else -1, -1 if left else seat
    return played if left or spin else end_round(played)


def _spin(state: State, seats: tuple[int, ...]) -> State:
    """Return the state after the idol stopped (UT-11)."""
    if state.phase != "spin":
        raise IllegalAction(say("nobody has to spin the idol now"), "UT-11")
    if seats not in spins(len(state.hands)):
        raise IllegalAction(
            say("the idol stops at one player, or between two who sit next to each other"), "UT-11"
        )
    if len(seats) == 2:
        stopped = state.copy()
        stopped.phase, stopped.between = "choose", seats
        return stopped
    return _act(state, seats[0]) if seats else state


def _choose(state: State, seat: int) -> State:
    """Return the state after the spinner chose one of two (UT-11)."""
    if state.phase != "choose" or seat not in state.between:
        raise IllegalAction(say("that player cannot be chosen"), "UT-11")
    chosen = state.copy()
    chosen.between = ()
    return _act(chosen, seat)


def _act(state: State, seat: int) -> State:
    """Return the state after *seat* got the action of the face that is showing (UT-12 to UT-14)."""
    face = state.idol[-1]
    if seat == state.out:  # UT-17: whoever is out has no cards to act with
        return end_round(state)
    if face in DRAWS:
        return give(state, seat, DRAWS[face], "over")
    if face != "tiki-goto":
        chosen = state.copy()
        chosen.phase, chosen.target, chosen.owed = "discard", seat, -1 if wanted(state) else 2
        return chosen
    if state.out >= 0:
        return end_round(state)
    if state.skip and not state.options.goto_overrides_skip:
        seat = (seat + state.way) % len(state.hands)
    gone = state.copy()
    gone.phase, gone.seat, gone.skip = "play", seat, False
    return gone


def _discard(state: State, card: Card) -> State:
    """Return the state after *card* went under the top of the discard pile (UT-13)."""
    seat = state.target
    if state.phase != "discard":
        raise IllegalAction(say("nobody has to discard now"), "UT-13")
    hand = state.hands[seat]
    if not may_hold(hand, card):
        words = say("{card} is not in that player’s hand", card=CARD_WORDS[card])
        raise IllegalAction(words, "UT-13")
    if not may_go(state, card):
        words = say(
            "{card} may not be discarded: the idol shows {face}",
            card=CARD_WORDS[card],
            face=FACES[state.idol[-1]],
        )
        raise IllegalAction(words, "UT-13")
    if state.owed == 2 and needs_two(state) and len(hand) < 2:
        raise IllegalAction(say("a player discards two cards or none"), "UT-13")
    more = without(hand, card)
    after = state.copy()
    after.hands = (*state.hands[:seat], more, *state.hands[seat + 1 :])
    after.discard = (*state.discard[:-1], card, state.discard[-1])
    after.owed = state.owed - 1  # below -1: all of a colour, and begun
    if state.exposed == seat:
        after.exposed = -1
    if not len(more):
        out = seat if state.out < 0 else state.out
        return end_round(after._replace(out=out))
    done = after.owed == 0 or (is_known(more) and not any(may_go(after, c) for c in more))
    return resume_order(after) if done else after


def _keep(state: State) -> State:
    """Return the state after the chosen player discards nothing more (UT-13)."""
    if state.phase != "discard":
        raise IllegalAction(say("nobody has to discard now"), "UT-13")
    if not may_keep(state):
        words = say("a player who has begun to discard has to continue")
        raise IllegalAction(words, "UT-13")
    return resume_order(state)


def _call(state: State, seat: int, *, caught: bool) -> State:
    """Return the state after UNO was called, or somebody was caught (UT-15)."""
    if state.exposed < 0 or seat != state.exposed or state.phase not in OPEN:
        raise IllegalAction(say("that player does not have to call UNO now"), "UT-15")
    return draw_as_caught(state) if caught else state._replace(exposed=-1)


def resumed(state: State, seat: int) -> State:
    """Return *state*, whose pile and idol the people have adopted, before a turn of *seat*.

    The card on top has no effect (UT-6, UT-10); the colour of a Wild is named (UT-8). Whoever has
    no card left has gone out (UT-17).
    """
    card = state.discard[-1]
    out = next((place for place, hand in enumerate(state.hands) if not hand), -1)
    state = state._replace(
        phase="colour" if card in IS_WILD else "play",
        seat=seat,
        colour=COLOUR[card],
        symbol=SYMBOL[card],
        skip=False,
        target=-1,
        owed=0,
        drawn="",
        between=(),
        exposed=-1,
        out=out,
        idle=0,
        pending=None,
    )
    return end_round(state) if out >= 0 else state


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
    shown = Counter((*state.discard, *state.idol))
    for hand in state.hands:
        shown.update(card for card in hand if card)
    shown |= Counter(card for _, card in state.match.cuts)  # which have been put back since
    return tuple(
        say("{card} has come up more often than the deck allows", card=CARD_WORDS[card])
        for card, copies in shown.items()
        if copies > deck.get(card, 0)
    )
