"""What homes have and our random tables have not: traits that are put onto a scene when asked for.

`films lay` and `sessions lay` take their names with `--home`. Each is drawn at random like all else
about a table; without them the same number gives the same table as before.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.prints import Print, Random, random_hue, to_level
from rendering.props import ball
from rendering.room import Spot, all_in_view
from rendering.scenes import HFOV_DEG, Scene
from vision.capture.frame import load_frame
from vision.geometry.layout import Mat

LOW_DEG: Final = (38.0, 56.0)
"""How far from straight above a camera on a shelf or a short tripod stands."""
LOW_MM: Final = (560.0, 860.0)
ALIKE_DEG: Final = (8.0, 26.0)
"""Between two hues that a child mixes up."""
GLOSS: Final = (0.04, 0.14)
"""The roughness of glazed or wet pieces, in which lamps are mirrored."""
FLASH_MM: Final = 9.0
SLIT_MM: Final = (60.0, 160.0)
"""How broad the strip is that the sun leaves on a table between two curtains."""
LAMP_MM: Final = (30.0, 140.0)
"""How large the lamp of a home is that stands beside the board."""
LAMP_HIGH_MM: Final = (280.0, 560.0)
LAMP_ASIDE_MM: Final = (30.0, 160.0)
"""How far beyond the corner tiles."""
LAMP_SAMPLES: Final = 6
"""What is mirrored is grainy with fewer a pixel."""
SHEEN: Final = (0.12, 0.3)
"""How rough prints are at most in which that lamp is mirrored."""
CRUMBS: Final = (20, 60)
PRINTS: Final = ("*.png", "board.jpg")


@dataclass(frozen=True, slots=True)
class Table:
    """A table to which a trait is given.

    folder, stem: where its prints are, and how the names of its own begin.  kept: where the game
    lies.  shared: what all its scenes have in common; traits change it.
    """

    random: Random
    mat: Mat
    kept: Sequence[Spot]
    folder: Path
    stem: str
    shared: Scene


def furnish(table: Table, traits: Collection[str]) -> None:
    """Give *table* its *traits*, in their own order."""
    for name, give in TRAITS.items():
        if name in traits:
            give(table)


def _load(path: Path) -> Print:
    return load_frame(path).picture


def _lay_cloth(table: Table) -> None:
    """Let there be a cloth with checks, stripes or dots."""
    random, path = table.random, table.folder / table.shared["ground"]
    ground = _load(path)
    ink = np.array(to_level(random_hue(random, (0.0, 0.9), (0.1, 0.95))), np.float64)
    across, along = np.indices(ground.shape[:2])[::-1] / ground.shape[0]
    count = int(random.integers(14, 60))
    kind = str(random.choice(["checks", "stripes", "dots"]))
    wave = np.sin(2 * math.pi * count * across), np.sin(2 * math.pi * count * along)
    if kind == "dots":
        inked = (wave[0] * wave[1] > random.uniform(0.3, 0.7)) * 1.0
    else:
        inked = (wave[0] > 0) * 0.5 + (wave[1] > 0) * (0.5 if kind == "checks" else 0.0)
    share = random.uniform(0.4, 0.95) * inked[..., None]
    cv2.imwrite(str(path), np.asarray(ground * (1.0 - share) + ink * share, np.uint8))


def _stand_low(table: Table) -> None:
    """Put the camera on a shelf: it sees the table from the side."""
    random, mat = table.random, table.mat
    hfov_deg = table.shared["camera"]["hfov_deg"]
    nearer = math.tan(math.radians(HFOV_DEG / 2)) / math.tan(math.radians(hfov_deg / 2))
    while True:
        tilt, side = math.radians(random.uniform(*LOW_DEG)), random.uniform(0, 2 * math.pi)
        distance = random.uniform(*LOW_MM) * nearer
        x, y = np.array([mat.width, mat.height]) / 2 + random.normal(0, 14, 2)
        away = math.sin(tilt) * distance
        stands = [x + away * math.cos(side), y + away * math.sin(side), math.cos(tilt) * distance]
        camera = {
            "stands": [float(each) for each in stands],
            "aim": [float(x), float(y), 0.0],
            # Upright, as whoever puts it there holds it.
            "roll_deg": float(90 - math.degrees(side) + random.normal(0, 4)),
            "hfov_deg": hfov_deg,
        }
        if all_in_view(camera, mat):
            table.shared["camera"] = camera
            return


def _flash(table: Table) -> None:
    """Light it by a telephone's lamp beside the camera."""
    camera = table.shared["camera"]
    middle = np.array([table.mat.width / 2, table.mat.height / 2, 0.0])
    way = np.array(camera["stands"]) - middle
    up = math.degrees(math.atan2(way[2], math.hypot(way[0], way[1])))
    lamp = {
        "sun": False,
        "size": FLASH_MM,
        "spread_deg": 1.0,
        "elevation_deg": up,
        # The renderer's y points the other way.
        "azimuth_deg": math.degrees(math.atan2(-way[1], way[0])),
        "kelvin": float(table.random.uniform(5200, 6800)),
        "strength": 1.0,
    }
    ambient = float(table.random.uniform(0.03, 0.15))
    table.shared["lights"] = {**table.shared["lights"], "lamps": [lamp], "ambient": ambient}


