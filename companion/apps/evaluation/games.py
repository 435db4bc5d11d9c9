"""How well whole games are refereed, measured against their true course.

A recording is played picture by picture as `tiki replay` does, with a simulated host who knows the
true game: the host enters what people and sensors reported, answers questions correctly, and enters
moves that stay missed. After each picture the log is compared with the true game; see
`GroundTruth`.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from companion.apps.evaluation.ground_truth import load_ground_truth, load_scenes
from companion.apps.evaluation.pictures import median_s
from companion.apps.evaluation.simulated_host import FilmTally, SimulatedHost
from companion.apps.evaluation.variations import FilmVariation
from companion.recording import Recording, replay_header
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.table.reader_opening import open_reader
from companion.table.readers import NotCalibrated, Reader
from vision.capture.frame import BadPicture, Frame, Picture, load_frame
from vision.observation import Observation, Reason, Status


class Conditions(Protocol):
    """How a game is filmed: which pictures are lost, and what becomes of the others."""

    lost: frozenset[str]

    def film(self, name: str, picture: Picture) -> Picture:
        """Return what is seen of *picture*, the frame *name*."""


class AsRecorded:
    """Every picture as it was taken."""

    lost: frozenset[str] = frozenset()

    def film(self, name: str, picture: Picture) -> Picture:
        """Return *picture* itself."""
        del name
        return picture


def evaluate_film(
    recording: Recording, conditions: Conditions | None = None, name: str = ""
) -> FilmTally:
    """Play *recording* and count; raises BadRecording.

    conditions: how it is filmed; nothing is timed where they are given.  name: for the faults.
    """
    filmed = conditions or AsRecorded()
    truth = load_ground_truth(recording).without_pictures(filmed.lost)
    tally, name = FilmTally(games=1), name or recording.folder.name

    def load(path: Path) -> Frame:
        frame = load_frame(path)
        return Frame(frame.name, filmed.film(frame.name, frame.picture), frame.taken_s)

    try:
        reader = open_reader(recording, load)
    except NotCalibrated as error:
        tally.refused += 1
        tally.faults.append(f"{name}: {error}")
        return tally
    header, secrets = replay_header(recording)
    with Log(":memory:") as log:
        live_session = LiveSession(log, header, secrets)
        live_session.on_accepted_frame.add(reader.set_reference)
        host = SimulatedHost(recording, truth, live_session, tally, name)
        for number, scene in enumerate(truth.scenes):
            is_seen = scene.name in recording.frames and scene.name not in filmed.lost
            if host.is_stuck:
                break
            if is_seen:
                _show(host, number, reader, load, timed=conditions is None)
            host.enter_reported(number)
            if is_seen:
                host.attend(number)
        host.end()
    return tally


def evaluate_variations(recording: Recording, numbers: Iterable[int | None]) -> Iterator[FilmTally]:
    """Play *recording* once for each of *numbers*, filmed in that variation; raises BadRecording.

    Nothing is timed. For None it is played as it was recorded.
    """
    name = recording.folder.name
    scenes = load_scenes(recording)
    for number in numbers:
        if number is None:
            yield evaluate_film(recording, AsRecorded())
        else:
            conditions = FilmVariation(scenes, name, number)
            yield evaluate_film(recording, conditions, f"{name} filmed by {number}")


def _show(
    host: SimulatedHost, number: int, reader: Reader, load: Callable[[Path], Frame], *, timed: bool
) -> None:
    """Let the referee see the picture *number*, and count what comes of it."""
    scene, tally = host.truth.scenes[number], host.tally
    path = host.recording.path(scene.name)
    try:
        frame = load(path)
    except BadPicture as error:
        tally.unreadable += 1
        tally.faults.append(f"{host.name}: {' '.join(str(error).split())}")
        host.see(number, Observation(scene.name, Status.UNREADABLE, reason=Reason.PICTURE))
        return
    began = time.thread_time()
    observation = reader.read(frame)
    read_s = time.thread_time() - began
    judged_s = host.see(number, observation)
    if timed and scene.is_settled and not scene.is_start:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        decoding_s = median_s(partial(cv2.imdecode, data, cv2.IMREAD_COLOR))
        tally.ratios.append(read_s / decoding_s)
        tally.judging.append(judged_s / decoding_s)
