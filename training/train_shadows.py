"""Train the networks that tell by their shadows how high figures stand.

Needs torch and onnx, which the product does not: `python -m training.train_shadows RENDERS`.
Every tenth scene is held back, to tell how the networks do on scenes that they have not seen; how
they do on a tenth that they have seen tells whether more scenes would help.
"""

import argparse
import copy
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from training.alterations import vary
from training.optimise import average, choose_lots, descend, in_half, mix, write
from training.shading import ShadeSamples, of_renders
from training.shadows_network import ShadowReader, ShadowsNetwork
from training.shipped import renormalise, restore
from vision.columns.cues.shadow_comparison import (
    CONTEXT_LEVELS,
    FEATURES,
    MIN_MARK_WEIGHT,
    PLACES,
    SHADOW_COUNT_UNIT,
    SUMMARY,
)
from vision.columns.grid import TALLEST
from vision.columns.model import FIGURE_COMPARISON, FIGURE_SHADOWS, Model

SEED: Final = 2
HELD_BACK: Final = 10
TAKES: Final = 8
"""How many takes are learned from at once."""
ALONE: Final = 0.3
"""How much it counts what shadows tell by themselves, beside what they tell compared."""
LEAST_KNOWN: Final = 0.3
"""Least share of a take's columns that others are compared with."""
SOME: Final = 4
"""With how many columns the comparing network is written; it takes any number."""
SEEN: Final = ("patches", "masks", "marks")
SHIPPED: Final = "shipped"


