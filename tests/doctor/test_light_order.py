"""`tiki doctor --lights`: lights of any order at the Pico's wire, and somebody who looks."""

import sys
from itertools import permutations
from pathlib import Path
from socket import create_server

import pytest

from companion.cli import light_order, main
from companion.cli.failure import Failure
from companion.cli.light_order import order_of, show_and_ask
from companion.config import load_config, log_path
from hardware.fakes import FakeStrip
from hardware.pico.simulation import SimulatedPico
from tests.commands import assert_one_line
from tests.doctor.machines import FakeMachine
from tests.hardware.picos import require_micropython
from tests.hardware.recorders import Record

ORDERS = tuple("".join(each) for letters in ("RGB", "RGBW") for each in permutations(letters))
RED_GREEN_BLUE = ((255, 0, 0), (0, 255, 0), (0, 0, 255))


def seen(sent: bytes, order: str) -> str:
    """Return what the first three of lights with this *order* show of what was *sent*."""
    shown = ""
    for light in range(3):
        levels = sent[light * len(order) : (light + 1) * len(order)]
        lit = [colour for colour, level in zip(order, levels, strict=True) if level]
        shown += lit[0] if len(lit) == 1 else "-"
    return shown


def sent_in(order: str) -> bytes:
    """Return what nine lights are sent that are told red, green, blue in this *order*."""
    levels = [dict(zip("RGB", colour, strict=True)) for colour in RED_GREEN_BLUE]
    told = bytes(each.get(place, 0) for each in levels for place in order)
    return told + bytes(6 * len(order))


@pytest.mark.parametrize("told", ORDERS)
def test_what_is_seen_tells_the_order(told: str) -> None:
    """Of all lights with as many colours; of the others it is known that they are others."""
    for true in ORDERS:
        found = order_of(told, seen(sent_in(told), true))
        assert found == (true if len(true) == len(told) else "")


def settings(folder: Path, lights: str, port: object = "") -> Path:
    """Write the settings of a table with *lights* on a Pico, and return the file."""
    file = folder / "tiki.toml"
    file.write_text(
        f'[web]\nport = 9\n[log]\nfile = "{folder}/games.db"\n[pins]\nboard = "pico"\n'
        f'port = "{port}"\n[lights]\n{lights}\n'
    )
    return file


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)


@pytest.mark.parametrize(
    ("order", "true", "status", "said"),
    [
        ("GRB", "GRB", 0, 'lights.order is right: "GRB".'),
        ("GRB", "RGB", 1, 'Set order = "RGB" under [lights], and look once more.'),
        ("GRB", "GRBW", 1, 'Set order = "GRBW" under [lights], and look once more.'),
        ("RGBW", "BGR", 1, 'Set order = "BGR" under [lights], and look once more.'),
    ],
)
def test_the_lights_of_a_pico_are_shown_and_named(
    order: str,
    true: str,
    status: int,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By who types what is seen; a slip of the finger is asked again, and all goes dark."""
    require_micropython()
    with SimulatedPico(tmp_path / "pico") as pico:
        file = settings(tmp_path, f'kind = "neopixel"\norder = "{order}"', pico.port)
        asked: list[str] = []

        def look(question: str) -> str:
            asked.append(question)
            return "blue" if len(asked) == 1 else " ".join(seen(pico.sent, true)).lower()

        assert show_and_ask(file, FakeMachine(), look) == status
        assert asked[0].startswith("The first three lights should be red, green, blue")
        assert capsys.readouterr().out.splitlines() == ["Three letters, please, such as GRB.", said]
        assert not any(pico.sent)


def test_the_lights_of_the_header_are_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told three colours and then four, through Adafruit's library."""
    wire = Record()
    monkeypatch.setattr("neopixel.neopixel_write", lambda _, sent: wire.add(bytes(sent)))
    file = settings(tmp_path, 'kind = "neopixel"')
    file.write_text(file.read_text().replace('"pico"', '"header"').replace('port = ""\n', ""))
    assert show_and_ask(file, FakeMachine(), lambda _: seen(wire.heard[-1], "GRBW")) == 1
    assert 'order = "GRBW"' in capsys.readouterr().out
    assert wire.heard[-1] == bytes(36)


def test_lights_that_show_nothing_right_are_a_fault_of_wires(tmp_path: Path) -> None:
    """No order would help."""
    require_micropython()
    with SimulatedPico(tmp_path / "pico") as pico:
        file = settings(tmp_path, 'kind = "neopixel"', pico.port)
        with pytest.raises(Failure, match="both as GRB and as GRBW; check their data wire"):
            show_and_ask(file, FakeMachine(), lambda _: "---")


def test_whoever_cannot_light_says_why(tmp_path: Path) -> None:
    """Instead of asking."""
    file = settings(tmp_path, 'kind = "neopixel"', "/dev/nowhere")
    with pytest.raises(Failure, match="nothing is plugged in at /dev/nowhere"):
        show_and_ask(file, FakeMachine(), pytest.fail)


def test_a_table_in_play_is_left_alone(tmp_path: Path) -> None:
    """A companion that answers, or has the log of these settings open elsewhere."""
    file = settings(tmp_path, 'kind = "neopixel"', "/dev/nowhere")
    playing = FakeMachine(users={str(log_path(load_config(file))): ("tiki",)})
    with pytest.raises(Failure, match="the companion is running, and its lights are left alone"):
        show_and_ask(file, playing, pytest.fail)
    with create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        file.write_text(file.read_text().replace("port = 9\n", f"port = {port}\n", 1))
        with pytest.raises(Failure, match="the companion is running"):
            show_and_ask(file, FakeMachine(), pytest.fail)


@pytest.mark.parametrize(
    ("lights", "words", "said"),
    [
        ('kind = "fake"', (), 'no lights are configured; set kind = "neopixel" under [lights]'),
        ('kind = "neopixel"\nlights = 2\nslots = "0-1"', (), "with three lights or more"),
        ('kind = "neopixel"\norder = "rgb"', (), "it must be 'GRB', 'RGB', 'BRG', 'RBG', 'GBR'"),
        ('kind = "neopixel"', ("--json",), "--lights goes with --config alone"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(
    lights: str,
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With what to do."""
    file = settings(tmp_path, lights)
    assert main(["doctor", "--lights", "--config", str(file), *words]) == 1
    assert_one_line(capsys.readouterr().err, said)


def test_it_needs_somebody_who_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No terminal, or its end, and nothing is guessed."""
    file = settings(tmp_path, 'kind = "neopixel"', "/dev/nowhere")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    with pytest.raises(Failure, match="needs a terminal"):
        show_and_ask(file, FakeMachine())
    strip = FakeStrip()

    def end(_: str) -> str:
        raise EOFError

    with pytest.raises(Failure, match="no answer"):
        light_order._look(strip, load_config(None).lights, end)
