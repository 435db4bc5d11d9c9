"""The networks that locate a photographed card and tell what it is, before they learn anything."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import nn
from torch.nn import functional

from vision.cards.card_kinds import CARD_SYMBOLS, KINDS

WIDTHS: Final = (32, 64, 96, 96)
"""Channels at a quarter, an eighth, ... and a thirty-second of the picture's side."""
MAPS: Final = 3
"""Corners of one diagonal, of the other, and the card."""
INDEX_WIDTHS, INDEX_MAPS = (24, 40, 48, 48), 4
"""The same where indices are located: index, the way to its card's middle, and the cards."""

MIDDLE: Final = (3, 2)
"""How many of the last rows and columns, of CELLS, are beside the card's middle."""
CELLS: Final = (11, 7)
"""Rows and columns that a crop has in the last layers."""
PLACED, JOINED = 40, 192
"""Channels of what is looked at place by place, and what all places are joined to."""


class Residual(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Two convolutions that only add to what they are given."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self._added = nn.Sequential(
            *convolve(channels, channels),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """Return what is *given* and what is added."""
        return torch.relu(given + self._added(given))


def convolve(inside: int, outside: int, stride: int = 1, side: int = 3) -> list[nn.Module]:
    """Return a convolution of *side* x *side*, normalised and rectified."""
    convolution = nn.Conv2d(inside, outside, side, stride, padding=side // 2, bias=False)
    return [convolution, nn.BatchNorm2d(outside), nn.ReLU()]


class CornerNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Maps of what is looked for at a quarter of the picture's side.

    Takes levels (n, 3, rows, columns), 0 to 255, as any number.
    """

    def __init__(self, widths: Sequence[int] = WIDTHS, maps: int = MAPS) -> None:
        super().__init__()
        quarter, *others = widths
        self._stem = nn.Sequential(*convolve(3, quarter, 4, side=7))
        self._quarter = nn.Sequential(*convolve(quarter, quarter))
        narrow = (quarter, *others)
        self._down = nn.ModuleList(
            nn.Sequential(*convolve(a, b, 2), Residual(b), Residual(b))
            for a, b in zip(narrow, others, strict=False)
        )
        self._across = nn.ModuleList(
            nn.Conv2d(b, a, 1, bias=False) for a, b in zip(narrow, others, strict=False)
        )
        self._up = nn.ModuleList(nn.Sequential(*convolve(a, a)) for a in narrow[:-1])
        self._told = nn.Sequential(*convolve(quarter, quarter), nn.Conv2d(quarter, maps, 1))

    def forward(self, levels: torch.Tensor) -> torch.Tensor:
        """Return logits (n, maps, rows / 4, columns / 4)."""
        seen = self._quarter(self._stem(levels.float() / 64.0 - 2.0))
        kept = [seen]
        for down in self._down:
            seen = down(seen)
            kept.append(seen)
        for number in reversed(range(len(self._down))):
            grown = functional.interpolate(self._across[number](seen), scale_factor=2.0)
            seen = self._up[number](kept[number] + grown)
        return self._told(seen)


class SymbolNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Scores of a card's kinds and symbols.  Takes levels (n, 3, rows, columns), 0 to 255."""

    def __init__(self) -> None:
        super().__init__()
        self._seen = nn.Sequential(
            *convolve(3, 24, 2, side=5),
            *convolve(24, 48, 2),
            *convolve(48, 64, 2),
            Residual(64),
            Residual(64),
            *convolve(64, 96, 2),
            Residual(96),
            Residual(96),
        )
        # Symbols are always in the same places, so that each place has weights of its own.
        self._placed = nn.Sequential(*convolve(96, PLACED, side=1))
        self._joined = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(CELLS[0] * CELLS[1] * PLACED, JOINED), nn.ReLU()
        )
        told = 3 * 96 + JOINED
        self._kinds = nn.Sequential(nn.Dropout(0.2), nn.Linear(told, len(KINDS)))
        self._symbols = nn.Sequential(nn.Dropout(0.2), nn.Linear(told, len(CARD_SYMBOLS)))

    def forward(self, levels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (n, kinds) and (n, symbols)."""
        seen = self._seen(levels.float() / 64.0 - 2.0)
        middle = seen[:, :, MIDDLE[0] : -MIDDLE[0], MIDDLE[1] : -MIDDLE[1]]
        pooled = [seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3)), middle.mean(dim=(2, 3))]
        joined = self._joined(self._placed(seen).flatten(1))
        told = torch.cat([*pooled, joined], dim=1)
        return self._kinds(told), self._symbols(told)


class IndexNetwork(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Scores of the kind and the symbol of an index.  Takes levels (n, 3, side, side), 0 to 255."""

    def __init__(self) -> None:
        super().__init__()
        self._seen = nn.Sequential(
            *convolve(3, 24, 2, side=5),
            *convolve(24, 40, 2),
            Residual(40),
            Residual(40),
            *convolve(40, 56, 2),
            Residual(56),
            Residual(56),
            *convolve(56, 24, side=1),
        )
        self._joined = nn.Sequential(nn.Dropout(0.1), nn.Linear(24 * 6 * 6, 96), nn.ReLU())
        self._kinds = nn.Sequential(nn.Dropout(0.1), nn.Linear(96, len(KINDS)))
        self._symbols = nn.Sequential(nn.Dropout(0.1), nn.Linear(96, len(CARD_SYMBOLS)))

    def forward(self, levels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (n, kinds) and (n, symbols)."""
        joined = self._joined(self._seen(levels.float() / 64.0 - 2.0).flatten(1))
        return self._kinds(joined), self._symbols(joined)
