"""Train the networks that locate a photographed card and tell what it is, from renders only.

`python -m training.card_samples FOLDER ...` makes the samples; several may go on doing so
while `python -m training.train_cards corners FOLDER ...`, or the same with `symbols`, learns
from what is there. Needs torch and onnx, which the product does not; a GPU is
used if there is one.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from rendering.card_decks import COLOUR_CLASSES, SYMBOL_CLASSES
from training.card_networks import CornerNetwork, SymbolNetwork
from training.card_samples import UNSAID
from training.quantisation import quantise
from vision.cards.card_corners import GREY, INPUT_PX, STRIDE_PX
from vision.cards.card_kinds import CARD_COLOURS, KINDS
from vision.cards.card_rectification import CROP_PX
from vision.cards.symbols import OTHER

MODELS: Final = Path(__file__).parents[1] / "vision" / "models"
BATCHES: Final = {"corners": 24, "symbols": 64}
MORE: Final = 6
"""How many times more a GPU is given at once."""
ARRAYS: Final = {"corners": ("canvases", "corners"), "symbols": ("crops", "labels")}
"""What each network learns from, of `card_samples.Samples`."""
NETWORKS: Final[dict[str, Callable[[], Any]]] = {
    "corners": CornerNetwork,
    "symbols": SymbolNetwork,
}
TOLD: Final = {"corners": ["maps"], "symbols": ["kinds", "symbols"]}
RATE: Final = 3e-3
WARMING: Final = 0.04
"""During which share of the time the rate grows to its most; then it falls to nothing."""
FILES_AT_ONCE: Final = 8
"""From how many files the samples of one batch come."""
SPREAD_CELLS: Final = 1.2
"""Of the bump that stands for a corner in a map."""
CORNER_WEIGHT: Final = 25.0
"""Of a corner's cell beside an empty one: there are a thousand of those."""
MOVED: Final = 0.5
"""The share of pictures that are turned, grown and shifted by any amount."""
MISALIGNED: Final = 0.02
"""By how much crops are shifted, turned and stretched, as a share of half their sides."""
SMOOTHING: Final = 0.005
"""How far from certain answers are to be."""
SHOWN, LOTS = 96, 12
"""How many samples show what flows before a network counts in eight bits, in how many lots."""
HELD_BACK: Final = "-0000.npz"
"""What the names of files end in that judge what was learned."""
SAID_EVERY_S: Final = 20.0
LOOKED, NEW_FILES = 20, 6
"""After how many steps how many new files are read."""
KEPT_FILES: Final = 260
"""How many files are kept in memory; the oldest go first."""
KIND_TABLE: Final = (len(SYMBOL_CLASSES) + 1, len(COLOUR_CLASSES) + 1)
Batch: TypeAlias = tuple[torch.Tensor, ...]
Judge: TypeAlias = Callable[[nn.Module, Batch], torch.Tensor]


