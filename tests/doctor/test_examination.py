"""The examination as a whole, and as people and programs read it."""

import json
import time
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apps.doctor.examination import CHECKS, Check, examine
from companion.apps.doctor.machine import Answer, LocalMachine, Machine, SerialPort
from companion.apps.doctor.requirements import Requirements, read_requirements
from companion.apps.doctor.verdict import MAX_CHARS, Verdict, failed, ok
from companion.cli import doctor, main
from companion.config import CameraConfig, Config
from tests.doctor.machines import FakeMachine, built, pi_5

STATUSES = {"ok", "failed", "simulated", "skipped"}
NASTY = st.text(max_size=40) | st.sampled_from(
    ["\x1b[2J", "\0", "throttled=0xffffffffffff", "throttled=0x", "[1,", "MemAvailable: x kB",
     "overlay / overlay", "console=serial0", "99999999.9", "Raspberry Pi 5",
     'cameras ["\\u001b", 3]', "cameras [[]]",
     'cameras [{"source": "picamera2", "device": 0, "name": "\\u001b"}]']
)  # fmt: skip
ERRORS = st.sampled_from([OSError(), OSError(110, "late"), ValueError("x\ny"), KeyError(3)])


def assert_readable(checks: tuple[Check, ...]) -> None:
    """Check that each line is one printable line, and that what failed has a remedy."""
    for name, verdict in checks:
        assert verdict.status in STATUSES, name
        assert verdict.detail.isprintable(), name
        assert verdict.remedy.isprintable(), name
        assert bool(verdict.remedy) == (verdict.status == "failed"), name


def test_the_check_of_readable_lines_can_fail() -> None:
    """A line that clears the screen is noticed, and a fault without a remedy."""
    for name, value in (("detail", "\x1b[2J"), ("remedy", "try this")):
        verdict = ok("fine")
        object.__setattr__(verdict, name, value)
        with pytest.raises(AssertionError):
            assert_readable((Check("x", verdict),))


def test_a_fault_without_a_remedy_cannot_be_said() -> None:
    """Nor can a remedy for what is well."""
    with pytest.raises(ValueError, match="failed"):
        failed("broken", " \n ")
    with pytest.raises(ValueError, match="ok"):
        Verdict("ok", "fine", "do this")


def test_a_line_is_one_line_and_no_longer_than_a_line() -> None:
    """Whatever a device calls itself."""
    assert ok("a\n\x1b[31mb\0").detail == "a [31mb"
    assert len(ok("x" * 9999).detail) == MAX_CHARS


@settings(max_examples=25)
@given(
    st.dictionaries(st.sampled_from(sorted(pi_5().files)), NASTY),
    st.dictionaries(
        st.sampled_from(["vcgencmd", "timedatectl", "python", "python3"]),
        st.builds(Answer, st.integers(-9, 255), NASTY),
    ),
    st.lists(st.builds(SerialPort, NASTY, st.none() | st.integers(0, 65535), st.integers(), NASTY)),
    ERRORS | st.just(()),
    ERRORS | st.none(),
)
def test_no_machine_is_too_strange(
    files: dict[str, str],
    programs: dict[str, Answer],
    ports: list[SerialPort],
    i2c: Exception | tuple[int, ...],
    trouble: Exception | None,
) -> None:
    """Nonsense in every file and program gives verdicts, with a remedy for each fault."""
    machine = FakeMachine(
        files={**pi_5().files, **files},
        programs=programs,
        modules={"picamera2", "neopixel", "board"},
        i2c=i2c,
        ports=tuple(ports),
        pins=trouble or {},
        log_error=trouble,
        port_error=trouble,
        free=trouble or 1.0,
    )
    checks = examine(machine, built(config=Config(camera=CameraConfig(source="picamera2"))))
    assert_readable(checks)
    if trouble is None and i2c == ():
        assert not any("broke" in verdict.detail for _, verdict in checks)


def test_a_check_that_breaks_is_a_fault_of_its_own() -> None:
    """The others go on."""

    def break_down(_: Machine, __: Requirements) -> Verdict:
        raise RuntimeError("two\nlines")

    checks = examine(pi_5(), built(), {"a": break_down, "b": lambda *_: ok("fine")})
    assert [verdict.status for _, verdict in checks] == ["failed", "ok"]
    assert "RuntimeError: two lines" in checks[0].verdict.detail
    assert_readable(checks)


def test_a_check_that_hangs_is_left_behind() -> None:
    """It is a fault of its own, and the others have their say."""
    stuck = Event()

    def hang(_: Machine, __: Requirements) -> Verdict:
        stuck.wait(600)
        return ok("at last")

    began_s = time.monotonic()
    checks = examine(pi_5(), built(), {"a": hang, "b": lambda *_: ok("fine")}, timeout_s=0.05)
    stuck.set()
    assert time.monotonic() - began_s < 60
    assert [verdict.status for _, verdict in checks] == ["failed", "ok"]
    assert "no answer within 0.05 s" in checks[0].verdict.detail


def three_faults() -> FakeMachine:
    """Return a Pi 5 with a weak supply, no group i2c, and a pin that is taken."""
    programs = {**pi_5().programs, "vcgencmd get_throttled": Answer(0, "throttled=0x50005")}
    return pi_5(
        programs=programs,
        refused={"/dev/i2c-1"},
        member_of={"gpio", "spi", "video"},
        i2c=PermissionError(13, "Permission denied"),
        pins={17: "python3"},
    )


