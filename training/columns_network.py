"""The network that finds feet and tops of columns, as it is trained."""

from typing import Final

import torch
from torch import nn

from vision.columns.height_axis import AXIS_ROWS, BINS
from vision.columns.heights import CLASSES

COLOURS: Final = 3
DEEP: Final = 48
ACROSS: Final = (
    (16, (5, 5), (2, 2), (2, 2)),
    (32, (3, 3), (1, 2), (1, 1)),
    (32, (3, 3), (1, 2), (1, 1)),
    (DEEP, (3, 3), (1, 1), (1, 0)),
)
"""Channels, sides, strides and padding of what looks across a patch until it is a column wide."""
ALONG: Final = (2, 4, 8)
"""How far apart what looks along it, with the height axis, takes its five samples."""


class Network(nn.Module):  # type: ignore[misc]  # torch has no types here
    """From patches (n, COLOURS, PATCH_ROWS, INPUT_COLUMNS) and height axes (n, AXIS_ROWS, BINS, 1).

    To rows (n, 3, BINS, 1) and kinds (n, CLASSES).
    """

    def __init__(self) -> None:
        super().__init__()
        came, across = COLOURS, []
        for goes, side, stride, padding in ACROSS:
            across += layer(came, goes, side, stride, padding, (1, 1))
            came = goes
        self.across = nn.Sequential(*across)
        came, along = DEEP + AXIS_ROWS, []
        for spread in ALONG:
            along += layer(came, DEEP, (5, 1), (1, 1), (2 * spread, 0), (spread, 1))
            came = DEEP
        self.along = nn.Sequential(*along)
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

    def forward(
        self, patches: torch.Tensor, height_axis: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores of rows and of kinds."""
        deep = self.along(torch.cat([self.across(patches), height_axis], dim=1))
        return self.rows(deep), self.kind(deep)


def layer(
    came: int,
    goes: int,
    side: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
    spread: tuple[int, int],
) -> list[nn.Module]:
    """Return a convolution from *came* to *goes* channels, and what makes it learn well."""
    conv = nn.Conv2d(came, goes, side, stride, padding, spread, bias=False)
    return [conv, nn.BatchNorm2d(goes), nn.ReLU()]
