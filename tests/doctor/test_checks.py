"""Every check: what it says when all is well, and for each fault the remedy that goes with it."""

import errno
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import ip_address

import pytest

from companion.apps.doctor.computer import MIN_MEMORY_MB, spell_throttling
from companion.apps.doctor.devices import FAULTY
from companion.apps.doctor.examination import CHECKS
from companion.apps.doctor.keeping import MIN_FREE_MB
from companion.apps.doctor.machine import LATE, Answer
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.wifi import NAMES, PORTAL
from companion.config import CameraConfig, Config, TableConfig, WifiConfig
from companion.config.web import WebConfig
from companion.web.http.own_addresses import OwnAddress
from hardware.device import HardwareError
from hardware.pins import plan_pins, usual_plan
from tests.doctor.faults import LAPTOP, Fault, assert_named, holding
from tests.doctor.machines import (
    FAKES,
    MODULE_3,
    FakeMachine,
    asked,
    built,
    less,
    listed,
    look,
    naming,
    pi_5,
    seeing,
)  # fmt: skip
from vision import numeric_check

WARMTH = "/sys/class/thermal/thermal_zone0/temp"


def told(text: str) -> dict[str, Answer]:
    """Return the programs of a Pi whose vcgencmd says *text*."""
    return {**pi_5().programs, "vcgencmd get_throttled": Answer(0, text)}


def clock(text: str, status: int = 0) -> dict[str, Answer]:
    """Return the programs of a Pi whose timedatectl says *text*."""
    said = Answer(status, f"Timezone=Europe/Berlin\n{text}")
    return {**pi_5().programs, "timedatectl": said}


WITH_WIFI = built(config=Config(wifi=WifiConfig(access_point="auto")))


def radio(general: str = "running:enabled", device: str = "wifi:disconnected") -> FakeMachine:
    """Return a Pi with what its own Wi-Fi needs, whose nmcli says this."""
    healthy = pi_5()
    programs = {
        "nmcli --terse": Answer(0, f"ethernet:unavailable\n{device}\n"),
        "nmcli --fields": Answer(0, general),
    }
    return replace(
        healthy,
        files={**healthy.files, PORTAL: "", NAMES: ""},
        programs={**healthy.programs, **programs},
        modules={*healthy.modules, "jeepney"},
    )


def own(ip: str) -> OwnAddress:
    """Return an address by Wi-Fi."""
    return OwnAddress("wlan0", ip_address(ip), "Wi-Fi")


def by_ipv4() -> Requirements:
    """Return a table whose pages are served by IPv4 alone."""
    return replace(FAKES, config=Config(web=WebConfig(host="0.0.0.0")))


