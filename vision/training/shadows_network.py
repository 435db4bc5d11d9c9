"""The network that finds where shadows end, as it is trained."""

from typing import Final

import torch
from torch import nn

from vision.grid import TALLEST
from vision.shadows import MASKS
from vision.training.columns_network import COLOURS, layer

FIRST: Final = 16
DEEP: Final = 48
ALONG: Final = (1, 2, 4, 8)
"""How far apart what looks along a patch takes its five samples."""


class ShadowsNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """From patches (n, COLOURS, LONG_PX, WIDE_PX), masks and marks, as `Shades` has them.

    To ends (n, 1, BINS, 1): scores of where a shadow ends.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(*layer(COLOURS, FIRST, (5, 5), (2, 2), (2, 2), (1, 1)))
        self.across = nn.Sequential(
            *layer(FIRST + MASKS, 32, (3, 3), (1, 2), (1, 1), (1, 1)),
            *layer(32, 32, (3, 3), (1, 2), (1, 1), (1, 1)),
            *layer(32, DEEP, (3, 3), (1, 1), (1, 0), (1, 1)),
        )
        came, along = DEEP + TALLEST, []
        for spread in ALONG:
            along += layer(came, DEEP, (5, 1), (1, 1), (2 * spread, 0), (spread, 1))
            came = DEEP
        self.along = nn.Sequential(*along)
        self.out = nn.Conv2d(DEEP, 1, (5, 1), padding=(2, 0))

    def forward(
        self, patches: torch.Tensor, masks: torch.Tensor, marks: torch.Tensor
    ) -> torch.Tensor:
        """Return scores of where shadows end; marks: (n, TALLEST, BINS, 1)."""
        seen = self.across(torch.cat([self.first(patches), masks], dim=1))
        ends: torch.Tensor = self.out(self.along(torch.cat([seen, marks], dim=1)))
        return ends
