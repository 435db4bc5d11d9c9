"""How a round of UNO Tiki ended: who won it, and what each player's points are made of."""

from collections.abc import Sequence
from typing import Any

from companion.games.uno_tiki.blind import public_view, shown, without_hands
from companion.language.message import Message, say, say_count, sequence
from companion.referee.game import RoundEnd
from companion.rules.uno_tiki import Round, State, apply


def round_end_of(
    before: State, action: Any, after: State, players: Sequence[str]
) -> RoundEnd | None:
    """Return how the round ended that *action* has ended, None if it goes on."""
    rounds = after.match.rounds
    if len(rounds) == len(before.match.rounds):
        return None
    last, seats = rounds[-1], range(len(players))
    lowest = after.options.scoring == "lowest"
    final = _final(before, action)
    return RoundEnd(
        number=len(rounds),
        message=_message(last, after, players),
        clause=last.ended_by,
        points=round_points(last, lowest=lowest),
        scores=after.match.scores,
        winners=(last.winner,) if last.winner >= 0 else (),
        reasons=tuple(_lines(last, seat, players, lowest=lowest) for seat in seats),
        places=shown(final),
        view=public_view(final),
    )


def round_points(last: Round, *, lowest: bool) -> tuple[int, ...]:
    """Return what each seat has scored in the round *last* (UT-18)."""
    if lowest:
        return last.held
    return tuple(sum(last.held) if seat == last.winner else 0 for seat in range(len(last.held)))


def _final(before: State, action: Any) -> State:
    """Return the table as it lay when the round was over, before the cards were gathered.

    Where no hand is known they have to be counted first, so that the rules stop there.
    """
    if before.phase == "count":
        return without_hands(before)
    stopped = apply(without_hands(before), action)
    return stopped if stopped.phase == "count" else without_hands(before)


def _message(last: Round, after: State, players: Sequence[str]) -> Message:
    if last.winner >= 0:
        message = say("{player} has no cards left and wins the round", player=players[last.winner])
    else:
        message = say("Nobody could play or draw, so nobody wins the round")
    if after.phase != "over" or after.options.scoring != "lowest":
        return message
    most = max(after.match.scores)
    reached = say_count(
        "Someone has {number} point, so the game is over, and whoever has the fewest wins",
        "Someone has {number} points, so the game is over, and whoever has the fewest wins",
        most,
    )
    return sequence([message, reached], ". ")


def _lines(last: Round, seat: int, players: Sequence[str], *, lowest: bool) -> tuple[Message, ...]:
    """Return what the points of *seat* are made of."""
    if seat == last.winner and not lowest:
        others = [place for place, points in enumerate(last.held) if place != seat and points]
        return tuple(
            say_count(
                "{number} point from {player}’s hand",
                "{number} points from {player}’s hand",
                last.held[other],
                player=players[other],
            )
            for other in others
        )
    if seat == last.winner:
        return (say("no cards left"),)
    held = last.held[seat]
    if lowest:
        return (say_count("{number} point in hand", "{number} points in hand", held),)
    if last.winner < 0:
        return (say("nobody scores"),)
    return (
        say_count(
            "{number} point in hand, for {player}",
            "{number} points in hand, for {player}",
            held,
            player=players[last.winner],
        ),
    )
