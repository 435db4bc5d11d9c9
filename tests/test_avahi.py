"""The machine's name in the home network, as avahi says it."""

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest

from companion.cli.addresses import print_addresses
from companion.web.http import reach as reaching
from companion.web.http.avahi import local_name
from companion.web.http.own_addresses import OwnAddress
from companion.web.http.reach import Reach


@contextmanager
def avahi(folder: Path, answer: str) -> Iterator[tuple[Path, list[str]]]:
    """Stand in for avahi-daemon 0.8, and give its socket and what it is asked."""
    asked, place = list[str](), folder / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()

        def serve() -> None:
            guest, _ = listener.accept()
            with guest:
                asked.append(guest.recv(1000).decode())
                guest.sendall(answer.encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield place, asked
        thread.join(10.0)


def test_avahi_is_asked_for_the_name_that_it_gives_out(tmp_path: Path) -> None:
    """Another machine may have had the name before."""
    with avahi(tmp_path, "+ 3 0 tiki-2.local\n") as (place, asked):
        assert local_name("192.168.1.5", place) == "tiki-2.local"
    assert asked == ["RESOLVE-ADDRESS 192.168.1.5\n"]


@pytest.mark.parametrize("answer", ["-15 Timeout reached\n", "", "+ 3 0 router.example\n", "+\n"])
def test_what_is_no_name_is_none(tmp_path: Path, answer: str) -> None:
    """A refusal, silence, and the name that a router gives."""
    with avahi(tmp_path, answer) as (place, _):
        assert local_name("192.168.1.5", place) == ""


def test_without_avahi_there_is_none(tmp_path: Path) -> None:
    """Which takes no time."""
    assert local_name("192.168.1.5", tmp_path / "socket") == ""


def test_the_name_is_printed_beside_the_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not in its place: not every phone finds it."""
    monkeypatch.setattr(reaching, "local_name", {"192.168.1.5": "tiki.local"}.get)
    own = OwnAddress("wlan0", ip_address("192.168.1.5"), "Wi-Fi")
    print_addresses(Reach("::", 8321, find=lambda: (own,)), "abc")
    printed = capsys.readouterr().out
    assert "for everybody: http://192.168.1.5:8321\n" in printed
    assert "do not find: http://tiki.local:8321\n" in printed
    print_addresses(Reach(configured="https://tiki.example.org"), "abc")
    assert "by name" not in capsys.readouterr().out.lower()
    assert not sys.stdout.isatty()
