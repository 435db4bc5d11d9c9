"""Tell how high columns are by laying their tops over known tops of the same paint.

What is a level nearer to the camera looks larger by a hundredth or two. Tops of one paint are all
alike but for how they are turned, so they can be laid over each other (`image_registration.py`),
and how many times one is larger than another says how much nearer it is. Known are the tops of the
calibration picture, and in each picture those whose height is beyond doubt.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.image_registration import Subject, Template, register
from vision.columns.cues.rotation_search import SIDE_PX, SPAN, WIDE_PX
from vision.columns.grid import TALLEST, Column, Grid
from vision.columns.patches import Patches, View
from vision.geometry.pose import Points, build_grids

Odds: TypeAlias = NDArray[np.float64]

MOST: Final = 8
"""With how many known tops each is compared: those that the camera sees most alike aslant."""
FIRST: Final = 3
"""With so many of them at first..."""
CLEAR: Final = 0.985
"""...and with the others where a height is less likely than this then."""
MISTAKEN: Final = 1.5
"""By how many levels a height may be mistaken for the top to be found."""
FEWEST: Final = 2
"""One pair alone may be mistaken for reasons of its own."""
DOUBT: Final = 0.03
"""By how many levels pairs are doubted usually, and LEAST_DOUBT at least."""
LEAST_DOUBT: Final = 1e-3
ANYWHERE: Final = 0.1
"""How likely a height is that may be anything, for each level."""
USUAL: Final = np.linspace(-2.4, 2.4, 9)
"""How far from what is usual things may be, in standard deviations."""
HEIGHTS: Final = np.arange(1, TALLEST + 1)


@dataclass(frozen=True, slots=True)
class Trust:
    """How far pairs of tops of some pieces are to be trusted; found by likelihood on renders.

    off: by how many levels pairs as doubtful as DOUBT, seen from the same side, usually are off.
    doubted: by which power of their doubt that grows.  aside: by what power of e it grows with the
    tangent between the sides from which they are seen.  varied: by what power of e all pairs of a
    top are usually better or worse than that.  stray: which share of pairs may be anything.  share:
    how much each pair of several says that others do not.  common: by how many levels all pairs of
    a top usually are off together, since pieces differ a little, and lenses bend.
    """

    off: float
    doubted: float
    aside: float
    varied: float
    stray: float
    share: float
    common: float

    def expect(self, pair: "Pair") -> float:
        """Return by how many levels a pair is usually off."""
        doubt = (pair.doubt + LEAST_DOUBT) / DOUBT
        return self.off * math.exp(self.doubted * math.log(doubt) + self.aside * pair.aside)

    def weigh(self, seen: Odds, usual: Odds) -> Odds:
        """Return how likely each height (TALLEST,) is, if pairs say it is *seen* (n,).

        usual: (n,) by how many levels each pair is usually off.  How well they agree shows whether
        this top's are better or worse.
        """
        spreads = (usual[:, None] * np.exp(self.varied * USUAL))[:, :, None, None]
        truly = HEIGHTS + self.common * USUAL[:, None]
        away = (seen[:, None, None, None] - truly) / spreads
        likely = (1.0 - self.stray) * np.exp(-0.5 * away**2) / (math.sqrt(2 * math.pi) * spreads)
        total = self.share * np.log(likely + self.stray * ANYWHERE).sum(axis=0)
        total -= 0.5 * (USUAL[:, None, None] ** 2 + USUAL[:, None] ** 2)
        odds = np.exp(total - total.max()).sum(axis=(0, 1))
        return np.asarray(odds / odds.sum())


@dataclass(frozen=True, slots=True)
class Pair:
    """What a known top says of another.

    seen: how high the column would be.  doubt: by how many levels that may be off, as far as the
    misfit tells.  aside: how differently aslant the two are seen, as the tangent of an angle.
    """

    seen: float
    doubt: float
    aside: float


@dataclass(frozen=True, eq=False)
class Top:
    """A top as one *view* shows it.

    middle_mm: (3,) where its middle would be in the view's pose, if the column were as high as
    thought.  radius_mm: of a piece.  lean: (2,) tangents of the angle from below the camera, along
    both sides of the board.  levels: how many levels below the camera it would be.  level_px: what
    a level is in pixels of the patch.
    """

    column: Column
    view: View
    middle_mm: Points
    radius_mm: float
    lean: Points
    levels: float
    level_px: float

    @cached_property
    def template(self) -> Template:
        """What other tops are compared with."""
        return Template(cut_top(self.view, self.middle_mm, self.radius_mm, SIDE_PX))

    @cached_property
    def subject(self) -> Subject:
        """What is compared with other tops: it lies aside if its height was mistaken."""
        across, down = MISTAKEN * self.level_px * self.lean
        around = cut_top(self.view, self.middle_mm, self.radius_mm, WIDE_PX)
        return Subject(around, (across, down))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Of a *top* with a *known* one.

    aside: how differently aslant the two are seen, as the tangent of an angle.
    """

    top: Top
    known: Top
    aside: float


