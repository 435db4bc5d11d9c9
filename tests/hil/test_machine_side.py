"""What the tests in the machine lean on, tried without it."""

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.registry import recordings
from companion.table.camera_lens import are_apart
from companion.table.readers import usual_table
from tests.hil import conftest
from tests.hil.inside import film, panel, table, wires
from tests.hil.inside.stand_ins import tiki_camera
from tests.wires import ROLE
from vision.capture.frame import Picture, load_frame
from vision.geometry.layout import parse_mat
from vision.geometry.lens import Lens, measure_view
from vision.geometry.table_view import view_of

LOW_PX = (1024, 576)  # libcamera's virtual camera makes both streams as large
NAMES = ("001.jpg", "003.jpg", "005.jpg")


@pytest.fixture
def header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder as gpio-sim has one, with a file for each wire."""
    for number in range(28):
        (tmp_path / f"sim_gpio{number}").mkdir()
    monkeypatch.setattr(wires, "lines", lambda: tmp_path)
    return tmp_path


def pull(header: Path, role: str) -> str:
    """Return how the wire of *role* is held."""
    return (header / f"sim_gpio{ROLE[role].header}" / "pull").read_text()


def test_a_closed_switch_ties_its_wire_to_ground(header: Path) -> None:
    """A button when it is pressed, a ball switch while the tower stands; a cut wire never."""
    bench = wires.KernelBench()
    assert pull(header, "tilt_0") == "pull-down"
    bench.drive("tilt_0", True)
    bench.drive("undo", True)
    assert (pull(header, "tilt_0"), pull(header, "undo")) == ("pull-up", "pull-down")
    bench.cut("undo")
    bench.drive("undo", True)
    assert pull(header, "undo") == "pull-up"


@pytest.mark.usefixtures("header")
def test_words_that_no_evening_has_fail() -> None:
    """Else a step of an evening could be passed over in silence."""
    with pytest.raises(AssertionError, match="dance 3"):
        wires.KernelBench().act("dance 3")


def test_an_idol_that_is_late_never_catches_up(header: Path) -> None:
    """The time from one edge to the next is never shorter than a turning mass would have it."""
    bench = wires.KernelBench()
    start_s = time.monotonic()
    bench.drive("idol_a", True, start_s - 1.0)
    bench.drive("idol_b", True, start_s - 0.95)
    assert time.monotonic() - start_s >= 0.05
    assert pull(header, "idol_b") == "pull-down"


def test_the_panel_shows_its_memory_while_it_is_lit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte is a column of eight, its lowest bit on top, as in the SSD1306's data sheet."""
    monkeypatch.setattr(panel, "FOLDER", tmp_path)
    (tmp_path / "memory").write_bytes(bytes(128 + 3) + b"\x82" + bytes(1024 - 132))
    (tmp_path / "lit").write_text("Y\n")
    shown = panel.shown()
    lit = [(x, y) for x in range(128) for y in range(64) if shown.getpixel((x, y))]
    assert lit == [(3, 9), (3, 15)]
    (tmp_path / "lit").write_text("N\n")
    assert panel.shown().getbbox() is None


def test_what_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel that stays dark fails the test, in words."""
    monkeypatch.setattr(panel, "PATIENCE_S", 0.0)
    with pytest.raises(AssertionError, match="stays dark"):
        panel.wait_until(lambda: False, "stays dark")


def test_a_scene_is_what_is_to_be_said_of_a_picture() -> None:
    """Moves, one or several, with the clash that follows; a hand, or an illegal table."""
    scenes = {scene.name: scene for scene in film.scenes_of(recordings()["tactiki"])}
    assert len(scenes) == 32
    assert scenes["001.jpg"] == ("001.jpg", (), False, False)
    assert scenes["002.jpg"].has_hand
    assert scenes["003.jpg"].actions == ("move 42 41",)
    assert scenes["007.jpg"].actions == ("move 03 02", "move 01 02")
    assert scenes["009.jpg"] == ("009.jpg", (), True, False)
    assert scenes["036.jpg"].actions == ("move 12 02", "clash win", "clash lose")


@pytest.fixture
def turn_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Put three pictures before the virtual camera; return what turns to one of them."""
    monkeypatch.setattr(film, "CAMERA", tmp_path / "virtual.yaml")
    for module in (film, tiki_camera):
        monkeypatch.setattr(module, "SCENES", tmp_path / "scenes")
        monkeypatch.setattr(module, "SCENE", tmp_path / "scene")
    film.load(recordings()["tactiki"], NAMES)
    return film.turn_to


