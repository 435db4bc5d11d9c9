"""`tiki pico`: the firmware on the Pico, as its owner meets it."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import main, pico
from firmware.version import VERSION
from hardware.pico.condition import examine
from hardware.pico.drive import Volumes
from hardware.pico.greeting import ask, greet
from hardware.pico.installation import install, read_manifest
from hardware.pico.release import Wiring, released_files
from hardware.pico.simulation import SimulatedPico
from tests.commands import assert_one_line
from tests.hardware.pico.drives import bootloader, circuitpy, uf2, volumes
from tests.hardware.picos import require_micropython, wait_for

WIRES = Wiring((5, 8, 11), (2, 3), (22, 9))
PINS = "tilt_0 = true\nidol_a = true\nidol_b = true\ndone_0 = true\ndone_1 = true\n"


def settings(folder: Path, port: object, pins: str = PINS, board: str = "pico") -> Path:
    """Write the settings of a table whose wires end at a Pico, and return the file."""
    file = folder / "tiki.toml"
    port = f'port = "{port}"\n' if board == "pico" else ""
    file.write_text(
        '[sensors]\nkind = "wired"\n[buttons]\nkind = "wired"\n[lights]\nkind = "neopixel"\n'
        f'[pins]\nboard = "{board}"\n{port}{pins}'
    )
    return file


class Owner:
    """Types commands at a computer with these drives, and reads what is said."""

    def __init__(self, capsys: pytest.CaptureFixture[str], config: Path) -> None:
        self._capsys = capsys
        self.config = config
        self.said = ""
        self.error = ""

    def types(self, *words: str) -> int:
        """Type `tiki pico WORD --config FILE` and return its exit status."""
        status = main(["pico", *words, "--config", str(self.config)])
        self.said, self.error = self._capsys.readouterr()
        return status

    def is_told(self, *words: str) -> None:
        """Check that all *words* were said, however the lines were broken."""
        for word in words:
            assert word in " ".join(self.said.split()), self.said


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Volumes], None]:
    """Return what says which drives the computer has; without it the test names the folder."""

    def plug(there: Volumes) -> None:
        monkeypatch.setattr(pico, "Volumes", lambda: there)

    return plug


@pytest.fixture
def board(tmp_path: Path) -> Iterator[SimulatedPico]:
    """Yield a Pico that runs our firmware, with all wires of the pin table."""
    require_micropython()
    with SimulatedPico(tmp_path / "pico") as simulated:
        greet(str(simulated.port))  # so that all of it has been read
        yield simulated


@pytest.fixture
def owner(
    board: SimulatedPico,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    plugged: Callable[[Volumes], None],
) -> Owner:
    """Return the owner of that Pico; its drive is as CircuitPython made it."""
    for path in sorted(board.drive.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    board.drive.rmdir()
    circuitpy(board.drive)
    plugged(volumes(tmp_path, {"CIRCUITPY": board.drive}))
    return Owner(capsys, settings(tmp_path, board.port))


def test_a_new_pico_gets_everything_and_runs_it(owner: Owner, board: SimulatedPico) -> None:
    """What is on the drive after an install really starts, with the wires of the settings."""
    assert owner.types("status") == 1
    owner.is_told(
        "to write: boot.py", "not ours: code.py", "Next: put the firmware onto it", "bytes"
    )
    assert owner.types("install") == 0
    owner.is_told("Pico with CircuitPython 9.2.1", "code.py was not the companion's and is now")
    owner.is_told(
        f"of firmware {VERSION} written", f"has restarted and answers: firmware {VERSION}"
    )
    hello = greet(str(board.port))
    assert (hello.firmware, hello.keys, hello.idol, hello.lights, hello.reason) == (
        VERSION, (5, 8, 11), (2, 3), "22x9", "reset",
    )  # fmt: skip
    assert owner.types("status") == 0
    owner.is_told("complete", "as in your settings", "Nothing to do.")
    assert owner.types("install") == 0
    owner.is_told("nothing was written")
    assert "restarted" not in owner.said


def test_wires_can_be_tried_one_by_one(owner: Owner, board: SimulatedPico) -> None:
    """The status says which contacts are closed, and how far the idol has turned."""
    assert owner.types("install") == 0
    assert owner.types("status") == 0
    owner.is_told("closed: none; idol at 0 steps; 0 changes since its start, 0 lost")
    board.close_contact(8)
    board.turn(-1201)
    wait_for(lambda: ask(str(board.port)).events == 2)
    assert owner.types("status") == 0
    owner.is_told("closed: GP 8; idol at -1201 steps; 2 changes since its start, 0 lost")
    assert owner.types("status", "--json") == 0
    assert json.loads(owner.said)["now"] == {
        "closed": [8],
        "position": -1201,
        "events": 2,
        "lost": 0,
    }


def test_new_wires_reach_the_pico_by_an_update(owner: Owner, board: SimulatedPico) -> None:
    """That file and code.py are written, and the Pico restarts with them."""
    assert owner.types("install") == 0
    settings(owner.config.parent, board.port, PINS + "pause = 27\n")
    assert owner.types("status") == 1
    owner.is_told("GP 5, 8, 11; idol", "settings contacts: GP 5, 8, 11, 27", "to write: lib/wiring")
    owner.is_told(f"Next: put the firmware onto it: ./run pico update --config {owner.config}")
    assert owner.types("update") == 0
    owner.is_told("2 files of firmware", "has restarted")
    assert greet(str(board.port)).keys == (5, 8, 11, 27)
    assert owner.types("status") == 0


def test_an_older_firmware_is_brought_up_to_date(owner: Owner, board: SimulatedPico) -> None:
    """Its version is named, and what it had more than ours goes."""
    old = {
        **released_files(WIRES),
        "lib/version.py": b'VERSION = "0"\n',
        "lib/former.py": b"",
    }
    install(board.drive, old, "0")
    board.restart()
    assert greet(str(board.port)).firmware == "0"
    assert owner.types("status", "--json") == 1
    found = json.loads(owner.said)
    assert found["firmware"] == {"there": "0", "here": VERSION}
    assert found["files"]["to_write"] == ["lib/version.py"]
    assert found["files"]["to_remove"] == ["lib/former.py"]
    assert "update" in found["next"]
    assert owner.types("update") == 0
    owner.is_told("lib/former.py is no longer needed", f"answers: firmware {VERSION}")
    assert read_manifest(board.drive).version == VERSION


def test_a_firmware_of_another_protocol_is_named(owner: Owner, board: SimulatedPico) -> None:
    """Its hello is understood all the same; nothing else is asked of it."""
    files = released_files(WIRES)
    wire = files["lib/wire.py"].replace(b"\nPROTOCOL = 1\n", b"\nPROTOCOL = 99\n")
    install(board.drive, {**files, "lib/wire.py": wire}, "7")
    board.restart()
    assert owner.types("status") == 1
    owner.is_told("protocol 99 there, 1 here", "Next:", "update")
    assert owner.types("update") == 0
    owner.is_told("Now unplug the Pico and plug it in again")
    board.restart()
    assert owner.types("status") == 0


def test_a_pico_that_has_yet_to_start_with_what_is_on_it(
    owner: Owner, board: SimulatedPico
) -> None:
    """Where it cannot be asked to, it is to be unplugged; then all is well."""
    board.freeze()
    assert owner.types("install") == 0
    owner.is_told("Now unplug the Pico and plug it in again")
    board.thaw()
    assert owner.types("status") == 1
    owner.is_told("complete", "Next: unplug the Pico and plug it in again")
    board.restart()
    assert owner.types("status") == 0


HOLD = (
    "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True);"
    " print(flush=True); input()"
)


def test_while_the_companion_has_the_port_the_drive_is_judged_alone(
    owner: Owner, board: SimulatedPico
) -> None:
    """It is said who has it."""
    assert owner.types("install") == 0
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(board.port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as companion:
        assert companion.stdout
        companion.stdout.readline()
        assert owner.types("status") == 0
        owner.is_told("in use by python", "stop it, and the Pico can be asked", "complete")
        settings(owner.config.parent, board.port, PINS + "pause = 27\n")
        assert owner.types("update") == 0
        owner.is_told("Now unplug the Pico")
        companion.communicate(b"\n")


def test_without_its_drive_a_pico_is_judged_by_what_it_says(
    owner: Owner, board: SimulatedPico, plugged: Callable[[Volumes], None], tmp_path: Path
) -> None:
    """A drive that is not mounted is not mounted for that."""
    assert owner.types("install") == 0
    plugged(volumes(tmp_path / "other", {}, plugged=("CIRCUITPY",)))
    assert owner.types("status") == 0
    owner.is_told("sda1 is not mounted", "as in your settings", "Nothing to do.")
    settings(owner.config.parent, board.port, PINS + "pause = 27\n")
    assert owner.types("status") == 1
    owner.is_told("Next: bring it up to date: ./run pico update")
    board.unplug()
    assert owner.types("status") == 1
    owner.is_told("nothing is plugged in at", "Next:")


@pytest.fixture
def unplugged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], plugged: Callable[[Volumes], None]
) -> Owner:
    """Return the owner of a computer without any Pico."""
    plugged(volumes(tmp_path, {}))
    return Owner(capsys, settings(tmp_path, tmp_path / "ttyACM0"))


def test_without_a_pico_it_is_said_how_to_plug_it_in(unplugged: Owner) -> None:
    """By every word."""
    assert unplugged.types("status") == 1
    unplugged.is_told("nothing is plugged in at", "no drive CIRCUITPY", "none there", "Next:")
    for word in ("install", "update"):
        assert unplugged.types(word) == 1
        assert_one_line(unplugged.error, "no drive CIRCUITPY", "plug the Pico in", "BOOTSEL")


def test_a_pico_in_its_bootloader_gets_circuitpython_and_all_the_rest(
    unplugged: Owner,
    tmp_path: Path,
    plugged: Callable[[Volumes], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without the file it is said where to get it."""
    folder = bootloader(tmp_path / "RPI-RP2")
    plugged(volumes(tmp_path, {"RPI-RP2": folder}))
    assert unplugged.types("status") == 1
    unplugged.is_told("an RP2040 waits for CircuitPython", "circuitpython.org", "--circuitpython")
    assert unplugged.types("install") == 1
    assert_one_line(unplugged.error, "circuitpython.org/board/raspberry_pi_pico/")
    file = tmp_path / "adafruit-circuitpython-9.2.1.uf2"
    assert unplugged.types("install", "--circuitpython", str(file)) == 1
    assert_one_line(unplugged.error, str(file), "No such file")
    file.write_bytes(uf2())

    def restarts(handle: int) -> None:
        del handle
        monkeypatch.undo()
        (tmp_path / "by-label" / "RPI-RP2").unlink()
        plugged(volumes(tmp_path, {"CIRCUITPY": circuitpy(tmp_path / "CIRCUITPY")}))

    monkeypatch.setattr("os.fsync", restarts)
    assert unplugged.types("install", "--circuitpython", str(file)) == 0
    unplugged.is_told("Copying adafruit-circuitpython-9.2.1.uf2", "written and read back", "unplug")
    assert read_manifest(tmp_path / "CIRCUITPY").version == VERSION


