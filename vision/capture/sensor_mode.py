"""Which mode of a sensor shows all of its view, and whether a picture does.

A mode reads all cells of the sensor, or a part; from that libcamera cuts the largest rectangle that
has the picture's shape.  A rectangle is left, top, width and height in cells of the whole sensor.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

Rectangle: TypeAlias = tuple[int, int, int, int]
Mode: TypeAlias = Mapping[str, Any]
"""As in picamera2's `sensor_modes`: size, crop_limits, fps, bit_depth."""

NEEDED_HZ: Final = 5.0
"""A table is watched with so many pictures in a second."""
ROUNDING: Final = 0.02
"""The image processor crops to even numbers and whole blocks; less than that is none."""


def choose_mode(modes: Sequence[Mode], size_px: tuple[int, int]) -> Mode | None:
    """Return the mode with the widest view of those that are fast enough, None if there is none.

    size_px: width and height of the picture.  Of modes with the same view it is the smallest that
    need not be enlarged, since each pixel more takes time, else the largest; then the deepest.
    """
    known = [mode for mode in modes if "crop_limits" in mode and mode["crop_limits"][3] > 0]
    honest = [mode for mode in known if _is_honest(mode)] or known
    fast = [mode for mode in honest if mode["fps"] >= NEEDED_HZ] or honest
    if not fast:
        return None
    widths = [shown(mode["crop_limits"], size_px)[0] for mode in fast]
    wide = [
        mode
        for mode, width in zip(fast, widths, strict=True)
        if width >= (1.0 - ROUNDING) * max(widths)
    ]
    return min(wide, key=lambda mode: _cost(mode, size_px))


def shown(crop: Sequence[int], size_px: tuple[int, int]) -> tuple[float, float]:
    """Return width and height of what a picture of *size_px* shows of *crop*.

    >>> shown((0, 0, 4056, 3040), (1536, 864))
    (4056.0, 2281.5)
    """
    scale = min(crop[2] / size_px[0], crop[3] / size_px[1])
    return scale * size_px[0], scale * size_px[1]


def describe_crop(
    taken: Rectangle | None, whole: Rectangle | None, size_px: tuple[int, int]
) -> str:
    """Return that a picture of *size_px* shows less than the camera could, and the remedy, or "".

    taken: what it shows of the sensor, as the metadata say.  whole: all that is active of it.
    """
    if taken is None or whole is None:
        return (
            "the camera does not say which part of its view it shows: check that the picture is"
            " as wide as it should be; sudo apt full-upgrade, then restart"
        )
    width, height = shown(whole, size_px)
    if taken[2] < (1.0 - ROUNDING) * width:
        return (
            f"the camera shows {100.0 * taken[2] / width:.0f} % of the width that was asked for: a"
            " mat may not fit into the picture; sudo apt full-upgrade, then restart"
        )
    part = width * height / (whole[2] * whole[3])
    if part >= 1.0 - ROUNDING:
        return ""
    fitting_px = 2 * round(size_px[0] * whole[3] / whole[2] / 2.0)
    return (
        f"a picture of {size_px[0]} x {size_px[1]} shows {100.0 * part:.0f} % of what the camera"
        f" sees; for all of it set height_px = {fitting_px} under [camera]"
    )


def _is_honest(mode: Mode) -> bool:
    """Return whether picture and crop have one shape.

    A driver of the HQ Camera reports 3040 lines for a mode that reads 2160 (raspberrypi/linux,
    issue 7321): whoever asks for its view gets a picture out of proportion.
    """
    _, _, width, height = mode["crop_limits"]
    across, down = width / mode["size"][0], height / mode["size"][1]
    return bool(abs(across / down - 1.0) <= ROUNDING)


def _cost(mode: Mode, size_px: tuple[int, int]) -> tuple[bool, int, int]:
    _, _, width, _ = mode["crop_limits"]
    has_enough = mode["size"][0] * shown(mode["crop_limits"], size_px)[0] / width >= size_px[0]
    pixels: int = mode["size"][0] * mode["size"][1]
    return not has_enough, pixels if has_enough else -pixels, -int(mode["bit_depth"])
