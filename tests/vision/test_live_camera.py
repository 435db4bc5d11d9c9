"""Live cameras: what hangs, fails, crashes or shows nothing is named, ended and opened again."""

import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.lost_cameras import STALLED_S, until_back
from tests.vision.streams import StreamingCamera, streaming
from tests.vision.videos import write_video
from vision.capture import live_camera, picture_check, watched_process
from vision.capture.camera import Shot
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.device_process import SETTINGS
from vision.capture.live_camera import PAUSES_S, STALL_S, LiveCamera
from vision.capture.preview_frame import PreviewFrame
from vision.capture.watched_process import WatchedProcess

PATIENT_S = 60.0
"""For cameras that do not, and all that never lasts so long."""
FAULTY_S = 0.4


def fake(deeds: str, **more: Any) -> LiveCamera:
    """Return a small camera that does *deeds*, watched impatiently if it stalls among them."""
    stalls = "hang" in deeds or "shut" in deeds
    given = {"stall_s": STALLED_S if stalls else PATIENT_S, "pauses_s": (0.01, 0.1), **more}
    return LiveCamera(DeviceSettings("fake", deeds, 64, 48), rate_hz=50, **given)


def losses(shots: Iterator[Shot]) -> list[str]:
    """Return what was said of each loss."""
    return [str(shot) for shot in shots if isinstance(shot, CameraLost)]


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill a hung process soon, but let a busy computer open a camera as slowly as it does."""
    monkeypatch.setattr(watched_process, "CLOSE_S", 1.0)
    monkeypatch.setattr(live_camera, "OPEN_S", PATIENT_S)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Return the processes of all cameras as they start; each has ended when the next one does."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*command: Any, **more: Any) -> subprocess.Popen[bytes]:
        assert all(process.returncode is not None for process in processes)
        processes.append(popen(*command, **more))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return processes


def test_a_camera_is_named_within_five_seconds() -> None:
    """The time to ask for a picture comes on top, and the pauses between attempts grow."""
    assert STALL_S <= 4.0
    assert PAUSES_S == (1.0, 60.0)


@pytest.mark.timeout(60)
def test_pictures_of_another_shape_are_named_and_taken() -> None:
    """The camera is opened anew for them, once."""
    camera, said, shapes = fake("live*3 upright | upright"), list[str](), list[tuple[int, ...]]()
    for shot in camera.shots():
        try:
            if isinstance(shot, PreviewFrame):
                shapes.append(shot.fetch().picture.shape)
            else:
                said.append(str(shot))
        except CameraLost as error:
            said.append(str(error))
        if shapes and shapes[-1] != shapes[0]:
            camera.close()
    assert shapes[-1] == (shapes[0][1], shapes[0][0], 3)
    assert {line.partition(": ")[0] for line in said} == {"the camera changed"}
    assert "pixels became" in said[0]


@pytest.mark.parametrize(
    ("deeds", "words"),
    [
        ("live*3 hang | live", "no picture"),
        ("live*3 fail | live", "has failed"),
        ("live*3 crash | live", "whose process has ended"),
        ("shut | live", "no picture"),
        ("fail | live", "has failed"),
        ("nonsense | live", "ValueError"),
    ],
)
@pytest.mark.slow(keep=["3 hang", "3 fail", "3 crash"])
def test_a_lost_camera_is_named_and_comes_back(
    monkeypatch: pytest.MonkeyPatch,
    started: list[subprocess.Popen[bytes]],
    deeds: str,
    words: str,
) -> None:
    """In one line; frames go on with new names, and nothing is left of the first process."""
    if "shut" in deeds:
        monkeypatch.setattr(live_camera, "OPEN_S", 2 * STALLED_S)
    shots = list(until_back(fake(deeds), after_a_picture=deeds.startswith("live")))
    said = losses(iter(shots))
    assert any(words in line for line in said)
    assert not any("\n" in line for line in said)
    names = [shot.name for shot in shots if isinstance(shot, PreviewFrame)]
    assert names == sorted(set(names))
    assert len(started) == 2
    for process in started:
        process.wait(PATIENT_S)


@pytest.mark.slow
def test_however_often_a_camera_hangs_one_process_is_all(
    started: list[subprocess.Popen[bytes]],
) -> None:
    """Memory is bounded: each process has ended before the next one starts."""
    camera = fake("live*2 hang")
    for _ in losses_of(camera):
        if len(started) == 3:
            camera.close()
    assert all(process.returncode == -signal.SIGKILL for process in started[:2])


def losses_of(camera: LiveCamera) -> Iterator[Shot]:
    """Yield the losses alone, as they come."""
    return (shot for shot in camera.shots() if isinstance(shot, CameraLost))


@pytest.mark.slow
def test_a_hang_is_named_at_once_after_the_limit(started: list[subprocess.Popen[bytes]]) -> None:
    """Naming does not wait until the process has ended."""
    camera, last_s = fake("live*3 hang"), 0.0
    for shot in camera.shots():
        if isinstance(shot, PreviewFrame):
            last_s = shot.taken_s
        elif last_s:
            assert time.monotonic() - last_s >= STALLED_S
            assert started[-1].poll() is None
            camera.close()


@pytest.mark.slow
def test_pauses_double_up_to_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera that stays away is tried ever more seldom, and for ever."""
    camera = fake("fail", pauses_s=(1.0, 8.0))
    paused: list[float] = []

    def wait(pause_s: float) -> bool:
        paused.append(pause_s)
        return len(paused) == 6

    monkeypatch.setattr(camera._closed, "wait", wait)
    assert len(losses(camera.shots())) == 6
    assert paused == [1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_a_process_that_cannot_be_killed_is_the_only_one(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    """A call that hangs in the kernel outlives a kill: it is named, and no other is started."""
    monkeypatch.setattr(WatchedProcess, "is_alive", True)
    camera = fake("live*2 fail")
    said = []
    for shot in losses_of(camera):
        said.append(str(shot))
        if len(said) == 4:
            camera.close()
    assert ["hangs in its driver" in line for line in said] == [False, True, True, True]
    assert len(started) == 1


def count_files() -> int:
    """Return how many files this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_a_computer_that_starts_no_process_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No memory for it: the shots go on, and say so."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    camera, before = fake("live"), count_files()
    for number, shot in enumerate(camera.shots()):
        assert "Cannot allocate memory" in str(shot)
        if number == 3:
            camera.close()
    assert count_files() == before


def test_a_stream_that_stalls_is_named_and_the_newest_picture_comes_after_it() -> None:
    """OpenCV alone would wait for 30 s."""
    with streaming() as sender:
        camera = LiveCamera(
            DeviceSettings("video", sender.address), stall_s=STALLED_S, pauses_s=(0.01, 0.1)
        )
        shots = camera.shots()
        assert any(isinstance(shot, PreviewFrame) for shot in shots)
        sender.stalled.set()
        said = next(shot for shot in shots if isinstance(shot, CameraLost))
        assert sender.address in str(said)
        sender.stalled.clear()
        assert is_newest_soon(sender, shots)
        camera.close()


def is_newest_soon(sender: StreamingCamera, shots: Iterator[Shot]) -> bool:
    """Return whether one of the next *shots* is the newest picture; a queue never empties."""
    few = itertools.islice(shots, 50)
    return any(isinstance(shot, PreviewFrame) and sender.is_newest(shot.luma) for shot in few)


@pytest.mark.parametrize(
    ("breaks", "glances"),
    [(lambda sent: bytes(len(sent)), 20), (lambda sent: sent[: len(sent) // 2], 60)],
    ids=["none can be decoded", "half of each is missing"],
)
def test_a_camera_that_gives_mostly_broken_pictures_is_named_once(
    breaks: Callable[[bytes], bytes], glances: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """In one line, and FFmpeg's own do not reach the log; the whole pictures are taken."""
    with streaming() as sender:
        noise = np.random.default_rng(0).integers(0, 255, (360, 640, 3), np.uint8)
        sender.picture, sender.breaks = noise, breaks
        camera = LiveCamera(DeviceSettings("video", sender.address), rate_hz=25)
        shots = list(itertools.islice(camera.shots(), glances))
        camera.close()
        assert all(isinstance(shot, PreviewFrame) for shot in shots)
        assert capfd.readouterr().err == (
            f"tiki: camera {sender.address} gives mostly broken pictures; check its cable or its"
            " Wi-Fi\n"
        )


@pytest.mark.slow
def test_the_newest_picture_of_a_stream_is_taken() -> None:
    """At 25 pictures a second and a reader that takes 2, none waits in a queue."""
    with streaming() as sender:
        camera = LiveCamera(DeviceSettings("video", sender.address), rate_hz=2)
        shots = camera.shots()
        assert len(list(itertools.islice(shots, 6))) == 6  # a queue has grown by then
        assert is_newest_soon(sender, shots)
        camera.close()


@pytest.mark.slow
def test_a_video_file_is_played_at_its_own_rate(tmp_path: Path) -> None:
    """As a camera would have seen it, again and again."""
    source = write_video(tmp_path / "table.avi", (40, 80, 120, 160, 200), rate_hz=10)
    camera = LiveCamera(DeviceSettings("video", source), rate_hz=50)
    frames = [
        shot for shot in itertools.islice(camera.shots(), 11) if isinstance(shot, PreviewFrame)
    ]
    camera.close()
    assert len(frames) == 11
    assert frames[-1].taken_s - frames[0].taken_s > 0.9
    levels = [round(float(frame.luma.mean()) / 40) * 40 for frame in frames]
    assert set(levels) == {40, 80, 120, 160, 200}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nothing.avi", "camera nothing.avi; there is no nothing.avi"),
        ("97", "camera 97; there is no /dev/video97"),
        (__file__, "not a video that can be played"),
        ("http://127.0.0.1:9/x", "check that it is switched on"),
    ],
)
def test_what_cannot_be_opened_is_named_with_its_remedy(source: str, words: str) -> None:
    """The line says which camera, and what to do."""
    camera = LiveCamera(DeviceSettings("video", source))
    shot = next(camera.shots())
    camera.close()
    assert isinstance(shot, CameraLost)
    assert words in str(shot)


