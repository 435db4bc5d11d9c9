"""What is known of a lens before anything is measured: the angle of a known camera module.

A prior, no measurement: other makers sell modules with the same sensor behind another lens, and
nothing that libcamera reports tells them apart.  No maker states the distortion of one of these
lenses; for Camera Module 3 Wide it shows in the difference between angle and focal length.

Sources: Raspberry Pi's documentation, accessories/camera/hardware_specification.adoc (4d847706:
sensors, sizes of their cells, focal lengths, angles) and lens.adoc (3d5bb1ce: the two C and CS
lenses); raspberrypi/libcamera, camera_sensor_properties.cpp (076c9657: names and cells of the
sensors); the sizes are those of rpicam-hello --list-cameras.
"""

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LensPrior:
    """The angle that a picture should have.

    hfov_deg: horizontal, of the picture as it is delivered, from its left to its right edge.
    relative_error: standard error of the focal length that follows from it without distortion, as
        a part of it.
    source: of which module that is known, and how much of its sensor the picture shows.
    """

    hfov_deg: float
    relative_error: float
    source: str


@dataclass(frozen=True, slots=True)
class Module:
    """A camera module with its usual lens.

    model: the sensor as libcamera calls it, but for "_noir", which has the same lens.
    lens: what it is called where several can be screwed on, else "".
    cell_nm: from the middle of a pixel to that of the next.  width_px: of all that are active.
    hfov_deg: of all of them, as the maker states it beside focal_mm.
    """

    name: str
    model: str
    lens: str
    cell_nm: float
    width_px: int
    focal_mm: float
    hfov_deg: float


MODULES: Final = (
    Module("Camera Module 1", "ov5647", "", 1400, 2592, 3.60, 53.5),
    Module("Camera Module 2", "imx219", "", 1120, 3280, 3.04, 62.2),
    Module("Camera Module 3", "imx708", "", 1400, 4608, 4.74, 66.0),
    Module("Camera Module 3 Wide", "imx708_wide", "", 1400, 4608, 2.75, 102.0),
    Module("AI Camera", "imx500", "", 1550, 4056, 4.74, 66.0),
    Module("HQ Camera", "imx477", "6 mm", 1550, 4056, 6.0, 55.0),
    Module("HQ Camera", "imx477", "16 mm", 1550, 4056, 16.0, 22.2),
    Module("Global Shutter Camera", "imx296", "6 mm", 3450, 1456, 6.0, 45.0),
    Module("Global Shutter Camera", "imx296", "16 mm", 3450, 1456, 16.0, 17.8),
)
SPREAD: Final = 0.03
"""From one lens to the next.  Of the lenses that are sold now only the AI Camera's has a stated
tolerance, 66 degrees within 3, so 6 % of the focal length: half of it is taken for one error."""


def find_prior(
    model: str, shown_px: float, lens: str = "", cell_nm: float | None = None
) -> LensPrior | None:
    """Return what is known of the lens, None if nobody knows which it is.

    model: as libcamera calls the sensor.  lens: what was told of it, such as "6 mm".
    shown_px: how many of the sensor's pixels lie side by side in the picture.
    cell_nm: as the sensor reports it.

    >>> find_prior("imx708_noir", 3072)
    LensPrior(hfov_deg=46.82, relative_error=0.057, source='Camera Module 3, 67 % of its width')
    """
    for module in MODULES:
        if (module.model, module.lens) == (model.removesuffix("_noir"), lens):
            whole_mm = module.width_px * module.cell_nm * 1e-6
            stated_mm = whole_mm / 2.0 / math.tan(math.radians(module.hfov_deg / 2.0))
            shown_mm = shown_px * (cell_nm or module.cell_nm) * 1e-6
            name = f"{module.name} with a {lens} lens" if lens else module.name
            return LensPrior(
                round(math.degrees(2.0 * math.atan(shown_mm / 2.0 / stated_mm)), 2),
                round(math.hypot(SPREAD, stated_mm / module.focal_mm - 1.0), 3),
                f"{name}, {shown_mm / whole_mm:.0%} of its width".replace("%", " %"),
            )
    return None
