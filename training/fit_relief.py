"""Fit the error model of the relief of tops by likelihood on rendered tables.

`python -m training.fit_relief FOLDER` prints a `ReliefErrorModel` (see
`vision.columns.cues.relief`) for tables of discs laid by `training.rehearsal` and rendered.
Needs torch, which the product does not. Half of the tables are fitted to; of the others it prints
how well relief alone estimates heights.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rendering.piece_kinds import TOPPLE
from rendering.prints import Random
from training.optimise import fit_halves, fit_numbers
from training.rehearsal import (
    find_tables,
    grid_of_table,
    mistake,
    report_heights,
    view_shots,
)
from vision.columns.cues.outlines import Outlines
from vision.columns.cues.relief import Relief, ReliefErrorModel
from vision.columns.cues.robust_statistics import OUTLIER_LIKELIHOOD, fit_student_t
from vision.columns.cues.top_registration import HEIGHTS
from vision.columns.grid import Column, list_columns
from vision.columns.model import OUTLINES
from vision.columns.patches import View

SEED: Final = 6
UNCERTAIN_SHARE, CERTAIN_SHARE = 0.35, 0.4
"""Of a picture's columns: to be estimated, and known besides."""
STEPS: Final = 400
START: Final = ReliefErrorModel(bias_share=0.7, scatter_share=0.6, sigma_factor=3.0, dof=4.0)


@dataclass(frozen=True, slots=True)
class Case:
    """A column's measured height and sigma, location and scale of known errors, the true height."""

    measured: float
    sigma: float
    bias: float
    scatter: float
    height: int


def list_cases(folder: Path) -> Iterator[list[Case]]:
    """Yield for each rendered table the cases of some columns of all shots but the first."""
    random = np.random.default_rng(SEED)
    for shots in find_tables(folder):
        grid, relief, cases = grid_of_table(TOPPLE, shots[0]), None, []
        outlines = Outlines(grid, TOPPLE.above_pose, OUTLINES)
        for view, cells in view_shots(folder, TOPPLE, shots):
            columns = list_columns([spot for row in cells for spot in row], grid.colours)
            if relief is None:
                relief = Relief(grid, TOPPLE.above_pose)
                relief.learn(view, outlines.measure(view, columns))
            else:
                cases += _measure(relief, outlines, view, columns, random)
        yield cases


def _measure(
    relief: Relief, outlines: Outlines, view: View, columns: Sequence[Column], random: Random
) -> list[Case]:
    kind = random.choice(
        3, len(columns), p=(UNCERTAIN_SHARE, CERTAIN_SHARE, 1.0 - UNCERTAIN_SHARE - CERTAIN_SHARE)
    )
    asked = [column for column, each in zip(columns, kind, strict=True) if each == 0]
    sure = [column for column, each in zip(columns, kind, strict=True) if each == 1]
    if not asked:
        return []
    thought = [mistake(random, column) for column in asked]
    measured, sigmas, known_errors = relief.measure(
        view, outlines.measure(view, thought), outlines.measure(view, sure)
    )
    bias, scatter = fit_student_t(known_errors)
    return [
        Case(float(one), float(sigma), bias, scatter, column.height)
        for one, sigma, column in zip(measured, sigmas, asked, strict=True)
    ]


def log_likelihoods(cases: Sequence[Case], parameters: torch.Tensor) -> torch.Tensor:
    """Return the log-likelihoods (n, TALLEST) of `ReliefErrorModel.likelihoods`.

    parameters: see `to_parameters`.
    """
    bias_share, scatter_share, sigma_factor, dof = parameters
    measured, sigmas, biases, scatters = torch.tensor(
        [(case.measured, case.sigma, case.bias, case.scatter) for case in cases],
        dtype=torch.float32,
    ).T
    scales = ((scatter_share.exp() * scatters) ** 2 + (sigma_factor.exp() * sigmas) ** 2).sqrt()
    heights = (measured - bias_share * biases)[:, None]
    errors = (heights - torch.from_numpy(HEIGHTS)) / scales[:, None]
    dof = dof.exp()
    likelihoods = (1.0 + errors**2 / dof) ** (-(dof + 1.0) / 2.0) + OUTLIER_LIKELIHOOD
    return likelihoods.log() - likelihoods.sum(dim=1, keepdim=True).log()


def to_parameters(model: ReliefErrorModel) -> torch.Tensor:
    """Return four unbounded numbers: the bias share, and the logarithms of the others."""
    logs = torch.tensor([model.scatter_share, model.sigma_factor, model.dof]).log()
    return torch.cat([torch.tensor([model.bias_share]), logs])


def from_parameters(parameters: torch.Tensor) -> ReliefErrorModel:
    """Return the model of `to_parameters`, rounded."""
    bias_share, *logs = parameters.tolist()
    scatter_share, sigma_factor, dof = (round(math.exp(each), 2) for each in logs)
    return ReliefErrorModel(round(bias_share, 2), scatter_share, sigma_factor, dof)


def fit(cases: Sequence[Case]) -> ReliefErrorModel:
    """Return the model under which the true heights of *cases* are most likely."""
    true = torch.tensor([case.height - 1 for case in cases])
    return from_parameters(
        fit_numbers(
            to_parameters(START), true, lambda numbers: log_likelihoods(cases, numbers), STEPS
        )
    )


def report(cases: Sequence[Case], model: ReliefErrorModel, which: str) -> None:
    """Print how well relief alone estimates the heights of *cases*.

    which: how they are called.
    """
    odds = log_likelihoods(cases, to_parameters(model)).exp().numpy()
    report_heights(odds, np.array([case.height for case in cases]), which)


def main() -> None:
    """Fit to the tables of a folder, and say how well that does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    tables = list(list_cases(given.folder / TOPPLE.name))
    print("of all tables:", fit_halves(tables, fit, report))


if __name__ == "__main__":
    main()