FAULTS = (
    Fault("board", LAPTOP, built(), "not a Raspberry Pi", 'kind = "fake"'),
    Fault("system", pi_5(bits=32), FAKES, "32-bit", "64-bit"),
    Fault("power", pi_5(programs=told("throttled=0x50001")), FAKES, "voltage now", "supply"),
    Fault("power", pi_5(programs=told("throttled=0x10000")), FAKES, "since start-up", "5 V"),
    Fault("power", pi_5(programs=told("throttled=0x80008")), FAKES, "temperature", "heat sink"),
    Fault("power", holding(WARMTH, "85000"), FAKES, "too hot", "fan"),
    Fault("power", pi_5(programs=told("no device file: /dev/vcio")), FAKES, "vcio", "video"),
    Fault("power", pi_5(programs={}), FAKES, "vcgencmd is not installed", "raspi-utils"),
    Fault("memory", holding("/proc/meminfo", "MemAvailable: 102400 kB"), FAKES, "100 MB", "close"),
    Fault("disk", FakeMachine(), FAKES, "there is no", "mkdir -p"),
    Fault("disk", pi_5(log_error=OSError(errno.EROFS, "Read-only file system")), FAKES, "Read-only",
          "writable"),
    Fault("disk", pi_5(log_error=PermissionError(errno.EACCES, "Permission denied")), FAKES,
          "Permission denied", "chown"),
    Fault("disk", pi_5(log_error=OSError(errno.ENOSPC, "No space")), FAKES, "No space", "space"),
    Fault("disk", pi_5(log_error=OSError(errno.ENOTSUP, "no WAL")), FAKES, "no WAL", "local disk"),
    Fault("disk", holding("/proc/mounts", "overlay / overlay rw 0 0"), FAKES, "loses", "overlay"),
    Fault("disk", pi_5(spoilt_log="games.db is damaged (x); 1 game with 2 entries can be saved"),
          FAKES, "is damaged", "1 game with 2 entries can be saved"),
    Fault("disk", pi_5(refused={"/home/maker/.local/state/tiki/games.db"}), FAKES, "another user",
          "chown"),
    Fault("disk", pi_5(public={"/home/maker/.local/state/tiki/games.db"}), FAKES,
          "other users of this machine can read /home/maker/.local/state/tiki/games.db, which",
          "chmod go= /home"),
    Fault("disk", pi_5(free=MIN_FREE_MB - 1.0), FAKES, "199 MB free", "apt clean"),
    Fault("clock", pi_5(time_s=0.0), FAKES, "before the companion was installed", "set-time"),
    Fault("clock", pi_5(programs=clock("NTP=no\nNTPSynchronized=no")), FAKES, "switched off",
          "set-ntp"),
    Fault("clock", pi_5(programs=clock("NTP=yes\nNTPSynchronized=no")), FAKES, "no battery",
          "network"),
    Fault("clock", replace(holding("/etc/timezone", "Europe/Berlin"), programs={}), FAKES,
          "not set", "network"),
    Fault("clock", pi_5(programs=clock("Timezone=Etc/UTC")), FAKES, "Etc/UTC: the time zone is",
          "set-timezone"),
    Fault("permissions", pi_5(refused={"/dev/i2c-1", "/dev/gpiochip0"}, member_of={"video"}), FAKES,
          "/dev/gpiochip0, /dev/i2c-1", "usermod -aG gpio,i2c $USER"),
    Fault("permissions", pi_5(refused={"/dev/pio0"}), FAKES, "/dev/pio0", "the group gpio"),
    Fault("pins", pi_5(pins={17: "lgpio"}), built(), "idol_a: GPIO17 (physical pin 11) is held by"
          " lgpio", "pins.idol_a"),
    Fault("pins", pi_5(pins=HardwareError("lgpio is not installed here; sudo apt install it")),
          built(), "not installed", "sudo apt"),
    Fault("pins", pi_5(pins=HardwareError("all is lost")), built(), "all is lost", "restart"),
    Fault("pins", holding("/proc/cmdline", "console=ttyAMA0,115200"), built(), "undo: GPIO14",
          "do_serial_cons 1"),
    Fault("pins", holding("/boot/firmware/config.txt", "#dtoverlay=spi0-1cs,no_miso"), built(),
          "tilt_1: GPIO7", "dtoverlay=spi0-1cs,no_miso"),
    Fault("pins", pi_5(), built(factory="rpigpio"), "detects no edges", "lgpio"),
    Fault("pins", pi_5(pins={17: "lgpio", 27: "x"}), built(), "lgpio, idol_b: GPIO27", "idol_a"),
    Fault("i2c", LAPTOP, built(), "needs a Raspberry Pi", '"fake"'),
    Fault("i2c", less(pi_5(), "/dev/i2c-1"), built(), "there is no /dev/i2c-1", "do_i2c 0"),
    Fault("i2c", pi_5(i2c=PermissionError(13, "no")), built(), "no permission", "usermod -aG i2c"),
    Fault("i2c", pi_5(i2c=OSError(errno.ETIMEDOUT, "out")), built(), "stuck", "SDA"),
    Fault("i2c", pi_5(i2c=OSError(5, "Input/output error")), built(), "Input/output", "SDA"),
    Fault("i2c", pi_5(i2c=()), built(), "nothing answers on /dev/i2c-1", "four wires"),
    Fault("i2c", pi_5(i2c=(0x3D,)), built(), "0x3D (a display) answers", "display.address to 0x3D"),
    Fault("spi", less(pi_5(), "/dev/spidev0.0"), built(display="matrix"), "spidev0.0", "do_spi"),
    Fault("spi", pi_5(refused={"/dev/spidev0.0"}), built(display="digits"), "no permission",
          "usermod -aG spi"),
    Fault("serial", pi_5(refused={"/dev/ttyACM0"}), FAKES, "a Pico with CircuitPython", "dialout"),
    Fault("lights", pi_5(modules=set()), built(), "not installed", ".venv/bin/pip install '.[pi]'"),
    Fault("lights", pi_5(modules={"neopixel"}), built(), "not installed", "'.[pi]'"),
    Fault("lights", FakeMachine(modules={"neopixel", "board"}), built(), "Raspberry Pi", '"fake"'),
    Fault("lights", less(pi_5(), "/dev/pio0"), built(), "/dev/pio0", "rpi-eeprom-update"),
    Fault("lights", pi_5(refused={"/dev/pio0"}), built(), "no permission", "usermod -aG gpio"),
    Fault("lights", replace(holding("/proc/device-tree/model", "Raspberry Pi 4 Model B"),
          refused={"/dev/mem"}), built(), "/dev/mem", "GPIO10"),
    Fault("display", pi_5(), built(display="ssd1309"), "'ssd1309'", "ssd1306"),
    Fault("display", less(pi_5(), "/dev/i2c-1"), built(), "I2C, which is off", "do_i2c"),
    Fault("display", less(pi_5(), "/dev/spidev0.0"), built(display="matrix"), "SPI", "do_spi"),
    Fault("sound", pi_5(programs={}), built(), "no program to play", "alsa-utils"),
    Fault("sound", pi_5(), built(voice="piper"), "piper", "piper-tts"),
    Fault("sound", pi_5(), built(voice="hal"), "hal", "espeak-ng"),
    Fault("camera", pi_5(modules=set()), seeing("picamera2"), "not installed", "python3-picamera2"),
    Fault("camera", listed("Boom\nRuntimeError: no\n", 1), seeing("picamera2"), "RuntimeError: no",
          "rpicam-hello"),
    Fault("camera", listed("[0:1] INFO"), seeing("picamera2"), "cannot list", "rpicam-hello"),
    Fault("camera", listed("cameras [}]"), seeing("picamera2"), "cannot list", "rpicam-hello"),
    Fault("camera", listed("\ncameras []\n"), seeing("picamera2"), "no camera", "ribbon"),
    Fault("camera", pi_5(), seeing("video", device="7"), "no /dev/video7", "plug"),
    Fault("camera", pi_5(refused={"/dev/video0"}), seeing("video"), "no permission", "video"),
    Fault("camera", pi_5(), seeing("recording", folder="/nowhere"), "/nowhere", "camera.folder"),
    Fault("eyes", pi_5(programs=asked(Answer(-4, ""))), FAKES, "signal 4", "install it again"),
    Fault("eyes", pi_5(programs=asked(Answer(1, "discs count otherwise"))), FAKES,
          "discs count otherwise", "report"),
    Fault("eyes", pi_5(programs=asked(Answer(FAULTY, "wrong results from numpy"))), FAKES,
          "no picture can be read: wrong results from numpy", 'source = "none"'),
    Fault("eyes", pi_5(programs=asked(Answer(1, ""))), FAKES, "give no answer", "report"),
    Fault("eyes", pi_5(programs=asked(Answer(LATE, "no answer within 9 s"))), FAKES,
          "whether cards, stacks and towers can be read here: no answer within 9 s", "stop other"),
    Fault("page", pi_5(port_error=OSError(errno.EADDRINUSE, "in use")), FAKES, "8321 is in use",
          "web.port"),
    Fault("page", pi_5(port_error=OSError(errno.EACCES, "denied")), FAKES, "root", "1024"),
    Fault("page", pi_5(port_error=OSError(errno.EADDRNOTAVAIL, "Cannot assign")), FAKES, "Cannot",
          'web.host to "::"'),
    Fault("wifi", pi_5(), WITH_WIFI, "jeepney is missing", "./run"),
    Fault("wifi", pi_5(modules={"jeepney"}), WITH_WIFI, "does not run", "network-manager"),
    Fault("wifi", radio(general="running:disabled"), WITH_WIFI, "switched off", "country"),
    Fault("wifi", radio(device="wifi:unmanaged"), WITH_WIFI, "no Wi-Fi here", '"off"'),
    Fault("wifi", less(radio(), PORTAL), WITH_WIFI, f"there is no {PORTAL}", "install.sh"),
    Fault("wifi", less(radio(), NAMES), WITH_WIFI, f"there is no {NAMES}", "install.sh"),
    Fault("network", pi_5(addresses=()), FAKES, "in no network", "nmtui"),
    Fault("network", pi_5(addresses=(own("fe80::7"),)), FAKES, "no browser can open: Wi-Fi fe80",
          "a router"),
    Fault("network", pi_5(addresses=(own("fd00::7"),)), by_ipv4(), "IPv6 alone", "host = “::”"),
)  # fmt: skip


