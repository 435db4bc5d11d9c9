"""Simulated sweeps: what a reader may say of a hand over the pictures of a moving phone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.sweep_registration import Sighting

Name = tuple[str, str]
SIZE: Final = (1280, 960)
INDEX_MM: Final = 8.5
COLOURS: Final = ("red", "yellow", "green", "blue")
SYMBOLS: Final = (*"0123456789", "skip", "reverse")


@dataclass(frozen=True)
class Faults:
    """How often, of one card in one picture: it is hidden, unnamed, or named wrongly."""

    hidden: float = 0.15
    unnamed: float = 0.2
    wrong: float = 0.02


def deal(random: np.random.Generator, count: int) -> list[Name]:
    """Return *count* cards, of each at most two."""
    hand: list[Name] = []
    while len(hand) < count:
        card = str(random.choice(COLOURS)), str(random.choice(SYMBOLS))
        if hand.count(card) < 2:
            hand.append(card)
    return hand


def lay(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return where the indices (count, 2) of a fan are, in mm."""
    radius = random.uniform(120, 200)
    turns = (np.arange(count) - (count - 1) / 2) * random.uniform(18, 28) / radius
    at = radius * np.column_stack([np.sin(turns), -np.cos(turns)])
    return np.asarray(at + random.normal(0, 1.0, at.shape))


def look(
    random: np.random.Generator, places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Return where *places* are in a picture of a phone that is held somehow, and its scale.

    In pixels, and pixels per mm.
    """
    turn, tilt = random.normal(0, 0.15), random.normal(0, 0.3, 2)
    cos, sin = np.cos(turn), np.sin(turn)
    flat = (places - places.mean(axis=0)) @ np.array([[cos, sin], [-sin, cos]])
    depth = 1 + flat @ tilt / random.uniform(250, 400)
    scale = random.uniform(4.5, 7.0)
    middle = np.array(SIZE) / 2 + random.normal(0, [220, 60], 2)
    return np.asarray(middle + scale * flat / depth[:, None]), scale


def see(
    random: np.random.Generator, hand: Sequence[Name], places: NDArray[np.float64], faults: Faults
) -> list[Sighting]:
    """Return what a reader says of one picture of *hand*."""
    cards = []
    at_px, px_per_mm = look(random, places)
    size_px = INDEX_MM * px_per_mm
    for name, at in zip(hand, at_px, strict=True):
        inside = bool((at > 20).all() and (at < np.array(SIZE) - 20).all())
        if not inside or random.random() < faults.hidden:
            continue
        said: Name | None = name
        if random.random() < faults.unnamed:
            said = None
        elif random.random() < faults.wrong:
            said = deal(random, 1)[0]
        x, y = at + random.normal(0, 3.0, 2)
        cards.append(Sighting(said, random.uniform(0.8, 0.99) if said else 0.0, (x, y), size_px))
    order = random.permutation(len(cards))
    return [cards[number] for number in order]


def pictures(
    random: np.random.Generator, hand: Sequence[Name], count: int, faults: Faults
) -> Iterator[list[Sighting]]:
    """Yield what a reader says of *count* pictures of *hand*."""
    places = lay(random, len(hand))
    for _ in range(count):
        yield see(random, hand, places, faults)
