"""How far from the table each usual camera has to be: `python -m tests.camera_distances`.

It prints the table of docs/build-your-own.md, in which a test looks for each of its lines.
"""

import math
from collections.abc import Iterator
from typing import Final

from companion.registry import game_of, with_mats
from companion.table.readers import reader_setup_of, usual_table
from vision.capture.lens_prior import MODULES
from vision.geometry.camera_distance import find_least_distance, find_most_distance
from vision.geometry.distortion import Distortion
from vision.geometry.layout import parse_mat

SIZES_PX: Final = {"imx708": (1536, 864), "imx708_wide": (1536, 864), "imx296": (1456, 1088)}
"""What is asked of a module, where it is not USUAL_PX."""
USUAL_PX: Final = (1536, 1152)
WEBCAM_PX: Final = (1280, 720)
WEBCAMS_DEG: Final = (55.0, 66.0, 78.0, 90.0)
UNSUITED: Final = "16 mm"


def cameras() -> Iterator[tuple[str, float, tuple[int, int]]]:
    """Yield name, angle across in degrees and size of picture of each usual camera."""
    for module in MODULES:
        if module.lens != UNSUITED:
            name = f"{module.name}, {module.lens} lens" if module.lens else module.name
            yield name, module.hfov_deg, SIZES_PX.get(module.model, USUAL_PX)
    for angle_deg in WEBCAMS_DEG:
        yield f"a webcam of {angle_deg:g} degrees", angle_deg, WEBCAM_PX


def distances(game: str, hfov_deg: float, size_px: tuple[int, int]) -> tuple[int, int]:
    """Return from and up to which distance a camera shows *game* well, in whole cm."""
    setup, mat, shape = reader_setup_of(game), parse_mat(usual_table(game)), size_px[::-1]
    low, high = setup.slants.best
    slants_deg = range(low, high + 1, 5)
    lens = Distortion(hfov_deg)
    least_mm = max(find_least_distance(mat, lens, shape, slant) for slant in slants_deg)
    most_mm = find_most_distance(lens, shape, setup.px_per_mm)
    return math.ceil(least_mm / 10.0), math.floor(most_mm / 10.0)


def lines() -> Iterator[str]:
    """Yield the lines of the table."""
    games = with_mats()
    yield "| cm from camera to middle | " + " | ".join(game_of(game).title for game in games) + " |"
    yield "|---" * (len(games) + 1) + "|"
    for name, hfov_deg, size_px in cameras():
        ranges = [distances(game, hfov_deg, size_px) for game in games]
        yield f"| {name} | " + " | ".join(f"{low} to {high}" for low, high in ranges) + " |"


if __name__ == "__main__":
    print("\n".join(lines()))
