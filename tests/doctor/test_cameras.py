"""What the doctor says of cameras: which is there, who has it, and what to choose instead."""

from dataclasses import replace

from companion.apps.doctor.examination import CHECKS
from companion.apps.doctor.machine import Answer, LocalMachine
from tests.doctor.machines import C920, FAKES, MODULE_3, asked, look, naming, pi_5, seeing
from tests.vision.streams import streaming


def test_a_camera_in_use_is_said() -> None:
    """Whoever has it open is named; it is not opened to find out."""
    users = {"/dev/video0": ("tiki",), "/dev/media0": ("rpicam-vid",)}
    assert look("camera", pi_5(users=users), seeing("video")).detail.endswith("in use by tiki")
    verdict = look("camera", naming(MODULE_3, users=users), seeing("picamera2"))
    assert verdict.detail == "imx708 through picamera2, in use by rpicam-vid"


def test_a_webcam_is_called_by_its_name() -> None:
    """By its number, its path, and the name that stays when it comes back as another."""
    machine = naming(C920)
    machine.files |= {C920.device: ""}
    assert look("camera", machine, seeing("video")).detail == "C920 at /dev/video0"
    for device in (C920.device, "usb-C920"):
        verdict = look("camera", machine, seeing("video", device=device))
        assert verdict.detail == "C920 at /dev/v4l/by-id/usb-C920"
    assert look("camera", naming(), seeing("video")).detail == "a video at /dev/video0"
    assert look("camera", machine, FAKES).detail.endswith(f"this machine has {C920}")


def test_all_cameras_are_named_where_the_chosen_one_is_not_there() -> None:
    """With what the settings have to say for each."""
    verdict = look("camera", naming(MODULE_3, C920), seeing("video", device="9"))
    assert (verdict.status, verdict.detail) == ("failed", "there is no /dev/video9")
    assert verdict.remedy == (
        'choose one that is here: imx708 (source = "picamera2", device = "0"), C920 (source ='
        ' "video", device = "/dev/v4l/by-id/usb-C920")'
    )
    verdict = look("camera", naming(MODULE_3, C920), seeing("picamera2", device="1"))
    assert verdict.detail == "there is no Raspberry Pi camera 1"
    assert f"{MODULE_3}, {C920}" in verdict.remedy
    second = replace(C920, device="/dev/video2", node="/dev/video2")
    verdict = look("camera", naming(C920, second), seeing("picamera2"))
    assert verdict.remedy.startswith("switch off, push the ribbon cable")
    assert f"{C920}, {second}" in verdict.remedy


def test_what_is_found_by_itself_is_named() -> None:
    """All of them, and where the host chooses; none is no failure."""
    assert look("camera", naming(C920), seeing("auto")).detail == "C920 (/dev/video0)"
    verdict = look("camera", naming(MODULE_3, C920), seeing("auto"))
    assert verdict.status == "ok"
    assert verdict.detail.startswith("imx708 (picamera2), C920 (/dev/video0); the host chooses")
    assert look("camera", naming(), seeing("auto")).status == "skipped"


def test_a_phone_needs_a_certificate() -> None:
    """Which openssl makes, unless a proxy has one."""
    machine = naming()
    assert look("camera", machine, seeing("phone")).remedy.startswith("sudo apt install openssl")
    machine.programs |= {"openssl": Answer(0, "")}
    assert look("camera", machine, seeing("phone")).detail.startswith("a phone; the host lets it")


def test_a_webcam_alone_stands_in_for_a_module() -> None:
    """As it does while the companion runs."""
    verdict = look("camera", naming(C920), seeing("picamera2"))
    assert (verdict.status, verdict.detail) == (
        "ok", "C920 because there is no Raspberry Pi camera",
    )  # fmt: skip


def test_a_stream_is_asked_for_a_picture() -> None:
    """In a process of its own; what it says of a failure is split into fault and remedy."""
    stream = seeing("video", device="rtsp://cam/1")
    said = Answer(0, "noise\n640 x 360 pixels after 0.3 s\n")
    verdict = look("camera", pi_5(programs=asked(said)), stream)
    assert (verdict.status, verdict.detail) == ("ok", "a stream: 640 x 360 pixels after 0.3 s")
    verdict = look("camera", pi_5(programs=asked(Answer(124, ""))), stream)
    assert verdict.detail == "the stream gives no picture in 8 s"
    assert "camera.device" in verdict.remedy
    assert look("camera", pi_5(programs={}), stream).status == "skipped"


def test_a_real_stream_gives_its_picture() -> None:
    """The real program, on a real stream, and on an address where nobody listens."""
    with streaming() as sender:
        verdict = CHECKS["camera"](LocalMachine(), seeing("video", device=sender.address))
    assert verdict.detail.startswith("a stream: 640 x 360 pixels after ")
    verdict = CHECKS["camera"](LocalMachine(), seeing("video", device="http://127.0.0.1:9/x"))
    assert verdict.detail == "no picture from camera http://127.0.0.1:9/x"
    assert verdict.remedy == "check that it is switched on, and its address"
