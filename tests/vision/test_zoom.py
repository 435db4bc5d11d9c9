"""A turned zoom ring is told from a camera that moves, and only where that is certain."""

import cv2
import numpy as np
import pytest

from companion.recording import load_recording
from companion.registry import recordings
from companion.table.view_reader import describe_change
from tests.vision.lenses import SHAPE, DrawnLens
from vision.capture.frame import Picture, load_frame
from vision.geometry.layout import parse_rig
from vision.geometry.pose import Markers, camera_matrix, fit_pose, to_opencv_points
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import Mover, ViewWatch
from vision.geometry.zoom import find_zoom

MATRIX = camera_matrix(66.0, SHAPE)


def zoomed(picture: Picture, factor: float) -> Picture:
    """Return *picture* as through a zoom that was turned."""
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0.0, factor)
    seen = cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.uint8)


def enlarged(view: Markers, factor: float) -> Markers:
    """Return *view* as through a zoom that was turned."""
    middle = MATRIX[:2, 2]
    seen = {tile: middle + factor * (corners - middle) for tile, corners in view.seen.items()}
    return Markers(seen, view.known)


@pytest.mark.parametrize("factor", [0.92, 1.06])
def test_a_turned_ring_is_said(factor: float) -> None:
    """In a game, at a table that is seen from a slant."""
    folder = recordings()["tiki_topple"]
    watch = ViewWatch(parse_rig(load_recording(folder).description))
    picture = load_frame(folder / "000.jpg").picture
    assert watch.look(TableView(picture)) is None
    change = watch.look(TableView(zoomed(picture, factor)))
    assert change is not None
    assert change.mover is Mover.ZOOM
    assert "zoom or focus ring" in describe_change(change)


@pytest.mark.parametrize("slant_deg", [0.0, 10.0, 20.0, 35.0])
def test_a_camera_that_comes_nearer_has_no_turned_ring(slant_deg: float) -> None:
    """From straight above both look alike; then it is called a move, as it always was."""
    true, told = DrawnLens(66.0), 0
    for seed in range(10):
        view = true.look(slant_deg, seed)
        pose = fit_pose(MATRIX, view)
        assert pose is not None
        solved, rotation, translation = cv2.solvePnP(
            np.concatenate([to_opencv_points(each) for each in view.known.values()]),
            np.concatenate(list(view.seen.values())),
            MATRIX,
            None,
        )
        assert solved
        for factor in (0.9, 0.95, 1.05, 1.1):
            nearer = translation * [[1.0], [1.0], [1.0 / factor]]
            seen = {
                tile: true.show(known, np.asarray(rotation, np.float64), nearer)
                for tile, known in view.known.items()
            }
            assert find_zoom(MATRIX, pose, view.seen, seen) is None
            told += find_zoom(MATRIX, pose, view.seen, enlarged(view, factor).seen) is not None
    assert told == 0 if slant_deg == 0.0 else told >= (slant_deg >= 20.0) * 36
