"""TacTiki's reader on recorded pictures: what it must read, and what it must never say."""

import cv2
import numpy as np
import pytest

from tests.vision.grids import (
    Shot,
    calibrated_reader,
    fresh_reader,
    put_bar,
    session_of,
    shots_of,
)
from tests.vision.judging import assert_all_read, assert_never_wrong, assert_unsettled
from tests.vision.stress import HARSH, MILD, count_read_under
from vision.capture.frame import Frame
from vision.columns.board_reader import decide
from vision.columns.cues.cast_shadows import CastShadows
from vision.columns.grid import parse_stacks
from vision.columns.heights import name_class
from vision.columns.model import Model
from vision.line.reader import BadCalibration
from vision.observation import EMPTY, HIDDEN, Evidence, Reason, Status

SESSIONS = ("tactiki_s01", "tactiki_s02", "tactiki_full", "tactiki_sun")
PLAIN = ("002.jpg", "003.jpg", "005.jpg", "008.jpg")
"""Boards of the full-sized session on which every spot can be told."""
ASIDE_OPEN = ("002.jpg", 1)
"""A picture from far aside, and the spot on it that is left open."""
SKIN = ((96, 130, 190), (40, 60, 100), (150, 180, 225))


def settled(session: str) -> list[Shot]:
    """Return the shots that show a position at rest, without the calibration picture."""
    return [shot for shot in shots_of(session)[1:] if shot.reading]


def plain_in_the_sun() -> Shot:
    """Return a shot of a board on which every spot can be told."""
    return next(shot for shot in settled("tactiki_sun") if shot.frame.name == "003.jpg")


def busy(session: str) -> list[Shot]:
    """Return the shots with a hand over the board."""
    return [shot for shot in shots_of(session) if not shot.reading]


@pytest.mark.slow
def test_heights_and_owners_are_read_across_the_board() -> None:
    """From a camera well to one side boards are read, stacks half behind others too.

    One is taken for a hand: so much has changed since the calibration picture.
    """
    shots = [shot for shot in settled("tactiki_full") if shot.frame.name in PLAIN]
    assert len(shots) == len(PLAIN)
    assert_never_wrong(calibrated_reader("tactiki_full"), shots, read_at_least=len(PLAIN) - 1)


@pytest.mark.slow
def test_the_tallest_stacks_are_hidden_from_far_aside() -> None:
    """There tops of six lie beyond their patches, so that no height is claimed."""
    shots, reader = settled("tactiki_aside"), calibrated_reader("tactiki_aside")
    for observation in assert_never_wrong(reader, shots, read_at_least=0):
        assert observation.reason is Reason.HIDDEN
        tall = [at for at in observation.doubtful if (observation.frame, at) != ASIDE_OPEN]
        assert tall
        assert all(observation.places[at].best == HIDDEN for at in tall)


@pytest.mark.slow
def test_shadows_tell_what_stands_below_the_camera() -> None:
    """Where a level rises by two pixels, its shadow tells it."""
    shots = settled("tactiki_sun")
    assert {"003.jpg", "006.jpg"} <= {shot.frame.name for shot in shots}
    assert_all_read(calibrated_reader("tactiki_sun"), shots)
    without = fresh_reader("tactiki_sun")
    known = shots_of("tactiki_sun")[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CastShadows, "learn", lambda *_: None)
        without.calibrate(known.frame, known.truth)
    doubtful = next(shot for shot in shots if shot.frame.name == "006.jpg")
    assert without.read(doubtful.frame).reason is Reason.UNCLEAR


@pytest.mark.parametrize("session", SESSIONS)
@pytest.mark.slow(keep=["tactiki_sun"])
def test_nothing_is_read_under_a_hand(session: str) -> None:
    """A hand over the board, in whatever skin, makes the picture unsettled."""
    assert_unsettled(calibrated_reader(session), busy(session))


@pytest.mark.parametrize("session", SESSIONS)
@pytest.mark.slow(keep=["tactiki_sun"])
def test_arms_put_anywhere_are_never_read_through(session: str) -> None:
    """Plain arms in three colours from all directions."""
    reader = calibrated_reader(session)
    for seed in range(6):
        shot = shots_of(session)[seed % len(shots_of(session))]
        assert_never_wrong(reader, [put_bar(shot, seed, SKIN[seed % 3])], read_at_least=0)


MIN_BOARDS_READ = {
    **dict.fromkeys([*MILD, *HARSH], 5),
    "the sun comes out": 2,
    "much out of focus": 3,
    "darker tones": 4,
    "shadow 7": 3,  # whose edge is taken for an arm, as long as no picture was accepted
    "shadow 9": 4,
    **dict.fromkeys(["overexposed", "a red lamp", "a green lamp", "a blue lamp"], 0),
    **dict.fromkeys(["glare 2", "glare 6"], 0),
}
"""How many of the pictures of all sessions must be read after each change; unchanged 6 are."""