def _stand_lamp(table: Table) -> None:
    """Let a lamp stand beside the board: it is mirrored in the print, which turns white there."""
    random, mat = table.random, table.mat
    camera = np.array(table.shared["camera"]["stands"])
    middle = np.array([mat.width / 2, mat.height / 2])
    while True:
        side, high = random.uniform(0, 2 * math.pi), random.uniform(*LAMP_HIGH_MM)
        aside = math.hypot(*middle) + random.uniform(*LAMP_ASIDE_MM)
        way = aside * np.array([math.cos(side), math.sin(side)])
        share = camera[2] / (camera[2] + high)
        x, y = camera[:2] + share * (middle + way - camera[:2])
        if 0.0 < x < mat.width and 0.0 < y < mat.height:
            break
    lamp = {
        "sun": False,
        "size": float(random.uniform(*LAMP_MM)),
        "spread_deg": 1.0,
        "elevation_deg": math.degrees(math.atan2(high, aside)),
        # The renderer's y points the other way.
        "azimuth_deg": math.degrees(math.atan2(-way[1], way[0])),
        "far_mm": math.hypot(aside, high),
        "kelvin": float(random.uniform(2700, 6500)),
        "strength": float(random.uniform(0.7, 1.1)),
    }
    ambient = float(random.uniform(0.15, 0.5))
    table.shared["lights"] = {**table.shared["lights"], "lamps": [lamp], "ambient": ambient}
    table.shared["sheen"] = float(random.uniform(*SHEEN))
    table.shared["samples"] = LAMP_SAMPLES


def _draw_curtains(table: Table) -> None:
    """Let the sun shine onto a strip of the table, by a hard edge."""
    random = table.random
    lamp = {
        "sun": True,
        "size": 100.0,
        "spread_deg": 0.5,
        "elevation_deg": float(random.uniform(35, 65)),
        "azimuth_deg": float(random.uniform(0, 360)),
        "kelvin": float(random.uniform(4800, 5800)),
        "strength": 1.0,
        "slit": [float(random.uniform(*SLIT_MM)), float(random.uniform(-80, 80))],
    }
    ambient = float(random.uniform(0.3, 0.6))
    table.shared["lights"] = {**table.shared["lights"], "lamps": [lamp], "ambient": ambient}


def _mix_up_colours(table: Table) -> None:
    """Bring two colours of the set so near that people have to look twice."""
    random = table.random
    paints = table.shared.get("paints")
    if paints is not None:
        one, other = (int(at) for at in random.choice(len(paints), 2, replace=False))
        hue, saturation, value = _hsv(paints[one]["body"])
        turned = hue + float(random.choice([-1, 1])) * random.uniform(*ALIKE_DEG)
        paint = _rgb(turned, saturation, min(1.0, value * random.uniform(0.8, 1.1)))
        paints[other] |= {"body": paint, "band": paint, "head": paint}
        return
    # Prints get all their hues squeezed towards one.
    centre, share = random.uniform(0, 360), random.uniform(0.35, 0.6)
    for path in sorted(table.folder.glob(f"{table.stem}*.png")):
        picture = _load(path)
        cv2.imwrite(str(path), _squeeze_hues(picture, centre, share))


