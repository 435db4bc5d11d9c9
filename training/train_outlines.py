"""Train the network that finds where the tops of columns of discs end.

Needs torch and onnx, which the product does not: `python -m training.train_outlines
RENDERS`. Every tenth scene is held back, to tell how the network does on scenes that it has not
seen.
"""

import argparse
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from training.alterations import recolour
from training.optimise import choose_lots, descend, in_half, write
from training.outlines_network import OutlinesNetwork
from training.rings import Rings, of_renders
from training.shipped import renormalise, restore
from vision.columns.cues.outlines import (
    GAUSS_NEWTON_ITERATIONS,
    INNER_RADII,
    LEVEL_SHIFT_UNIT_MM,
    MAX_STEP_RADII,
    MIN_SQUARED_HALF_CHORD,
    OUTER_RADII,
    PRECISION_RANGE,
    PRECISION_UNIT,
    RAY_DIRECTIONS,
    RAY_STRIDE,
    RAYS,
    SAMPLE_RADII,
    SAMPLES_PER_RAY,
)
from vision.columns.cues.robust_statistics import STUDENT_T_DOF
from vision.columns.model import OUTLINES

HELD_BACK: Final = 10
BATCH: Final = 64
BLUR: Final = 0.8
"""By how many places an end may be missed."""
EACH: Final = 0.3
"""How much it counts where each ray ends, beside how large the circle is."""
COVERED: Final = 4.2
"""The most that a ray counts: what covers it is not the network's fault."""
LEAST_DOUBT: Final = 0.1
"""In levels."""
GRAIN: Final = 0.05
STEEPEST: Final = 5.0
SHIPPED: Final = "discs"

