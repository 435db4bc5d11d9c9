"""Altered pictures: the same again from the same number, others from another, and read alike."""

import dataclasses

import cv2
import numpy as np
import pytest

from companion.apps.evaluation.alteration import ALTERATIONS, alter
from companion.apps.evaluation.pictures import evaluate_altered
from companion.recording import load_recording
from tests.readings import picture_of
from tests.recordings import SHIPPED
from vision.capture.frame import Picture

NUMBERS = range(1, 41)


@pytest.fixture(scope="module")
def picture() -> Picture:
    """Return a recorded picture."""
    return picture_of("tiki_topple")


def test_a_number_alters_a_picture_alike_each_time(picture: Picture) -> None:
    """Who reads of a wrong reading can look at the very picture."""
    assert np.array_equal(alter(picture, "a/001.jpg", 3), alter(picture, "a/001.jpg", 3))


def test_other_numbers_and_names_alter_it_otherwise(picture: Picture) -> None:
    """Hardly two of many are the same; only a JPEG's quality has few values."""
    small = np.ascontiguousarray(picture[::2, ::2])
    made = {alter(small, name, number).tobytes() for name in "ab" for number in NUMBERS}
    assert len(made) > 0.95 * 2 * len(NUMBERS)


def test_each_change_is_seen_but_leaves_a_table(picture: Picture) -> None:
    """Whatever happens by itself changes the picture, to one that looks much like it still."""
    for name, change in ALTERATIONS.items():
        for seed in range(5):
            random = np.random.default_rng(seed)
            levels = change(picture.astype(np.float32), random).clip(0, 255)
            assert levels.shape[2] == 3, name
            assert levels.shape[0] >= picture.shape[0] / 2, name
            again = cv2.resize(levels, picture.shape[1::-1]).astype(np.float32)
            apart = np.abs(again - picture).mean()
            assert 0.1 < apart < 70.0, (name, seed, apart)


@pytest.mark.slow
def test_altered_pictures_are_counted_each_by_its_truth() -> None:
    """Every picture counts once a number: at rest it is read rightly or not at all."""
    recording = load_recording(SHIPPED)
    plain = evaluate_altered(recording, range(1, 1))
    assert (plain.settled, plain.busy) == (0, 0)
    tally = evaluate_altered(recording, range(1, 3))
    assert (tally.settled, tally.busy) == (2 * 23, 2 * 28)
    assert tally.wrong == tally.believed == 0
    assert tally.read > tally.settled / 2
    assert not tally.ratios
    assert dataclasses.replace(tally, faults=[]).unreadable == 0
