"""Stopping: whichever signal comes, and whatever hangs, everything is put to rest and in time."""

import os
import signal
import subprocess
import sys
import time
import tty
from pathlib import Path

import pytest

from companion.cli.signals import STOP_LIMIT_S
from companion.registry import recordings
from companion.session.log import Log
from tests.running import DEADLINE_S, HEEDING, PROGRAM, ROOT, STOP_S, Child, child, wait_for

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
SLOW_START = """
import time
from companion.devices.rig import Rig
make = Rig.__init__
def make_slowly(self, *args):
    make(self, *args)
    time.sleep(0.7)
Rig.__init__ = make_slowly
"""
BROKEN_PARTS = """
import time
from companion.devices.rig import Rig
from companion.table.watcher import Watcher
Watcher.close = lambda _: time.sleep(99)
Rig.close = lambda _: 1 / 0
closing.close_parts.__defaults__ = (closing.CLOSE_LIMIT_S,)
"""
INTERRUPTED_EVENT = """
import signal
from threading import Event
class InterruptedEvent(Event):
    def set(self):
        with self._cond:
            signal.raise_signal(signal.SIGINT)
        super().set()
make = StopRequest.__init__
def make_interrupted(self):
    make(self)
    self._requested = InterruptedEvent()
StopRequest.__init__ = make_interrupted
"""
WATCHED = ("--replay", str(next(iter(recordings().values()))))
STUCK_START = f"{SLOW_START.replace('0.7', '99')}signals.STOP_LIMIT_S = {STOP_LIMIT_S}"


@pytest.mark.parametrize(
    ("program", "file", "spent_s"),
    [
        ("1 / 0", "log", 0.0),
        ("import sys; print('still on, at rest', file=sys.stderr)", "log", 0.0),
        ("", "log-wal", 0.0),
        ("", "log", STOP_S),
    ],
)
def test_the_check_of_an_end_in_order_can_fail(
    tmp_path: Path, program: str, file: str, spent_s: float
) -> None:
    """A traceback, lights that are on, a log that is open, an end too late."""
    ended = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    _, errors = ended.communicate()
    (tmp_path / file).touch()
    with pytest.raises(AssertionError):
        Child(ended, tmp_path, errors=errors or "at rest").assert_in_order(spent_s)


def test_more_signals_do_no_harm(tmp_path: Path) -> None:
    """A second Ctrl-C, and others, until the very end."""
    with child(tmp_path) as tiki:
        tiki.process.send_signal(signal.SIGINT)
        began_s = time.monotonic()
        while tiki.process.poll() is None and time.monotonic() - began_s < STOP_S:
            for number in SIGNALS:
                tiki.process.send_signal(number)
            time.sleep(0.005)
        tiki.assert_in_order(tiki.stop())


def test_a_signal_within_a_signal_does_no_harm(tmp_path: Path) -> None:
    """While the first is still being told to who waits for it."""
    with child(tmp_path, first=INTERRUPTED_EVENT) as tiki:
        tiki.assert_in_order(tiki.stop(signal.SIGTERM))


def test_streams_half_a_form_and_a_camera_that_hangs_do_not_delay_the_end(tmp_path: Path) -> None:
    """Nor does half a request, or a reader that takes nothing.

    Lights and display are off, the log is one file again, and the game can be taken up. The
    camera's process is not left behind either: that would keep our standard error open.
    """
    os.mkfifo(tmp_path / "camera")
    config = tmp_path / "tiki.toml"
    config.write_text(f"[camera]\nsource = 'video'\ndevice = '{tmp_path / 'camera'}'\n")
    with child(tmp_path, "--config", str(config)) as tiki:
        host = "Host: tiki.local\n"
        for path in ("/live?page=board", "/api/events"):
            tiki.send(f"GET {path} HTTP/1.1\n{host}\n").recv(1)
        tiki.send(f"POST /api/tell HTTP/1.1\n{host}Content-Length: 50\n\nact")
        tiki.send(f"GET / HTTP/1.1\n{host}")
        tiki.send(f"GET / HTTP/1.1\n{host}\n" * 300).recv(1)
        time.sleep(0.5)  # in which the camera's process comes to hang
        tiki.assert_in_order(tiki.stop(signal.SIGTERM))
        # Before that a busy machine has had time to say that the camera gives no picture.
        assert tiki.errors.splitlines()[-1:] == ["at rest"]
    with Log(tmp_path / "game.db") as log:
        assert log.unfinished() == 1


def test_a_part_that_hangs_does_not_delay_the_end(tmp_path: Path) -> None:
    """Neither does one that fails; both are named, and the log is closed all the same."""
    with child(tmp_path, *WATCHED, first=BROKEN_PARTS) as tiki:
        tiki.assert_in_order(tiki.stop(signal.SIGTERM), at_rest=False)
        assert "tiki: The camera did not stop within 1.2 s and was left\n" in tiki.errors
        devices = "tiki: The sensors, lights and display could not be closed: division by zero\n"
        assert devices in tiki.errors


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.slow(keep=["[15]"])
def test_a_signal_during_the_start_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """While the devices are being opened the signal waits until they can be closed again."""
    with child(tmp_path, first=SLOW_START, serves=False) as tiki:
        wait_for(tmp_path / "game.db-wal")
        tiki.assert_in_order(tiki.stop(number))


def test_a_signal_before_anything_is_open_ends_it_at_once(tmp_path: Path) -> None:
    """While the program itself is still being loaded."""
    loading = f"""
from pathlib import Path
import time
import companion.cli
def load_slowly(*_):
    Path({str(tmp_path / "loading")!r}).touch()
    time.sleep(99)
companion.cli.build_parser = load_slowly
"""
    with child(tmp_path, first=loading, serves=False) as tiki:
        wait_for(tmp_path / "loading")
        tiki.assert_in_order(tiki.stop(signal.SIGTERM), at_rest=False)
        assert tiki.errors == ""


@pytest.mark.slow
def test_a_start_that_hangs_is_ended_by_force(tmp_path: Path) -> None:
    """Within three seconds, but with a status and a line that tell it from an orderly end."""
    assert STOP_LIMIT_S < 3.0
    with child(tmp_path, first=STUCK_START, serves=False) as tiki:
        wait_for(tmp_path / "game.db-wal")
        tiki.stop(signal.SIGTERM)
        assert tiki.process.returncode == 1
        assert tiki.errors == "tiki: something did not stop and was left; the game is saved\n"


def test_a_closed_terminal_stops_it_in_order(tmp_path: Path) -> None:
    """It cannot print there any more, which is no error."""
    master, slave = os.openpty()
    tty.setraw(slave)
    command = "import os, sys; os.setsid(); os.open(os.ttyname(0), os.O_RDWR)\n" + PROGRAM
    log = str(tmp_path / "game.db")
    with subprocess.Popen(
        [*HEEDING, sys.executable, "-c", command, "run", "--port", "0", "--log", log],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
    ) as process:
        try:
            os.close(slave)
            with os.fdopen(os.dup(master)) as terminal:
                terminal.readline()
                terminal.readline()
            os.close(master)
            assert process.wait(DEADLINE_S) == 0
            assert not list(tmp_path.glob("*-wal"))
        finally:
            process.kill()
