"""How well the readers read pictures, measured against their truth."""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.apps.evaluation.alteration import alter
from companion.apps.evaluation.counts import Counts
from companion.apps.evaluation.ground_truth import load_truth
from companion.recording import BadRecording, Recording, load_recording
from companion.registry import with_mats
from companion.table.reader_opening import open_reader
from companion.table.readers import NotCalibrated, Reader
from vision.capture.frame import BadPicture, Frame, decode
from vision.observation import Observation, Status

IDOL_DEG: Final = 5.0
REPEATS: Final = 5  # each picture is read so often; the median is used
BUMP_PX: Final = 12  # a camera pushed so far has to find the tiles again
LISTED: Final = (0.05, 3)  # the lowest probability of a candidate, and the highest number of them


@dataclass(slots=True)
class Tally(Counts):
    """Counts over some pictures.

    settled: pictures at rest, of which `read` were read rightly, `wrong` wrongly, and the rest not
    at all.  busy: pictures with a hand or a piece in the air, of which `believed` were taken for
    settled.  ratios: time to read one settled picture, tiles known but another picture before it,
    over the time to decode its JPEG.  again: the same after a bump of the camera.  uncalibrated:
    why nothing was read of a whole session.
    """

    settled: int = 0
    read: int = 0
    wrong: int = 0
    busy: int = 0
    believed: int = 0
    unreadable: int = 0
    ratios: list[float] = field(default_factory=list)
    anew: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    uncalibrated: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of settled pictures that were read rightly; 1.0 if there were none."""
        return self.read / self.settled if self.settled else 1.0


def sessions(folder: Path) -> list[Recording]:
    """Return the sessions in *folder* and below that can be read; raises BadRecording if none."""
    if not folder.is_dir():
        raise BadRecording(f"{folder} is not a folder; name one with sessions (session.json) in it")
    found = [load_recording(each.parent) for each in sorted(folder.rglob("session.json"))]
    found = [recording for recording in found if recording.game in with_mats()]
    if not found:
        raise BadRecording(f"there is no session of {', '.join(with_mats())} in {folder} or below")
    return found


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded picture, and what it shows: *kind* and *truth* as truth.jsonl has them."""

    kind: str
    truth: Mapping[str, Any]
    encoded: bytes
    frame: Frame


def evaluate(recording: Recording) -> Tally:
    """Read every picture of *recording* and compare with its truth.jsonl; raises BadRecording."""
    try:
        reader, timed = open_reader(recording), open_reader(recording)
    except NotCalibrated as error:
        return _leave_out(recording, error)
    tally = Tally()
    before: Frame | None = None
    for shot in _pictures(recording, tally):
        found = reader.read(shot.frame)
        _count(tally, f"{recording.folder.name}/{shot.frame.name}", shot, found)
        if shot.kind == "settled" and found.status is Status.OK:
            _time(tally, timed, shot.encoded, shot.frame, before or shot.frame)
            before = shot.frame
    return tally


def evaluate_altered(recording: Recording, numbers: Iterable[int]) -> Tally:
    """Read every picture of *recording* as altered once for each of *numbers*, and compare.

    Nothing is timed.  Raises BadRecording.
    """
    try:
        reader, tally = open_reader(recording), Tally()
    except NotCalibrated as error:
        return _leave_out(recording, error)
    shots = list(_pictures(recording, tally))
    for number in numbers:
        for shot in shots:
            name = f"{recording.folder.name}/{shot.frame.name}"
            picture = alter(shot.frame.picture, name, number)
            found = reader.read(Frame(shot.frame.name, picture, 0.0))
            _count(tally, f"{name}, altered by {number}", shot, found)
    return tally


def _leave_out(recording: Recording, error: NotCalibrated) -> Tally:
    """Return the tally of a session without calibration: none of its pictures is read."""
    tally = Tally(uncalibrated=[f"{recording.folder.name}: {error}"])
    for shot in _pictures(recording, tally):
        tally.settled += shot.kind == "settled"
        tally.busy += shot.kind != "settled"
    return tally


def _pictures(recording: Recording, tally: Tally) -> Iterator[Recorded]:
    """Yield the pictures whose truth counts; those that cannot be decoded are tallied."""
    for row in load_truth(recording.folder / "truth.jsonl"):
        name = str(row["frame"])
        if row["kind"] not in ("settled", "occluded", "moving"):
            continue
        try:
            encoded = recording.path(name).read_bytes()
            frame = Frame(name, decode(encoded, name), 0.0)
        except (OSError, BadPicture):
            tally.unreadable += 1
            continue
        yield Recorded(row["kind"], row["truth"], encoded, frame)


def _count(tally: Tally, name: str, shot: Recorded, found: Observation) -> None:
    """Count what was *found* in a picture, called *name*."""
    if shot.kind != "settled":
        tally.busy += 1
        if found.status is Status.OK:
            tally.believed += 1
            tally.faults.append(f"{name}: {shot.kind}, but believed")
        return
    tally.settled += 1
    if found.status is not Status.OK:
        tally.faults.append(f"{name}: settled, but {_excuse(found)}")
    elif agrees(found.reading or {}, shot.truth):
        tally.read += 1
    else:
        tally.wrong += 1
        tally.faults.append(f"{name}: read {found.reading}")


def _excuse(found: Observation) -> str:
    """Return why a picture was not read, and what the places that are in doubt may hold."""
    reason = found.reason.value if found.reason else found.status.value
    likely = {at: found.places[at].list_likely(*LISTED) for at in found.doubtful}
    places = [f"slot {at} {' or '.join(name for name, _ in each)}" for at, each in likely.items()]
    return f"{reason}: {', '.join(places)}" if places else reason


def _time(tally: Tally, reader: Reader, encoded: bytes, frame: Frame, before: Frame) -> None:
    """Time *frame* after the picture *before* it and after a bump of that, over decoding it."""
    data = np.frombuffer(encoded, np.uint8)
    decoding_s = median_s(partial(cv2.imdecode, data, cv2.IMREAD_COLOR))
    read = partial(reader.read, frame)
    tally.ratios.append(median_s(read, partial(reader.read, before)) / decoding_s)
    # Of the picture before, too: of this one a reader may remember what it saw.
    bumped = Frame("bumped", np.roll(before.picture, BUMP_PX, axis=1), 0.0)
    tally.anew.append(median_s(read, partial(reader.read, bumped)) / decoding_s)


def agrees(reading: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
    """Return whether *reading* says what *truth*, in the form of truth.jsonl, says.

    Stacks are compared by height and top, as a reader sees them; the idol's angle to 5 degrees.
    """
    if truth.get("toppled") or reading.get("toppled"):
        return bool(truth.get("toppled")) == bool(reading.get("toppled"))
    for key in ("line", "piles", "discard"):
        if key in truth and reading.get(key) != truth[key]:
            return False
    if "cells" in truth:
        seen = [
            [{"height": len(stack), "top": stack[-1] if stack else None} for stack in row]
            for row in truth["cells"]
        ]
        if reading.get("cells") != seen:
            return False
    if "idol_deg" in truth:
        apart = abs(reading["idol_deg"] - truth["idol_deg"]) % 360
        return bool(min(apart, 360 - apart) <= IDOL_DEG)
    return True


def median_s(action: Callable[[], object], before: Callable[[], object] | None = None) -> float:
    """Return the median processor time of *action*; *before* is done before each, untimed."""
    spent = []
    for _ in range(REPEATS):
        if before:
            before()
        began = time.thread_time()
        action()
        spent.append(time.thread_time() - began)
    return statistics.median(spent)
