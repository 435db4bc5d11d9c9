"""Patches in other colours, light and shade than they were rendered in, and as in a mirror."""

import math
from functools import cache
from typing import Final

import torch
from torch.nn import functional

from vision.columns.height_axis import INPUT_COLUMNS
from vision.columns.patches import PATCH_COLUMNS, PATCH_ROWS

SLIDE_PX: Final = 3.0
SHEAR: Final = 0.08
STRETCH: Final = 0.03
"""A patch is slid by so many rows or columns, sheared and stretched by these shares at most."""
GRAIN: Final = 14.0
"""Strongest noise, in grey levels."""
SHADED: Final = 0.25
"""Share of patches over which a shadow's edge falls."""


def mirror(patches: torch.Tensor) -> torch.Tensor:
    """Return patches (n, rows, columns, 3), every other one or so as a mirror shows it."""
    flip = torch.rand(len(patches), 1, 1, 1) < 0.5
    return torch.where(flip, patches.flip(2), patches)


def vary(patches: torch.Tensor, harsh: float = 1.0) -> torch.Tensor:
    """Return patches in other colours and light, softer; float (n, rows, columns, 3).

    harsh: what the strongest noise is multiplied by.
    """
    n = len(patches)
    varied = recolour(patches.float() / 255.0, _shade(n)) * 255.0
    soft = torch.rand(n) < 0.35
    if soft.any():
        varied[soft] = _soften(varied[soft], float(torch.rand(1)) * 0.8 + 0.3)
    return _roughen(varied, harsh * GRAIN).clamp(0, 255)


def recolour(colours: torch.Tensor, light: torch.Tensor | float = 1.0) -> torch.Tensor:
    """Return *colours* (n, rows, columns, 3) from 0 to 1 as other paints and cameras give them.

    light: by what they are multiplied besides.
    """
    n = len(colours)
    grey = colours.mean(dim=3, keepdim=True)
    # All hues turn together: no paint is known beforehand.
    angle = torch.rand(n) * 2 * math.pi * (torch.rand(n) < 0.6)
    cross = torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / math.sqrt(3.0)
    turn = angle.cos()[:, None, None] * torch.eye(3) + angle.sin()[:, None, None] * cross
    turn = turn * (0.6 + 0.8 * torch.rand(n))[:, None, None]
    chroma = torch.einsum("nrwc,ndc->nrwd", colours - grey, turn)
    gain = torch.exp(0.3 * torch.randn(n))[:, None, None, None]
    offset = 0.05 * torch.randn(n)[:, None, None, None]
    seen = ((grey + chroma) * gain * light + offset).clamp(0, 1)
    return seen ** torch.exp(0.15 * torch.randn(n))[:, None, None, None]


def _roughen(patches: torch.Tensor, grain: float) -> torch.Tensor:
    """Return patches with a sensor's noise, which a patch's rows share: they are finer than it."""
    bank = _noise(2 * patches.numel())
    start = int(torch.randint(patches.numel(), (1,)))
    noise = bank[start : start + patches.numel()].view_as(patches)
    strength = torch.rand(len(patches)) ** 2 * grain * (torch.rand(len(patches)) < 0.6)
    return patches + noise * strength[:, None, None, None]


def _soften(patches: torch.Tensor, sigma_px: float) -> torch.Tensor:
    """Return patches as a camera of fewer pixels shows them; they are finer along than across."""
    way = torch.arange(-3, 4, dtype=torch.float32)
    along = torch.exp(-0.5 * (way / (2 * sigma_px)) ** 2)
    kernel = (along / along.sum())[None, None, :, None].repeat(3, 1, 1, 1)
    seen = functional.pad(patches.permute(0, 3, 1, 2), (0, 0, 3, 3), mode="replicate")
    return functional.conv2d(seen, kernel, groups=3).permute(0, 2, 3, 1)


def _shade(n: int) -> torch.Tensor:
    """Return how much light (n, rows, columns, 1) comes past something that throws a shadow."""
    row = torch.linspace(-1, 1, PATCH_ROWS)[:, None]
    column = torch.linspace(-1, 1, INPUT_COLUMNS)[None] * (INPUT_COLUMNS * 2 / PATCH_ROWS)
    angle = torch.rand(n, 1, 1) * 2 * math.pi
    beyond = row * angle.cos() + column * angle.sin() - (torch.rand(n, 1, 1) * 1.6 - 0.8)
    sharp = torch.exp(torch.empty(n, 1, 1).uniform_(math.log(10), math.log(120)))
    dark = torch.rand(n, 1, 1) * 0.8 * (torch.rand(n, 1, 1) < SHADED)
    return (1.0 - dark * torch.sigmoid(beyond * sharp))[..., None]


@cache
def _noise(count: int) -> torch.Tensor:
    """Return noise to take parts of: to draw it anew takes longer than to learn from it."""
    noise = torch.randn(count)
    row = 3 * INPUT_COLUMNS
    noise[row:] = (noise[row:] + noise[:-row]) * math.sqrt(0.5)
    return noise


def warp(
    patches: torch.Tensor, rows: torch.Tensor, harsh: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return patches as poses a little off would cut them, and what stands in which row then.

    rows: (n, TALLEST + 1), as `Samples` has them.  harsh: what all limits are multiplied by.
    """
    n = len(patches)
    row = torch.linspace(-1, 1, PATCH_ROWS)[None, :, None]
    column = torch.linspace(-1, 1, INPUT_COLUMNS)[None, None]
    stretch, shear = (harsh * limit * _either_way(n) for limit in (STRETCH, SHEAR))
    slid, aside = (harsh * SLIDE_PX * _either_way(n) for _ in range(2))
    # A column is two rows wide.
    x = column + 2 * aside / PATCH_COLUMNS + shear * row * (PATCH_ROWS / PATCH_COLUMNS)
    y = row * (1 + stretch) + 2 * slid / PATCH_ROWS
    places = torch.stack(
        [x.expand(n, PATCH_ROWS, INPUT_COLUMNS), y.expand(n, PATCH_ROWS, INPUT_COLUMNS)], dim=3
    )
    seen = patches.permute(0, 3, 1, 2).float()
    moved = functional.grid_sample(seen, places, padding_mode="border", align_corners=True)
    middle = (PATCH_ROWS - 1) / 2
    return moved.permute(0, 2, 3, 1), (
        rows - middle - (slid * (PATCH_ROWS - 1) / PATCH_ROWS)[:, 0]
    ) / (1 + stretch[:, 0]) + middle


def _either_way(n: int) -> torch.Tensor:
    return torch.rand(n, 1, 1) * 2 - 1
