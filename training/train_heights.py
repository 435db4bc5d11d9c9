"""Train the network that finds feet and tops of columns.

Needs torch and onnx, which the product does not: `python -m training.train_heights RENDERS`.
Every tenth scene is held back, to tell how the network does on scenes that it has not seen; how it
does on a tenth that it has seen tells whether more scenes would help.
"""

import argparse
import copy
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from rendering.patches import HIDDEN, UNSAID
from training.alterations import mirror, vary, warp
from training.columns_network import Network
from training.optimise import BATCH, average, choose_lots, descend, in_half, mix, write
from training.samples import MODELS as GAMES
from training.samples import Samples, of_renders
from training.shipped import renormalise, restore
from vision.columns.grid import CELLS_PER_SIDE, TALLEST
from vision.columns.height_axis import BIN_PX, BINS, build_height_axis
from vision.columns.heights import (
    CLASSES,
    FOOT,
    MIN_SPAN_LIKELIHOOD,
    ROW_SIGMA_PX,
    STACKING_SIGMA_MM,
    TOP,
)
from vision.columns.model import Model
from vision.columns.patches import PATCH_COLUMNS, PATCH_START_RADII, PATCH_WIDTH_RADII

BLUR: Final = 0.6
"""How sharply a foot or a top is to be found, in bins."""
SMOOTH: Final = 0.02
HELD_BACK: Final = 10
MILDER: Final = 0.75
"""From this share of the epochs on, samples are altered by MILD of what they were before."""
MILD: Final = 0.4
LEAST: Final = 1e-4
"""No height is so unlikely that a single mistake outweighs thousands."""
FOOT_PX: Final = PATCH_START_RADII * PATCH_COLUMNS / PATCH_WIDTH_RADII


def prepare(patches: torch.Tensor, samples: Samples) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what the network sees, as `vision.columns.height_axis.build_inputs` makes it."""
    colours = patches.permute(0, 3, 1, 2).float() / 127.5 - 1.0
    return colours, torch.from_numpy(build_height_axis(samples.tops, samples.rises, samples.models))


def weigh(maps: torch.Tensor, kinds: torch.Tensor, samples: Samples) -> torch.Tensor:
    """Return the odds (n, CLASSES) of all heights, much as `heights.estimate_heights` does.

    But for ODD: in training every span is some height's.
    """
    places = maps.softmax(dim=2)
    foot, top = (torch.fft.rfft(places[:, index], 2 * BINS) for index in (FOOT, TOP))
    spans = torch.fft.irfft(foot.conj() * top, 2 * BINS)[:, :BINS].clamp(min=0)
    levels = torch.arange(TALLEST)
    stray = STACKING_SIGMA_MM / torch.from_numpy(samples.steps_mm)[:, None]
    spread = (ROW_SIGMA_PX**2 + levels * stray**2).sqrt()[..., None]
    expected = torch.from_numpy(samples.tops[:, 1:])[..., None] - FOOT_PX
    off = BIN_PX * torch.arange(BINS) - expected
    fits = torch.exp(-0.5 * (off / spread) ** 2) / spread
    weighed = torch.einsum("sd,shd->sh", spans, fits)
    weighed = weighed / weighed.sum(dim=1, keepdim=True).clamp(min=1e-12)
    told = kinds.softmax(dim=1)
    standing = told[:, 1:-1]
    both = standing * (weighed + MIN_SPAN_LIKELIHOOD)
    share = standing.sum(dim=1, keepdim=True) / both.sum(dim=1, keepdim=True).clamp(min=1e-12)
    return torch.cat([told[:, :1], both * share, told[:, -1:]], dim=1)


def measure_loss(network: Network, samples: Samples, harsh: float) -> torch.Tensor:
    """Return how badly the network tells kinds, feet, tops and seams of *samples*.

    harsh: how much the samples are altered before.
    """
    patches, rows = warp(torch.from_numpy(samples.patches), torch.from_numpy(samples.rows), harsh)
    heights = torch.from_numpy(samples.heights)
    seen = prepare(vary(mirror(patches), harsh), samples)
    with in_half():
        maps, kinds = network(*seen)
    maps, kinds = maps.float().flatten(2), kinds.float()
    loss = 0.5 * functional.cross_entropy(kinds, heights, label_smoothing=SMOOTH)
    odds = (weigh(maps, kinds, samples) + LEAST).log()
    loss = loss + functional.nll_loss(odds, heights)
    bins = (rows - 0.5) / BIN_PX
    stands = (heights > 0) & (heights < CLASSES - 1) & ~torch.isnan(rows[:, 0])
    if stands.any():
        own = bins[stands]
        top = own.gather(1, heights[stands][:, None])[:, 0]
        for index, at in enumerate((own[:, 0], top)):
            loss = loss + 0.5 * _miss(maps[stands][:, index], at)
    known = stands | (heights == 0)
    if known.any():
        loss = loss + 4.0 * _misjudge_seams(maps[known][:, 2], bins[known, 1:])
    return loss


def _miss(scores: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """Return how far what the scores (n, BINS) say is from *at* (n,) bins."""
    place = torch.arange(BINS, dtype=torch.float32)
    inside = (at > 0) & (at < BINS - 1)
    wanted = torch.softmax(-((place - at[:, None]) ** 2) / (2 * BLUR**2), dim=1)
    told = functional.log_softmax(scores, dim=1)
    return (-(wanted * told).sum(1) * inside).sum() / inside.sum().clamp(min=1)


def _misjudge_seams(scores: torch.Tensor, tops: torch.Tensor) -> torch.Tensor:
    """Return how badly the scores (n, BINS) tell where a piece ends; their number is the height."""
    place = torch.arange(BINS, dtype=torch.float32)
    away = torch.nan_to_num(place - tops[:, :, None], nan=1e3)
    seams = torch.exp(-(away**2)).amax(dim=1)
    return functional.binary_cross_entropy_with_logits(scores, seams)


def go_on(network: Network, weights: str, samples: Samples) -> None:
    """Give the network the *weights* in a file, or those that ship, by their model's name."""
    if weights.upper() not in Model.__members__:
        network.load_state_dict(torch.load(weights))
        return

    def look(batch: NDArray[np.intp]) -> None:
        some = samples.those(batch)
        network(*prepare(torch.from_numpy(some.patches), some))

    restore(network, Model[weights.upper()].path)
    renormalise(network, look, len(samples.heights))


