"""Where the pages are served."""

import socket

import pytest

from companion.web.http.server import CannotStart, listen, reach_of


def test_small_answers_do_not_wait_for_each_other() -> None:
    """Nagle's algorithm is switched off by asyncio only for a socket that says it is TCP."""
    with listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_in_use_is_named_with_the_remedy() -> None:
    """One line: which port, and what to do."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert reach_of(listener).here == f"http://127.0.0.1:{port}"
        with pytest.raises(CannotStart, match=f"port {port} on 127.0.0.1 is in use.*--port N"):
            listen("127.0.0.1", port)
