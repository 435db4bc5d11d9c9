"""Whose seat the idol points at: one sector of the circle for each seat, calibrated by pointing.

Angles are degrees clockwise as seen from above, from wherever the idol's zero is.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, Self

from hardware.device import BadValue

TURN_DEG: Final = 360.0
SEATS: Final = range(2, 11)
HAND_DEG: Final = 5.0
"""How far the idol's hand reaches to each side of where it points."""


class BadSeats(BadValue):
    """Seats that cannot be calibrated, in one line that says why."""


class Sectors:
    """The circle, shared out among seats.

    angles_deg: the angle at which each seat was pointed at.
    step_deg: what the encoder can tell apart.  hand_deg: the hand's width, to each side.

    Neighbours meet half-way.  Within `margin_deg` of that line the idol is between them: a step,
    because both the calibration and the stop are known to half of one, and the hand's width.
    Raises BadSeats if there are not 2 to 10, if two are too close together to be told apart, if
    they do not lie round the idol in the order of their numbers, which is the order of play, or if
    a figure cannot be.

    >>> table = Sectors({0: 10.0, 1: 130.0, 2: 250.0}, step_deg=4.5)
    >>> table.seats_at(125.0), table.seats_at(65.0)
    ((1,), (0, 1))
    """

    __slots__ = ("_lines", "_order", "angles_deg", "hand_deg", "step_deg")

    def __init__(
        self, angles_deg: Mapping[int, float], step_deg: float, hand_deg: float = HAND_DEG
    ) -> None:
        self.step_deg = step_deg
        self.hand_deg = hand_deg
        self.angles_deg = {seat: angles_deg[seat] % TURN_DEG for seat in sorted(angles_deg)}
        self._order = tuple(sorted(self.angles_deg, key=self.angles_deg.__getitem__))
        if len(self._order) not in SEATS:
            raise BadSeats(f"{len(self._order)} seats were given; the idol serves 2 to 10")
        if not (step_deg > 0 and hand_deg >= 0):
            raise BadSeats(
                f"a step of {step_deg:g} and a hand of {hand_deg:g} degrees are not possible"
            )
        self._check_room()
        self._check_order()
        # Where two seats meet, clockwise: the angle, the seat before it, the seat behind it.
        self._lines = sorted(
            ((self.angles_deg[seat] + gap_deg / 2) % TURN_DEG, seat, after)
            for seat, after, gap_deg in self._gaps()
        )

    @property
    def margin_deg(self) -> float:
        """How far from the line between two seats a stop names both."""
        return self.step_deg + self.hand_deg

    @property
    def shares(self) -> dict[int, float]:
        """How much of the circle is nearest to each seat, margins included; together 1."""
        gaps = {seat: gap_deg for seat, _, gap_deg in self._gaps()}
        before = {after: gap_deg for _, after, gap_deg in self._gaps()}
        return {seat: (gaps[seat] + before[seat]) / 2 / TURN_DEG for seat in self.angles_deg}

    def nearest(self, angle_deg: float) -> int:
        """Return the seat on whose side of the lines *angle_deg* is."""
        passed = bisect_right(self._lines, angle_deg % TURN_DEG, key=itemgetter(0))
        _, _, after = self._lines[passed - 1]
        return after

    def seats_at(self, angle_deg: float) -> tuple[int, ...]:
        """Return the seat at *angle_deg*, or in a margin the two on both sides, lower number first.

        With two seats there are two lines, and both are between the same two.
        """
        for line_deg, seat, after in self._lines:
            if abs(turned(line_deg, angle_deg)) <= self.margin_deg:
                return (min(seat, after), max(seat, after))
        return (self.nearest(angle_deg),)

    def to_json(self) -> dict[str, object]:
        """Return what `from_json` takes."""
        return {
            "angles_deg": {str(seat): angle for seat, angle in self.angles_deg.items()},
            "step_deg": self.step_deg,
            "hand_deg": self.hand_deg,
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, object]) -> Self:
        """Return the sectors that *saved* describes; raises BadSeats if it does not."""
        match saved:
            case {
                "angles_deg": Mapping() as angles,
                "step_deg": float() | int() as step_deg,
                "hand_deg": float() | int() as hand_deg,
            } if all(
                str(seat).isdecimal() and isinstance(angle, float | int)
                for seat, angle in angles.items()
            ):
                angles_deg = {int(seat): float(angle) for seat, angle in angles.items()}
                return cls(angles_deg, float(step_deg), float(hand_deg))
        raise BadSeats(
            f"saved seats {dict(saved)!r} do not have angles_deg, step_deg and hand_deg: calibrate"
            " the idol again"
        )

    def _gaps(self) -> list[tuple[int, int, float]]:
        # Each seat, its neighbour clockwise, and how far away that is.
        return [
            (seat, after, (self.angles_deg[after] - self.angles_deg[seat]) % TURN_DEG)
            for seat, after in zip(self._order, self._order[1:] + self._order[:1], strict=True)
        ]

    def _check_room(self) -> None:
        # Half a gap has to hold the margin, and a step on which the seat alone is named.
        least_deg = 2 * (self.margin_deg + self.step_deg)
        for seat, after, gap_deg in self._gaps():
            if not gap_deg >= least_deg:  # no number at all is refused too
                one, other = sorted((seat, after))
                raise BadSeats(
                    f"seats {one} and {other} are {gap_deg:.0f} degrees apart; this encoder"
                    f" and a hand {self.hand_deg:g} degrees wide to each side need"
                    f" {least_deg:.0f}: move them apart, or use a finer encoder"
                )

    def _check_order(self) -> None:
        numbered = tuple(self.angles_deg)
        first = self._order.index(numbered[0])
        clockwise = self._order[first:] + self._order[:first]
        if numbered not in (clockwise, clockwise[:1] + clockwise[:0:-1]):
            raise BadSeats(
                f"clockwise the seats were given as {', '.join(map(str, clockwise))}, but people"
                " sit in the order of their numbers: point at them in that order"
            )


class SectorCalibration:
    """The guided step: point the idol at each seat in turn, and hold it still.

    angles: what was pointed at so far.
    """

    __slots__ = ("_hand_deg", "_seats", "_step_deg", "angles")

    def __init__(self, seats: Sequence[int], step_deg: float, hand_deg: float = HAND_DEG) -> None:
        if len(set(seats)) != len(seats) or len(seats) not in SEATS:
            raise BadSeats(f"seats {list(seats)} cannot be calibrated: give 2 to 10 different ones")
        self._seats = tuple(seats)
        self._step_deg = step_deg
        self._hand_deg = hand_deg
        self.angles: dict[int, float] = {}

    @property
    def seat(self) -> int | None:
        """The seat to point at next, None when all are calibrated."""
        return next((seat for seat in self._seats if seat not in self.angles), None)

    def take(self, angle_deg: float) -> Sectors | None:
        """Record that the idol points at `seat`; return the sectors after the last one.

        Raises BadSeats, and forgets this angle, if the seats known so far cannot be told apart.
        """
        seat = self.seat
        if seat is None:
            raise BadSeats("all seats are calibrated: start again to change them")
        angles = {**self.angles, seat: angle_deg}
        sectors = None
        if len(angles) > 1:
            sectors = Sectors(angles, self._step_deg, self._hand_deg)
        self.angles = angles
        return sectors if self.seat is None else None


def turned(from_deg: float, to_deg: float) -> float:
    """Return the shorter way from one angle to another, clockwise positive, -180 to below 180."""
    return (to_deg - from_deg + TURN_DEG / 2) % TURN_DEG - TURN_DEG / 2
