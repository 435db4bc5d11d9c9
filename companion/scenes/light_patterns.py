"""The scenes as light: for each zone of the strip a pattern of bright, dim and dark lights.

Every zone of four lights or more tells every scene on its own, so that a strip without a zone loses
nothing; the zones only differ in where a seat's lights are.  A beat is half a second.

| scene | pattern |
|---|---|
| turn | the seat's lights bright, the others dim; nothing moves |
| calm: a new line is wanted; lost | all dim |
| meant: to be done for the computer | beside its first row and its last by turns, or as a turn |
| won | two of three bright, every third dim, as a garland; nothing moves |
| reveal: secret cards, please | the first three bright, dim on every fourth beat |
| ask | every second light, changing places |
| illegal | beside the rows of the wrong places, or all, bright and dim in turn |
| put_right | beside the rows of the wrong places bright, the others dim and dark by turns |
| no view | the two ends |
| not saved | the first half bright, the others dark; nothing moves |
| paused | every fourth light |
| topple | bright from end to end, then dark from the top, as a tower falls |
| knock | the two ends bright by turns, the others dim |
| wobble | one light sways about the middle |
| spin | the seat's lights, three beats bright, one dark |
| between | the lights of one seat, then of the other, two beats each |
| void spin | one light runs backwards |
| distrusted | every third light bright, one step to and fro, the others dim |
| countdown | a light for each second that is left, at the far end; the next to go blinks |
| clock | the share of the time left bright, at the far end; the next to go dims every fourth beat |
| slow | the seat's lights, two beats bright, two dim as the others |
| uno | the seat's lights: two flashes in four beats, then four dim |

A seat's lights: on the seats' zone its share; on the idol's ring the arc where the idol points; in
any other place the first light for seat 0, the first two for seat 1, and so on.
"""

from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

from companion.scenes.palette import DARK, Colour, colour_of, dimmed, light_of
from companion.scenes.scene import Scene, scene_of
from companion.scoreboard import Scoreboard
from hardware.lights import Strip
from hardware.zones import ZoneName, Zones

Bright: TypeAlias = Collection[int]
Dim: TypeAlias = Collection[int]

_NONE: Final[frozenset[int]] = frozenset()


