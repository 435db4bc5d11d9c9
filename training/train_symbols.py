"""Train the network that names symbols, from drawn cards only.

Needs torch and onnx, which the product does not: `python -m training.train_symbols`.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from rendering.designs import random_design, random_print
from rendering.drawn import (
    CARD_MM,
    COLOURS,
    LINED,
    NO_SYMBOLS,
    PX_PER_MM,
    WHITE,
    Colour,
    Design,
    draw_card,
)
from rendering.typefaces import THICKEST, Typeface, list_typefaces, list_unlearned
from training.card_networks import Residual, convolve
from training.quantisation import quantise
from vision.cards.card_crop import (
    CENTRE_SYMBOL_MM,
    CORNER_SYMBOL_INSET_MM,
    CORNER_SYMBOL_MM,
)
from vision.cards.symbols import (
    MAX_INPUT,
    MIN_INPUT,
    MODEL,
    NINE,
    OTHER,
    PATCH_PX,
    SIX,
    SYMBOLS,
)

MIDDLES: Final = 3
CORNERS: Final = 2
"""How many patches are cut from each drawn card."""
COVERED: Final = 0.12
AS_SOLD: Final = 0.5
"""The share of cards on which all has room that is printed; corners are small and near the edge."""
FAINT: Final = 0.25
"""How often white strokes are so halve_width or so dim that they are grey."""
CLOSING: Final = 0.3
"""The share of cards to learn from whose 5 may have closed, and then looks like a 6 with a flat
top: what may be either should be neither."""
PARTS: Final = 2
"""In how many processes cards are drawn, each from a seed of its own."""
BATCH: Final = 256
RATE: Final = 3e-3
"""How many patches a step is told from, and how large the largest steps are."""
SHOWN, LOTS = 3000, 20
"""How many patches show what flows in the network, before it counts in eight bits, in how many
lots."""
ASKED, TOLD = "patch", "scores"
NAMES: Final = (*"0123456789", "skip", "reverse")


def label_of(symbol: str, design: Design, upside_down: bool) -> str:
    """Return what the network should say to this symbol."""
    if symbol in NO_SYMBOLS:
        return OTHER
    if symbol in LINED and not design.lined:
        return SIX if (symbol == "6") != upside_down else NINE
    return symbol


def crop_template(
    pale: NDArray[np.float32],
    at_mm: tuple[float, float],
    side_mm: float,
    random: np.random.Generator,
) -> NDArray[np.float32]:
    """Return a square of the card as a camera might show it, a little askew."""
    turn, shear = random.normal(0, 2.5, 2) * np.pi / 180
    scale = PATCH_PX / (side_mm * PX_PER_MM) * random.uniform(0.9, 1.1)
    stretch = random.uniform(0.95, 1.05)
    linear = scale * np.array(
        [
            [stretch * np.cos(turn), -np.sin(turn + shear)],
            [np.sin(turn), np.cos(turn + shear) / stretch],
        ]
    )
    middle = np.array(at_mm) * PX_PER_MM + random.normal(0, 0.025 * side_mm * PX_PER_MM, 2)
    shift = np.array([PATCH_PX / 2, PATCH_PX / 2]) - linear @ middle
    soft = cv2.GaussianBlur(pale, (0, 0), 0.4 / scale)
    patch = cv2.warpAffine(
        soft,
        np.column_stack([linear, shift]),
        (PATCH_PX, PATCH_PX),
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(patch, np.float32)


def cover(patch: NDArray[np.float32], random: np.random.Generator) -> NDArray[np.float32]:
    """Return the patch with a finger, a sleeve or another card over its middle."""
    mask = np.zeros(patch.shape, np.uint8)
    half = PATCH_PX / 2
    to = half + random.normal(0, 3.0, 2)
    angle = random.uniform(0, 2 * np.pi)
    start = to + 60 * np.array([np.cos(angle), np.sin(angle)])
    ends = [tuple(int(v) for v in point) for point in (start, to)]
    cv2.line(mask, ends[0], ends[1], 1, int(random.integers(8, 22)))
    fill = random.uniform(-0.2, 1.0) + random.normal(0, 0.05, patch.shape)
    return np.where(mask > 0, fill, patch).astype(np.float32)


def wear(patch: NDArray[np.float32], random: np.random.Generator) -> NDArray[np.float32]:
    """Return the patch under another lamp, blurred, noisy and scratched."""
    if random.random() < 0.6:
        patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), random.uniform(0.3, 1.6)), np.float32)
    if random.random() < 0.15:
        length = int(random.integers(2, 4))
        patch = np.asarray(cv2.blur(patch, (length, 1)), np.float32)
    rows, columns = np.indices(patch.shape) / PATCH_PX - 0.5
    slope = random.normal(0, 0.12, 2)
    pale = random.uniform(0.45, 0.85) if random.random() < FAINT else random.uniform(0.82, 1.12)
    patch = patch * (pale + slope[0] * rows + slope[1] * columns)
    patch = patch + random.normal(0, 0.06)
    if random.random() < 0.3:  # a lamp mirrored in the varnish
        at = random.uniform(-0.5, 0.5, 2)
        glare = np.exp(-((rows - at[0]) ** 2 + (columns - at[1]) ** 2) / random.uniform(0.02, 0.2))
        patch = patch + random.uniform(0, 0.4) * glare
    if random.random() < 0.2:
        scratch = np.zeros(patch.shape, np.float32)
        ends = random.integers(0, PATCH_PX, 4)
        cv2.line(scratch, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])), 1.0, 1)
        patch = patch + random.uniform(-0.4, 0.4) * scratch
    noise = random.normal(0, random.uniform(0.0, 0.09), patch.shape)
    return np.clip(patch + noise, MIN_INPUT, MAX_INPUT).astype(np.float32)


def make_samples(
    count: int, seed: int, typefaces: Sequence[Typeface], closing: float = 0.0
) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
    """Return patches (n, 40, 40) and their classes (n,) from *count* drawn cards.

    closing: the share whose strokes may be so thick that what is open closes.
    """
    random = np.random.default_rng(seed)
    panels: list[Colour] = [*COLOURS.values(), (225, 130, 35), (225, 100, 170), (80, 50, 150)]
    patches, labels = [], []
    for _ in range(count):
        design = random_design(random, typefaces)
        if random.random() < AS_SOLD:
            design = random_print(random, design.lined, typefaces)
        if random.random() < closing:
            design = replace(design, bold=float(random.uniform(0.0, THICKEST)))
        symbol = str(random.choice([*NAMES, *LINED, *LINED, *NO_SYMBOLS]))
        upside_down = bool(random.random() < 0.5)
        colour = panels[int(random.integers(len(panels)))]
        card = draw_card(symbol, colour, design, random, random.random() < 0.3, upside_down)
        low = min(colour)
        pale = (card.min(axis=2).astype(np.float32) - low) / (min(WHITE) - low)
        middle = (CARD_MM[0] / 2, CARD_MM[1] / 2)
        corner = (
            CORNER_SYMBOL_INSET_MM + CORNER_SYMBOL_MM / 2,
            CORNER_SYMBOL_INSET_MM + CORNER_SYMBOL_MM / 2,
        )
        cuts = [(middle, CENTRE_SYMBOL_MM, upside_down)] * MIDDLES + [
            (corner, CORNER_SYMBOL_MM, False)
        ] * CORNERS
        for at, side, turned in cuts:
            patch, label = crop_template(pale, at, side, random), label_of(symbol, design, turned)
            if random.random() < COVERED:
                patch, label = cover(patch, random), OTHER
            patches.append(wear(patch, random).astype(np.float16))
            labels.append(SYMBOLS.index(label))
    return np.stack(patches), np.array(labels, np.int64)


def make_network() -> nn.Module:
    """Return an untrained network: eight convolutions and two full layers."""
    convolution, normed, rectified = convolve(1, 16)
    return nn.Sequential(
        convolution,
        normed,
        # Pooled first, which comes to the same: what is pooled after it would be counted in eight
        # bits, pixel by pixel.
        nn.MaxPool2d(2),
        rectified,
        *convolve(16, 32),
        nn.MaxPool2d(2),
        *convolve(32, 64),
        Residual(64),
        nn.MaxPool2d(2),
        *convolve(64, 96),
        Residual(96),
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Linear(96 * 25, 128),
        nn.ReLU(),
        nn.Dropout(0.2),
        nn.Linear(128, len(SYMBOLS)),
    )


def draw_samples(
    cards: int, typefaces: Sequence[Typeface]
) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
    """Return what `make_samples` does, drawn in PARTS at once."""
    with ProcessPoolExecutor(PARTS) as pool:
        each = [
            pool.submit(make_samples, cards // PARTS, 1 + at, typefaces, CLOSING)
            for at in range(PARTS)
        ]
        patches, labels = zip(*(part.result() for part in each), strict=True)
    return np.concatenate(patches), np.concatenate(labels)


def train(cards: int, epochs: int, model: Path, folder: Path) -> None:
    """Train and save the network as ONNX, printing how often it errs on cards it never saw.

    folder: where fetched typefaces are.
    """
    torch.manual_seed(1)
    patches, labels = draw_samples(cards, list_typefaces(folder))
    network = make_network()
    learn(network, patches, labels, epochs)
    check(network, "typefaces of this machine", list_typefaces())
    check(network, "typefaces not learned from", list_unlearned(folder))
    export(network, model)
    shown = np.array_split(patches[torch.randperm(len(labels)).numpy()[:SHOWN]], LOTS)
    quantise(model, [{ASKED: lot.astype(np.float32)[:, None]} for lot in shown])


def learn(
    network: nn.Module, patches: NDArray[np.float16], labels: NDArray[np.int64], epochs: int
) -> None:
    """Let *network* learn the classes (n,) of *patches* (n, 40, 40)."""
    network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE / 2, weight_decay=1e-3)
    steps = epochs * (len(labels) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1)
    judge = nn.CrossEntropyLoss(label_smoothing=0.02)
    inputs, wanted = torch.from_numpy(patches), torch.from_numpy(labels)
    for epoch in range(epochs):
        network.train()
        order = torch.randperm(len(labels))
        for start in range(0, len(labels) - BATCH + 1, BATCH):
            some = order[start : start + BATCH]
            seen = inputs[some].float()[:, None].contiguous(memory_format=torch.channels_last)
            # Half as long as with all 32 bits, on processors that can.
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores = network(seen)
            loss = judge(scores.float(), wanted[some])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}", flush=True)
    network.eval().to(memory_format=torch.contiguous_format)


def export(network: nn.Module, model: Path) -> None:
    """Write *network* to the ONNX file *model*."""
    model.parent.mkdir(exist_ok=True)
    example = torch.zeros(1, 1, PATCH_PX, PATCH_PX)
    torch.onnx.export(
        network,
        (example,),
        str(model),
        input_names=[ASKED],
        output_names=[TOLD],
        dynamic_axes={ASKED: {0: "n"}, TOLD: {0: "n"}},
        opset_version=13,
        dynamo=False,
    )


def check(network: nn.Module, what: str, typefaces: Sequence[Typeface]) -> None:
    """Print how often *network* is wrong and how often it is sure and wrong."""
    patches, labels = make_samples(2000, 2, typefaces)
    with torch.no_grad():
        scores = network(torch.from_numpy(patches).float()[:, None])
        likely = torch.softmax(scores, dim=1).numpy()
    best = likely.argmax(axis=1)
    wrong = best != labels
    sure = wrong & (likely.max(axis=1) > 0.9) & (best != SYMBOLS.index(OTHER))
    print(f"{what}: wrong {wrong.mean():.4f}, sure and wrong {sure.mean():.4f}")


def main() -> None:
    """Train with the sizes of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cards", type=int, default=120000)
    options.add_argument("--epochs", type=int, default=12)
    options.add_argument("--model", type=Path, default=MODEL)
    options.add_argument("folder", type=Path, help="what `typefaces` has fetched")
    chosen = options.parse_args()
    train(chosen.cards, chosen.epochs, chosen.model, chosen.folder)


if __name__ == "__main__":
    main()
