"""How the companion plays Topple: the points expected over the die, and the risk of a fall.

A placement is worth its points, less those of the reply that the next player's roll allows, plus
what one's own best answer then brings; a fall costs what TO-9 says. Nothing is hidden, and each
roll is equally likely, so that nothing needs to be drawn at random.

How likely a fall is nobody has measured yet: `risk` is an estimate from levers and heights, and
from how the board leans where a camera or a sensor tells.
"""

import math
from collections.abc import Iterable, Sequence
from operator import itemgetter, mul
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
DARING: Final = {"gentle": 0.2, "fair": 0.6, "strong": 1.0}
"""How much of the risk each level sees. The best points on average need all of it, so the strong
player dares least, and whoever plays against a gentle one sees more falls."""
REPLY_WEIGHT: Final = {"gentle": 0.0, "fair": 0.2, "strong": 0.5}
"""How much of what the next roll would bring oneself and the next player counts."""
PLAYOUTS: Final = {"gentle": 0, "fair": 0, "strong": 100}
"""How often the best candidates are played on for two turns of everybody."""
CANDIDATES: Final = 6
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
    return _risk(across, along, spot, len(cells[spot]))


def _risk(across: float, along: float, spot: int, height: int) -> float:
    """Return the risk of placing on a column of that *height*, at a moment of the other pieces."""
    moment = math.hypot(across + _ACROSS[spot], along + _ALONG[spot])
    leaning = 1 / (1 + math.exp((SAFE_MOMENT - moment) / MOMENT_SCALE))
    return min(1.0, leaning + HEIGHT_RISK * height * height)


_ACROSS: Final = tuple(spot % 5 - 2 for spot in range(len(LEVEL)))
_ALONG: Final = tuple(spot // 5 - 2 for spot in range(len(LEVEL)))


def _moment(cells: Sequence[Column]) -> tuple[float, float]:
    """Return the moment of all pieces about the pivot: to the right, and towards the near edge."""
    across = sum(map(mul, _ACROSS, map(len, cells)))
    along = sum(map(mul, _ALONG, map(len, cells)))
    return float(across), float(along)


def evaluate(seen: State, seat: int, options: Sequence[Action], effort: Effort) -> Valued:
    """Return what each of *options* is worth to *seat*."""
    table = _Table(seen, seat, effort)
    found: list[tuple[float, Action]] = []
    for action in options:
        if effort.is_over():
            break
        found.append((table.points(action), action))
    found.sort(key=itemgetter(0), reverse=True)
    searched, rest = len(found), options[len(found) :]
    if PLAYOUTS[effort.level] and not seen.options.young and not effort.is_over():
        better, playouts = table.play_out(found[:CANDIDATES], PLAYOUTS[effort.level])
        searched += playouts
        worst = better[-1][0]
        found = better + [(min(points, worst), action) for points, action in found[CANDIDATES:]]
    values = [(action, table.share(points)) for points, action in found]
    return Valued((*values, *((action, 0.0) for action in rest)), searched)


class _Table:
    """One decision of a seat."""

    def __init__(self, state: State, seat: int, effort: Effort) -> None:
        self._state, self._seat, self._effort = state, seat, effort
        self._daring, self._reply = DARING[effort.level], REPLY_WEIGHT[effort.level]

    def points(self, action: Action) -> float:
        """Return the points by which *action* is expected to put the seat ahead at once."""
        falls, gain, after = self._place(action)
        mine = self._expected(after, self._seat)
        theirs = self._expected(after, after.seat) if after.seat != self._seat else 0.0
        return (1 - falls) * (gain + self._reply * (mine - theirs)) - falls * FALL_POINTS

    def _place(self, action: Action) -> tuple[float, float, State]:
        """Return the risk of *action*, its points, and the state that follows if nothing falls."""
        state = self._state
        if not isinstance(action, Placed):
            return 0.0, 0.0, rules.apply(state, action)
        colour = state.options.colours.index(action.colour)
        falls = self._daring * risk(state.cells, action.spot, self._effort.tilt_deg)
        gain = 0.0
        if not state.options.young:
            gain = rules.worth(state.cells, state.marks, action.spot, colour, state.options)
        return falls, gain, rules.with_piece(state, action.spot, colour)

    def _expected(self, state: State, seat: int) -> float:
        """Return the points that *seat* would gain on average, rolling the die in *state*."""
        best = [-FALL_POINTS] * (ANY + 1)
        placements = self._placements(state, seat, range(len(LEVEL)))
        for points, _, _, spot, _ in placements:
            level = LEVEL[spot]
            if points > best[level]:
                best[level] = points
        best[ANY] = max(best)
        return sum(best[1:]) / ANY if placements else 0.0

    def _placements(
        self, state: State, seat: int, spots: Iterable[int]
    ) -> list[tuple[float, float, float, int, int]]:
        """Return what *seat* may place: points on average, risk, points if it stands, where."""
        cells, marks, option = state.cells, state.marks, state.options
        owned = (seat, seat + 2) if option.two_colours else (seat,)
        colours = [colour for colour in owned if state.stock[colour]]
        if not colours or option.young:
            return []
        across, along = _moment(cells)
        found: list[tuple[float, float, float, int, int]] = []
        for spot in spots:
            falls = self._daring * _risk(across, along, spot, len(cells[spot]))
            for colour in colours:
                gain = rules.worth(cells, marks, spot, colour, option)
                found.append(((1 - falls) * gain - falls * FALL_POINTS, falls, gain, spot, colour))
        return found

    def play_out(
        self, candidates: Sequence[tuple[float, Action]], most: int
    ) -> tuple[list[tuple[float, Action]], int]:
        """Return *candidates* by what they bring some turns later, and how often that was tried.

        All are tried with the same rolls of the die, up to *most* times.
        """
        begun = [self._place(action) for _, action in candidates]
        totals, tried = [0.0] * len(candidates), 0
        turns = 2 * len(self._state.players)
        while tried < most and not self._effort.is_over():
            rolls = [self._effort.rng.randint(1, ANY) for _ in range(turns)]
            for place, (falls, gain, after) in enumerate(begun):
                lead = gain + self._lead_after(after, rolls)
                totals[place] += (1 - falls) * lead - falls * FALL_POINTS
            tried += 1
        found = [
            (total / tried if tried else points, action)
            for total, (points, action) in zip(totals, candidates, strict=True)
        ]
        return sorted(found, key=itemgetter(0), reverse=True), tried * len(candidates)

    def _lead_after(self, state: State, rolls: Sequence[int]) -> float:
        """Return the points that the seat gains on the others while all take the best at once."""
        lead, standing = 0.0, 1.0
        others = len(state.players) - 1
        for pips in rolls:
            placements = self._placements(state, state.seat, _SPOTS[pips])
            if not placements:
                break
            points, falls, _, spot, colour = max(placements)
            mine = state.seat == self._seat
            lead += standing * (points if mine else -points / others)
            standing *= 1 - falls
            state = rules.with_piece(state, spot, colour)
        return lead

    def share(self, points: float) -> float:
        """Return the share of the win that *points* more promise."""
        totals, players = rules.totals(self._state), self._state.players
        others = [totals[seat] for seat in players if seat != self._seat]
        lead = totals[self._seat] + points - max(others, default=0)
        return 1 / (1 + len(others) * math.exp(max(-50.0, min(50.0, -lead / POINTS_SCALE))))


_SPOTS: Final = tuple(
    tuple(spot for spot, level in enumerate(LEVEL) if pips in (ANY, level))
    for pips in range(ANY + 1)
)
"""By roll, the spots that it allows (TO-4)."""
