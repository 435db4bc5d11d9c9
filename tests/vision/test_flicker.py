"""Light that flickers, told from whatever else moves in front of a camera."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.vision.flickering import LOOKS, banded, noisy, small
from vision.capture.flicker import FlickerWatch
from vision.capture.frame import Picture
from vision.capture.picture_fault import PictureFault
from vision.capture.preview_frame import luma_of


def look(pictures: Iterator[Picture], needed: int = 5) -> list[PictureFault | None]:
    """Return what is found after each picture."""
    watch = FlickerWatch(needed)
    return [watch.look(luma_of(picture)) for picture in pictures]


@pytest.mark.parametrize(
    ("game", "depth"), [("tiki_topple", 0.05), ("uno_tiki", 0.05), ("topple", 0.1), ("topple", 0.3)]
)
def test_bands_are_found_within_two_seconds(game: str, depth: float) -> None:
    """From 5 % up and down, which is more than the gate takes for a table at rest."""
    found = look(banded(depth, game))
    assert found[:5] == [None] * 5
    assert found[-1] is PictureFault.BANDS


def test_a_picture_that_is_dark_and_bright_in_turn_is_found() -> None:
    """As of a camera whose automatic exposure never comes to rest."""
    picture = small("topple").astype(np.float64)
    pictures = (np.clip(picture * (1.15 if at % 2 else 0.85), 0, 255) for at in range(LOOKS))
    assert look(each.astype(np.uint8) for each in pictures)[-1] is PictureFault.PUMPING


def resting(random: np.random.Generator, at: int) -> Picture:
    """Return the table at rest."""
    del at
    return noisy(small("topple"), random)


def bumped(random: np.random.Generator, at: int) -> Picture:
    """Return it as a camera sees it that somebody turns."""
    picture = np.roll(small("topple"), ((-1) ** at * 2 * at, 5 * at), (0, 1))
    return noisy(picture, random)


def reached_over(random: np.random.Generator, at: int) -> Picture:
    """Return it under an arm that waves over a third of it."""
    picture = small("topple").copy()
    left = 50 + 30 * (at % 5)
    picture[50 * (at % 3) :, left : left + picture.shape[1] // 3] = (120, 150, 200)
    return noisy(picture, random)


def switched(random: np.random.Generator, at: int) -> Picture:
    """Return it as a lamp is switched on, and off again."""
    return noisy(small("topple") * (1.3 if 4 < at < 9 else 0.8), random)


@pytest.mark.parametrize("move", [resting, bumped, reached_over, switched])
def test_nothing_else_flickers(move: Callable[[np.random.Generator, int], Picture]) -> None:
    """A table at rest, a camera that is moved, an arm, a lamp."""
    random = np.random.default_rng(2)
    assert look(move(random, at) for at in range(LOOKS)) == [None] * LOOKS


def test_it_ends_with_another_lamp() -> None:
    """And a watch that began anew has seen nothing."""
    watch, picture = FlickerWatch(3), small("topple")
    for each in banded(0.2, "topple"):
        watch.look(luma_of(each))
    assert watch.found is PictureFault.BANDS
    ends = [watch.look(luma_of(picture)) for _ in range(5)]
    assert ends[-1] is None
    watch.restart()
    assert watch.look(luma_of(picture[:50])) is None
