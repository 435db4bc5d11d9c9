"""Evidence of two quiet pictures of one table, added up."""

import pytest

from companion.referee.evidence import combine
from vision.observation import Evidence, Observation, Status


def picture(name: str, *unchanged: float) -> Observation:
    """Return a picture of two places, with how surely each looks as it did."""
    places = (Evidence({"nani": 0.6, "huhu": 0.4}), Evidence({"empty": 0.9, "nani": 0.1}))
    return Observation(name, Status.UNSETTLED, places, unchanged=unchanged)


def test_what_looks_unchanged_is_the_mean_of_both_pictures() -> None:
    """Neither picture decides alone; all else is that of the newer one."""
    both = combine(picture("1", 0.9, 0.2), picture("2", 0.5, 0.4))
    assert both.frame == "2"
    assert both.unchanged == pytest.approx((0.7, 0.3))
    assert both.places[0].best == "nani"
    assert both.places[0].of("nani") > 0.6


def test_pictures_compared_with_nothing_stay_so() -> None:
    """Where one of them was compared with none, nothing is known of what is unchanged."""
    assert combine(picture("1"), picture("2", 0.5, 0.4)).unchanged == ()
    assert combine(picture("1", 0.9, 0.2), picture("2")).unchanged == ()