def test_a_fault_is_named_with_its_remedy() -> None:
    """What was found, and what to do next, a line each."""
    for fault in FAULTS:
        assert_named(fault)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("system", pi_5(), FAKES, "", ""),
        Fault("system", pi_5(bits=32), FAKES, "64 apples", "64-bit"),
        Fault("system", pi_5(bits=32), FAKES, "32-bit", "64 apples"),
    ],
)
def test_the_check_of_a_fault_can_fail(fault: Fault) -> None:
    """There is none, it is another one, or its remedy is."""
    with pytest.raises(AssertionError):
        assert_named(fault)


def test_every_check_can_fail() -> None:
    """There is a fault for each of them."""
    assert {fault.check for fault in FAULTS} == set(CHECKS)


def test_nothing_fails_on_a_healthy_pi() -> None:
    """Nor is anything simulated when all is built."""
    machine = pi_5(programs={**pi_5().programs, **naming(MODULE_3).programs})
    requirements = built(config=Config(camera=CameraConfig(source="picamera2")))
    found = {check: look(check, machine, requirements).status for check in CHECKS}
    assert found == {**dict.fromkeys(CHECKS, "ok"), "spi": "skipped", "wifi": "skipped"}
    assert look("wifi", radio(), WITH_WIFI).status == "ok"


