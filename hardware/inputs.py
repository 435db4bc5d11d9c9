"""The base of all sensors: contacts, and a detector that interprets their edges."""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from hardware.contact import Contact
from hardware.device import Device
from hardware.facts import Fact

V = TypeVar("V")
OnFact: TypeAlias = Callable[[Fact], None]

QUIET_S: Final = 0.05
"""After so long without an edge a wire that stands otherwise than its last edge said has lost one;
before, the edge may still be on its way."""


class Edge(NamedTuple):
    """One change of one contact, the first being 0; *at_s* in seconds of a steady clock."""

    contact: int
    active: bool
    at_s: float


class Steps(NamedTuple):
    """Steps of a shaft that were counted elsewhere, clockwise positive, the last at *at_s*."""

    steps: int
    at_s: float


class Detector(Protocol):
    """What edges mean: no thread, no clock and no pins of its own, so a test can hold its time.

    All times are seconds of one steady clock.  No edge is earlier than the one before; one may
    repeat the level that is known already.  `due` is called before every edge beyond
    `next_due_s`, so how late an edge is handed over hardly ever changes what is found.
    """

    @property
    def next_due_s(self) -> float | None:
        """When to query next if no edge comes; None if only an edge can change anything."""

    def edge(self, contact: int, active: bool, at_s: float) -> None:
        """Take note that *contact*, the first being 0, is now active or not."""

    def due(self, now_s: float) -> tuple[Fact, ...]:
        """Return what has been detected by *now_s* and not yet reported, oldest first."""


class InputDevice(Device, Generic[V]):
    """A sensor: `value` is its state, `on_fact` is called with each fact.

    name: what a `Troubled` calls it.
    on_fact: called with each fact; when_changed: called with each new value.  Both are called by
        whoever attends to the device, `hardware.sensors.Sensors` as a rule, never by a pin.
    woken: called from any thread as soon as there is something to attend to.
    A device is a context manager; leaving it closes it and its contacts.
    """

    __slots__ = (
        "_closed",
        "_contacts",
        "_detector",
        "_last_edge_s",
        "_levels",
        "_noted",
        "name",
        "on_fact",
        "when_changed",
        "woken",
    )

    def __init__(
        self,
        name: str,
        contacts: Sequence[Contact],
        detector: Callable[[tuple[bool, ...]], Detector],
        on_fact: OnFact | None = None,
    ) -> None:
        """Listen to *contacts*; *detector* makes the detector, given their levels."""
        self.name = name
        self.on_fact = on_fact
        self.when_changed: Callable[[V], None] | None = None
        self.woken: Callable[[], None] | None = None
        self._closed = False
        self._contacts = tuple(contacts)
        self._noted: deque[Edge | Steps] = deque()
        self._last_edge_s = 0.0
        for number, contact in enumerate(self._contacts):
            contact.when_changed = self._note(number)
        # Read after listening: an edge in between is then received twice, never missed.
        self._levels = [contact.active for contact in self._contacts]
        self._detector = detector(tuple(self._levels))

    @property
    @abstractmethod
    def value(self) -> V:
        """How the sensor stands, as of the last time it was attended to."""

    @property
    def values(self) -> Iterator[V]:
        """`value`, again and again forever."""
        while True:
            yield self.value

    @property
    def lost(self) -> int:
        """How many edges its contacts are known to have missed."""
        return sum(contact.lost for contact in self._contacts)

    @property
    def next_due_s(self) -> float | None:
        """When to attend next though no contact changes; None if there is no need."""
        return None if self._closed else self._detector.next_due_s

    @property
    def closed(self) -> bool:
        """Whether the device has been closed."""
        return self._closed

    def attend(self, now_s: float) -> None:
        """Judge the edges that have come, and report what they mean as of *now_s*.

        Raises whatever the detector or a listener raises; the edges not yet handled stay noted.
        """
        if self._closed:
            return
        before = self.value
        while self._noted:
            self._take(self._noted.popleft())
        if now_s - self._last_edge_s > QUIET_S:
            self._catch_up(now_s)
        self._report(self._detector.due(now_s))
        if self.when_changed and self.value != before:
            self.when_changed(self.value)

    def close(self) -> None:
        """Let all contacts go; may be called twice."""
        self._closed = True
        with ExitStack() as closing:
            for contact in self._contacts:
                closing.callback(contact.close)

    def __repr__(self) -> str:
        standing = "closed" if self._closed else f"value={self.value!r}"
        return f"<{type(self).__name__} {standing}>"

    def _note(self, number: int) -> Callable[[bool, float], None]:
        def note(active: bool, at_s: float) -> None:
            self._noted.append(Edge(number, active, at_s))
            if self.woken:
                self.woken()

        return note

    def _take(self, noted: Edge | Steps) -> None:
        at_s = self._last_edge_s = max(self._last_edge_s, noted.at_s)
        due_s = self._detector.next_due_s
        if due_s is not None and due_s <= at_s:
            self._report(self._detector.due(at_s))
        if isinstance(noted, Edge):
            self._levels[noted.contact] = noted.active
            self._detector.edge(noted.contact, noted.active, at_s)

    def _catch_up(self, now_s: float) -> None:
        for number, contact in enumerate(self._contacts):
            if (active := contact.active) != self._levels[number] and not self._noted:
                self._take(Edge(number, active, now_s))

    def _report(self, facts: tuple[Fact, ...]) -> None:
        if self.on_fact:
            for fact in facts:
                self.on_fact(fact)
