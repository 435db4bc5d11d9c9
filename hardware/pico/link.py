"""The link to the Pico: one thread that finds it, talks with it, and finds it again."""

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from threading import Condition, Event, Lock, Thread
from typing import Final, Self

from firmware.wire import LIGHTS_PER_FRAME, USUAL_ORDER
from hardware.contact import Contact
from hardware.device import Closeable, HardwareError
from hardware.facts import Troubled
from hardware.lights import Strip
from hardware.momentum import Backlog
from hardware.output_worker import OnTrouble, ignore_trouble
from hardware.pico import troubles
from hardware.pico.contacts import Terminals
from hardware.pico.ports import (
    ListPorts,
    NoPico,
    Port,
    PortLost,
    find_nodes,
    list_ports,
    programs_at,
    taken,
)
from hardware.pico.session import PATIENCE, Command, Greeted, Hello, Session
from hardware.pins import PinPlan

NAME: Final = "pico"
PAUSES_S: Final = (0.2, 2.0)
"""From one try to the next, at first and at last."""
ANSWER_S: Final = 2.5
FIRST_S: Final = 1.5
"""How long contacts wait for the Pico's first answer, so that they stand right from the start."""
FIRST_NUMBERS: Final = range(1, 1_000_000)
_log: Final = logging.getLogger(__name__)


class LinkLost(HardwareError, ConnectionError):
    """The Pico is not there, or went away before it had answered."""


class Refused(HardwareError):
    """The Pico will not do what it was told."""


