"""What is said of Topple at the table: spots, pieces, actions and who is waited for."""

from collections.abc import Sequence
from typing import Final

from companion.language.message import Message, capitalised, say
from companion.rules import topple
from companion.rules.topple import (
    Action,
    Knocked,
    Placed,
    Rolled,
    State,
    Toppled,
    colour_words,
)

SIZE: Final = 5
COLUMNS: Final = "ABCDE"
_SPOTS: Final = {
    f"{COLUMNS[column]}{row + 1}": f"{row}{column}" for row in range(SIZE) for column in range(SIZE)
}


def spot_name(spot: int) -> str:
    """Return the name of a spot: a letter for the column, a number for the row.

    >>> spot_name(10)
    'A3'
    """
    return f"{COLUMNS[spot % SIZE]}{spot // SIZE + 1}"


def typed(action: str) -> str:
    """Return *action* as the rules have it, with a spot by its name or by two digits.

    >>> typed("place c3 Pink"), typed("place 22 pink")
    ('place 22 pink', 'place 22 pink')
    """
    match action.split():
        case ["place", name, *colour] if name.upper() in _SPOTS:
            return " ".join(["place", _SPOTS[name.upper()], *colour]).lower()
    return action


def place_words(spot: int, colour: str, height: str) -> Message:
    """Return what stands on *spot*; *height*: in pieces, "" for none."""
    if not height:
        return say("nothing on {field}", field=spot_name(spot))
    return say(
        "{height} high on {field} with {colour} on top",
        height=height,
        colour=colour_words(colour),
        field=spot_name(spot),
    )


def action_words(action: Action, players: Sequence[str]) -> str:
    """Return *action* in words; *players*: names by seat, () if nobody is to be named."""
    match action:
        case Rolled(topple.UNSEEN):
            return say("rolled, but nobody saw the number")
        case Rolled(pips):
            return say("rolled a {pips}", pips=pips)
        case Placed(spot, colour):
            return say("{colour} on {field}", colour=colour_words(colour), field=spot_name(spot))
        case Knocked(seat) if players:
            return say("{player} knocked it over", player=players[seat])
        case Knocked():
            return say("somebody knocked it over")
        case Toppled():
            return say("the tower fell!")
    return say("no piece placed")


def sentence(seat: int | None, action: Action, players: Sequence[str]) -> str:
    """Return *action* of *seat* as a line of its own; None for chance."""
    if seat is None or isinstance(action, Rolled):
        return capitalised(action_words(action, players))
    player = players[seat]
    match action:
        case Placed(spot, colour):
            return say(
                "{player} places {colour} on {field}",
                player=player,
                colour=colour_words(colour),
                field=spot_name(spot),
            )
        case Toppled():
            return fell_while_placing(player)
        case Knocked(other):
            return say("{player} knocked it over", player=players[other])
    return say("{player} places no piece", player=player)


def fell_while_placing(player: str) -> Message:
    """Return that *player* made the tower fall by a placement."""
    return say("The tower fell while {player} was placing", player=player)


def wanted(state: State, players: Sequence[str]) -> tuple[str, str]:
    """Return what is waited for, as a word and a sentence; or both ""."""
    player = players[state.seat]
    match state.phase:
        case "start":
            return "roll", say("{player} rolls to decide who begins", player=player)
        case "roll":
            return "roll", say("{player} rolls the die", player=player)
        case "place" if state.pips in (topple.ANY, topple.UNSEEN):
            return "place", say("{player} places a piece on any spot", player=player)
        case "place":
            return "place", say(
                "{player} places a piece on a level {level} spot",
                player=player,
                level=state.pips,
            )
    return "", ""
