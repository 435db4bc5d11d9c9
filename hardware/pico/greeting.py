"""A short talk with a Pico: what it is and what is wired to it, and a restart."""

import secrets
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from firmware.wire import PROTOCOL
from hardware.pico.ports import NoPico, find_nodes, list_ports, open_port
from hardware.pico.session import Command, Hello, Session, Settled

GREET_S: Final = 2.0
BACK_S: Final = 20.0
"""A Pico that restarts is back after some 3 s; a slow computer takes longer to notice."""
_POLL_S: Final = 0.3
_FIRST: Final = 1 << 30


class Answer(NamedTuple):
    """What a Pico says of itself.

    now: how its wires stand, None if it speaks another protocol.  events: how often contacts and
    idol have moved since its start.
    """

    hello: Hello
    now: Settled | None
    events: int


def find_ports(port: str = "") -> list[str]:
    """Return the nodes at which the Pico may be, *port* alone if that is set; raises NoPico."""
    return [port] if port else find_nodes(list_ports())


def greet(node: str) -> Hello:
    """Return what the Pico at *node* says of itself; raises NoPico if it does not."""
    return ask(node).hello


def ask(node: str) -> Answer:
    """Return what the Pico at *node* says of itself and of its wires; raises NoPico."""
    return _talk(node)


def restart(
    find: Callable[[], Sequence[str]],
    sleep: Callable[[float], None] = time.sleep,
    within_s: float = BACK_S,
) -> Hello:
    """Restart the Pico at one of the nodes that *find* returns, and return its next hello.

    sleep: waits for some seconds.  Raises NoPico if it does not answer, or does not come back.
    """
    _, (before, _, _) = first_answer(find(), lambda node: _talk(node, Command("restart")))
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        sleep(_POLL_S)
        try:
            _, (after, _, _) = first_answer(find())
        except NoPico:
            continue
        if after.boot != before.boot:
            return after
    raise NoPico(
        f"the Pico was restarted and has not come back within {within_s:g} s: unplug it and plug it"
        " in again"
    )


def first_answer(nodes: Sequence[str], talk: Callable[[str], Answer] = ask) -> tuple[str, Answer]:
    """Return the first of *nodes* at which a Pico answers, and its answer.

    Raises NoPico, the first one's, if there is none.
    """
    refusals = []
    for node in nodes:
        try:
            return node, talk(node)
        except NoPico as error:
            refusals.append(error)
    raise refusals[0]


def _talk(node: str, command: Command | None = None) -> Answer:
    session = Session(secrets.randbelow(_FIRST) + 1)
    now: Settled | None = None
    with closing(open_port(node)) as port:
        session.connect(time.monotonic())
        end_s = time.monotonic() + GREET_S
        try:
            while time.monotonic() < end_s:
                now = _exchange(port, session) or now
                hello = session.hello
                if hello is None:
                    continue
                if hello.protocol != PROTOCOL:
                    if command:
                        raise NoPico(f"{node} speaks protocol {hello.protocol}, not {PROTOCOL}")
                    return Answer(hello, None, 0)
                if command and not command.numbers:
                    session.command(command)
                if command.answered.is_set() if command else now:
                    return Answer(hello, now, session.taken)
        except (OSError, termios.error) as error:  # pyserial's are OSErrors
            raise NoPico(f"{node} is gone ({error}): plug the Pico in again") from None
    raise NoPico(
        f"{node} does not answer as our Pico does: ./run pico install puts the firmware onto it;"
        " then unplug it and plug it in again"
    )


def _exchange(port: Any, session: Session) -> Settled | None:
    """Say what is due, and return how the wires stand if that was told."""
    said = session.due(time.monotonic())
    if said:
        port.write(said)
    data = port.read(max(1, port.in_waiting))
    now = None
    for happening in session.receive(data, time.monotonic()):
        if isinstance(happening, Settled):
            now = happening
    return now
