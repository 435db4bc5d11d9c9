"""Tiki Topple as an environment: lines and secret cards are drawn, cards are played."""

from collections.abc import Mapping
from itertools import permutations
from random import Random
from typing import Any, Final

from companion.environments.environment import GameEnvironment, flags, wrapped
from companion.rules import tiki_topple
from companion.rules.protocol import Spoken
from companion.rules.tiki_topple import CARDS, POINTS, TIKIS
from companion.rules.tiki_topple.pieces import GROUPS, SECRET_CARDS, is_usual

TIE_ROUNDS: Final = 12
"""For so many rounds beyond the usual ones cards are drawn."""
_CARDS: Final = [card for card in permutations(TIKIS, 3) if is_usual(tiki_topple.SecretCard(*card))]


class TikiToppleEnvironment(GameEnvironment):
    """Tiki Topple for two to four.

    Numbers: by tiki, its place from 1, 0 if it is out; by tiki, its points on the own secret card;
    by seat, how many of each action card it has left; by seat, whether it plays this round; by
    seat, its points; the number of the round.
    """

    rules: Spoken[Any, Any] = tiki_topple
    actions = tuple(f"{card} {tiki}" for card in CARDS for tiki in TIKIS)

    def draw_setup(self, rng: Random) -> dict[str, Any]:
        """Return who begins, and for each round a line in three groups and secret cards."""
        usual = tiki_topple.parse_options(self.options, self.seats).rounds
        pack: list[tuple[str, ...]] = []
        rounds = []
        for _ in range(usual + TIE_ROUNDS):
            if len(pack) < self.seats:
                pack = rng.sample(_CARDS, SECRET_CARDS)
            cards = [list(pack.pop()) for _ in range(self.seats)]
            rounds.append({"line": _draw_line(rng), "cards": cards})
        return {"first": rng.randrange(self.seats), "rounds": rounds}

    def encode(self, view: Mapping[str, Any], seat: int) -> list[int]:
        """Return the numbers for *view*."""
        order, line = self.order(seat), view["line"]
        own = list((view["cards"][seat] or {}).values())
        points = dict(zip(own, POINTS, strict=False))
        return [
            *(line.index(tiki) + 1 if tiki in line else 0 for tiki in TIKIS),
            *(points.get(tiki, 0) for tiki in TIKIS),
            *(left for other in order for left in flags(view["hands"][other], CARDS)),
            *(int(other in view["players"]) for other in order),
            *(view["scores"][other] for other in order),
            view["round"],
        ]


def _draw_line(rng: Random) -> list[str]:
    groups = rng.sample([sorted(group) for group in GROUPS], len(GROUPS))
    return [tiki for group in groups for tiki in rng.sample(group, len(group))]


def raw_env(seats: int = 2, **more: Any) -> TikiToppleEnvironment:
    """Return the bare environment; *more*: as for `GameEnvironment`."""
    return TikiToppleEnvironment(seats, **more)


def env(seats: int = 2, **more: Any) -> Any:
    """Return the environment, in which an illegal action loses; *more*: as for `raw_env`."""
    return wrapped(raw_env(seats, **more))
