"""A line of Tiki Topple that the people adopt, though no card explains it."""

from companion.games.tiki_topple.line import line_of
from companion.language.message import Message, say
from companion.rules.base import InvalidAction
from companion.rules.tiki_topple import CARD_WORDS, TIKIS, State, resumed, spend
from companion.session.events import TableAdopted


def adopt(state: State, adopted: TableAdopted) -> State:
    """Return *state* with the adopted line; the card it *used* leaves the hand of who played it.

    What is missing from the line has left it, as by Tiki Toast. Raises InvalidAction.
    """
    if state.phase != "play":
        raise InvalidAction(say("no round is in progress"))
    line = line_of(adopted.table)
    if not line or len(set(line)) < len(line):
        raise InvalidAction(
            say(
                "the line has a gap, or one of the {number} tikis is in it twice; correct that"
                " first",
                number=len(TIKIS),
            )
        )
    seat, hands = state.seat, state.hands
    if adopted.used:
        if adopted.used not in hands[seat]:
            raise InvalidAction(_not_held(adopted.used))
        hands = (*hands[:seat], spend(hands[seat], adopted.used), *hands[seat + 1 :])
    if adopted.seat not in state.players:
        raise InvalidAction(say("that player is not in this round"))
    if any(hands) and not hands[adopted.seat]:
        raise InvalidAction(say("that player has no cards left"))
    return resumed(state._replace(line=line, seat=adopted.seat, hands=hands))


def _not_held(card: str) -> Message:
    words = {str(name): words for name, words in CARD_WORDS.items()}.get(card, card)
    return say("that player has no {card} left", card=words)
