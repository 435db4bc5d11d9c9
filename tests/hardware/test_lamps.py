"""Lamps: every state of the table has its own light, in every zone, without its colour."""

from dataclasses import replace
from itertools import combinations

import pytest

from companion.scenes.light_patterns import light_zones
from companion.scenes.scene import is_lively, scene_of
from companion.scoreboard import Question, Scoreboard, TransientNotice
from hardware.lights import DARK
from hardware.zones import Zone, ZoneName, Zones
from tests.hardware.boards import board_of, states, with_turn
from tests.hardware.lamp_films import (
    BEATS,
    SIZES,
    Film,
    assert_told_apart,
    film,
    shown,
    without_colour,
)

LEVELS = {0: "dark", 1: "dim", 2: "bright"}


@pytest.mark.parametrize(("name", "count"), SIZES)
def test_scenes_are_told_apart_without_colour(name: ZoneName, count: int) -> None:
    """Who sees no colours still sees what any one zone says, the other zones unlit."""
    told = states()
    del told["topple by nobody"], told["tie"]  # these differ in the names alone
    assert_told_apart({state: film(board, name, count) for state, board in told.items()})


def test_any_wrong_places_are_told_from_every_other_scene() -> None:
    """No set of wrong slots, blinking or to be put right, looks like a turn or a question."""
    others = {film(board, "slots", 9) for state, board in states().items() if "wrong" not in state}
    others -= {film(states()["put right"], "slots", 9)}
    few = (slots for number in (1, 2) for slots in combinations(range(9), number))
    for slots in (*few, tuple(range(8)), tuple(range(9))):
        for kind in ("illegal", "put_right"):
            asked = Question(kind, "That does not fit.", slots, rows=slots, mark="1")
            assert film(replace(board_of(), question=asked), "slots", 9) not in others


def test_two_scenes_of_one_pattern_are_noticed() -> None:
    """The check fails on lights that differ in their hue alone."""
    red, green = ((200, 0, 0), DARK), ((0, 200, 0), DARK)
    films: dict[str, Film] = {"red": (without_colour(red),), "green": (without_colour(green),)}
    with pytest.raises(AssertionError, match="without its colour"):
        assert_told_apart(films)


def test_only_the_wrong_slots_are_lit_and_they_blink() -> None:
    """The lights point at the slots; blinking is more than another colour."""
    board = states()["wrong"]
    strips = [shown(board, "slots", 9, beat) for beat in (0, 1)]
    for strip in strips:
        assert [slot for slot, colour in enumerate(strip) if colour != DARK] == [1, 4]
    assert without_colour(strips[0]) != without_colour(strips[1])


def test_wrong_places_that_the_zone_lacks_light_all_of_it() -> None:
    """A table without a line still hears that something is wrong."""
    board = replace(states()["wrong"], rows=0)
    assert DARK not in shown(board, "slots", 9)
    assert DARK not in shown(states()["wrong"], "tower", 4)


@pytest.mark.parametrize(
    ("count", "rows", "lit"),
    [(9, 5, [2, 3, 7, 8]), (5, 5, [1, 4]), (4, 9, [0, 2]), (18, 9, [2, 3, 8, 9]), (2, 5, [0, 1])],
)
def test_the_lights_beside_a_row_point_at_its_wrong_places(
    count: int, rows: int, lit: list[int]
) -> None:
    """The zone is as long as the table, however many lights it has; no row is without one."""
    board = replace(states()["wrong"], rows=rows)
    strip = shown(board, "slots", count)
    assert [light for light, colour in enumerate(strip) if colour != DARK] == lit


def test_what_is_to_be_put_right_stands_still() -> None:
    """The wrong places stay bright while the others come and go."""
    films = film(states()["put right"], "slots", 9)
    assert {(beat[1], beat[4]) for beat in films} == {(2, 2)}
    assert {beat[0] for beat in films} == {0, 1}


def test_what_is_lively_moves_and_the_rest_does_not() -> None:
    """The beat is wanted exactly where a light changes with it."""
    for name, board in states().items():
        frames = {shown(board, "slots", 9, beat) for beat in range(BEATS)}
        assert is_lively(board) == (len(frames) > 1), name


def test_nothing_moves_while_all_is_well() -> None:
    """A quiet table has quiet lights."""
    assert not is_lively(board_of())


def test_as_many_lights_as_the_seats_number_are_bright() -> None:
    """The third player's turn lights the three lights at the top."""
    pattern = without_colour(shown(with_turn(board_of(), 2), "slots", 9))
    assert pattern == (2, 2, 2, 1, 1, 1, 1, 1, 1)


