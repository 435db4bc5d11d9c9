"""The best line of Tippi Toppi that a search finds which sees all hands, cards and goals."""

from random import Random
from typing import Final

from companion.rules import tippi_toppi
from companion.rules.tippi_toppi import Played, State
from tests.rules.tables import GOALS, tippi_toppi_setup

WIDTH: Final = 150
"""Positions kept of each number of plays."""


def is_winnable(number: int, seats: int = 2) -> bool:
    """Tell whether a beam search wins the game of that *number*, as a match would set it up."""
    setup = tippi_toppi_setup(Random(number), seats)
    options = {"goal_deck": GOALS, "difficulty": "beginner"}
    beam = [tippi_toppi.initial(seats, options, setup)]
    while beam:
        following: dict[tuple[object, ...], State] = {}
        for state in beam:
            for action in tippi_toppi.legal_actions(state):
                if isinstance(action, Played):
                    after = tippi_toppi.apply(state, action)
                    if after.ended_by == "TP-11":
                        return True
                    if after.phase != "over":
                        following[after.tops, after.hands, after.goals] = after
        beam = sorted(following.values(), key=_progress_of, reverse=True)[:WIDTH]
    return False


def _progress_of(state: State) -> tuple[int, int]:
    """Return what is met, and how many of the next player's cards fit."""
    return len(state.met), len(tippi_toppi.legal_actions(state))
