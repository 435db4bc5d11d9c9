"""The idol of UNO Tiki, as a toy maker who does not exist would build it."""

import math
from collections.abc import Mapping
from typing import Any, Final

from rendering.prints import Random, hue_colour, random_hue
from rendering.props import Thing, ball, block, limb, slab, turned
from vision.cards.layout import Idol

TIP: Final = 4.0
"""How thick the pointing finger is at its end."""
APART_DEG: Final = (90.0, 270.0)
"""How far the arm's hue is from the body's."""


def random_idol(random: Random) -> dict[str, Any]:
    """Return how one idol looks: colours, and where its arm is, in mm and degrees."""
    hue = random.uniform(0, 360)
    own = hue + random.uniform(*APART_DEG)
    return {
        "foot": hue_colour(hue, random.uniform(0.1, 0.8), random.uniform(0.2, 0.6)),
        "body": hue_colour(hue, random.uniform(0.2, 0.8), random.uniform(0.25, 0.7)),
        "arm": hue_colour(own, random.uniform(0.65, 0.95), random.uniform(0.6, 0.95)),
        "trim": random_hue(random, (0.0, 0.9), (0.3, 0.95)),
        "arm_z": float(random.uniform(26, 32)),
        "beside_mm": float(random.uniform(0.5, 4.0)),
        "high": float(random.uniform(52, 68)),
        "broad": float(random.uniform(30, 38)),
        "fist": float(random.uniform(6.5, 8.5)),
        "askew_deg": float(random.normal(0, 1.0)),
    }  # fmt: skip


def stand_idol(looks: Mapping[str, Any], idol: Idol, deg: float, card: str) -> list[Thing]:
    """Return the idol, pointing to *deg* (0 to the mat's top, clockwise), a *card* at its back."""
    foot, body, arm = looks["foot"], looks["body"], looks["arm"]
    radius, reach = idol.diameter / 2, idol.arm_reach
    at = (idol.x, idol.y, 0.0)
    turn = deg + looks["askew_deg"]
    rings = [(radius, 0.0, foot), (radius, 7.0, foot), (radius - 3, 9.0, foot)]
    found = [turned([*rings, (radius * 0.6, 11.0, foot), (0.1, 11.0, foot)], at)]
    broad, high = looks["broad"], looks["high"]
    found.append(ball((broad / 2, broad / 2.4, 14.0), (idol.x, idol.y, 8.0), body))
    found.append(block((broad, broad * 0.8, high - 26.0), (idol.x, idol.y, 26.0), turn, 0.8,
                       colour=body, back=4.0))  # fmt: skip
    for side in (-1, 1):
        angle = math.radians(turn) + side * math.pi / 2
        x, y = idol.x + 0.5 * broad * math.sin(angle), idol.y - 0.5 * broad * math.cos(angle)
        found.append(ball((5.0, 5.0, 7.0), (x, y, high - 24.0), looks["trim"]))
    z, x = looks["arm_z"], looks["beside_mm"]
    knuckle = reach * 0.7
    found.append(limb(at, turn, (x, -broad * 0.3, z), (x, -knuckle, z), (6.5, 6.0), body))
    found.append(
        limb(at, turn, (x, -knuckle + 4, z), (x, -knuckle - 1, z), (looks["fist"],) * 2, arm)
    )
    found.append(limb(at, turn, (x, -knuckle, z), (x, TIP - reach, z), (4.6, TIP), arm))
    back = math.radians(turn + 180.0)
    away = broad * 0.5 + 12.0
    behind = (idol.x + away * math.sin(back), idol.y - away * math.cos(back), 38.0)
    found.append(slab(card, (42.0, 65.0), behind, turn + 180.0, lean_deg=35.0))
    return found
