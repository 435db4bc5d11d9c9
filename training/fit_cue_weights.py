"""Find how far all that tells heights is to be trusted, by likelihood on rendered tables.

`python -m training.fit_cue_weights GAME FOLDER` prints a `CueWeight` (see
`vision.columns.cue_fusion`) for each, for tables laid by `training.rehearsal` and rendered.
Needs torch, which the product does not. Half of the tables are fitted to; of the others it prints
how well heights are told. Floors are left as they are: on so few tables likelihood hardly tells
them.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from rendering.piece_kinds import KINDS, Kind
from training.optimise import fit_halves, fit_numbers
from training.rehearsal import find_tables, grid_of_table, report_heights, view_shots
from training.samples import MODELS
from vision.columns.cue_fusion import (
    PIXELS_PER_LEVEL_RANGE,
    REFERENCE_PIXELS_PER_LEVEL,
    CueWeight,
    find_certain,
    fuse,
)
from vision.columns.cues.outlines import TopOutline
from vision.columns.cues.relief import Relief
from vision.columns.heights import (
    MIN_SHADOW_REFERENCE,
    MIN_TOP_REFERENCE,
    Heights,
    estimate_heights,
    predict_heights,
)
from vision.columns.patches import View

STEPS: Final = 300
LEAST: Final = 1e-6
SEEN: Final = 0.5
"""Columns that are hidden more likely than this teach nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is told of one column: its *height*, and by how many pixels a level rises.

    told: (witnesses, TALLEST) how likely each height is by the column, its shadow, its outline, the
    relief of its top, and the light around it.
    """

    told: NDArray[np.float64]
    rise: float
    height: int


class Hearing(Heights):
    """A reader that hears everyone about every column, whether in doubt or not."""

    def list_cases(self, view: View, heights: NDArray[np.intp]) -> list[Case]:
        """Return what is told of the columns in *view* that are *heights* (25,) high."""
        told = predict_heights(self._model, view.patches, view.geometry)
        odds = estimate_heights(told, view.geometry, self._fit)
        which = np.flatnonzero((heights > 0) & (odds[:, 1:-1].sum(axis=1) > SEEN))
        if not len(which):
            return []
        column = odds[which, 1:-1] / odds[which, 1:-1].sum(axis=1, keepdims=True)
        likeliest = odds[:, :-1].argmax(axis=1)
        shadow = self._shadows.estimate(
            view, likeliest, which, find_certain(odds, MIN_SHADOW_REFERENCE)
        )
        all_told = [column, shadow]
        if self._disc_cues is not None:
            fuse(odds, which, column, shadow)
            doubtful, sure = (
                self._disc_cues.outlines.measure(view, self._list_columns(view, odds, spots))
                for spots in (which, find_certain(odds, MIN_TOP_REFERENCE))
            )
            all_told.append(self._disc_cues.outlines.estimate(doubtful))
            all_told.append(_tell_relief(self._disc_cues.relief, view, doubtful, sure))
            fuse(odds, which, odds[which, 1:-1], *all_told[2:])
            all_told.append(self._disc_cues.irradiance.estimate(view, odds, which))
        return [
            Case(said, float(view.geometry.pixels_per_level[spot]), int(heights[spot]))
            for said, spot in zip(np.stack(all_told, axis=1), which, strict=True)
        ]


def _tell_relief(
    relief: Relief, view: View, doubtful: Sequence[TopOutline], sure: Sequence[TopOutline]
) -> NDArray[np.float64]:
    """Return what *relief* says of columns, of which none that is sure is its own measure."""
    own = [[each for each in sure if each.column.cell != one.column.cell] for one in doubtful]
    told = [relief.estimate(view, [one], others) for one, others in zip(doubtful, own, strict=True)]
    return np.concatenate(told)


def list_tables(folder: Path, kind: Kind) -> Iterator[list[Case]]:
    """Yield for each rendered table what is told of the columns of all shots but the first."""
    for shots in find_tables(folder):
        grid, reader, cases = grid_of_table(kind, shots[0]), None, []
        for view, cells in view_shots(folder, kind, shots):
            heights = np.array([len(spot) for row in cells for spot in row])
            if reader is None:
                reader = Hearing(grid, MODELS[kind.name], kind.above_pose, view, cells)
            else:
                cases += reader.list_cases(view, heights)
        yield cases


def tell(
    cases: Sequence[Case], cue_weights: Sequence[CueWeight], plain: torch.Tensor
) -> torch.Tensor:
    """Return the logarithms of the odds (n, TALLEST) of all heights.

    cue_weights: one for each witness, of which the floors count.  plain: (witnesses, 2) what
    `unfold` makes of these or others.
    """
    told = torch.tensor(np.stack([case.told for case in cases]), dtype=torch.float32)
    rise = torch.tensor([case.rise for case in cases]).clamp(*PIXELS_PER_LEVEL_RANGE)
    floors = torch.tensor([heed.floor for heed in cue_weights])[:, None]
    powers = (plain[:, 0] + plain[:, 1] * (rise / REFERENCE_PIXELS_PER_LEVEL).log()[:, None]).exp()
    tempered = powers[..., None] * (told + floors).clamp(min=LEAST).log()
    return tempered.sum(dim=1).log_softmax(dim=1)


def unfold(cue_weights: Sequence[CueWeight]) -> torch.Tensor:
    """Return two numbers for each, of which any two are a CueWeight, but for its floor."""
    return torch.tensor(
        [(np.log(heed.share), heed.growth) for heed in cue_weights], dtype=torch.float32
    )


def fold(plain: torch.Tensor, floor: float) -> CueWeight:
    """Return the CueWeight that two numbers are."""
    return CueWeight(round(float(plain[0].exp()), 2), round(float(plain[1]), 2), floor)


def fit(cases: Sequence[Case], cue_weights: Sequence[CueWeight]) -> list[CueWeight]:
    """Return the weights under which the true heights of *cases* are likeliest.

    cue_weights: where the fit starts; figures have neither outlines nor relief.
    """
    cue_weights = cue_weights[: len(cases[0].told)]
    true = torch.tensor([case.height - 1 for case in cases])
    plain = fit_numbers(
        unfold(cue_weights), true, lambda plain: tell(cases, cue_weights, plain), STEPS
    )
    return [fold(two, heed.floor) for two, heed in zip(plain, cue_weights, strict=True)]


def report(cases: Sequence[Case], cue_weights: Sequence[CueWeight], which: str) -> None:
    """Print how well the heights of *cases* are told by all together.

    which: how they are called.
    """
    odds = tell(cases, cue_weights, unfold(cue_weights)).exp().numpy()
    report_heights(odds, np.array([case.height for case in cases]), which)


def main() -> None:
    """Fit to the tables of a folder, and say how well that does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=KINDS)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    tables = list(list_tables(given.folder / given.game, KINDS[given.game]))
    now = MODELS[given.game].cue_weights
    begin = (now.column, now.shadow, now.outline, now.relief, now.light)
    for heed in fit_halves(tables, lambda cases: fit(cases, begin), report):
        print("of all tables:", heed)


if __name__ == "__main__":
    main()
