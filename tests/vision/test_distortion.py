"""A lens that bends lines: its pictures are straightened, once, and hold all that they showed."""

import cv2
import numpy as np
import pytest

from tests.vision.lenses import bend
from tests.web.setting_up import picture_of
from vision.capture.frame import Frame
from vision.geometry.distortion import Distortion
from vision.geometry.pose import camera_matrix
from vision.geometry.session_values import BadLayout, take_distortion, take_hfov_deg
from vision.geometry.table_view import straighten

SIDE_PX = 2200
BENT = [Distortion(66.0, -0.25), Distortion(66.0, 0.1), Distortion(102.0, -0.05)]


@pytest.mark.parametrize("lens", BENT)
def test_a_straightened_picture_shows_the_world_as_a_pinhole_does(lens: Distortion) -> None:
    """Each dot, the corners' too, lies where a pinhole of the straight angle has it."""
    shape = (480, 640, 3)
    corners = np.array([[20.0, 15.0], [620.0, 15.0], [320.0, 240.0], [100.0, 400.0]])
    picture = np.zeros(shape, np.uint8)
    for x, y in corners.astype(int):
        cv2.circle(picture, (int(x), int(y)), 3, (255, 255, 255), -1)
    straight = lens.straighten(picture, SIDE_PX)
    matrix = camera_matrix(lens.hfov_deg, shape)
    wide = camera_matrix(lens.straight_hfov_deg, straight.shape)
    places = cv2.undistortPoints(
        corners[:, None], matrix, np.array([lens.k1, 0.0, 0.0, 0.0]), None, wide
    )
    for x, y in places.reshape(-1, 2).round().astype(int):
        assert straight[y - 2 : y + 3, x - 2 : x + 3].max() > 100
    assert np.count_nonzero(straight[..., 0] > 60) > 60


def test_a_bent_picture_is_as_it_was() -> None:
    """As the pinhole took it that the lens is drawn from, but for what the lens cut off."""
    picture = picture_of("tiki_topple")
    lens = Distortion(66.0, -0.2)
    straight = lens.straighten(bend(picture, 66.0, -0.2), SIDE_PX)
    rows, columns = picture.shape[:2]
    down, right = (straight.shape[0] - rows) // 2, (straight.shape[1] - columns) // 2
    middle = straight[down : down + rows, right : right + columns]
    off = np.abs(middle.astype(int) - picture)[rows // 8 : -rows // 8, columns // 8 : -columns // 8]
    assert np.median(off) <= 2
    bent = np.abs(bend(picture, 66.0, -0.2).astype(int) - picture)
    assert np.median(bent[rows // 8 : -rows // 8, columns // 8 : -columns // 8]) > 2


def test_a_large_picture_does_not_grow_further() -> None:
    """No more pixels than readers work with."""
    lens = Distortion(90.0, -0.1)
    assert max(lens.straighten(np.zeros((1200, 2100, 3), np.uint8), SIDE_PX).shape) == SIDE_PX


def test_a_frame_is_straightened_once() -> None:
    """For all who ask; a pinhole's is left alone, and a straight one is straight."""
    frame = Frame("000.jpg", np.zeros((90, 160, 3), np.uint8), 1.5)
    straight = straighten(frame, BENT[0])
    assert straight is straighten(frame, Distortion(66.0, -0.25))
    assert straight is straighten(straight, BENT[0])
    assert (straight.name, straight.taken_s) == ("000.jpg", 1.5)
    assert straighten(frame, Distortion(66.0)) is frame


def test_a_session_tells_the_angle_of_its_straightened_pictures() -> None:
    """By all readers; what no lens does is refused in one line."""
    session = {"image": {"hfov_deg": 66.0, "k1": -0.1}}
    assert take_hfov_deg(session) == take_distortion(session).straight_hfov_deg > 66.0
    assert take_hfov_deg({"image": {"hfov_deg": 66.0, "k1": 0.0}}) == 66.0
    with pytest.raises(BadLayout, match="no lens of 102 degrees bends so much"):
        take_hfov_deg({"image": {"hfov_deg": 102.0, "k1": -0.4}})