_RAYS: Final = torch.from_numpy(RAY_DIRECTIONS).float()
_ENDS: Final = torch.cat([_RAYS[::RAY_STRIDE], torch.ones(RAYS // RAY_STRIDE, 1)], dim=1)
_OUT: Final = torch.from_numpy(SAMPLE_RADII).float()


def prepare(colours: torch.Tensor, rises_mm: torch.Tensor) -> torch.Tensor:
    """Return what the network sees of *colours* (n, RAYS, SAMPLES_PER_RAY, 3) from 0 to 1."""
    n = len(colours)
    ways = _RAYS[:, 0].view(1, 1, RAYS, 1).expand(n, 1, RAYS, SAMPLES_PER_RAY)
    out = torch.linspace(-1, 1, SAMPLES_PER_RAY).expand(n, 1, RAYS, SAMPLES_PER_RAY)
    rises = (
        (rises_mm / LEVEL_SHIFT_UNIT_MM - 1.0).view(n, 1, 1, 1).expand(n, 1, RAYS, SAMPLES_PER_RAY)
    )
    return torch.cat([colours.permute(0, 3, 1, 2) * 2.0 - 1.0, ways, out, rises], dim=1)


def show(rings: Rings) -> torch.Tensor:
    """Return what the network sees of *rings* as they are."""
    colours = torch.from_numpy(rings.strips).float() / 255.0
    return prepare(colours, torch.from_numpy(rings.rises_mm))


def fit(told: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return radii and their doubts (n,), as `outlines.fit_circles` finds them."""
    odds = told[:, 0].softmax(dim=2)
    ends = odds @ _OUT
    trust = (
        functional.softplus((odds * told[:, 1]).sum(dim=2)) * PRECISION_UNIT + PRECISION_RANGE[0]
    )
    trust = trust.clamp(max=PRECISION_RANGE[1])
    spread = torch.linalg.inv(torch.einsum("nr,ri,rj->nij", trust, _ENDS, _ENDS) + torch.eye(3))
    middles, radii = torch.zeros(len(told), 2), torch.ones(len(told))
    for _ in range(GAUSS_NEWTON_ITERATIONS):
        along = middles @ _ENDS[:, :2].T
        beyond = radii[:, None] ** 2 - (middles**2).sum(dim=1)[:, None] + along**2
        off = ends - along - beyond.clamp(min=MIN_SQUARED_HALF_CHORD).sqrt()
        step = torch.einsum("nij,nj->ni", spread, (trust * off) @ _ENDS).clamp(
            -MAX_STEP_RADII, MAX_STEP_RADII
        )
        middles = middles + step[:, :2]
        radii = (radii + step[:, 2]).clamp(INNER_RADII, OUTER_RADII)
    return radii, spread[:, 2, 2].sqrt()


def judge(told: torch.Tensor, rings: Rings) -> tuple[torch.Tensor, torch.Tensor]:
    """Return by how many levels each of *rings* is misjudged, and is thought to be."""
    radii, doubts = fit(told)
    levels = torch.from_numpy(rings.levels)
    off = (radii / torch.from_numpy(rings.radii) - 1.0) * levels
    return off, (doubts * levels).clamp(min=LEAST_DOUBT)


def measure_loss(network: OutlinesNetwork, rings: Rings) -> torch.Tensor:
    """Return how badly the network tells ends and sizes of *rings*, in other colours and light."""
    colours, ends = torch.from_numpy(rings.strips).float() / 255.0, torch.from_numpy(rings.ends)
    if torch.rand(1) < 0.5:  # seen in a mirror
        colours, ends = colours.flip(1), ends.flip(1)
    varied = recolour(colours)
    grain = torch.rand(len(varied)) ** 2 * GRAIN
    varied = (varied + torch.randn_like(varied) * grain[:, None, None, None]).clamp(0, 1)
    with in_half():
        told = network(prepare(varied, torch.from_numpy(rings.rises_mm)))
    told = told.float()
    off, doubts = judge(told, rings)
    far = torch.log1p((off / doubts) ** 2 / STUDENT_T_DOF) * (STUDENT_T_DOF + 1.0) / 2.0
    return EACH * _miss(told[:, 0], ends[:, ::RAY_STRIDE]) + (doubts.log() + far).mean()


def _miss(scores: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    """Return how far what the scores (n, rays, SAMPLES_PER_RAY) say is from *ends* (n, rays)."""
    at = (ends - INNER_RADII) / (OUTER_RADII - INNER_RADII) * SAMPLES_PER_RAY - 0.5
    inside = (at > 1) & (at < SAMPLES_PER_RAY - 2)
    place = torch.arange(SAMPLES_PER_RAY, dtype=torch.float32)
    wanted = torch.softmax(-((place - at[..., None]) ** 2) / (2 * BLUR**2), dim=2)
    lost = -(wanted * functional.log_softmax(scores, dim=2)).sum(dim=2)
    return (lost.clamp(max=COVERED) * inside).sum() / inside.sum().clamp(min=1)


def go_on(network: OutlinesNetwork, weights: str, rings: Rings) -> None:
    """Give the network the *weights* in a file, or those that ship, for discs."""
    if weights != SHIPPED:
        network.load_state_dict(torch.load(weights))
        return

    def look(batch: NDArray[np.intp]) -> None:
        network(show(rings.those(batch)))

    restore(network, OUTLINES)
    renormalise(network, look, len(rings.radii))


def train(network: OutlinesNetwork, rings: Rings, epochs: int, rate: float) -> None:
    """Train on *rings*; tell how it goes."""

    def measure(batch: NDArray[np.intp], _epoch: int) -> torch.Tensor:
        return measure_loss(network, rings.those(batch))

    descend(network, np.arange(len(rings.radii)), epochs, rate, measure, BATCH, STEEPEST)


def report(network: OutlinesNetwork, rings: Rings, which: str) -> None:
    """Print how far off the sizes of *rings* are told, in levels; *which*: how they are called."""
    network.eval()
    found = []
    with torch.no_grad():
        for start in range(0, len(rings.radii), BATCH):
            some = rings.those(np.arange(start, min(start + BATCH, len(rings.radii))))
            told = network(show(some))
            found.append(torch.stack(judge(told, some)))
    off, doubts = torch.cat(found, dim=1).numpy()
    away = np.abs(off - np.median(off))
    sure = away[doubts < np.median(doubts)]
    print(
        f"{which}: half of {len(away)} within {np.median(away):.2f} levels, of the surer half "
        f"{np.median(sure):.2f}; within one level {(away < 1).mean():.1%}, {(sure < 1).mean():.1%}"
    )


def save(network: OutlinesNetwork, path: Path, rings: Rings) -> None:
    """Write the network for the product, which usually sees such *rings*."""
    lots = [{"strips": show(rings.those(lot))} for lot in choose_lots(len(rings.radii))]
    write(network, path, lots, ["ends"])


def main() -> None:
    """Train, and put the network where the readers look for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path, help="folder with a folder of rendered towers")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", help="weights to begin with: a .pt file, or discs")
    parser.add_argument("--out", type=Path, default=OUTLINES)
    given = parser.parse_args()
    torch.manual_seed(1)
    rings = of_renders(given.renders)
    network = OutlinesNetwork()
    if given.start:
        go_on(network, given.start, rings)
    held = rings.groups % HELD_BACK == 0
    train(network, rings.those(~held), given.epochs, given.rate)
    report(network, rings.those(rings.groups % HELD_BACK == 1), "learned from")
    report(network, rings.those(held), "held back")
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    save(network, given.out, rings)


if __name__ == "__main__":
    main()