def test_the_camera_may_look_wider_than_the_recorded_one(turn_to: Callable[[int], None]) -> None:
    """The recorded picture is in the middle, and its tiles are measured by the wider angle."""
    turn_to(0)
    film.load(recordings()["tactiki"], NAMES, film.WIDE)
    seen = load_frame(film.SCENES / "01.jpg")
    assert seen.picture.shape == (720, 1280, 3)
    assert name_of(np.ascontiguousarray(seen.picture[72:-72, 128:-128])) == NAMES[1]
    assert pytest.approx(78.1, abs=0.1) == film.WIDE_DEG
    lens = measure_view(view_of(seen), parse_mat(usual_table("tactiki")))
    assert not are_apart(lens, Lens(film.WIDE_DEG, 0.0))
    assert "width: 1280\n    height: 720" in film.CAMERA.read_text()


def load(name: str) -> Picture:
    """Return a picture of the recorded game."""
    return load_frame(recordings()["tactiki"] / name).picture


def name_of(picture: Picture) -> str:
    """Return which of the three *picture* is."""
    apart = {name: np.abs(picture.astype(int) - load(name)).mean() for name in NAMES}
    assert min(apart.values()) < 3
    return min(apart, key=lambda name: float(apart[name]))


def in_nv12(picture: Picture) -> Any:
    """Return *picture* as the virtual camera delivers it, (rows, columns) uint8."""
    luminance, red, blue = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    chroma = np.dstack([cv2.resize(each, None, fx=0.5, fy=0.5) for each in (blue, red)])
    return np.vstack([luminance, chroma.reshape(-1, luminance.shape[1])])


class Request:
    """A request of picamera2's for the two streams of a picture."""

    def __init__(self, name: str) -> None:
        picture = load(name)
        low = cv2.resize(picture, LOW_PX, interpolation=cv2.INTER_AREA)
        self._arrays = {"main": in_nv12(picture), "lores": in_nv12(np.asarray(low, np.uint8))}
        self.is_released = False

    def make_array(self, name: str) -> Any:
        """Return what the camera delivers."""
        assert not self.is_released
        return self._arrays[name]

    def release(self) -> None:
        """Give the buffers back."""
        assert not self.is_released
        self.is_released = True


def name_in(seen: Any) -> str:
    """Return which of the three is *seen*, in both streams."""
    name = name_of(seen.make_array("main"))
    width, height = LOW_PX
    low = cv2.resize(cv2.cvtColor(load(name), cv2.COLOR_BGR2GRAY), LOW_PX)
    assert np.abs(seen.make_array("lores")[:height, :width].astype(int) - low).mean() < 6
    return name


def test_the_camera_sees_the_scene_that_is_on(turn_to: Callable[[int], None]) -> None:
    """Whatever comes from the virtual camera meanwhile, in colours as in the file, with noise."""
    film_of_camera = tiki_camera._Film()
    taken: list[Request] = []
    coming = itertools.cycle([name for name in NAMES for _ in range(4)])

    def capture() -> Request:
        taken.append(Request(next(coming)))
        return taken[-1]

    for scene in (0, 2, 1):
        turn_to(scene)
        seen = []
        for _ in range(8):
            seen.append(film_of_camera.take(capture))
            seen[-1].release()
        assert {name_in(each) for each in seen} == {NAMES[scene]}
        for stream in ("main", "lores"):
            one, other = (each.make_array(stream) for each in seen[:2])
            assert not np.array_equal(one, other)
    assert all(request.is_released for request in taken)


def test_a_scene_that_does_not_come_holds_nothing_up(
    turn_to: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scene before stays on; so nobody takes the camera for one that hangs."""
    monkeypatch.setattr(tiki_camera, "TURN_S", 0.0)
    film_of_camera = tiki_camera._Film()
    assert name_in(film_of_camera.take(lambda: Request(NAMES[0]))) == NAMES[0]
    turn_to(1)
    assert name_in(film_of_camera.take(lambda: Request(NAMES[2]))) == NAMES[0]
    assert name_in(film_of_camera.take(lambda: Request(NAMES[1]))) == NAMES[1]


def test_a_setting_that_is_not_in_the_example_is_not_changed_in_silence() -> None:
    """Else a test would run on other settings than it says."""
    assert table.replaced("port = 8321", ("8321", "0")) == "port = 0"
    with pytest.raises(AssertionError, match="prot"):
        table.replaced("port = 8321", ("prot = 8321", "port = 0"))


def test_outside_the_machine_its_tests_are_not_collected() -> None:
    """They would fail for want of its devices."""
    assert conftest.collect_ignore == ([] if conftest.MACHINE.exists() else ["inside"])
