"""The camera is found and chosen on the host's page, without a restart, and stays chosen."""

import argparse
import io
import json
import re
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.cameras import (
    NO_ADDRESS,
    CameraChooser,
    CannotChoose,
    parse_address,
    pick_camera,
    rig_of,
)
from companion.cli.run import _as_asked
from companion.config import CameraConfig, load_config
from companion.table.calibration_picture import SavedCalibration, save_calibration_picture
from companion.table.camera_lens import save_lens
from companion.table.reader_calibration import ReaderCalibration
from companion.table.watcher import Watcher
from tests.cameras import (
    SETTINGS,
    camera_troubles,
    connect,
    film,
    send,
    table_picture,
    wait_for_page,
)
from tests.recordings import SHIPPED
from tests.tables import sit_down
from tests.vision.streams import streaming
from tests.wired_tables import DEADLINE_S, House, at_home, host_headers, page, wait_for
from vision.capture.camera_list import FoundCamera
from vision.capture.frame import load_frame
from vision.capture.motion_gate import MotionGate
from vision.capture.switched_camera import SwitchedCamera
from vision.geometry.lens import Lens

MODULE = FoundCamera("picamera2", "0", "imx708")
C920 = FoundCamera("video", "/dev/v4l/by-id/usb-C920", "C920", "/dev/video0")
C270 = FoundCamera("video", "/dev/v4l/by-id/usb-C270", "C270", "/dev/video2")


def test_the_only_camera_the_chosen_one_or_the_first_watches() -> None:
    """A chosen one that is not here is waited for; one of the Pi's is known by its name."""
    assert pick_camera((), None) is None
    assert pick_camera((C270,), None) == C270
    assert pick_camera((MODULE, C920, C270), None) == MODULE
    again = FoundCamera("video", C920.device, "C920", "/dev/video4")
    assert pick_camera((MODULE, C270, again), C920) == again
    assert pick_camera((MODULE, C270), C920) == C920
    twin = FoundCamera("video", "/dev/v4l/by-path/usb-1.2", "C920", "/dev/video6")
    assert pick_camera((C920, twin), twin) == twin
    two = tuple(FoundCamera("picamera2", str(at), f"imx219 at i2c@{8 - at}") for at in range(2))
    assert pick_camera(two, FoundCamera("picamera2", "0", "imx219 at i2c@7")) == two[1]
    assert pick_camera(two, FoundCamera("picamera2", "1", "imx219")) == two[1]


