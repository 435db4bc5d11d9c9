"""How a reader's answers to recorded pictures are judged, whatever the game."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from vision.frame import Frame
from vision.sight import Look, Sight, Status

L = TypeVar("L", Sight, Look)
L_co = TypeVar("L_co", covariant=True)
L_contra = TypeVar("L_contra", contravariant=True)


class Reader(Protocol[L_co]):
    """What every game's reader can do."""

    def read(self, frame: Frame, /) -> L_co:
        """Return what the frame shows."""


class Shot(Protocol[L_contra]):
    """A frame, and the truth about it."""

    @property
    def frame(self) -> Frame:
        """The frame."""

    def is_truly(self, look: L_contra, /) -> bool:
        """Return whether what was read is so."""


def assert_never_wrong(reader: Reader[L], shots: Iterable[Shot[L]]) -> list[L]:
    """Read all *shots*, fail if one is read and not truly so, and return what was seen."""
    looks = []
    for shot in shots:
        look = reader.read(shot.frame)
        if look.status is Status.OK:
            assert shot.is_truly(look), f"{shot.frame.name}: {look} is wrong"
        looks.append(look)
    return looks


def assert_all_read(reader: Reader[L], shots: Iterable[Shot[L]]) -> None:
    """Fail unless all *shots* are read, and rightly."""
    for look in assert_never_wrong(reader, shots):
        assert look.status is Status.OK, f"{look.frame}: {look.status}, {look.reason}"
