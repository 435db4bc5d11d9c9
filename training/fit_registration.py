"""Find how far pairs of tops are to be trusted, by likelihood on rendered tables.

`python -m training.fit_registration FOLDER` prints a `PairErrorModel` (see
`vision.columns.cues.top_registration`) for tables of figures laid by `training.rehearsal` and
rendered. Needs torch, which the product does not. Half of the tables are fitted to; of the others
it prints how well heights are told by tops alone.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rendering.patches import find_pose
from rendering.piece_kinds import TACTIKI
from rendering.prints import Random
from rendering.scenes import Scene
from training.rehearsal import SEED as TABLES_SEED
from training.rehearsal import cells_of, find_tables, grid_of_table, take_shots
from vision.columns.cues.top_registration import (
    HEIGHTS,
    MIN_REFERENCES,
    MIN_SIGMA_LEVELS,
    NORMAL_NODES,
    OUTLIER_DENSITY,
    TYPICAL_SIGMA_LEVELS,
    HeightMeasurement,
    PairErrorModel,
    Top,
    choose_references,
    find_tops,
    measure_pairs,
)
from vision.columns.grid import TALLEST, Column, Grid, list_columns
from vision.columns.patches import View, ViewBuilder

SEED: Final = 5
THOUGHT: Final = (-1, 0, 0, 1)
"""By how many levels a column may be thought higher than it is."""
SURE: Final = 0.95
"""Of columns that are told with more certainty than this the wrong ones are counted."""
MOST: Final = 20
"""Columns of each table."""
LEAST_STRAY: Final = 5e-4
"""No trust is so great that nothing may stray; of some tables nothing does."""
STEPS: Final = 400
RATE: Final = 0.05
BEGIN: Final = PairErrorModel(
    sigma=0.3,
    sigma_exponent=2.0,
    view_angle_gain=0.5,
    column_log_spread=0.5,
    outlier_share=0.01,
    independent_share=0.6,
    common_sigma=0.2,
)


@dataclass(frozen=True, slots=True)
class Case:
    """What pairs say of a column, and how high it is."""

    pairs: tuple[HeightMeasurement, ...]
    height: int


def view_shots(
    folder: Path, grid: Grid, shots: Sequence[Scene]
) -> Iterator[tuple[View, list[list[list[str]]]]]:
    """Yield each of a table's *shots* as a reader sees it, and what stands there.

    Poses are worked out, as tiles about where they should be would give them.
    """
    boards = ViewBuilder(grid, TACTIKI.above_pose)
    tiles = np.random.default_rng([TABLES_SEED, int(shots[0]["name"])])
    for scene, taken, bend in take_shots(folder, list(shots)):
        # Poses err each anew.
        yield boards.build(taken, find_pose(scene, bend, tiles)), cells_of(scene)


def mistake(random: Random, column: Column) -> Column:
    """Return what a *column* may be thought to be: what its top says must not depend on that."""
    height = column.height + int(random.choice(THOUGHT))
    return replace(column, height=min(max(height, 1), TALLEST))


def list_cases(folder: Path) -> Iterator[list[Case]]:
    """Yield for each rendered table some of its columns, each compared with all known ones.

    Known are those of the table's first shot, and all others of the column's own shot.  How high a
    column is thought to be may be wrong: what tops say must not depend on that.
    """
    random = np.random.default_rng(SEED)
    for shots in find_tables(folder):
        grid, cases = grid_of_table(TACTIKI, shots[0]), []
        known: list[Top] = []
        for view, cells in view_shots(folder, grid, shots):
            flat = [spot for row in cells for spot in row]
            columns = list_columns(flat, grid.colours)
            tops = find_tops(view, grid, TACTIKI.above_pose, columns)
            if not known:
                known = tops
                continue
            for index in random.permutation(len(tops))[: MOST // (len(shots) - 1)]:
                thought = mistake(random, columns[index])
                (top,) = find_tops(view, grid, TACTIKI.above_pose, [thought])
                pairs = tuple(measure_pairs(choose_references(top, [*known, *tops])))
                if len(pairs) >= MIN_REFERENCES:
                    cases.append(Case(pairs, columns[index].height))
        yield cases


def tell(cases: Sequence[Case], plain: torch.Tensor) -> torch.Tensor:
    """Return the log-likelihood (n, TALLEST) of each height, see `PairErrorModel.likelihood`.

    plain: what `unfold` makes a PairErrorModel of.
    """
    off, doubted, aside, varied, stray, share, common = plain
    pairs = torch.tensor(
        [
            (each.height, each.sigma, each.view_angle_difference)
            for case in cases
            for each in case.pairs
        ],
        dtype=torch.float32,
    )
    owners = torch.repeat_interleave(
        torch.arange(len(cases)), torch.tensor([len(case.pairs) for case in cases])
    )
    doubts = ((pairs[:, 1] + MIN_SIGMA_LEVELS) / TYPICAL_SIGMA_LEVELS).log()
    usual = off + doubted * doubts + aside * pairs[:, 2]
    heights, grid = torch.from_numpy(HEIGHTS), torch.from_numpy(NORMAL_NODES).float()
    spreads = (usual[:, None] + varied.exp() * grid).exp()[:, :, None, None]
    away = (pairs[:, :1, None, None] - (heights + common.exp() * grid[:, None])) / spreads
    odd = stray.sigmoid()
    likely = (1 - odd) * (-0.5 * away**2).exp() / ((2 * torch.pi) ** 0.5 * spreads)
    said = share.sigmoid() * (likely + odd * OUTLIER_DENSITY).log()
    total = torch.zeros(len(cases), len(grid), len(grid), TALLEST).index_add(0, owners, said)
    total = total - 0.5 * (grid[:, None, None] ** 2 + grid[:, None] ** 2)
    return total.logsumexp(dim=(1, 2)).log_softmax(dim=1)


def unfold(trust: PairErrorModel) -> torch.Tensor:
    """Return seven numbers, of which any seven are a PairErrorModel."""
    shares = torch.tensor([trust.outlier_share, trust.independent_share]).logit()
    logs = torch.tensor([trust.sigma, trust.column_log_spread, trust.common_sigma]).log()
    return torch.stack(
        [
            logs[0],
            torch.tensor(trust.sigma_exponent),
            torch.tensor(trust.view_angle_gain),
            logs[1],
            *shares,
            logs[2],
        ]
    )


def fold(plain: torch.Tensor) -> PairErrorModel:
    """Return the PairErrorModel that seven numbers are."""
    off, doubted, aside, varied, stray, share, common = plain
    return PairErrorModel(
        round(float(off.exp()), 3),
        round(float(doubted), 2),
        round(float(aside), 2),
        round(float(varied.exp()), 2),
        max(round(float(stray.sigmoid()), 4), LEAST_STRAY),
        round(float(share.sigmoid()), 2),
        round(float(common.exp()), 2),
    )


def fit(cases: Sequence[Case]) -> PairErrorModel:
    """Return the PairErrorModel by which the true heights of *cases* are likeliest."""
    true = torch.tensor([case.height - 1 for case in cases])
    plain = unfold(BEGIN).requires_grad_()
    chosen = torch.optim.Adam([plain], RATE)
    for _ in range(STEPS):
        loss = torch.nn.functional.nll_loss(tell(cases, plain), true)
        chosen.zero_grad()
        loss.backward()
        chosen.step()
    return fold(plain.detach())


def report(cases: Sequence[Case], trust: PairErrorModel, which: str) -> None:
    """Print how well the heights of *cases* are told by tops alone.

    which: how they are called.
    """
    odds = tell(cases, unfold(trust)).exp().numpy()
    heights = np.array([case.height for case in cases])
    right, sure = odds.argmax(axis=1) + 1 == heights, odds.max(axis=1) >= SURE
    lost = -np.log(odds[np.arange(len(odds)), heights - 1]).mean()
    print(
        f"{which}: {right.sum()} of {len(right)} right, {sure.sum()} sure, "
        f"{(sure & ~right).sum()} of them wrong; cross-entropy {lost:.3f}"
    )


def main() -> None:
    """Fit to the tables of a folder, and say how well that does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    tables = list(list_cases(given.folder / TACTIKI.name))
    learned, held = ([case for table in tables[start::2] for case in table] for start in (0, 1))
    found = fit(learned)
    report(learned, found, "fitted to")
    report(held, found, "held back")
    print("of all tables:", fit([*learned, *held]))


if __name__ == "__main__":
    main()
