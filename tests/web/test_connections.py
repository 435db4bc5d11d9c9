"""Connections: those that send nothing, too much or nothing more never lock out the table."""

import re
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from companion.referee.live_session import LiveSession
from companion.web.http import connections
from companion.web.http.certificate import open_certificate
from companion.web.http.connections import (
    MAX_CONNECTIONS,
    MAX_OF_ADDRESS,
    MAX_OF_PROXY,
    RESERVED_FILES,
    Gate,
    Limits,
)
from companion.web.http.server import HomeTls
from tests.running import Child, child, everything
from tests.tables import sit_down
from tests.web.serving import Served, served

DEADLINE_S = 60.0
FILES = 64
CROWD = 70
STRANGER, PHONE = "127.0.0.2", "127.0.0.3"
HOST = "Host: tiki.local\r\n"
HALF = ("", "GET / HT", "POST /api/tell HTTP/1.1\nHost: x\n\n")
FORM = "Host: tiki.local\nContent-Type: application/x-www-form-urlencoded\n"
SHORT = """
import companion.web.http.connections as connections, companion.web.http.server as server
connections.REQUEST_S, connections.STUCK_S, server.IDLE_S = 1.0, 1.0, 2
"""
UNLIMITED = """
import companion.web.http.connections as connections
connections.Limits.within = classmethod(lambda cls, files: cls(1000, 1000, 1000))
"""


def assert_served(tiki: Child, host: str = PHONE) -> None:
    """Check that whoever asks from *host* has an answer."""
    answer = tiki.ask("/api/state", host)
    assert answer.startswith("HTTP/1.1 200"), answer


def test_a_crowd_of_one_address_locks_nobody_out(tmp_path: Path) -> None:
    """More half-open connections than there are files: phones are served, nothing is reported.

    Who has too many streams is told so; a phone with its three pages and a proxy are not.
    """
    with child(tmp_path, files=FILES) as tiki:
        for number in range(CROWD):
            tiki.send(HALF[number % len(HALF)], STRANGER)
            if number % 10 == 0:
                assert_served(tiki)
        assert tiki.files() < FILES - RESERVED_FILES // 2
        for each in tiki.open:
            each.close()
        answers = [
            tiki.send("GET /api/events HTTP/1.1\nHost: tiki.local\n\n", STRANGER).recv(12)
            for _ in range(CROWD)
        ]
        assert answers.count(b"HTTP/1.1 503") > CROWD / 2
        assert answers.index(b"HTTP/1.1 503") >= 10
        for host in (PHONE, "127.0.0.1"):
            for page in ("board", "desk", "idol"):
                stream = f"GET /live?page={page} HTTP/1.1\nHost: tiki.local\n\n"
                assert tiki.send(stream, host).recv(12) == b"HTTP/1.1 200"
            assert_served(tiki, host)
        tiki.assert_in_order(tiki.stop(signal.SIGINT))
        assert tiki.errors == "at rest\n"


@pytest.mark.slow
def test_accepting_without_files_neither_spins_nor_reports(tmp_path: Path) -> None:
    """Where the limits fail, the crowd is turned away, and who comes later is served."""
    with child(tmp_path, first=UNLIMITED, files=FILES) as tiki:
        crowd = [tiki.send("GET / HT", STRANGER) for _ in range(CROWD)]
        spent = []
        for _ in range(6):  # at first the pages are loaded
            before_s = processor_s(tiki)
            time.sleep(0.5)
            spent.append(processor_s(tiki) - before_s)
        assert min(spent) < 0.25
        crowd[-1].settimeout(DEADLINE_S)
        assert everything(crowd[-1]).startswith("HTTP/1.1 503")
        for each in crowd:
            each.close()
        time.sleep(0.5)
        assert_served(tiki)
        tiki.stop(signal.SIGINT)
        assert len(tiki.errors) < 1000


