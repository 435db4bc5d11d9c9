"""Bytes that are no HTTP, or barely: the real server answers 4xx or hangs up, and goes on."""

import socket
from contextlib import closing
from typing import Final

import httpx
import pytest

from tests.tables import sit_down
from tests.web.fuzzing import errors_logged
from tests.web.serving import Served, served

HOST: Final = b"Host: 127.0.0.1\r\n"
FORM: Final = b"Content-Type: application/x-www-form-urlencoded\r\n"
TLS: Final = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
"""What a browser sends first that tries https."""
BAD: Final = (
    b"\r\n\r\n",
    b"\x00\x01\x02\x03\r\n\r\n",
    TLS,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: [\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"No colon\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b": no name\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: a\x00b\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 100_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET no-slash HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET //[ HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /%ff%00%0d%0a HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /static/%00 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /static/..%2f..%2fkeys.py HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /desk/correct/" + b"9" * 4301 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
    b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST /enter HTTP/1.1\r\n" + HOST + FORM + b"Content-Length: -1\r\n\r\n",
    b"POST /enter HTTP/1.1\r\n" + HOST + FORM + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST /enter HTTP/1.1\r\n" + HOST + FORM + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b"POST /join/x HTTP/1.1\r\n" + HOST + FORM + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n",
    b"POST /join/x HTTP/1.1\r\n" + HOST + FORM + b"Transfer-Encoding: gzip\r\n\r\nxyz",
    b"POST /join/x HTTP/1.1\r\n" + HOST + b"Expect: nothing\r\nContent-Length: 3\r\n\r\nabc",
    b"GET /live HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n",
)
CUT: Final = (
    b"GET / HT",
    b"GET / HTTP/1.1\r\n" + HOST,
    b"POST /join/x HTTP/1.1\r\n" + HOST + FORM + b"Content-Length: 9\r\n\r\nabc",
    b"POST /join/x HTTP/1.1\r\n" + HOST + FORM + b"Transfer-Encoding: chunked\r\n\r\n3\r\nab",
)
"""Requests in whose middle the phone leaves."""


def sent(house: Served, data: bytes) -> bytes:
    """Return what comes back for *data* until the server hangs up, or for a moment."""
    with closing(socket.create_connection(("127.0.0.1", house.port), timeout=60.0)) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        found = b""
        try:
            while piece := line.recv(65_536):
                found += piece
        except ConnectionResetError:
            pass
        return found


def test_malformed_requests_are_answered_and_logged_without_a_traceback() -> None:
    """Each gets 4xx, a page that everybody may see, or nothing; then the page is there as ever."""
    with served(sit_down) as house, errors_logged() as errors:
        for data in BAD:
            answer = sent(house, data)
            status = answer.split(b" ", 2)[1:2] or [b""]
            assert status[0][:1] in (b"", b"2", b"4"), (data[:60], answer[:60])
            assert b"Traceback" not in answer
            assert not errors, data[:60]
        for data in CUT:
            assert b"HTTP/1.1 5" not in sent(house, data)
            assert not errors, data
        assert httpx.get(house.url).status_code == 200


def test_who_types_https_is_named_once_with_what_to_open(caplog: pytest.LogCaptureFixture) -> None:
    """A browser tries again and again; the journal says it once, and whom it is about."""
    with served(sit_down) as house:
        for _ in range(3):
            assert sent(house, TLS) == b""
        assert httpx.get(house.url).status_code == 200
        (line,) = caplog.messages
        assert line.startswith("127.0.0.1 tries https://, which is not answered there; open")
        assert line.endswith(f" http://127.0.0.1:{house.port} on it")


@pytest.mark.parametrize("status", [400, 421])
def test_the_usual_answers(status: int) -> None:
    """What is no HTTP is answered by the server, what has a foreign name by the companion."""
    bad = b"GET\r\n\r\n" if status == 400 else b"GET / HTTP/1.1\r\nHost: [\r\n\r\n"
    with served(sit_down) as house:
        assert sent(house, bad).startswith(f"HTTP/1.1 {status} ".encode())
