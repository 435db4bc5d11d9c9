"""The OLED on this machine's I2C bus: what it shows, and its plug."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image

FOLDER: Final = Path("/sys/kernel/debug/oled-sim")
WIDTH, PAGES = 128, 8
PATIENCE_S: Final = 20.0


def shown() -> Image.Image:
    """Return what the panel shows, 128 x 64 bits; nothing while it is not lit."""
    picture = Image.new("1", (WIDTH, 8 * PAGES))
    if (FOLDER / "lit").read_text().strip() != "Y":
        return picture
    memory = (FOLDER / "memory").read_bytes()
    for place, column in enumerate(memory):
        page, x = divmod(place, WIDTH)
        for row in range(8):
            if column >> row & 1:
                picture.putpixel((x, 8 * page + row), 255)
    return picture


def plug(there: bool) -> None:
    """Plug the panel in, or pull its plug."""
    (FOLDER / "plugged").write_text("Y" if there else "N")


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Return once *holds* does; fails with *what* after `PATIENCE_S`."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)
