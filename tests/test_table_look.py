"""What is said of the table while the camera is set up: one sentence for each fault."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from companion.language.message import Message
from companion.registry import with_mats
from companion.table.live_view import INTEREST_S, MIN_GAP_S, LivePicture, LiveView
from companion.table.readers import reader_setup_of, usual_table
from companion.table.table_look import TableLook, inspect, look_at
from companion.table.table_problem import LaidTable
from tests.drawn_tiles import draw_tiles
from tests.printing.tables import lay_table, see_table
from tests.web.setting_up import picture_of
from vision.capture.device import CameraLost
from vision.capture.frame import Frame, Picture
from vision.capture.picture_fault import PictureFault
from vision.capture.preview_frame import PreviewFrame
from vision.geometry.layout import parse_rig
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView
from vision.photometry.meters import measure_noise


def see(
    picture: Picture | None, game: str = "tiki_topple", trouble: str = "", **more: Any
) -> TableLook:
    """Return the look at *picture* of the table of *game*."""
    table = usual_table(game)
    frame = None if picture is None else Frame("live", picture, 0.0)
    found = None if frame is None else inspect(frame, LaidTable.of(game, table), **more)
    return look_at(LivePicture(1, frame, trouble), found)


def cover(picture: Picture, *tiles: int) -> Picture:
    """Return *picture* with something grey on tiles of those numbers, from the top left."""
    covered = picture.copy()
    ids = usual_table("tiki_topple")["mat"]["marker_ids"]
    for tile, corners in TableView(picture).find_tiles(ids, len(ids)).items():
        if ids.index(tile) in tiles:
            middle = corners.mean(axis=0)
            larger = (middle + 1.4 * (corners - middle)).astype(np.int32)
            cv2.fillConvexPoly(covered, larger, (90, 100, 110))
    return covered


def roughen(picture: Picture, sigma: float) -> Picture:
    """Return *picture* with noise of that standard deviation, in levels."""
    grain = np.random.default_rng(1).normal(0.0, sigma, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def mirror_a_lamp(picture: Picture) -> Picture:
    """Return *picture* with a lamp mirrored on the board."""
    rig = parse_rig(usual_table("tiki_topple"))
    pose = MarkerTracker(rig).locate(TableView(picture))
    assert pose is not None
    x, y = pose.project(np.array([[300.0, 150.0, 0.0]]))[0].astype(int).tolist()
    light = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(light, (x, y), 60, 400.0, -1)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), 9.0), np.float32)
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def tint(picture: Picture, blue: float, green: float, red: float) -> Picture:
    """Return *picture* under a lamp of another colour or strength."""
    return np.asarray(np.clip(picture * np.array([blue, green, red]), 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda p: (p * 0.25).astype(np.uint8), "Too dark; switch a lamp on."),
        (lambda p: roughen(p, 28.0), "Grainy, because this camera needs more light;"),
        (lambda p: tint(p, 2.0, 2.0, 2.0), "Too bright, so that colours are lost; dim the lamp,"),
        (lambda p: tint(p, 0.3, 0.65, 1.1), "The light is too yellow: white paper looks orange"),
        (lambda p: tint(p, 1.3, 0.7, 0.35), "The light is too blue: white paper looks blue"),
        (lambda p: tint(p, 0.35, 1.2, 0.5), "The light is too green: white paper looks green"),
        (lambda p: p[:, ::-1], "The picture is mirrored."),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 8.0), "The camera sees no corner tiles, and the"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 2.6), "Blurred; focus the camera, or wipe"),
        (lambda p: cover(p, 2), "Tile 3 (bottom right) is hidden."),
        (lambda p: cover(p, 0, 1), "Tiles 1 (top left) and 2 (top right) are hidden."),
        (lambda p: cover(p, 0, 1, 2, 3), "The camera sees no corner tiles."),
        (lambda p: cv2.resize(p, (320, 240)), "The picture is too coarse: 320 × 240 pixels."),
        (lambda _: picture_of("topple"), "These are the tiles for Topple, but you are"),
        (mirror_a_lamp, "There is glare "),
        (lambda p: p[:, 330:], "Tile"),
    ],
    ids=[
        "dark",
        "grainy",
        "bright",
        "candle",
        "dusk",
        "green",
        "mirrored",
        "all blurred",
        "blurred",
        "hidden",
        "two",
        "none",
        "small",
        "other",
        "glare",
        "outside",
    ],
)
def test_each_fault_is_said_in_a_sentence(
    spoil: Callable[[Picture], Picture], sentence: str
) -> None:
    """With its remedy; and the table is not said to be ready."""
    found = see(np.ascontiguousarray(spoil(picture_of("tiki_topple"))))
    assert found.sentence.startswith(sentence)
    assert isinstance(found.sentence, Message)
    assert not found.is_ready
    assert found.jpeg


@pytest.mark.parametrize("game", with_mats())
def test_a_mirrored_or_blurred_table_is_called_so(game: str) -> None:
    """Of every game: in a mirror some tiles look like others, and blur hides some."""
    picture = picture_of(game)
    mirrored = see(np.ascontiguousarray(picture[:, ::-1]), game)
    assert mirrored.sentence.startswith("The picture is mirrored"), mirrored.sentence
    for sigma_px in (4.5, 8.0):
        blurred = see(np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8), game)
        assert "blurred" in blurred.sentence.lower(), (sigma_px, blurred.sentence)


@pytest.mark.parametrize("game", with_mats())
def test_a_table_upside_down_is_as_good(game: str) -> None:
    """Its tiles tell where its near side is, wherever the camera stands."""
    found = see(np.ascontiguousarray(picture_of(game)[::-1, ::-1]), game)
    assert found.is_ready, found.sentence


@pytest.mark.parametrize("flicker", [PictureFault.BANDS, PictureFault.PUMPING])
def test_a_light_that_flickers_is_said(flicker: PictureFault) -> None:
    """With what to do; the meter says so as well."""
    found = see(picture_of("tiki_topple"), flicker=flicker)
    assert not found.is_ready
    assert found.sentence[0].isupper()
    assert found.sentence.endswith(("daylight.", "does not flicker."))
    assert dict(found.gauges)["light"].words == "it flickers"


def test_while_corners_are_dragged_tiles_do_not_matter() -> None:
    """Nor is the green sentence that of a table which is seen already."""
    hidden = cover(picture_of("tiki_topple"), 0, 1, 2, 3)
    found = see(hidden, drags_corners=True)
    assert found.is_ready
    assert found.sentence.startswith("Drag each number to its corner. The green places")
    dark = see(np.asarray(hidden * 0.2, np.uint8), drags_corners=True)
    assert dark.sentence.startswith("Too dark")


def test_a_print_at_97_percent_is_said_at_set_up() -> None:
    """In one sentence with what to measure; a true print is not spoken of."""
    small = "The corner tiles: they appear at 97 %"
    for scale, begins in ((0.97, small), (1.0, "The picture is good")):
        found = see(see_table(lay_table("topple", scale), 25.0, 8.0, 0.0), "topple")
        assert found.sentence.startswith(begins), found.sentence


@pytest.mark.parametrize("game", with_mats())
def test_a_good_table_is_said_to_be_ready(game: str) -> None:
    """Of every game, with its places drawn, and all three meters well."""
    found = see(picture_of(game), game)
    assert found.is_ready, found.sentence
    assert found.tiles == (True,) * 4
    assert all(gauge.is_good for _, gauge in found.gauges)
    plan = reader_setup_of(game).plan(None)
    assert plan is not None
    kinds = [each.kind for each in found.drawn]
    assert (kinds.count("place"), kinds.count("tile")) == (len(plan.places), 4)


def test_a_large_picture_is_as_good() -> None:
    """One of 4K: measured as all are, and sent no larger than a phone needs."""
    picture = picture_of("tiki_topple")
    found = see(np.asarray(cv2.resize(picture, (3840, 2160)), np.uint8))
    assert found.is_ready, found.sentence
    assert found.width == 1280


def test_a_lost_camera_says_why() -> None:
    """In the camera's own words."""
    found = see(None, trouble="no picture from camera 0; plug it in")
    assert found.sentence == "The camera: no picture from camera 0; plug it in."
    assert see(None).sentence.startswith("Waiting for a picture")


