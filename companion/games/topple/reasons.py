"""Why: what a piece has scored, what a fall costs, and how a round ended."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.topple.words import spot_name
from companion.language.message import Message, listed, say, say_count, sequence
from companion.referee.game import Reason
from companion.rules import topple
from companion.rules.topple import (
    Action,
    Knocked,
    Part,
    Placed,
    Rolled,
    State,
    Toppled,
    colour_words,
    line_name,
)

_LOST: Final = "\N{MINUS SIGN}10"
_CLAUSES: Final = {"completed": "TO-5", "added": "TO-6", "stack": "TO-7"}


def reason(before: State, action: Action, players: Sequence[str]) -> Reason | None:
    """Return why *action* after *before* scored or counted as it did."""
    match action:
        case Rolled(pips) if before.phase == "start":
            return _why_first(before, pips, players)
        case Rolled(pips):
            return _why_allowed(pips)
        case Placed(spot, colour):
            return _why_scored(before, spot, before.options.colours.index(colour))
        case Toppled():
            return _why_toppled(before, players)
        case Knocked(seat):
            return _why_knocked(before, seat, players)
    return Reason(say("At this table, nobody has to place a piece"), "TO-4")


def _why_first(before: State, pips: int, players: Sequence[str]) -> Reason:
    """Return what a roll for the first turn has decided."""
    if len(before.rolling) > 1:
        return Reason(say("Everyone rolls; whoever rolls highest begins"), "TO-3")
    rolls = (*before.rolls, (before.rolling[0], pips))
    best = max(rolled for _, rolled in rolls)
    names = [players[seat] for seat, rolled in rolls if rolled == best]
    if len(names) > 1:
        message = say("{players} share the highest roll and roll again", players=listed(names))
    else:
        message = say("{player} rolled highest and begins", player=names[0])
    return Reason(message, "TO-3")


def _why_allowed(pips: int) -> Reason | None:
    """Return why any spot will do; any other roll is the level that is waited for."""
    if pips == topple.UNSEEN:
        return Reason(say("Nobody saw the number, so the piece may go on any spot"), "TO-4")
    return Reason(say("A 6 allows any spot"), "TO-4") if pips == topple.ANY else None


def _why_scored(before: State, spot: int, colour: int) -> Reason | None:
    """Return each row and stack that a piece has scored for, with its points."""
    found = list(topple.parts(before, spot, colour))
    is_last = sum(before.stock) == 1
    end = say("All pieces are placed, so the round is over") if is_last else ""
    if before.options.young:
        return Reason(end, "TO-11") if end else None
    name = colour_words(before.options.colours[colour])
    words = [_part_words(part, len(before.cells[spot]), name) for part in found]
    if not found:
        nothing = say(
            "This piece scores nothing: it does not complete a row, is not in a full row and is"
            " not on a stack that was three or more high"
        )
        return Reason(sequence([nothing, end], ". "), "TO-5")
    if len(found) > 1:
        words.append(
            say_count(
                "{number} point in all",
                "{number} points in all",
                sum(part.points for part in found),
            )
        )
    clause = "TO-8" if len(found) > 1 else _CLAUSES[found[0].kind]
    return Reason(sequence([*words, end], ". "), clause)


def _part_words(part: Part, height: int, colour: str) -> Message:
    """Return what *part* brought; *height*: of the stack before, *colour*: of the piece."""
    if part.kind == "stack":
        return say_count(
            "The stack on {field} was already {height} high: {number} point for its {colour} piece",
            "The stack on {field} was already {height} high: {number} points for its {colour}"
            " pieces",
            part.points,
            field=spot_name(part.spots[0]),
            height=height,
            colour=colour,
        )
    line = line_words(part.spots)
    if part.kind == "added":
        return say_count(
            "{line} was already full: {number} point for the stack in it with {colour} on top",
            "{line} was already full: {number} points for the stacks in it with {colour} on top",
            part.points,
            line=line,
            colour=colour,
        )
    if not part.own:
        return say("{line} is now full: 3 points", line=line)
    return say_count(
        "{line} is now full: 3 points, and {number} more for a stack in it with {colour} on top",
        "{line} is now full: 3 points, and {number} more for stacks in it with {colour} on top",
        part.own,
        line=line,
        colour=colour,
    )


def line_words(spots: tuple[int, ...]) -> Message:
    """Return the name of a row of spots, as the board's labels have it.

    >>> line_words((5, 6, 7, 8, 9)), line_words((4, 8, 12, 16, 20))
    ('Row 2', 'The diagonal E1–A5')
    """
    kind, begin = line_name(spots)
    if kind == "row":
        return say("Row {number}", number=begin + 1)
    if kind == "column":
        return say("Column {letter}", letter=spot_name(begin)[0])
    return say("The diagonal {start}–{end}", start=spot_name(spots[0]), end=spot_name(spots[-1]))


def _why_toppled(before: State, players: Sequence[str]) -> Reason:
    player = players[before.seat]
    if before.options.young:
        out = say("The tower fell while {player} was placing, so {player} is out", player=player)
        return Reason(sequence([out, _last_one(before, before.seat, players)], ". "), "TO-14")
    if before.before < 0:
        words = say(
            "The tower fell while {player} was placing: {player} loses 10 points. It was the"
            " first turn of the round, so nobody gets a bonus",
            player=player,
        )
    else:
        words = say(
            "The tower fell while {player} was placing: {player} loses 10 points, and {other} gets"
            " 3 for the turn before",
            player=player,
            other=players[before.before],
        )
    return Reason(words, "TO-9")


def _why_knocked(before: State, seat: int, players: Sequence[str]) -> Reason:
    player = players[seat]
    if before.options.young:
        out = say("{player} knocked the tower over and is out", player=player)
        return Reason(sequence([out, _last_one(before, seat, players)], ". "), "TO-14")
    words = say(
        "{player} knocked the tower over and loses 10 points. Nobody gets a bonus for that",
        player=player,
    )
    return Reason(words, "TO-10")


def _last_one(before: State, out: int, players: Sequence[str]) -> str:
    left = [players[seat] for seat in before.players if seat != out]
    if len(left) > 1:
        return ""
    return say("{player} is the last one left and wins", player=left[0])


def ending_words(after: State, action: Action, player: str, players: Sequence[str]) -> Message:
    """Return what has ended the round, and the game if that is over too.

    player: who made it fall.
    """
    match action:
        case Toppled():
            cause = say("The tower fell while {player} was placing", player=player)
        case Knocked():
            cause = say("{player} knocked the tower over", player=player)
        case _:
            cause = say("All pieces are placed")
    return sequence([cause, *_standing(after, player, players)], ". ")


def _standing(after: State, player: str, players: Sequence[str]) -> Iterator[str]:
    """Yield what the end of the round has decided."""
    outcome, scores = topple.outcome(after), topple.totals(after)
    if after.options.young:
        yield say("{player} is out", player=player)
        if outcome:
            yield say("{player} is the last one left and wins", player=players[outcome.winners[0]])
        return
    best = max(scores)
    leaders = [players[seat] for seat, points in enumerate(scores) if points == best]
    if outcome and len(leaders) > 1:
        yield say(
            "{players} win the game together with {points} points each",
            players=listed(leaders),
            points=best,
        )
    elif outcome:
        yield say_count(
            "{player} has {number} point and wins the game",
            "{player} has {number} points and wins the game",
            best,
            player=leaders[0],
        )
    elif best >= after.options.target:
        yield say("{players} share the lead, so another round is played", players=listed(leaders))


def sum_words(before: State, after: State, action: Action, seat: int) -> tuple[str, ...]:
    """Return what the points of *seat* in the round that has just ended are made of."""
    if after.options.young:
        is_in = seat in after.players
        was_in = seat in before.players
        return (say("still in") if is_in else say("out now") if was_in else say("already out"),)
    changed = after.fines[seat] - before.fines[seat]
    placed = after.rounds[-1].points[seat] - changed
    lines: list[str] = []
    if placed:
        lines.append(
            say_count(
                "{number} point for rows and stacks", "{number} points for rows and stacks", placed
            )
        )
    match action:
        case Toppled() if seat == before.seat:
            lines.append(say("{points} points: the tower fell while placing", points=_LOST))
        case Knocked(guilty) if seat == guilty:
            lines.append(say("{points} points: knocked the tower over", points=_LOST))
    if isinstance(action, Toppled) and seat == before.before:
        lines.append(say("+3 points: had the turn before the fall"))
    return tuple(lines) or (say("nothing scored"),)