def processor_s(tiki: Child) -> float:
    """Return how long the processor has worked for *tiki*."""
    fields = Path(f"/proc/{tiki.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


SLOW = (
    ("", "", ""),
    ("GET / HTTP/1.1\n", "A: b\n", "HTTP/1.1 408"),
    (f"POST /join/x HTTP/1.1\n{FORM}Content-Length: 99\n\n", "x", "HTTP/1.1 408"),
    (f"POST /undo HTTP/1.1\n{FORM}Content-Length: 99\n\n", "x", "HTTP/1.1 403"),
    ("GET /api/state HTTP/1.1\nHost: tiki.local\n\n", "", "HTTP/1.1 200"),
)
"""How somebody begins, what comes now and then, and how that is answered in the end."""


def test_who_keeps_the_table_waiting_is_disconnected(tmp_path: Path) -> None:
    """Also who sends a little now and then, and who never sends what the answer did not need.

    A phone that goes out of reach in the middle of a form is no defect of the companion.
    """
    with child(tmp_path, first=SHORT) as tiki, ThreadPoolExecutor(len(SLOW)) as beside:
        for got, answer in beside.map(partial(told_to_the_slow, tiki), SLOW):
            assert got.startswith(answer), (got, answer)
        tiki.send(f"POST /join/x HTTP/1.1\n{FORM}Content-Length: 99\n\naction=").close()
        assert_served(tiki)
        tiki.assert_in_order(tiki.stop(signal.SIGINT))
        assert tiki.errors == "at rest\n"


def told_to_the_slow(tiki: Child, how: tuple[str, str, str]) -> tuple[str, str]:
    """Return all that somebody is told until the connection is ended, and what that begins with."""
    start, drop, answer = how
    slow, got = tiki.send(start), b""
    slow.settimeout(0.3)
    while True:
        try:
            piece = slow.recv(65_536)
        except TimeoutError:
            slow.sendall(drop.replace("\n", "\r\n").encode())
            continue
        except ConnectionError:
            break
        got += piece
        if not piece:
            break
    return got.decode(), answer


@pytest.mark.slow
def test_a_reader_of_pages_that_takes_nothing_is_disconnected(tmp_path: Path) -> None:
    """Answers are not kept for it for ever."""
    with child(tmp_path, first=SHORT) as tiki:
        before = tiki.files()
        stuck = slow_reader(tiki.port)
        tiki.open.append(stuck)
        with suppress(BlockingIOError):
            for _ in range(300):
                stuck.send(f"GET / HTTP/1.1\r\n{HOST}\r\n".encode())
        deadline_s = time.monotonic() + DEADLINE_S
        while tiki.files(1) <= before:
            assert time.monotonic() < deadline_s
        while tiki.files() > before:
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
        tiki.assert_in_order(tiki.stop(signal.SIGINT))


def test_a_reader_of_a_stream_that_takes_nothing_is_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Changes are not kept for it for ever; who reads goes on reading."""
    monkeypatch.setattr(connections, "STUCK_S", 1.0)
    with served(sit_down) as house, slow_reader(house.port) as stuck:
        stuck.send(f"GET /live?page=board HTTP/1.1\r\n{HOST}\r\n".encode())
        deadline_s = time.monotonic() + DEADLINE_S
        number = 0
        while number < 20 or house.server.gate.connections:
            assert time.monotonic() < deadline_s
            number += 1
            words = f"{number} {'long words ' * 2000}"
            house.do(partial(LiveSession.report, device="a device", trouble=words))
            time.sleep(0.05)


def slow_reader(port: int) -> socket.socket:
    """Return a connection into which little can be sent before it is read."""
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    stuck.connect(("127.0.0.1", port))
    stuck.setblocking(False)
    return stuck


@contextmanager
def limited(limits: Limits) -> Iterator[Served]:
    """Serve a table within *limits*."""
    with served(sit_down) as house:
        house.server.gate._limits = limits
        yield house


def get(connection: socket.socket) -> bytes:
    """Return the answer to one request on *connection*, which is kept."""
    connection.sendall(f"GET /api/state HTTP/1.1\r\n{HOST}\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65_536)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    assert length
    while len(body) < int(length[1]):
        body += connection.recv(65_536)
    return body


def test_answers_on_a_kept_connection_come_at_once() -> None:
    """Nagle's algorithm is off on the server's side, and no answer waits 40 ms for another."""
    with served(sit_down) as house, socket.create_connection(("127.0.0.1", house.port)) as kept:
        get(kept)
        (connection,) = house.server.gate.connections
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_oldest_idle_connection_goes_for_a_new_one() -> None:
    """Not one that is being answered; if all are, the new one is refused at once."""
    with limited(Limits(total=3, of_address=3, of_proxy=3)) as house:
        port = house.port
        kept = [socket.create_connection(("127.0.0.1", port), DEADLINE_S) for _ in range(3)]
        kept[0].sendall(f"GET /api/events HTTP/1.1\r\n{HOST}\r\n".encode())
        assert kept[0].recv(12) == b"HTTP/1.1 200"
        for each in kept[1:]:
            get(each)
        kept.append(socket.create_connection(("127.0.0.1", port), DEADLINE_S))
        get(kept[3])
        assert everything(kept[1]) == ""
        get(kept[2])
        for each in kept[2:]:
            each.sendall(f"GET /api/events HTTP/1.1\r\n{HOST}\r\n".encode())
            assert each.recv(12) == b"HTTP/1.1 200"
        refused = socket.create_connection(("127.0.0.1", port), DEADLINE_S)
        assert everything(refused).startswith("HTTP/1.1 503")
        for each in (*kept, refused):
            each.close()


def test_an_address_with_few_connections_comes_before_one_with_many() -> None:
    """When all is full of streams, the address with most of them gives its newest up."""
    with limited(Limits(total=4, of_address=4, of_proxy=4)) as house:
        streams: list[socket.socket] = []

        def follow(host: str) -> bytes:
            # Answered before the next one comes: who has not asked yet would go first.
            stream = socket.create_connection(("127.0.0.1", house.port), DEADLINE_S, (host, 0))
            streams.append(stream)
            stream.sendall(f"GET /api/events HTTP/1.1\r\n{HOST}\r\n".encode())
            return stream.recv(12)

        try:
            assert [follow(STRANGER) for _ in range(4)] == [b"HTTP/1.1 200"] * 4
            phones = [follow(PHONE) for _ in range(3)]
            assert phones == [b"HTTP/1.1 200"] * 2 + [b"HTTP/1.1 503"]
        finally:
            for each in streams:
                each.close()


def test_a_proxy_may_have_more_than_a_phone() -> None:
    """This machine is one; others are named by the owner, as addresses or networks."""
    gate = Gate(Limits(9, 2, 5), ["192.0.2.7", "198.51.100.0/24"])
    found = {host: gate._limit_of(host) for host in (STRANGER, "::1", "192.0.2.7", "198.51.100.9")}
    assert found == {STRANGER: 2, "::1": 5, "192.0.2.7": 5, "198.51.100.9": 5}
    assert gate._limit_of("fe80::1%eth0") == 2


def test_a_crowd_that_agrees_on_no_cipher_locks_nobody_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither where pages are plain nor over TLS, where nobody is seen before."""
    monkeypatch.setattr(connections, "UNSEEN_S", 0.2)
    file = tmp_path / "tls.pem"
    open_certificate(file, ())
    tls = HomeTls("127.0.0.1", 0, file)
    trusted = ssl.create_default_context(cafile=str(file))
    with served(sit_down, tls=tls) as house, ExitStack() as opened:
        while not tls.port:
            time.sleep(0.01)

        def connect(port: int, source: str) -> socket.socket:
            address, own = ("127.0.0.1", port), (source, 0)
            return opened.enter_context(socket.create_connection(address, DEADLINE_S, own))

        house.server.gate._limits = Limits(CROWD, CROWD, CROWD)
        for _ in range(CROWD):
            connect(tls.port, STRANGER)
        time.sleep(0.5)
        for port in (house.port, tls.port) * 2:
            phone = connect(port, PHONE)
            if port == tls.port:
                phone = trusted.wrap_socket(phone, server_hostname="127.0.0.1")
                opened.enter_context(phone)
            phone.sendall(f"GET /api/state HTTP/1.1\r\n{HOST}\r\n".encode())
            assert phone.recv(15) == b"HTTP/1.1 200 OK"


def test_the_limits_fit_the_files_that_may_be_open() -> None:
    """The usual limits where there are plenty; where not, no address gets more than half."""
    assert Limits.within(1000) == Limits(MAX_CONNECTIONS, MAX_OF_ADDRESS, MAX_OF_PROXY)
    few = Limits.within(RESERVED_FILES + 30)
    assert few == Limits(30, 15, 22)
