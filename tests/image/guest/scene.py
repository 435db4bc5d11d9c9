"""Puts the pictures of a recorded game before the virtual camera, which sees the first of them.

What stands on the table does not change when its power fails: /etc/bench-scene names the picture
that was seen last.
"""

from pathlib import Path
from typing import Final

from tests.hil.inside import film

RECORDING: Final = Path(__file__).parents[3] / "companion" / "recordings" / "tactiki"
PICTURES: Final = ["001.jpg", "003.jpg", "005.jpg"]
SEEN: Final = Path("/etc/bench-scene")

if __name__ == "__main__":
    last = SEEN.read_text().strip() if SEEN.exists() else PICTURES[0]
    film.load(RECORDING, PICTURES[PICTURES.index(last) :])
