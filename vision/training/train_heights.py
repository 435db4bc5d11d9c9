"""Train the network that finds feet and tops of columns.

Needs torch and onnx, which the product does not: `python -m vision.training.train_heights RENDERS`.
Every tenth scene is held back, to tell how the network does on scenes that it has not seen.
"""

import argparse
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.heights import BIN_PX, BINS, CLASSES, MODEL, RISE, SEEN_PX
from vision.spots import LONG_PX
from vision.training.patches import UNSAID
from vision.training.samples import MODELS, Samples, of_renders

CHANNELS: Final = 5
DEEP: Final = 48
TRUNK: Final = (
    (16, (5, 5), (2, 2), (2, 2), 1),
    (32, (3, 3), (1, 2), (1, 1), 1),
    (32, (3, 3), (1, 2), (1, 1), 1),
    (DEEP, (3, 3), (1, 1), (1, 0), 1),
    (DEEP, (5, 1), (1, 1), (4, 0), 2),
    (DEEP, (5, 1), (1, 1), (8, 0), 4),
    (DEEP, (5, 1), (1, 1), (16, 0), 8),
)
"""Channels, sides, strides, padding and spread: across a patch first, then far along it."""
BLUR: Final = 0.6
"""How sharply a foot or a top is to be found, in bins."""
SMOOTH: Final = 0.02
BATCH: Final = 128
SLIDE_PX: Final = 3
HELD_BACK: Final = 10


class Network(nn.Module):  # type: ignore[misc]  # torch has no types here
    """From patches (n, CHANNELS, LONG_PX, SEEN_PX) to rows (n, 3, BINS) and kinds (n, CLASSES)."""

    def __init__(self) -> None:
        super().__init__()
        came, layers = CHANNELS, []
        for goes, side, stride, padding, spread in TRUNK:
            layers += [
                nn.Conv2d(came, goes, side, stride, padding, dilation=(spread, 1), bias=False),
                nn.BatchNorm2d(goes),
                nn.ReLU(),
            ]
            came = goes
        self.trunk = nn.Sequential(*layers)
        self.rows = nn.Conv2d(DEEP, 3, (5, 1), padding=(2, 0))
        self.kind = nn.Sequential(
            nn.Conv2d(DEEP, 24, (4, 1), (4, 1)),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.3),
            nn.Linear(24 * BINS // 4, 64),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(64, CLASSES),
        )

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores of rows and of kinds."""
        deep = self.trunk(seen)
        return self.rows(deep).flatten(2), self.kind(deep)


def prepare(patches: torch.Tensor, rises: torch.Tensor, models: torch.Tensor) -> torch.Tensor:
    """Return what the network sees, as `vision.heights.inputs` makes it."""
    colours = patches.permute(0, 3, 1, 2).float() / 127.5 - 1.0
    told = torch.stack([rises / RISE - 0.5, models], dim=1)[:, :, None, None]
    return torch.cat([colours, told.expand(-1, -1, LONG_PX, SEEN_PX)], dim=1)


def vary(patches: torch.Tensor) -> torch.Tensor:
    """Return patches in other colours and light, mirrored, softer; float (n, rows, columns, 3)."""
    n = len(patches)
    varied = patches.float() / 255.0
    flip = torch.rand(n) < 0.5
    varied[flip] = varied[flip].flip(2)
    grey = varied.mean(dim=3, keepdim=True)
    # All hues turn together: no paint is known beforehand.
    angle = torch.rand(n) * 2 * math.pi * (torch.rand(n) < 0.6)
    cross = torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / math.sqrt(3.0)
    turn = angle.cos()[:, None, None] * torch.eye(3) + angle.sin()[:, None, None] * cross
    turn = turn * (0.6 + 0.8 * torch.rand(n))[:, None, None]
    chroma = torch.einsum("nrwc,ndc->nrwd", varied - grey, turn)
    gain = torch.exp(0.3 * torch.randn(n))[:, None, None, None]
    offset = 0.05 * torch.randn(n)[:, None, None, None]
    varied = ((grey + chroma) * gain + offset).clamp(0, 1) * 255.0
    soft = torch.rand(n) < 0.35
    if soft.any():
        varied[soft] = _soften(varied[soft], float(torch.rand(1)) * 0.8 + 0.3)
    return varied


def _soften(patches: torch.Tensor, sigma_px: float) -> torch.Tensor:
    """Return patches as a camera of fewer pixels shows them; they are finer along than across."""
    way = torch.arange(-3, 4, dtype=torch.float32)
    along = torch.exp(-0.5 * (way / (2 * sigma_px)) ** 2)
    kernel = (along / along.sum())[None, None, :, None].repeat(3, 1, 1, 1)
    seen = functional.pad(patches.permute(0, 3, 1, 2), (0, 0, 3, 3), mode="replicate")
    return functional.conv2d(seen, kernel, groups=3).permute(0, 2, 3, 1)


def _slide(patches: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return all patches moved along by the same few rows, and what stands in which row then."""
    step = int(torch.randint(-SLIDE_PX, SLIDE_PX + 1, (1,)))
    moved = torch.roll(patches, step, dims=1)
    if step > 0:
        moved[:, :step] = patches[:, :1]
    elif step < 0:
        moved[:, step:] = patches[:, -1:]
    return moved, rows + step


