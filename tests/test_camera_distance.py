"""What is recommended to a camera that stands too low or too high, tried on drawn tables."""

import re
import time
from pathlib import Path

import numpy as np
import pytest

from companion.registry import with_mats
from companion.table.readers import reader_setup_of, usual_table
from companion.table.table_look import inspect
from companion.table.table_problem import LaidTable, find_problem
from rendering.scenes import PICTURE_PX
from tests import camera_distances
from tests.drawn_tiles import draw_by_fisheye, draw_from, stand
from tests.set_up_tables import PATIENCE_S, Table
from tests.tables import sit_down
from tests.vision.lenses import bend
from vision.capture.frame import Frame, Picture
from vision.geometry.camera_distance import find_least_distance, find_most_distance
from vision.geometry.distortion import Distortion
from vision.geometry.layout import parse_mat
from vision.geometry.lens import UNKNOWN, Lens
from vision.geometry.table_view import TableView, straighten

ROOT = Path(__file__).parent.parent
SHAPE = (PICTURE_PX[1], PICTURE_PX[0], 3)
ANGLES_DEG = (47.0, 58.0, 66.0, 78.0, 92.0, 102.0)
FEW_DEG = (47.0, 66.0, 102.0)
SURE = 0.02


def least_distance(game: str, hfov_deg: float, slant_deg: float) -> float:
    """Return from which distance in mm all tiles of *game* are in the picture."""
    return find_least_distance(parse_mat(usual_table(game)), Distortion(hfov_deg), SHAPE, slant_deg)


def most_distance(game: str, hfov_deg: float) -> float:
    """Return up to which distance in mm the pieces of *game* are large enough."""
    return find_most_distance(Distortion(hfov_deg), SHAPE, reader_setup_of(game).px_per_mm)


def count_tiles(game: str, picture: Picture) -> int:
    """Return how many of its tiles are seen."""
    ids = usual_table(game)["mat"]["marker_ids"]
    return len(TableView(picture).find_tiles(ids, len(ids)))


def sentence_of(game: str, picture: Picture, lens: Lens) -> str:
    """Return what is said of *picture* to somebody whose camera has that *lens*."""
    laid = LaidTable.of(game, usual_table(game), lens)
    return str(find_problem(inspect(Frame("live", picture, 0.0), laid)))


def number_in(sentence: str, pattern: str) -> float:
    """Return the number of which *sentence* speaks."""
    found = re.search(pattern, sentence)
    assert found is not None, sentence
    return float(found[1])


@pytest.mark.parametrize(
    ("hfov_deg", "slant_deg"), [*zip(ANGLES_DEG, (0.0, 30.0, 15.0, 0.0, 20.0, 35.0), strict=True)]
)
@pytest.mark.parametrize("game", with_mats())
def test_from_the_least_distance_on_all_tiles_are_seen(
    game: str, hfov_deg: float, slant_deg: float
) -> None:
    """And not from a tenth nearer."""
    least_mm = least_distance(game, hfov_deg, slant_deg)
    for share, is_whole in ((0.9, False), (1.0, True)):
        picture = draw_from(game, stand(game, slant_deg, share * least_mm), hfov_deg)
        assert (count_tiles(game, picture) == 4) is is_whole, share


@pytest.mark.parametrize(("hfov_deg", "k1"), [(78.0, -0.15), (66.0, -0.25), (66.0, 0.1)])
def test_a_lens_that_bends_lines_is_reckoned_with(hfov_deg: float, k1: float) -> None:
    """One that shows more at its edges may be nearer, whatever a straightened picture has room for.

    Nothing is called hidden that is beyond the edge of what the lens shows.
    """
    game, lens = "topple", Lens(hfov_deg, SURE, k1)
    least_mm = find_least_distance(parse_mat(usual_table(game)), lens.distortion, SHAPE, 20.0)
    assert (least_mm < least_distance(game, hfov_deg, 20.0)) is (k1 < 0.0)
    for share, is_whole in ((0.9, False), (1.0, True)):
        wide = draw_from(game, stand(game, 20.0, share * least_mm), 102.0, (0.0, -10.0 / share))
        frame = Frame("live", bend(wide, hfov_deg, k1, 102.0), 0.0)
        laid = LaidTable.of(game, usual_table(game), lens)
        found = inspect(straighten(frame, lens.distortion), laid)
        assert (len(found.seen) == 4) is is_whole, share
        if len(found.seen) in (2, 3):
            assert "outside the picture" in str(find_problem(found))


@pytest.mark.parametrize("hfov_deg", ANGLES_DEG)
@pytest.mark.parametrize("game", with_mats())
def test_there_is_room_between_too_near_and_too_far(game: str, hfov_deg: float) -> None:
    """From where a game is read best, for every lens."""
    _, high = reader_setup_of(game).slants.best
    assert least_distance(game, hfov_deg, high) < 0.8 * most_distance(game, hfov_deg)


@pytest.mark.parametrize("hfov_deg", FEW_DEG)
@pytest.mark.parametrize(("game", "slant_deg"), [("topple", 30.0), ("uno_tiki", 8.0)])
def test_a_low_camera_is_asked_to_be_raised(game: str, slant_deg: float, hfov_deg: float) -> None:
    """By as much as it takes: two tiles are cut off before, none afterwards, and no more."""
    x, y, z = stand(game, slant_deg, 0.8 * least_distance(game, hfov_deg, slant_deg))
    near = draw_from(game, (x, y, z), hfov_deg, (0.0, -0.08 * z))
    assert count_tiles(game, near) == 2
    sentence = sentence_of(game, near, Lens(hfov_deg, SURE))
    assert sentence.startswith("Tiles 3 (bottom right) and 4 (bottom left) are outside the pic")
    raised_mm = 10.0 * number_in(sentence, r"Raise the camera by (\d+) cm, and point it")
    assert count_tiles(game, draw_from(game, (x, y, z + raised_mm), hfov_deg)) == 4
    middle = np.array(stand(game, 0.0, 0.0))
    nearer = middle + 0.9 * (np.array([x, y, z + raised_mm - 10.0]) - middle)  # of whole cm
    assert count_tiles(game, draw_from(game, nearer, hfov_deg)) < 4


