"""Patches in other colours, light and shade than they were rendered in."""

import math
from typing import Final

import torch
from torch.nn import functional

from vision.heights import SEEN_PX
from vision.spots import LONG_PX

SLIDE_PX: Final = 2
SHADED: Final = 0.25
"""Share of patches over which a shadow's edge falls."""


def vary(patches: torch.Tensor) -> torch.Tensor:
    """Return patches in other colours and light, mirrored, softer; float (n, rows, columns, 3)."""
    n = len(patches)
    varied = patches.float() / 255.0
    flip = torch.rand(n) < 0.5
    varied[flip] = varied[flip].flip(2)
    grey = varied.mean(dim=3, keepdim=True)
    # All hues turn together: no paint is known beforehand.
    angle = torch.rand(n) * 2 * math.pi * (torch.rand(n) < 0.6)
    cross = torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / math.sqrt(3.0)
    turn = angle.cos()[:, None, None] * torch.eye(3) + angle.sin()[:, None, None] * cross
    turn = turn * (0.6 + 0.8 * torch.rand(n))[:, None, None]
    chroma = torch.einsum("nrwc,ndc->nrwd", varied - grey, turn)
    gain = torch.exp(0.3 * torch.randn(n))[:, None, None, None]
    offset = 0.05 * torch.randn(n)[:, None, None, None]
    varied = ((grey + chroma) * gain * _shade(n) + offset).clamp(0, 1) * 255.0
    soft = torch.rand(n) < 0.35
    if soft.any():
        varied[soft] = _soften(varied[soft], float(torch.rand(1)) * 0.8 + 0.3)
    return varied


def _soften(patches: torch.Tensor, sigma_px: float) -> torch.Tensor:
    """Return patches as a camera of fewer pixels shows them; they are finer along than across."""
    way = torch.arange(-3, 4, dtype=torch.float32)
    along = torch.exp(-0.5 * (way / (2 * sigma_px)) ** 2)
    kernel = (along / along.sum())[None, None, :, None].repeat(3, 1, 1, 1)
    seen = functional.pad(patches.permute(0, 3, 1, 2), (0, 0, 3, 3), mode="replicate")
    return functional.conv2d(seen, kernel, groups=3).permute(0, 2, 3, 1)


def _shade(n: int) -> torch.Tensor:
    """Return how much light (n, rows, columns, 1) comes past something that throws a shadow."""
    row = torch.linspace(-1, 1, LONG_PX)[:, None]
    column = torch.linspace(-1, 1, SEEN_PX)[None] * (SEEN_PX * 2 / LONG_PX)
    angle = torch.rand(n, 1, 1) * 2 * math.pi
    beyond = row * angle.cos() + column * angle.sin() - (torch.rand(n, 1, 1) * 1.6 - 0.8)
    sharp = torch.exp(torch.empty(n, 1, 1).uniform_(math.log(10), math.log(120)))
    dark = torch.rand(n, 1, 1) * 0.8 * (torch.rand(n, 1, 1) < SHADED)
    return (1.0 - dark * torch.sigmoid(beyond * sharp))[..., None]


def slide(patches: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return all patches moved along by the same few rows, and what stands in which row then."""
    step = int(torch.randint(-SLIDE_PX, SLIDE_PX + 1, (1,)))
    moved = torch.roll(patches, step, dims=1)
    if step > 0:
        moved[:, :step] = patches[:, :1]
    elif step < 0:
        moved[:, step:] = patches[:, -1:]
    return moved, rows + step
