"""Train the networks that locate a photographed card and tell its kind, from renders only.

`python -m vision.training.card_samples FOLDER ...` makes the samples first. Then
`python -m vision.training.train_cards corners FOLDER`, and the same with `kinds`. Needs torch and
onnx, which the product does not.
"""

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.cards.card_corners import INPUT_PX, STRIDE_PX
from vision.cards.card_kinds import CARD_COLOURS, KINDS
from vision.cards.card_rectification import CROP_PX
from vision.cards.symbols import OTHER
from vision.training.card_decks import COLOUR_CLASSES, SYMBOL_CLASSES
from vision.training.card_networks import CornerNetwork, KindNetwork
from vision.training.card_samples import UNSAID
from vision.training.quantisation import quantise

MODELS: Final = Path(__file__).parents[1] / "models"
BATCHES: Final = {"corners": 24, "kinds": 64}
RATE: Final = 3e-3
WARMING: Final = 0.04
"""During which share of the steps the rate grows to RATE; then it falls to nothing."""
FILES_AT_ONCE: Final = 8
"""How many files are shuffled together."""
SPREAD_CELLS: Final = 1.2
"""Of the bump that stands for a corner in a map."""
CORNER_WEIGHT: Final = 25.0
"""Of a corner's cell beside an empty one: there are a thousand of those."""
MISALIGNED: Final = 0.02
"""By how much crops are shifted, turned and stretched, as a share of half their sides."""
SHOWN, LOTS = 96, 12
"""How many samples show what flows before a network counts in eight bits, in how many lots."""
HELD_BACK: Final = "-0000.npz"
"""What the names of files end in that judge what was learned."""
Batch: TypeAlias = tuple[torch.Tensor, torch.Tensor]


def draw_maps(corners: torch.Tensor) -> torch.Tensor:
    """Return the maps (n, 3, side, side) of cards with *corners* (n, 4, 2) in pixels, or NaN."""
    side = INPUT_PX // STRIDE_PX
    cells = (corners + 0.5) / STRIDE_PX - 0.5
    steps = torch.arange(side, dtype=torch.float32)
    x = steps[None, None, None, :] - cells[:, :, 0, None, None]
    y = steps[None, None, :, None] - cells[:, :, 1, None, None]
    bumps = torch.exp(-(x**2 + y**2) / (2 * SPREAD_CELLS**2)).nan_to_num(0.0)
    # A cell is inside if it is right of all four sides: corners go round clockwise.
    ends = cells.roll(-1, dims=1)
    along_x, along_y = (ends - cells)[:, :, 0, None, None], (ends - cells)[:, :, 1, None, None]
    inside = ((along_x * y - along_y * x) > 0).all(dim=1)
    maps = torch.stack(
        [torch.maximum(bumps[:, 0], bumps[:, 2]), torch.maximum(bumps[:, 1], bumps[:, 3]), inside],
        dim=1,
    )
    return maps.float()


def list_batches(folder: Path, kind: str, random: np.random.Generator) -> Iterator[Batch]:
    """Yield levels (n, 3, rows, columns) uint8 and what they show, for ever; files may be added."""
    names = ("canvases", "corners") if kind == "corners" else ("crops", "labels")
    while True:
        files = [each for each in sorted(folder.glob("*.npz")) if HELD_BACK not in each.name]
        for start in range(
            0, len(files := list(random.permutation(np.array(files)))), FILES_AT_ONCE
        ):
            parts = [_load(each, *names) for each in files[start : start + FILES_AT_ONCE]]
            levels, shown = (np.concatenate(each) for each in zip(*parts, strict=True))
            order = random.permutation(len(levels))
            for at in range(0, len(order) - BATCHES[kind] + 1, BATCHES[kind]):
                some = np.sort(order[at : at + BATCHES[kind]])
                yield _to_torch(levels[some]), torch.from_numpy(shown[some])


def _load(path: Path, *names: str) -> tuple[np.ndarray, ...]:
    with np.load(path) as arrays:
        return tuple(arrays[name] for name in names)


def _to_torch(levels: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(levels)).permute(0, 3, 1, 2)


def _recolour(levels: torch.Tensor, strength: float) -> torch.Tensor:
    """Return *levels* under another lamp each."""
    n = len(levels)
    gains = torch.exp(strength * torch.randn(n, 1, 1, 1) + 0.4 * strength * torch.randn(n, 3, 1, 1))
    return (levels.float() * gains + 40 * strength * torch.randn(n, 1, 1, 1)).clamp(0, 255)


def _corner_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    levels, corners = batch
    maps = draw_maps(corners)
    if torch.rand(1) < 0.5:  # in a mirror each diagonal is the other one
        levels, maps = levels.flip(3), maps[:, [1, 0, 2]].flip(3)
    turns = int(torch.randint(4, (1,)))
    levels, maps = torch.rot90(levels, turns, (2, 3)), torch.rot90(maps, turns, (2, 3))
    seen = _recolour(levels, 0.15).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        told = network(seen)
    weights = torch.ones_like(maps)
    weights[:, :2] += CORNER_WEIGHT * maps[:, :2]
    losses = functional.binary_cross_entropy_with_logits(
        told.float(), maps, weights, reduction="none"
    )
    return losses[:, :2].sum(dim=(1, 2, 3)).mean() / 100 + losses[:, 2].mean()


