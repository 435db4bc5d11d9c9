"""How Tiki Topple is played: the clauses of docs/rules/tiki_topple.md as functions."""

from functools import cache
from itertools import permutations
from typing import Final

from companion.rules.base import IllegalAction, Outcome
from companion.rules.tiki_topple.pieces import (
    CARDS,
    FEWEST,
    GROUPS,
    POINTS,
    SPACES,
    TIKIS,
    Card,
    Line,
    SecretCard,
    Tiki,
    is_grouped,
    is_usual,
    kinds,
    spend,
)
from companion.rules.tiki_topple.state import (
    Action,
    Chance,
    Dealt,
    Lined,
    Phase,
    Played,
    Round,
    State,
)

# Every play there is, made once: a tuple lookup is several times cheaper than a new object.
_PLAYS: Final[dict[Card, dict[Tiki, Played]]] = {
    card: {tiki: Played(card, tiki) for tiki in TIKIS} for card in CARDS
}
_USUAL_LINES: Final[tuple[Lined, ...]] = tuple(
    Lined((*top, *middle, *bottom))
    for groups in permutations(map(sorted, GROUPS))
    for top in permutations(groups[0])
    for middle in permutations(groups[1])
    for bottom in permutations(groups[2])
)


@cache
def _usual_deals(seat: int) -> tuple[Dealt, ...]:
    cards = map(SecretCard._make, permutations(TIKIS, 3))
    return tuple(Dealt(seat, card) for card in cards if is_usual(card))


@cache
def _following(players: tuple[int, ...], seat: int) -> int:
    return players[(players.index(seat) + 1) % len(players)]


