"""How high the columns on a grid of spots are, and what lies on top: all spots of one picture.

Near columns hide what is behind them, and one picture cannot tell a high column from a low one
with another right behind it by looking at either alone. Each spot is weighed on its own first, and
then again with what the others explain taken out, until nothing changes. What does not come to
rest, or what another explanation fits nearly as well, is left open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns, Looks, Maps, Verdict
from vision.frame import Picture
from vision.grid import Grid
from vision.ground import Ground
from vision.paints import Paints
from vision.plan import NOBODY, Column, Plan
from vision.rectify import STEP_MM, Mask
from vision.sight import EMPTY, HIDDEN, Evidence
from vision.tiles import Pose

Cells: TypeAlias = Sequence[Sequence[Sequence[str]]]
"""Rows of spots, each a list of paints from the bottom to the top."""

ROUNDS: Final = 4
"""How often the spots are weighed; lone columns agree after the first time."""
MIDDLE: Final = 0.6
"""Samples of paint are taken within this share of a piece's radius, to begin with."""
APART_MM: Final = 2.0
"""Samples of the ground keep this far from the pieces."""
SHARED_MM: Final = -1.0
"""A column explains what lies this far outside its silhouette: its rim, it leaves to others."""
EXCESSES: Final = np.arange(-2.0, 4.1, 0.25)
OWN_EXCESS_MM: Final = 0.4
"""How much longer or shorter than others pieces of one paint usually look."""
CLEARLY: Final = 1.0
"""By how many nats several columns must beat a single one in their place."""
NEARS: Final = (0.0, 0.5, 1.0, 1.5)
"""How much nearer than it is the foot of a column may look, in mm."""
EDGE_MM: Final = 0.6
"""A column this close to the furthest that it may stand out has not been made out."""
LEAST_VISIBLE: Final = 0.5
"""The share of its pixels that a single piece must show if a spot is to be called empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """What follows from a pose alone."""

    pose: Pose
    z_mm: float
    columns: Columns
    plan: Plan
    maps: Maps


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One picture of the board.

    patches: (spots, rows, columns, 3), see Columns.  board: coarse, see Plan.
    """

    stance: Stance
    patches: Picture
    board: Picture


def lay_stance(grid: Grid, pose: Pose, z_mm: float) -> Stance:
    """Return how the plane *z_mm* above the frame of *pose* is seen."""
    camera = pose.camera
    foot, height = camera[:2], float(camera[2]) - z_mm
    columns = Columns(grid.middles, grid.figure, foot, height)
    plan = Plan(grid, columns)
    return Stance(pose, z_mm, columns, plan, columns.maps(pose.plane(z_mm)))


