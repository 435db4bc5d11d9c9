"""How a reader's answers to recorded pictures are judged, whatever the game."""

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


def assert_never_wrong(reader: Reader, shots: Iterable[Shot]) -> list[Observation]:
    """Read all *shots*, fail if one is read and not truly so, and return what was seen."""
    observations = []
    for shot in shots:
        observation = reader.read(shot.frame)
        if observation.status is Status.OK:
            assert shot.is_truly(observation), f"{shot.frame.name}: {observation} is wrong"
        observations.append(observation)
    return observations


def assert_all_read(reader: Reader, shots: Iterable[Shot]) -> None:
    """Fail unless all *shots* are read, and rightly."""
    for observation in assert_never_wrong(reader, shots):
        words = f"{observation.frame}: {observation.status}, {observation.reason}"
        assert observation.status is Status.OK, words