def turn(state: State) -> int | None:
    """Return the seat to act; None while the line is put up, cards are shown, or all is over."""
    return state.seat if state.phase == "play" else None


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what may happen next; empty if and only if the game is over.

    Starting lines out of their groups and secret cards with two tikis of a group are the owner's
    business: `apply` takes them, but they are not listed here.
    """
    match state.phase:
        case "play":
            return _legal_plays(state)
        case "line":
            return _USUAL_LINES
        case "reveal":
            return _usual_deals(next(seat for seat in state.players if state.cards[seat] is None))
        case _:
            return ()


def _legal_plays(state: State) -> tuple[Action, ...]:
    options, line, hand = state.options, state.line, state.hands[state.seat]
    plays: list[Action] = []
    for card in kinds(hand):
        if card == "toast":
            if hand == options.hand:  # TT-8: still full, so it is this player's first turn
                continue
            targets = line[-1:]
        elif card == "topple":
            targets = line if options.topple_last else line[:-1]
        else:
            targets = line[SPACES[card] :]
        plays += map(_PLAYS[card].__getitem__, targets)
    return tuple(plays)


def move(line: Line, card: Card, tiki: Tiki) -> Line:
    """Return *line* after *card* on *tiki* (TT-5, TT-6, TT-7), whoever plays it.

    Raises IllegalAction if the line does not allow it.
    """
    if tiki not in line:
        standing = " ".join(line) or "none"
        raise IllegalAction(f"{tiki} is not in the line; these are: {standing}", "TT-4")
    place = line.index(tiki)
    rest = line[:place] + line[place + 1 :]
    if card == "toast":
        if rest != line[:-1]:
            raise IllegalAction(f"Toast takes the last tiki, {line[-1]}, not {tiki}", "TT-7")
        return rest
    if card == "topple":
        return (*rest, tiki)
    target = place - SPACES[card]
    if target < 0:
        raise IllegalAction(
            f"{tiki} is number {place + 1} of the line and cannot go up {SPACES[card]}", "TT-5"
        )
    return (*rest[:target], tiki, *rest[target:])


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if isinstance(action, Played):
        return _play(state, *action)
    if isinstance(action, Lined):
        return _line_up(state, action.line)
    return _deal(state, action.seat, action.card)


def _play(state: State, card: Card, tiki: Tiki) -> State:
    if state.phase != "play":
        raise IllegalAction(f"{card} {tiki}: {_WAITING[state.phase]}", _WAITING_CLAUSE[state.phase])
    seat, line = state.seat, state.line
    hand = state.hands[seat]
    if card not in hand:
        held = " ".join(hand)
        raise IllegalAction(f"seat {seat} has no {card} left, only: {held}", "TT-4")
    if card == "toast" and hand == state.options.hand:
        raise IllegalAction("Toast may not be a player's first card of a round", "TT-8")
    if card == "topple" and tiki == line[-1] and not state.options.topple_last:
        raise IllegalAction(f"{tiki} is last already; Topple needs another tiki", "TT-6")
    line = move(line, card, tiki)
    hand = spend(hand, card)
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    phase: Phase = "play"
    ended_by = ""
    if len(line) == FEWEST:
        phase, ended_by = "reveal", "TT-9"
    elif not hand and not any(hands):
        phase, ended_by = "reveal", "TT-10"
    following = _following(state.players, seat)
    # Whole rather than by _replace, which takes five times as long.
    after = State(
        state.options,
        phase,
        state.players,
        state.starter,
        following,
        line,
        hands,
        state.cards,
        state.scores,
        ended_by,
        state.rounds,
        state.coming,
    )
    return _settle(after) if ended_by else after


_WAITING: Final = {
    "line": "the starting line is not up yet",
    "reveal": "the round is over; the secret cards are shown now",
    "over": "the game is over",
}
_WAITING_CLAUSE: Final = {"line": "TT-2", "reveal": "TT-9", "over": "TT-12"}


def _line_up(state: State, line: Line) -> State:
    if state.phase != "line":
        raise IllegalAction("the starting line is up already", "TT-2")
    if sorted(line) != sorted(TIKIS):
        raise IllegalAction("a starting line has all nine tikis, each once", "TT-2")
    return state._replace(phase="play", line=line)


def _deal(state: State, seat: int, card: SecretCard) -> State:
    if state.phase == "over":
        raise IllegalAction("the game is over; no card is dealt", "TT-12")
    if seat not in state.players:
        raise IllegalAction(f"seat {seat} does not play this round", "TT-3")
    if state.cards[seat] is not None:
        raise IllegalAction(f"seat {seat} has its secret card already", "TT-3")
    if len(set(card)) != len(card):
        raise IllegalAction("a secret card shows three different tikis", "TT-3")
    cards = (*state.cards[:seat], card, *state.cards[seat + 1 :])
    return _settle(state._replace(cards=cards))


def points_of(card: SecretCard, line: Line) -> int:
    """Return what *card* earns with *line* (TT-11).

    >>> points_of(SecretCard("wikiwiki", "hookipa", "akamai"), ("lokahi", "hookipa", "akamai"))
    7
    """
    return sum(
        points
        for places, (points, tiki) in enumerate(zip(POINTS, card, strict=True), start=1)
        if tiki in line[:places]
    )


def _settle(state: State) -> State:
    """Score the round if it has ended and every card is known; else return *state*."""
    if state.phase != "reveal":
        return state
    points = [0] * len(state.scores)
    for seat in state.players:
        card = state.cards[seat]
        if card is None:
            return state
        points[seat] = points_of(card, state.line)
    scores = tuple(map(sum, zip(state.scores, points, strict=True)))
    played = Round(state.line, state.cards, tuple(points), state.ended_by)
    return _next_round(state._replace(scores=scores, rounds=(*state.rounds, played), ended_by=""))


def _next_round(state: State) -> State:
    """Return the start of the next round (TT-14), or the end (TT-12, TT-13)."""
    seats, players = len(state.scores), state.players
    if len(state.rounds) >= state.options.rounds:
        best = max(state.scores[seat] for seat in players)
        leaders = tuple(seat for seat in players if state.scores[seat] == best)
        if len(leaders) == 1 or state.options.tie == "share":
            return state._replace(phase="over")
        players = leaders
    due = (state.starter + 1) % seats
    starter = min(players, key=lambda seat: (seat - due) % seats)
    coming = state.coming[0] if state.coming else Chance(None, (None,) * seats)
    return State(
        options=state.options,
        phase="play" if coming.line else "line",
        players=players,
        starter=starter,
        seat=starter,
        line=coming.line or (),
        hands=tuple(state.options.hand if seat in players else () for seat in range(seats)),
        cards=tuple(card if seat in players else None for seat, card in enumerate(coming.cards)),
        scores=state.scores,
        ended_by="",
        rounds=state.rounds,
        coming=state.coming[1:],
    )


def outcome(state: State) -> Outcome | None:
    """Return the final scores and winners, or None while the game goes on (TT-12, TT-13)."""
    if state.phase != "over":
        return None
    best = max(state.scores[seat] for seat in state.players)
    winners = tuple(seat for seat in state.players if state.scores[seat] == best)
    tie_round = len(state.rounds) > state.options.rounds or len(winners) > 1
    return Outcome(state.scores, winners, "TT-13" if tie_round else "TT-12")


def warnings(state: State) -> tuple[str, ...]:
    """Return what is unusual but the owner's business: lines out of groups, odd cards."""
    found = []
    untouched = all(state.hands[seat] == state.options.hand for seat in state.players)
    if state.line and untouched and not is_grouped(state.line):
        found.append("the starting line is not in three groups of one symbol (TT-2)")
    now = state.cards if state.phase != "over" else ()  # over, these stand in the last round
    dealt = [card for card in now if card] + [
        card for played in state.rounds for card in played.cards if card
    ]
    found += [
        f"secret card {' '.join(card)} has two tikis of one symbol (TT-3)"
        for card in dict.fromkeys(dealt)
        if not is_usual(card)
    ]
    found += [
        f"secret card {' '.join(card)} was dealt more than once (TT-3)"
        for card in dict.fromkeys(dealt)
        if dealt.count(card) > 1
    ]
    return tuple(found)
