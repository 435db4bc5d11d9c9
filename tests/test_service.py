"""The service manager: what systemd is told, and when it is told nothing."""

import asyncio
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest

from companion.service import (
    FEEDS,
    ServiceManager,
    inherited_sockets,
    is_given_sockets,
    report,
)
from companion.table.heartbeat import (
    STUCK_JUDGING_S,
    STUCK_LEARNING_S,
    STUCK_WAITING_S,
    Heartbeat,
)
from companion.table.watcher import Watcher
from tests.recordings import SHIPPED
from tests.running import Child, child
from vision.capture.camera import Shot, Unadapting
from vision.capture.device import CameraLost
from vision.capture.motion_gate import MotionGate

WATCHDOG_S = 0.3
WATCHED = ("--replay", str(SHIPPED))


class Systemd:
    """A manager's socket, and what has come to it."""

    def __init__(self, address: str) -> None:
        self.environment = {
            "NOTIFY_SOCKET": address.replace("\0", "@"),
            "WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6)),
        }
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.lines: list[str] = []

    def listen(self, seconds: float) -> list[str]:
        """Return the lines that come within *seconds*."""
        until_s, found = time.monotonic() + seconds, list[str]()
        while (left_s := until_s - time.monotonic()) > 0:
            self.socket.settimeout(left_s)
            try:
                found += self.socket.recv(4096).decode().split("\n")
            except TimeoutError:
                break
        self.lines += found
        return found

    def wait_for(self, line: str, within_s: float = 90.0) -> None:
        """Listen until *line* comes."""
        until_s = time.monotonic() + within_s
        while line not in self.lines:
            assert time.monotonic() < until_s, self.lines
            self.listen(0.02)

    def wait_for_silence(self, within_s: float = 90.0) -> None:
        """Listen until the watchdog is not fed for six times as long as it takes."""
        until_s = time.monotonic() + within_s
        while "WATCHDOG=1" in (heard := self.listen(6 * WATCHDOG_S)):
            assert time.monotonic() < until_s, heard


@contextmanager
def systemd(address: str) -> Iterator[Systemd]:
    """Take the messages of *address*."""
    found = Systemd(address)
    try:
        yield found
    finally:
        found.socket.close()


@contextmanager
def page(status: int = 200) -> Iterator[tuple[str, list[bytes]]]:
    """Serve every question with *status*, from another thread; give where, and the questions."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    asked.append(connection.recv(1000))
                    connection.sendall(f"HTTP/1.1 {status} As said\r\n\r\n".encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def tell(
    manager: Systemd,
    here: str,
    is_enough: Callable[[], bool],
    stuck: Callable[[], str] = str,
    hang_s: float = 0.0,
) -> None:
    """Let *manager* be told of a table until that *is_enough*, and then while its loop hangs."""

    async def run() -> None:
        reporting = report(
            ServiceManager(dict(manager.environment)), here, stuck, lambda: "Topple\nhere"
        )
        async with asyncio.timeout(60.0):
            task = asyncio.create_task(reporting)
            while not is_enough():
                await asyncio.sleep(0.01)
                manager.listen(0.001)
        time.sleep(hang_s)  # noqa: ASYNC251 - that is what is tried
        assert not task.done()
        task.cancel()

    asyncio.run(run())


@pytest.mark.parametrize("address", ["{}/notify", "\0tiki-{}"], ids=["file", "abstract"])
def test_ready_status_and_watchdog_are_told(tmp_path: Path, address: str) -> None:
    """Once the page answers; the status in one line, the watchdog several times in its time."""
    with systemd(address.format(tmp_path)) as manager, page() as (here, _):
        assert ServiceManager(dict(manager.environment)).feed_s == WATCHDOG_S / FEEDS
        tell(manager, here, lambda: manager.lines.count("WATCHDOG=1") > FEEDS)
        assert manager.lines[:3] == ["READY=1", "STATUS=Topple here", "WATCHDOG=1"]
        assert manager.lines.count("STATUS=Topple here") == 1


@pytest.mark.parametrize("status", [404, 503])
def test_not_ready_before_the_page_answers(tmp_path: Path, status: int) -> None:
    """The answer is an error, or nobody listens any more: nothing is told, and it asks again."""
    with systemd(f"{tmp_path}/notify") as manager:
        with page(status) as (here, asked):
            tell(manager, here, lambda: len(asked) > 1)
        tries = iter(range(30))
        tell(manager, here, lambda: next(tries) > 20)
        assert manager.lines == []


def test_no_food_while_the_pipeline_is_stuck(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The status and the journal say what is stuck, once."""
    calls: list[str] = []

    def stuck() -> str:
        calls.append("the reader hangs")
        return calls[-1]

    with systemd(f"{tmp_path}/notify") as manager, page() as (here, _):
        tell(manager, here, lambda: len(calls) > FEEDS, stuck)
        assert manager.lines == ["READY=1", "STATUS=Stuck: the reader hangs"]
    assert caplog.messages == ["the reader hangs; the service is about to be restarted"]


