"""Train the networks that locate the indices of cards and tell what they are, from renders only.

`python -m training.hand_samples FOLDER ...` makes the samples; several may go on doing so while
`python -m training.train_hands places FOLDER ...`, or the same with `names`, learns from what is
there. Needs torch and onnx, which the product does not.
"""

import argparse
import math
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training.card_networks import INDEX_MAPS, INDEX_WIDTHS, CornerNetwork, IndexNetwork
from training.hand_samples import UNSAID
from training.quantisation import quantise
from training.train_cards import (
    HELD_BACK,
    Batch,
    Pool,
    learn,
    learning_options,
    load,
    recolour,
    start,
    tell_wrong,
    to_torch,
)
from vision.cards.card_kinds import CARD_SYMBOLS, KINDS
from vision.cards.index_finder import CROP_PX, MIDDLE_MM, REACH_PX, STRIDE_PX
from vision.cards.symbols import OTHER

NAMES: Final = {"places": "card-indices.onnx", "names": "index-names.onnx"}
ARRAYS: Final = {"places": ("canvases", "indices", "cards"), "names": ("crops", "labels")}
TOLD: Final = {"places": ["maps"], "names": ["kinds", "symbols"]}
BATCHES: Final = {"places": 16, "names": 96}
PART_PX: Final = 320
"""Side of the part of a photograph that is learned from at once."""
SPREAD_CELLS: Final = 1.1
INDEX_WEIGHT: Final = 25.0
"""Of an index's cell beside an empty one."""
FOUND, HIDDEN = 0.75, 0.45
"""From which share on an index that is seen is to be found, and up to which it is not."""
SMOOTHING: Final = 0.01
MIRRORED: Final = 0.12
"""The share of crops that are shown as in a mirror."""
MIRROR_RAD: Final = math.pi - 2 * math.atan2(MIDDLE_MM[1], MIDDLE_MM[0])
"""How far upright is off there."""


