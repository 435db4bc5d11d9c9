"""What pip is asked for on a Raspberry Pi: one OpenCV, and what drives lights on the header."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
LOCKS = PYPROJECT.parent / "locks"
PROJECT = tomllib.loads(PYPROJECT.read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LINUX = {"sys_platform": "linux"}
PI_64, PI_32, PC = (
    LINUX | {"platform_machine": machine} for machine in ("aarch64", "armv7l", "x86_64")
)
MAC = {"platform_machine": "arm64", "sys_platform": "darwin"}
OPENCV = "opencv-python-headless"
HEADER = {
    "gpiozero",
    "adafruit-circuitpython-neopixel",
    "pyserial",
    "rpi-gpio",
    "picamera2",
    OPENCV,
}
# uv would have to build it to learn that it needs no other package, and that takes libcap.
UV_SETTINGS = """
[[dependency-metadata]]
name = "python-prctl"
version = "1.8.1"
requires-dist = []
"""


def wanted(machine: dict[str, str], *lists: list[str]) -> set[str]:
    """Return the names of what *lists* of requirements ask for on *machine*."""
    found = [Requirement(line) for each in lists for line in each]
    return {
        canonicalize_name(each.name)
        for each in found
        if each.marker is None or each.marker.evaluate(dict(machine))
    }


def opencvs(names: set[str]) -> set[str]:
    """Return which of *names* bring a module cv2."""
    return {name for name in names if re.match(r"opencv(-contrib)?-python(-headless)?$", name)}


@pytest.mark.parametrize("machine", [PI_64, PI_32, PC, MAC], ids=["pi-64", "pi-32", "pc", "mac"])
def test_there_is_one_opencv(machine: dict[str, str]) -> None:
    """Two would write into one folder, and the other one wants libGL."""
    assert opencvs(wanted(machine, *EXTRAS.values())) == {OPENCV}
    others = {"opencv-python", "opencv-contrib-python-headless"}
    assert opencvs({*others, "numpy"}) == others


def test_the_extra_names_what_a_raspberry_pi_needs() -> None:
    """Everything that talks with its header and its camera."""
    assert wanted(PI_64, EXTRAS["pi"]) >= HEADER
    assert "pytest" in wanted(PI_64, EXTRAS["dev"])


def test_the_driver_of_lights_is_named_where_it_works() -> None:
    """Blinka 10 does not bring it to 64-bit systems; elsewhere nothing could compile it."""
    assert [
        "rpi-ws281x" in wanted(machine, EXTRAS["pi"]) for machine in (PI_64, PI_32, PC, MAC)
    ] == [True, True, False, False]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("python", "lock"), [("3.11", "bookworm"), ("3.11", "runtime"), ("3.13", "runtime")]
)
def test_the_extra_resolves_on_a_raspberry_pi(python: str, lock: str, tmp_path: Path) -> None:
    """On bookworm and trixie, beside what is installed there, with bookworm's older numpy too."""
    uv = pytest.importorskip("uv", reason="no uv; to have it: .venv/bin/pip install uv")
    (tmp_path / "uv.toml").write_text(UV_SETTINGS)
    words = ["pip", "compile", "--quiet", "--config-file", str(tmp_path / "uv.toml")]
    words += ["--python-platform", "aarch64-manylinux_2_36", "--python-version", python]
    words += ["--extra", "pi", "--constraint", str(LOCKS / f"{lock}.txt")]
    words += ["--no-header", "--no-annotate", str(PYPROJECT)]
    done = subprocess.run([uv.find_uv_bin(), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = set(re.findall(r"^([\w.-]+)==", done.stdout, re.MULTILINE))
    assert opencvs(names) == {OPENCV}
    assert names >= HEADER | {"rpi-ws281x", "adafruit-blinka"}
