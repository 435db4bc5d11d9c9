"""Lights, display, sound and camera."""

import sys
from collections.abc import Iterable
from typing import Final

from companion.apps.doctor.computer import is_pi_5, pi_model
from companion.apps.doctor.machine import LATE, Answer, Machine
from companion.apps.doctor.requirements import FAKE, NONE, ON_I2C, ON_SPI, Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, simulated, skipped
from companion.config import CameraConfig
from vision.capture.camera_list import FoundCamera, join_cameras, parse_cameras
from vision.capture.video_nodes import BY_ID

PLAYERS: Final = ("aplay", "pw-play")
VOICES: Final = ("espeak-ng", "piper")
CAMERA_S: Final = 8.0
EYES_S: Final = 9.0
FAULTY: Final = 2
"""Exit status of `vision.numeric_check`, where numpy or OpenCV computes wrongly."""
INSTALL_AGAIN: Final = (
    "rm -rf .venv, then ./run --version to install it again; if that does not help, report this"
    " line"
)
WITHOUT_CAMERA: Final = 'source = "none" under [camera]'
_LIST: Final = "from vision.capture.camera_list import main; main(with_modules={})"
_SPI_DATA: Final = 10
_PACKAGES: Final = ".venv/bin/pip install '.[pi]' in the companion's folder"


def check_lights(machine: Machine, requirements: Requirements) -> Verdict:
    """Say whether the header can drive the lights on this model; a Pico can."""
    if requirements.lights == FAKE:
        return simulated("the page shows the lights")
    if requirements.pico and (data := requirements.plan.find("pixels")):
        count = requirements.config.lights.lights
        return ok(f"GP{data.number} of the Pico drives {count} of them; see serial")
    if not all(map(machine.has_module, ("neopixel", "board"))):  # a Pico needs the first alone
        return failed("Adafruit's neopixel is not installed", _PACKAGES)
    if not pi_model(machine):
        return failed("lights on the header need a Raspberry Pi", 'set lights.kind to "fake"')
    pin = requirements.plan.find("pixels")
    number = pin.number if pin else None
    node = _light_node(machine, number)
    if not machine.exists(node):
        missing = {
            "/dev/pio0": "sudo apt full-upgrade and sudo rpi-eeprom-update -a, then restart",
            "/dev/spidev0.0": "sudo raspi-config nonint do_spi 0, then restart",
        }
        return failed(f"there is no {node}", missing.get(node, "let a Pico drive the lights"))
    if not machine.usable(node):
        return failed(f"no permission for {node}", _light_remedy(node))
    return ok(f"GPIO{number} drives them through {node}")


def _light_node(machine: Machine, number: int | None) -> str:
    if is_pi_5(machine):
        return "/dev/pio0"
    return "/dev/spidev0.0" if number == _SPI_DATA else "/dev/mem"


def _light_remedy(node: str) -> str:
    if node == "/dev/mem":
        return "move the data wire to GPIO10, which needs no root, or let a Pico drive the lights"
    group = "gpio" if node == "/dev/pio0" else "spi"
    return f"sudo usermod -aG {group} $USER, then log in again, or let a Pico drive the lights"


def check_display(machine: Machine, requirements: Requirements) -> Verdict:
    """Say whether the score display's kind is known and its bus there."""
    if requirements.display == FAKE:
        return simulated("the page shows the display")
    if requirements.display in ON_I2C:
        on = machine.exists(f"/dev/i2c-{requirements.bus}")
        return ok(f"{requirements.display} on I2C; see i2c") if on else _no_bus(requirements, "i2c")
    if requirements.display in ON_SPI:
        on = bool(machine.find("/dev/spidev0.*"))
        return ok(f"{requirements.display} on SPI; see spi") if on else _no_bus(requirements, "spi")
    known = ", ".join(sorted(ON_I2C | ON_SPI))
    return failed(f"display.kind is '{requirements.display}'", f"it may be fake, {known}")


