"""How Tiki Topple is played: the clauses of docs/rules/tiki_topple.md as functions."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

from companion.language.message import Message, listed, say
from companion.rules.base import IllegalAction, Outcome
from companion.rules.tiki_topple.pieces import (
    CARDS,
    GROUPS,
    POINTS,
    SECRET_CARDS,
    SPACES,
    TIKIS,
    TIKIS_AT_END,
    Card,
    Hand,
    Line,
    SecretCard,
    Tiki,
    is_grouped,
    is_usual,
    kinds,
    spend,
)
from companion.rules.tiki_topple.state import Action, Chance, Dealt, Lined, Played, Round, State
from companion.rules.tiki_topple.words import CARD_WORDS, tiki_name

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

    Starting lines out of their groups, secret cards with two tikis of a group and cards that are
    dealt already are the owner's business: `apply` takes them, but they are not listed here.
    """
    match state.phase:
        case "play":
            return _legal_plays(state)
        case "line":
            return _USUAL_LINES
        case "reveal":
            return _deals(state)
        case _:
            return ()


def _deals(state: State) -> tuple[Action, ...]:
    """Return the cards that the next seat without a known one may have (TT-3)."""
    seat = next(seat for seat in state.players if state.cards[seat] is None)
    *_, now = _packs(state)
    gone = {*now.used, *now.cards}
    return tuple(deal for deal in _usual_deals(seat) if deal.card not in gone)


class _Pack(NamedTuple):
    """What is known of the pack of secret cards in one round.

    cards: the cards known in this round.  used: those of earlier rounds that nobody can have drawn.
    """

    round_number: int
    cards: tuple[SecretCard, ...]
    used: frozenset[SecretCard]


def _packs(state: State) -> Iterator[_Pack]:
    """Yield the pack of each round (TT-3); it is shuffled anew when too few of the 27 are left."""
    rounds = [played.cards for played in state.rounds]
    if state.phase != "over":  # over, these stand in the last round
        rounds.append(state.cards)
    used: frozenset[SecretCard] = frozenset()
    left = SECRET_CARDS
    for round_number, by_seat in enumerate(rounds, start=1):
        cards = tuple(card for card in by_seat if card)
        # A scored round's cards are all known.
        drawn = len(cards) if round_number <= len(state.rounds) else len(state.players)
        if left < drawn:
            used, left = frozenset(), SECRET_CARDS
        yield _Pack(round_number, cards, used)
        used, left = used.union(cards), left - drawn


def _legal_plays(state: State) -> tuple[Action, ...]:
    options, line, hand = state.options, state.line, state.hands[state.seat]
    # TT-8: a hand that is still full has its first turn before it.
    tables = _plays_by_place(hand, hand == options.hand, options.topple_last, len(line))
    plays: list[Action] = []
    for by_tiki, tiki in zip(tables, line):  # noqa: B905 (strict takes longer)
        plays += by_tiki[tiki]
    return tuple(plays)


@cache
def _plays_by_place(
    hand: Hand, is_first: bool, topple_last: bool, length: int
) -> tuple[dict[Tiki, tuple[Played, ...]], ...]:
    """Return, for each place of a line, what may be played on the tiki that stands there."""
    places = []
    for place in range(length):
        is_last = place == length - 1
        fits = {card: place >= spaces for card, spaces in SPACES.items()}
        fits["topple"] = topple_last or not is_last
        fits["toast"] = is_last and not is_first
        cards = tuple(card for card in kinds(hand) if fits[card])
        places.append({tiki: tuple(_PLAYS[card][tiki] for card in cards) for tiki in TIKIS})
    return tuple(places)


def move(line: Line, card: Card, tiki: Tiki) -> Line:
    """Return *line* after *card* on *tiki* (TT-5, TT-6, TT-7), whoever plays it.

    Raises IllegalAction if the line does not allow it.
    """
    try:
        place = line.index(tiki)
    except ValueError:
        raise IllegalAction(_not_in(line, tiki), "TT-4") from None
    moved = list(line)
    del moved[place]
    if card == "toast":
        if tiki != line[-1]:
            raise IllegalAction(
                say(
                    "Toast takes the last tiki of the line, {last}, not {tiki}",
                    last=tiki_name(line[-1]),
                    tiki=tiki_name(tiki),
                ),
                "TT-7",
            )
        return tuple(moved)
    if card == "topple":
        moved.append(tiki)
        return tuple(moved)
    target = place - SPACES[card]
    if target < 0:
        raise IllegalAction(
            say(
                "{tiki} is number {place} in the line and cannot go up {spaces}",
                tiki=tiki_name(tiki),
                place=place + 1,
                spaces=SPACES[card],
            ),
            "TT-5",
        )
    moved.insert(target, tiki)
    return tuple(moved)


