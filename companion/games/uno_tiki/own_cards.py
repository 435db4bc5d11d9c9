"""The cards of a seat that the companion plays in UNO Tiki, as people deal them to it."""

from collections.abc import Sequence

from companion.games.closed_hands import dealing_words, drawing_words
from companion.games.uno_tiki.blind import without_hands
from companion.games.uno_tiki.drawing import title_of
from companion.language.message import say
from companion.referee.own_play import Choices
from companion.rules.uno_tiki import KINDS, State, unseen
from companion.rules.uno_tiki.naming import CARD_WORDS


def chore_of(state: State, seat: int, players: Sequence[str]) -> str:
    """Return what people do for *seat* now, "" for nothing."""
    if state.phase == "draw" and state.target == seat:
        return drawing_words(players[seat])
    if state.phase == "spin" and state.seat == seat:
        return say("Spin the idol for {player}", player=players[seat])
    return dealing_words(players[seat]) if "" in state.hands[seat] else ""


def choices_of(state: State, seat: int) -> tuple[Choices, ...]:
    """Return the cards that *seat* may hold, by the title under which they are tapped.

    As far as everyone knows: one that is left out would be told to be in another hand.
    """
    del seat
    left = unseen(without_hands(state))
    found: dict[str, list[tuple[str, str, int]]] = {}
    for card in KINDS:
        if left[card]:
            found.setdefault(title_of(card), []).append((card, CARD_WORDS[card], left[card]))
    return tuple((title, tuple(cards)) for title, cards in found.items())
