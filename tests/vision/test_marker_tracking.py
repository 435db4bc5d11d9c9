"""Finding the mat: any angle, hidden tiles, a bumped camera, and the wrong game's tiles."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision import grids
from tests.vision.sessions import (
    CALIBRATION,
    SESSIONS,
    calibrated_reader,
    layout_of,
    settled_shots,
    shots_of,
)
from tests.vision.small_tiles import photograph_tiles
from tests.vision.towers import FULL, layout
from vision.capture.frame import Picture
from vision.columns.tower_reader import track_board
from vision.geometry import table_view
from vision.geometry.layout import Mat
from vision.geometry.marker_tracking import MOST_MISSED, MarkerTracker
from vision.geometry.pose import Pose
from vision.geometry.table_view import TableView
from vision.line.reader import LineReader


def picture_of(session: str) -> Picture:
    """Return a picture of the session with nobody near."""
    return settled_shots(session)[0].frame.picture


def hide_tiles(session: str, picture: Picture, corners: list[int]) -> Picture:
    """Return the picture with grey paper over the tiles of the given corners, 0 to 3."""
    pose = located(MarkerTracker(layout_of(session)), picture_of(session))
    hidden = picture.copy()
    for corner in corners:
        x, y = layout_of(session).mat.centres[corner]
        square = np.array(
            [[x + a, y + b, 0.0] for a, b in ((-30, -30), (30, -30), (30, 30), (-30, 30))]
        )
        cv2.fillConvexPoly(hidden, pose.project(square).round().astype(np.int32), (120, 120, 120))
    return hidden


def located(tracker: MarkerTracker, picture: Picture) -> Pose:
    """Return the pose, failing if there is none."""
    pose = tracker.locate(TableView(picture))
    assert pose is not None
    return pose


def slot_pixels(session: str, pose: Pose) -> NDArray[np.float64]:
    """Return where the nine slots' top faces appear."""
    layout = layout_of(session)
    return pose.project(np.array([[slot.x, slot.y, layout.top_z] for slot in layout.slots]))


@pytest.mark.parametrize("session", SESSIONS)
def test_all_four_tiles_fit_within_their_tolerance(session: str) -> None:
    """Tiles may be 1 mm and 2 degrees off; the pose must not be worse than that."""
    assert located(MarkerTracker(layout_of(session)), picture_of(session)).residual_mm < 2.5


@pytest.mark.parametrize(("session", "turns"), [("s02", 1), ("s04", 2), ("s02", 3)])
def test_the_camera_may_stand_at_any_side(session: str, turns: int) -> None:
    """A picture turned by quarter turns reads the same."""
    reader = LineReader(layout_of(session))
    calibration = shots_of(session)[0].frame
    turned = np.ascontiguousarray(np.rot90(calibration.picture, turns))
    reader.calibrate(replace(calibration, picture=turned), CALIBRATION)
    for shot in settled_shots(session):
        picture = np.ascontiguousarray(np.rot90(shot.frame.picture, turns))
        assert reader.read(replace(shot.frame, picture=picture)).reading == shot.reading


@pytest.mark.parametrize("hidden", [[0], [1], [2], [3]])
def test_three_tiles_suffice_without_a_known_pose(hidden: list[int]) -> None:
    """One tile under a sleeve: the slots are found within the width of a tooth."""
    for session in SESSIONS:
        picture = picture_of(session)
        whole = slot_pixels(session, located(MarkerTracker(layout_of(session)), picture))
        covered = hide_tiles(session, picture, hidden)
        partial = slot_pixels(session, located(MarkerTracker(layout_of(session)), covered))
        assert np.abs(whole - partial).max() < 4.0


@pytest.mark.parametrize("hidden", [[0, 1], [0, 2], [1, 2, 3]])
def test_a_known_pose_survives_hidden_tiles(hidden: list[int]) -> None:
    """What is still seen agrees with the known pose: it is kept as it is."""
    for session in SESSIONS:
        tracker = MarkerTracker(layout_of(session))
        picture = picture_of(session)
        known = located(tracker, picture)
        again = located(tracker, hide_tiles(session, picture, hidden))
        assert np.allclose(slot_pixels(session, known), slot_pixels(session, again), atol=1.0)


