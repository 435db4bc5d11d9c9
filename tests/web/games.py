"""Every game, for tests that know none of them."""

import random
from typing import Final, NamedTuple

from companion.referee.live_session import LiveSession
from companion.registry import game_of
from companion.rules.tiki_topple import TIKIS
from tests.enterable import enterable
from tests.referee.entering import sit

ACTIONS: Final = {
    "tiki_topple": "up1 nani",
    "tactiki": "move 42 32",
    "topple": "roll 3",
    "tippi_toppi": "lay green7",
    "uno_tiki": "turn red-7",
    "score_sheet": "points 0 12",
}
"""An action of each game that no other game has."""
FIRST: Final = {"tiki_topple": (" ".join(("line", *TIKIS)),)}
"""What has to be entered as a whole before there is anything to choose from."""


class Turn(NamedTuple):
    """A session at which *action* is the business of *seat*, and not of *other*."""

    live_session: LiveSession
    seat: int
    other: int
    action: str


def seats_of(game: str, wanted: int = 3) -> int:
    """Return *wanted*, or the nearest number of seats that *game* has."""
    seats: range = game_of(game).seats
    return min(max(wanted, seats[0]), seats[-1])


def open_game(game: str, wanted: int = 3) -> LiveSession:
    """Return a session of *game* that can be played by entering what is offered."""
    return sit(game, *FIRST.get(game, ()), seats=seats_of(game, wanted))


def somebodys_turn(game: str) -> Turn:
    """Return a session of *game* at which one seat may enter what another may not."""
    live_session, rng = open_game(game), random.Random(1)
    seats = range(len(live_session.header.players))
    while True:
        referee = live_session.referee
        for action in enterable(live_session):
            may = [seat for seat in seats if referee.may_enter(seat, action)]
            if len(may) == 1:
                return Turn(
                    live_session, may[0], next(seat for seat in seats if seat not in may), action
                )
        referee.enter(rng.choice(enterable(live_session)))