def test_the_password_of_a_stream_is_told_nobody() -> None:
    """Everybody in the home network sees the pages."""
    settings = DeviceSettings("video", "rtsp://ann:secret@cam.local:554/1?token=secret")
    assert settings.name == "camera rtsp://cam.local:554/1"


@pytest.mark.slow
def test_black_pictures_are_named_until_there_is_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are no reason to restart, and nobody reads them."""
    monkeypatch.setattr(picture_check, "LIMIT_S", FAULTY_S)
    camera = fake("live*2 black*30 live")
    shots = list(until_back(camera))
    assert "black" in losses(iter(shots))[0]
    assert isinstance(shots[-1], PreviewFrame)


def test_a_sensor_that_repeats_its_picture_is_restarted(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    """And it stays named as long as it does so."""
    monkeypatch.setattr(picture_check, "LIMIT_S", FAULTY_S)
    camera = fake("frozen | frozen | live")
    shots = list(until_back(camera))
    assert len(losses(iter(shots))) == 2
    assert "repeats the same picture" in losses(iter(shots))[0]
    assert len(started) == 3


def test_without_picamera2_its_package_is_named() -> None:
    """It is the system's, and exists on a Raspberry Pi only."""
    camera = LiveCamera(DeviceSettings("picamera2"))
    shot = next(camera.shots())
    camera.close()
    assert "python3-picamera2" in str(shot)


