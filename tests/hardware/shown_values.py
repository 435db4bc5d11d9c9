"""Values that devices show, in a form that compares by content."""

from typing import Any

from PIL import Image

from hardware.lights import DARK


def picture(x: int = 3, size: tuple[int, int] = (128, 64)) -> Image.Image:
    """Return a picture with one lit pixel."""
    found = Image.new("1", size)
    found.putpixel((x, 5), 255)
    return found


def plain(value: Any) -> Any:
    """Return a value that compares by content."""
    return value.tobytes() if isinstance(value, Image.Image) else value


STRIP = ((255, 0, 0), *(DARK,) * 8)
