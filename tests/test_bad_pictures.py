"""Every reader on everything that is no good picture of its table: an answer, never a crash."""

import json
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apps.evaluation.pictures import agrees
from companion.cli import main
from companion.table.reader_opening import read_standalone
from tests.readings import GAMES, assert_honest, path_of, picture_of, see, taught, truth_of
from vision.capture.frame import Frame, Picture
from vision.observation import Observation, Reason, Status


def test_a_dishonest_answer_is_noticed() -> None:
    """The judging helper fails on a false reading, one from nowhere, and half an answer."""
    observation = Observation(
        "x", Status.OK, reading={"line": ["nani", "nui", "kapu"]}, confidence=0.9
    )
    assert_honest(observation, {"line": ["nani", "nui", "kapu"]})
    for lie, truth in (
        (observation, {"line": ["nui", "nani", "kapu"]}),
        (observation, None),
        (replace(observation, status=Status.UNSETTLED), truth_of("tiki_topple")),
        (replace(observation, confidence=1.5), {"line": ["nani", "nui", "kapu"]}),
    ):
        with pytest.raises(AssertionError):
            assert_honest(lie, truth)


EMPTY_SCENES: Final = {
    "one pixel": np.zeros((1, 1, 3), np.uint8),
    "a sliver": np.zeros((3, 5000, 3), np.uint8),
    "a pole": np.zeros((5000, 3, 3), np.uint8),
    "a line": np.zeros((1, 5000, 3), np.uint8),
    "black": np.zeros((864, 1536, 3), np.uint8),
    "white": np.full((864, 1536, 3), 255, np.uint8),
    "black 8K": np.zeros((4320, 7680, 3), np.uint8),
    "one channel": np.zeros((864, 1536), np.uint8),
    "noise": np.random.default_rng(5).integers(0, 256, (864, 1536, 3)).astype(np.uint8),
}


@pytest.mark.parametrize("picture", EMPTY_SCENES.values(), ids=EMPTY_SCENES.keys())
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["tiki_topple", "tippi_toppi", "uno_tiki"])
def test_where_there_is_no_mat_none_is_seen(game: str, picture: Picture) -> None:
    """Nothing at all, in any size: `no_mat`, also when the tiles were known a moment ago."""
    observation = taught(game).read(Frame("strange", picture, 0.0))
    assert observation.status is Status.NO_MAT
    assert observation.reason is Reason.TILES
    assert_honest(observation, None)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["tiki_topple", "tippi_toppi", "uno_tiki"])
def test_another_games_mat_is_none(game: str) -> None:
    """Each game's tiles are its own."""
    for other in GAMES:
        if other != game:
            observation = taught(game).read(Frame("other", picture_of(other), 0.0))
            assert observation.status is Status.NO_MAT


def mirror(picture: Picture) -> Picture:
    """Return the picture as a mirror shows it; its tiles are no markers then."""
    return np.ascontiguousarray(picture[:, ::-1])