ABANDONED = (
    "import os, sys; from vision.capture.live_camera import LiveCamera;"
    "from vision.capture.device import DeviceSettings;"
    "shots = LiveCamera(DeviceSettings('fake', 'live', 64, 48)).shots(); next(shots);"
    "kids = open(f'/proc/self/task/{os.getpid()}/children').read();"
    "print(kids, flush=True); os.kill(os.getpid(), 9)"
)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux lists its processes there")
def test_a_camera_is_free_again_after_the_companion_was_killed() -> None:
    """Its process ends with the companion, or the next one could not open the device."""
    killed = subprocess.run(
        [sys.executable, "-c", ABANDONED], stdout=subprocess.PIPE, check=False, text=True
    )
    (kid,) = killed.stdout.split()
    deadline_s = time.monotonic() + PATIENT_S
    while is_running(kid):
        assert time.monotonic() < deadline_s
        threading.Event().wait(0.02)


def is_running(process: str) -> bool:
    """Return whether *process* runs; one that nobody has waited for has ended all the same."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_hung_call_ends_its_process_though_nobody_is_left_to_do_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The companion may have been killed while the camera hung."""
    code = "import vision.capture.device_process as process; process.HANG_S = 1; process.main()"
    monkeypatch.setenv(SETTINGS, '{"kind": "fake", "source": "hang"}')
    command = [sys.executable, "-c", code, "1", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as hung:
        assert hung.wait(PATIENT_S) == -signal.SIGALRM


def test_a_camera_takes_more_pictures_while_it_is_asked_to() -> None:
    """And never fewer than its own rate."""
    camera = LiveCamera(DeviceSettings("fake", "live", 64, 48), rate_hz=2, stall_s=PATIENT_S)
    shots = camera.shots()
    next(shots)

    def gap_s() -> float:
        before, after = next(shots), next(shots)
        assert isinstance(before, PreviewFrame)
        assert isinstance(after, PreviewFrame)
        return after.taken_s - before.taken_s

    assert gap_s() > 0.4
    camera.hurry(20.0)
    next(shots)  # which had been waited for already
    assert min(gap_s() for _ in range(5)) < 0.2
    camera.hurry(1.0)
    next(shots)
    assert 0.4 < min(gap_s() for _ in range(2)) < 0.9
    camera.close()
