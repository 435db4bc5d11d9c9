"""Pictures that two processes share: what somebody has stays as it is."""

import os
from collections.abc import Iterator

import numpy as np
import pytest

from vision.capture.frame import Picture
from vision.capture.shared_pictures import SPARE, PictureBorrower, PictureWriter, open_shared_file

HEIGHT, WIDTH = 3, 5


def picture(level: int) -> Picture:
    """Return a small picture of one level."""
    return np.full((HEIGHT, WIDTH, 3), level, np.uint8)


class Ends:
    """Both ends of a shared file, as two processes have them."""

    def __init__(self) -> None:
        self.file = open_shared_file()
        self.writer, self.borrower = PictureWriter(self.file), PictureBorrower(self.file)
        self.slots: list[int] = []

    def pass_on(self, level: int) -> Picture:
        """Return what comes of a picture of *level*."""
        slot = self.borrower.find_free()
        self.slots.append(slot)
        self.writer.write(slot, picture(level))
        return self.borrower.borrow(slot, HEIGHT, WIDTH)


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return both ends."""
    opened = Ends()
    yield opened
    os.close(opened.file)


def test_what_somebody_has_is_never_written_over(ends: Ends) -> None:
    """Though far more pictures are kept than there are slots."""
    kept = [ends.pass_on(level) for level in range(40)]
    assert [int(each.max()) for each in kept] == list(range(40))
    assert [int(each.min()) for each in kept] == list(range(40))
    assert set(ends.slots[SPARE:]) == {SPARE}


def test_a_part_of_a_picture_keeps_it(ends: Ends) -> None:
    """A reader may keep a crop of a crop."""
    part = ends.pass_on(7)[1:][:, 2:]
    for level in range(40):
        ends.pass_on(level)
    assert part.min() == part.max() == 7


def test_a_slot_is_free_once_nobody_has_its_picture(ends: Ends) -> None:
    """So the newest picture and the one before take two of them."""
    newest = ends.pass_on(0)
    for level in range(1, 40):
        newest = ends.pass_on(level)
    assert newest.max() == 39
    assert set(ends.slots) == {0, 1}


def test_a_picture_outlives_the_file(ends: Ends) -> None:
    """The camera may be restarted while somebody has one."""
    last = ends.pass_on(9)
    ends.borrower = PictureBorrower(-1)
    assert last.max() == 9


def test_pictures_of_another_size_are_refused(ends: Ends) -> None:
    """They would lie across those that somebody has."""
    ends.pass_on(1)
    with pytest.raises(ValueError, match="pixels became 5 × 6"):
        ends.writer.write(0, np.zeros((6, 5, 3), np.uint8))
