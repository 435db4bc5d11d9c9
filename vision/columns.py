"""Columns of round pieces on a plane, seen by one camera: which height explains the pixels best.

Seen from a camera *h* above a plane, what lies *z* above it appears enlarged by h / (h - z) around
the camera's foot, the point straight below it. In polar coordinates around the foot, the distance
on a logarithmic scale, that is a mere shift: each level of a column looks like the one below it, a
little further out. Every spot gets a patch of pixels in such coordinates (rows run across the line
of sight, columns outwards), and a column is followed through it level by level.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import Figure
from vision.tiles import Points

Scores: TypeAlias = NDArray[np.float32]
Maps: TypeAlias = tuple[NDArray[np.int16], NDArray[np.uint16]]
"""Where in the picture to look: OpenCV's quicker form of it."""
Mask: TypeAlias = NDArray[np.bool_]

NEAREST_MM: Final = 60.0
"""Spots closer to the camera's foot are treated as this far: there heights cannot be told."""
MARGIN_MM: Final = 4.0
FAR_PX: Final = 30000.0
NATS_PER_MM2: Final = 0.05
"""How much a square millimetre counts: neighbouring pixels err alike, so far less than singly."""
STRAY: Final = 2.9
"""How many times its usual stray a piece may lie from the one below it, at most."""
UNEVEN: Final = 2.5
"""How many times its usual unevenness the length of a piece may be off, at most."""
LEAST_PAINT: Final = 0.25
"""Where less than this share of a piece's outline is painted, none stands."""
NEVER: Final = -1e9


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """How pieces look different from what their size says: learned, in mm.

    excess: (paints,) by how much a single piece with that paint looks longer than it is.
    near: how much of that is at the near edge, where the lowest piece meets the ground.
    """

    excess: NDArray[np.float32]
    near: float


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """How well each height and topmost paint explains each spot, and where its column stands.

    scores: (spots, tallest + 1, paints) nats; an empty spot has 0 for height 0, any paint.
    places: (spots, tallest + 1, 2) millimetres across and outwards from the spot's middle.
    """

    scores: Scores
    places: NDArray[np.float32]

    @property
    def heights(self) -> NDArray[np.intp]:
        """The likeliest height of each spot."""
        return np.asarray(self.scores.max(axis=2).argmax(axis=1), np.intp)