@pytest.mark.parametrize(
    "text",
    ["", "garage", "/dev/video0", "file:///etc/passwd", "rtsp://", "http://[", "rtsp://a b/c",
     "http://x:99999/", "rtsp://x/\n", "rtsp://x/\u202e", "concat:a|b", "http://" + "x" * 600],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    """In one sentence, the same for all."""
    if text.endswith("\n"):
        text += "x"
    with pytest.raises(CannotChoose) as refused:
        parse_address(text)
    assert refused.value.args == (NO_ADDRESS,)


def test_a_password_is_in_no_name() -> None:
    """Neither in what people read nor in the name under which calibrations are kept."""
    camera = parse_address(" rtsp://ann:s3cret9@192.168.1.9:554/one?token=s3cret9 ")
    assert camera.name == "rtsp://192.168.1.9:554/one"
    assert "s3cret9" in camera.device
    assert re.fullmatch("[0-9a-f]{8}", rig_of(camera))


@pytest.mark.parametrize("kept", [b"", b"[]", b"{", b'{"source": "disk", "device": "0"}', None])
def test_a_choice_that_cannot_be_read_is_none(tmp_path: Path, kept: bytes | None) -> None:
    """The first camera watches, as if nothing had been chosen."""
    file = tmp_path / "games.camera.json"
    if kept is not None:
        file.write_bytes(kept)
    chooser = CameraChooser(CameraConfig(), file, lambda act: act(), lambda _rig: None)
    assert chooser._chosen is None


def test_a_choice_that_cannot_be_kept_holds_and_is_said(tmp_path: Path) -> None:
    """Until the companion stops."""
    file = tmp_path / "gone" / "games.camera.json"
    chooser = CameraChooser(CameraConfig(), file, lambda act: act(), lambda _rig: None)
    watcher = Watcher(chooser.camera, MotionGate(), lambda _: None)
    chooser._watcher = watcher
    chooser.current = C920
    chooser.choose(C920)
    assert "cannot be saved: No such file or directory" in chooser.trouble


def test_each_camera_keeps_what_it_has_learned(tmp_path: Path) -> None:
    """Whoever goes back to one finds it as it was; listeners look again."""
    log, frame, told = tmp_path / "games.db", load_frame(SHIPPED / "000.jpg"), []
    save_calibration_picture(log, "tiki_topple", SavedCalibration(frame, {"line": []}, {}), "one")
    save_lens(log, "one", Lens(50.0, 0.02))
    camera = SwitchedCamera()
    watcher = Watcher(camera, MotionGate(), lambda _: None)
    calibration = ReaderCalibration(watcher, sit_down(), log, lambda act: act(), "one")
    calibration.on_learned.add(lambda: told.append(""))
    for rig, is_known in (("one", True), ("two", False), ("one", True)):
        calibration.change_camera(rig)
        assert (calibration.saved("tiki_topple") is not None) is is_known
        assert (calibration.lens is not None) is is_known
    assert len(told) == 3


@pytest.mark.parametrize("cameras", [(), (C920,)])
def test_a_table_to_be_recorded_has_a_camera_or_the_recording_that_ships(
    monkeypatch: pytest.MonkeyPatch, cameras: tuple[FoundCamera, ...]
) -> None:
    """Any other table without settings finds its camera while it runs."""
    monkeypatch.setattr("companion.cli.run.find_cameras", lambda: cameras)
    asked = argparse.Namespace(port=None, log=None, game=None)
    assert _as_asked(load_config(None), asked).camera.source == "auto"
    recorded = _as_asked(load_config(None), asked, is_recorded=True)
    assert recorded.camera.source == ("auto" if cameras else "recording")


def picture(house: House, key: str) -> tuple[int, bytes]:
    """Return the small picture of a camera as the host gets it, with the status."""
    address = f"{house.url}/set-up/camera/{key}"
    request = urllib.request.Request(address, None, host_headers(house))
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def watches(name: str) -> Any:
    """Return what tells of a page whether the camera *name* watches."""

    def is_shown(shown: str) -> bool:
        _, _, current = shown.partition('class="current"')
        return f"<b>{name}</b>" in current.partition("</li>")[0]

    return is_shown


def test_cameras_are_found_chosen_and_found_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """None at first; then two; the host chooses, and the choice outlives a restart."""
    cameras: list[FoundCamera] = []
    connect(monkeypatch, cameras)
    with at_home(tmp_path, SETTINGS) as house:
        assert "No camera is connected yet" in page(house, "/desk/set-up")
        assert not [each for each in house.ask("/api/state")["warnings"] if "camera" in each]
        one, two = (film(tmp_path / f"{name}.avi", table_picture()) for name in ("one", "two"))
        cameras += [one, two]
        shown = wait_for_page(house, watches("one"))
        assert "/dev/two" in shown
        wait_for(house, lambda board: board["waiting"])
        for each in cameras:
            status, jpeg = picture(house, rig_of(each))
            assert status == 200
            assert Image.open(io.BytesIO(jpeg)).size == (240, 135)
        assert picture(house, "00000000")[0] == 404
        assert not (tmp_path / "game.camera.json").exists()
        send(house, camera=rig_of(two))
        wait_for_page(house, watches("two"))
    kept = tmp_path / "game.camera.json"
    assert json.loads(kept.read_text()) == {"source": "video", "device": two.device, "name": "two"}
    assert kept.stat().st_mode & 0o077 == 0
    with at_home(tmp_path, SETTINGS) as house:
        wait_for_page(house, watches("two"))


def test_a_camera_that_gives_no_picture_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One line says why, and the old one watches on; nobody but the host may choose."""
    one = film(tmp_path / "one.avi", table_picture())
    gone = FoundCamera("video", str(tmp_path / "pulled.avi"), "pulled")
    connect(monkeypatch, [one, gone])
    with at_home(tmp_path, SETTINGS) as house:
        wait_for_page(house, watches("one"))
        send(house, camera=rig_of(gone))
        shown = wait_for_page(house, lambda shown: "pulled cannot be used" in shown)
        assert watches("one")(shown)
        assert picture(house, rig_of(gone))[0] == 404
        assert NO_ADDRESS in send(house, address="garage").replace("&rsquo;", "’")
        assert "That camera is gone" in send(house, camera="00000000")
        send(house, address="http://ann:s3cret9@127.0.0.1:9/")
        shown = wait_for_page(house, lambda shown: "http://127.0.0.1:9/ cannot be used" in shown)
        assert "s3cret9" not in shown
        for path, form in (("camera", b"camera=x"), (f"camera/{rig_of(one)}", None)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{house.url}/set-up/{path}", form, DEADLINE_S)
            assert refused.value.code == 403
            refused.value.close()
    assert not (tmp_path / "game.camera.json").exists()


def test_a_camera_that_is_pulled_out_is_named_and_another_one_takes_over_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two are of one model, so their places tell them apart; what is chosen stays chosen."""
    places = [tmp_path / "1", tmp_path / "2"]
    for place in places:
        place.mkdir()
    one, two = (film(place / "C920.avi", table_picture()) for place in places)
    two = replace(two, node="/dev/video2")
    connect(monkeypatch, [one, two])
    with at_home(tmp_path, SETTINGS) as house:
        shown = wait_for_page(house, watches("C920"))
        assert shown.count("<b>C920</b>") == 2
        assert "/dev/video2" in shown
        wait_for(house, lambda board: board["waiting"])
        Path(one.device).unlink()
        board = wait_for(house, camera_troubles)
        assert f"there is no {one.device}; plug it in" in camera_troubles(board)[0]
        assert re.search("current.*?/dev/C920", page(house, "/desk/set-up"), re.DOTALL)
        send(house, camera=rig_of(two))
        wait_for_page(house, lambda shown: re.search("current.*?/dev/video2", shown, re.DOTALL))
        wait_for(house, lambda board: not camera_troubles(board))


def test_a_stream_is_typed_in_and_its_password_shown_to_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The choice is taken back by choosing the first again."""
    one = film(tmp_path / "one.avi", table_picture())
    connect(monkeypatch, [one])
    with streaming() as sender, at_home(tmp_path, SETTINGS) as house:
        sender.picture = table_picture(640)
        wait_for_page(house, watches("one"))
        send(house, address=sender.address.replace("http://", "http://ann:s3cret9@"))
        shown = wait_for_page(house, watches(sender.address))
        for path in ("/", "/desk", "/desk/set-up", "/api/state"):
            assert "s3cret9" not in page(house, path)
        assert "s3cret9" in (tmp_path / "game.camera.json").read_text()
        assert not watches("one")(shown)
        send(house, camera=rig_of(one))
        wait_for_page(house, watches("one"))
    assert "s3cret9" not in (tmp_path / "game.camera.json").read_text()


def test_what_the_settings_name_is_not_chosen_on_the_page(tmp_path: Path) -> None:
    """The page offers no cameras, and says what to do."""
    with at_home(tmp_path, SETTINGS.replace('"auto"', '"none"')) as house:
        shown = page(house, "/desk/set-up")
        assert 'id="cameras"' not in shown
        assert "set source to “auto”" in send(house, camera="00000000")
