"""Why a card counts: what it moved, what it earned, how a round ended; in words for everybody."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.tiki_topple.line import table_of
from companion.language.message import Message, listed, mark, say, say_count, sequence
from companion.referee.game import Reason, RoundEnd
from companion.rules import tiki_topple
from companion.rules.base import RulesError
from companion.rules.tiki_topple import (
    POINTS,
    TIKIS,
    TIKIS_AT_END,
    Action,
    Dealt,
    Line,
    Lined,
    Played,
    Round,
    SecretCard,
    State,
    tiki_name,
)

# TT-11, by place: only the tiki of the 9 points has to be first, so each of these may be paid.
_PAID: Final = (
    mark("{tiki}, 1st in line: {points} points"),
    mark("{tiki}, 2nd in line: {points} points"),
    mark("{tiki}, 3rd in line: {points} points"),
)
# By how far down the points of a tiki count.
_UNPAID: Final = (
    mark("{tiki}, number {place} in line: no points, as its {points} only count if it is 1st"),
    mark(
        "{tiki}, number {place} in line: no points, as its {points} only count if it is 1st or 2nd"
    ),
    mark(
        "{tiki}, number {place} in line: no points, as its {points} only count if it is 1st to 3rd"
    ),
)


def card_lines(card: Sequence[str], line: Sequence[str]) -> tuple[Message, ...]:
    """Return what each tiki of a secret card earns with *line*, and why (TT-11).

    >>> card_lines(("nani", "huhu", "nui"), ("nani", "kapu", "nui"))[0]
    'Nani, 1st in line: 9 points'
    """
    return tuple(
        _tiki_line(tiki, points, line, reach)
        for reach, (points, tiki) in enumerate(zip(POINTS, card, strict=True), start=1)
    )


def _tiki_line(tiki: str, points: int, line: Sequence[str], reach: int) -> Message:
    name = tiki_name(tiki)
    if tiki not in line:
        return say("{tiki}, toasted: no points", tiki=name)
    place = line.index(tiki) + 1
    if place <= reach:
        return say(_PAID[place - 1], tiki=name, points=points)
    return say(_UNPAID[reach - 1], tiki=name, points=points, place=place)


def reason(before: State, action: Action, players: Sequence[str]) -> Reason | None:
    """Return why *action* did what it did; see `Game.reason`."""
    if isinstance(action, Played):
        return _reason_of_card(before, action)
    if isinstance(action, Lined):
        return _reason_of_line(before, players)
    if before.phase != "reveal":
        return None  # nobody but its owner may know it yet
    return _reason_of_secret_card(before, action)


def _reason_of_card(before: State, played: Played) -> Reason | None:
    try:
        line = tiki_topple.move(before.line, played.card, played.tiki)
    except RulesError:
        return None
    ended_by = _ended_by(before, line)
    clause = {"toast": "TT-7", "topple": "TT-6"}.get(played.card, "TT-5")
    words = [_moved(before.line, line, played), _last_card_words(ended_by)]
    if played.card == "toast" and not ended_by:
        left = say_count("{number} tiki is left", "{number} tikis are left", len(line))
        words.append(left)
    return Reason(sequence(words, ". "), ended_by or clause)


def _ended_by(before: State, line: Line) -> str:
    """Return the clause by which the round ends when a card has left *line*, "" if it goes on."""
    if len(line) <= TIKIS_AT_END:
        return "TT-9"
    return "TT-10" if sum(map(len, before.hands)) == 1 else ""


def _last_card_words(ended_by: str) -> Message | str:
    match ended_by:
        case "TT-9":
            return say("Only three tikis are left, so the round is over")
        case "TT-10":
            return say("Nobody has a card left, so the round is over")
    return ""


def _moved(before: Line, after: Line, played: Played) -> Message:
    card, tiki = played.card, played.tiki
    name, old = tiki_name(tiki), before.index(tiki) + 1
    if card == "toast":
        return say("{tiki} was last, and is out until the round ends", tiki=name)
    new = after.index(tiki) + 1
    if card == "topple":
        if old == new:
            return say("{tiki} is last already, so nothing moves", tiki=name)
        return say(
            "{tiki} goes from place {old} to the end of the line, and all below it move up",
            tiki=name,
            old=old,
        )
    passed = before[new - 1 : old - 1]
    return say_count(
        "{tiki} climbs from place {old} to place {new}, and {passed} moves down",
        "{tiki} climbs from place {old} to place {new}, and {passed} move down",
        len(passed),
        tiki=name,
        old=old,
        new=new,
        passed=listed(map(tiki_name, passed)),
    )


def _reason_of_line(before: State, players: Sequence[str]) -> Reason:
    first = players[before.starter]
    if not before.rounds:
        return Reason(say("All nine tikis are in line, and {player} begins", player=first), "TT-2")
    if len(before.rounds) >= before.options.rounds:
        words = say("{player} begins this tie-break round", player=first)
    else:
        words = say(
            "{player} sits to the left of the last starting player and begins", player=first
        )
    return Reason(words, "TT-14")


def _reason_of_secret_card(before: State, dealt: Dealt) -> Reason:
    earned = tiki_topple.points_of(dealt.card, before.line)
    total = say_count("{number} point in all", "{number} points in all", earned)
    return Reason(sequence([*card_lines(dealt.card, before.line), total], ". "), "TT-11")


def round_end(before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
    """Return how the round ended that *action* has scored; see `Game.round_end`."""
    try:
        after = tiki_topple.apply(before, action)
    except RulesError:
        return None
    if len(after.rounds) == len(before.rounds):
        return None
    last = after.rounds[-1]
    best = max(last.points)
    return RoundEnd(
        number=len(after.rounds),
        message=sequence([*_end_words(before, after, players)], ". "),
        clause=last.ended_by,
        points=last.points,
        scores=after.scores,
        winners=tuple(seat for seat in before.players if best and last.points[seat] == best),
        reasons=tuple(card_lines(card, last.line) if card else () for card in last.cards),
        places=table_of(last.line),
        view=_view_of(after, last),
    )


def _view_of(after: State, last: Round) -> dict[str, object]:
    seen = tiki_topple.view(after, None)
    cards = [card and card._asdict() for card in last.cards]
    toasted = [tiki for tiki in TIKIS if tiki not in last.line]
    return {**seen, "line": list(last.line), "toasted": toasted, "cards": cards, "shown": cards}


def _end_words(before: State, after: State, players: Sequence[str]) -> Iterator[Message]:
    """Yield what ended the round, and what that leads to."""
    number = len(after.rounds)
    if after.rounds[-1].ended_by == "TT-9":
        yield say("Only three tikis are left, so round {number} is over", number=number)
    else:
        yield say("Nobody has a card left, so round {number} is over", number=number)
    best = max(after.scores[seat] for seat in before.players)
    names = [players[seat] for seat in before.players if after.scores[seat] == best]
    if after.phase != "over":
        if len(after.players) < len(before.players) or number >= after.options.rounds:
            yield _tied(names, best)
        return
    if len(names) == 1:
        yield say(
            "{player} has the most points, {points}, and wins the game",
            player=names[0],
            points=best,
        )
    else:
        yield say(
            "{players} have the most points, {points} each, and win together",
            players=listed(names),
            points=best,
        )


def _tied(names: Sequence[str], points: int) -> Message:
    return say(
        "{players} lead with {points} points each, so only they play one more round",
        players=listed(names),
        points=points,
    )


def like_card_words(card: SecretCard | Sequence[str]) -> Message | str:
    """Return which two tikis of a secret card are the same, without naming them; "" if none are.

    >>> like_card_words(("nani", "nani", "nui"))
    'You chose the same tiki for 9 and for 5 points. Choose another one for one of the two.'
    """
    top, middle, bottom = card
    if top == middle == bottom:
        return say("You chose the same tiki three times. Choose three different ones.")
    for points, others, alike in (
        (POINTS[0], POINTS[1], top == middle),
        (POINTS[0], POINTS[2], top == bottom),
        (POINTS[1], POINTS[2], middle == bottom),
    ):
        if alike:
            return say(
                "You chose the same tiki for {points} and for {others} points. Choose another one"
                " for one of the two.",
                points=points,
                others=others,
            )
    return ""
