"""The networks that find where shadows end and compare them, as they are trained."""

from typing import Final

import torch
from torch import nn

from training.columns_network import COLOURS, layer
from vision.columns.cues.shadow_comparison import CONTEXT_LEVELS, FEATURES, PLACES, SUMMARY
from vision.columns.cues.shadow_patches import MASKS
from vision.columns.grid import TALLEST

FIRST: Final = 16
DEEP: Final = 48
ALONG: Final = (1, 2, 4, 8)
"""How far apart what looks along a patch takes its five samples."""
COMPARED: Final = 64
"""How many features of shadows are compared."""


class ShadowsNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """From patches (n, COLOURS, rows, columns), masks and marks: see `ShadowPatches`.

    To ends (n, FEATURES, BINS, 1): scores of where a shadow ends, and traits of each place.
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
        self.out = nn.Conv2d(DEEP, FEATURES, (5, 1), padding=(2, 0))

    def forward(
        self, patches: torch.Tensor, masks: torch.Tensor, marks: torch.Tensor
    ) -> torch.Tensor:
        """Return scores and traits of all places; marks: (n, TALLEST, BINS, 1)."""
        seen = self.across(torch.cat([self.first(patches), masks], dim=1))
        ends: torch.Tensor = self.out(self.along(torch.cat([seen, marks], dim=1)))
        return ends


class ComparisonNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """From signs (n, FEATURES + 1, TALLEST, 1) and known (n, SUMMARY, 1, 1) to scores of heights.

    The inputs are those of `build_comparison_inputs`, the scores (n, 1, TALLEST, 1).
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Conv2d(FEATURES + 1, COMPARED, (PLACES, 1), padding=(CONTEXT_LEVELS, 0))
        self.alike = nn.Conv2d(FEATURES + 1, COMPARED, (PLACES, 1), padding=(CONTEXT_LEVELS, 0))
        self.known = nn.Conv2d(SUMMARY, COMPARED, 1)
        self.asked = nn.Conv2d(SUMMARY, COMPARED, 1)
        self.deep = nn.Sequential(nn.ReLU(), nn.Conv2d(COMPARED, COMPARED, 1), nn.ReLU())
        self.out = nn.Conv2d(COMPARED, 1, 1)
        self.scores = nn.Conv2d(FEATURES + 1, 1, 1)

    def forward(self, signs: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        """Return the scores."""
        both = self.seen(signs) + self.known(known) + self.alike(signs) * self.asked(known)
        told: torch.Tensor = self.out(self.deep(both)) + self.scores(signs)
        return told


class ShadowReader(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Both networks, which are trained as one."""

    def __init__(self) -> None:
        super().__init__()
        self.shadows, self.comparison = ShadowsNetwork(), ComparisonNetwork()
