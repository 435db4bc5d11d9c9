"""What homes have: each trait changes what it says, and nothing else of a table."""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rendering.films import SCENES, lay_film
from rendering.household_traits import LOW_DEG, TRAITS, parse_traits

pytestmark = pytest.mark.slow

Scene = dict[str, Any]


def lay(folder: Path, *traits: str, game: str = "tactiki") -> tuple[Path, Scene]:
    """Return the folder of the scenes of a short film in a home, and its first scene."""
    folder.mkdir()
    lay_film(game, folder, 5, 2, 0.0, traits)
    scenes = folder / SCENES
    found: Scene = json.loads((scenes / "0000.json").read_text("utf-8"))
    return scenes, found


@pytest.fixture
def plain(tmp_path: Path) -> tuple[Path, Scene]:
    """Return the same of the film as it is without any trait."""
    return lay(tmp_path / "plain")


def tilt_deg(scene: Scene) -> float:
    """Return how far from straight above the camera stands."""
    away = np.array(scene["camera"]["stands"]) - np.array(scene["camera"]["aim"])
    return math.degrees(math.atan2(math.hypot(away[0], away[1]), away[2]))


@pytest.mark.parametrize("trait", TRAITS)
def test_a_trait_changes_the_table(trait: str, tmp_path: Path, plain: tuple[Path, Scene]) -> None:
    """Its description, or one of its prints; the pieces stand where they stood."""
    folder, scene = lay(tmp_path / "home", trait)
    assert scene["columns"] == plain[1]["columns"]
    prints = [path.name for path in sorted(plain[0].glob("*.[jp][pn]g"))]
    same = [(plain[0] / name).read_bytes() == (folder / name).read_bytes() for name in prints]
    assert scene != plain[1] or not all(same)


def test_a_low_camera_looks_from_the_side(tmp_path: Path, plain: tuple[Path, Scene]) -> None:
    """Lower than any that is drawn without."""
    _, scene = lay(tmp_path / "home", "low")
    assert LOW_DEG[0] - 1.0 <= tilt_deg(scene) <= LOW_DEG[1] + 1.0
    assert tilt_deg(plain[1]) < LOW_DEG[0]


def test_a_lamp_beside_the_board_is_mirrored_on_the_mat(tmp_path: Path) -> None:
    """The camera sees it in a glossy table between the tiles."""
    _, scene = lay(tmp_path / "home", "lamp")
    (lamp,) = scene["lights"]["lamps"]
    turn, up = (math.radians(lamp[name]) for name in ("azimuth_deg", "elevation_deg"))
    way = np.array([math.cos(up) * math.cos(turn), -math.cos(up) * math.sin(turn), math.sin(up)])
    stands = np.array(scene["middle"]) + lamp["far_mm"] * way
    camera = np.array(scene["camera"]["stands"])
    mirrored = camera + camera[2] / (camera[2] + stands[2]) * (stands * [1, 1, -1] - camera)
    corners = np.array([(tile["x"], tile["y"]) for tile in scene["tiles"]])
    assert (corners.min(0) - 1.0 < mirrored[:2]).all()
    assert (mirrored[:2] < corners.max(0) + 1.0).all()
    assert abs(mirrored[2]) < 1e-6
    assert scene["sheen"] < 0.4


def test_like_colours_are_near_each_other(tmp_path: Path, plain: tuple[Path, Scene]) -> None:
    """Two of the paints, in hue."""

    def gap_deg(scene: Scene) -> float:
        bodies = np.array([[paint["body"] for paint in scene["paints"]]], np.float32)
        one, other = cv2.cvtColor(bodies, cv2.COLOR_RGB2HSV)[0, :, 0].tolist()
        return float(abs((one - other + 180.0) % 360.0 - 180.0))

    _, scene = lay(tmp_path / "home", "alike")
    assert gap_deg(scene) < 30.0 < gap_deg(plain[1])


def test_traits_are_named_with_commas_and_others_are_refused() -> None:
    """A wrong name says which there are."""
    assert parse_traits("low,gloss") == {"low", "gloss"}
    assert parse_traits("") == frozenset()
    with pytest.raises(ValueError, match=r"moon: no trait; there are cloth, low"):
        parse_traits("low,moon")
