"""A tower that falls before a camera, for tests: pictures five times a second."""

from companion.table.instant_replay import Film, InstantReplay
from tests.recordings import SHIPPED
from vision.capture.frame import Frame, Picture, load_frame
from vision.capture.preview_frame import PreviewFrame, glance_at

TOWER = SHIPPED.parent / "topple"
PERIOD_S = 0.2


class Clock:
    """A clock that only goes when it is told to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now_s


def glances(picture: Picture, count: int, from_s: float = 0.0) -> list[PreviewFrame]:
    """Return *count* glances at *picture*, as a camera at 5 Hz takes them."""
    return [glance_at(Frame(f"live-{at}", picture, from_s + PERIOD_S * at)) for at in range(count)]


def filmed(clock: Clock | None = None, count: int = 12) -> InstantReplay:
    """Return what has filmed *count* pictures of the recorded tower, and kept them as a fall."""
    replay = InstantReplay(clock or Clock())
    replay.is_on = True
    for at, path in enumerate(sorted(TOWER.glob("*.jpg"))[-count:]):
        replay.take(glance_at(load_frame(path, PERIOD_S * at)))
    replay.keep()
    return replay


def film_of(replay: InstantReplay) -> Film | None:
    """Return the film that is kept now."""
    return replay.film


def is_filming(replay: InstantReplay) -> bool:
    """Return whether pictures are taken now."""
    return replay.is_on
