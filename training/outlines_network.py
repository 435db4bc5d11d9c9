"""The network that finds where the tops of columns end, as it is trained."""

from typing import Final

import torch
from torch import nn
from torch.nn import functional

from training.columns_network import COLOURS
from vision.columns.cues.outlines import COORDINATE_CHANNELS

FIRST: Final = 16
DEEP: Final = 24
LAYERS: Final = (
    (FIRST, 5, (2, 1), (1, 1)),
    (DEEP, 3, (1, 1), (1, 1)),
    (DEEP, 3, (1, 1), (1, 2)),
    (DEEP, 3, (1, 1), (2, 4)),
    (DEEP, 3, (1, 1), (4, 1)),
)
"""Channels, side, strides and spreads, over rays and along them."""
WHOLE: Final = 3
"""The layer that is told of all rays at once."""
TOLD: Final = 2


class OutlinesNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Maps the inputs of `outlines.build_inputs` to the outputs that `outlines.fit_circles` takes.

    (n, TOLD, rays, SAMPLES_PER_RAY): scores of where each ray ends, and its precision there.
    """

    def __init__(self) -> None:
        super().__init__()
        came, layers = COLOURS + COORDINATE_CHANNELS, []
        for goes, side, strides, spreads in LAYERS:
            padding = (0, spreads[1] * (side // 2))
            conv = nn.Conv2d(came, goes, side, strides, padding, spreads, bias=False)
            layers.append(nn.Sequential(conv, nn.BatchNorm2d(goes)))
            came = goes
        self.layers = nn.ModuleList(layers)
        self.whole = nn.Conv2d(DEEP, DEEP, 1)
        self.out = nn.Conv2d(DEEP, TOLD, (1, 5), padding=(0, 2))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the scores; the first ray lies next to the last."""
        for index, (layer, (_, side, _, spreads)) in enumerate(
            zip(self.layers, LAYERS, strict=True)
        ):
            beside = spreads[0] * (side // 2)
            found = layer(torch.cat([seen[:, :, -beside:], seen, seen[:, :, :beside]], dim=2))
            if index == WHOLE:
                found = found + self.whole(functional.adaptive_avg_pool2d(seen, 1))
            found = functional.relu(found)
            seen = found + seen if index > WHOLE else found
        told: torch.Tensor = self.out(seen)
        return told
