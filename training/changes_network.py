"""The network that tells how a cell has changed, as it is trained."""

from typing import Final

import torch
from torch import nn

from training.columns_network import layer
from vision.columns.change_network import CLASSES
from vision.columns.change_patches import COLUMNS, DELTAS, MARKS

COLOURS: Final = 3
WIDTHS: Final = (12, 24, 32, 48)
SPREADS: Final = (1, 3, 8)
"""How far apart what looks along a patch takes its five samples."""
HEAD: Final = 64
GAIN, LIMIT = 3.0, 2.0
"""Of the difference of both pictures: small ones count."""


class ChangesNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """From pairs (n, 2, ROWS, COLUMNS, 3) in levels and marks (n, MARKS, BINS) to CLASSES.

    Across a patch until it is a column wide, then along it beside the marks; what stands at each
    mark is read out.
    """

    def __init__(self) -> None:
        super().__init__()
        one, two, three, deep = WIDTHS
        self.across = nn.Sequential(
            *layer(3 * COLOURS, one, (5, 5), (2, 2), (2, 2), (1, 1)),
            *layer(one, two, (3, 3), (1, 2), (1, 1), (1, 1)),
            *layer(two, three, (3, 3), (1, 2), (1, 1), (1, 1)),
            *layer(three, deep, (3, COLUMNS // 8), (1, 1), (1, 0), (1, 1)),
        )
        came, along = deep + MARKS, []
        for spread in SPREADS:
            along += layer(came, deep, (5, 1), (1, 1), (2 * spread, 0), (spread, 1))
            came = deep
        self.along = nn.Sequential(*along)
        self.read = nn.Sequential(
            nn.Dropout(0.2),
            nn.Linear(deep * (len(DELTAS) + 2), HEAD),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(HEAD, CLASSES),
        )

    def forward(self, pairs: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
        """Return scores (n, CLASSES)."""
        seen = pairs.permute(0, 1, 4, 2, 3).float() / 127.5 - 1.0
        difference = torch.clamp(GAIN * (seen[:, :1] - seen[:, 1:]), -LIMIT, LIMIT)
        deep = self.across(torch.cat([seen, difference], 1).flatten(1, 2))
        deep = self.along(torch.cat([deep, marks[..., None]], 1))[..., 0]
        at = marks[:, : len(DELTAS) + 1]
        at = at / (at.sum(2, keepdim=True) + 1e-3)
        return self.read(torch.cat([(at @ deep.transpose(1, 2)).flatten(1), deep.amax(2)], 1))
