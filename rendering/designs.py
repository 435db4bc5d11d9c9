"""How printers who do not exist draw their cards."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rendering.drawn import CARD_MM, OVAL_MM, STYLES, Design
from rendering.typefaces import THICKEST, Typeface, find_thickest, list_typefaces

MARGIN_MM: Final = (-0.8, 3.0)
"""How far an oval stays from its panel's edge; in print many touch it."""


def random_arrows(random: np.random.Generator) -> dict[str, float]:
    """Return how one printer draws the reverse arrows: side by side, or one after the other."""
    beside = random.random() < 0.5
    return {
        "arrow_turn_deg": float(0.0 if random.random() < 0.35 else random.uniform(15, 70)),
        "arrow_apart": float(random.uniform(0.02, 0.2) if beside else random.uniform(-0.05, 0.09)),
        "arrow_slip": float(random.uniform(-0.08, 0.12) if beside else random.uniform(0.12, 0.4)),
        "arrow_thick": float(random.uniform(0.03, 0.11)),
        "arrow_head": float(random.uniform(1.8, 3.3)),
        "arrow_point": float(random.uniform(0.18, 0.46)),
    }


def random_design(random: np.random.Generator, typefaces: Sequence[Typeface]) -> Design:
    """Return the design of a printer that does not exist, who has *typefaces*."""
    style = str(random.choice(STYLES, p=[0.46, 0.27, 0.27]))
    badge = style == "badge"
    shape = str(random.choice(["hexagon", "square", "circle"]))
    font = typefaces[int(random.integers(len(typefaces)))]
    return Design(
        style=style,
        badge=shape,
        font=font,
        bold=min(float(random.uniform(0.0, THICKEST)), find_thickest(font)),
        arrows=int(random.integers(3)),
        **random_arrows(random),
        line_thick=float(random.uniform(0.03, 0.15)),
        line_gap=float(random.uniform(0.02, 0.2)),
        mirrored=bool(random.random() < 0.5),
        lined=bool(random.random() < 0.6),
        border=float(random.uniform(2.2, 4.5)),
        symbol=float(random.uniform(17, 27) if badge else random.uniform(24, 35)),
        corner=float(random.uniform(5.5, 14.0)),
        corner_inset=float(random.uniform(6.0, 11.5)),
        ink=float(random.uniform(0.3, 1.0)),
        outline=float(random.uniform(0.3, 1.8)),
        pattern=float(random.choice([0.0, random.uniform(0.0, 0.2)])),
        tilt_deg=float(random.uniform(18, 35)),
    )


def random_print(random: np.random.Generator, lined: bool, typefaces: Sequence[Typeface]) -> Design:
    """Return a design that could be sold: all that is printed on the panel has room on it.

    lined: whether 6 and 9 are underlined.  typefaces: what it may be printed in; if there are none,
    those of this machine.
    """
    design = random_design(random, typefaces or list_typefaces())
    corner = float(random.uniform(5.5, 10.0))
    tilt = math.radians(design.tilt_deg)
    reach = math.hypot(OVAL_MM[0] / 2 * math.cos(tilt), OVAL_MM[1] / 2 * math.sin(tilt))
    room = CARD_MM[0] / 2 - design.border - random.uniform(*MARGIN_MM)
    return replace(
        design,
        lined=lined,
        corner=corner,
        corner_inset=design.border + corner / 2 + float(random.uniform(0.5, 2.0)),
        oval=float(min(1.0, room / reach)),
    )
