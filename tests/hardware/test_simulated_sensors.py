"""Pretended sensors: words that become the facts which real ones would tell."""

import pytest

from hardware.facts import Fact, Pressed, Spun, TowerMoved
from hardware.simulated_sensors import SimulatedSensors, UnknownCommand, even_sectors


def facts_of(*words: str, seats: int = 4) -> list[Fact]:
    """Return what is told when *words* are simulated."""
    found: list[Fact] = []
    sensors = SimulatedSensors(lambda: seats, found.append, clock=lambda: 1.0)
    sensors.start()
    for each in words:
        sensors.simulate(each)
    sensors.close()
    return found


def spun(words: str, seats: int = 4) -> Spun:
    """Return the spin that *words* pretend."""
    (found,) = facts_of(words, seats=seats)
    assert isinstance(found, Spun)
    return found


def test_towers_and_buttons_speak() -> None:
    """Each word is its fact; a knock is a wobble from outside."""
    assert facts_of("topple", "knock", "press uno 3", "press undo") == [
        TowerMoved("topple", 1.0),
        TowerMoved("wobble", 1.0, knocked=True),
        Pressed("uno", 3, 1.0),
        Pressed("undo", None, 1.0),
    ]


@pytest.mark.parametrize(
    ("angle_deg", "seats", "expected"),
    [
        (0, 4, (0,)),
        (359, 4, (0,)),
        (90, 4, (1,)),
        (45, 4, (0, 1)),
        (315, 4, (0, 3)),
        (45.5 + even_sectors(4).margin_deg, 4, (1,)),
        (-90, 4, (3,)),
        (180, 2, (1,)),
        (90, 2, (0, 1)),
        (36 * 9, 10, (9,)),
    ],
)
def test_the_idol_names_the_seat_it_points_at(
    angle_deg: float, seats: int, expected: tuple[int, ...]
) -> None:
    """Seats stand evenly around it, clockwise from 0 degrees; near a border it names both."""
    found = spun(f"spin {angle_deg} 1.5", seats)
    assert (found.seats, found.void, found.trusted) == (expected, False, True)
    assert 0 <= found.angle_deg < 360


def test_less_than_a_full_turn_is_void() -> None:
    """Also the other way round, and it names nobody."""
    found = spun("spin 10 -0.9")
    assert (found.void, found.seats, found.clockwise, found.turns) == (True, (), False, 0.9)


@pytest.mark.parametrize(
    "words",
    ["", "fly", "press uno", "press uno 4", "press undo 1", "spin 1", "spin x 1", "spin nan 2",
     "spin 1 inf", "topple now"],
)  # fmt: skip
def test_other_words_are_refused_with_those_that_are_known(words: str) -> None:
    """One line, and nothing is told."""
    with pytest.raises(UnknownCommand, match=r"not something a sensor reports; words are 'topple'"):
        facts_of(words)
