"""Tippi Toppi as an environment: all win or lose together, and nobody says a word."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.environments.environment import GameEnvironment, flags, wrapped
from companion.rules import tippi_toppi
from companion.rules.base import InvalidSetup
from companion.rules.protocol import Spoken
from companion.rules.tippi_toppi import NAMES
from companion.rules.tippi_toppi.cards import COPIES, OPEN_GOALS, PILES
from companion.rules.tippi_toppi.goals import OTHER, all_goals

GOALS: Final = tuple(goal for goal in all_goals() if goal != OTHER)
_SUMS: Final = tuple(goal for goal in GOALS if goal.startswith("sum") and int(goal.split()[2]) > 20)
USUAL_GOALS: Final = tuple(goal for goal in GOALS if goal not in _SUMS)
"""Drawn from where no deck of goals is given: each once, without sums that hardly ever come up."""


class TippiToppiEnvironment(GameEnvironment):
    """Tippi Toppi for one to four, in turns.

    Numbers: of each pile, the kind of card on top from 1; how many of each kind the seat holds, and
    has not seen; by seat, how many cards it has; cards left to draw; for each goal that the rules
    know whether it lies open; goals to come, and met.
    """

    rules: Spoken[Any, Any] = tippi_toppi
    together = True
    actions = tuple(f"play {card} {pile}" for card in NAMES for pile in range(PILES))

    def __init__(self, seats: int, options: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Make an environment, see `GameEnvironment`; raises InvalidSetup for High Speed too."""
        chosen = tippi_toppi.parse_options(options or {}, seats)
        if chosen.high_speed:
            raise InvalidSetup("high_speed is false here, not True: it has no turns (TP-14)")
        if OTHER in chosen.goal_deck:
            raise InvalidSetup(f"goal_deck is without '{OTHER}' here: nobody could judge it (TP-7)")
        self._goals, self._deck = chosen.goals, chosen.goal_deck or USUAL_GOALS
        super().__init__(seats, options, **more)

    def draw_setup(self, rng: Random) -> dict[str, Any]:
        """Return who begins, and the order of all cards and goals."""
        cards = list(NAMES * COPIES)
        return {
            "first": rng.randrange(self.seats),
            "deck": rng.sample(cards, len(cards)),
            "goals": rng.sample(self._deck, self._goals),
        }

    def encode(self, view: Mapping[str, Any], seat: int) -> list[int]:
        """Return the numbers for *view*."""
        hand = view["hands"][seat] or []
        unseen, goals = view["unseen"], view["goals"]
        return [
            *(NAMES.index(pile[-1]) + 1 for pile in view["piles"]),
            *flags(hand, NAMES),
            *(unseen.get(name, 0) - hand.count(name) for name in NAMES),
            *(view["hand_sizes"][other] for other in self.order(seat)),
            view["cards_left"],
            *flags(goals[:OPEN_GOALS], GOALS),
            view["goals_left"],
            len(view["met"]),
        ]


def raw_env(seats: int = 2, **more: Any) -> TippiToppiEnvironment:
    """Return the bare environment; *more*: as for `GameEnvironment`."""
    return TippiToppiEnvironment(seats, **more)


def env(seats: int = 2, **more: Any) -> Any:
    """Return the environment, in which an illegal action loses; *more*: as for `raw_env`."""
    return wrapped(raw_env(seats, **more))