def prepare(samples: ShadeSamples, patches: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Return what the network is shown of *samples*, whose patches may have been altered."""
    masks = torch.from_numpy(samples.masks).float() / 255.0
    marks = torch.from_numpy(samples.marks).float()
    return patches.permute(0, 3, 1, 2) / 127.5 - 1.0, masks, marks[..., None]


def pool_features(
    network: ShadowsNetwork, samples: ShadeSamples, patches: torch.Tensor
) -> torch.Tensor:
    """Return the signs (n, FEATURES, TALLEST) of each height, as `shadow_comparison` reads them."""
    seen = prepare(samples, patches)
    with in_half(network.training):
        told = network(*seen)
    marks = seen[-1].flatten(2)
    weights = marks.sum(dim=2).clamp(min=MIN_MARK_WEIGHT)
    return torch.einsum("nsb,nhb->nsh", told.float().flatten(2), marks) / weights[:, None]


def summarise(signs: torch.Tensor, heights: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return (n, SUMMARY) for each column, as `shadow_comparison.summarise` does.

    known: (n, n) one where the column of a row is compared with that of a column, else zero.
    """
    places = heights[:, None] - 1 + torch.arange(PLACES) - CONTEXT_LEVELS
    inside = ((places >= 0) & (places < TALLEST)).float()
    at = places.clamp(0, TALLEST - 1)[:, None].expand(-1, FEATURES, -1)
    around = signs.gather(2, at) * inside[:, None]
    counts = known @ inside
    means = torch.einsum("nm,msp->nsp", known, around) / counts.clamp(min=1.0)[:, None]
    return torch.cat([means, counts[:, None] / SHADOW_COUNT_UNIT], dim=1).flatten(1)


def score(
    reader: ShadowReader, samples: ShadeSamples, patches: torch.Tensor, known: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scores (n, TALLEST) of each height: by each shadow alone, and compared with *known*.

    known: as `summarise` takes it.
    """
    signs = pool_features(reader.shadows, samples, patches)
    summary = summarise(signs, torch.from_numpy(samples.heights), known)
    ones = torch.ones(len(signs), 1, TALLEST)
    seen = torch.cat([signs, ones], dim=1)[..., None]
    compared = reader.comparison(seen, summary.view(-1, SUMMARY, 1, 1))
    return signs[:, 0], compared.flatten(1)


def choose_known(takes: NDArray[np.int64], share: NDArray[np.float64]) -> torch.Tensor:
    """Return with which others of its take each column is compared, as `summarise` takes it.

    takes: (n,) and share: (n,) from 0 to 1; columns whose share is negative are not known.
    """
    alike = (takes[:, None] == takes) & (share >= 0.0) & ~np.eye(len(takes), dtype=bool)
    return torch.from_numpy(alike).float()


def list_takes(samples: ShadeSamples) -> list[NDArray[np.intp]]:
    """Return which samples each take of a scene has."""
    both = samples.groups * (samples.takes.max() + 1) + samples.takes
    order = np.argsort(both, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(both[order])) + 1)


def go_on(reader: ShadowReader, weights: str, samples: ShadeSamples) -> None:
    """Give the networks the *weights* in a file, or those that ship."""
    if weights != SHIPPED:
        reader.load_state_dict(torch.load(weights))
        return

    def look(batch: NDArray[np.intp]) -> None:
        some = samples.those(batch)
        pool_features(reader.shadows, some, torch.from_numpy(some.patches).float())

    restore(reader.shadows, FIGURE_SHADOWS)
    restore(reader.comparison, FIGURE_COMPARISON)
    renormalise(reader.shadows, look, len(samples.heights))


def train(reader: ShadowReader, samples: ShadeSamples, epochs: int, rate: float) -> None:
    """Train on *samples*; tell how it goes."""
    random, takes = np.random.default_rng(SEED), list_takes(samples)

    def measure(batch: NDArray[np.intp], _epoch: int) -> torch.Tensor:
        chosen = [takes[index] for index in batch]
        some = samples.those(np.concatenate(chosen))
        numbers = np.repeat(np.arange(len(chosen)), [len(take) for take in chosen])
        fewer = random.uniform(0.0, 1.0 - LEAST_KNOWN, len(chosen))[numbers]
        known = choose_known(numbers, random.random(len(numbers)) - fewer)
        some = some.mirrored(random.random(len(numbers)) < 0.5)
        alone, compared = score(reader, some, vary(torch.from_numpy(some.patches)), known)
        wanted = torch.from_numpy(some.heights) - 1
        by_itself = functional.cross_entropy(alone, wanted)
        return functional.cross_entropy(compared, wanted) + ALONE * by_itself

    descend(reader, np.arange(len(takes)), epochs, rate, measure, TAKES)


def report(reader: ShadowReader, samples: ShadeSamples, which: str) -> None:
    """Print how many of *samples* are told rightly, and how many wrongly though surely.

    which: how they are called.
    """
    reader.eval()
    found, takes = [], list_takes(samples)
    with torch.no_grad():
        for take in takes:
            some = samples.those(take)
            known = choose_known(np.zeros(len(take), np.int64), np.ones(len(take)))
            both = score(reader, some, torch.from_numpy(some.patches).float(), known)
            found.append(torch.stack([each.softmax(dim=1) for each in both]))
    all_odds = torch.cat(found, dim=1).numpy()
    heights = samples.heights[np.concatenate(takes)]
    for what, odds in zip(("alone", "compared"), all_odds, strict=True):
        likeliest, right = odds.max(axis=1), odds.argmax(axis=1) + 1 == heights
        sure = likeliest >= Model.FIGURES.min_certainty
        lost = -np.log(odds[np.arange(len(odds)), heights - 1]).mean()
        print(
            f"{which}, {what}: {right.sum()} of {len(right)} right, {sure.sum()} sure, "
            f"{(sure & ~right).sum()} of them wrong; cross-entropy {lost:.3f}"
        )


def save(reader: ShadowReader, samples: ShadeSamples) -> None:
    """Write both networks for the product, which usually sees such *samples*.

    Comparing takes hardly any time, so that its network counts as finely as it has learned.
    """
    lots = []
    for lot in choose_lots(len(samples.heights)):
        some = samples.those(lot)
        lots.append(dict(zip(SEEN, prepare(some, torch.from_numpy(some.patches)), strict=True)))
    write(reader.shadows, FIGURE_SHADOWS, lots, ["ends"])
    compared = {
        "signs": torch.zeros(SOME, FEATURES + 1, TALLEST, 1),
        "known": torch.zeros(SOME, SUMMARY, 1, 1),
    }
    write(reader.comparison, FIGURE_COMPARISON, [compared], ["heights"], eight_bits=False)


def main() -> None:
    """Train, and at wish put the networks where the readers look for them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path, help="folder of rendered scenes")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", help=f"weights to begin with: a .pt file, or {SHIPPED}")
    parser.add_argument("--mix", type=float, default=1.0, help="share of what is learned to keep")
    parser.add_argument("--series", type=int, default=0, help="which photographs of the renders")
    parser.add_argument(
        "--average", nargs="+", default=[], help="weights of other runs from the same start"
    )
    parser.add_argument("--keep", type=Path, required=True, help="where to keep the weights")
    parser.add_argument("--ship", action="store_true", help="write the networks that ship")
    given = parser.parse_args()
    torch.manual_seed(SEED + given.series)
    samples = of_renders(given.renders, given.series)
    held = samples.groups % HELD_BACK == 0
    learned, reader = samples.those(~held), ShadowReader()
    if given.start:
        go_on(reader, given.start, learned)
    start = copy.deepcopy(reader.state_dict())
    train(reader, learned, given.epochs, given.rate)
    average(reader, [torch.load(path) for path in given.average])
    mix(reader, start, given.mix)
    report(reader, samples.those(samples.groups % HELD_BACK == 1), "learned from")
    report(reader, samples.those(held), "held back")
    torch.save(reader.state_dict(), given.keep)
    if given.ship:
        save(reader, samples)


if __name__ == "__main__":
    main()