class PicoLink(Closeable):
    """The wires that end at a Pico, and its lights; `hardware.wires.Wires`.

    plan: the wires that it should have.  lights: how many it should have; 0 if none are its own.
    port: its serial port; "" looks for it.
    on_trouble: called with each new trouble, and with "" when it is over, from the link's thread.
    on_connected: called from that thread whenever the Pico has answered anew, so that what it
        should show can be shown again; they must return at once.

    It may be started before the Pico is plugged in, and outlives every unplugging: contacts stand
    still meanwhile, and so does their clock.
    """

    backlog: Final = Backlog(wait_s=0)

    def __init__(
        self,
        plan: PinPlan,
        port: str = "",
        on_trouble: OnTrouble = ignore_trouble,
        *,
        lights: int = 0,
        list_ports: ListPorts = list_ports,
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:
        self.on_connected: list[Callable[[], None]] = []
        self._plan = plan
        self._lights = lights
        self._port = port
        self._on_trouble = on_trouble
        self._list_ports = list_ports
        self._pauses_s = pauses_s
        self._trouble = ""
        self._terminals = Terminals(time.monotonic)
        self._session = Session(random.choice(FIRST_NUMBERS))  # noqa: S311 - no secret
        self._watch = troubles.Watch()
        self._wiring = ""
        self._order = ""  # as the Pico was told it, if it was since it was greeted
        self._changed = Condition()
        self._opened: Port | None = None
        self._connected = False
        self._tried = False
        self._command: Command | None = None
        self._commanding = Lock()
        self._closing = Event()
        self._thread: Thread | None = None

    @property
    def trouble(self) -> str:
        """What is wrong, in one line with the remedy; "" while it works."""
        return self._trouble

    @property
    def hello(self) -> Hello | None:
        """What the Pico says of itself; None while none is there."""
        return self._session.hello if self._connected else None

    @property
    def position(self) -> int | None:
        """What the Pico has counted of the idol's steps since its start; None while not known.

        All steps up to it have been handed on to the idol's contacts.
        """
        return self._terminals.position

    def start(self) -> None:
        """Begin to look for the Pico; raises HardwareError if it was started already."""
        if self._thread is not None:
            raise HardwareError("this link was started already; close it and make a new one")
        self._thread = Thread(target=self._work, name=NAME, daemon=True)
        self._thread.start()

    def open(self, plan: PinPlan, *kinds: str) -> dict[str, Contact]:
        """Return a contact for each wire of *plan* of these kinds, by role.

        If the Pico is there they stand as its wires do; if not, at rest until it is.
        Raises HardwareError, naming the role, if one is open already; then none stays open.
        """
        if self._closing.is_set():
            raise HardwareError("the link to the Pico is closed; make a new one")
        if self._thread is not None:
            with self._changed:
                self._changed.wait_for(lambda: self._tried, FIRST_S)
        return dict(self._terminals.open(plan, *kinds))

    def clock(self) -> float:
        """Return up to when it is known what the contacts did, in seconds of time.monotonic."""
        return self._terminals.clock()

    def show_lights(self, colours: Strip, order: str = USUAL_ORDER) -> None:
        """Show *colours*, first light first; returns when they are shown.

        order: in which the lights take their colours; see `StripConfig`.
        Raises LinkLost if the Pico is not there, Refused if it has no such lights.
        """
        with self._commanding:
            self._tell_order(order)
            for first in range(0, len(colours), LIGHTS_PER_FRAME):
                some = colours[first : first + LIGHTS_PER_FRAME]
                self._do("light", first, bytes(chain.from_iterable(some)).hex().upper())
            self._do("show")

    def _tell_order(self, order: str) -> None:
        if order == self._order:
            return
        self._order = order  # before it is told: a greeting meanwhile takes it back
        try:
            self._do("order", order)
        except LinkLost:
            self._order = ""
            raise
        except Refused:
            if order != USUAL_ORDER:  # firmware 1 knows no other, nor the word
                self._order = ""
                raise

    def close(self) -> None:
        """Let contacts and port go; may be called twice."""
        self._closing.set()
        self._wake()
        if self._thread is not None:
            self._thread.join()
        self._terminals.release()

    def __enter__(self) -> Self:
        self.start()
        return self

    def _do(self, word: str, *fields: int | str) -> None:
        command = Command(word, fields)
        with self._changed:
            if not self._connected:
                raise LinkLost(self._trouble or "the Pico is not there")
            self._command = command
        self._wake()
        if not command.answered.wait(ANSWER_S) or command.refusal is None:
            raise LinkLost(f"the Pico did not answer '{word}'")
        if command.refusal:
            raise Refused(f"the Pico refuses '{word}', {command.refusal}: {troubles.UPDATE}")

    def _wake(self) -> None:
        with self._changed:
            if self._opened is not None:
                self._opened.wake()

    def _work(self) -> None:
        pause_s = self._pauses_s[0]
        while not self._closing.is_set():
            answered = False
            try:
                answered = self._try_all()
            except NoPico as error:
                self._tell(str(error))
            except Exception as error:  # noqa: BLE001 - whatever it is, the table goes on
                _log.exception("the link to the Pico fails")
                self._tell(f"the link to the Pico fails: {error}; restart the companion")
            self._report_tried()
            pause_s = self._pauses_s[0] if answered else min(2 * pause_s, self._pauses_s[1])
            self._closing.wait(pause_s)

    def _try_all(self) -> bool:
        """Talk with whoever answers, until it is gone; return whether anyone did.

        Raises NoPico if it is not there, or somebody else has it.
        """
        nodes = [self._port] if self._port else find_nodes(self._list_ports())
        failures: list[NoPico] = []
        for node in nodes:
            try:
                with self._open(node) as port:
                    if self._closing.is_set() or self._talk(node, port):
                        return True
            except NoPico as error:
                failures.append(error)
        if failures:
            raise failures[0]
        if trouble := self._watch.restarts(time.monotonic()):
            raise NoPico(trouble)
        return False

    @contextmanager
    def _open(self, node: str) -> Iterator[Port]:
        port = Port(node)
        with self._changed:
            self._opened = port
        try:
            yield port
        finally:
            self._disconnect()
            with self._changed:
                self._opened = None
            port.close()

    def _talk(self, node: str, port: Port) -> bool:
        """Talk until the Pico is gone; return whether it was one, raise NoPico if it was not."""
        session = self._session
        now_s = time.monotonic()
        session.connect(now_s)
        met = False
        try:
            while not self._closing.is_set():
                self._hand_over()
                said = session.due(now_s)
                stuck = bool(said) and not port.write(said)
                data = port.read()
                now_s = time.monotonic()
                met = self._receive(data, now_s) or met
                if stuck or session.greetings > PATIENCE:
                    raise NoPico(self._explain_silence(node, met=met))
        except PortLost:
            if not met:  # it was pulled, or died before it could answer
                self._watch.started(time.monotonic())
        return met

    def _explain_silence(self, node: str, *, met: bool) -> str:
        if met:
            return troubles.silent(node)
        if programs := programs_at(node):
            return taken(node, programs)
        return troubles.deaf(node, rubbish=self._session.rubbish > 0)

    def _receive(self, data: bytes, now_s: float) -> bool:
        """Take *data*; return whether the Pico was greeted by it."""
        session, met = self._session, False
        for happening in session.receive(data, now_s):
            if isinstance(happening, Greeted):
                met = True
                self._greeted(happening, now_s)
            lost = self._terminals.take(happening)
            if lost > 0:
                self._watch.forgot(lost, now_s)
        if session.greeted and session.based:
            if not self._connected:
                self._connect()
            watch = self._watch
            self._tell(watch.restarts(now_s) or self._wiring or watch.losses(now_s))
        return met

    def _greeted(self, greeted: Greeted, now_s: float) -> None:
        hello = greeted.hello
        if not greeted.resumed:
            self._watch.started(now_s, hello.reason)
        if not self._session.greeted:
            raise NoPico(troubles.foreign(hello))
        self._order = ""
        self._wiring = troubles.other_wiring(hello, self._plan, self._lights)
        if self._connected:  # its lights may be out
            self._call_connected()

    def _connect(self) -> None:
        with self._changed:
            self._connected = True
        self._report_tried()
        self._call_connected()

    def _disconnect(self) -> None:
        with self._changed:
            self._connected = False
            command, self._command = self._command, None
        if command:
            command.answered.set()

    def _call_connected(self) -> None:
        for listener in tuple(self.on_connected):
            try:
                listener()
            except Exception as error:  # noqa: BLE001 - a listener's fault must not cost the link
                _log.error("a listener failed when the Pico was back: %s", error)

    def _hand_over(self) -> None:
        with self._changed:
            command = self._command
        if command and not command.numbers:
            self._session.command(command)

    def _report_tried(self) -> None:
        with self._changed:
            self._tried = True
            self._changed.notify_all()

    def _tell(self, trouble: str) -> None:
        trouble = trouble and (self._watch.restarts(time.monotonic()) or trouble)
        if trouble == self._trouble:
            return
        self._trouble = trouble
        try:
            self._on_trouble(Troubled(NAME, trouble, time.monotonic()))
        except Exception as error:  # noqa: BLE001 - a listener's fault must not cost the link
            _log.error("a listener failed on the Pico's trouble: %s", error)
