"""What is known of a camera's lens, kept beside the log: once, for all games of that camera."""

import json
import math
from pathlib import Path
from typing import Final

from companion.files import write_whole
from vision.geometry.lens import Lens, parse_lens

FORMAT: Final = 1
CONTRADICTED: Final = 4.0
"""Two measured lenses that lie further apart, in their standard errors, are not the same."""


def save_lens(log: Path, rig: str, lens: Lens) -> None:
    """Keep *lens* of the camera *rig* beside the log file; raises OSError if the disk refuses."""
    known = {"format": FORMAT, "image": lens.to_json()}
    write_whole(_text(log, rig), json.dumps(known).encode())


def load_lens(log: Path, rig: str) -> Lens | None:
    """Return what is known of the lens of the camera *rig*, None if nothing was ever measured."""
    try:
        known = json.loads(_text(log, rig).read_bytes())
        return parse_lens(known) if known["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def are_apart(one: Lens, other: Lens) -> bool:
    """Return whether two lenses cannot be the same, by their errors."""
    error = math.hypot(one.error, other.error)
    return abs(math.log(_focal(one) / _focal(other))) > CONTRADICTED * error


def better_of(kept: Lens, measured: Lens) -> Lens:
    """Return which of two lenses is to be relied on: the better known, or the new one.

    A camera whose zoom was turned, or another in its place, contradicts what is *kept*.
    """
    if measured.error < kept.error or are_apart(kept, measured):
        return measured
    return kept


def _focal(lens: Lens) -> float:
    return 1.0 / math.tan(math.radians(lens.hfov_deg) / 2.0)


def _text(log: Path, rig: str) -> Path:
    return log.with_suffix(f".camera@{rig}.lens.json" if rig else ".camera.lens.json")
