"""Find how far the relief of tops is to be trusted, by likelihood on rendered tables.

`python -m vision.training.fit_relief FOLDER` prints a `Faith` (see `vision.columns.cues.relief`)
for tables of discs laid by `vision.training.rehearsal` and rendered. Needs torch, which the product
does not. Half of the tables are fitted to; of the others it prints how well heights are told by
relief alone.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from vision.columns.cues.outlines import FLOOR, Outlines
from vision.columns.cues.relief import Faith, Relief, find_usual
from vision.columns.cues.top_registration import HEIGHTS
from vision.columns.grid import Column, list_columns
from vision.columns.model import OUTLINES
from vision.columns.patches import View
from vision.training.descent import fit_halves, fit_numbers
from vision.training.kinds import TOPPLE
from vision.training.prints import Random
from vision.training.rehearsal import (
    find_tables,
    grid_of_table,
    mistake,
    report_heights,
    view_shots,
)

SEED: Final = 6
DOUBTED, SURE = 0.35, 0.4
"""Which share of a picture's columns is asked about, and which is known besides."""
STEPS: Final = 400
BEGIN: Final = Faith(shift=0.7, spread=0.6, doubt=3.0, tail=4.0)


@dataclass(frozen=True, slots=True)
class Case:
    """How high a column looks, how doubtful that is, by how much known tops mislead, the truth."""

    seen: float
    doubt: float
    usual: float
    scatter: float
    height: int


def list_cases(folder: Path) -> Iterator[list[Case]]:
    """Yield for each rendered table what relief says of some columns of all shots but the first."""
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
                cases += _ask(relief, outlines, view, columns, random)
        yield cases


def _ask(
    relief: Relief, outlines: Outlines, view: View, columns: Sequence[Column], random: Random
) -> list[Case]:
    kind = random.choice(3, len(columns), p=(DOUBTED, SURE, 1.0 - DOUBTED - SURE))
    asked = [column for column, each in zip(columns, kind, strict=True) if each == 0]
    sure = [column for column, each in zip(columns, kind, strict=True) if each == 1]
    if not asked:
        return []
    thought = [mistake(random, column) for column in asked]
    seen, doubts, misses = relief.measure(
        view, outlines.measure(view, thought), outlines.measure(view, sure)
    )
    usual, scatter = find_usual(misses)
    return [
        Case(float(one), float(doubt), usual, scatter, column.height)
        for one, doubt, column in zip(seen, doubts, asked, strict=True)
    ]


def tell(cases: Sequence[Case], plain: torch.Tensor) -> torch.Tensor:
    """Return the logarithms of the odds (n, TALLEST) of all heights, as `Faith.weigh` does.

    plain: what `unfold` makes of a Faith.
    """
    shift, spread, doubt, tail = plain
    seen, doubts, usual, scatter = torch.tensor(
        [(case.seen, case.doubt, case.usual, case.scatter) for case in cases], dtype=torch.float32
    ).T
    off = ((spread.exp() * scatter) ** 2 + (doubt.exp() * doubts) ** 2).sqrt()[:, None]
    away = ((seen - shift * usual)[:, None] - torch.from_numpy(HEIGHTS)) / off
    freedom = tail.exp()
    likely = (1.0 + away**2 / freedom) ** (-(freedom + 1.0) / 2.0) + FLOOR
    return likely.log() - likely.sum(dim=1, keepdim=True).log()


def unfold(faith: Faith) -> torch.Tensor:
    """Return four numbers, of which any four are a Faith."""
    logs = torch.tensor([faith.spread, faith.doubt, faith.tail]).log()
    return torch.cat([torch.tensor([faith.shift]), logs])


def fold(plain: torch.Tensor) -> Faith:
    """Return the Faith that four numbers are."""
    shift, *logs = plain.tolist()
    spread, doubt, tail = (round(math.exp(each), 2) for each in logs)
    return Faith(round(shift, 2), spread, doubt, tail)


def fit(cases: Sequence[Case]) -> Faith:
    """Return the Faith by which the true heights of *cases* are likeliest."""
    true = torch.tensor([case.height - 1 for case in cases])
    return fold(fit_numbers(unfold(BEGIN), true, lambda plain: tell(cases, plain), STEPS))


def report(cases: Sequence[Case], faith: Faith, which: str) -> None:
    """Print how well the heights of *cases* are told by relief alone.

    which: how they are called.
    """
    odds = tell(cases, unfold(faith)).exp().numpy()
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