def test_three_faults_are_told_in_order_with_what_to_do() -> None:
    """The list at the end is numbered, says nothing twice, and ends with how to ask again."""
    checks = examine(three_faults(), built(display="fake"))
    told = doctor.describe(checks, "tiki doctor --config tiki.toml", 72)
    assert max(map(len, told.splitlines())) <= 72
    table, _, rest = told.partition("\n\n")
    marks = [line[:25].split() for line in table.splitlines() if not line.startswith(" ")]
    assert [name for mark, name in marks if mark == "FAILED"] == [
        "power", "permissions", "pins", "i2c",
    ]  # fmt: skip
    assert "4 of 19 checks failed. What to do, from the top:" in rest
    assert " 2. permissions, i2c: sudo usermod -aG i2c $USER, then log in again" in rest
    assert " 3. pins: stop the program" in rest
    assert told.endswith("Then run it again: tiki doctor --config tiki.toml")


def test_a_healthy_table_is_wished_a_good_evening() -> None:
    """What is simulated is named."""
    assert doctor.describe((Check("a", ok("fine")),), "x").endswith("./run run")
    pretended = (Check("lights", Verdict("simulated", "on the page")),)
    assert "Simulated: lights;" in doctor.describe(pretended, "x")


@pytest.mark.parametrize("width", [1, 50, 80, 300])
def test_any_terminal_will_do(width: int) -> None:
    """Lines are wrapped below their column, in terminals of at least fifty letters."""
    told = doctor.describe(examine(pi_5(), built()), "tiki doctor", width)
    assert max(map(len, told.splitlines())) <= max(50, min(width, 100))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeMachine:
    """Return the machine that the command examines in this test."""
    machine = FakeMachine(files={f"{tmp_path}/tiki/games.db": ""})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("companion.cli.doctor.LocalMachine", lambda: machine)
    return machine


@pytest.mark.usefixtures("here")
def test_programs_get_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    """Every check with its four texts, and nothing else; exit status 0 where nothing failed."""
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"checks"}
    assert [check["name"] for check in told["checks"]] == ["config", *CHECKS, "broker"]
    for check in told["checks"]:
        assert list(check) == ["name", "status", "detail", "remedy"]
        assert all(isinstance(text, str) for text in check.values())
        assert check["status"] in STATUSES


def test_a_fault_is_an_exit_status(here: FakeMachine, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1, in both forms."""
    here.port_error = OSError(98, "Address already in use")
    assert main(["doctor"]) == 1
    assert "1. page: " in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("text", "said", "remedy"),
    [
        ("[lights]\nkind = 'neon'", "lights.kind is 'neon'", "it must be"),
        ("not = [toml", "is not TOML", "deploy/tiki.toml"),
        (None, "No such file", "name a readable TOML file"),
    ],
)
def test_a_config_that_cannot_be_used_is_a_fault_among_others(
    text: str | None, said: str, remedy: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The rest is examined for the table that ships."""
    path = tmp_path / "tiki.toml"
    if text is not None:
        path.write_text(text)
    assert main(["doctor", "--json", "--config", str(path)]) == 1
    first, *rest = json.loads(capsys.readouterr().out)["checks"]
    assert (first["name"], first["status"]) == ("config", "failed")
    assert said in first["detail"]
    assert remedy in first["remedy"]
    assert {check["status"] for check in rest} <= {"ok", "simulated", "skipped"}


def test_the_example_can_be_judged(here: FakeMachine, capsys: pytest.CaptureFixture[str]) -> None:
    """The config that ships passes, and asking again repeats its name."""
    example = Path(__file__).parents[2] / "deploy" / "tiki.toml"
    here.port_error = OSError(98, "Address already in use")
    assert main(["doctor", "--config", str(example)]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert f"{example} is valid" in told
    assert told.endswith(f"Then run it again: ./run doctor --config {example}")


def test_what_a_config_wants_is_simulated_as_it_ships() -> None:
    """Nothing is asked of the header."""
    requirements = read_requirements(Config(), Path("/x/games.db"))
    assert not requirements.header
    assert replace(requirements, lights="neopixel").header
    assert (
        requirements.lights,
        requirements.display,
        requirements.sensors,
        requirements.sound,
    ) == ("fake",) * 4


def test_this_very_machine_can_be_examined(tmp_path: Path) -> None:
    """Wherever the tests run, without a check that breaks."""
    requirements = read_requirements(Config(), tmp_path / "games.db")
    checks = examine(LocalMachine(), requirements, timeout_s=60)
    assert_readable(checks)
    assert "this check broke" not in " ".join(verdict.detail for _, verdict in checks)


PICAMERA2 = """
import sys
class Picamera2:
    @staticmethod
    def global_camera_info():
        print("[0:26:11] INFO Camera", file=sys.stderr)
        return [{"Model": "imx708", "Num": 0, "Id": "/base/i2c@1/imx708@1a"}]
"""


def test_cameras_are_listed_in_a_process_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The real program, on as much of picamera2 as it asks."""
    (tmp_path / "picamera2.py").write_text(PICAMERA2)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    requirements = read_requirements(
        Config(camera=CameraConfig(source="picamera2")), tmp_path / "games.db"
    )
    verdict = CHECKS["camera"](LocalMachine(), requirements)
    assert (verdict.status, verdict.detail) == ("ok", "imx708 through picamera2")
