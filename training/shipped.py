"""The weights of networks that ship, to go on learning from.

What ships has no normalising layers: each is counted into the convolution before it, which is the
same to the runtime but learns badly. `restore` puts them back, as those that change nothing, and
`renormalise` makes them normalise what they see; what the network answers stays the same all along.
"""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.quantisation import read_weights

FOLDED: Final = "onnx::"
"""How the exporter's names of weights begin that it worked out itself."""
BATCHES: Final = 40
"""So many batches of samples are enough to know what a network usually sees."""
BATCH: Final = 256


def restore(network: nn.Module, path: Path) -> None:
    """Give a network the weights in *path*, its normalising layers changing nothing.

    Raises ValueError if that is another network.
    """
    found = [(name, torch.tensor(weights)) for name, weights in read_weights(path).items()]
    own = network.state_dict()
    pairs = _normalised(network)
    folded = [weight for name, weight in found if name.startswith(FOLDED)]
    named = {name: weight for name, weight in found if not name.startswith(FOLDED)}
    fits = all(name in own and own[name].shape == weight.shape for name, weight in named.items())
    if not fits or len(folded) != 2 * len(pairs):
        raise ValueError(f"{path}: these are not the weights of {type(network).__name__}")
    for name, weight in named.items():
        own[name].copy_(weight)
    with torch.no_grad():
        folds = zip(folded[::2], folded[1::2], strict=True)
        for (convolution, layer), (weight, bias) in zip(pairs, folds, strict=True):
            convolution.weight.copy_(weight)
            layer.running_mean.zero_()
            layer.running_var.fill_(1)
            layer.weight.fill_((1 + layer.eps) ** 0.5)
            layer.bias.copy_(bias)


def renormalise(network: nn.Module, look: Callable[[NDArray[np.intp]], None], samples: int) -> None:
    """Let the normalising layers of a restored network know what they usually see.

    look: shows the network the samples with these numbers.  samples: how many there are.
    """
    layers = [layer for _, layer in _normalised(network)]
    sums = {layer: torch.zeros(3, layer.num_features, dtype=torch.float64) for layer in layers}

    def add(layer: nn.Module, given: tuple[torch.Tensor, ...], _: object) -> None:
        seen = given[0].double()
        apart = (0, 2, 3)
        sums[layer] += torch.stack(
            [seen.sum(apart), (seen**2).sum(apart), torch.ones_like(seen).sum(apart)]
        )

    network.eval()
    random = np.random.default_rng(0)
    hooks = [layer.register_forward_hook(add) for layer in layers]
    with torch.no_grad():
        for _ in range(BATCHES):
            look(random.integers(0, samples, BATCH))
    for hook in hooks:
        hook.remove()
    for layer in layers:
        total, squares, count = sums[layer]
        _normalise(layer, total / count, squares / count - (total / count) ** 2)


def _normalise(layer: nn.BatchNorm2d, mean: torch.Tensor, variance: torch.Tensor) -> None:
    """Let a layer that only adds its bias do so by way of the mean and variance that it sees."""
    variance = variance.clamp(min=1e-8)
    with torch.no_grad():
        layer.running_mean.copy_(mean)
        layer.running_var.copy_(variance)
        layer.weight.copy_((variance + layer.eps).sqrt())
        layer.bias.add_(mean)


def _normalised(network: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return all convolutions with the normalising layers after them, as they are exported."""
    rows = [list(part) for part in network.modules() if isinstance(part, nn.Sequential)]
    return [
        (convolution, layer)
        for row in rows
        for convolution, layer in pairwise(row)
        if isinstance(layer, nn.BatchNorm2d)
    ]
