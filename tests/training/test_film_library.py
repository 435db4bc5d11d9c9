"""A library of films: which homes they have, and how it goes on after it was stopped."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from rendering import film_library
from rendering.film_library import (
    FIRST,
    OutOfTime,
    film_folder,
    make_library,
    random_home,
)
from rendering.films import PLOTS, half_of, lay_film
from rendering.household_traits import TRAITS
from rendering.scenes import LENSES_DEG, PICTURE_PX


def test_homes_differ_by_seed_and_half_of_each_half_have_a_lamp() -> None:
    """The same film has the same home; no camera is too low."""
    for game in PLOTS:
        homes = {seed: random_home(game, seed) for seed in range(FIRST, FIRST + 8)}
        assert homes == {seed: random_home(game, seed) for seed in homes}
        for half in ("develop", "judge"):
            lamps = ["lamp" in homes[seed][0] for seed in homes if half_of(seed) == half]
            assert sum(lamps) == len(lamps) / 2
        for traits, angle in homes.values():
            assert traits <= TRAITS.keys() - {"low"}
            assert LENSES_DEG[0] <= angle <= LENSES_DEG[1]
        assert len(set(homes.values())) > 4


@pytest.mark.slow
def test_it_is_stopped_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was rendered stays; a film that is there is not touched; each says its half."""
    rendered: list[Path] = []
    monkeypatch.setattr(film_library, "_render", flatly(rendered, most=20))
    monkeypatch.setattr(film_library, "lay_film", briefly(lay_film))
    assert not make_library(tmp_path, ["topple"], [1, 2], None)
    assert len(set(rendered)) == len(rendered) == 20
    monkeypatch.setattr(film_library, "_render", flatly(rendered))
    assert make_library(tmp_path, ["topple"], [1, 2], None)
    assert len(set(rendered)) == len(rendered)
    for seed, half in ((1, "judge"), (2, "develop")):
        folder = film_folder(tmp_path, "topple", seed)
        film = json.loads((folder / "film.json").read_text("utf-8"))
        assert (folder.parent.name, film["half"]) == (half, half)
        pictures = {path.name for path in folder.glob("*.jpg")}
        assert pictures == {frame["row"]["frame"] for frame in film["frames"]}
        assert not (folder / "scenes").exists()
    count = len(rendered)
    assert make_library(tmp_path, ["topple"], [1, 2], None)
    assert len(rendered) == count


def briefly(lay: Callable[..., object]) -> Callable[..., object]:
    """Return how films of two moves are laid."""
    return lambda *given, **more: lay(*given, moves=2, **more)


def flatly(rendered: list[Path], most: int = 10_000) -> Callable[[Path, float], None]:
    """Return what renders scenes in one grey each, until *most* have been *rendered*."""

    def render(folder: Path, end_s: float) -> None:
        del end_s
        for path in sorted(folder.glob("????.json")):
            if path.with_suffix(".png").exists():
                continue
            if len(rendered) >= most:
                raise OutOfTime
            scene = json.loads(path.read_text("utf-8"))
            left, top, right, bottom = scene.get(
                "crop", (0, 0, *scene.get("picture_px", PICTURE_PX))
            )
            grey = 40 + 5 * (int(path.stem) % 20)
            cv2.imwrite(
                str(path.with_suffix(".png")),
                np.full((bottom - top, right - left, 3), grey, np.uint8),
            )
            rendered.append(path)

    return render