def test_no_food_while_the_event_loop_hangs(tmp_path: Path) -> None:
    """The watchdog's time passes without a word."""
    with systemd(f"{tmp_path}/notify") as manager, page() as (here, _):
        tell(manager, here, lambda: "WATCHDOG=1" in manager.lines, hang_s=WATCHDOG_S * 1.1)
        assert manager.listen(0.05) == []


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"NOTIFY_SOCKET": ""},
        {"NOTIFY_SOCKET": "vsock:2:1", "WATCHDOG_USEC": "100"},
        {"WATCHDOG_USEC": "100"},
    ],
)
def test_without_a_manager_nothing_is_said(environment: dict[str, str]) -> None:
    """Started from a terminal there is no socket, or one that we do not speak to."""
    manager = ServiceManager(environment)
    assert (manager.is_there, manager.feed_s) == (False, None)
    manager.tell("READY=1")
    asyncio.run(asyncio.wait_for(report(manager, "http://127.0.0.1:1", str, str), 1.0))


def test_the_variables_are_not_passed_on() -> None:
    """The camera's process must not speak for us; another process's watchdog is not ours."""
    environment = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "900000", "WATCHDOG_PID": "1"}
    manager = ServiceManager(environment)
    assert environment == {}
    assert manager.feed_s is None
    manager.tell("READY=1")  # to a socket that is not there
    for limit in ("0", "-1", "soon", ""):
        given = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": limit}
        assert ServiceManager(given).feed_s is None


@pytest.mark.parametrize(
    ("pid", "count", "found"),
    [("own", "2", [3, 4]), ("1", "2", []), ("own", "", []), ("", "", [])],
)
def test_sockets_are_taken_once(
    monkeypatch: pytest.MonkeyPatch, pid: str, count: str, found: list[int]
) -> None:
    """Those meant for this process; no child of ours has them."""
    kept: list[tuple[int, bool]] = []
    pid = pid.replace("own", str(os.getpid()))
    monkeypatch.setattr(os, "set_inheritable", lambda *given: kept.append(given))
    environment = {"LISTEN_PID": pid, "LISTEN_FDS": count, "LISTEN_FDNAMES": "portal"}
    assert is_given_sockets(environment) is (pid == str(os.getpid()))
    assert [*inherited_sockets(environment)] == found
    assert kept == [(each, False) for each in found]
    assert environment == {}


class Clock:
    """A clock that stands still."""

    now_s = 1000.0

    def __call__(self) -> float:
        """Return its time."""
        return self.now_s


@pytest.mark.parametrize(
    ("steps", "limit_s", "words"),
    [
        (["begin"], STUCK_JUDGING_S, "judging one picture"),
        (["begin", "learn"], STUCK_LEARNING_S, "learning the table"),
        (["begin", "learn", "end", "begin"], STUCK_JUDGING_S, "judging one picture"),
        (["end"], STUCK_WAITING_S, "camera's thread"),
    ],
)
def test_a_thread_that_does_not_come_on_is_stuck(
    steps: list[str], limit_s: float, words: str
) -> None:
    """Judging or learning one picture, or waiting for the camera, too long; not a moment before."""
    clock = Clock()
    heartbeat = Heartbeat(clock)
    for step in steps:
        getattr(heartbeat, step)()
    clock.now_s += limit_s
    assert heartbeat.stuck == ""
    clock.now_s += 0.1
    assert words in heartbeat.stuck
    heartbeat.stop()
    assert heartbeat.stuck == ""


