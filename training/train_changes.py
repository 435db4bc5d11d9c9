"""Train the network that tells how cells have changed: `python -m training.train_changes CUT`.

CUT: the folder that `training.change_samples` filled. Every tenth table is held back. It trains for
a time, not for epochs, and goes on from the last run's weights with `--start`.
"""

import argparse
import math
import time
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from training.change_samples import Changes
from training.changes_network import ChangesNetwork
from training.optimise import choose_lots, in_half, write
from vision.columns.change_network import CLASSES, MODEL
from vision.columns.change_patches import DELTAS

BATCH: Final = 96
HELD_BACK: Final = 10
SHIFTS: Final = 8
SHIFT_PX: Final = (5, 2)
"""How far, along a patch and across, both pictures are shifted beside the marks, in 3 mm or so."""
SMOOTH: Final = 0.01
SURE: Final = 0.95
NAMES: Final = (*(f"{delta:+}" for delta in DELTAS), "hidden", "other")


def alter(pairs: torch.Tensor, random: np.random.Generator) -> torch.Tensor:
    """Return pairs in other colours and tones, alike, with noise, blur and shifts of their own."""
    x = pairs.permute(0, 1, 4, 2, 3).float()
    n = len(x)
    x = x.flip(4) if random.random() < 0.5 else x
    x = x[:, :, torch.from_numpy(random.permutation(3))]
    if random.random() < 0.3:  # paler, or as grey as in the dusk
        x = x.lerp(x.mean(2, keepdim=True).expand_as(x), float(random.uniform(0, 0.7)))
    x = x * torch.exp(0.2 * torch.randn(n, 1, 3, 1, 1) + 0.25 * torch.randn(n, 1, 1, 1, 1))
    x = x * torch.exp(0.03 * torch.randn(n, 2, 3, 1, 1))
    x = 255.0 * (x.clamp(0, 255) / 255.0) ** torch.exp(0.15 * torch.randn(n, 1, 1, 1, 1))
    if random.random() < 0.2:  # a camera of fewer pixels
        rows = int(random.integers(2, 4))
        flat = x.flatten(0, 1)
        small = functional.avg_pool2d(flat, (rows, 1), (1, 1), (rows // 2, 0))
        x = small[:, :, : flat.shape[2]].view_as(x)
    bank = _noise(2 * x.numel())
    start = int(random.integers(x.numel()))
    grain = bank[start : start + x.numel()].view(x.shape)
    x = x + grain * (6.0 * torch.rand(n, 1, 1, 1, 1) ** 2)
    for part in torch.arange(n).chunk(SHIFTS):  # people do not put pieces onto middles
        rows, columns = (int(random.integers(-most, most + 1)) for most in SHIFT_PX)
        x[part] = torch.roll(x[part], (rows, columns), (3, 4))
    if random.random() < 0.25:
        x[:, 1] = torch.roll(x[:, 1], tuple(int(m) for m in random.integers(-1, 2, 2)), (2, 3))
    return x.clamp(0, 255).permute(0, 1, 3, 4, 2)


@cache
def _noise(count: int) -> torch.Tensor:
    """Return noise to take parts of: to draw it anew takes half as long as to learn from it."""
    return torch.randn(count)


def train(
    network: nn.Module,
    data: dict[str, torch.Tensor],
    own: NDArray[np.intp],
    minutes: float,
    rate: float,
    seed: int,
) -> None:
    """Train on the samples *own* for so long; tell how it goes."""
    random = np.random.default_rng(seed)
    steps = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    began, share, told, losses = time.monotonic(), 0.0, 0.0, []
    while share < 1.0:
        network.train()
        for part in np.array_split(random.permutation(own), max(1, len(own) // BATCH)):
            share = min(1.0, (time.monotonic() - began) / (60 * minutes))
            steps.param_groups[0]["lr"] = rate * min(
                10 * share + 1e-3, 0.5 + 0.5 * math.cos(math.pi * share) + 1e-3
            )
            with in_half():
                scores = network(alter(data["pairs"][part], random), data["marks"][part])
            loss = functional.cross_entropy(
                scores.float(), data["classes"][part], label_smoothing=SMOOTH
            )
            steps.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            steps.step()
            losses.append(loss.item())
            if share >= told + 0.1 or share >= 1.0:
                told, spent = share, time.monotonic() - began
                print(
                    f"{spent:.0f} s, {len(losses)} steps: {np.mean(losses[-300:]):.4f}", flush=True
                )
            if share >= 1.0:
                break


def report(network: nn.Module, data: dict[str, torch.Tensor], which: NDArray[np.intp]) -> None:
    """Print how many of each class are told rightly, and how many surely wrong."""
    network.eval()
    with torch.no_grad():
        lots = np.array_split(which, max(1, len(which) // 256))
        scores = torch.cat([network(data["pairs"][lot], data["marks"][lot]) for lot in lots])
    truth, odds = data["classes"][which], scores.softmax(1)
    told = odds.argmax(1)
    for each in range(CLASSES):
        own = truth == each
        if own.any():
            sure = (odds.amax(1) > SURE) & (told != truth) & own
            kinds = np.bincount(told[own].numpy(), minlength=CLASSES).tolist()
            print(
                f"{NAMES[each]:>7}: {int((told == each)[own].sum())} of {int(own.sum())},"
                f" {int(sure.sum())} surely wrong; told {kinds}"
            )


def main() -> None:
    """Train, and put the network where the reader looks for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cut", type=Path)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--out", type=Path, default=MODEL)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    found = Changes.join(
        [
            part
            for path in sorted(given.cut.glob("*.npz"))
            if (part := Changes.keep(path, lambda: None)) is not None
        ]
    )
    held = found.tables % HELD_BACK == 0
    data = {name: torch.from_numpy(getattr(found, name)) for name in ("pairs", "marks", "classes")}
    network = ChangesNetwork()
    if given.start:
        network.load_state_dict(torch.load(given.start))
    train(network, data, np.flatnonzero(~held), given.minutes, given.rate, given.seed)
    report(network, data, np.flatnonzero(held))
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    lots = [
        {name: data[name][lot] for name in ("pairs", "marks")}
        for lot in choose_lots(len(found.classes))
    ]
    write(network, given.out, lots, ["changes"])


if __name__ == "__main__":
    main()