def test_a_camera_that_points_beside_the_table_is_turned() -> None:
    """Where it stands high enough."""
    game, slant_deg = "uno_tiki", 20.0
    stands = stand(game, slant_deg, 1.15 * least_distance(game, 66.0, slant_deg))
    beside = draw_from(game, stands, 66.0, (150.0, 0.0))
    assert sentence_of(game, beside, Lens(66.0, SURE)) == (
        "Tile 4 (bottom left) is outside the picture. Point the camera at the"
        " middle of the four tiles."
    )
    assert count_tiles(game, draw_from(game, stands)) == 4


@pytest.mark.parametrize("hfov_deg", FEW_DEG)
@pytest.mark.parametrize(("game", "slant_deg"), [("topple", 25.0), ("tippi_toppi", 10.0)])
def test_a_high_camera_is_asked_to_be_lowered(game: str, slant_deg: float, hfov_deg: float) -> None:
    """Until the pieces are large enough, and no further."""
    x, y, z = stand(game, slant_deg, 1.2 * most_distance(game, hfov_deg))
    lens = Lens(hfov_deg, SURE)
    small = "What lies on the table is small in the picture."
    sentence = sentence_of(game, draw_from(game, (x, y, z), hfov_deg), lens)
    assert sentence.startswith(small)
    lowered_mm = 10.0 * number_in(sentence, r"Lower the camera by (\d+) cm")
    for more_mm, is_small in ((5.0, False), (-30.0, True)):
        picture = draw_from(game, (x, y, z - lowered_mm - more_mm), hfov_deg)
        assert sentence_of(game, picture, lens).startswith(small) is is_small


@pytest.mark.parametrize("hfov_deg", [47.0, 92.0])
def test_shares_are_told_where_the_lens_is_not_known(hfov_deg: float) -> None:
    """They hold whatever it is: near from straight above height and angle cannot be told apart."""
    game, slant_deg = "uno_tiki", 5.0
    x, y, z = stand(game, slant_deg, 0.8 * least_distance(game, hfov_deg, slant_deg))
    near = draw_from(game, (x, y, z), hfov_deg, (0.0, -0.08 * z))
    sentence = sentence_of(game, near, UNKNOWN)
    higher = number_in(sentence, r"Raise the camera by about (\d+) % of its height") / 100.0
    assert 0.2 < higher < 0.35
    assert count_tiles(game, draw_from(game, (x, y, (1.0 + higher) * z), hfov_deg)) == 4


def test_a_picture_that_cannot_do_both_is_called_too_coarse() -> None:
    """Wherever its camera stands."""
    game = "topple"
    high = draw_from(game, stand(game, 28.0, 1000.0))[::2, ::2]
    assert sentence_of(game, high[:, 64:-64], Lens(58.0, SURE)).startswith(
        "The picture is too coarse for this table: 640 × 432 pixels. Set more"
    )


def test_nothing_is_said_of_the_distance_where_no_tile_is_in_view() -> None:
    """Nobody knows where the camera is."""
    game = "uno_tiki"
    near = draw_from(game, stand(game, 0.0, 0.6 * least_distance(game, 66.0, 0.0)))
    assert count_tiles(game, near) == 0
    assert sentence_of(game, near, Lens(66.0, SURE)).startswith("The camera sees no corner tiles.")


def test_the_docs_have_the_table_of_distances() -> None:
    """Line by line, as it is reckoned now."""
    page = (ROOT / "docs" / "build-your-own.md").read_text()
    assert [line for line in camera_distances.lines() if line not in page] == []


@pytest.mark.parametrize("hfov_deg", [36.0, 102.0])
def test_a_webcam_of_any_angle_is_set_up(hfov_deg: float, tmp_path: Path) -> None:
    """Told nothing, from a slant, where tiles by a usual lens would form no rectangle.

    Its angle is kept in mind: centimetres can be told once a tile is cut off.
    """
    game, slant_deg = "tiki_topple", 35.0
    least_mm = least_distance(game, hfov_deg, slant_deg)
    whole, near = (
        draw_from(game, stand(game, slant_deg, share * least_mm), hfov_deg, (0.0, up_mm))
        for share, up_mm in ((1.1, 0.0), (0.9, -20.0))
    )
    with Table(sit_down(), whole, tmp_path) as table:
        assert table.setup.look(game, 0).sentence.startswith("The picture is good")
        table.show(near)
        table.setup.look(game, 0)
        until_s = time.monotonic() + PATIENCE_S
        while "good" in (look := table.setup.look(game, -1)).sentence:
            assert time.monotonic() < until_s
        assert "are outside the picture. Raise the camera by" in look.sentence
        assert " cm, " in look.sentence


def test_a_fisheye_is_named_at_set_up(tmp_path: Path) -> None:
    """One line says what is asked for instead."""
    game = "tiki_topple"
    wide = draw_by_fisheye(game, stand(game, 20.0, 230.0), 160.0)
    assert count_tiles(game, wide) == 4
    with Table(sit_down(), wide, tmp_path) as table:
        look = table.setup.look(game, 0)
        assert look.sentence.startswith("The corner tiles do not form the expected rectangle.")
        assert "less than 120 degrees" in look.sentence
        assert not look.is_ready