@pytest.mark.parametrize("name", [*MILD, *HARSH])
@pytest.mark.slow
def test_no_light_makes_a_reading_wrong(name: str) -> None:
    """Other light may stop the reader, but never make it say what is not there."""
    read = count_read_under(name, SESSIONS, calibrated_reader, shots_of)
    assert read >= MIN_BOARDS_READ[name]


def test_a_shifted_camera_is_found_again() -> None:
    """A bump of a few pixels moves the tiles along with the board."""
    shot = plain_in_the_sun()
    move = np.array([[1.0, 0.0, 8.0], [0.0, 1.0, 5.0]])
    size = shot.frame.picture.shape[1::-1]
    moved = cv2.warpAffine(shot.frame.picture, move, size, borderMode=cv2.BORDER_REPLICATE)
    bumped = shot.altered(np.asarray(moved, np.uint8))
    (observation,) = assert_all_read(calibrated_reader("tactiki_sun"), [bumped])
    classes = {EMPTY, HIDDEN, *(name_class(o, h) for o in ("tac", "tiki") for h in range(1, 7))}
    assert len(observation.places) == 25
    assert all(set(each.probabilities) == classes for each in observation.places)


def test_grey_blurred_and_huge_pictures_are_never_misread() -> None:
    """Colour, sharpness and size may be missing; the answer may be, too, but is never wrong."""
    reader, shot = calibrated_reader("tactiki_sun"), plain_in_the_sun()
    picture = shot.frame.picture
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 6.0), np.uint8)
    huge = np.asarray(cv2.resize(picture, (7680, 4320)), np.uint8)
    assert_never_wrong(reader, [shot.altered(p) for p in (grey, huge)], read_at_least=1)
    assert reader.read(shot.altered(blurred).frame).status is Status.NO_MAT


def test_nothing_is_read_before_calibration() -> None:
    """Without learned colours of a table in view nothing is said, but that."""
    observation = fresh_reader("tactiki_s02").read(shots_of("tactiki_s02")[0].frame)
    assert (observation.status, observation.reason) == (Status.UNSETTLED, Reason.NOT_CALIBRATED)


@pytest.mark.parametrize(
    "cells",
    [
        None,
        7,
        [],
        [[[]] * 5] * 4,
        [[["pele"]] * 5] * 5,
        [[["tac"] * 7] * 5] * 5,
        [[["tac"]] * 5] * 5,
    ],
    ids=["missing", "number", "empty", "short", "unknown", "too high", "one owner only"],
)
def test_no_calibration_on_an_impossible_table(cells: object) -> None:
    """A truth without 25 proper stacks, or without both owners on top, is refused in one line."""
    known = shots_of("tactiki_s02")[0]
    with pytest.raises(BadCalibration, match=r"^000\.jpg: ") as caught:
        fresh_reader("tactiki_s02").calibrate(known.frame, {"cells": cells})
    assert "\n" not in str(caught.value)


def test_no_calibration_without_tiles() -> None:
    """A picture without the mat teaches nothing, and says what to do."""
    blank = Frame("blank.jpg", np.zeros((90, 160, 3), np.uint8), 0.0)
    with pytest.raises(BadCalibration, match="uncover all four"):
        fresh_reader("tactiki_s02").calibrate(blank, shots_of("tactiki_s02")[0].truth)


@pytest.mark.parametrize(
    ("model", "hidden", "is_read"),
    [
        (Model.FIGURES, 0.0, True),
        (Model.FIGURES, 0.18, True),
        (Model.FIGURES, 0.22, False),
        (Model.DISCS, 0.12, True),
        (Model.DISCS, 0.18, False),
    ],
)
def test_what_may_be_hidden_is_judged_apart_from_what_it_shows(
    model: Model, hidden: float, is_read: bool
) -> None:
    """A little doubt whether a field shows is no doubt about its height; much of it is."""
    grid = parse_stacks(session_of("tactiki_s02"))
    colour = grid.colours[0]
    seen = {f"{colour} 2": 0.97 * (1.0 - hidden), f"{colour} 3": 0.03 * (1.0 - hidden)}
    spots = (Evidence({**seen, HIDDEN: hidden}), *[Evidence({EMPTY: 1.0})] * 24)
    observation = decide("here", spots, grid, model)
    assert (observation.status is Status.OK) == is_read
    assert observation.doubtful == (() if is_read else (0,))


@pytest.mark.parametrize("hidden", [0.0, 0.12])
def test_two_likely_heights_are_no_reading(hidden: float) -> None:
    """However plainly a field shows."""
    grid = parse_stacks(session_of("tactiki_s02"))
    colour = grid.colours[0]
    seen = {f"{colour} 2": 0.88 * (1.0 - hidden), f"{colour} 3": 0.12 * (1.0 - hidden)}
    spots = (Evidence({**seen, HIDDEN: hidden}), *[Evidence({EMPTY: 1.0})] * 24)
    observation = decide("here", spots, grid, Model.FIGURES)
    assert (observation.status, observation.reason) == (Status.UNSETTLED, Reason.UNCLEAR)
    assert observation.doubtful == (0,)
