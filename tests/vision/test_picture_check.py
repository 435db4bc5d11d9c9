"""Pictures that show nothing: black ones, and one that is repeated."""

import numpy as np

from vision.capture.frame import Picture
from vision.capture.picture_check import PictureCheck

RANDOM = np.random.default_rng(3)
TABLE = RANDOM.integers(60, 160, (480, 640, 3), np.uint8)
BLACK = np.zeros_like(TABLE)


def faults(check: PictureCheck, *pictures: Picture, from_s: float = 0.0) -> list[str]:
    """Return what is found in *pictures*, one a second."""
    found = [check.find_fault(each, from_s + at_s) for at_s, each in enumerate(pictures)]
    return [fault.value if fault else "" for fault in found]


def noisy(picture: Picture) -> Picture:
    """Return *picture* as a sensor would see it again."""
    noise: Picture = RANDOM.integers(0, 2, picture.shape, np.uint8)
    return np.asarray(picture + noise, np.uint8)


def test_a_resting_table_has_no_fault() -> None:
    """Noise alone tells one picture of a sensor from the next."""
    assert faults(PictureCheck(is_sensor=True), *(noisy(TABLE) for _ in range(20))) == [""] * 20


def test_a_repeated_picture_of_a_sensor_is_a_fault_after_a_while() -> None:
    """Four seconds of the very same bytes; another picture ends it."""
    check = PictureCheck(is_sensor=True)
    assert faults(check, *[TABLE] * 6, noisy(TABLE)) == ["", "", "", "", *["repeated"] * 2, ""]


def test_a_repeated_picture_is_known_again_after_a_restart() -> None:
    """Else it would seem well for four seconds after each."""
    check = PictureCheck(is_sensor=True)
    faults(check, *[TABLE] * 6)
    check.reopen()
    assert faults(check, TABLE, from_s=9.0) == ["repeated"]


def test_a_stream_may_repeat_a_picture() -> None:
    """A compressed one does while nothing moves; if it stalls, no picture comes at all."""
    assert faults(PictureCheck(is_sensor=False), *[TABLE] * 9) == [""] * 9


def test_black_is_a_fault_after_a_while_and_is_not_called_repeated() -> None:
    """A covered lens; one broken pixel does not make it a picture."""
    dark = BLACK.copy()
    dark[0, 0] = 255
    for is_sensor in (True, False):
        check = PictureCheck(is_sensor=is_sensor)
        assert faults(check, TABLE, *[dark] * 6, TABLE)[3:] == ["", *["black"] * 3, ""]


def test_a_camera_may_begin_with_black_pictures() -> None:
    """At first, and each time it is opened."""
    check = PictureCheck(is_sensor=True)
    assert faults(check, *[BLACK] * 4, TABLE) == [""] * 5
    check.reopen()
    assert faults(check, *[BLACK] * 4, TABLE, from_s=60.0) == [""] * 5