def measure_loss(network: Network, samples: Samples) -> torch.Tensor:
    """Return how badly the network tells kinds, feet, tops and seams of *samples*."""
    patches, rows = _slide(torch.from_numpy(samples.patches), torch.from_numpy(samples.rows))
    heights = torch.from_numpy(samples.heights)
    rises, models = torch.from_numpy(samples.rises), torch.from_numpy(samples.models)
    maps, kinds = network(prepare(vary(patches), rises, models))
    loss = functional.cross_entropy(kinds, heights, label_smoothing=SMOOTH)
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


def train(network: Network, samples: Samples, epochs: int, rate: float) -> None:
    """Train on *samples*, at a rate that rises to *rate* and falls again; tell how it goes."""
    own = np.flatnonzero(samples.heights != UNSAID)
    steps = len(own) // BATCH
    chosen = torch.optim.AdamW(network.parameters(), lr=rate / 2, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(chosen, rate, total_steps=epochs * steps + 1)
    for epoch in range(epochs):
        network.train()
        order, total = np.random.default_rng(epoch).permutation(own), 0.0
        for start in range(0, steps * BATCH, BATCH):
            loss = measure_loss(network, samples.those(order[start : start + BATCH]))
            chosen.zero_grad()
            loss.backward()
            chosen.step()
            plan.step()
            total += loss.item()
        print(f"epoch {epoch + 1} of {epochs}: loss {total / steps:.3f}", flush=True)


def save(network: Network, path: Path) -> None:
    """Write the network as ONNX, for OpenCV's own runtime."""
    network.eval()
    seen: Any = (torch.zeros(25, CHANNELS, LONG_PX, SEEN_PX),)
    names = {"input_names": ["patches"], "output_names": ["rows", "kinds"]}
    torch.onnx.export(network, seen, str(path), opset_version=13, dynamo=False, **names)


def report(network: Network, samples: Samples) -> None:
    """Print how many of *samples* are named rightly by their kind alone, without geometry."""
    network.eval()
    own = samples.those(samples.heights != UNSAID)
    right = 0
    with torch.no_grad():
        for start in range(0, len(own.heights), BATCH):
            some = own.those(np.arange(start, min(start + BATCH, len(own.heights))))
            told = [torch.from_numpy(a) for a in (some.patches, some.rises, some.models)]
            kinds = network(prepare(*told))[1].argmax(dim=1).numpy()
            right += int((kinds == some.heights).sum())
    print(f"held back: {right} of {len(own.heights)} right")


def main() -> None:
    """Train, and put the network where the readers look for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path, help="folder with a folder of rendered scenes a game")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--out", type=Path, default=MODEL)
    given = parser.parse_args()
    torch.manual_seed(1)
    renders = Samples.join([of_renders(given.renders, game) for game in MODELS])
    network = Network()
    if given.start:
        network.load_state_dict(torch.load(given.start))
    held = renders.groups % HELD_BACK == 0
    train(network, renders.those(~held), given.epochs, given.rate)
    report(network, renders.those(held))
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    save(network, given.out)


if __name__ == "__main__":
    main()