def train(network: Network, samples: Samples, epochs: int, rate: float, harsh: float) -> None:
    """Train on *samples*; tell how it goes."""

    def measure(batch: NDArray[np.intp], epoch: int) -> torch.Tensor:
        now = harsh if epoch < MILDER * epochs else MILD * harsh
        return measure_loss(network, samples.those(batch), now)

    descend(network, np.flatnonzero(samples.heights != UNSAID), epochs, rate, measure)


def save(network: Network, path: Path, samples: Samples) -> None:
    """Write the network for the product, which usually sees such *samples*."""
    lots = []
    for lot in choose_lots(len(samples.heights)):
        some = samples.those(lot)
        patches, height_axis = prepare(torch.from_numpy(some.patches), some)
        lots.append({"patches": patches, "height_axis": height_axis})
    write(network, path, lots, ["rows", "kinds"])


def report(network: Network, samples: Samples, which: str) -> None:
    """Print how many of *samples* are named rightly, and how many wrongly though surely.

    And of whole boards, which are read when all their spots are sure and none is hidden.
    which: how they are called.
    """
    network.eval()
    for model in GAMES.values():
        own = samples.those(samples.models == model)
        if not len(own.heights):
            continue
        odds = tell(network, own)
        named, hidden = odds.argmax(axis=1), odds[:, -1]
        alone = odds[:, :-1].max(axis=1) / np.maximum(1.0 - hidden, LEAST)
        sure = np.where(named == HIDDEN, hidden, alone) >= model.min_certainty
        said, right = own.heights != UNSAID, named == own.heights
        lost = -np.log(odds[said, own.heights[said]] + LEAST).mean()
        print(
            f"{model.name.lower()} {which}: {right[said].sum()} of {said.sum()} right, "
            f"{sure[said].sum()} sure, {(sure & ~right)[said].sum()} of them wrong; "
            f"cross-entropy {lost:.3f}"
        )
        covered = own.heights == HIDDEN
        missed = covered & (hidden < model.max_hidden)
        print(f"of {covered.sum()} hidden spots {missed.sum()} taken for seen")
        plain = _all_of_board(said & (own.heights < HIDDEN))
        read = plain & _all_of_board(sure & (named < HIDDEN))
        print(
            f"whole boards in plain view: {read.sum()} of {plain.sum()} read, "
            f"{(read & ~_all_of_board(right)).sum()} of them wrongly"
        )


def _all_of_board(spots: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for which boards all spots (25 * boards,) are so; a board's spots stand together."""
    return np.asarray(spots.reshape(-1, CELLS_PER_SIDE**2).all(axis=1), np.bool_)


def tell(network: Network, samples: Samples) -> NDArray[np.float32]:
    """Return the odds (n, CLASSES) of the heights of *samples*."""
    found = []
    with torch.no_grad():
        for start in range(0, len(samples.heights), BATCH):
            some = samples.those(np.arange(start, min(start + BATCH, len(samples.heights))))
            maps, kinds = network(*prepare(torch.from_numpy(some.patches), some))
            found.append(weigh(maps.flatten(2), kinds, some).numpy())
    return np.concatenate(found)


def main() -> None:
    """Train, and put the network where the readers look for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path, help="folder with a folder of rendered scenes a game")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", help="weights to begin with: a .pt file, or figures or discs")
    parser.add_argument("--mix", type=float, default=1.0, help="share of what is learned to keep")
    parser.add_argument("--harsh", type=float, default=1.0, help="how much samples are altered")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--series", type=int, default=0, help="which photographs of the renders")
    parser.add_argument(
        "--average", nargs="+", default=[], help="weights of other runs from the same start"
    )
    parser.add_argument("--out", type=Path, default=Model.FIGURES.path)
    given = parser.parse_args()
    torch.manual_seed(1 + given.series)
    renders = Samples.join([of_renders(given.renders, game, given.series) for game in given.games])
    network = Network()
    if given.start:
        go_on(network, given.start, renders)
    held = renders.groups % HELD_BACK == 0
    start = copy.deepcopy(network.state_dict())
    train(network, renders.those(~held), given.epochs, given.rate, given.harsh)
    average(network, [torch.load(path) for path in given.average])
    mix(network, start, given.mix)
    report(network, renders.those(renders.groups % HELD_BACK == 1), "learned from")
    report(network, renders.those(held), "held back")
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    save(network, given.out, renders)


if __name__ == "__main__":
    main()
