"""A line of Tiki Topple that the people adopt, though no card explains it."""

from typing import Final

from companion.rules import tiki_topple
from companion.rules.base import InvalidAction
from companion.rules.tiki_topple import TIKIS, Line, State, resumed
from companion.session.events import TableAdopted

EMPTY: Final = "empty"


def adopt(state: State, adopted: TableAdopted) -> State:
    """Return *state* with the adopted line; the card it *used* leaves the hand of who played it.

    What is missing from the line has left it, as by Tiki Toast. Raises InvalidAction.
    """
    if state.phase != "play":
        raise InvalidAction("no round is being played")
    line = _line_of(adopted)
    seat, hands = state.seat, state.hands
    if adopted.used:
        if adopted.used not in hands[seat]:
            raise InvalidAction(f"that player has no {adopted.used} left")
        hand = list(hands[seat])
        hand.remove(adopted.used)
        hands = (*hands[:seat], tuple(hand), *hands[seat + 1 :])
    if adopted.seat not in state.players:
        raise InvalidAction("that player does not play this round")
    if any(hands) and not hands[adopted.seat]:
        raise InvalidAction("that player has no cards left")
    return resumed(state._replace(line=line, seat=adopted.seat, hands=hands))


def kinds(state: State) -> tuple[str, ...]:
    """Return the cards that whoever's turn it is may have played, each kind once."""
    return tuple(dict.fromkeys(state.hands[state.seat]))


def _line_of(adopted: TableAdopted) -> Line:
    tikis = tuple(content for content in adopted.table if tiki_topple.is_tiki(content))
    padded = (*tikis, *(EMPTY,) * (len(adopted.table) - len(tikis)))
    if not tikis or padded != adopted.table or len(set(tikis)) < len(tikis):
        raise InvalidAction(
            f"a line has no gap, and none of the {len(TIKIS)} tikis twice; correct that first"
        )
    return tikis
