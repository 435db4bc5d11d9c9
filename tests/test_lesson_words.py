"""What is said of a lesson: whether it is learned, what is wrong all the same, what is weakest."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.language.speech import speaking, translated
from companion.rules.tiki_topple import TIKIS
from companion.table.calibration_check import UNRECOGNISED, CalibrationCheck
from companion.table.calibration_words import describe_result
from companion.table.reader_calibration import CalibrationResult
from companion.table.readers import reader_setup_of
from tests.set_up_tables import Table, name_place
from tests.tables import sit_down
from tests.web.setting_up import picture_of
from vision.calibration import Separation
from vision.capture.exposure_lock import Lock

CLASS_WORDS = reader_setup_of("tiki_topple").class_words
GLARE = "There is glare at the top of the picture."


def test_a_bad_picture_is_named_though_the_table_was_learned(tmp_path: Path) -> None:
    """It may do now, and not in the evening; the lesson is kept all the same."""
    picture = picture_of("tiki_topple")
    # By candlelight, as far as the reader can still tell the tikis apart.
    bad = np.asarray(np.clip(picture * np.array([0.33, 0.7, 1.0]), 0, 255), np.uint8)
    with Table(sit_down(line=None), bad, tmp_path) as table:
        lesson = table.learn({"line": list(TIKIS)})
    assert lesson.problem.startswith("The light is too yellow"), lesson
    said = describe_result(lesson, CLASS_WORDS, name_place)
    expected = "Not calibrated" if lesson.trouble else "But one thing should be better: The light"
    assert any(each.startswith(expected) for each in said), said
    assert any("The light is too yellow" in each for each in said)


def test_a_good_picture_has_no_problem(tmp_path: Path) -> None:
    """And a camera that holds all has nothing to be told."""
    with Table(sit_down(line=None), picture_of("tiki_topple"), tmp_path) as table:
        lesson = table.learn({"line": list(TIKIS)})
        assert (lesson.problem, lesson.unheld) == ("", ())
        table.camera.lock = Lock({}, ("exposure", "white_balance_k"))
        assert table.learn({"line": list(TIKIS)}).unheld == ("exposure", "white_balance_k")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"trouble": "no tiles", "problem": GLARE}, ["Not calibrated: no tiles.", GLARE]),
        (
            {"problem": GLARE},
            ["is calibrated", f"But one thing should be better: {GLARE} Then calibrate"],
        ),
        ({"unsaved": "No space left on device"}, ["is calibrated", "Free some space"]),
        (
            {"unheld": ("ExposureTime", "white_balance_k")},
            ["is calibrated", "This camera keeps adjusting exposure and white balance. Turn"],
        ),
    ],
)
def test_all_that_matters_is_said(changes: Mapping[str, Any], words: list[str]) -> None:
    """A sentence each, in the order in which people need them."""
    said = describe_result(replace(CalibrationResult(), **changes), CLASS_WORDS, name_place)
    assert len(said) == len(words)
    assert all(word in sentence for word, sentence in zip(words, said, strict=True)), said


@pytest.mark.parametrize(
    ("language", "weak", "well"),
    [
        (
            "en",
            "look nearly alike under this lamp. Use whiter or brighter light",
            "can tell them apart",
        ),
        (
            "es",
            "se ven casi iguales con esta lámpara. Pon una luz más blanca",
            "los distingue bien",
        ),
        (
            "de",
            "sehen unter dieser Lampe fast gleich aus. Nehmt weißeres",
            "kann sie unterscheiden",
        ),
    ],
)
def test_the_two_weakest_are_named_in_each_language(language: str, weak: str, well: str) -> None:
    """By what people call them; and of such that are weak, what would help."""
    for share, words in ((0.7, weak), (2.0, well)):
        lesson = CalibrationResult(
            trial=CalibrationCheck(closest=Separation("hookipa", "eepo", share))
        )
        said = describe_result(lesson, CLASS_WORDS, name_place)[-1]
        with speaking(language):
            told = translated(said)
        assert "Hookipa" in told
        assert "Eepo" in told
        assert words in told


def test_why_a_table_was_not_learned_is_said_in_each_language() -> None:
    """The reason too, which stands within another sentence."""
    lesson = CalibrationResult(trouble=UNRECOGNISED)
    (refused,) = describe_result(lesson, CLASS_WORDS, name_place)
    assert refused == f"Not calibrated: {UNRECOGNISED}."
    for language in ("de", "es"):
        with speaking(language):
            told = translated(refused)
            assert str(translated(UNRECOGNISED)) in told
        assert "does not recognise" not in told
