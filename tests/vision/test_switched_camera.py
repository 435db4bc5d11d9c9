"""A camera in whose place another one is put, and waiting for the first picture of one."""

from collections.abc import Iterator

import numpy as np
import pytest

from vision.capture import switched_camera
from vision.capture.camera import Camera, Shot, Unadapting
from vision.capture.device import CameraLost
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.frame import Frame
from vision.capture.preview_frame import PreviewFrame, glance_at
from vision.capture.switched_camera import SwitchedCamera, wait_for_glance


def glance(name: str) -> PreviewFrame:
    """Return a glance of that name."""
    return glance_at(Frame(name, np.zeros((48, 64, 3), np.uint8), 0.0))


class Counting(Unadapting):
    """A camera that counts its pictures until it is closed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_closed = False
        self.held: list[Controls] = []
        self.rates: list[float] = []

    def shots(self) -> Iterator[Shot]:
        """Yield them."""
        for number in range(100):
            if self.is_closed:
                return
            yield glance(f"{self.name}{number}")

    def hold(self, controls: Controls) -> None:
        """Remember *controls*."""
        self.held.append(controls)

    def hurry(self, rate_hz: float) -> None:
        """Remember the rate."""
        self.rates.append(rate_hz)

    def close(self) -> None:
        """End."""
        self.is_closed = True


def name_of(shot: Shot) -> str:
    """Return the name of a picture."""
    assert isinstance(shot, PreviewFrame)
    return shot.name


def test_another_camera_takes_over_between_two_pictures() -> None:
    """The old one is closed and shows nothing more; what is to be held is the new one's."""
    camera, one, two = SwitchedCamera(), Counting("a"), Counting("b")
    both: list[Camera] = [one, two]
    assert (camera.lock, camera.lens, camera.adapt()) == (Lock(), None, False)
    camera.hold({"gain": 1.0})
    camera.put(both[0], one.shots())
    shots = camera.shots()
    assert [name_of(next(shots)) for _ in range(2)] == ["a0", "a1"]
    begun = two.shots()
    assert name_of(next(begun)) == "b0"
    camera.put(both[1], begun)
    camera.hold({"gain": 2.0})
    assert one.is_closed
    assert [name_of(next(shots)) for _ in range(2)] == ["b1", "b2"]
    assert (one.held, two.held) == ([], [{"gain": 2.0}])
    camera.hurry(12.0)
    assert (one.rates, two.rates) == ([], [12.0])
    camera.close()
    assert list(shots) == []
    assert two.is_closed


def test_what_comes_after_the_end_is_closed_at_once() -> None:
    """Such as a camera that was slow to open while the companion was stopped."""
    camera, late = SwitchedCamera(), Counting("a")
    camera.close()
    camera.put(late, late.shots())
    assert late.is_closed
    assert list(camera.shots()) == []


def test_a_slow_camera_is_waited_for_and_a_lost_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that stalls once may come yet; what fails at once, or stalls again, is lost."""
    lost, shown = CameraLost("it stalls"), glance("a")
    with pytest.raises(CameraLost, match="it stalls"):
        wait_for_glance(iter([lost, shown]))
    monkeypatch.setattr(switched_camera, "STALL_S", 0.0)
    assert wait_for_glance(iter([lost, shown])) is shown
    with pytest.raises(CameraLost, match="is lost"):
        wait_for_glance(iter([lost, CameraLost("it is lost"), shown]))
    with pytest.raises(CameraLost, match="was closed"):
        wait_for_glance(iter([]))
