"""Topple as an environment: the die is rolled, pieces are placed, and nothing falls."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.environments.environment import GameEnvironment, flags, wrapped
from companion.rules import topple
from companion.rules.protocol import Spoken
from companion.rules.topple.board import ANY, SIZE
from companion.rules.topple.forms import parse_options


class ToppleEnvironment(GameEnvironment):
    """Topple for two to four, played with steady hands: no tower ever falls.

    Numbers: of each spot, row by row, the number of the colour on top from 1, 0 if it is empty, and
    how many pieces of each colour stand there; what the die shows; by colour, the pieces left and
    the points placed for; by seat, its points; by seat, whether it is still in the game.  Colours
    are numbered from the own one on.
    """

    rules: Spoken[Any, Any] = topple

    def __init__(self, seats: int, options: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Make an environment, see `GameEnvironment`."""
        self.colours = parse_options(options or {}, seats).colours
        spots = [f"{row}{column}" for row in range(SIZE) for column in range(SIZE)]
        placed = (f"place {spot} {colour}" for colour in self.colours for spot in spots)
        self.actions = (*placed, "pass")
        super().__init__(seats, options, **more)

    def draw_setup(self, rng: Random) -> dict[str, Any]:
        """Return who begins."""
        return {"first": rng.randrange(self.seats)}

    def draw_event(self, state: Any, rng: Random) -> str | None:
        """Return what the die shows, if it is to be rolled."""
        return "" if self.rules.turn(state) is not None else f"roll {rng.randint(1, ANY)}"

    def encode(self, view: Mapping[str, Any], seat: int) -> list[int]:
        """Return the numbers for *view*."""
        order = self.order(seat)
        colours = (*self.colours[seat:], *self.colours[:seat])
        numbers = {colour: number for number, colour in enumerate(colours, start=1)}
        found: list[int] = []
        for row in view["cells"]:
            for column in row:
                found.append(numbers[column[-1]] if column else 0)
                found += flags(column, colours)
        return [
            *found,
            view["pips"] or 0,
            *(view["stock"][colour] for colour in colours),
            *(view["points"][colour] for colour in colours),
            *(view["scores"][other] for other in order),
            *(int(other in view["players"]) for other in order),
        ]


def raw_env(seats: int = 2, **more: Any) -> ToppleEnvironment:
    """Return the bare environment; *more*: as for `GameEnvironment`."""
    return ToppleEnvironment(seats, **more)


def env(seats: int = 2, **more: Any) -> Any:
    """Return the environment, in which an illegal action loses; *more*: as for `raw_env`."""
    return wrapped(raw_env(seats, **more))
