"""Whose seat is where, learned by pointing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.sectors import BadSeats, SectorCalibration, Sectors, turned

FOUR = {0: 20.0, 1: 110.0, 2: 200.0, 3: 290.0}


def test_neighbours_meet_half_way() -> None:
    """Away from the line each is named alone; within a step and a hand of it both are."""
    table = Sectors(FOUR, step_deg=4.5, hand_deg=5.0)
    assert table.margin_deg == 9.5
    assert table.seats_at(65.0) == table.seats_at(55.6) == table.seats_at(74.4) == (0, 1)
    assert (table.seats_at(55.4), table.seats_at(74.6)) == ((0,), (1,))
    assert [table.nearest(angle) for angle in (64.9, 65.1, 335.1, 334.9)] == [0, 1, 0, 3]


def test_the_circle_has_no_end() -> None:
    """Before 0 and beyond 360 degrees the same seats sit."""
    table = Sectors(FOUR, step_deg=4.5)
    assert table.seats_at(335.0) == table.seats_at(-25.0) == table.seats_at(695.0) == (0, 3)
    assert table.seats_at(-340.0) == (0,)


def test_two_seats_meet_twice() -> None:
    """Between two players there are two lines, and each names both."""
    table = Sectors({0: 0.0, 1: 90.0}, step_deg=4.5)
    assert table.seats_at(45.0) == table.seats_at(225.0) == (0, 1)
    assert (table.seats_at(100.0), table.seats_at(300.0)) == ((1,), (0,))
    assert table.shares == {0: 0.5, 1: 0.5}


def test_shares_are_the_circle() -> None:
    """A seat with far neighbours has more of it, and together they have all."""
    shares = Sectors({0: 0.0, 1: 40.0, 2: 180.0}, step_deg=4.5).shares
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares[1] == pytest.approx(90 / 360)
    assert shares[2] == pytest.approx(160 / 360)


@pytest.mark.parametrize(
    ("angles_deg", "reason"),
    [
        ({0: 10.0}, "1 seats were given; the idol serves 2 to 10"),
        ({seat: seat * 32.0 for seat in range(11)}, "11 seats"),
        ({0: 0.0, 1: 20.0, 2: 180.0}, "seats 0 and 1 are 20 degrees apart.*need 28"),
        ({0: 350.0, 1: 180.0, 2: 5.0}, "seats 0 and 2 are 15 degrees apart"),
        ({0: 0.0, 1: float("nan")}, "seats 0 and 1 are nan degrees apart"),
        ({0: 0.0, 1: 180.0, 2: 90.0, 3: 270.0}, "clockwise the seats were given as 0, 2, 1, 3"),
    ],
)
def test_seats_that_cannot_be_told_apart_are_refused(
    angles_deg: dict[int, float], reason: str
) -> None:
    """One plain line says which, and what would be right."""
    with pytest.raises(BadSeats, match=reason) as caught:
        Sectors(angles_deg, step_deg=4.5)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("step_deg", "hand_deg"), [(0.0, 5.0), (4.5, -1.0)])
def test_a_margin_of_less_than_nothing_is_refused(step_deg: float, hand_deg: float) -> None:
    """An encoder has steps, and a hand has a width."""
    with pytest.raises(BadSeats, match="are not possible"):
        Sectors(FOUR, step_deg, hand_deg)


def test_people_may_sit_in_order_the_other_way_round() -> None:
    """Anticlockwise is an order too: neighbours are neighbours."""
    table = Sectors({0: 0.0, 1: 270.0, 2: 180.0, 3: 90.0}, step_deg=4.5)
    assert table.seats_at(315.0) == (0, 1)


def test_sectors_survive_being_saved() -> None:
    """What was taught comes back from JSON, with the same answers."""
    table = Sectors(FOUR, step_deg=1.8, hand_deg=7.0)
    again = Sectors.from_json(json.loads(json.dumps(table.to_json())))
    assert (again.angles_deg, again.step_deg, again.hand_deg) == (FOUR, 1.8, 7.0)


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"angles_deg": {"0": 1.0}, "step_deg": "4.5", "hand_deg": 5.0},
        {"angles_deg": {"near": 1.0, "1": 180.0}, "step_deg": 4.5, "hand_deg": 5.0},
        {"angles_deg": {"0": None, "1": 180.0}, "step_deg": 4.5, "hand_deg": 5.0},
    ],
)
def test_what_was_saved_wrongly_is_refused(saved: dict[str, object]) -> None:
    """It says what to do: teach again."""
    with pytest.raises(BadSeats, match="calibrate the idol again"):
        Sectors.from_json(saved)


def test_a_lesson_asks_for_one_seat_after_the_other() -> None:
    """The sectors are there with the last seat, and not before."""
    calibration = SectorCalibration((0, 1, 2), step_deg=4.5)
    asked = []
    found = None
    for angle in (10.0, 130.0, 250.0):
        assert found is None
        asked.append(calibration.seat)
        found = calibration.take(angle)
    assert asked == [0, 1, 2]
    assert calibration.seat is None
    assert found
    assert found.angles_deg == {0: 10.0, 1: 130.0, 2: 250.0}
    with pytest.raises(BadSeats, match="start again"):
        calibration.take(0.0)


def test_a_seat_taught_too_near_is_asked_for_again() -> None:
    """The angle is forgotten, those before it are kept."""
    calibration = SectorCalibration((0, 1), step_deg=4.5)
    calibration.take(10.0)
    with pytest.raises(BadSeats, match="20 degrees apart"):
        calibration.take(30.0)
    assert calibration.seat == 1
    assert calibration.take(200.0)


@pytest.mark.parametrize("seats", [(0,), (0, 0, 1), tuple(range(11))])
def test_a_lesson_has_two_to_ten_seats(seats: tuple[int, ...]) -> None:
    """Nobody, one alone, a seat twice or eleven are refused at the start."""
    with pytest.raises(BadSeats, match="2 to 10 different"):
        SectorCalibration(seats, step_deg=4.5)


@given(st.floats(-720, 720), st.floats(-720, 720))
def test_the_shorter_way_is_shorter(one: float, other: float) -> None:
    """It leads from one angle to the other, and by no more than half a turn."""
    way = turned(one, other)
    assert -180 <= way <= 180
    assert ((one + way - other + 1e-6) % 360) == pytest.approx(0, abs=1e-3)
