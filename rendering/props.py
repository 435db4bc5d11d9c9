"""Describe the things that lie on a table, as `shapes.py` puts them up: plain tables of a scene.

A place is where the middle of a thing's underside is, in mm of the table's frame (x right, y down,
z up); turns are clockwise as seen from above.
"""

import math
from typing import Any, Final, TypeAlias

import numpy as np

from rendering.prints import Colour, Random, hue_colour, random_hue

Thing: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[float, float, float]

CARD_MM: Final = 0.4
"""How thick a card is."""
PLAYING_CARD_MM: Final = (63.0, 88.0)


def _lie(form: str, at: Place, turn_deg: float, lean_deg: float, shine: float) -> Thing:
    """Return what all things have, whatever their form."""
    return {
        "form": form,
        "at": [float(along) for along in at],
        "turn_deg": float(turn_deg),
        "lean_deg": float(lean_deg),
        "shine": float(shine),
    }


def slab(
    print_: str, size: tuple[float, float], at: Place, turn_deg: float = 0.0, **more: Any
) -> Thing:
    """Return a card or a board with a print.

    more: thick, corner and bend_mm in mm, shine as a roughness, lean_deg.
    """
    return {
        **_lie("slab", at, turn_deg, more.get("lean_deg", 0.0), more.get("shine", 0.6)),
        "print": print_,
        "size": [*size, float(more.get("thick", CARD_MM))],
        "corner": float(more.get("corner", 3.0)),
        "bend_mm": float(more.get("bend_mm", 0.0)),
    }


def block(
    size: Place, at: Place, turn_deg: float = 0.0, shoulder: float = 0.97, **more: Any
) -> Thing:
    """Return a block with a round back, from *shoulder*, a share of its height, upwards.

    more: print or colour, back (2 for a round one, more for a flat one), shine, lean_deg.
    """
    return {
        **_lie("block", at, turn_deg, more.get("lean_deg", 0.0), more.get("shine", 0.5)),
        "size": [float(side) for side in size],
        "shoulder": float(shoulder),
        "back": float(more.get("back", 8.0)),
        **{name: more[name] for name in ("print", "colour") if name in more},
    }


def turned(
    profile: list[tuple[float, float, Colour]], at: Place, shine: float = 0.4, smooth: bool = False
) -> Thing:
    """Return what is turned on a lathe: radius, height and colour, from the foot up."""
    return {
        **_lie("turned", at, 0.0, 0.0, shine),
        "profile": [[float(radius), float(z), list(colour)] for radius, z, colour in profile],
        "smooth": smooth,
    }


def ball(size: Place, at: Place, colour: Colour, turn_deg: float = 0.0) -> Thing:
    """Return a ball with these half axes."""
    return {
        **_lie("ball", at, turn_deg, 0.0, 0.5),
        "size": [float(half) for half in size],
        "colour": list(colour),
    }


def limb(
    at: Place, turn_deg: float, start: Place, end: Place, width: tuple[float, float], colour: Colour
) -> Thing:
    """Return a limb from *start* to *end*, as seen from *at*; width: its radius at both."""
    return {
        **_lie("limb", at, turn_deg, 0.0, 0.45),
        "start": [float(along) for along in start],
        "end": [float(along) for along in end],
        "thick": float(width[0]),
        "thin": float(width[1]),
        "colour": list(colour),
    }


def pile(
    random: Random,
    prints: list[str],
    size: tuple[float, float],
    at: tuple[float, float],
    **more: Any,
) -> list[Thing]:
    """Return a pile of cards, the last of *prints* on top; all but the top lie less tidily.

    more: what `slab` takes; high: how many cards high the pile is; turn_deg: the top card's;
    untidy_deg: by how much the others are turned otherwise; strays_mm.
    """
    high, top_deg = int(more.pop("high", len(prints))), float(more.pop("turn_deg", 0.0))
    untidy_deg, strays_mm = more.pop("untidy_deg", 3.0), more.pop("strays_mm", 1.2)
    cards = []
    for level in range(high):
        last = level == high - 1
        if not last and level < high - len(prints) and random.random() < 0.5:
            continue  # the edges of some of them are enough to look at
        print_ = prints[-1] if last else prints[int(random.integers(len(prints)))]
        turn = top_deg if last else top_deg + random.normal(0, untidy_deg)
        x, y = np.array(at) + np.clip(random.normal(0, strays_mm, 2), -4, 4)
        bend = more.get("bend_mm", 0.0) if last else 0.0
        flat = {**more, "bend_mm": bend}
        cards.append(slab(print_, size, (x, y, level * CARD_MM), turn, **flat))
    return cards


def coin(random: Random, at: tuple[float, float]) -> Thing:
    """Return a coin."""
    colour = hue_colour(random.uniform(18, 45), random.uniform(0, 0.7), random.uniform(0.3, 0.8))
    radius = random.uniform(8, 13)
    rings = [(radius, 0.0, colour), (radius, 2.0, colour), (radius - 1, 2.2, colour)]
    return turned([*rings, (0.1, 2.0, colour)], (*at, 0.0), 0.3)


def cup(random: Random, at: tuple[float, float]) -> Thing:
    """Return a cup with something to drink."""
    outside = random_hue(random, (0.0, 0.9), (0.1, 0.95))
    drink = hue_colour(random.uniform(15, 40), random.uniform(0.3, 0.9), random.uniform(0.1, 0.6))
    radius, high = random.uniform(28, 42), random.uniform(60, 95)
    rings = [(radius * 0.8, 0.0, outside), (radius, 15.0, outside), (radius, high, outside)]
    inner = [(radius - 3, high, outside), (radius - 3, high - 12, drink), (0.1, high - 12, drink)]
    return turned([*rings, *inner], (*at, 0.0), smooth=True)


def pawn(random: Random, at: tuple[float, float], colour: Colour) -> Thing:
    """Return a pawn."""
    high = random.uniform(18, 26)
    rings = [(6.0, 0.0, colour), (6.0, 2.0, colour), (3.0, 0.5 * high, colour)]
    head = [(2.5, 0.65 * high, colour), (4.5, 0.8 * high, colour), (4.0, 0.95 * high, colour)]
    return turned([*rings, *head, (0.1, high, colour)], (*at, 0.8), smooth=True)


def die(random: Random, at: tuple[float, float]) -> Thing:
    """Return a die without pips."""
    side = random.uniform(12, 18)
    colour = random_hue(random, (0.0, 0.8), (0.3, 0.95))
    return block((side, side, side), (*at, 0.0), random.uniform(0, 90), colour=colour)


def phone(random: Random, at: tuple[float, float]) -> Thing:
    """Return a telephone, in whose glass a lamp may be mirrored."""
    dark = random.uniform(0.01, 0.06)
    size = (random.uniform(66, 76), random.uniform(140, 160), 8.0)
    shine = random.uniform(0.05, 0.3)
    return block(size, (*at, 0.0), random.uniform(0, 360), colour=(dark,) * 3, shine=shine)


def pencil(random: Random, at: tuple[float, float]) -> Thing:
    """Return a pencil."""
    angle, colour = random.uniform(0, math.pi), random_hue(random, (0.2, 0.9), (0.3, 0.9))
    half = np.array([math.cos(angle), math.sin(angle)]) * random.uniform(60, 90)
    start, end = (-half[0], -half[1], 3.6), (half[0], half[1], 3.6)
    return limb((*at, 0.0), 0.0, start, end, (3.6, 3.6), colour)
