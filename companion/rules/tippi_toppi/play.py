"""How Tippi Toppi is played: the clauses of docs/rules/tippi_toppi.md as functions."""

from collections import Counter

from companion.language.message import listed, say
from companion.rules.base import IllegalAction, Outcome
from companion.rules.tippi_toppi.cards import (
    FITS,
    HIDDEN,
    OPEN_GOALS,
    PILES,
    STUCK,
    Action,
    Card,
    Drew,
    HandDeclared,
    Laid,
    Met,
    Played,
    Revealed,
    Stuck,
    card_words,
)
from companion.rules.tippi_toppi.goals import (
    OTHER,
    Goal,
    has_other,
    is_met,
    met_of,
    parse_goal,
)
from companion.rules.tippi_toppi.hands import add, declare, hidden, is_known, known_of
from companion.rules.tippi_toppi.legal import (
    candidates,
    legal_actions,
    stuck_now,
)
from companion.rules.tippi_toppi.state import Hand, Options, State


def turn(state: State) -> int | None:
    """Return the seat to act; None in High Speed, while cards are turned up, or at the end."""
    return state.seat if state.phase == "play" and not state.options.high_speed else None


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if isinstance(action, Played):
        return _play(state, action)
    if state.phase == "over":
        raise IllegalAction(say("the game is over"), state.ended_by)
    if isinstance(action, Laid):
        return _lay(state, action.card)
    if isinstance(action, Revealed):
        if state.phase != "goal":
            raise IllegalAction(say("there is no goal to turn up now"), "TP-3")
        revealed = state.copy()
        _open_goal(revealed, action.goal)
        return resolve_goals(revealed)
    if isinstance(action, Stuck):
        return _give_up(state)
    if isinstance(action, Met):
        return _meet(state)
    if isinstance(action, Drew):
        return _take(state, action.card)
    if isinstance(action, HandDeclared):
        declared = state._replace(hands=declare(state, action.seat, action.cards))
        return declared if state.phase != "play" else _pass_on(declared)
    if not state.options.high_speed or state.phase == "lay":
        raise IllegalAction(say("no clock is running"), "TP-14")
    return state._replace(phase="over", ended_by="TP-14", time_up=True)


def _lay(state: State, card: Card) -> State:
    if state.phase != "lay":
        raise IllegalAction(say("the four piles have already been laid out"), "TP-2")
    if not hidden(state)[card]:
        raise IllegalAction(_elsewhere(card), "TP-1")
    pile = len(state.tops)
    piles = (*state.piles[:pile], (card,), *state.piles[pile + 1 :])
    laid = state._replace(piles=piles, tops=(*state.tops, card))
    return resolve_goals(laid) if pile == PILES - 1 else laid


def _refuse_play(state: State, action: Played) -> IllegalAction:
    """Return why *action* may not happen now."""
    options, card = state.options, action.card
    if state.phase == "over":
        return IllegalAction(say("the game is over"), state.ended_by)
    if state.phase != "play":
        return IllegalAction(say("cards or goals have to be turned up first"), "TP-3")
    if (action.seat is not None) != (options.high_speed and state.hands[0] is not None):
        wrong = say("say who plays: in High Speed with known hands, that is needed")
        if action.seat is not None:
            wrong = say("leave out who plays; that is only for High Speed with known hands")
        return IllegalAction(wrong, "TP-14")
    if action.seat is not None and action.seat >= len(state.hands):
        return IllegalAction(say("nobody sits at that seat"), "TP-14")
    hand = state.hands[state.seat if action.seat is None else action.seat]
    if is_known(hand) and card not in known_of(hand):
        return IllegalAction(_not_held(card, hand, shown=options.open_hands), "TP-4")
    if card not in candidates(state, hand):
        return IllegalAction(_elsewhere(card), "TP-18")
    misfit = say(
        "{card} has neither the colour nor the number of {top}",
        card=card_words(card),
        top=card_words(state.tops[action.pile]),
    )
    return IllegalAction(misfit, "TP-4")


def _elsewhere(card: Card) -> str:
    return say("both {card} cards are already elsewhere", card=card_words(card))


def _not_held(card: Card, hand: Hand, *, shown: bool) -> str:
    """Return that *hand* lacks *card*; all may read that, so only if *shown* what it has."""
    held = known_of(hand)
    if not shown or not held:
        return say("{card} is not in that hand", card=card_words(card))
    return say(
        "{card} is not in that hand, which holds {cards}",
        card=card_words(card),
        cards=listed(map(card_words, held)),
    )


def _play(state: State, action: Played) -> State:
    card, pile, seat = action.card, action.pile, action.seat
    options, hands, tops = state.options, state.hands, state.tops
    who = state.seat if seat is None else seat
    known = hands[0] is not None
    if (
        state.phase != "play"
        or not FITS[tops[pile]] >> card & 1
        or who >= len(hands)
        or (seat is not None) != (options.high_speed and known)
    ):
        raise _refuse_play(state, action)
    hand: Hand = hands[who]
    if hand is not None and card in hand:
        place = hand.index(card)
        hand = hand[:place] + hand[place + 1 :]
    elif is_known(hand) or not hidden(state)[card]:
        raise _refuse_play(state, action)
    elif hand is not None:
        hand = hand[1:]  # what is hidden comes first
    new_piles, new_tops, new_hands = list(state.piles), list(tops), list(hands)
    new_piles[pile] += (card,)
    new_tops[pile] = card
    new_hands[who] = hand
    played = state.copy()
    played.piles, played.tops, played.hands = tuple(new_piles), tuple(new_tops), tuple(new_hands)
    played.drawer = who
    return resolve_goals(played) if _take_met(played) else _draw(played)