def look(stance: Stance, picture: Picture) -> View:
    """Return what *picture* shows of the board."""
    patches = stance.columns.cut(picture, stance.maps)
    return View(stance, patches, stance.plan.rectify(picture, stance.pose, stance.z_mm))


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What stands on the board.

    spots: evidence per spot; classes are EMPTY, HIDDEN and those of `name_class`.
    settled: whether all spots agree on who explains which pixels, and all columns' feet are seen.
    covered_mm2: on how much of the free board the print is not to be seen.
    strange_mm2: how much of the board shows colours that neither it nor the pieces have.
    """

    spots: tuple[Evidence, ...]
    settled: bool
    covered_mm2: float
    strange_mm2: float


def name_class(paint: str, height: int) -> str:
    """Return the class of a column of *height* pieces with *paint* on top.

    >>> name_class("tac", 2)
    'tac 2'
    """
    return f"{paint} {height}"


class Heights:
    """Reads the columns on one grid; must have been calibrated."""

    def __init__(self, grid: Grid, view: View, cells: Cells) -> None:
        """Learn from *view*, on which exactly *cells* stand."""
        self._grid = grid
        spots = [list(spot) for row in cells for spot in row]
        nominal = [(i, len(spot), (0.0, 0.0)) for i, spot in enumerate(spots)]
        # At first the pieces are taken to stand in the middle of their spots, with only the tops
        # sampled; with the colours roughly known they are found where they really stand.
        paints = self._sample(view, spots, nominal, shrink=MIDDLE, tops_only=True)
        plain = Looks(np.zeros(len(grid.paints), np.float32), 0.0)
        standing = self._align(view, paints, spots, plain)
        self._paints = self._sample(view, spots, standing, shrink=0.85, tops_only=False)
        self._looks = self._fit_looks(view, spots)
        self._ground = Ground(view.board, view.stance.plan.free(standing))

    def _sample(
        self,
        view: View,
        spots: Sequence[Sequence[str]],
        standing: Sequence[Column],
        shrink: float,
        tops_only: bool,
    ) -> Paints:
        plan, grid = view.stance.plan, self._grid
        samples: dict[str, list[Picture]] = {paint: [] for paint in grid.paints}
        inset = (shrink - 1.0) * grid.figure.radius
        levels = view.stance.columns.levels(standing, inset)
        for spot, paints in enumerate(spots):
            for level, paint in enumerate(paints):
                if not tops_only or level == len(paints) - 1:
                    samples[paint].append(view.patches[spot][levels[spot] == level + 1])
        slack = grid.figure.slack if tops_only else 0.0
        hidden = plan.draw(standing, slack + APART_MM) != NOBODY
        bare = ~plan.seen_by(hidden.astype(np.int16)).astype(bool)
        ground = [view.patches[bare], view.board[plan.free(standing)]]
        known = [np.concatenate(samples[paint]) for paint in grid.paints]
        return Paints(known, np.concatenate(ground))

    def _align(
        self,
        view: View,
        paints: Paints,
        spots: Sequence[Sequence[str]],
        looks: Looks,
    ) -> list[Column]:
        """Return where the known columns really stand."""
        everyone = np.arange(len(spots))
        verdict = view.stance.columns.weigh(paints.favour(view.patches), looks, everyone)
        places = [verdict.places[i, len(spot)] for i, spot in enumerate(spots)]
        return [
            (i, len(spot), (float(place[0]), float(place[1])))
            for i, (spot, place) in enumerate(zip(spots, places, strict=True))
        ]

    def _fit_looks(self, view: View, spots: Sequence[Sequence[str]]) -> Looks:
        """Return how pieces look different from what their size says."""
        favour, everyone = self._paints.favour(view.patches), np.arange(len(spots))
        best, chosen = -np.inf, Looks(np.zeros(len(self._grid.paints), np.float32), 0.0)
        for near in NEARS:
            fits = np.zeros((len(EXCESSES), len(self._grid.paints)))
            for index, excess in enumerate(EXCESSES):
                looks = Looks(np.full(len(self._grid.paints), excess, np.float32), near)
                scores = view.stance.columns.weigh(favour, looks, everyone).scores
                for spot, paints in enumerate(spots):
                    if paints:
                        top = self._grid.paints.index(paints[-1])
                        fits[index, top] += scores[spot, len(paints), top]
            common = EXCESSES[fits.sum(axis=1).argmax()]
            # Few pieces of each paint were seen: they differ from the others for good reason only.
            fits -= (((EXCESSES - common) / OWN_EXCESS_MM) ** 2 / 2.0)[:, None]
            total = float(fits.max(axis=0).sum())
            if total > best:
                own = np.asarray(EXCESSES[fits.argmax(axis=0)], np.float32)
                best, chosen = total, Looks(own, float(near))
        return chosen

    def read(self, view: View) -> Found:
        """Return what stands on the board in *view*."""
        favour = self._paints.favour(view.patches)
        verdict, settled, columns, visible = self._resolve(view, favour)
        covered = self._ground.covered_mm2(view.board, view.stance.plan.free(columns))
        strange = np.count_nonzero(_solid(self._paints.strange(view.board))) * STEP_MM**2
        # A column as far out as it may stand is one whose foot was not made out: lost in a shadow.
        limit = self._grid.figure.slack - EDGE_MM
        standing = all(place[1] < limit for _, _, place in columns)
        return Found(self._evidence(verdict, visible), settled and standing, covered, strange)

    def _resolve(
        self, view: View, favour: NDArray[np.float32]
    ) -> tuple[Verdict, bool, list[Column], NDArray[np.float64]]:
        """Weigh all spots until they agree on who explains which pixels."""
        stance, everyone = view.stance, np.arange(favour.shape[1])
        alone = verdict = stance.columns.weigh(favour, self._looks, everyone)
        behind = self._claimed_behind(stance, _columns(alone))
        before = favour
        for _ in range(ROUNDS):
            columns = _columns(verdict)
            hidden = self._hidden(stance, columns)
            adjusted = _take_out(favour, hidden, behind != NOBODY)
            other = np.flatnonzero((adjusted != before).any(axis=(0, 2, 3)))
            if not len(other):
                piece = stance.columns.single
                visible = 1.0 - (hidden & piece).sum(axis=(1, 2)) / piece.sum(axis=(1, 2))
                return verdict, self._agree(alone, verdict, behind), columns, visible
            again = stance.columns.weigh(adjusted[:, other], self._looks, other)
            scores, places = verdict.scores.copy(), verdict.places.copy()
            scores[other], places[other] = again.scores, again.places
            verdict, before = Verdict(scores, places), adjusted
        return verdict, False, columns, np.ones(len(everyone))

    def _claimed_behind(self, stance: Stance, columns: list[Column]) -> NDArray[np.int16]:
        """Return which column further out, if any, would explain each pixel of the patches."""
        order = stance.columns.order
        outwards = sorted(columns, key=lambda column: order[column[0]])
        shown = stance.plan.seen_by(stance.plan.draw(outwards, SHARED_MM))
        rank = np.append(order, NOBODY)
        return np.where(rank[shown] > order[:, None, None], shown, NOBODY).astype(np.int16)

    def _hidden(self, stance: Stance, columns: list[Column]) -> Mask:
        """Return where in the patches a column nearer to the camera's foot is in the way."""
        order = stance.columns.order
        inwards = sorted(columns, key=lambda column: -order[column[0]])
        shown = stance.plan.seen_by(stance.plan.draw(inwards, SHARED_MM))
        rank = np.append(order, len(order))
        return np.asarray(rank[shown] < order[:, None, None], np.bool_)

    def _agree(self, alone: Verdict, verdict: Verdict, behind: NDArray[np.int16]) -> bool:
        """Return whether low columns one behind the other clearly beat a single high one."""
        first, last = alone.scores.max(axis=(1, 2)), verdict.scores.max(axis=(1, 2))
        for spot in np.flatnonzero(alone.heights > verdict.heights):
            others = np.unique(behind[spot])
            together = last[spot] + last[others[others != NOBODY]].sum()
            if together < first[spot] + CLEARLY:
                return False
        return True

    def _evidence(self, verdict: Verdict, visible: NDArray[np.float64]) -> tuple[Evidence, ...]:
        paints = self._grid.paints
        names = [EMPTY, *(name_class(p, h) for h in range(1, 7) for p in paints), HIDDEN]
        found = []
        for scores, share in zip(verdict.scores, visible, strict=True):
            nats = np.concatenate([[0.0], scores[1:].ravel(), [-1e3]])
            nats[-1] = nats.max() if share < LEAST_VISIBLE and nats.argmax() == 0 else -1e3
            likely = np.exp(nats - nats.max())
            likely /= likely.sum()
            found.append(Evidence(dict(zip(names, map(float, likely), strict=True))))
        return tuple(found)


def _take_out(favour: NDArray[np.float32], hidden: Mask, others: Mask) -> NDArray[np.float32]:
    """Return *favour* without what is hidden, and without the praise for *others*' pixels."""
    adjusted = favour.copy()
    crowded = np.flatnonzero((hidden | others).any(axis=(1, 2)))
    some = np.where(others[crowded], np.minimum(favour[:, crowded], 0.0), favour[:, crowded])
    adjusted[:, crowded] = np.where(hidden[crowded], 0.0, some)
    return adjusted


def _solid(mask: Mask) -> Mask:
    """Return the mask without what is thinner than two pixels."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened > 0, np.bool_)


def _columns(verdict: Verdict) -> list[Column]:
    """Return the likeliest columns."""
    return [
        (spot, int(height), (float(place[0]), float(place[1])))
        for spot, height in enumerate(verdict.heights)
        if height
        for place in [verdict.places[spot, height]]
    ]
