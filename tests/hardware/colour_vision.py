"""How people with each kind of colour vision see a light, and how far apart two lights look.

Simulation: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A Physiologically-based Model for
Simulation of Color Vision Deficiency, IEEE TVCG 15(6), 2009, the matrices of full severity, applied
to linear RGB.  Distance: CIEDE2000, G. Sharma, W. Wu, E. N. Dalal, Color Research & Application
30(1), 2005.  White is a light at full; what an LED gives off is in proportion to its level.
"""

import math

from hardware.lights import FULL

Lab = tuple[float, float, float]
Linear = tuple[float, float, float]

VISIONS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = (  # linear sRGB, D65; rows are divided by the white point's X, Y and Z
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)


def linear(screen: str) -> Linear:
    """Return a colour of a page, such as #ff8000, as the light that a screen gives off.

    >>> linear("#ff8000")
    (255.0, 55.0..., 0.0)
    """
    levels = (int(screen[at : at + 2], 16) / FULL for at in (1, 3, 5))
    red, green, blue = (
        FULL * (level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4)
        for level in levels
    )
    return (red, green, blue)


def multiply(matrix: tuple[Linear, ...], vector: Linear) -> Linear:
    """Return *matrix* times *vector*."""
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return (x, y, z)


def luminance(colour: Linear) -> float:
    """Return how bright a light is, its colour removed: 0 dark, 1 full white."""
    red, green, blue = (level / FULL for level in colour)
    return multiply(TO_XYZ, (red, green, blue))[1]


def seen_as(colour: Linear, vision: str) -> Lab:
    """Return what a light looks like to somebody with that *vision*, in CIELAB."""
    red, green, blue = (level / FULL for level in colour)
    seen = multiply(VISIONS[vision], (red, green, blue))
    red, green, blue = (min(1.0, max(0.0, level)) for level in seen)
    x, y, z = (_curve(value) for value in multiply(TO_XYZ, (red, green, blue)))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def _curve(value: float) -> float:
    return value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29


def ciede2000(one: Lab, other: Lab) -> float:
    """Return how far apart two colours look; about 1 can just be seen side by side."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    c1, c2 = math.hypot((1 + g) * a1, b1), math.hypot((1 + g) * a2, b2)
    h1 = math.degrees(math.atan2(b1, (1 + g) * a1)) % 360
    h2 = math.degrees(math.atan2(b2, (1 + g) * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    mean_l, mean_cc = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    t = 1 + sum(
        weight * math.cos(math.radians(times * mean_h + shift))
        for weight, times, shift in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    )
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    sc, sh = 1 + 0.045 * mean_cc, 1 + 0.015 * mean_cc * t
    rc = 2 * math.sqrt(mean_cc**7 / (mean_cc**7 + 25**7))
    rt = -rc * math.sin(math.radians(60 * math.exp(-(((mean_h - 275) / 25) ** 2))))
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dh /= sh
    return math.sqrt(dl * dl + dc * dc + dh * dh + rt * dc * dh)