def _no_bus(requirements: Requirements, bus: str) -> Verdict:
    return failed(
        f"the {requirements.display} is on {bus.upper()}, which is off",
        f"sudo raspi-config nonint do_{bus} 0, then restart",
    )


def check_sound(machine: Machine, requirements: Requirements) -> Verdict:
    """Say which programs play and speak."""
    players = [name for name in PLAYERS if machine.has_program(name)]
    voices = [name for name in VOICES if machine.has_program(name)]
    found = ", ".join(players + voices) or "no sound program"
    if requirements.sound == FAKE:
        return simulated(f"off; this machine has {found}")
    if not players:
        return failed("no program to play sounds", "sudo apt install alsa-utils")
    if requirements.voice not in (NONE, *voices):
        install = {"espeak-ng": "sudo apt install espeak-ng", "piper": "pip install piper-tts"}
        remedy = install.get(requirements.voice, 'set sound.voice to "espeak-ng" or "none"')
        return failed(f"{requirements.voice}, the configured voice, is not installed", remedy)
    return ok(found)


def _check_recording(machine: Machine, camera: CameraConfig) -> Verdict:
    folder = camera.folder
    shown = folder or "included with the companion"
    if folder and not machine.exists(f"{folder}/session.json"):
        return failed(
            f"there is no recording in {folder}",
            'set camera.folder to a recording, or to "" for the included one',
        )
    here = join_cameras(_list_cameras(machine, with_modules=False)[1] or ())
    return simulated(f"by the recording {shown}; this machine has {here or 'no camera'}")


def _list_cameras(
    machine: Machine, *, with_modules: bool = True
) -> tuple[Answer | None, tuple[FoundCamera, ...] | None]:
    """Return what the list of cameras has answered, and what it names; None if it is none.

    with_modules: whether Raspberry Pi cameras are looked for, which takes a while.
    """
    answer = machine.run(sys.executable, "-c", _LIST.format(with_modules), within_s=CAMERA_S)
    return answer, parse_cameras(answer.output) if answer else None


def _of_pi(cameras: Iterable[FoundCamera]) -> list[FoundCamera]:
    return [each for each in cameras if each.source == "picamera2"]


def _check_auto(machine: Machine, _: CameraConfig) -> Verdict:
    here = _list_cameras(machine, with_modules=machine.has_module("picamera2"))[1]
    if not here:
        return skipped("none is connected; all moves are entered by hand until one is")
    names = ", ".join(f"{each.name} ({each.node or each.source})" for each in here)
    choice = "; the host chooses on the page Set up the camera" if len(here) > 1 else ""
    return ok(f"{names}{choice}")


def _check_pi_camera(machine: Machine, camera: CameraConfig) -> Verdict:
    if not machine.has_module("picamera2"):
        return failed(
            "picamera2 is not installed",
            "sudo apt install python3-picamera2 --no-install-recommends, then ./run --version",
        )
    answer, found = _list_cameras(machine)
    if found is None or answer is None or answer.status != 0:
        last = answer.output.strip().rpartition("\n")[2] if answer else "no Python"
        return failed(
            f"picamera2 cannot list cameras: {last}",
            "run rpicam-hello --list-cameras for details; sudo apt full-upgrade, then restart",
        )
    here = _of_pi(found)
    if len(found) == 1 and not here:
        return ok(f"{found[0].name} because there is no Raspberry Pi camera")
    if not here:
        others = f"; or choose one that is here: {join_cameras(found)}" if found else ""
        return failed(
            "no camera is connected",
            "switch off, push the ribbon cable fully in at both ends with its contacts facing those"
            f" of the socket, then restart{others}",
        )
    if camera.device.isdecimal() and int(camera.device) >= len(here):
        return failed(
            f"there is no Raspberry Pi camera {camera.device}",
            f"choose one that is here: {join_cameras(found)}",
        )
    names = ", ".join(each.name for each in here)
    return ok(f"{names} through picamera2{_users(machine, machine.find('/dev/media*'))}")