def _take_met(new: State) -> bool:
    """Put all goals aside in *new* that its piles meet, and tell whether there were any (TP-6)."""
    met = met_of(new.goals, new.tops)
    if met:
        texts = [goal.text for goal in met]
        new.goals = tuple([goal for goal in new.goals if goal.text not in texts])
        new.met = (*new.met, *met)
    return bool(met)


def _meet(state: State) -> State:
    """Return *state* with a goal put aside that the players have found met (TP-7)."""
    goals = state.goals
    if state.phase not in ("play", "draw") or not has_other(goals):
        raise IllegalAction(say("there is no goal now that you check yourselves"), "TP-7")
    return resolve_goals(state._replace(goals=goals[:-1], met=state.met + goals[-1:]))


def goal_of(options: Options, text: str) -> Goal:
    """Return the goal *text* as this table reads it; raises InvalidAction."""
    return parse_goal(text, options.run_order, options.alternating)


def _open_goal(new: State, text: str) -> None:
    """Turn the next goal up in *new*; one that is met is put aside at once (TP-6)."""
    goal, goals = goal_of(new.options, text), new.goals
    new.goals_left -= 1
    if is_met(goal, new.tops):
        new.met += (goal,)
        return
    last = len(goals) - sum([each.text == OTHER for each in goals])
    new.goals = (*goals[:last], goal, *goals[last:])


def resolve_goals(new: State) -> State:
    """Return *new* with up to four goals open, as far as they are known, and the turn passed."""
    while new.goals_left and len(new.goals) < OPEN_GOALS:
        if not new.coming:
            new.phase = "goal"
            return new
        text, new.coming = new.coming[0], new.coming[1:]
        _open_goal(new, text)
    if not new.goals:  # TP-11, before anybody can be stuck
        new.phase, new.drawer, new.ended_by = "over", None, "TP-11"
        return new
    return _draw(new)


def resumed(state: State) -> State:
    """Return *state*, whose piles the people have adopted, with all goals met that they meet."""
    new = state._replace(drawer=None)
    _take_met(new)
    return resolve_goals(new)


def _draw(new: State) -> State:
    """Return *new* after its drawer drew (TP-5), if that can be told, and the turn was passed."""
    who, deck = new.drawer, new.deck
    if who is None:
        return _pass_on(new)
    hand = new.hands[who]
    if new.cards_left:
        if deck and hand is not None:
            hand, new.deck = add(hand, deck[0]), deck[1:]
        elif is_known(hand):
            new.phase = "draw"
            return new
        elif hand is not None:
            hand = (HIDDEN, *hand)
        hands = list(new.hands)
        hands[who] = hand
        new.hands, new.cards_left = tuple(hands), new.cards_left - 1
    if not new.options.high_speed:
        new.seat = (new.seat + 1) % len(new.hands)
    return _pass_on(new)


def _pass_on(new: State) -> State:
    """Return *new* with its seat to play, or the game lost (TP-12 to TP-14)."""
    ended_by = stuck_now(new)
    if ended_by and has_other(new.goals):  # it may be met, which only the players can say
        ended_by = ""
    new.phase = "over" if ended_by else "play"
    new.drawer, new.ended_by = None, ended_by
    return new


def _take(state: State, card: Card) -> State:
    """Return the state after a known hand drew *card*, which may be HIDDEN (TP-5, TP-18)."""
    who, hands = state.drawer, state.hands
    if state.phase != "draw" or who is None:
        raise IllegalAction(say("nobody has to enter a drawn card now"), "TP-5")
    if card >= 0 and not hidden(state)[card]:
        raise IllegalAction(_elsewhere(card), "TP-18")
    hand = add(hands[who] or (), card)
    seat = state.seat if state.options.high_speed else (state.seat + 1) % len(hands)
    drawn = state._replace(
        seat=seat,
        hands=(*hands[:who], hand, *hands[who + 1 :]),
        cards_left=state.cards_left - 1,
    )
    return _pass_on(drawn)


def _give_up(state: State) -> State:
    clause = "TP-14" if state.options.high_speed else "TP-12"
    if state.phase != "play":
        raise IllegalAction(say("no card can be played now"), clause)
    if STUCK not in legal_actions(state):
        hands = state.hands if state.options.high_speed else (state.hands[state.seat],)
        if all(map(is_known, hands)):
            raise IllegalAction(say("that hand has a card that fits"), clause)
        fitting = say("that hand must have a card that fits")
        raise IllegalAction(fitting, "TP-18")
    return state._replace(phase="over", ended_by=stuck_now(state) or clause)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on; all win or nobody (TP-11 to TP-14).

    Everybody's score is the number of goals met.
    """
    if state.phase != "over":
        return None
    seats = len(state.hands)
    winners = tuple(range(seats)) if state.ended_by == "TP-11" else ()
    return Outcome((len(state.met),) * seats, winners, state.ended_by)


def surplus_goals(state: State) -> tuple[str, ...]:
    """Return the goals that came up more often than the goal deck allows."""
    deck = Counter(state.options.goal_deck)
    shown = Counter(goal.text for goal in (*state.goals, *state.met))
    return tuple(text for text, copies in shown.items() if deck and copies > deck[text])


def warnings(state: State) -> tuple[str, ...]:
    """Return what is unusual but the owner's business: goals that the goal deck does not have."""
    return tuple(
        f"the goal '{text}' came up more often than the goal deck allows (TP-7)"
        for text in surplus_goals(state)
    )
