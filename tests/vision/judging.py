"""How a reader's observations of recorded pictures are judged, whatever the game."""

from collections.abc import Iterable
from typing import Protocol

from vision.capture.frame import Frame
from vision.observation import Observation, Status


class Reader(Protocol):
    """What every game's reader can do."""

    def read(self, frame: Frame, /) -> Observation:
        """Return what the frame shows."""


class Shot(Protocol):
    """A frame, and the truth about it."""

    @property
    def frame(self) -> Frame:
        """The frame."""

    def is_truly(self, observation: Observation, /) -> bool:
        """Return whether what was read is so."""


def assert_never_wrong(
    reader: Reader, shots: Iterable[Shot], *, read_at_least: int
) -> list[Observation]:
    """Read all *shots*, in all of which the mat is in view, and return the observations.

    Fails if a reading is wrong, if evidence is no probability, if the mat is not found, or if fewer
    than *read_at_least* shots are read: a reader that never reads anything is never wrong either.
    """
    observations = []
    for shot in shots:
        observation = reader.read(shot.frame)
        assert observation.status is not Status.NO_MAT, f"{shot.frame.name}: no mat is found"
        if observation.status is Status.OK:
            assert shot.is_truly(observation), f"{shot.frame.name}: {observation} is wrong"
        for evidence in observation.places:
            likely = evidence.probabilities.values()
            assert abs(sum(likely) - 1.0) < 1e-6, f"{likely} are none"
            assert min(likely) >= 0.0, f"{likely} are none"
        observations.append(observation)
    read = count_read(observations)
    assert read >= read_at_least, f"{read} of {len(observations)} read, not {read_at_least}"
    return observations


def count_read(observations: Iterable[Observation]) -> int:
    """Return how many pictures were read."""
    return sum(observation.status is Status.OK for observation in observations)


def assert_all_read(reader: Reader, shots: Iterable[Shot]) -> list[Observation]:
    """Fail unless all *shots* are read, and rightly; return the observations."""
    observations = assert_never_wrong(reader, shots, read_at_least=0)
    for observation in observations:
        words = f"{observation.frame}: {observation.status}, {observation.reason}"
        assert observation.status is Status.OK, words
    return observations


def assert_unsettled(reader: Reader, shots: Iterable[Shot]) -> list[Observation]:
    """Fail unless all *shots* are unsettled, without a reading; return the observations."""
    observations = assert_never_wrong(reader, shots, read_at_least=0)
    for observation in observations:
        assert observation.status is Status.UNSETTLED, f"{observation.frame} is read"
        assert observation.reading is None, f"{observation.frame} has a reading"
    return observations