def _squeeze_hues(picture: Print, centre_deg: float, share: float) -> Print:
    """Return *picture* with *share* of each hue's distance from *centre_deg*."""
    hsv = cv2.cvtColor(picture.astype(np.float32) / 255.0, cv2.COLOR_BGR2HSV)
    off = (hsv[..., 0] - centre_deg + 180.0) % 360.0 - 180.0
    hsv[..., 0] = (centre_deg + share * off) % 360.0
    return np.asarray(255.0 * cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _hsv(colour: Sequence[float]) -> tuple[float, float, float]:
    pixel = np.array([[colour]], np.float32)
    hue, saturation, value = cv2.cvtColor(pixel, cv2.COLOR_RGB2HSV)[0, 0].tolist()
    return float(hue), float(saturation), float(value)


def _rgb(hue_deg: float, saturation: float, value: float) -> tuple[float, float, float]:
    pixel = np.array([[[hue_deg % 360.0, saturation, value]]], np.float32)
    red, green, blue = cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0].tolist()
    return red, green, blue


def _glaze(table: Table) -> None:
    """Let pieces and things shine."""
    random = table.random
    for paint in table.shared.get("paints", ()):
        paint["roughness"] = float(random.uniform(*GLOSS))
    for thing in table.shared.get("things", ()):
        thing["shine"] = float(random.uniform(*GLOSS))


def _age_paper(table: Table) -> None:
    """Print the corner tiles on grey, cream or pink paper."""
    paper = to_level(random_hue(table.random, (0.0, 0.18), (0.72, 0.95)))
    for number in table.mat.marker_ids:
        path = table.folder / f"tile-{number}.png"
        cv2.imwrite(str(path), np.asarray(_load(path) * (np.array(paper) / 255.0), np.uint8))


def _wear(table: Table) -> None:
    """Rub off some of the print of boards and cards."""
    random = table.random
    paths = {path for pattern in PRINTS for path in table.folder.glob(pattern)}
    for path in sorted(paths):
        if path.name.startswith("tile-"):
            continue
        picture = _load(path)
        spots = random.normal(0, 1, (24, 24)).astype(np.float32)
        rubbed = cv2.resize(spots, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        share = 0.6 * np.clip(rubbed - 0.9, 0.0, 1.0)[..., None]
        cv2.imwrite(str(path), np.asarray(picture * (1.0 - share) + 215.0 * share, np.uint8))


def _crumble(table: Table) -> None:
    """Scatter crumbs over table and board."""
    random, mat = table.random, table.mat
    colour = random_hue(random, (0.2, 0.6), (0.4, 0.9))
    boards = [spot for spot in table.kept if spot.half_w > 60.0]
    height = 90.0 if table.shared["game"] == "topple" else 3.0
    crumbs: list[dict[str, Any]] = []
    for _ in range(int(random.integers(*CRUMBS))):
        x, y = random.uniform(0, mat.width), random.uniform(0, mat.height)
        on = any(board.is_near(x, y, -8.0) for board in boards)
        size = random.uniform(0.6, 2.4, 3)
        at = (float(x), float(y), height if on else 0.3)
        crumbs.append(ball((float(size[0]), float(size[1]), float(size[2])), at, colour))
    table.shared["things"] = [*table.shared.get("things", ()), *crumbs]


TRAITS: Final[dict[str, Callable[[Table], None]]] = {
    "cloth": _lay_cloth,
    "low": _stand_low,
    "flash": _flash,
    "curtains": _draw_curtains,
    "lamp": _stand_lamp,
    "alike": _mix_up_colours,
    "gloss": _glaze,
    "paper": _age_paper,
    "worn": _wear,
    "crumbs": _crumble,
}
"""What a home may have, by the name that `--home` takes."""

HOME_HELP: Final = f"traits that homes have, parted by commas: {', '.join(TRAITS)}"


def parse_traits(given: str) -> frozenset[str]:
    """Return the traits named in *given*, parted by commas.

    >>> sorted(parse_traits("low,gloss"))
    ['gloss', 'low']
    """
    names = frozenset(filter(None, given.split(",")))
    if unknown := names - set(TRAITS):
        raise ValueError(f"{', '.join(sorted(unknown))}: no trait; there are {', '.join(TRAITS)}")
    return names
