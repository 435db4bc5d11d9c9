"""A short talk with a Pico: what it is and what is wired to it, and a restart."""

import secrets
import termios
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, Final

from firmware.wire import PROTOCOL
from hardware.pico.ports import NoPico, find_nodes, list_ports, open_port
from hardware.pico.session import Command, Hello, Session

GREET_S: Final = 2.0
BACK_S: Final = 20.0
"""A Pico that restarts is back after some 3 s; a slow computer takes longer to notice."""
_POLL_S: Final = 0.3
_FIRST: Final = 1 << 30


def find_port(port: str = "") -> str:
    """Return the node of the Pico, *port* if that is set; raises NoPico."""
    return port or find_nodes(list_ports())[0]


def greet(node: str) -> Hello:
    """Return what the Pico at *node* says of itself; raises NoPico if it does not."""
    return _talk(node)


def restart(
    find: Callable[[], str], sleep: Callable[[float], None] = time.sleep, within_s: float = BACK_S
) -> Hello:
    """Restart the Pico whose node *find* returns, and return what it says then.

    sleep: waits for some seconds.  Raises NoPico if it does not answer, or does not come back.
    """
    before = _talk(find(), Command("restart"))
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        sleep(_POLL_S)
        try:
            after = greet(find())
        except NoPico:
            continue
        if after.boot != before.boot:
            return after
    raise NoPico(
        f"the Pico was restarted and has not come back within {within_s:g} s: unplug it and plug it"
        " in again"
    )


def _talk(node: str, command: Command | None = None) -> Hello:
    session = Session(secrets.randbelow(_FIRST) + 1)
    with closing(open_port(node)) as port:
        session.connect(time.monotonic())
        end_s = time.monotonic() + GREET_S
        try:
            while time.monotonic() < end_s:
                _exchange(port, session)
                hello = session.hello
                if hello and command and not session.greeted:
                    raise NoPico(f"{node} speaks protocol {hello.protocol}, not {PROTOCOL}")
                if hello and command and not command.numbers:
                    session.command(command)
                if hello and (command is None or command.answered.is_set()):
                    return hello
        except (OSError, termios.error) as error:  # pyserial's are OSErrors
            raise NoPico(f"{node} is gone ({error}): plug the Pico in again") from None
    raise NoPico(
        f"{node} does not answer as our Pico does: ./run pico install puts the firmware onto it;"
        " then unplug it and plug it in again"
    )


def _exchange(port: Any, session: Session) -> None:
    said = session.due(time.monotonic())
    if said:
        port.write(said)
    data = port.read(max(1, port.in_waiting))
    for _ in session.receive(data, time.monotonic()):
        pass