def test_nothing_fails_on_a_laptop() -> None:
    """With what ships, all is well, simulated or not wanted there."""
    found = {check: look(check, LAPTOP, FAKES).status for check in CHECKS}
    assert {*found.values()} <= {"ok", "simulated", "skipped"}
    simulated = {"board", "pins", "lights", "display", "sound", "camera"}
    assert {found[check] for check in simulated} == {"simulated"}


def test_the_doctor_knows_how_the_trial_of_the_libraries_ends() -> None:
    """It does not load them itself, so the exit status stands in both places."""
    assert FAULTY == numeric_check.FAULTY


@pytest.mark.parametrize("check", ["camera", "eyes"])
def test_a_table_without_a_camera_needs_no_eyes(check: str) -> None:
    """Whatever is played there is entered, and networks that fail are no fault of it."""
    machine = pi_5(modules=set(), programs=asked(Answer(-4, "")))
    assert look(check, machine, seeing("none")).status == "skipped"
    assert look("eyes", machine, seeing("video")).status == "failed"


@pytest.mark.parametrize("check", ["camera", "eyes"])
def test_a_game_without_a_mat_asks_for_no_camera(check: str) -> None:
    """Though one is named that is not there; a table that may also play others wants it."""
    machine = pi_5(modules=set(), programs=asked(Answer(-4, "")))
    camera, table = CameraConfig(source="picamera2"), TableConfig(game="score_sheet")
    verdict = look(check, machine, built(config=Config(camera=camera, table=table)))
    assert verdict.status == "skipped"
    assert verdict.detail.startswith("Score sheet is played without a camera")
    assert look(check, machine, built(config=Config(camera=camera))).status == "failed"