def _users(machine: Machine, nodes: Iterable[str]) -> str:
    names = sorted({name for node in nodes for name in machine.holders(node)})
    return f", in use by {', '.join(names)}" if names else ""


def _check_video(machine: Machine, camera: CameraConfig) -> Verdict:
    device = camera.device
    if "://" in device:
        return _check_stream(machine, device)
    by_id = str(BY_ID / device)
    node = by_id if machine.exists(by_id) else device
    node = f"/dev/video{device}" if device.isdecimal() else node
    here = _list_cameras(machine, with_modules=False)[1] or ()
    if not machine.exists(node):
        here = _list_cameras(machine)[1] or here
        others = f"choose one that is here: {join_cameras(here)}" if here else "plug a camera in"
        return failed(f"there is no {node}", others)
    if not machine.usable(node):
        return failed(
            f"no permission for {node}", "sudo usermod -aG video $USER, then log in again"
        )
    names = [each.name for each in here if node in (each.device, each.node)]
    return ok(f"{names[0] if names else 'a video'} at {node}{_users(machine, [node])}")


def _check_stream(machine: Machine, address: str) -> Verdict:
    module = "vision.capture.stream_check"
    answer = machine.run(sys.executable, "-m", module, address, within_s=CAMERA_S)
    if answer is None:
        return skipped("a second Python to open the stream cannot be started")
    last = answer.output.strip().rpartition("\n")[2]
    if answer.status == 0:
        return ok(f"a stream: {last}")
    what, _, remedy = last.partition("; ")
    return failed(
        what or f"the stream gives no picture in {CAMERA_S:.0f} s",
        remedy or "check that it is switched on, and its address in camera.device",
    )


def _check_phone(machine: Machine, _: CameraConfig) -> Verdict:
    if not machine.has_program("openssl"):
        return failed(
            "openssl is missing, which makes the certificate for the phone's page",
            "sudo apt install openssl; behind a proxy with TLS it is not needed",
        )
    return ok("a phone; the host lets it in on the page Set up the camera")


_LOOKS: Final = {
    "phone": _check_phone,
    "auto": _check_auto,
    "recording": _check_recording,
    "picamera2": _check_pi_camera,
    "video": _check_video,
}


def check_camera(machine: Machine, requirements: Requirements) -> Verdict:
    """Say whether the camera is there.  It is looked up, never opened."""
    camera = requirements.config.camera
    if requirements.unseen:
        return skipped(f"{requirements.unseen} is played without a camera")
    look = _LOOKS.get(camera.source)
    return (
        look(machine, camera)
        if look
        else skipped("none is configured; all moves are entered by hand")
    )


def check_eyes(machine: Machine, requirements: Requirements) -> Verdict:
    """Return whether numpy, OpenCV and the networks give the same results here as elsewhere."""
    if requirements.unseen:
        return skipped(f"{requirements.unseen} is played without a camera, so nothing is read")
    if requirements.config.camera.source == NONE:
        return skipped("no camera is configured, so nothing is read")
    answer = machine.run(sys.executable, "-m", "vision.numeric_check", within_s=EYES_S)
    if answer is None:
        return skipped("a second Python to run the networks cannot be started")
    last = answer.output.strip().rpartition("\n")[2]
    if answer.status == 0:
        return ok(last)
    if answer.status == LATE:
        return failed(
            f"whether cards, stacks and towers can be read here: {last}",
            "stop other programs and run it again; a machine as slow as that reads no game in time",
        )
    if answer.status == FAULTY:
        return failed(
            f"no picture can be read: {last}",
            f"{INSTALL_AGAIN}, and play without the camera until then: {WITHOUT_CAMERA}",
        )
    if answer.status < 0:
        last = f"ONNX Runtime crashes here, by signal {-answer.status}"
    return failed(
        f"cards, stacks and towers cannot be read: {last or 'the networks give no answer'}",
        f"{INSTALL_AGAIN}. A line of tikis can still be read",
    )