def light_zones(board: Scoreboard, zones: Zones, beat: int = 0) -> dict[ZoneName, Strip]:
    """Return what each zone of the strip shows.

    beat: counts up twice a second while `is_lively`; what moves changes with it.
    """
    scene = scene_of(board)
    which = scene.seats[beat // 2 % len(scene.seats)] if scene.seats else None
    colour = colour_of(scene.kind, None if which is None else light_of(board.players[which]))
    return {
        name: _Zone(name, count, zones.idol_deg, len(board.players), board.rows).paint(
            scene, beat, colour
        )
        for name, count in zones.sizes.items()
    }


class _Zone:
    """One zone of *count* lights at a table of *seats*."""

    def __init__(self, name: ZoneName, count: int, idol_deg: float, seats: int, rows: int) -> None:
        self.name = name
        self.count = count
        self.idol_deg = idol_deg
        self.seats = seats
        self.rows = rows if name == "slots" else 0

    def paint(self, scene: Scene, beat: int, colour: Colour) -> Strip:
        bright, dim = self._pattern(scene, beat)
        return tuple(
            colour if place in bright else dimmed(colour) if place in dim else DARK
            for place in range(self.count)
        )

    def _pattern(self, scene: Scene, beat: int) -> tuple[Bright, Dim]:
        """Return the bright and the dim lights; what is both is bright."""
        every, odd, n = range(self.count), beat % 2, self.count
        wrong = self._beside(scene.rows) or every
        match scene.kind:
            case "turn":
                return self._of_seat(scene, 0), every
            case "meant":
                return self._leading(scene, beat), every
            case "calm" | "lost":
                return _NONE, every
            case "won":
                return [place for place in every if place % 3 != 2], every
            case "reveal":
                return (_NONE if beat % 4 == 3 else range(3)), range(3)
            case "ask":
                return every[odd::2], _NONE
            case "illegal":
                return (_NONE if odd else wrong), wrong
            case "put_right":
                steady = every[::2] if wrong == every else wrong
                return steady, (every if beat // 2 % 2 else _NONE)
            case "no_view":
                return (0, n - 1), _NONE
            case "not_saved":
                return every[: max(1, n // 2)], _NONE
            case "paused":
                return every[1::4], _NONE
            case "clock":
                return every[n - self._lights_left(scene) + (beat % 4 == 3) :], every
            case _:
                return self._momentary(scene, beat)

    def _momentary(self, scene: Scene, beat: int) -> tuple[Bright, Dim]:
        every, odd, n = range(self.count), beat % 2, self.count
        match scene.kind:
            case "topple":
                return every[beat % 4 * n // 4 :], _NONE
            case "knock":
                return (n - 1 if odd else 0,), every
            case "wobble":
                return (n // 2 - odd,), _NONE
            case "spin":
                return (_NONE if beat % 4 == 3 else self._of_seat(scene, 0)), _NONE
            case "between":
                return self._of_seat(scene, beat // 2 % 2), _NONE
            case "void_spin":
                return (-beat % n,), _NONE
            case "distrusted":
                return every[odd::3], every
            case "countdown":
                left = n if scene.seconds_left is None else min(n, max(1, scene.seconds_left))
                return every[n - left + odd :], every[n - left :]
            case "slow":
                return (_NONE if beat // 2 % 2 else self._of_seat(scene, 0)), every
            case _:  # uno
                mine = self._of_seat(scene, 0)
                return (mine if beat % 8 in (0, 2) else _NONE), mine

    def _leading(self, scene: Scene, beat: int) -> Bright:
        """Return the lights that lead a hand: beside the first row and the last one by turns."""
        step = beat // 2 % 2
        ends = scene.rows[:1], scene.rows[-1:]
        if not self._beside(scene.rows):
            return _NONE if step else self._of_seat(scene, 0)
        return self._beside(ends[step])

    def _beside(self, rows: Collection[int]) -> list[int]:
        """Return the lights beside *rows* of the table, as long as the zone; at least one each.

        >>> _Zone("slots", 9, 0.0, 2, 5)._beside([0, 2])
        [0, 1, 4]
        """
        if not self.rows:
            return []
        middles = {(2 * row + 1) * self.count // (2 * self.rows) for row in rows}
        there = ((2 * at + 1) * self.rows // (2 * self.count) for at in range(self.count))
        return [at for at, row in enumerate(there) if row in rows or at in middles]

    def _lights_left(self, scene: Scene) -> int:
        """Return the share of the lights that is the share of the time left; never none."""
        left, limit = scene.seconds_left or 0, scene.seconds_limit or 1
        return min(self.count, max(1, -(-self.count * left // limit)))

    def _of_seat(self, scene: Scene, which: int) -> Bright:
        """Return the lights of the first or second seat of *scene*; all lights if it has none."""
        every = range(self.count)
        if self.name == "idol" and scene.angle_deg is not None:
            return self._arc(scene, scene.angle_deg, which)
        if not scene.seats:
            return every
        seat = scene.seats[which % len(scene.seats)]
        share = self.count // self.seats
        if self.name == "seats" and share:
            return every[seat * share : (seat + 1) * share]
        return every[: seat + 1]

    def _arc(self, scene: Scene, angle_deg: float, which: int) -> Bright:
        """Return the ring's lights round where the idol points, as wide as one seat's share.

        Between two seats: a quarter turn before it, then a quarter turn behind it.
        """
        off = [
            (self.idol_deg + 360 * place / self.count - angle_deg + 180) % 360 - 180
            for place in range(self.count)
        ]
        if scene.kind == "between":
            return _within(off, *((0, 90) if which else (-90, 0)))
        half = 180 / self.seats
        return _within(off, -half, half) or {min(range(self.count), key=lambda at: abs(off[at]))}


def _within(off: Iterable[float], low: float, high: float) -> Bright:
    return {place for place, deg in enumerate(off) if low <= deg < high}