def test_pictures_are_fetched_only_while_somebody_looks() -> None:
    """None before, a few a second while somebody does, and none afterwards; nothing is kept."""
    now_s, fetched = 100.0, 0

    def fetch() -> Frame:
        nonlocal fetched
        fetched += 1
        return Frame("live", np.zeros((90, 160, 3), np.uint8), now_s)

    live_view = LiveView(lambda: now_s)
    shot = PreviewFrame("live", np.zeros((90, 160), np.uint8), now_s, fetch)
    live_view.offer(shot)
    assert fetched == 0
    live_view.look(0, 0.0)
    live_view.offer(shot)
    live_view.offer(shot)
    assert fetched == 1
    now_s += MIN_GAP_S + 0.01
    live_view.offer(shot)
    assert fetched == 2
    newest = live_view.look(0, 0.0)
    assert (newest.number, newest.frame is None) == (2, False)
    now_s += INTEREST_S
    live_view.offer(shot)
    assert fetched == 2
    assert live_view.look(0, 0.0).frame is None


def test_a_picture_that_cannot_be_fetched_says_why() -> None:
    """The watcher hears of it as well."""
    live_view = LiveView()

    def fetch() -> Frame:
        raise CameraLost("camera 0 has gone; plug it in")

    live_view.look(0, 0.0)
    with pytest.raises(CameraLost):
        live_view.offer(PreviewFrame("live", np.zeros((90, 160), np.uint8), 0.0, fetch))
    assert live_view.look(0, 0.0).trouble == "camera 0 has gone; plug it in"