def test_two_tiles_are_not_trusted_without_a_known_pose() -> None:
    """Two tiles of paper, each a little askew, do not say where the other end of the mat is."""
    for session in SESSIONS:
        covered = hide_tiles(session, picture_of(session), [0, 1])
        assert MarkerTracker(layout_of(session)).locate(TableView(covered)) is None


@pytest.mark.parametrize(
    ("session", "shift_px"),
    [("s01", (2, 1)), ("s02", (-4, 3)), ("s03", (6, -5)), ("replay", (40, -30))],
)
def test_a_bumped_camera_is_noticed(session: str, shift_px: tuple[int, int]) -> None:
    """A camera that moved by a few pixels is located anew, and the line still read."""
    reader = calibrated_reader(session)
    for shot in settled_shots(session):
        size = (shot.frame.picture.shape[1], shot.frame.picture.shape[0])
        move = np.array([[1.0, 0.0, shift_px[0]], [0.0, 1.0, shift_px[1]]])
        moved = cv2.warpAffine(shot.frame.picture, move, size, borderMode=cv2.BORDER_REPLICATE)
        observation = reader.read(shot.altered(np.asarray(moved, np.uint8)).frame)
        assert observation.reading == shot.reading


BUMPS = {
    "aside": (9.0, -6.0, 0.0, 1.0),
    "turned": (4.0, 5.0, 1.0, 1.0),
    "nearer": (-6.0, 3.0, -1.0, 1.02),
}
"""Pixels right and down, degrees about the middle, and how much larger all looks."""


def movement(picture: Picture, how: tuple[float, float, float, float]) -> NDArray[np.float64]:
    """Return the 2 x 3 matrix from where things were in the picture to where they are then."""
    right, down, deg, scale = how
    move = cv2.getRotationMatrix2D((picture.shape[1] / 2, picture.shape[0] / 2), deg, scale)
    return np.asarray(move + np.array([[0.0, 0.0, right], [0.0, 0.0, down]]), np.float64)


def bump(picture: Picture, move: NDArray[np.float64]) -> Picture:
    """Return the picture as a camera that was pushed would take it."""
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, move, size, flags=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize(
    ("hidden", "is_known"),
    [
        ([0, 1], False),
        ([1, 2], False),
        ([2, 3], False),
        ([0, 3], False),
        ([0, 2], True),
        ([1, 3], True),
    ],
)
def test_two_tiles_carry_a_bumped_board_only_from_opposite_corners(
    hidden: list[int], is_known: bool
) -> None:
    """By two of one side the far end would be off by a millimetre or two: it is waited for more."""
    for session in SESSIONS:
        picture = picture_of(session)
        move = movement(picture, BUMPS["aside"])
        tracker = MarkerTracker(layout_of(session))
        located(tracker, picture)
        pose = tracker.locate(TableView(bump(hide_tiles(session, picture, hidden), move)))
        assert (pose is not None) is is_known
        if pose is not None:
            whole = MarkerTracker(layout_of(session))
            located(whole, picture)
            true = slot_pixels(session, located(whole, bump(picture, move)))
            assert np.abs(slot_pixels(session, pose) - true).max() < 1.5


def push_tile(session: str, picture: Picture, corner: int, by_px: int) -> Picture:
    """Return the picture with the tile of one corner, 0 to 3, pushed to the right."""
    pose = located(MarkerTracker(layout_of(session)), picture)
    x, y = layout_of(session).mat.centres[corner]
    ends = pose.project(np.array([[x - 24, y - 24, 0.0], [x + 24, y + 24, 0.0]]))
    (left, top), (right, bottom) = np.sort(ends, axis=0).round().astype(int)
    pushed = picture.copy()
    pushed[top:bottom, left:right] = np.median(picture, axis=(0, 1))
    pushed[top:bottom, left + by_px : right + by_px] = picture[top:bottom, left:right]
    return pushed


