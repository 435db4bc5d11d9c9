"""How the networks of the columns are trained: by AdamW, at a rate that rises and falls once.

And how they are written for the runtime of the product.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.quantisation import quantise, take_blocks

BATCH: Final = 128
PICTURES: Final = "patches"
"""What is shown to a network under this name it takes in levels and blocks, once it is written."""
LOTS: Final = 32
LOT: Final = 32
"""So many samples are enough to know the range of what flows through a network."""


def descend(
    network: nn.Module,
    own: NDArray[np.intp],
    epochs: int,
    rate: float,
    measure_loss: Callable[[NDArray[np.intp], int], torch.Tensor],
    batch: int = BATCH,
    steepest: float = math.inf,
) -> None:
    """Train on the samples *own*, at a rate that rises to *rate* and falls again; tell how it goes.

    measure_loss: what is to become small, of the samples of one batch in an epoch.  steepest: how
    long a step's gradient may be.
    """
    steps, began = len(own) // batch, time.monotonic()
    chosen = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        chosen, rate, total_steps=epochs * steps + 1, pct_start=0.2
    )
    for epoch in range(epochs):
        network.train()
        order, total = np.random.default_rng(epoch).permutation(own), 0.0
        for start in range(0, steps * batch, batch):
            loss = measure_loss(order[start : start + batch], epoch)
            chosen.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), steepest)
            chosen.step()
            plan.step()
            total += loss.item()
        spent = time.monotonic() - began
        print(f"epoch {epoch + 1} of {epochs}: {total / steps:.4f} after {spent:.0f} s", flush=True)


def average(network: nn.Module, others: Sequence[Mapping[str, torch.Tensor]]) -> None:
    """Give the network the mean of its weights and those that other runs ended with.

    All began with the same weights, and each was shown other photographs: what a run learned of its
    photographs alone is averaged away.
    """
    own = network.state_dict()
    for name, weights in own.items():
        if weights.is_floating_point():
            weights.copy_(torch.stack([weights, *(other[name] for other in others)]).mean(dim=0))


def mix(network: nn.Module, start: Mapping[str, torch.Tensor], share: float) -> None:
    """Take the network's weights back towards those it *start*ed with, which knew other scenes.

    share: how far of the way from those to its own they are to lie.
    """
    own = network.state_dict()
    for name, weights in own.items():
        if weights.is_floating_point():
            weights.copy_(start[name].lerp(weights, share))


def in_half(wanted: bool = True) -> AbstractContextManager[None]:
    """Let networks count in half precision where that takes less time, if it is *wanted*.

    It takes two thirds of it on processors with AVX-512, and six times as long on others.
    """
    fast = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    half: AbstractContextManager[None] = torch.autocast(
        "cpu", torch.bfloat16, enabled=wanted and fast
    )
    return half


def write(
    network: nn.Module,
    path: Path,
    samples: Sequence[Mapping[str, torch.Tensor]],
    told: Sequence[str],
    eight_bits: bool = True,
) -> None:
    """Write the network as ONNX; it takes any number of columns at once.

    samples: several lots of what it is usually shown, by name.  told: the names of what it answers.
    eight_bits: whether it is to count in so many.
    """
    network.eval()
    names = list(samples[0])
    torch.onnx.export(
        network,
        tuple(samples[0].values()),
        str(path),
        opset_version=13,
        dynamo=False,
        input_names=names,
        output_names=list(told),
        dynamic_axes={name: {0: "columns"} for name in (*names, *told)},
    )
    if eight_bits:
        quantise(path, [{name: lot[name].numpy() for name in names} for lot in samples])
        if PICTURES in names:
            take_blocks(path, PICTURES)


def choose_lots(count: int) -> list[NDArray[np.intp]]:
    """Return LOTS of numbers of *count* samples, chosen at random, to show a network."""
    return [np.random.default_rng(lot).integers(0, count, LOT) for lot in range(LOTS)]