@pytest.mark.parametrize(
    ("game", "slant_deg", "begins"),
    [
        ("tiki_topple", 30.0, ""),
        ("tiki_topple", 3.0, ""),
        (
            "tiki_topple",
            55.0,
            (
                "too much from the side: 55 degrees from straight above. Put it higher, so that it"
                " is 0 to 35."
            ),
        ),
        (
            "tactiki",
            55.0,
            (
                "too much from the side: 55 degrees from straight above. Put it higher, so that it"
                " is 10 to 30."
            ),
        ),
        ("tactiki", 3.0, ""),
        (
            "topple",
            5.0,
            (
                "down too steeply, 5 degrees from straight above: from there it can hardly see how"
                " high a pile is. Move it to the side, so that it is 25 to 35."
            ),
        ),
        ("topple", 15.0, "down too steeply, 15 degrees"),
        ("topple", 21.0, ""),
        ("topple", 30.0, ""),
        ("topple", 40.0, ""),
    ],
)
def test_a_camera_that_stands_in_the_wrong_place_is_said(
    game: str, slant_deg: float, begins: str
) -> None:
    """With its angle, and the best one of that game; what works is not spoken of."""
    sentence = see(draw_tiles(game, slant_deg), game).sentence
    looks = "The camera looks "
    assert sentence.startswith(looks + begins) if begins else looks not in sentence, sentence


@pytest.mark.parametrize("sigma", [3.0, 12.0, 25.0])
def test_noise_is_measured(sigma: float) -> None:
    """Within a tenth, whatever lies there; of a picture without any next to nothing."""
    picture = picture_of("tactiki")
    assert measure_noise(picture) < 1.0
    assert measure_noise(roughen(picture, sigma)) == pytest.approx(sigma, rel=0.1)
