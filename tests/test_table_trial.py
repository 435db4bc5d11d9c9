"""Trying out what was learned: named places, all games alike, and what set-up says of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from companion.recording import load_recording
from companion.referee.game import Table
from companion.registry import game_of, recordings
from companion.table.calibration_check import Misreading, Recogniser, check_calibration, try_table
from companion.table.calibration_words import describe_result
from companion.table.reader_calibration import CalibrationResult
from companion.table.readers import reader_setup_of, usual_table
from companion.web.pages.game_pages import pages_for
from tests.web.setting_up import picture_of, truth_of
from vision.capture.frame import Frame, Picture
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status
from vision.photometry.conditions import Condition, simulate_condition


class Scripted:
    """A reader that sees certain tables, by the condition; the true one under all others."""

    def __init__(self, table: Table, seen: Mapping[Condition, Table], doubtful: Any = ()) -> None:
        self._table, self._seen, self._doubtful = table, seen, doubtful
        self._count = 0

    def recognise(self, frame: Frame, known: Table) -> Observation:
        """Return the next condition's table."""
        del known
        condition = list(Condition)[self._count]
        self._count += 1
        table = self._seen.get(condition, self._table)
        doubtful = self._doubtful if condition in self._seen else ()
        places = tuple(Evidence({content or HIDDEN: 1.0}) for content in table)
        status = Status.UNSETTLED if doubtful else Status.OK
        return Observation(frame.name, status, places, doubtful=doubtful)


def plain() -> Frame:
    """Return a picture of nothing."""
    return Frame("x.jpg", np.full((20, 30, 3), 120, np.uint8), 0.0)


def test_a_table_that_is_recognised_under_all_conditions_is_learned_well() -> None:
    """Nothing is in doubt, and nothing is said."""
    trial = try_table(Scripted(("red", "blue"), {}), plain(), ("red", "blue"))
    assert (trial.places, trial.doubts, trial.worst) == (2, (), None)
    assert trial.is_good
    assert not trial.is_hopeless


def test_a_piece_taken_for_another_is_named_with_its_condition() -> None:
    """In less light only: it is weak, not refused, and the sentence says what would help."""
    reader = Scripted(("red", "blue"), {Condition.LESS_LIGHT: ("red", "red")})
    trial = try_table(reader, plain(), ("red", "blue"))
    assert trial.worst == Misreading(1, "blue", "red", Condition.LESS_LIGHT)
    assert not trial.is_hopeless
    said = describe_result(
        CalibrationResult(trial=trial), str, lambda place, content: f"{content} in {place}"
    )
    assert said[1] == (
        "In a test with less light, blue in 1 was taken for red in 1. More light on the table would"
        " help. Then calibrate again."
    )


def test_a_picture_that_is_not_even_read_itself_is_refused() -> None:
    """Taken for something else in the very picture that was learned from."""
    reader = Scripted(("red", "blue"), {Condition.AS_IT_IS: ("red", "red")})
    assert try_table(reader, plain(), ("red", "blue")).is_hopeless


def test_few_places_in_doubt_are_no_matter_and_many_are() -> None:
    """One of ten may be in doubt under one condition; three of ten are said."""
    table = tuple(f"piece {at}" for at in range(10))
    for count, is_said in ((1, False), (3, True)):
        reader = Scripted(table, {Condition.BLUR: table}, doubtful=tuple(range(count)))
        trial = try_table(reader, plain(), table)
        assert (trial.worst is not None) is is_said
        assert trial.share(Condition.BLUR) == pytest.approx(count / 10)


def test_light_that_is_taken_for_a_hand_puts_all_in_doubt() -> None:
    """As then the game would wait for a hand that is not there."""

    class Wary(Scripted):
        def recognise(self, frame: Frame, known: Table) -> Observation:
            seen = super().recognise(frame, known)
            is_light = frame.name.endswith(Condition.MORE_LIGHT)
            reason = Reason.HAND if is_light else None
            return Observation(seen.frame, Status.UNSETTLED, seen.places, reason=reason)

    trial = try_table(Wary(("red", "blue"), {}), plain(), ("red", "blue"))
    assert trial.share(Condition.MORE_LIGHT) == 1.0
    assert trial.share(Condition.LESS_LIGHT) == 0.0


@pytest.mark.parametrize("condition", Condition)
def test_an_imagined_picture_is_the_same_each_time(condition: Condition) -> None:
    """Of the same size; only as it is does it stay the same."""
    picture: Picture = np.random.default_rng(1).integers(0, 255, (40, 900, 3)).astype(np.uint8)
    one, other = (
        simulate_condition(picture, condition),
        simulate_condition(picture.copy(), condition),
    )
    assert one.shape == picture.shape
    assert one.dtype == np.uint8
    assert np.array_equal(one, other)
    assert np.array_equal(one, picture) is (condition is Condition.AS_IT_IS)


@pytest.mark.parametrize("game", ["tiki_topple", "topple", "tippi_toppi", "uno_tiki"])
@pytest.mark.slow(keep=["tiki", "tippi"])
def test_the_shipped_tables_are_learned_well(game: str) -> None:
    """From the pictures that teach; nothing is in doubt under any condition."""
    recording = load_recording(recordings()[game])
    assert recording.calibration is not None
    name, truth = recording.calibration
    frame = Frame(name, picture_of(game, name), 0.0)
    trial = check_calibration(reader_setup_of(game), recording.layout, frame, truth)
    assert trial.doubts == ()
    assert trial.is_good


def test_a_column_is_recognised_as_if_it_alone_were_not_known() -> None:
    """What people say of the others is believed, and a lie about one is found out."""
    setup, truth = reader_setup_of("topple"), truth_of("topple", "000.jpg")
    reader = setup.open_reader(usual_table("topple"))
    frame = Frame("000.jpg", picture_of("topple"), 0.0)
    reader.calibrate(frame, truth)
    table = setup.table_of(truth)
    assert table[5] == "pink 1"
    assert isinstance(reader, Recogniser)
    trial = try_table(reader, frame, (*table[:5], "green 1", *table[6:]))
    assert trial.is_hopeless
    assert {(doubt.place, doubt.seen) for doubt in trial.mistaken} == {(5, "pink 1")}


@pytest.mark.parametrize(("game", "unseen"), [("tippi_toppi", ("purple",)), ("topple", 4)])
def test_pieces_that_were_not_shown_are_named(game: str, unseen: Any) -> None:
    """The start of the shipped games shows three of four colours, and none."""
    setup, truth = reader_setup_of(game), truth_of(game, "001.jpg")
    known = setup.known_truth(setup.table_of(truth))
    assert known is not None
    frame = Frame("001.jpg", picture_of(game, "001.jpg"), 0.0)
    trial = check_calibration(setup, usual_table(game), frame, known)
    assert trial.unseen == unseen if isinstance(unseen, tuple) else len(trial.unseen) == unseen
    assert not trial.is_good
    words = setup.class_words, game_of(game).place_words
    said = describe_result(CalibrationResult(trial=trial), *words)
    assert said[1].startswith("Not shown yet: ")


@pytest.mark.parametrize("game", ["topple", "tippi_toppi"])
def test_what_the_page_offers_to_put_up_shows_all_pieces(game: str) -> None:
    """Each colour once; a reader takes it for a table that it can learn."""
    samples = pages_for(game).samples
    assert samples is not None
    table = reader_setup_of(game).table_of(samples)
    shown = [content.split()[0] for content in table if content and content != "empty"]
    assert sorted(shown) == sorted(set(shown))
    assert len(shown) == 4