def test_each_word_says_what_keeps_it(unplugged: Owner, tmp_path: Path) -> None:
    """An update of nothing, another board, an old CircuitPython, a folder that is none."""
    fresh = circuitpy(tmp_path / "fresh")
    for word, folder, words in (
        ("update", fresh, ("no firmware of the companion yet", "./run pico install --config")),
        ("update", tmp_path, ("has no boot_out.txt", "--drive")),
        ("install", tmp_path / "no", ("is not a folder",)),
        ("install", circuitpy(tmp_path / "a", "8.2.9"), ("8.2.9 is too old",)),
        ("update", circuitpy(tmp_path / "c", "8.2.9"), ("no firmware",)),
        ("install", circuitpy(tmp_path / "b", name="trinket_m0"), ("trinket_m0, not to a Pico",)),
    ):
        assert unplugged.types(word, "--drive", str(folder)) == 1
        assert_one_line(unplugged.error, *words)
    assert unplugged.types("status", "--drive", str(tmp_path / "a")) == 1
    unplugged.is_told("Next: CircuitPython 8.2.9 is too old")


def test_wires_are_asked_for_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], plugged: Callable[[Volumes], None]
) -> None:
    """No settings, settings for the header, and settings that cannot be read."""
    plugged(volumes(tmp_path, {}))
    assert main(["pico", "install"]) == 1
    assert_one_line(capsys.readouterr().err, "--config tiki.toml")
    file = settings(tmp_path, "", board="header")
    assert main(["pico", "update", "--config", str(file)]) == 1
    assert_one_line(capsys.readouterr().err, str(file), 'board = "pico" under [pins]')
    assert main(["pico", "status", "--config", str(tmp_path / "none.toml")]) == 1
    assert_one_line(capsys.readouterr().err, "none.toml")


