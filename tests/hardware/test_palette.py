"""The seats' colours: told apart by everybody, as far as colours can be."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from companion.colours import COLOURS
from companion.scenes.light_patterns import light_zones
from companion.scenes.palette import DIM, SCENES, colour_of, dimmed, light_of
from companion.scenes.scene import Scene
from hardware.lights import Colour
from hardware.zones import Zones
from tests.hardware.boards import board_of, with_turn
from tests.hardware.colour_vision import VISIONS, Lab, Linear, ciede2000, linear, luminance, seen_as

LIGHTS = tuple(colour.light for colour in COLOURS.values())
SEATS = LIGHTS[:4]  # the pawns in the box: red, blue, yellow, green
SCREENS = tuple(linear(colour.screen) for colour in COLOURS.values())
LEAST_APART = 28.0  # CIEDE2000; about 1 can just be seen side by side, 10 at a glance
BEFORE = ((200, 20, 10), (0, 60, 200), (170, 110, 0), (0, 140, 30))  # bright red, blue, ...


def least_apart(colours: Sequence[Linear], vision: str) -> float:
    """Return how far apart the two most alike of *colours* look to somebody with that vision."""
    return min(
        ciede2000(seen_as(one, vision), seen_as(other, vision))
        for one, other in combinations(colours, 2)
    )


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_measure_gives_the_published_figures(one: Lab, other: Lab, published: float) -> None:
    """CIEDE2000 agrees with the test data of its authors to all four places."""
    assert ciede2000(one, other) == pytest.approx(published, abs=5e-5)


@pytest.mark.parametrize("vision", VISIONS)
def test_the_simulation_leaves_white_white(vision: str) -> None:
    """A published matrix keeps what has no colour, to the rounding of its figures."""
    assert ciede2000(seen_as((255, 255, 255), vision), seen_as((255, 255, 255), "normal")) < 0.1


@pytest.mark.parametrize("vision", VISIONS)
def test_seats_are_told_apart_by_every_kind_of_eyes(vision: str) -> None:
    """Any two seats' colours differ plainly, bright or dim."""
    assert least_apart(SEATS, vision) > LEAST_APART
    assert least_apart(tuple(map(dimmed, SEATS)), vision) > LEAST_APART / 3


@pytest.mark.parametrize("vision", VISIONS)
def test_all_ten_colours_are_told_apart_at_a_glance(vision: str) -> None:
    """On screens and as lights, whoever looks; the first four, red and green above all, by far."""
    assert least_apart(LIGHTS, vision) > 12.5
    assert least_apart(SCREENS, vision) > 9.9
    assert least_apart(SCREENS[:4], vision) > 18
    assert ciede2000(seen_as(SCREENS[0], vision), seen_as(SCREENS[3], vision)) > 19


@pytest.mark.parametrize("screen", SCREENS)
def test_dark_letters_are_read_on_every_colour(screen: Linear) -> None:
    """Their contrast is 4.5 to 1 and more, as WCAG 2 asks of text."""
    letters = luminance(linear("#1c120c"))
    assert (luminance(screen) + 0.05) / (letters + 0.05) > 4.5


def test_the_colours_that_first_come_to_mind_fail() -> None:
    """The check can fail: plain yellow and green look alike without red receptors."""
    assert least_apart(BEFORE, "protanopia") < 8
    assert least_apart((linear("#ff6b63"), linear("#4fd07a")), "deuteranopia") < 6


@pytest.mark.parametrize("colour", [*LIGHTS, *SCENES.values()])
def test_bright_is_bright_and_dim_is_lit(colour: Colour) -> None:
    """Every colour stands out from its own dim form by more than its hue, and dim is not dark."""
    assert luminance(colour) > 5 * luminance(dimmed(colour)) > 0
    assert 0 < DIM < 0.2


def test_scenes_about_a_player_have_the_players_colour() -> None:
    """It is the player's own in all that concerns it; the others have the scene's."""
    red, green = LIGHTS[0], LIGHTS[3]
    assert colour_of(Scene("spin", (2,)).kind, green) == colour_of("turn", green) == green
    assert colour_of("topple", red) == SCENES["topple"]
    assert colour_of("spin", None) not in LIGHTS


def test_a_player_named_red_who_plays_blue_is_lit_in_blue() -> None:
    """The light is that of the pieces, whatever the seat and the name."""
    board = board_of(2)
    players = (
        replace(board.players[0], name="Red", colour="blue"),
        replace(board.players[1], name="Blue", colour="red"),
    )
    board = replace(board, players=players)
    for seat, colour in enumerate(("blue", "red")):
        strip = light_zones(with_turn(board, seat), Zones())["slots"]
        assert strip[0] == COLOURS[colour].light
        assert set(strip) == {COLOURS[colour].light, dimmed(COLOURS[colour].light)}
    assert light_of(replace(players[0], colour="")) == COLOURS["red"].light
