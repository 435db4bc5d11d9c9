"""A camera that shows what a script says, and what the watcher makes of it."""

from collections.abc import Iterator, Sequence

from companion.recording import load_recording
from companion.table.readers import reader_setup_of
from companion.table.watcher import Watcher
from tests.recordings import SHIPPED
from vision.capture.camera import Shot, Unadapting
from vision.capture.frame import Frame, load_frame
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import PreviewFrame, glance_at
from vision.geometry.layout import parse_layout
from vision.line.reader import LineReader
from vision.observation import Observation, Status

GAME = "tiki_topple"


class ScriptedCamera(Unadapting):
    """Yields the given shots and ends; time runs as their `taken_s` say."""

    def __init__(self, shots: Sequence[Shot]) -> None:
        self._shots = shots

    def shots(self) -> Iterator[Shot]:
        """Yield the script."""
        yield from self._shots

    def close(self) -> None:
        """Do nothing: the script ends by itself."""


def reader() -> LineReader:
    """Return a reader of the shipped recording's table that has learned nothing."""
    return LineReader(parse_layout(load_recording(SHIPPED).description))


def still(name: str, from_s: float, seconds: float = 2.0) -> list[PreviewFrame]:
    """Return the shipped picture *name* as a camera at 5 Hz sees it while nothing moves."""
    picture = load_frame(SHIPPED / name).picture
    frames = [Frame(name, picture, from_s + tick * 0.2) for tick in range(int(seconds * 5))]
    return [glance_at(frame) for frame in frames]


def watch(
    shots: Sequence[Shot],
    eyes: LineReader | None,
    lesson: Sequence[str] = (),
    *,
    believes: bool = True,
) -> list[Observation]:
    """Return the observations that *shots* lead to; *lesson* is the line to learn from at first.

    believes: whether somebody believes every line that was read.
    """
    observations: list[Observation] = []

    def post(observation: Observation) -> None:
        observations.append(observation)
        if believes and observation.status is Status.OK:
            watcher.set_reference(observation.frame, ())

    watcher = Watcher(ScriptedCamera(shots), MotionGate(0.5), post)
    watcher.watch(GAME, eyes)
    if lesson:
        watcher.calibrate(
            {"line": lesson},
            reader_setup_of(GAME).check,
            lambda _frame, trouble, _held: observations.append(
                Observation(trouble or "", Status.OK)
            ),
        )
    watcher.start()
    watcher._thread.join()
    return observations