def _not_in(line: Line, tiki: Tiki) -> Message:
    if not line:
        return say("there is no tiki in the line")
    standing = listed(map(tiki_name, line))
    return say("{tiki} is not in the line, only {tikis}", tiki=tiki_name(tiki), tikis=standing)


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if isinstance(action, Played):
        return _play(state, action.card, action.tiki)
    if isinstance(action, Lined):
        return _line_up(state, action.line)
    return _deal(state, action.seat, action.card)


def _play(state: State, card: Card, tiki: Tiki) -> State:
    options, phase, seat, line = state.options, state.phase, state.seat, state.line
    hands = state.hands
    if phase != "play":
        raise IllegalAction(_WAITING[phase], _WAITING_CLAUSE[phase])
    hand = hands[seat]
    if card not in hand:
        raise IllegalAction(_not_held(hand, card), "TT-4")
    if card == "toast" and hand == options.hand:
        raise IllegalAction(say("nobody may play a Toast as their first card of a round"), "TT-8")
    if card == "topple" and tiki == line[-1] and not options.topple_last:
        last = say("{tiki} is already last; Topple needs another tiki", tiki=tiki_name(tiki))
        raise IllegalAction(last, "TT-6")
    line = move(line, card, tiki)
    hand = spend(hand, card)
    all_hands = list(hands)
    all_hands[seat] = hand
    seat = _following(state.players, seat)
    played = state.copy()
    played.line, played.hands = line, tuple(all_hands)
    if len(line) == TIKIS_AT_END:
        played.phase, played.ended_by = "reveal", "TT-9"
    elif not hand and not any(all_hands):
        played.phase, played.ended_by = "reveal", "TT-10"
    else:
        while not all_hands[seat]:  # only after a line was adopted do some have none left
            seat = _following(state.players, seat)
    played.seat = seat
    return _settle(played)


def _not_held(hand: Hand, card: Card) -> Message:
    if not hand:
        return say("the player whose turn it is has no cards left")
    return say(
        "the player whose turn it is has no {card} left, only {cards}",
        card=CARD_WORDS[card],
        cards=listed([CARD_WORDS[each] for each in kinds(hand)]),
    )


_WAITING: Final = {
    "line": say("the starting line has not been set up yet"),
    "reveal": say("the round is over; the secret cards are shown now"),
    "over": say("the game is over"),
}
_WAITING_CLAUSE: Final = {"line": "TT-2", "reveal": "TT-9", "over": "TT-12"}


def _line_up(state: State, line: Line) -> State:
    if state.phase != "line":
        raise IllegalAction(say("the starting line has already been set up"), "TT-2")
    if sorted(line) != sorted(TIKIS):
        raise IllegalAction(say("a starting line has each of the nine tikis exactly once"), "TT-2")
    return state._replace(phase="play", line=line)


def _deal(state: State, seat: int, card: SecretCard) -> State:
    if state.phase == "over":
        raise IllegalAction(say("the game is over; no more cards are dealt"), "TT-12")
    if seat not in state.players:
        raise IllegalAction(say("that player is not in this round"), "TT-3")
    if state.cards[seat] is not None:
        raise IllegalAction(say("that player’s secret card is known already"), "TT-3")
    if len(set(card)) != len(card):
        raise IllegalAction(say("a secret card shows three different tikis"), "TT-3")
    cards = (*state.cards[:seat], card, *state.cards[seat + 1 :])
    return _settle(state._replace(cards=cards))


def resumed(state: State) -> State:
    """Return *state*, whose line the people have adopted, or what follows if the round is over.

    It is by TT-9 or TT-10, as if a card had led there.
    """
    if len(state.line) > TIKIS_AT_END and any(state.hands):
        return state
    ended_by = "TT-9" if len(state.line) <= TIKIS_AT_END else "TT-10"
    return _settle(state._replace(phase="reveal", ended_by=ended_by))


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


def warnings(state: State) -> tuple[Message, ...]:
    """Return what is unusual but the owner's business: lines (TT-2) and secret cards (TT-3)."""
    found = []
    untouched = all(state.hands[seat] == state.options.hand for seat in state.players)
    if state.line and untouched and not is_grouped(state.line):
        found.append(
            say(
                "the starting line is not made up of three groups of one symbol each; it is"
                " played as it is"
            )
        )
    packs = list(_packs(state))
    found += [
        say("the secret card {tikis} has two tikis with the same symbol", tikis=_names(card))
        for card in dict.fromkeys(card for pack in packs for card in pack.cards)
        if not is_usual(card)
    ]
    for round_number, cards, used in packs:
        for card in dict.fromkeys(cards):
            if cards.count(card) > 1:
                found.append(
                    say(
                        "two players have the secret card {tikis} in round {number}, but no two"
                        " cards are alike, so one was entered wrongly; take back the move that"
                        " ended the round and enter the right card",
                        tikis=_names(card),
                        number=round_number,
                    )
                )
            if card in used:
                found.append(
                    say(
                        "the secret card {tikis} was dealt again in round {number}",
                        tikis=_names(card),
                        number=round_number,
                    )
                )
    return tuple(found)


def _names(card: SecretCard) -> Message:
    return listed(map(tiki_name, card), "units")