def half(picture: Picture) -> Picture:
    """Return the left half of the picture."""
    return np.ascontiguousarray(picture[:, : picture.shape[1] // 2])


@pytest.mark.parametrize("spoil", [mirror, half])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["tiki_topple", "tippi_toppi", "uno_tiki"])
def test_half_a_mat_or_a_mirrored_one_is_none(
    game: str, spoil: Callable[[Picture], Picture]
) -> None:
    """Two tiles, or four that are wrong side round, are not enough."""
    assert see(game, spoil(picture_of(game))).status is Status.NO_MAT


def upside_down(picture: Picture) -> Picture:
    """Return what a camera at the other side of the table sees."""
    return np.ascontiguousarray(picture[::-1, ::-1])


def grey(picture: Picture) -> Picture:
    """Return the picture without colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def huge(picture: Picture) -> Picture:
    """Return the picture as an 8K camera would send it."""
    return np.asarray(cv2.resize(picture, (7680, 4320)), np.uint8)


def twice(picture: Picture) -> Picture:
    """Return two mats side by side."""
    return np.hstack([picture, picture])


def one_tile_less(picture: Picture) -> Picture:
    """Return the picture with a dark corner over one of the four tiles."""
    spoilt = picture.copy()
    spoilt[: picture.shape[0] // 3, : picture.shape[1] // 3] = 40
    return spoilt


def on_a_screen(picture: Picture) -> Picture:
    """Return a photograph of a screen that shows the picture: bezel, moire, glare and slant."""
    height, width = picture.shape[:2]
    rows, columns = np.indices((height, width))
    levels = 255.0 * (picture / 255.0) ** 1.25
    levels *= 0.9 + 0.06 * np.sin(2.1 * rows + 0.03 * columns)[..., None]
    levels[..., 0] *= 1.0 + 0.05 * np.sin(1.9 * columns)
    glare = np.exp(
        -((columns - 0.7 * width) ** 2 + (rows - 0.3 * height) ** 2) / (0.1 * width) ** 2
    )
    screen = np.clip(levels + 90.0 * glare[..., None], 0, 255).astype(np.uint8)
    edge = width // 20
    screen = cv2.copyMakeBorder(
        screen, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(9, 9, 9)
    )
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    there = np.array([[0.06, 0.1], [0.93, 0.04], [0.97, 0.9], [0.03, 0.96]], np.float32)
    slant = cv2.getPerspectiveTransform(
        corners * np.array(screen.shape[1::-1], np.float32),
        there * np.array((width, height), np.float32),
    )
    return np.asarray(cv2.warpPerspective(screen, slant, (width, height)), np.uint8)


SCENES: Final[tuple[Callable[[Picture], Picture], ...]] = (
    upside_down,
    grey,
    huge,
    twice,
    one_tile_less,
    on_a_screen,
)


@pytest.mark.parametrize("change", SCENES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["tiki_topple", "tippi_toppi", "uno_tiki"])
def test_strange_views_of_a_mat_are_read_truly_or_not_at_all(
    game: str, change: Callable[[Picture], Picture]
) -> None:
    """Whoever takes the picture, and of whatever: never a false reading."""
    assert_honest(see(game, change(picture_of(game))), truth_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_a_loose_picture_chooses_its_game_by_its_tiles(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a session.json: read in the usual colours, or `untaught` where there are none."""
    path = tmp_path / "loose.jpg"
    path.write_bytes(path_of(game).read_bytes())
    assert main(["read", str(path)]) == 0
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    if game in ("tiki_topple", "tippi_toppi"):
        assert line["status"] == "ok"
        assert agrees(line["reading"], truth_of(game))
        assert line["confidence"] > 0.5
    else:
        assert (line["status"], line["reason"]) == ("unsettled", "untaught")
        assert (line["reading"], line["confidence"]) == (None, 0.0)


def test_loose_pictures_of_no_mat_and_of_two_are_not_guessed_at() -> None:
    """Two tiles are too few; the tiles of two games tell of neither."""
    line, piles = picture_of("tiki_topple"), picture_of("tippi_toppi")
    assert read_standalone(Frame("half", half(line), 0.0)).reason is Reason.TILES
    assert read_standalone(Frame("tiny", np.zeros((1, 1), np.uint8), 0.0)).reason is Reason.TILES
    assert read_standalone(Frame("two", np.hstack([line, piles]), 0.0)).reason is Reason.UNCLEAR


Alteration = Callable[[Picture, np.random.Generator], Picture]


def crop(picture: Picture, random: np.random.Generator) -> Picture:
    """Return a part of the picture."""
    top, bottom = sorted(random.integers(0, picture.shape[0], 2).tolist())
    left, right = sorted(random.integers(0, picture.shape[1], 2).tolist())
    return np.ascontiguousarray(picture[top : bottom + 1, left : right + 1])


def scale(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture in another size, also stretched."""
    width, height = (int(2 ** random.uniform(0.0, 11.5)) for _ in range(2))
    return np.asarray(cv2.resize(picture, (width, height)), np.uint8)


def quarter_turns(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture turned."""
    return np.ascontiguousarray(np.rot90(picture, int(random.integers(4))))


def mirrored(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture mirrored, or not."""
    return mirror(picture) if random.integers(2) else picture


def noisy(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture in noise of any strength."""
    noise = random.normal(0.0, 2 ** random.uniform(0.0, 8.0), picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def relit(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture under another lamp."""
    gains = 2 ** random.uniform(-3.0, 2.0, picture.shape[2:] or 1)
    return np.clip(picture * gains, 0, 255).astype(np.uint8)


def patched(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture with a strip in one colour across it."""
    spoilt, height = picture.copy(), picture.shape[0]
    top = int(random.integers(height))
    spoilt[top : top + int(random.integers(1, height + 1))] = random.integers(0, 256)
    return spoilt


def colourless(picture: Picture, random: np.random.Generator) -> Picture:
    """Return the picture with one channel, or not."""
    return grey(picture) if picture.ndim == 3 and random.integers(2) else picture


ALTERATIONS: Final = (
    crop, scale, quarter_turns, mirrored, noisy, relit, patched, colourless,
)  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20, derandomize=True)  # always the same: a find is a fault, not bad luck
@given(
    seed=st.integers(0, 2**32 - 1),
    chain=st.lists(st.sampled_from(ALTERATIONS), min_size=1, max_size=4),
)
@pytest.mark.slow(keep=["tiki_topple", "uno_tiki"])
def test_whatever_is_done_to_a_picture_no_reader_fails(
    game: str, seed: int, chain: list[Alteration]
) -> None:
    """Crops, sizes, turns, mirrors, noise, lamps, strips, in any order: true, or not read."""
    random, picture = np.random.default_rng(seed), picture_of(game)
    for alteration in chain:
        picture = alteration(picture, random)
    frame = Frame("altered", picture, 0.0)
    assert_honest(taught(game).read(frame), truth_of(game))
    assert_honest(read_standalone(frame), truth_of(game))


def test_an_8k_picture_costs_bounded_memory() -> None:
    """Its 33 million pixels are averaged down once: it takes a third more, and no copy of them."""
    picture = huge(picture_of("tiki_topple"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    observation = taught("tiki_topple").read(Frame("8k", picture, 0.0))
    assert 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) < picture.nbytes
    assert observation.status is Status.OK
    assert_honest(observation, truth_of("tiki_topple"))