class Broken(Unadapting):
    """A camera that yields *shot*, and then ends as *error* says."""

    def __init__(self, shot: Shot, error: Exception | None) -> None:
        self._shot, self._error = shot, error

    def shots(self) -> Iterator[Shot]:
        """Yield the shot."""
        yield self._shot
        if self._error:
            raise self._error

    def close(self) -> None:
        """Do nothing: it ends by itself."""


@pytest.mark.parametrize(
    ("error", "words"),
    [(None, ""), (KeyError("slot"), "the camera's thread has ended (KeyError: 'slot')")],
)
def test_a_thread_that_died_is_stuck(error: Exception | None, words: str) -> None:
    """A lost camera is not, nor one that was closed; a dead thread is named on the page too."""
    troubles: list[str] = []
    lost = CameraLost("no picture; check its cable")
    watcher = Watcher(
        Broken(lost, error), MotionGate(0.5), lambda _: None, report_camera=troubles.append
    )
    watcher.start()
    watcher.close()
    assert watcher.stuck == words
    assert troubles == [str(lost)]
    assert ("no longer being watched" in (watcher.new_trouble() or "")) is bool(words)


HUNG = {
    "reader": """
import companion.table.heartbeat as heartbeat
from companion.table.watcher import Watcher
heartbeat.STUCK_JUDGING_S = 1.0
def hang(*_): import time; time.sleep(99)
Watcher._handle_shot = hang
""",
    "camera": """
import companion.table.heartbeat as heartbeat
from vision.capture.camera import RecordedCamera
heartbeat.STUCK_WAITING_S = 1.0
def hang(_): import time; time.sleep(99); yield
RecordedCamera.shots = hang
""",
    "loop": """
from companion.daemon import Daemon
async def hang(_):
    import asyncio, time
    await asyncio.sleep(3)
    time.sleep(99)
Daemon._keep_time = hang
""",
}


@contextmanager
def served(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str, first: str = ""
) -> Iterator[tuple[Systemd, Child]]:
    """Run `tiki run` as systemd starts it; see `child`."""
    with systemd(f"{folder}/notify") as manager:
        for name, value in manager.environment.items():
            monkeypatch.setenv(name, value)
        with child(folder, *words, first=first) as tiki:
            yield manager, tiki


def test_a_table_without_a_camera_is_kept_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ready, status, food as long as it runs; stopping is told before it ends."""
    with served(tmp_path, monkeypatch) as (manager, tiki):
        manager.wait_for("READY=1")
        for _ in range(3):
            manager.wait_for("WATCHDOG=1")
            manager.lines.remove("WATCHDOG=1")
        with pytest.raises(AssertionError, match="WATCHDOG=1"):
            manager.wait_for_silence(within_s=0.0)
        tiki.assert_in_order(tiki.stop(signal.SIGTERM))
        manager.wait_for("STOPPING=1")
        (status, _) = (each for each in manager.lines if each.startswith("STATUS="))
        assert re.fullmatch(rf"STATUS=Tiki Topple at http://[\d.]+:{tiki.port}", status)


GIVEN: Final = """
import os, socket
given = socket.create_server(("127.0.0.1", 0))
if given.fileno() != 3:
    os.dup2(given.fileno(), 3)
with open({file!r}, "w") as file:
    file.write(str(given.getsockname()[1]))
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
"""


def test_a_socket_of_systemd_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same pages as on the companion's own port."""
    file = tmp_path / "port"
    with served(tmp_path, monkeypatch, first=GIVEN.format(file=str(file))) as (manager, _):
        manager.wait_for("READY=1")
        answer = httpx.get(f"http://127.0.0.1:{file.read_text()}/api/state")
        assert (answer.status_code, answer.json()["game"]) == (200, "tiki_topple")


@pytest.mark.parametrize("what", HUNG)
@pytest.mark.slow(keep=["reader"])
def test_a_hung_part_starves_the_watchdog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Reader, camera's thread or event loop: fed at first, and then no more."""
    with served(tmp_path, monkeypatch, *WATCHED, first=HUNG[what]) as (manager, tiki):
        manager.wait_for("WATCHDOG=1")
        manager.wait_for_silence()
        tiki.process.send_signal(signal.SIGABRT)  # as systemd does
        _, errors = tiki.process.communicate(timeout=60)
        assert tiki.process.returncode == -signal.SIGABRT
        assert ("about to be restarted" in errors) is (what != "loop")
        assert "most recent call first" in errors  # where it hung
