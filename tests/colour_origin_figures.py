"""What a trial says of colours that a decoder makes by the wrong matrix, as tables.

`python -m tests.colour_origin_figures [FOLDER ...]` learns the first picture of each recording as
OpenCV up to 4.12 shows a stream that is tagged BT.709 (by BT.601), and tries that with pictures of
pieces at rest as OpenCV from 4.13 on shows them, and the other way round.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.recording import load_recording
from companion.registry import recordings
from companion.table.calibration_check import Recogniser, recognises
from companion.table.readers import reader_setup_of
from vision.capture.frame import Frame, Picture, load_frame
from vision.observation import Reason, Status

LUMA: Final = {"709": (0.2126, 0.0722), "601": (0.299, 0.114)}
"""What red and blue add to the luma (ITU-R BT.709, item 3.2; BT.601, section 2.5.1)."""
EVERY: Final = 3


def coding(red: float, blue: float) -> NDArray[np.float64]:
    """Return the matrix from red, green, blue to luma and the two differences of colour."""
    luma = np.array([red, 1.0 - red - blue, blue])
    return np.array(
        [
            luma,
            (np.array([0.0, 0.0, 1.0]) - luma) / (2.0 * (1.0 - blue)),
            (np.array([1.0, 0.0, 0.0]) - luma) / (2.0 * (1.0 - red)),
        ]
    )


def decode_wrongly(picture: Picture, made: str = "709", read: str = "601") -> Picture:
    """Return *picture*, coded by the matrix *made*, as it comes out by *read*.

    >>> decode_wrongly(np.array([[[40, 40, 200]]], np.uint8)).tolist()
    [[[42, 23, 186]]]
    """
    matrix = np.linalg.inv(coding(*LUMA[read])) @ coding(*LUMA[made])
    turned = cv2.transform(picture.astype(np.float64), matrix[::-1, ::-1])
    return np.clip(np.round(turned), 0, 255).astype(np.uint8)


def count_trials(folder: Path, learned: bool, shown: bool) -> Counter[str]:
    """Return what came of trying out the pictures at rest in *folder*.

    learned, shown: whether the picture that is learned, and those that follow, are decoded wrongly.
    """
    recording = load_recording(folder)
    setup = reader_setup_of(recording.game)
    reader = setup.open_reader(recording.description)
    lines = (folder / "truth.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    first = next(row for row in rows if row["kind"] == "calibration")
    reader.calibrate(_load(folder, first, learned), first["truth"])
    assert isinstance(reader, Recogniser)
    found: Counter[str] = Counter()
    for row in [row for row in rows if row["kind"] == "settled"][::EVERY]:
        frame, table = _load(folder, row, shown), setup.table_of(row["truth"])
        seen = reader.recognise(frame, table)
        holds = recognises(seen, table)
        found["tried"] += 1
        found["recognised"] += holds is True
        found["a hand"] += holds is None and seen.reason is Reason.HAND
        alone = setup.open_reader(recording.description)
        alone.calibrate(_load(folder, first, learned), first["truth"])
        read = alone.read(frame)
        found["read"] += read.status is Status.OK
        found["wrong"] += read.status is Status.OK and not setup.shows(read, row["truth"])
    return found


def _load(folder: Path, row: Mapping[str, Any], is_wrong: bool) -> Frame:
    frame = load_frame(folder / row["frame"])
    return replace(frame, picture=decode_wrongly(frame.picture)) if is_wrong else frame


def main(folders: Sequence[str]) -> None:
    """Print the table."""
    print("| game | learned | shown | tried | recognised | taken for a hand | read alone | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    cv2.setNumThreads(1)
    for folder in [Path(name) for name in folders] or list(recordings().values()):
        for learned, shown in ((False, False), (True, False), (False, True)):
            found = count_trials(folder, learned, shown)
            words = [("BT.709", "as BT.601")[is_wrong] for is_wrong in (learned, shown)]
            counts = [
                str(found[name]) for name in ("tried", "recognised", "a hand", "read", "wrong")
            ]
            print("|", folder.name, "|", " | ".join([*words, *counts]), "|", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