def _misalign(levels: torch.Tensor) -> torch.Tensor:
    """Return crops as they are where corners were located less exactly: an affine map of each."""
    n = len(levels)
    maps = torch.eye(2, 3).repeat(n, 1, 1) + MISALIGNED * torch.randn(n, 2, 3)
    grid = functional.affine_grid(maps, list(levels.shape), align_corners=False)
    return functional.grid_sample(levels, grid, padding_mode="border", align_corners=False)


def kinds_of(labels: np.ndarray) -> np.ndarray:
    """Return the place in KINDS, or UNSAID, of each symbol and colour (n, 2)."""
    table = np.full((len(SYMBOL_CLASSES) + 1, len(COLOUR_CLASSES) + 1), UNSAID)
    for row, symbol in enumerate(SYMBOL_CLASSES):
        for column, colour in enumerate(COLOUR_CLASSES):
            kind = colour if colour in CARD_COLOURS else symbol if symbol in KINDS else OTHER
            table[row, column] = KINDS.index(kind)
    return np.asarray(table[labels[:, 0], labels[:, 1]])  # -1 takes the last row or column


def _kind_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    levels, labels = batch
    kinds = torch.from_numpy(kinds_of(labels.numpy()))
    seen = _misalign(_recolour(levels, 0.08)).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = network(seen)
    return functional.cross_entropy(
        scores.float(), kinds, ignore_index=UNSAID, label_smoothing=0.02
    )


def train(kind: str, folder: Path, steps: int, start: Path | None, state: Path) -> nn.Module:
    """Return the network *kind*, having learned from so many lots; its *state* is kept too."""
    torch.manual_seed(1)
    network = CornerNetwork() if kind == "corners" else KindNetwork()
    if start is not None:
        network.load_state_dict(torch.load(start))
    network.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    judge = _corner_loss if kind == "corners" else _kind_loss
    said, losses = 0.0, []
    for step, batch in enumerate(list_batches(folder, kind, np.random.default_rng(1))):
        share = step / steps
        if share >= 1.0:
            break
        for group in optimiser.param_groups:
            warm = min(1.0, share / WARMING + 0.01)
            group["lr"] = RATE * warm * (0.5 + 0.5 * math.cos(math.pi * share))
        loss = judge(network, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        losses.append(loss.item())
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(
                f"step {step} of {steps}, {time.process_time():.0f} s: loss"
                f" {np.mean(losses[-200:]):.4f}",
                flush=True,
            )
            torch.save(network.state_dict(), state)
    torch.save(network.state_dict(), state)
    return network.eval().to(memory_format=torch.contiguous_format)


class _Probable(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Probabilities instead of logits."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self._network = network

    def forward(self, levels: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self._network(levels))


def export(network: nn.Module, kind: str, model: Path) -> None:
    """Write *network* to the ONNX file *model*."""
    size = (INPUT_PX, INPUT_PX) if kind == "corners" else CROP_PX
    told = "maps" if kind == "corners" else "scores"
    torch.onnx.export(
        _Probable(network) if kind == "corners" else network,
        (torch.zeros(1, 3, *size, dtype=torch.uint8),),
        str(model),
        input_names=["levels"],
        output_names=[told],
        dynamic_axes={name: {0: "n"} for name in ("levels", told)},
        opset_version=13,
        dynamo=False,
    )


def quantise_trained(kind: str, folder: Path, model: Path) -> None:
    """Write the network of the ONNX file *model* in eight bits, in its place."""
    (path, *_) = (each for each in sorted(folder.glob("*.npz")) if HELD_BACK in each.name)
    (levels,) = _load(path, "canvases" if kind == "corners" else "crops")
    lots = np.array_split(_to_torch(levels[:SHOWN]).numpy(), LOTS)
    quantise(model, [{"levels": lot} for lot in lots])


def check(network: nn.Module, kind: str, folder: Path) -> None:
    """Print how well *network* does on the files that are held back."""
    files = [each for each in sorted(folder.glob("*.npz")) if HELD_BACK in each.name]
    with torch.no_grad():
        if kind == "corners":
            for each in files:
                levels, corners = _load(each, "canvases", "corners")
                maps = torch.sigmoid(network(_to_torch(levels).float()))
                wanted = draw_maps(torch.from_numpy(corners))
                off = (maps - wanted).abs().mean(dim=(0, 2, 3))
                print(f"{each.name}: mean error of the maps {[round(float(v), 5) for v in off]}")
            return
        for each in files:
            levels, labels = _load(each, "crops", "labels")
            kinds = kinds_of(labels)
            likely = torch.softmax(network(_to_torch(levels).float()), dim=1).numpy()
            likely, kinds = likely[kinds != UNSAID], kinds[kinds != UNSAID]
            wrong = likely.argmax(axis=1) != kinds
            sure = wrong & (likely.max(axis=1) > 0.9)
            print(f"{each.name}: wrong {wrong.mean():.4f}, sure and wrong {sure.mean():.4f}")


def main() -> None:
    """Train what the command line names."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kind", choices=sorted(BATCHES))
    options.add_argument("folder", type=Path, help="what card_samples has made")
    options.add_argument("--steps", type=int, default=2500)
    options.add_argument("--start", type=Path, help="a state to go on from")
    options.add_argument("--state", type=Path, required=True, help="where its state is kept")
    options.add_argument("--models", type=Path, default=MODELS)
    given = options.parse_args()
    torch.set_num_threads(1)
    network = train(given.kind, given.folder, given.steps, given.start, given.state)
    check(network, given.kind, given.folder)
    model = given.models / f"card-{given.kind}.onnx"
    export(network, given.kind, model)
    quantise_trained(given.kind, given.folder, model)


if __name__ == "__main__":
    main()
