"""The protocol's end on the Pi: whatever the cable does, events come exactly once and in order."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from firmware.wire import encode
from hardware.pico.session import (
    LATE_S,
    PATIENCE,
    Command,
    Greeted,
    Happening,
    Keyed,
    Session,
    Settled,
    Turned,
)
from tests.hardware.pico.model_pico import KEYS, ModelPico

ONE_WAY_S = 0.001


class Cable:
    """A session and a Pico, and the bytes between them, which a test may hurt.

    happened: what the session has told since it was made.  given_up: how often it went on without
    events that it knew to be missing.
    """

    def __init__(self, pico: ModelPico | None = None, session: Session | None = None) -> None:
        self.pico = pico or ModelPico()
        self.picos = {self.pico.boot: self.pico}
        self.now_s = 100.0
        self.to_pi = self.to_pico = b""
        self.plug_in(session or Session(7))

    def plug_in(self, session: Session) -> None:
        """Begin anew with *session*."""
        self.session = session
        self.happened: list[Happening] = []
        self.taken = -1
        self.given_up = 0
        session.connect(self.now_s)

    def cut(self) -> None:
        """Pull the cable and plug it in again: what was under way is gone."""
        self.to_pi = self.to_pico = b""
        self.pico.unplugged()
        self.session.connect(self.now_s)

    def pass_on(self, to_pico: int | None = None, to_pi: int | None = None) -> None:
        """Let both say what they have to say, and so many bytes of it arrive, all if None."""
        self.to_pico += self.session.due(self.now_s)
        heard, self.to_pico = _split(self.to_pico, to_pico)
        self.now_s += ONE_WAY_S
        self.pico.hear(heard, self.now_s)
        self.to_pi += self.pico.say(self.now_s)
        heard, self.to_pi = _split(self.to_pi, to_pi)
        self.now_s += ONE_WAY_S
        for happening in self.session.receive(heard, self.now_s):
            self._check(happening)
            self.happened.append(happening)

    def run(self, for_s: float) -> None:
        """Let both talk undisturbed for so long."""
        until_s = self.now_s + for_s
        while self.now_s < until_s:
            self.pass_on()
            self.now_s += 0.02

    @property
    def events(self) -> list[Happening]:
        """The events told."""
        return [each for each in self.happened if isinstance(each, Keyed | Turned)]

    def _check(self, happening: Happening) -> None:
        """Hold each event against the Pico's own log, by its number."""
        taken = self.session.taken
        if isinstance(happening, Greeted):
            if not happening.resumed:
                self.taken = -1
        elif isinstance(happening, Settled):
            assert happening.fresh or self.taken >= 0
            if happening.fresh:
                self.given_up += self.taken >= 0
                self.taken = taken
            assert taken == self.taken
        else:
            assert taken == self.taken + 1, "an event was left out, or came twice"
            self.taken = taken
            pico = self.picos[self.session.hello.boot if self.session.hello else ""]
            word, fields = pico.log[taken - 1]
            told = (
                (happening.position,)
                if isinstance(happening, Turned)
                else (KEYS.index(happening.pin), int(happening.closed))
            )
            assert (word, fields[:-1]) == ("turn" if len(told) == 1 else "key", told)
            assert (
                abs(happening.at_s - (fields[-1] / 1e6 - pico.clock_s))
                <= LATE_S / 2 + 2 * ONE_WAY_S
            )


def _split(data: bytes, at: int | None) -> tuple[bytes, bytes]:
    return (data, b"") if at is None else (data[:at], data[at:])


counts = st.integers(0, 60)
places = st.floats(0, 1, exclude_max=True)


class AnyCable(RuleBasedStateMachine):
    """Everything that can happen to a cable, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.cable = Cable()
        self.starts = 0

    @rule(key=st.sampled_from(range(len(KEYS))))
    def move_a_contact(self, key: int) -> None:
        """Let a contact change."""
        self.cable.pico.move(key, self.cable.now_s)

    @rule(steps=st.sampled_from([-3, 1, 40]))
    def turn_the_idol(self, steps: int) -> None:
        """Turn the idol."""
        self.cable.pico.turn(steps, self.cable.now_s)

    @rule(to_pico=counts, to_pi=counts)
    def pass_some(self, to_pico: int, to_pi: int) -> None:
        """Let some bytes arrive, the others later."""
        self.cable.pass_on(to_pico, to_pi)

    @rule()
    def pass_all(self) -> None:
        """Let everything arrive."""
        self.cable.pass_on()

    @rule(for_s=st.sampled_from([0.02, 0.11, 0.6, 30.0]))
    def wait(self, for_s: float) -> None:
        """Let time go by."""
        self.cable.now_s += for_s

    @rule(at=places, bit=st.integers(0, 7))
    def garble(self, at: float, bit: int) -> None:
        """Turn a bit over of what is on its way to the Pi."""
        data = bytearray(self.cable.to_pi)
        if data:
            data[int(at * len(data))] ^= 1 << bit
        self.cable.to_pi = bytes(data)

    @rule(at=places, count=st.integers(1, 80))
    def swallow(self, at: float, count: int) -> None:
        """Lose some of what is on its way, both ways."""
        for way in ("to_pi", "to_pico"):
            data = getattr(self.cable, way)
            place = int(at * len(data))
            setattr(self.cable, way, data[:place] + data[place + count :])

    @rule(at=places, count=st.integers(1, 80))
    def double(self, at: float, count: int) -> None:
        """Let some of what is on its way come twice."""
        data = self.cable.to_pi
        place = int(at * len(data))
        self.cable.to_pi = data[: place + count] + data[place:]

    @rule()
    def cut(self) -> None:
        """Pull the cable, and plug it in."""
        self.cable.cut()

    @rule()
    def restart_the_pi(self) -> None:
        """Begin with a session that knows of nothing."""
        self.cable.cut()
        self.cable.plug_in(Session(int(self.cable.now_s * 1000)))

    @rule(port_goes=st.booleans())
    def restart_the_pico(self, port_goes: bool) -> None:
        """Start it anew; with CircuitPython's soft restart the port stays."""
        self.starts += 1
        self.cable.pico = ModelPico(f"{self.starts:08X}", clock_s=-self.cable.now_s)
        self.cable.picos[self.cable.pico.boot] = self.cable.pico
        self.cable.now_s += 0.6
        if port_goes:
            self.cable.cut()

    def teardown(self) -> None:
        """In the end, left in peace, everything has come and is known."""
        pico = self.cable.pico
        self.cable.run(3.0)
        assert self.cable.taken == len(pico.log)
        assert self.cable.given_up == 0
        settled = [each for each in self.cable.happened if isinstance(each, Settled)]
        assert (settled[-1].closed, settled[-1].position) == (pico.levels, pico.position)


