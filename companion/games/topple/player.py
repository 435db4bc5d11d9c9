"""How the companion plays Topple: the points expected over the die, and the risk of a fall.

A placement is worth its points, less those of the reply that the next player's roll allows, plus
what one's own best answer then brings; a fall costs what TO-9 says. Nothing is hidden, and each
roll is equally likely, so that nothing needs to be drawn at random.

How likely a fall is nobody has measured yet: `risk` is an estimate from levers and heights, and
from how the board leans where a camera or a sensor tells.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from companion.players.effort import Effort
from companion.players.player import Valued
from companion.rules import topple as rules
from companion.rules.topple import ANY, LEVEL, Action, Column, Passed, Placed, State

RULES: Final[Any] = rules
FALL_POINTS: Final = 13.0
"""What a fall loses to the player before: 10 points of one's own, 3 more for the other (TO-9)."""
SAFE_MOMENT: Final = 10.0
"""Piece weights times spots from the pivot at which a fall is as likely as not; an estimate."""
MOMENT_SCALE: Final = 0.9
"""By how much more the odds of a fall are multiplied by e; an estimate."""
HEIGHT_RISK: Final = 0.002
"""Risk that the square of a column's height adds; an estimate."""
TILT_DEG: Final = 1.5
"""Degrees by which a moment of 1 makes the board lean; an estimate."""
DARING: Final = {"gentle": 0.25, "fair": 0.7, "strong": 1.0}
"""How much of the risk each level sees. The best points on average need all of it, so the strong
player dares least, and whoever plays against a gentle one sees more falls."""
REPLY_WEIGHT: Final = {"gentle": 0.0, "fair": 0.5, "strong": 0.9}
"""How much of the next player's expected points counts as one's own loss."""
POINTS_SCALE: Final = 12.0
"""Points of lead that multiply the odds of the game by e."""


def options(seen: State, seat: int) -> Sequence[Action]:
    """Return the placements among which *seat* chooses; falls and knocks happen to people."""
    if rules.turn(seen) != seat:
        return ()
    kinds = (Placed, Passed)
    return [action for action in rules.legal_actions(seen) if type(action) in kinds]


def risk(cells: Sequence[Column], spot: int, tilt_deg: tuple[float, float] | None = None) -> float:
    """Return how likely a piece placed on *spot* makes pieces fall, from 0 to 1.

    cells: the pieces on each spot, bottom first.
    tilt_deg: how the board leans to the right and towards the near edge, if measured; averaged
        with what the pieces there would make it lean.
    """
    across, along = _moment(cells)
    if tilt_deg is not None:
        across = (across + tilt_deg[0] / TILT_DEG) / 2
        along = (along + tilt_deg[1] / TILT_DEG) / 2
    after = math.hypot(across + spot % 5 - 2, along + spot // 5 - 2)
    height = len(cells[spot]) + 1
    leaning = 1 / (1 + math.exp((SAFE_MOMENT - after) / MOMENT_SCALE))
    return min(1.0, leaning + HEIGHT_RISK * (height - 1) ** 2)


def _moment(cells: Sequence[Column]) -> tuple[float, float]:
    """Return the moment of all pieces about the pivot: to the right, and towards the near edge."""
    across = sum((spot % 5 - 2) * len(column) for spot, column in enumerate(cells))
    along = sum((spot // 5 - 2) * len(column) for spot, column in enumerate(cells))
    return float(across), float(along)


def evaluate(seen: State, seat: int, options: Sequence[Action], effort: Effort) -> Valued:
    """Return what each of *options* is worth to *seat*."""
    table = _Table(seat, effort)
    found: list[tuple[Action, float]] = []
    for action in options:
        if effort.is_over():
            break
        found.append((action, table.share(seen, table.points(seen, action))))
    searched = len(found)
    found += [(action, 0.0) for action in options[searched:]]
    found.sort(key=lambda each: each[1], reverse=True)
    return Valued(tuple(found), searched)


class _Table:
    """One decision of a seat."""

    def __init__(self, seat: int, effort: Effort) -> None:
        self._seat, self._tilt_deg = seat, effort.tilt_deg
        self._daring, self._reply = DARING[effort.level], REPLY_WEIGHT[effort.level]

    def points(self, state: State, action: Action) -> float:
        """Return the points by which *action* is expected to put the seat ahead."""
        if isinstance(action, Placed):
            colour = state.options.colours.index(action.colour)
            falls = self._daring * risk(state.cells, action.spot, self._tilt_deg)
            gain = 0.0
            if not state.options.young:
                gain = rules.worth(state.cells, state.marks, action.spot, colour, state.options)
            after = rules.with_piece(state, action.spot, colour)
        else:
            falls, gain = 0.0, 0.0
            after = rules.apply(state, action)
        mine = self.expected(after, self._seat)
        theirs = self.expected(after, after.seat) if after.seat != self._seat else 0.0
        return (1 - falls) * (gain + self._reply * (mine - theirs)) - falls * FALL_POINTS

    def expected(self, state: State, seat: int) -> float:
        """Return the points that *seat* would gain on average, rolling the die in *state*."""
        cells, marks, rule = state.cells, state.marks, state.options
        across, along = _moment(cells)
        owned = (seat, seat + 2) if rule.two_colours else (seat,)
        colours = [colour for colour in owned if state.stock[colour]]
        if not colours or rule.young:
            return 0.0
        best = [-FALL_POINTS] * (ANY + 1)
        for spot, level in enumerate(LEVEL):
            moment = math.hypot(across + spot % 5 - 2, along + spot // 5 - 2)
            falls = 1 / (1 + math.exp((SAFE_MOMENT - moment) / MOMENT_SCALE))
            falls = self._daring * min(1.0, falls + HEIGHT_RISK * len(cells[spot]) ** 2)
            gain = max(rules.worth(cells, marks, spot, colour, rule) for colour in colours)
            best[level] = max(best[level], (1 - falls) * gain - falls * FALL_POINTS)
        best[ANY] = max(best)
        return sum(best[1:]) / ANY

    def share(self, state: State, points: float) -> float:
        """Return the share of the win that *points* more promise."""
        totals = rules.totals(state)
        others = [totals[seat] for seat in state.players if seat != self._seat]
        lead = totals[self._seat] + points - max(others, default=0)
        return 1 / (1 + len(others) * math.exp(max(-50.0, min(50.0, -lead / POINTS_SCALE))))