class Pool:
    """All samples in *folder*, of each file *names*, on *device*; more may come at any time.

    The first array has the pictures.  batch: how many samples are drawn at once.
    """

    def __init__(self, folder: Path, names: Sequence[str], batch: int, device: str) -> None:
        self._folder, self._names, self._device = folder, names, device
        self._batch = batch * (MORE if device == "cuda" else 1)
        self._read: set[str] = set()
        self._parts: list[Batch] = []
        self._random = np.random.default_rng(1)

    def __len__(self) -> int:
        """Return how many samples there are."""
        return sum(len(part[0]) for part in self._parts)

    def look(self) -> None:
        """Take in some new files; wait for the first one."""
        while True:
            files = sorted(self._folder.glob("[!.]*.npz"))  # not those that are being written
            new = [each for each in files if each.name not in self._read]
            for each in [each for each in new if HELD_BACK not in each.name][:NEW_FILES]:
                levels, *known = load(each, *self._names)
                part = to_torch(levels).contiguous(memory_format=torch.channels_last)
                arrays = (part, *map(torch.from_numpy, known))
                self._parts.append(tuple(array.to(self._device) for array in arrays))
                self._read.add(each.name)
            del self._parts[:-KEPT_FILES]
            if self._parts:
                return
            time.sleep(1.0)

    def draw(self) -> Batch:
        """Return a batch: levels (n, 3, rows, columns) uint8 and what they show, of any files."""
        chosen = self._random.integers(len(self._parts), size=FILES_AT_ONCE)
        drawn = []
        for part in (self._parts[each] for each in chosen):
            some = self._random.integers(len(part[0]), size=self._batch // FILES_AT_ONCE)
            places = torch.from_numpy(some).to(self._device)
            drawn.append([array[places] for array in part])
        return tuple(torch.cat(arrays) for arrays in zip(*drawn, strict=True))


def draw_maps(corners: torch.Tensor) -> torch.Tensor:
    """Return the maps (n, 3, side, side) of cards with *corners* (n, 4, 2) in pixels, or NaN."""
    side = INPUT_PX // STRIDE_PX
    cells = (corners + 0.5) / STRIDE_PX - 0.5
    steps = torch.arange(side, dtype=torch.float32, device=corners.device)
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


def load(path: Path, *names: str) -> tuple[np.ndarray, ...]:
    """Return the arrays of those *names* in a file of samples."""
    with np.load(path) as arrays:
        return tuple(arrays[name] for name in names)


def to_torch(levels: np.ndarray) -> torch.Tensor:
    """Return pictures with their channels first."""
    return torch.from_numpy(np.ascontiguousarray(levels)).permute(0, 3, 1, 2)


def recolour(levels: torch.Tensor, strength: float) -> torch.Tensor:
    """Return *levels* under another lamp each."""
    n, device = len(levels), levels.device
    tint = 0.4 * strength * torch.randn(n, 3, 1, 1, device=device)
    gains = torch.exp(strength * torch.randn(n, 1, 1, 1, device=device) + tint)
    haze = 40 * strength * torch.randn(n, 1, 1, 1, device=device)
    return (levels.float() * gains + haze).clamp(0, 255)


def _move_about(levels: torch.Tensor, corners: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return some pictures turned, grown or shrunk, and shifted, with their corners."""
    n, device = len(levels), levels.device
    some = (torch.rand(n, device=device) < MOVED).float()
    angle = some * (torch.rand(n, device=device) - 0.5) * math.pi / 2
    scale = torch.exp(some * (0.25 * torch.randn(n, device=device) - 0.05)).clamp(0.5, 1.7)
    cos, sin = scale * torch.cos(angle), scale * torch.sin(angle)
    turns = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)
    shift = 0.12 * some[:, None] * torch.randn(n, 2, device=device)
    # To each place in the new picture, from -1 to 1, belongs a place in the old one.
    grid = functional.affine_grid(
        torch.cat([turns, shift[:, :, None]], 2), list(levels.shape), align_corners=False
    )
    moved = functional.grid_sample(levels.float() - GREY, grid, align_corners=False) + GREY
    places = (2 * corners + 1) / INPUT_PX - 1
    back = torch.linalg.inv(turns) @ (places - shift[:, None]).transpose(1, 2)
    return moved, ((back.transpose(1, 2) + 1) * INPUT_PX - 1) / 2


def _corner_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    levels, corners = _move_about(batch[0], batch[1])
    maps = draw_maps(corners)
    if torch.rand(1) < 0.5:  # in a mirror each diagonal is the other one
        levels, maps = levels.flip(3), maps[:, [1, 0, 2]].flip(3)
    turns = int(torch.randint(4, (1,)))
    levels, maps = torch.rot90(levels, turns, (2, 3)), torch.rot90(maps, turns, (2, 3))
    seen = recolour(levels, 0.15).contiguous(memory_format=torch.channels_last)
    with torch.autocast(seen.device.type, dtype=torch.bfloat16):
        told = network(seen)
    weights = torch.ones_like(maps)
    weights[:, :2] += CORNER_WEIGHT * maps[:, :2]
    losses = functional.binary_cross_entropy_with_logits(
        told.float(), maps, weights, reduction="none"
    )
    return losses[:, :2].sum(dim=(1, 2, 3)).mean() / 100 + losses[:, 2].mean()


def _misalign(levels: torch.Tensor) -> torch.Tensor:
    """Return crops as they are where corners were located less exactly: an affine map of each."""
    n, device = len(levels), levels.device
    off = MISALIGNED * torch.randn(n, 2, 3, device=device)
    maps = torch.eye(2, 3, device=device).repeat(n, 1, 1) + off
    grid = functional.affine_grid(maps, list(levels.shape), align_corners=False)
    return functional.grid_sample(levels, grid, padding_mode="border", align_corners=False)


def kinds_of(labels: np.ndarray) -> np.ndarray:
    """Return the place in KINDS, or UNSAID, of each symbol and colour (n, 2)."""
    table = np.full(KIND_TABLE, UNSAID)
    for row, symbol in enumerate(SYMBOL_CLASSES):
        for column, colour in enumerate(COLOUR_CLASSES):
            kind = colour if colour in CARD_COLOURS else symbol if symbol in KINDS else OTHER
            table[row, column] = KINDS.index(kind)
    return np.asarray(table[labels[:, 0], labels[:, 1]])  # -1 takes the last row or column


def _symbol_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    levels, labels = batch
    table = torch.from_numpy(kinds_of(np.indices(KIND_TABLE).reshape(2, -1).T - 1))
    kinds = table.to(labels.device).reshape(KIND_TABLE)[labels[:, 0] + 1, labels[:, 1] + 1]
    seen = _misalign(recolour(levels, 0.08)).contiguous(memory_format=torch.channels_last)
    with torch.autocast(seen.device.type, dtype=torch.bfloat16):
        scores = network(seen)
    return sum(
        functional.cross_entropy(
            each.float(), wanted, ignore_index=UNSAID, label_smoothing=SMOOTHING
        )
        for each, wanted in zip(scores, (kinds, labels[:, 0]), strict=True)
    )


def learn(network: nn.Module, judge: Judge, pool: Pool, given: argparse.Namespace) -> nn.Module:
    """Let *network* learn so long from *pool*; return it on the processor, and keep its state.

    judge: returns its loss on a batch.  given: kind, rate, minutes, device and state, as `main` has
    them.
    """
    device = given.device
    network.to(device, memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=given.rate, weight_decay=1e-3, fused=device == "cuda"
    )
    pool.look()
    began, said, step = time.monotonic(), 0.0, 0
    losses: list[torch.Tensor] = []
    while (share := (time.monotonic() - began) / max(60 * given.minutes, 1e-9)) < 1.0:
        if step % LOOKED == 0:
            pool.look()
        for group in optimiser.param_groups:
            warm = min(1.0, share / WARMING + 0.01)
            group["lr"] = given.rate * warm * (0.5 + 0.5 * math.cos(math.pi * share))
        loss = judge(network, pool.draw())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        losses.append(loss.detach())
        step += 1
        if time.monotonic() - said > SAID_EVERY_S:
            said = time.monotonic()
            print(
                f"{given.kind}: {said - began:.0f} s, step {step}, {len(pool)} samples: loss"
                f" {torch.stack(losses[-200:]).mean().item():.4f}",
                flush=True,
            )
            torch.save(network.state_dict(), given.state)
    network.to("cpu").eval()
    torch.save(network.state_dict(), given.state)
    return network.to(memory_format=torch.contiguous_format)


def start(network: nn.Module, state: Path | None) -> nn.Module:
    """Return *network* with what is known in *state*; layers that it had not are as they begin."""
    if state is not None:
        known, own = torch.load(state, map_location="cpu"), network.state_dict()
        own.update({name: each for name, each in known.items() if each.shape == own[name].shape})
        network.load_state_dict(own)
    return network


def train(given: argparse.Namespace) -> nn.Module:
    """Return the network of the kind on the command line, having learned so long."""
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    network = start(NETWORKS[given.kind](), given.start)
    judge = _corner_loss if given.kind == "corners" else _symbol_loss
    pool = Pool(given.folder, ARRAYS[given.kind], BATCHES[given.kind], given.device)
    return learn(network, judge, pool, given)


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
    told = TOLD[kind]
    torch.onnx.export(
        _Probable(network) if kind == "corners" else network,
        (torch.zeros(1, 3, *size, dtype=torch.uint8),),
        str(model),
        input_names=["levels"],
        output_names=told,
        dynamic_axes={name: {0: "n"} for name in ("levels", *told)},
        opset_version=13,
        dynamo=False,
    )


def quantise_trained(kind: str, folder: Path, model: Path) -> None:
    """Write the network of the ONNX file *model* in eight bits, in its place."""
    (path, *_) = (each for each in sorted(folder.glob("*.npz")) if HELD_BACK in each.name)
    (levels,) = load(path, "canvases" if kind == "corners" else "crops")
    lots = np.array_split(to_torch(levels[:SHOWN]).numpy(), LOTS)
    quantise(model, [{"levels": lot} for lot in lots])


def check(network: nn.Module, kind: str, folder: Path, device: str) -> None:
    """Print how well *network* does on the files that are held back."""
    files = [each for each in sorted(folder.glob("*.npz")) if HELD_BACK in each.name]
    parts = [load(each, *ARRAYS[kind]) for each in files]
    network.to(device)
    with torch.no_grad():
        if kind == "corners":
            off = [
                (torch.sigmoid(network(to_torch(levels).float())) - draw_maps(torch.from_numpy(at)))
                for levels, at in parts
            ]
            means = torch.cat(off).abs().mean(dim=(0, 2, 3))
            print(f"mean error of the maps {[round(float(v), 5) for v in means]}")
            return
        scores = [network(to_torch(levels).to(device)) for levels, _ in parts]
        labels = np.concatenate([each for _, each in parts])
        wants = (("kinds", kinds_of(labels)), ("symbols", labels[:, 0]))
        for at, (name, wanted) in enumerate(wants):
            tell_wrong(name, torch.cat([each[at] for each in scores]), wanted)


def tell_wrong(name: str, scores: torch.Tensor, wanted: np.ndarray) -> None:
    """Print how many of the classes *wanted* (n,), or UNSAID, *scores* (n, classes) miss."""
    likely = torch.softmax(scores, dim=1).cpu().numpy()
    likely, known = likely[wanted != UNSAID], wanted[wanted != UNSAID]
    wrong = likely.argmax(axis=1) != known
    sure = wrong & (likely.max(axis=1) > 0.9)
    print(f"{name}: wrong {wrong.mean():.4f}, sure and wrong {sure.mean():.4f}")


def learning_options(
    description: str | None, kinds: Iterable[str], minutes: float
) -> argparse.ArgumentParser:
    """Return the command line of what trains one of *kinds*, so many *minutes* by default."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("kind", choices=sorted(kinds))
    options.add_argument("folder", type=Path, help="the samples")
    options.add_argument("--minutes", type=float, default=minutes, help="0 only writes --start")
    options.add_argument("--start", type=Path, help="a state to go on from")
    options.add_argument("--rate", type=float, default=RATE, help="how fast to learn at most")
    options.add_argument("--state", type=Path, required=True, help="where its state is kept")
    options.add_argument("--models", type=Path, default=MODELS)
    return options


def main() -> None:
    """Train what the command line names."""
    options = learning_options(__doc__, BATCHES, 20.0)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--only-state", action="store_true", help="write no model")
    given = options.parse_args()
    torch.set_num_threads(1)
    network = train(given)
    check(network, given.kind, given.folder, given.device)
    if given.only_state:
        return
    network.to("cpu")
    model = given.models / f"card-{given.kind}.onnx"
    export(network, given.kind, model)
    quantise_trained(given.kind, given.folder, model)


if __name__ == "__main__":
    main()