class Likeness:
    """Tells by known tops how high the columns on one grid are."""

    def __init__(self, grid: Grid, floor_z: float, trust: Trust) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z, self._trust = grid, floor_z, trust
        self._known: list[Top] = []

    def learn(self, view: View, columns: Sequence[Column]) -> None:
        """Learn the tops of *view*, on which *columns* stand."""
        self._known = self._find(view, columns)

    def tell(
        self,
        view: View,
        doubtful: Sequence[Column],
        sure: Sequence[Column],
        thought: Odds | None = None,
    ) -> Odds:
        """Return how likely each height of the *doubtful* columns is by their tops (n, TALLEST).

        doubtful: with the heights that are likeliest.  sure: what stands there beyond doubt.
        thought: (n, TALLEST) how likely each height is thought to be by others; the fewer known
        tops have to be asked.
        """
        known = [*self._known, *self._find(view, sure)]
        asked = [choose_alike(top, known) for top in self._find(view, doubtful)]
        odds = np.full((len(asked), TALLEST), 1.0 / TALLEST)
        pairs: list[list[Pair]] = [[] for _ in asked]
        unclear = [at for at, alike in enumerate(asked) if len(alike) >= FEWEST]
        for lot in (slice(FIRST), slice(FIRST, MOST)):
            found = iter(lay_over([each for at in unclear for each in asked[at][lot]]))
            for at in unclear:
                pairs[at] += islice(found, len(asked[at][lot]))
                odds[at] = self._weigh(pairs[at])
            both = odds if thought is None else odds * thought
            clear = both.max(axis=1) >= CLEAR * both.sum(axis=1)
            unclear = [at for at in unclear if not clear[at]]
        return odds

    def _find(self, view: View, columns: Sequence[Column]) -> list[Top]:
        return find_tops(view, self._grid, self._floor_z, columns)

    def _weigh(self, pairs: Sequence[Pair]) -> Odds:
        """Return how likely each height of a column is (TALLEST,) by what *pairs* say."""
        seen = np.array([pair.seen for pair in pairs])
        return self._trust.weigh(seen, np.array([self._trust.expect(pair) for pair in pairs]))


def compare(top: Top, known: Sequence[Top]) -> list[Pair]:
    """Return what those of *known* tops say of *top* that are seen most alike; never itself."""
    return lay_over(choose_alike(top, known))


def choose_alike(top: Top, known: Sequence[Top]) -> list[Comparison]:
    """Return *top* with each of *known* tops that are seen most alike, these first; not itself."""
    alike = [
        Comparison(top, other, float(np.hypot(*(top.lean - other.lean))))
        for other in known
        if other.column.paint == top.column.paint and not _are_same(top, other)
    ]
    return sorted(alike, key=lambda each: each.aside)[:MOST]


def lay_over(comparisons: Sequence[Comparison]) -> list[Pair]:
    """Return what the known top of each of *comparisons* says of the other."""
    found = register([(each.known.template, each.top.subject) for each in comparisons])
    return [
        Pair(
            each.top.column.height + (1.0 - 1.0 / alignment.scale) * each.top.levels,
            alignment.doubt * each.top.levels,
            each.aside,
        )
        for each, alignment in zip(comparisons, found, strict=True)
    ]


def _are_same(top: Top, other: Top) -> bool:
    """Return whether these are one column in one picture."""
    return top.view.picture is other.view.picture and top.column.spot == other.column.spot


def find_tops(view: View, grid: Grid, floor_z: float, columns: Sequence[Column]) -> list[Top]:
    """Return the tops of *columns* that stand in *view* on a grid, *floor_z* mm above its pose."""
    figure, camera = grid.figure, view.pose.camera
    level_px = figure.pitch / figure.radius * SIDE_PX / (2.0 * SPAN)
    tops = []
    for column in columns:
        top_mm = floor_z + figure.rise_mm(column.height)
        middle = np.array([*grid.spots[column.spot], top_mm])
        below_mm = float(camera[2]) - top_mm
        lean = (middle[:2] - camera[:2]) / below_mm
        levels = below_mm / figure.pitch
        tops.append(Top(column, view, middle, figure.radius, lean, levels, level_px))
    return tops


def cut_top(view: View, middle_mm: Points, radius_mm: float, side_px: int) -> Picture:
    """Return (side_px, side_px, 3): what lies in the plane of a top around its middle (3,).

    radius_mm: of a piece; SPAN of it are half of SIDE_PX.
    """
    (cut,) = cut_tops(view, middle_mm[None], radius_mm, side_px)
    return np.asarray(cut, np.uint8)


def cut_tops(view: View, middles_mm: Points, radius_mm: float, side_px: int) -> Patches:
    """Return (n, side_px, side_px, 3): what `cut_top` does of tops with *middles_mm* (n, 3)."""
    step = 2.0 * SPAN * radius_mm / SIDE_PX
    planes = np.stack([view.pose.homography(z_mm) for z_mm in middles_mm[:, 2].tolist()])
    firsts = middles_mm[:, :2] - step * (side_px - 1) / 2.0
    right, down = (np.broadcast_to(way, firsts.shape) for way in step * np.eye(2))
    pixels = build_grids(planes, firsts, down, right, (side_px, side_px))
    x, y = pixels.reshape(2, -1, side_px)
    cut = cv2.remap(view.picture, x, y, cv2.INTER_CUBIC)
    return np.asarray(cut.reshape(-1, side_px, side_px, 3), np.uint8)