def draw_maps(indices: torch.Tensor, side: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return heat (n, side, side), where it counts, and ways (n, 2, side, side), NaN elsewhere.

    indices: (n, count, 5) as `HandSamples` has them.
    """
    steps = torch.arange(side, dtype=torch.float32)
    cells = (indices[..., :2] + 0.5) / STRIDE_PX - 0.5
    x = steps[None, None, None, :] - cells[..., 0, None, None]
    y = steps[None, None, :, None] - cells[..., 1, None, None]
    bumps = torch.exp(-(x**2 + y**2) / (2 * SPREAD_CELLS**2)).nan_to_num(0.0)
    seen = indices[..., 4].nan_to_num(0.0)[..., None, None]
    heat = (bumps * (seen >= FOUND)).amax(dim=1)
    unsure = (bumps * ((seen < FOUND) & (seen > HIDDEN))).amax(dim=1) > 0.05
    best = (bumps * (seen >= FOUND)).argmax(dim=1)  # (n, side, side)
    ways = indices[..., 2:4].nan_to_num(0.0)
    n = len(indices)
    chosen = ways[torch.arange(n)[:, None, None], best].permute(0, 3, 1, 2) / REACH_PX
    return heat, ~unsure | (heat > 0.05), chosen


def take_parts(levels: torch.Tensor, indices: torch.Tensor, cards: torch.Tensor) -> Batch:
    """Return a part of each photograph, turned and grown, with its indices and its cards."""
    n, (rows, columns) = len(levels), levels.shape[2:]
    angle = (torch.rand(n) - 0.5) * 2 * math.pi
    grow = torch.exp(0.3 * torch.randn(n)).clamp(0.5, 2.0)  # pixels of the photograph a pixel
    cos, sin = grow * torch.cos(angle), grow * torch.sin(angle)
    turns = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)
    middle = torch.rand(n, 2) * torch.tensor([columns, rows])
    known = indices[:, :, :2].nan_to_num(0.0)
    counts = (~indices[:, :, 0].isnan()).sum(dim=1).clamp(min=1)
    chosen = (torch.rand(n) * counts).long()
    near = known[torch.arange(n), chosen] + 70 * torch.randn(n, 2)
    middle = torch.where((torch.rand(n) < 0.7)[:, None], near, middle)
    half = (PART_PX - 1) / 2
    steps = torch.arange(PART_PX, dtype=torch.float32) - half
    own = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), dim=-1)  # x, y
    places = torch.einsum("nij,rcj->nrci", turns, own) + middle[:, None, None]
    size = torch.tensor([columns, rows], dtype=torch.float32)
    grid = (2 * places + 1) / size - 1
    seen = functional.grid_sample(levels.float() - 114, grid, align_corners=False) + 114
    first = STRIDE_PX // 2
    shown = functional.grid_sample(
        cards[:, None].float(), grid[:, first::STRIDE_PX, first::STRIDE_PX], align_corners=False
    )
    back = torch.linalg.inv(turns)
    at = torch.einsum("nij,nkj->nki", back, indices[..., :2] - middle[:, None]) + half
    way = torch.einsum("nij,nkj->nki", back, indices[..., 2:4])
    return seen, torch.cat([at, way, indices[..., 4:]], dim=2), shown[:, 0]


def place_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    """Return how far off the network is on where indices are."""
    levels, indices, cards = take_parts(batch[0], batch[1], batch[2])
    heat, counted, ways = draw_maps(indices, PART_PX // STRIDE_PX)
    seen = recolour(levels, 0.15).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        told = network(seen)
    told = told.float()
    weights = (1 + INDEX_WEIGHT * heat) * counted
    losses = functional.binary_cross_entropy_with_logits(told[:, 0], heat, weights, reduction="sum")
    strong = (heat > 0.4)[:, None]
    off = ((told[:, 1:3] - ways).abs() * strong).sum() / strong.sum().clamp(min=1)
    shown = functional.binary_cross_entropy_with_logits(told[:, 3], cards.clamp(0, 1))
    return losses / len(levels) / 100 + off + shown


def misplace(levels: torch.Tensor) -> torch.Tensor:
    """Return crops as they are where places were located less exactly."""
    n = len(levels)
    angle, grow = 0.08 * torch.randn(n), torch.exp(0.07 * torch.randn(n))
    cos, sin = grow * torch.cos(angle), grow * torch.sin(angle)
    shear = 0.06 * torch.randn(n)
    rows = [torch.stack([cos, shear - sin], 1), torch.stack([sin, cos], 1)]
    maps = torch.cat([torch.stack(rows, 1), 0.06 * torch.randn(n, 2, 1)], dim=2)
    grid = functional.affine_grid(maps, list(levels.shape), align_corners=False)
    return functional.grid_sample(levels, grid, padding_mode="border", align_corners=False)


def mirror_some(levels: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return crops of which some are as in a mirror, where nothing may be named.

    There an index is in the other corner: the way to the card's middle is taken for another.
    """
    levels, labels = levels.clone(), labels.clone()
    some = torch.rand(len(levels)) < MIRRORED
    if some.any():
        flipped = levels[some].flip(3)
        angle = torch.where(torch.rand(len(flipped)) < 0.5, 1.0, -1.0) * MIRROR_RAD
        cos, sin, none = torch.cos(angle), torch.sin(angle), torch.zeros_like(angle)
        rows = [torch.stack([cos, -sin, none], 1), torch.stack([sin, cos, none], 1)]
        grid = functional.affine_grid(
            torch.stack(rows, 1), list(flipped.shape), align_corners=False
        )
        levels[some] = functional.grid_sample(
            flipped, grid, padding_mode="border", align_corners=False
        )
        labels[some] = torch.tensor([KINDS.index(OTHER), CARD_SYMBOLS.index(OTHER)])
    return levels, labels


def name_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    """Return how far off the network is on what indices are."""
    levels, labels = mirror_some(batch[0].float(), batch[1])
    seen = misplace(recolour(levels, 0.1))
    blurred = torch.rand(len(seen)) < 0.3
    if blurred.any():
        share = float(torch.rand(1)) * 0.5 + 0.4
        small = functional.interpolate(seen[blurred], scale_factor=share, mode="area")
        seen[blurred] = functional.interpolate(small, size=seen.shape[2:], mode="bilinear")
    seen = seen.contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = network(seen)
    losses = [
        functional.cross_entropy(
            each.float(), wanted, ignore_index=UNSAID, label_smoothing=SMOOTHING
        )
        for each, wanted in zip(scores, labels.T, strict=True)
    ]
    return losses[0] + losses[1]


def train(given: argparse.Namespace) -> nn.Module:
    """Return the network of the kind on the command line, having learned so long."""
    torch.manual_seed(1)
    is_place = given.kind == "places"
    network = CornerNetwork(INDEX_WIDTHS, INDEX_MAPS) if is_place else IndexNetwork()
    pool = Pool(given.folder, ARRAYS[given.kind], BATCHES[given.kind], "cpu")
    judge = place_loss if is_place else name_loss
    return learn(start(network, given.start), judge, pool, given)


def export(network: nn.Module, kind: str, folder: Path, model: Path) -> None:
    """Write *network* to the ONNX file *model*, in eight bits."""
    size = (480, 640) if kind == "places" else (CROP_PX, CROP_PX)
    axes = {name: {0: "n"} for name in ("levels", *TOLD[kind])}
    if kind == "places":
        axes = {"levels": {0: "n", 2: "rows", 3: "columns"}, "maps": {0: "n", 2: "r", 3: "c"}}
    torch.onnx.export(
        network,
        (torch.zeros(1, 3, *size, dtype=torch.uint8),),
        str(model),
        input_names=["levels"],
        output_names=TOLD[kind],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    (path, *_) = (each for each in sorted(folder.glob("*.npz")) if HELD_BACK in each.name)
    (levels,) = load(path, ARRAYS[kind][0])
    shown = to_torch(levels[: 24 if kind == "places" else 192])
    lots = np.array_split(shown.contiguous().numpy(), 12)
    quantise(model, [{"levels": lot} for lot in lots])


def check(network: nn.Module, kind: str, folder: Path) -> None:
    """Print how well *network* does on the files that are held back."""
    if kind == "places":
        return
    files = [each for each in sorted(folder.glob("*.npz")) if HELD_BACK in each.name]
    parts = [load(each, *ARRAYS[kind]) for each in files]
    with torch.no_grad():
        scores = [network(to_torch(levels)) for levels, _ in parts]
    labels = np.concatenate([each for _, each in parts])
    for at, name in enumerate(TOLD[kind]):
        tell_wrong(name, torch.cat([each[at] for each in scores]), labels[:, at])


def main() -> None:
    """Train what the command line names."""
    options = learning_options(__doc__, NAMES, 60.0)
    given = options.parse_args(namespace=argparse.Namespace(device="cpu"))
    torch.set_num_threads(1)
    network = train(given)
    check(network, given.kind, given.folder)
    export(network, given.kind, given.folder, given.models / NAMES[given.kind])


if __name__ == "__main__":
    main()
