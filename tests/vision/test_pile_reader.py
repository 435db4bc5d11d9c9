"""The reader of Tippi Toppi's piles on recorded pictures, and on cards drawn upon them."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.judging import assert_all_read, assert_never_wrong, assert_unsettled
from tests.vision.tables import (
    PILES,
    busy_shots,
    calibrated_reader,
    new_reader,
    settled_shots,
    shots_of,
)
from vision.calibration import BadCalibration
from vision.capture.frame import Frame
from vision.cards import pile_reader as piles
from vision.cards.layout import COLOURS, TIPPI_TOPPI, VALUES
from vision.cards.pile_reader import PileReader
from vision.cards.symbols import SymbolPatch, classify_symbols
from vision.observation import HIDDEN, Reason


def push(frame: Frame, pushed_px: int) -> Frame:
    """Return what a camera sees that was pushed so that all lies so far to the right."""
    return Frame(frame.name, np.roll(frame.picture, pushed_px, axis=1), frame.taken_s)


@pytest.mark.parametrize("table", PILES)
def test_every_settled_picture_is_read(table: str) -> None:
    """Thick piles, upside-down cards and hands beside the table do not disturb a reading."""
    cards = {f"{colour} {value}" for colour in COLOURS for value in VALUES}
    for observation in assert_all_read(calibrated_reader(table), settled_shots(table)):
        assert len(observation.places) == len(TIPPI_TOPPI.piles)
        assert all(set(each.probabilities) == {*cards, HIDDEN} for each in observation.places)


@pytest.mark.parametrize("table", PILES)
def test_a_hand_over_a_pile_is_never_read(table: str) -> None:
    """A hand over one pile makes the whole picture unsettled."""
    for observation in assert_unsettled(calibrated_reader(table), busy_shots(table)):
        assert observation.reason is Reason.HAND
        assert observation.confidence == 0.0


@pytest.mark.parametrize("table", PILES)
def test_cards_are_classified_once_though_the_camera_is_pushed(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pile that looks as before is not classified again; one with another card on it is."""
    classified: list[int] = []

    def classify(patches: Sequence[SymbolPatch]) -> NDArray[np.float64]:
        classified.append(len(patches))
        return classify_symbols(patches)

    monkeypatch.setattr(piles, "classify_symbols", classify)
    reader, (shot, other) = calibrated_reader(table), settled_shots(table)[:2]
    assert shot.is_truly(reader.read(shot.frame))
    classified.clear()
    for pushed_px in (12, -5):
        assert shot.is_truly(reader.read(push(shot.frame, pushed_px)))
    assert sum(classified) == 0
    assert other.is_truly(reader.read(push(other.frame, 12)))
    assert sum(classified) > 0


@pytest.mark.parametrize("table", PILES)
def test_without_calibration_nothing_is_read_wrongly(table: str) -> None:
    """The printers' usual colours name the cards, or the reader abstains."""
    assert_never_wrong(new_reader(table), settled_shots(table), read_at_least=2)


def test_the_judge_notices_a_wrong_reading() -> None:
    """The judging helper fails when a picture is read otherwise than it truly is."""
    shot = settled_shots(PILES[0])[0]
    truth = copy.deepcopy(shot.truth)
    truth["piles"][2]["value"] = 8 - truth["piles"][2]["value"]
    with pytest.raises(AssertionError, match="is wrong"):
        assert_never_wrong(
            calibrated_reader(PILES[0]), [replace(shot, truth=truth)], read_at_least=0
        )


def test_the_judge_notices_a_reading_under_a_hand() -> None:
    """The judging helper fails when a picture is read in which nothing is settled."""
    shot = settled_shots(PILES[0])[0]
    lie = replace(shot, truth={"settled": False})
    with pytest.raises(AssertionError, match="is wrong"):
        assert_never_wrong(calibrated_reader(PILES[0]), [lie], read_at_least=0)


def test_only_the_covered_pile_is_hidden() -> None:
    """The other piles are still evidence, for whoever knows what to do with it."""
    shot = next(s for s in busy_shots("tippi_toppi_s01") if s.truth["covered_slots"] == [3])
    observation = calibrated_reader("tippi_toppi_s01").read(shot.frame)
    assert [place.best for place in observation.places] == ["pink 2", "purple 5", "green 1", HIDDEN]
    assert observation.doubtful == (3,)


def test_an_upside_down_six_is_a_six() -> None:
    """There is no 9 in this game: in this picture a 6 lies the other way round."""
    shot = next(s for s in shots_of("tippi_toppi_s01") if s.frame.name == "007.jpg")
    reading = calibrated_reader("tippi_toppi_s01").read(shot.frame).reading
    assert reading is not None
    assert reading["piles"][1] == {"color": "orange", "value": 6}


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ({}, "does not have 4 piles"),
        ({"piles": [{"color": "red", "value": 1}] * 4}, "are not among"),
        ({"piles": [7, 7, 7, 7]}, "are not among"),
    ],
    ids=["none", "colour", "shape"],
)
def test_no_calibration_on_an_impossible_truth(truth: dict[str, Any], message: str) -> None:
    """What is no row of piles is refused in one line that opens with the file."""
    with pytest.raises(BadCalibration, match=rf"^000\.jpg: .*{message}"):
        PileReader().calibrate(shots_of("tippi_toppi_s01")[0].frame, truth)


def test_no_calibration_without_tiles_or_cards() -> None:
    """A picture without the mat, or with a covered pile, teaches nothing and says what to do."""
    truth = shots_of("tippi_toppi_s01")[0].truth
    blank = Frame("blank.jpg", np.zeros((90, 160, 3), np.uint8), 0.0)
    with pytest.raises(BadCalibration, match="uncover all four"):
        PileReader().calibrate(blank, truth)
    covered = busy_shots("tippi_toppi_s01")[0]
    with pytest.raises(BadCalibration, match="uncover it"):
        calibrated_reader("tippi_toppi_s01").calibrate(covered.frame, truth)