class Columns:
    """The patches of all spots as one camera sees them, and what columns look like in them."""

    def __init__(self, spots: Points, figure: Figure, foot: Points, height_mm: float) -> None:
        """*spots*: (n, 2) mm on the plane.  *foot*: (2,) mm, *height_mm* below the camera."""
        self.figure = figure
        self.out_mm, self.across_mm = figure.grain
        self._spots, self._foot, self._height = spots, foot, height_mm
        away = spots - foot
        self.distance = np.maximum(np.hypot(away[:, 0], away[:, 1]), NEAREST_MM)
        self._bearing = np.arctan2(away[:, 1], away[:, 0])
        self.order = np.argsort(np.argsort(np.hypot(away[:, 0], away[:, 1])))
        radius = figure.radius
        self._half = int(np.ceil(radius / self.across_mm))
        self._sway = int(figure.slack // self.across_mm)
        self._rows = 2 * (self._half + self._sway) + 1
        self._inwards = int(np.ceil((radius + figure.slack + MARGIN_MM) / self.out_mm))
        reach = self.shift(figure.ring_mm + figure.pitch * (figure.tallest - 1)).max()
        self._columns = self._inwards + int(np.ceil((reach + radius + MARGIN_MM) / self.out_mm))
        self.points = self._lay_points()
        self._steps = self._lay_steps()
        self._arcs = self._lay_arcs()

    def shift(self, z_mm: float) -> NDArray[np.float64]:
        """Return how far out (n,) in patch mm something *z_mm* above the spots appears."""
        return np.asarray(self.distance * np.log(self._height / (self._height - z_mm)), np.float64)

    def _lay_points(self) -> Points:
        """Return where on the plane (n, rows, columns, 2) each pixel of the patches lies."""
        out = (np.arange(self._columns) - self._inwards) * self.out_mm
        across = (np.arange(self._rows) - self._rows // 2) * self.across_mm
        reach = self.distance[:, None] * np.exp(out / self.distance[:, None])
        angle = self._bearing[:, None] + across / self.distance[:, None]
        x = self._foot[0] + reach[:, None, :] * np.cos(angle)[:, :, None]
        y = self._foot[1] + reach[:, None, :] * np.sin(angle)[:, :, None]
        return np.stack([x, y], axis=-1)

    def _lay_steps(self) -> list[tuple[NDArray[np.intp], NDArray[np.float32]]]:
        """Return, for each next level, from which columns it can come and what that costs.

        columns: (n, strays, columns).  costs: the same shape.
        """
        steps = []
        far = round(STRAY * self.figure.stray / self.out_mm)
        strays = np.arange(-far, far + 1)
        here = np.arange(self._columns)
        for level in range(1, self.figure.tallest):
            step = self.shift(self.figure.pitch * level) - self.shift(
                self.figure.pitch * (level - 1)
            )
            moved = np.maximum(np.round(step / self.out_mm)[:, None] + strays, 0.0)
            cost = ((moved * self.out_mm - step[:, None]) / self.figure.stray) ** 2 / 2.0
            source = here - moved[..., None].astype(np.intp)
            costs = np.where(source >= 0, cost[..., None], -NEVER)
            steps.append((np.maximum(source, 0), costs.astype(np.float32)))
        return steps

    def _lay_arcs(self) -> list[tuple[int, float]]:
        """Return for each row of a piece its distance from the middle row and half its length."""
        rows = np.arange(-self._half, self._half + 1)
        inside = self.figure.radius**2 - (rows * self.across_mm) ** 2
        return [
            (int(row), float(np.sqrt(square)))
            for row, square in zip(rows, inside, strict=True)
            if square > 0.0
        ]

    def stand(self, spot: int, place: tuple[float, float]) -> Points:
        """Return where on the plane (2,) a column stands *place* mm across and out of a spot."""
        distance = self.distance[spot]
        reach = distance * np.exp(place[1] / distance)
        angle = self._bearing[spot] + place[0] / distance
        return np.asarray(self._foot + reach * np.array([np.cos(angle), np.sin(angle)]), np.float64)

    def outline(
        self, spot: int, height: int, place: tuple[float, float]
    ) -> list[tuple[float, float, float]]:
        """Return what a column covers, as circles (x, y, radius) in mm: foot first, then rings."""
        foot, figure = self.stand(spot, place), self.figure
        levels = [figure.ring_mm + figure.pitch * level for level in range(height)]
        sizes = [self._height / (self._height - z) for z in (0.0, *levels)]
        x, y = float(self._foot[0]), float(self._foot[1])
        away_x, away_y = float(foot[0]) - x, float(foot[1]) - y
        return [(x + away_x * k, y + away_y * k, figure.radius * k) for k in sizes]

    def levels(
        self, standing: Sequence[tuple[int, int, tuple[float, float]]], grow_mm: float
    ) -> NDArray[np.int8]:
        """Return which level, from 1, of its own spot's column each pixel of the patches shows.

        0 is none of them.  Pieces are taken *grow_mm* larger.
        """
        shown = np.zeros(self.points.shape[:3], np.int8)
        for spot, height, place in standing:
            for index, (x, y, radius) in enumerate(self.outline(spot, height, place)):
                away = self.points[spot] - (x, y)
                inside = (away**2).sum(axis=-1) <= (radius + grow_mm) ** 2
                shown[spot][inside] = max(1, index)
        return shown

    @functools.cached_property
    def single(self) -> Mask:
        """Where in the patches (n, rows, columns) a single piece in the spot's middle shows."""
        alone = [(spot, 1, (0.0, 0.0)) for spot in range(len(self._spots))]
        return np.asarray(self.levels(alone, 0.0) > 0, np.bool_)

    def maps(self, plane: Points) -> Maps:
        """Return where in the picture all patches' pixels lie; *plane*: mm to pixels, 3 x 3."""
        flat = self.points.reshape(-1, 2)
        pixels = flat @ plane[:, :2].T + plane[:, 2]
        pixels = np.clip(pixels[:, :2] / pixels[:, 2:], -FAR_PX, FAR_PX).astype(np.float32)
        x, y = (pixels[:, axis].reshape(-1, self._columns) for axis in (0, 1))
        whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return np.asarray(whole, np.int16), np.asarray(parts, np.uint16)

    def cut(self, picture: Picture, maps: Maps) -> Picture:
        """Return the patches (n, rows, columns, 3) of the picture; black outside of it."""
        cut = cv2.remap(picture, maps[0], maps[1], cv2.INTER_LINEAR)
        return np.asarray(cut.reshape(len(self._spots), self._rows, self._columns, 3), np.uint8)

    def weigh(self, favour: Scores, looks: Looks, spots: NDArray[np.intp]) -> Verdict:
        """Return how well each height explains the patches of *spots* (indices).

        favour: (paints, spots, rows, columns) nats for a paint against the ground.
        """
        tallest, paints = self.figure.tallest, len(favour)
        scores = np.full((len(spots), tallest + 1, paints), NEVER, np.float32)
        scores[:, 0] = 0.0
        places = np.zeros((len(spots), tallest + 1, 2), np.float32)
        some = np.flatnonzero(self._anything(favour, spots))
        if not len(some):
            return Verdict(scores, places)
        chosen = spots[some]
        inner, outer = self._edges(favour[:, some], looks.excess, chosen)
        rows = self._best_sway(outer - inner)[:, None] + np.arange(-1, 2)
        pick = np.arange(len(some))[:, None], rows
        inner, outer = inner[:, *pick], outer[:, *pick]
        base, whole = self._prior()[rows], outer - inner
        # Only the lowest piece has its near edge on the ground: those above lie further out by as
        # much as that edge seems nearer, and look shorter.
        ahead = round(looks.near / self.out_mm)
        upper = np.roll(outer, ahead, axis=3) - inner
        for height in range(1, tallest + 1):
            total = (base + (whole if height == 1 else upper)).reshape(paints, len(some), -1)
            scores[some, height] = total.max(axis=2).T
            at = functools.reduce(np.maximum, total).argmax(axis=1)
            places[some, height] = self._place(at, rows, height, chosen)
            if height < tallest:
                base = self._climb(base, inner, height, chosen, ahead if height == 1 else 0)
        return Verdict(scores, places)

    def _anything(self, favour: Scores, spots: NDArray[np.intp]) -> Mask:
        """Return at which of *spots* there is paint enough, low down, for a piece to stand."""
        painted = functools.reduce(np.maximum, favour) > 0.0
        ahead = self.figure.radius + self.figure.slack + self.shift(2.0 * self.figure.pitch)[spots]
        low = np.arange(self._columns) <= self._inwards + ahead[:, None] / self.out_mm
        amount = (
            np.count_nonzero(painted & low[:, None], axis=(1, 2)) * self.out_mm * self.across_mm
        )
        return np.asarray(amount > LEAST_PAINT * np.pi * self.figure.radius**2, np.bool_)

    def _best_sway(self, whole: Scores) -> NDArray[np.intp]:
        """Return how far across, as a row from 1 to the last but one, each column stands."""
        best = functools.reduce(np.maximum, whole) + self._prior()
        middle = best.max(axis=2).argmax(axis=1)
        return np.asarray(np.clip(middle, 1, best.shape[1] - 2), np.intp)

    def _place(
        self,
        at: NDArray[np.intp],
        rows: NDArray[np.intp],
        height: int,
        spots: NDArray[np.intp],
    ) -> NDArray[np.float32]:
        row = rows[np.arange(len(rows)), at // self._columns]
        across = (row - self._sway) * self.across_mm
        out = (at % self._columns - self._inwards) * self.out_mm
        out = out - self.shift(self.figure.pitch * (height - 1))[spots]
        return np.column_stack([across, out]).astype(np.float32)

    def _prior(self) -> Scores:
        """Return the cost (sways, columns) of a column's foot beside its spot's middle."""
        out = (np.arange(self._columns) - self._inwards) * self.out_mm
        across = np.arange(-self._sway, self._sway + 1) * self.across_mm
        away = out**2 + across[:, None] ** 2
        prior = -away / (2.0 * self.figure.astray**2)
        return np.where(np.abs(out) <= self.figure.slack, prior, NEVER).astype(np.float32)

    def _climb(
        self, base: Scores, inner: Scores, level: int, spots: NDArray[np.intp], ahead: int
    ) -> Scores:
        """Return *base* one level up, and *ahead* columns: each piece hides what lies behind it."""
        source, cost = (part[spots] for part in self._steps[level - 1])
        if ahead:
            cost = np.where(source >= ahead, cost, -NEVER).astype(np.float32)
            source = np.maximum(source - ahead, 0)
        n, sways, columns = base.shape
        best = np.full(base.shape, NEVER, np.float32)
        # Flat indices: numpy takes those several times faster than one index per axis.
        starts = (np.arange(n * sways) * columns).reshape(n, sways, 1)
        for stray in range(source.shape[1]):
            come = starts + source[:, stray, None]
            gain = functools.reduce(np.maximum, [part - part.take(come) for part in inner])
            gain += base.take(come)
            gain -= cost[:, stray, None]
            np.maximum(best, gain, out=best)
        return best

    def _edges(
        self, favour: Scores, excess: NDArray[np.float32], spots: NDArray[np.intp]
    ) -> tuple[Scores, Scores]:
        """Return what lies this side of a piece's near edge and of its far edge.

        Both (paints, spots, sways, columns), by where the piece's foot stands; the difference of
        two edges is what lies between them.
        """
        ring = self.shift(self.figure.ring_mm)[spots]
        least = int(np.ceil((self.figure.radius + 1.0) / self.out_mm))
        most = least + int(np.ceil((ring.max() + float(np.abs(excess).max())) / self.out_mm)) + 1
        paints, n, rows, columns = favour.shape
        total = np.zeros((paints, n, rows, columns + least + 1 + most), np.float32)
        scale = np.float32(NATS_PER_MM2 * self.out_mm * self.across_mm)
        middle = total[..., least + 1 : least + 1 + columns]
        np.cumsum(favour * scale, axis=3, out=middle)
        total[..., least + 1 + columns :] = middle[..., -1:]
        sways, width = 2 * self._sway + 1, columns + most - least
        inner = np.zeros((paints, n, sways, columns), np.float32)
        outer = np.zeros((paints, n, sways, width), np.float32)
        for row, half in self._arcs:
            band = total[:, :, self._half + row : self._half + row + sways]
            # To whole columns: over all rows of a piece the rounding comes out even.
            near, far = (round(least + 0.5 + side * half / self.out_mm) for side in (-1, 1))
            inner += band[..., near : near + columns]
            outer += band[..., far : far + width]
        pushed = self._push(outer, ring + excess[:, None])
        return inner, _soften(pushed, self.figure.uneven / self.out_mm)

    def _push(self, outer: Scores, by_mm: NDArray[np.float64]) -> Scores:
        """Return *outer* as seen from *by_mm* (paints, spots) further in."""
        low = np.floor(by_mm / self.out_mm).astype(np.intp)
        share = (by_mm / self.out_mm - low).astype(np.float32)[..., None, None]
        paints, n, sways, width = outer.shape
        starts = (np.arange(paints * n * sways) * width).reshape(paints, n, sways, 1)
        at = starts + np.maximum(low[..., None] + np.arange(self._columns), 0)[:, :, None]
        here = outer.take(at)
        return np.asarray(here + share * (outer.take(at + 1) - here), np.float32)


def _soften(outer: Scores, uneven_px: float) -> Scores:
    """Return the best of each far edge and those nearby, which a piece turned round may have."""
    best = outer.copy()
    for shift in range(1, round(UNEVEN * uneven_px) + 1):
        cost = np.float32((shift / uneven_px) ** 2 / 2.0)
        np.maximum(best[..., :-shift], outer[..., shift:] - cost, out=best[..., :-shift])
        np.maximum(best[..., shift:], outer[..., :-shift] - cost, out=best[..., shift:])
    return best
