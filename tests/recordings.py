"""The shipped recording, and variants of it told in another order."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import companion
from companion.recording import Recording, load_recording

SHIPPED = Path(companion.__file__).parent / "recordings" / "tiki_topple"


def truth() -> list[dict[str, Any]]:
    """Return the truth of each shipped frame, in order."""
    return [json.loads(line) for line in (SHIPPED / "truth.jsonl").read_text().splitlines()]


def true_moves() -> list[tuple[int, str]]:
    """Return seat and action of each move that the shipped recording shows."""
    found = [row["move"] for row in truth() if "move" in row]
    return [(move["player"], f"{move['card']} {move['tiki']}") for move in found]


def retell(folder: Path, frames: Sequence[str], **replay: Any) -> Path:
    """Make *folder* a recording that shows the shipped *frames* in that order.

    replay: keys of the description's `replay` to set; None removes one.  The same frame may be
    shown several times; each gets a name of its own, in order, from 001.jpg.
    """
    description = json.loads((SHIPPED / "session.json").read_text())
    shown = [description["calibration_frame"], *frames]
    names = [f"{number:03}.jpg" for number in range(len(shown))]
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in zip(names, shown, strict=True):
        shutil.copy(SHIPPED / source, folder / name)
    description["frames"] = [{"frame": name, "kind": "unknown"} for name in names]
    for key, value in replay.items():
        description["replay"][key] = value
        if value is None:
            del description["replay"][key]
    (folder / "session.json").write_text(json.dumps(description))
    return folder


def untold(recording: Recording, folder: Path) -> Recording:
    """Return *recording* in *folder*, where nobody says how wide its camera looks."""
    for each in recording.folder.iterdir():
        shutil.copy(each, folder)
    description = json.loads((folder / "session.json").read_text())
    del description["image"]["hfov_deg"]
    (folder / "session.json").write_text(json.dumps(description))
    return load_recording(folder)