@pytest.mark.parametrize("session", ["s01", "s04"])
@pytest.mark.parametrize("how", BUMPS.values(), ids=BUMPS.keys())
def test_after_a_bump_the_slots_are_where_it_has_put_them(
    session: str, how: tuple[float, float, float, float]
) -> None:
    """A camera that was pushed aside, turned, or came nearer sees each slot to the pixel."""
    picture = picture_of(session)
    move = movement(picture, how)
    tracker = MarkerTracker(layout_of(session))
    before = slot_pixels(session, located(tracker, picture))
    after = slot_pixels(session, located(tracker, bump(picture, move)))
    assert np.abs(after - (before @ move[:, :2].T + move[:, 2])).max() < 0.7


@pytest.mark.parametrize(
    ("session", "shift_px"), [("s01", (9, -6)), ("s02", (-18, 25)), ("s03", (140, 90))]
)
def test_tiles_are_found_near_their_old_places_as_they_are_everywhere(
    session: str, shift_px: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a bump, the quick search and the thorough one give the same pose."""
    picture = picture_of(session)
    bumped = np.roll(picture, shift_px, axis=(1, 0))
    quick, thorough = MarkerTracker(layout_of(session)), MarkerTracker(layout_of(session))
    for tracker in (quick, thorough):
        located(tracker, picture)
    found = quick.locate(TableView(bumped))
    monkeypatch.setattr(MarkerTracker, "_detect_near", lambda *_: {})
    searched = thorough.locate(TableView(bumped))
    assert (found is None) == (searched is None)
    if found is not None and searched is not None:
        here, there = slot_pixels(session, found), slot_pixels(session, searched)
        assert np.abs(here - there).max() < 0.5


@pytest.mark.parametrize(
    ("session", "corner", "by_px"),
    [("s01", 0, 20), ("s02", 1, 20), ("s03", 2, 40), ("s04", 3, 20), ("replay", 1, 40)],
)
def test_a_pushed_tile_is_not_taken_for_a_bump(session: str, corner: int, by_px: int) -> None:
    """The camera stands where it stood: by the other three tiles, so does the table."""
    picture = picture_of(session)
    tracker = MarkerTracker(layout_of(session))
    before = slot_pixels(session, located(tracker, picture))
    after = slot_pixels(session, located(tracker, push_tile(session, picture, corner, by_px)))
    assert np.abs(after - before).max() < 0.7


@pytest.mark.parametrize("shift_px", [(9, -6), (-12, 8)])
def test_after_a_bump_no_picture_is_searched_for_markers(
    shift_px: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To see where known tiles went takes a fraction of the time."""
    picture = picture_of("s01")
    tracker = MarkerTracker(layout_of("s01"))
    located(tracker, picture)
    monkeypatch.setattr(table_view, "_detector", lambda *_: pytest.fail("markers searched"))
    located(tracker, np.roll(picture, shift_px, axis=(1, 0)))


def test_a_tile_that_was_carried_away_is_found_again() -> None:
    """A camera that was turned around shows every tile in another tile's place."""
    picture = picture_of("s01")
    tracker = MarkerTracker(layout_of("s01"))
    before = slot_pixels("s01", located(tracker, picture))
    turned = located(tracker, np.ascontiguousarray(picture[::-1, ::-1]))
    size = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
    assert np.abs(slot_pixels("s01", turned) - (size - before)).max() < 3.0


def shade_tiles(picture: Picture, pose: Pose, mat: Mat, corners: Sequence[int]) -> Picture:
    """Return the picture with a shadow over some of a mat's tiles, ending on their white edge."""
    seen, side = picture.astype(float), mat.marker_mm
    for corner in corners:
        x, y = mat.centres[corner]
        near, far, aside = x - 0.75 * side, x + 4.0 * side, 2.0 * side
        ends = [(near, y - aside), (far, y - aside), (far, y + aside), (near, y + aside)]
        mask = np.zeros(picture.shape[:2], np.uint8)
        pixels = pose.project(np.array([(*end, 0.0) for end in ends])) * 16.0
        cv2.fillConvexPoly(mask, pixels.round().astype(np.int32), 255, cv2.LINE_AA, shift=4)
        seen *= 1.0 - 0.8 * cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None] / 255.0
    return np.asarray(seen.round(), np.uint8)