def test_a_seat_has_its_share_of_the_seats_zone() -> None:
    """Two lights for each of four seats: seat 2 has the third pair."""
    assert without_colour(shown(with_turn(board_of(), 2), "seats", 8)) == (1, 1, 1, 1, 2, 2, 1, 1)
    spun = replace(board_of(), moment=TransientNotice("spin", (2,), 180.0))
    assert without_colour(shown(spun, "seats", 8)) == (0, 0, 0, 0, 2, 2, 0, 0)


def test_what_concerns_nobody_lights_everybody() -> None:
    """A spin at a table whose seats were not taught lights the whole zone, three beats of four."""
    board = replace(board_of(), moment=TransientNotice("spin"))
    lit = [sum(map(bool, beat)) for beat in film(board, "seats", 8)[:4]]
    assert lit == [8, 8, 8, 0]


def ring(board: Scoreboard, idol_deg: float, beat: int = 0) -> set[int]:
    """Return the lit lights of an idol ring of twelve."""
    zones = Zones(slots=None, idol=Zone(0, 12), idol_deg=idol_deg)
    strip = light_zones(board, zones, beat)["idol"]
    return {place for place, colour in enumerate(strip) if colour != DARK}


@pytest.mark.parametrize(
    ("angle_deg", "idol_deg", "lit"),
    [
        (0.0, 0.0, {11, 0, 1}),
        (90.0, 0.0, {2, 3, 4}),
        (350.0, 0.0, {11, 0, 1}),
        (90.0, 90.0, {11, 0, 1}),  # the ring's first light is where the idol points
        (0.0, 90.0, {8, 9, 10}),
    ],
)
def test_the_ring_lights_the_arc_of_the_winning_seat(
    angle_deg: float, idol_deg: float, lit: set[int]
) -> None:
    """A quarter of the ring for one of four seats, where the idol points, wherever it begins."""
    board = replace(board_of(), moment=TransientNotice("spin", (1,), angle_deg))
    assert ring(board, idol_deg) == lit


def test_a_coarse_ring_lights_the_nearest_light() -> None:
    """Where no light is within the sector, the nearest one is lit."""
    board = replace(board_of(), moment=TransientNotice("spin", (1,), 50.0))
    strip = light_zones(board, Zones(slots=None, idol=Zone(0, 3)))["idol"]
    assert [colour != DARK for colour in strip] == [True, False, False]


def test_between_lights_one_side_then_the_other() -> None:
    """Two beats for the seat before, two for the seat behind, and they never overlap."""
    board = states()["between"]  # at 45 degrees
    sides = [ring(board, 0.0, beat) for beat in range(4)]
    assert sides == [{11, 0, 1}, {11, 0, 1}, {2, 3, 4}, {2, 3, 4}]
    colours = {shown(board, "seats", 4, beat) for beat in (0, 2)}
    assert len(colours) == 2


def test_a_countdown_loses_a_light_a_second() -> None:
    """The lit lights are the seconds that are left, as far as there are lights."""
    for seconds, lit in ((30, 9), (9, 9), (4, 4), (1, 1), (0, 1)):
        board = replace(board_of(), moment=TransientNotice("countdown", seconds_left=seconds))
        assert sum(colour != DARK for colour in shown(board, "slots", 9)) == lit


def test_a_tower_falls_from_its_top() -> None:
    """The topple's lights go out from the first to the last and begin again."""
    lit = [sum(map(bool, beat)) for beat in film(states()["topple"], "tower", 8)[:5]]
    assert lit == [8, 6, 4, 2, 8]


def test_what_the_people_must_settle_comes_before_the_turn() -> None:
    """A topple goes before a question, a question before a knock, and a game that is won first."""
    asked = states()["ask"]
    assert scene_of(replace(asked, moment=TransientNotice("topple"))).kind == "topple"
    assert scene_of(replace(asked, moment=TransientNotice("knock"))).kind == "ask"
    assert scene_of(replace(states()["won"], moment=TransientNotice("topple"))).kind == "won"
    assert scene_of(replace(board_of(), waiting="hand")).kind == "turn"


def test_a_game_that_nobody_has_won_is_lost() -> None:
    """Where all have lost together, nothing waits and nobody's colour shines."""
    lost = replace(states()["topple"], is_over=True, turn=None)
    assert scene_of(lost).kind == "lost"