def test_a_plan_tells_every_wire() -> None:
    """Each role is named with its pin."""
    verdict = look("pins", pi_5(), built(plan=usual_plan(roles=["tilt_0", "idol_index"])))
    assert verdict.detail.endswith("tilt_0 GPIO4, idol_index GPIO22")


def test_the_chip_of_the_header_is_named() -> None:
    """By its number and its driver's label; the older library needs none."""
    assert look("pins", pi_5(), built()).detail.startswith(
        "lgpio opens them on gpiochip0 (pinctrl-rp1), and nothing else uses one: "
    )
    assert (
        "opens the pins on gpiochip0 (pinctrl-rp1), nothing" in look("pins", pi_5(), FAKES).detail
    )
    older = look("pins", pi_5(), replace(built(), factory="rpigpio", sensors="fake"))
    assert "gpiochip" not in older.detail


def test_pins_that_nothing_is_wired_to_may_be_taken() -> None:
    """A screen on the header is no fault of a table that is simulated."""
    machine = pi_5(pins={17: "spi0 CS1"})
    assert look("pins", machine, FAKES).status == "simulated"
    assert look("pins", machine, built(plan=usual_plan(roles=["tilt_0"]))).status == "ok"


def test_pins_without_a_library_are_no_fault_of_a_simulated_table() -> None:
    """It is said, since it is what comes next."""
    verdict = look("pins", pi_5(pins=HardwareError("lgpio is not installed here")), FAKES)
    assert verdict.status == "simulated"
    assert "not installed" in verdict.detail


@pytest.mark.parametrize(
    ("kernel", "status"), [("6.5.13", "ok"), ("6.6.0-rpi", "failed"), ("6.12.1", "failed")]
)
def test_the_older_factory_is_deaf_from_one_kernel_on(kernel: str, status: str) -> None:
    """Versions are compared as numbers."""
    machine = holding("/proc/sys/kernel/osrelease", kernel)
    assert look("pins", machine, built(factory="rpigpio")).status == status


def test_a_bit_of_throttling_is_spelt_out() -> None:
    """Now and since the start are told apart, and a present fault is not told twice."""
    assert spell_throttling(0) == ()
    assert spell_throttling(0x10001) == ("undervoltage now",)
    assert spell_throttling(0x20004) == ("frequency capped since start-up", "throttled now")
    assert len(spell_throttling(0xF)) == len(spell_throttling(0xF0000)) == 4


def test_memory_is_enough_at_the_least() -> None:
    """The limit itself will do."""
    machine = holding("/proc/meminfo", f"MemAvailable: {MIN_MEMORY_MB * 1024} kB")
    assert look("memory", machine, FAKES).status == "ok"


def test_a_clock_chip_keeps_the_time() -> None:
    """Without a network a clock is right all the same if its battery is there."""
    machine = pi_5(programs=clock("NTP=yes\nNTPSynchronized=no"))
    machine.files["/sys/class/rtc/rtc0"] = ""
    assert look("clock", machine, FAKES).status == "ok"  # an added chip tells of no battery
    for battery_uv, status in (("3012000\n", "ok"), ("12000\n", "failed"), ("0\n", "failed")):
        machine.files["/sys/class/rtc/rtc0/battery_voltage"] = battery_uv
        assert look("clock", machine, FAKES).status == status