def test_markers_at_the_edge_of_a_shadow_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside them it is as dark as they are: one look at the picture is not enough."""
    picture = grids.shots_of(FULL)[0].frame.picture
    plain = located(track_board(layout()), picture)
    shaded = shade_tiles(picture, plain, layout().board, (1, 2))
    spots = np.column_stack([layout().cell_centres, np.zeros(len(layout().cell_centres))])
    moved = located(track_board(layout()), shaded).project(spots) - plain.project(spots)
    assert np.abs(moved).max() < 1.0
    monkeypatch.setattr(table_view, "CLOSER_LOOKS", ())
    assert track_board(layout()).locate(TableView(shaded)) is None


@pytest.mark.parametrize(("session", "corners"), [("s01", (1, 2)), ("s03", (0, 3))])
def test_two_tiles_in_the_light_are_not_enough_at_first(
    session: str, corners: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is not known yet: those at the edge of a shadow are needed too."""
    picture, mat = picture_of(session), layout_of(session).mat
    shaded = shade_tiles(picture, located(MarkerTracker(layout_of(session)), picture), mat, corners)
    located(MarkerTracker(layout_of(session)), shaded)
    monkeypatch.setattr(table_view, "CLOSER_LOOKS", ())
    assert MarkerTracker(layout_of(session)).locate(TableView(shaded)) is None


@pytest.fixture(name="looks")
def _looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the windows of all looks for markers, as they are taken."""
    find, windows = table_view._detector, []

    def note(window_px: int) -> cv2.aruco.ArucoDetector:
        windows.append(window_px)
        return find(window_px)

    monkeypatch.setattr(table_view, "_detector", note)
    return windows


TWO_LOOKS = [table_view.THRESHOLD_WINDOW_PX // 2, table_view.THRESHOLD_WINDOW_PX]


def test_a_picture_without_markers_is_looked_at_twice(looks: list[int]) -> None:
    """An empty table costs no more than it must."""
    nothing = TableView(np.zeros((480, 640, 3), np.uint8))
    assert MarkerTracker(layout_of("s01")).locate(nothing) is None
    assert looks == TWO_LOOKS


def test_tiles_that_are_gone_are_soon_looked_for_twice_only(looks: list[int]) -> None:
    """A board that lies on its side beside the mat costs no more than that, until it stands."""
    tracker, standing = track_board(layout()), grids.shots_of(FULL)[0].frame.picture
    others, _ = photograph_tiles(0, 32, layout().mat.marker_ids)
    for _ in range(2):
        located(tracker, standing)
        for number in range(MOST_MISSED + 1):
            looks.clear()
            assert tracker.locate(TableView(others)) is None
            closer = [window for window, _ in table_view.CLOSER_LOOKS]
            assert looks == TWO_LOOKS + closer * (number < MOST_MISSED)


@pytest.mark.parametrize(
    ("hidden", "why"),
    [
        ([0, 1, 2], "not seen: top left, top right, bottom right"),
        ([1, 3, 0, 2], "not seen: top left, top right, bottom right, bottom left"),
    ],
)
def test_which_tiles_are_missing_is_told(hidden: list[int], why: str) -> None:
    """So that the host knows which to uncover."""
    tracker = MarkerTracker(layout_of("s01"))
    assert tracker.locate(TableView(hide_tiles("s01", picture_of("s01"), hidden))) is None
    assert tracker.explain().startswith(f"too few corner tiles in view ({why}); uncover all four, ")


def test_tiles_in_wrong_places_are_told_from_hidden_ones() -> None:
    """All four are seen, but two of them were swapped."""
    known = layout_of("s01")
    first, second, third, fourth = known.mat.marker_ids
    mat = replace(known.mat, marker_ids=(second, first, third, fourth))
    tracker = MarkerTracker(replace(known, mat=mat))
    assert tracker.locate(TableView(picture_of("s01"))) is None
    assert tracker.explain().startswith("the corner tiles do not form the expected rectangle")


def test_missing_board_markers_are_called_so() -> None:
    """They are on the balance board, not on the table."""
    tracker, picture = track_board(layout()), np.zeros((480, 640, 3), np.uint8)
    assert tracker.locate(TableView(picture)) is None
    assert tracker.explain().startswith("too few board markers in view (not seen: top left, ")
