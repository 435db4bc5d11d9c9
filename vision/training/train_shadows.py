"""Train the network that tells by their shadows how high columns are.

Needs torch and onnx, which the product does not: `python -m vision.training.train_shadows RENDERS`.
Every tenth scene is held back, to tell how the network does on scenes that it has not seen.
"""

import argparse
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from vision.grid import TALLEST
from vision.heights import Model
from vision.lamp import LEAST_MARK
from vision.shadows import BINS, BINS_WIDE, LONG_PX, MASKS, WIDE_PX
from vision.training.alterations import vary
from vision.training.columns_network import COLOURS
from vision.training.descent import descend, write
from vision.training.samples import MODELS
from vision.training.shades import ShadeSamples, of_renders
from vision.training.shadows_network import ShadowsNetwork

HELD_BACK: Final = 10
SOME: Final = 4
"""With how many columns the network is written; it takes any number."""


def score(network: ShadowsNetwork, samples: ShadeSamples, patches: torch.Tensor) -> torch.Tensor:
    """Return scores (n, TALLEST) of each height, as `vision.lamp` makes them."""
    masks = torch.from_numpy(samples.masks).float() / 255.0
    marks = torch.from_numpy(samples.marks).float()
    colours = patches.permute(0, 3, 1, 2) / 127.5 - 1.0
    with torch.autocast("cpu", torch.bfloat16, enabled=network.training):
        ends = network(colours, masks, marks[..., None])
    weights = marks.sum(dim=2).clamp(min=LEAST_MARK)
    return torch.einsum("nb,nhb->nh", ends.float().flatten(1), marks) / weights


def train(network: ShadowsNetwork, samples: ShadeSamples, epochs: int, rate: float) -> None:
    """Train on *samples*; tell how it goes."""

    def measure(batch: NDArray[np.intp], _epoch: int) -> torch.Tensor:
        some = samples.those(batch)
        scores = score(network, some, vary(torch.from_numpy(some.patches)))
        return functional.cross_entropy(scores, torch.from_numpy(some.heights) - 1)

    descend(network, np.arange(len(samples.heights)), epochs, rate, measure)


def report(network: ShadowsNetwork, game: str, samples: ShadeSamples) -> None:
    """Print how many of a game's *samples* are told rightly, and how many wrongly though surely."""
    network.eval()
    with torch.no_grad():
        odds = score(network, samples, torch.from_numpy(samples.patches).float()).softmax(dim=1)
    likeliest, named = (part.numpy() for part in odds.max(dim=1))
    right, sure = named + 1 == samples.heights, likeliest >= MODELS[game].sure
    print(
        f"{game} held back: {right.sum()} of {len(right)} right, "
        f"{sure.sum()} sure, {(sure & ~right).sum()} of them wrong"
    )


def save(network: ShadowsNetwork, path: Path) -> None:
    """Write the network for the product."""
    seen = {
        "patches": torch.zeros(SOME, COLOURS, LONG_PX, WIDE_PX),
        "masks": torch.zeros(SOME, MASKS, BINS, BINS_WIDE),
        "marks": torch.zeros(SOME, TALLEST, BINS, 1),
    }
    write(network, path, seen, ["ends"])


def main() -> None:
    """Train, and put the network where the readers look for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path, help="folder with a folder of rendered scenes a game")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--games", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--out", type=Path, default=Model.DISCS.shadows_path)
    given = parser.parse_args()
    torch.manual_seed(2)
    samples = {game: of_renders(given.renders, game) for game in given.games}
    held = {game: own.groups % HELD_BACK == 0 for game, own in samples.items()}
    network = ShadowsNetwork()
    if given.start:
        network.load_state_dict(torch.load(given.start))
    learned = ShadeSamples.join([own.those(~held[game]) for game, own in samples.items()])
    train(network, learned, given.epochs, given.rate)
    for game, own in samples.items():
        report(network, game, own.those(held[game]))
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    save(network, given.out)


if __name__ == "__main__":
    main()