def test_the_clock_names_its_zone() -> None:
    """The time of day as people there read it, and where that is."""
    machine = pi_5(time_s=datetime(2030, 1, 2, 13, 3, tzinfo=UTC).timestamp())
    assert look("clock", machine, FAKES).detail == "14:03, Europe/Berlin; set by the network"
    machine.programs = clock("Timezone=Asia/Tokyo\nNTPSynchronized=yes")
    assert look("clock", machine, FAKES).detail == "22:03, Asia/Tokyo; set by the network"
    for unknown in ("Nowhere/Land", "../etc", "Europe", "\0"):
        machine.programs = clock(f"Timezone={unknown}")
        assert look("clock", machine, FAKES).detail.startswith("13:03, UTC: ")


def test_utc_is_no_fault_away_from_a_pi() -> None:
    """A server or a container has it on purpose."""
    verdict = look("clock", replace(LAPTOP, programs=clock("Timezone=Etc/UTC")), FAKES)
    assert verdict.status == "skipped"
    assert "Etc/UTC" in verdict.detail


def test_a_state_folder_of_its_own_outlives_an_overlay() -> None:
    """The nearest mount counts, not the root."""
    mounts = "overlay / overlay rw 0 0\n/dev/sda1 /home/maker ext4 rw 0 0\nbroken\n"
    assert look("disk", holding("/proc/mounts", mounts), FAKES).status == "ok"


def test_a_folder_that_is_not_there_yet_is_judged_by_its_parent() -> None:
    """It is made at the first start, so that is no fault."""
    verdict = look("disk", pi_5(files={"/home/maker/.profile": ""}), FAKES)
    assert verdict.status == "ok"
    assert "which will be created" in verdict.detail


def test_lights_on_an_older_pi_may_go_by_spi() -> None:
    """GPIO10 needs no root."""
    machine = replace(
        holding("/proc/device-tree/model", "Raspberry Pi 4 Model B"), refused={"/dev/mem"}
    )
    verdict = look("lights", machine, built(plan=plan_pins({"pixels": 10})))
    assert verdict.detail == "GPIO10 drives them through /dev/spidev0.0"


def test_a_matrix_cannot_be_asked_whether_it_is_there() -> None:
    """Its bus can, so that is what is said."""
    verdict = look("spi", pi_5(), built(display="matrix"))
    assert verdict.status == "ok"
    assert "check that it shows something" in verdict.detail


def test_a_bus_that_nobody_wants_may_be_off() -> None:
    """Nothing is configured on it."""
    assert look("i2c", less(pi_5(), "/dev/i2c-1"), FAKES).status == "skipped"


def test_a_laptops_devices_are_judged_by_who_needs_them() -> None:
    """A webcam that may not be used is the camera's fault, not one of the permissions."""
    machine = FakeMachine(files={"/dev/video0": ""}, refused={"/dev/video0"})
    assert look("permissions", machine, seeing("video")).status == "skipped"
    assert look("camera", machine, seeing("video")).status == "failed"


def test_the_addresses_are_named() -> None:
    """Each with its network; behind a proxy the one that people know comes first."""
    cable = OwnAddress("eth0", ip_address("10.0.0.7"), "cable")
    machine = pi_5(addresses=(own("192.168.1.7"), cable))
    assert look("network", machine, FAKES).detail == (
        "Wi-Fi 192.168.1.7 (wlan0), cable 10.0.0.7 (eth0)"
    )
    named = replace(machine, name="tiki.local")
    assert "(eth0); tiki.local, which older" in look("network", named, FAKES).detail
    web = WebConfig(address="https://tiki.example.org")
    said = look("network", machine, replace(FAKES, config=Config(web=web))).detail
    assert said.startswith("https://tiki.example.org, as web.address says; this machine has Wi-Fi")
    alone = replace(FAKES, config=Config(web=WebConfig(host="127.0.0.1")))
    assert look("network", machine, alone).status == "skipped"
