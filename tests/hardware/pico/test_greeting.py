"""Short talks with what may be a Pico, and what its console says."""

import pytest

from firmware.wire import PROTOCOL
from hardware.pico import greeting
from hardware.pico.console import find_console, listen
from hardware.pico.greeting import ask, first_answer, greet, restart
from hardware.pico.ports import NoPico
from tests.hardware.pico.answering import FAULT, HELLO, answering, pico_as, port
from tests.hardware.pico.refused import assert_one_line


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that answers be given up on a busy machine."""
    monkeypatch.setattr(greeting, "GREET_S", 60.0)


def test_a_pico_says_what_it_is() -> None:
    """Whatever its protocol, and whatever it had said before."""
    for protocol in (PROTOCOL, 99):
        with answering(pico_as(protocol), says=b"$7 key 0 1\n\xff\xfe garbage\n") as node:
            hello, now, events = ask(node)
        assert (hello.protocol, hello.board, hello.keys) == (protocol, HELLO[1], (5, 8))
        if protocol == PROTOCOL:
            assert now
            assert (now.closed, now.position, now.lost) == ({5: False, 8: True}, -30, 1)
            assert events == 7
        else:
            assert (now, events) == (None, 0)


def test_another_device_is_no_pico(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silent, an echo, or a talker: in one line, with the remedy."""
    monkeypatch.setattr(greeting, "GREET_S", 0.2)
    for answer in (lambda _: b"", lambda said: said, lambda _: b"ok\r\n" * 99):
        with answering(answer) as node, pytest.raises(NoPico) as refused:
            greet(node)
        assert_one_line(refused.value, node, "does not answer as our Pico does", "pico install")


def test_a_device_that_goes_while_it_is_asked_is_named() -> None:
    """So is one that was never there."""
    with answering(lambda _: None) as node, pytest.raises(NoPico) as refused:
        greet(node)
    assert_one_line(refused.value, node)
    with pytest.raises(NoPico, match="nothing is plugged in"):
        greet("/dev/no-such-port")


def test_of_several_ports_the_one_that_answers_is_taken() -> None:
    """Where nobody tells the console's from the data's; if none does, the first says why."""
    with answering(lambda _: None) as leaving, answering(pico_as(PROTOCOL)) as node:
        assert first_answer([leaving, node])[0] == node
        with pytest.raises(NoPico, match=leaving):
            first_answer([leaving, "/dev/no-such-port"])


def test_a_pico_of_another_protocol_is_told_nothing_more() -> None:
    """Not even to restart."""
    with answering(pico_as(99)) as node, pytest.raises(NoPico, match="speaks protocol 99"):
        restart(lambda: [node])


def test_a_pico_that_does_not_come_back_is_named() -> None:
    """It answers on, and has not restarted: the boot is the same."""
    with (
        answering(pico_as(PROTOCOL)) as node,
        pytest.raises(NoPico, match="has not come back within"),
    ):
        restart(lambda: [node], within_s=0.5)


def test_the_console_is_the_first_interface_of_the_one_pico() -> None:
    """Not the data's, and none if there are two Picos or nobody tells."""
    console, data = (
        port("/dev/a", "CircuitPython CDC control"),
        port("/dev/b", "CircuitPython CDC2"),
    )
    assert find_console([console, data]) == "/dev/a"
    assert find_console([data]) == ""
    assert find_console([port("/dev/a", None)]) == ""
    assert find_console([console, console]) == ""


def test_the_console_tells_why_a_program_has_stopped() -> None:
    """Its last lines, without what a terminal would take for a command."""
    with answering(lambda _: b"", says=FAULT) as node:
        *_, where, why = listen(node)
    assert where == 'File "code.py", line 12, in <module>'
    assert why.endswith("RuntimeError: there is no data port")
    assert why.isprintable()


def test_a_console_that_says_nothing_is_not_awaited_for_long() -> None:
    """Nor one that is not there."""
    with answering(lambda _: b"") as node:
        assert listen(node, 0.2) == ()
    assert listen("/dev/no-such-port") == ()
