"""Films with troubles in the middle: nothing wrong is accepted, and the game goes on."""

from pathlib import Path
from typing import Final

import pytest

from companion.apps.evaluation.games import evaluate_film
from companion.apps.evaluation.simulated_host import FilmTally
from companion.registry import recordings
from tests.bad_films import MISSING, TROUBLES, late, spoil

LATE: Final = late.__name__
PASSING: Final = [*(name for name in TROUBLES if name != LATE), MISSING]
SHORT: Final = 13
"""So many pictures are enough for one of each trouble."""


def play(folder: Path, game: str, trouble: str, length: int | None = None) -> FilmTally:
    """Play the film of *game* with *trouble* in it."""
    recording, conditions = spoil(folder, game, trouble, length)
    return evaluate_film(recording, conditions)


def assert_unharmed(tally: FilmTally) -> None:
    """Fail unless every move was followed, nothing else was, and the game ends as it did."""
    assert (tally.wrong, tally.believed, tally.astray, tally.stuck) == (0, 0, 0, 0), tally.faults
    assert tally.moves == tally.right, tally.faults
    assert tally.named == tally.illegal, tally.faults
    # A Tiki Face that no picture showed is asked for, and then where its spin stopped.
    assert tally.asked <= 2, tally.faults


def test_a_harmed_game_is_noticed() -> None:
    """The check fails on a wrong move, one that was missed, and a table that was not named."""
    assert_unharmed(FilmTally(moves=3, right=3, illegal=1, named=1))
    for harmed in (
        FilmTally(moves=3, right=3, wrong=1),
        FilmTally(moves=3, right=2),
        FilmTally(illegal=1),
        FilmTally(asked=3),
    ):
        with pytest.raises(AssertionError):
            assert_unharmed(harmed)


@pytest.mark.parametrize("trouble", PASSING)
def test_the_next_good_picture_is_followed(tmp_path: Path, trouble: str) -> None:
    """The first pictures of the line, whatever comes between them."""
    assert_unharmed(play(tmp_path, "tiki_topple", trouble, SHORT))


@pytest.mark.parametrize("game", recordings())
@pytest.mark.parametrize("trouble", PASSING)
@pytest.mark.slow
def test_a_whole_film_is_followed(tmp_path: Path, game: str, trouble: str) -> None:
    """Every trouble three times in a film of each game."""
    tally = play(tmp_path, game, trouble)
    assert_unharmed(tally)
    assert tally.as_recorded == 1


@pytest.mark.parametrize("game", recordings())
@pytest.mark.slow
def test_a_picture_that_comes_too_late_looks_like_a_take_back(tmp_path: Path, game: str) -> None:
    """It is what the table would look like then: the game goes on, and ends as it did."""
    tally = play(tmp_path, game, LATE)
    assert (tally.stuck, tally.as_recorded) == (0, 1), tally.faults
    assert tally.asked <= 1, tally.faults
    assert not [fault for fault in tally.faults if "position: ." in fault]
