"""The shapes of pieces, as profiles to be turned around the upright axis, and their paint.

Blender's own Python imports this module: it needs nothing but the standard library.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

Colour: TypeAlias = Sequence[float]
"""Red, green, blue from 0 to 1, as printed."""
Paint: TypeAlias = Callable[[float, float], Colour]
"""The colour at an angle around a piece and a height (mm) above its foot."""
Ring: TypeAlias = tuple[float, float, float, Paint]
"""Radius and height in mm, how much the lobes show, and how it is painted."""
Traits: TypeAlias = dict[str, Any]
"""One of the ``paints`` of a scene, as `scenes.random_paints` draws them."""

DOT_ROWS_MM: Final = 5.5
TOP_MM: Final = 17.0
"""Above this, a figure shows the rays on its top."""
TOP_RADIUS_MM: Final = 12.0
PARTS: Final = 3
"""Prints need finer rings than shapes do."""


def shape_figure(looks: Traits) -> list[Ring]:
    """Return a figure of 26 mm, 22 mm tall, that nests on another of its kind.

    It is between a peg, smooth from foot to top, and a body with a brim below a smaller head.
    """
    seam = looks["seam"]
    rings = [
        (*(of + (other - of) * seam for of, other in zip(peg, bodied, strict=True)), colour)
        for peg, bodied, colour in zip(_peg(looks), _bodied(looks), _colours(looks), strict=True)
    ]
    fine: list[Ring] = []
    for (radius, z, wavy, colour), (radius1, z1, wavy1, _) in pairwise(rings):
        for step in range(PARTS):
            part = step / PARTS
            own = radius + (radius1 - radius) * part
            print_ = _print(looks, colour, own)
            fine.append((own, z + (z1 - z) * part, wavy + (wavy1 - wavy) * part, print_))
    radius, z, wavy, colour = rings[-1]
    return [*fine, (radius, z, wavy, _print(looks, colour, radius))]


def _peg(looks: Traits) -> list[tuple[float, float, float]]:
    waist, broad = looks["waist"] / 3, looks["broad"]
    top, low = looks["bulge"], looks["bulge"] * looks["fluted"]
    return [
        (12.0, 0.0, low),
        (12.4, 0.8, low),
        (12.5 * (1 + waist), 5.0, low),
        (12.6 * (1 - waist), 10.0, low),
        (12.7, 12.5, low),
        (12.8, 14.5, low),
        (12.8, 16.4, top),
        (12.7, 17.8, top),
        (12.3 * broad, 18.9, top),
        (11.3 * broad, 20.0, top / 2),
        (9.5 * broad, 20.9, 0.0),
        (5.5 * broad, 21.6, 0.0),
        (0.1, 22.0, 0.0),
    ]


def _bodied(looks: Traits) -> list[tuple[float, float, float]]:
    bulge, brim, dome, waist = looks["bulge"], looks["brim"], looks["dome"], looks["waist"]
    return [
        (10.5, 0.0, 0.0),
        (12.0, 0.8, bulge / 2),
        (12.3 * (1 + waist), 6.0, bulge / 2),
        (12.2 * (1 - waist), 10.5, bulge),
        (12.6, 12.0, bulge),
        (12.8 + 6 * brim, 13.5, bulge + brim),
        (12.5 + 6 * brim, 15.2, bulge + brim),
        (11.0, 16.4, bulge),
        (13.0 * dome, 16.8, 0.0),
        (12.6 * dome, 18.6, 0.0),
        (10.8 * dome, 20.4, 0.0),
        (6.5 * dome, 21.6, 0.0),
        (0.1, 22.0, 0.0),
    ]


def _colours(looks: Traits) -> list[Colour]:
    dim: Colour = [part * looks["dim"] for part in looks["body"]]
    return [dim] * 2 + [looks["body"]] * 2 + [looks["band"]] * 4 + [looks["head"]] * 5


def _print(looks: Traits, colour: Colour, radius: float) -> Paint:
    """Return what a figure's ring of this radius is painted like: dots all over, rays on top."""
    dots, rays = looks["dots"], looks["rays"]
    ink: Colour = looks["ink"]

    def paint(angle: float, z: float) -> Colour:
        dotted = dots and _is_dot(dots, angle, z, radius)
        rayed = rays and z > TOP_MM and _is_ray(rays, angle, radius)
        return ink if dotted or rayed else colour

    return paint


def _is_dot(dots: Traits, angle: float, z: float, radius: float) -> bool:
    """Return whether one of the dots lies there; every other row is moved by half a step."""
    row, apart = round(z / DOT_ROWS_MM), 2 * math.pi / dots["around"]
    aside = (angle / apart + 0.5 * (row % 2) + 0.5) % 1.0 - 0.5
    return math.hypot(aside * apart * radius, z - DOT_ROWS_MM * row) < float(dots["radius"])


def _is_ray(rays: Traits, angle: float, radius: float) -> bool:
    """Return whether one of the rays, which widen outwards, lies there."""
    share = float((radius / TOP_RADIUS_MM - rays["from"]) / (1.0 - rays["from"]))
    return share > 2 * abs(angle * float(rays["around"]) / (2 * math.pi) % 1.0 - 0.5)


def shape_disc(looks: Traits) -> list[Ring]:
    """Return a disc of 22 mm, 8 mm thick, with a rim or a dish on top."""
    bevel, groove = looks["bevel"], looks["groove"]
    rim = min(11.0 * looks["rim"], 10.9 - bevel)

    body: Colour = looks["body"]

    def plain(_angle: float, _z: float) -> Colour:
        return body

    rings = (
        (11.0 - bevel * 0.6, 0.0),
        (11.0, bevel * 0.6),
        (11.0, 8.0 - bevel),
        (11.0 - bevel * 0.3, 8.0 - bevel * 0.3),
        (11.0 - bevel, 8.0),
        (rim, 8.0),
        (rim - 0.4, 8.0 - 0.5 * groove),
        (0.1, 8.0 - 0.5 * groove),
    )
    return [(radius, z, 0.0, plain) for radius, z in rings]
