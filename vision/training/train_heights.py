"""Train the network that finds the foot and the top of columns, from rendered tables only.

Needs torch and onnx, which the product does not: `python -m vision.training.train_heights FOLDER`.
"""

import math
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.heights import CLASSES, SEEN_PX
from vision.spots import LONG_PX

CHANNELS: Final = 5
BLUR_PX: Final = 0.7
DEEP: Final = 48


def block(came: int, goes: int, side: tuple[int, int], stride: tuple[int, int], pad: tuple[int, int], spread: int = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(came, goes, side, stride, pad, dilation=(spread, 1), bias=False),
        nn.BatchNorm2d(goes),
        nn.ReLU(),
    ]


class Network(nn.Module):
    """From a patch (5, LONG_PX, SEEN_PX) to rows of the foot and the top, and what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            *block(CHANNELS, 12, (5, 5), (1, 2), (2, 2)),
            *block(12, 24, (3, 3), (1, 2), (1, 1)),
            *block(24, 32, (3, 3), (1, 2), (1, 1)),
            *block(32, DEEP, (3, 3), (1, 1), (1, 0)),
            *block(DEEP, DEEP, (5, 1), (1, 1), (4, 0), 2),
            *block(DEEP, DEEP, (5, 1), (1, 1), (8, 0), 4),
            *block(DEEP, DEEP, (5, 1), (1, 1), (16, 0), 8),
        )
        self.rows = nn.Conv2d(DEEP, 3, (5, 1), padding=(2, 0))
        self.kind = nn.Sequential(
            nn.Conv2d(DEEP, 24, (4, 1), (4, 1)),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.3),
            nn.Linear(24 * LONG_PX // 4, 64),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(64, CLASSES),
        )

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        deep = self.trunk(seen)
        return self.rows(deep).flatten(2), self.kind(deep)


def inputs(patches: torch.Tensor, rises: torch.Tensor, games: torch.Tensor) -> torch.Tensor:
    colours = patches.permute(0, 3, 1, 2).float() / 127.5 - 1.0
    told = torch.stack([rises / 8.0 - 0.5, games], dim=1)[:, :, None, None]
    return torch.cat([colours, told.expand(-1, -1, LONG_PX, SEEN_PX)], dim=1)


def vary(patches: torch.Tensor) -> torch.Tensor:
    """Return patches in other colours and light, mirrored; float (n, rows, columns, 3)."""
    n = len(patches)
    varied = patches.float() / 255.0
    flip = torch.rand(n) < 0.5
    varied[flip] = varied[flip].flip(2)
    grey = varied.mean(dim=3, keepdim=True)
    chroma = varied - grey
    # Turn all hues together: no paint is known beforehand.
    angle = torch.rand(n) * 2 * math.pi * (torch.rand(n) < 0.6)
    c, s = angle.cos()[:, None], angle.sin()[:, None]
    k = 1 / math.sqrt(3.0)
    eye = torch.eye(3)[None]
    cross = k * torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])[None]
    turn = c[:, :, None] * eye + s[:, :, None] * cross
    strength = 0.6 + 0.8 * torch.rand(n)
    turned = torch.einsum("nrwc,ndc->nrwd", chroma, turn * strength[:, None, None])
    gain = torch.exp(0.3 * torch.randn(n))[:, None, None, None]
    offset = 0.05 * torch.randn(n)[:, None, None, None]
    return ((grey + turned) * gain + offset).clamp(0, 1) * 255.0


def slide(patches: torch.Tensor, feet: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return all patches shifted along by the same few rows, and where the feet are then."""
    step = int(torch.randint(-3, 4, (1,)))
    if step == 0:
        return patches, feet
    moved = torch.roll(patches, step, dims=1)
    if step > 0:
        moved[:, :step] = patches[:, :1]
    else:
        moved[:, step:] = patches[:, -1:]
    return moved, feet + step


def loss_of(network: Network, pack: tuple[torch.Tensor, ...]) -> torch.Tensor:
    patches, rises, games, labels, rows = pack
    patches, rows = slide(patches, rows)
    maps, kinds = network(inputs(vary(patches), rises, games))
    loss = functional.cross_entropy(kinds, labels, label_smoothing=0.02)
    place = torch.arange(LONG_PX, dtype=torch.float32)
    stands = (labels > 0) & (labels < CLASSES - 1)
    if stands.any():
        height = labels[stands]
        own = rows[stands]
        foot, top = own[:, 0], own.gather(1, height[:, None])[:, 0]
        for index, at in enumerate((foot, top)):
            inside = (at > 0) & (at < LONG_PX - 1)
            wanted = torch.softmax(-((place[None] - at[:, None]) ** 2) / (2 * BLUR_PX**2), dim=1)
            told = functional.log_softmax(maps[stands][:, index], dim=1)
            loss = loss + 0.5 * (-(wanted * told).sum(1) * inside).sum() / max(1, int(inside.sum()))
    # Every piece's top once: their number is the height.
    seams = torch.zeros(len(labels), LONG_PX)
    for level in range(1, rows.shape[1]):
        at = rows[:, level : level + 1]
        there = (~torch.isnan(at)) & (labels[:, None] < CLASSES - 1)
        bump = torch.exp(-((place[None] - torch.nan_to_num(at)) ** 2) / (2 * 1.0**2))
        seams = torch.maximum(seams, bump * there)
    known = labels < CLASSES - 1
    if known.any():
        said = functional.binary_cross_entropy_with_logits(maps[known][:, 2], seams[known], reduction="none")
        loss = loss + 4.0 * said.mean()
    return loss


def train(network: Network, data: dict[str, NDArray[np.generic]], own: NDArray[np.intp], epochs: int, told=lambda epoch, loss: None, batch: int = 128, rate: float = 4e-3) -> None:
    tensors = {name: torch.from_numpy(values) for name, values in data.items()}
    chosen = torch.optim.AdamW(network.parameters(), lr=rate / 2, weight_decay=1e-3)
    steps = epochs * (len(own) // batch)
    plan = torch.optim.lr_scheduler.OneCycleLR(chosen, rate, total_steps=steps + 1)
    for epoch in range(epochs):
        network.train()
        order = np.random.default_rng(epoch).permutation(own)
        total = 0.0
        for start in range(0, len(order) - batch + 1, batch):
            pick = torch.from_numpy(order[start : start + batch])
            pack = tuple(tensors[name][pick] for name in ("patches", "rises", "games", "labels", "rows"))
            loss = loss_of(network, pack)
            chosen.zero_grad()
            loss.backward()
            chosen.step()
            plan.step()
            total += loss.item()
        told(epoch, total / max(1, len(order) // batch))


@torch.no_grad()
def predict(network: Network, data: dict[str, NDArray[np.generic]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return rows' scores (n, 3, LONG_PX) and the kinds' probabilities (n, CLASSES)."""
    network.eval()
    maps, kinds = [], []
    for at in range(0, len(data["patches"]), 200):
        own = [torch.from_numpy(data[name][at : at + 200]) for name in ("patches", "rises", "games")]
        some, kind = network(inputs(*own))
        maps.append(some)
        kinds.append(kind.softmax(1))
    return torch.cat(maps).numpy(), torch.cat(kinds).numpy()