def test_status_without_settings_judges_all_but_the_wires(
    board: SimulatedPico, tmp_path: Path
) -> None:
    """What the Pico has is shown."""
    circuitpy(tmp_path / "fresh")
    for name in ("boot_out.txt", "settings.toml"):
        (board.drive / name).write_bytes((tmp_path / "fresh" / name).read_bytes())
    install(board.drive, released_files(WIRES), VERSION)
    board.restart()
    found = examine(volumes(tmp_path, {}), None, board.drive, str(board.port))
    assert found.wiring_there == WIRES
    assert found.next_step("") == ""


def test_the_help_tells_the_first_time_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    """From the download to the status."""
    for words in (["pico"], ["pico", "install"]):
        with pytest.raises(SystemExit):
            main([*words, "--help"])
        said = capsys.readouterr().out
        first = said.partition("The first time")[2]
        steps = ["circuitpython.org", "BOOTSEL", "--circuitpython FILE.uf2", "Unplug the Pico and",
                 "pico status", "pico update"]  # fmt: skip
        places = [first.index(step) for step in steps]
        assert places == sorted(places)


def test_a_missing_word_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """As by every command."""
    with pytest.raises(SystemExit) as ended:
        main(["pico"])
    assert ended.value.code == 2
    assert "WORD" in capsys.readouterr().err