AnyCable.TestCase.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
TestAnyCable = AnyCable.TestCase


def test_the_check_sees_what_is_left_out_and_what_comes_twice() -> None:
    """A session that skips an event, or tells one again, does not pass."""
    for wrong in (2, 0):
        cable = Cable()
        cable.run(0.3)
        for _ in range(3):
            cable.pico.move(0, cable.now_s)
        told = [
            Keyed(KEYS[0], fields[1] == 1, fields[2] / 1e6 - cable.pico.clock_s)
            for _, fields in cable.pico.log
        ]
        cable.session._taken = 1
        cable._check(told[0])
        cable.session._taken = wrong + 1
        with pytest.raises(AssertionError, match="left out, or came twice"):
            cable._check(told[wrong])


def test_what_was_before_is_none_of_its_business() -> None:
    """A session begins with contacts and position as they are, not with their story."""
    pico = ModelPico()
    pico.move(1, 90.0)
    pico.turn(7, 91.0)
    cable = Cable(pico)
    cable.run(0.5)
    assert cable.events == []
    settled = next(each for each in cable.happened if isinstance(each, Settled))
    assert (settled.fresh, settled.closed[KEYS[1]], settled.position) == (True, True, 7)


def test_an_answer_to_somebody_before_is_not_believed() -> None:
    """A greeting's answer that waited in the port has another number, and tells nothing."""
    cable = Cable(session=Session(500))
    stale = ModelPico("DEADBEEF")
    stale.hear(encode(1, "hello", 1), 50.0)
    cable.to_pi = stale.say(50.0)
    cable.run(0.5)
    assert cable.session.hello is not None
    assert cable.session.hello.boot == cable.pico.boot
    assert len([each for each in cable.happened if isinstance(each, Greeted)]) == 1


def test_what_the_pico_has_no_more_is_given_up() -> None:
    """Another program has had events in between: it goes on from the newest, and says so."""
    cable = Cable()
    cable.run(0.3)
    for _ in range(4):
        cable.pico.move(0, cable.now_s)
    cable.pico.forget(3)
    cable.run(2.0)
    assert (cable.given_up, cable.session.taken) == (0, 0)
    cable.run(8.0)
    assert (cable.given_up, cable.session.taken) == (1, 4)
    assert cable.events == []


def test_a_jump_of_the_clock_is_greeted_anew() -> None:
    """A soft restart can be so quick that only the Pico's clock betrays it."""
    cable = Cable()
    cable.run(0.3)
    cable.pico = cable.picos["0000000B"] = ModelPico("0000000B", clock_s=-77.0)
    cable.pico.hear(encode(1, "hello", 1), cable.now_s)
    cable.pico.say(cable.now_s)
    cable.run(0.3)
    assert cable.session.hello is not None
    assert cable.session.hello.boot == "0000000B"


def test_a_pi_that_was_busy_itself_calls_nobody_silent() -> None:
    """Half a minute without listening is no silence; two seconds without an answer are."""
    cable = Cable()
    cable.run(0.3)
    cable.now_s += 30.0
    cable.pass_on()
    assert cable.session.greetings <= 1
    cable.run(0.1)
    assert cable.session.greetings == 0
    began_s = cable.now_s
    while cable.session.greetings <= PATIENCE:
        cable.session.due(cable.now_s)
        cable.now_s += 0.05
    assert 1.9 < cable.now_s - began_s < 2.3


def test_a_command_is_repeated_until_it_is_answered() -> None:
    """Lost on the way, it is said again after half a second; a refusal is told."""
    cable = Cable()
    cable.run(0.3)
    command = Command("show")
    cable.session.command(command)
    cable.to_pico = cable.session.due(cable.now_s)
    assert b" show*" in cable.to_pico
    cable.to_pico = b""
    cable.run(0.4)
    assert not command.answered.is_set()
    cable.run(0.2)
    assert command.answered.is_set()
    assert command.refusal == ""
    assert len(command.numbers) == 2


def test_another_protocol_is_told_and_let_rest() -> None:
    """Neither events nor commands are exchanged with it."""
    cable = Cable(ModelPico(protocol=2))
    cable.pico.move(0, 90.0)
    cable.run(1.0)
    assert not cable.session.greeted
    greeted = [each for each in cable.happened if isinstance(each, Greeted)]
    assert greeted[0].hello.protocol == 2
    assert cable.events == []
