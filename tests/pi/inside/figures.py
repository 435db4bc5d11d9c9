"""How many instructions it takes to read one settled picture of each game.

On this board every instruction takes one nanosecond of its clock, whatever the machine outside is.
"""

import json
import statistics
import sys
from pathlib import Path
from typing import Final

PICTURES: Final = {
    "tiki_topple": ("008.jpg", "010.jpg", "012.jpg", "015.jpg"),
    "tippi_toppi": ("006.jpg", "008.jpg", "010.jpg", "012.jpg"),
    "uno_tiki": ("007.jpg", "009.jpg", "011.jpg", "012.jpg"),
    "tactiki": ("007.jpg", "008.jpg", "011.jpg", "013.jpg"),
    "topple": ("006.jpg", "008.jpg", "009.jpg", "011.jpg"),
}
"""Settled pictures that follow upon each other; what the first one takes does not count, since
much is loaded and made ready meanwhile."""


def instructions(ms: float) -> int:
    """Return how many instructions were executed in *ms* of the board's time."""
    return round(ms * 1e6)


def main() -> int:
    """Print a line for each game; return 1 if a picture was not read."""
    from companion.recording import load_recording  # noqa: PLC0415
    from companion.table.reader_opening import open_reader  # noqa: PLC0415
    from companion.table.readers import read_picture_timed  # noqa: PLC0415

    status = 0
    for game, names in PICTURES.items():
        folder = Path("companion/recordings") / game
        read = open_reader(load_recording(folder)).read
        spent = []
        for name in names:
            found, spent_ms, _ = read_picture_timed(read, folder / name)
            spent.append(instructions(spent_ms))
            status |= found.reading is None
        median = int(statistics.median(spent[1:]))
        print(json.dumps({"game": game, "instructions": median, "each": spent}), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
