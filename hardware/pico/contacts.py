"""The contacts at the end of a Pico's wires, and what its events make of them."""

from collections.abc import Callable, Container
from threading import RLock
from typing import TYPE_CHECKING, Final

from hardware.contact import notify
from hardware.device import HardwareError, NoSuchAttribute
from hardware.pico.session import Greeted, Happening, Hello, Keyed, Settled, Turned
from hardware.pins import PICO, PinPlan, Role

if TYPE_CHECKING:
    from hardware.contact import Changed

SLACK_S: Final = 0.15
"""So far beyond the last answer the clock goes on: an answer is due every 0.1 s."""


class PicoContact:
    """One wire of a Pico as a `Contact`; the link's thread calls its listener.

    pin: the GP number.  active_low: active while the pin is tied to ground.
    It stands inactive until a Pico says otherwise, and as it was last while none is there.  Of an
    encoder, whose steps the Pico counts, only *when_moved* of the first wire is called.
    """

    __slots__ = (
        "__weakref__", "_active", "_active_low", "_let_go", "_lock", "_lost", "_pin",
        "when_changed", "when_moved",
    )  # fmt: skip

    def __init__(
        self, pin: int, *, active_low: bool, lock: RLock, let_go: Callable[["PicoContact"], None]
    ) -> None:
        self.when_changed: Changed | None = None
        self.when_moved: Callable[[int, float], None] | None = None
        self._pin = pin
        self._active = False
        self._active_low = active_low
        self._lock = lock
        self._lost = 0
        self._let_go: Callable[[PicoContact], None] | None = let_go

    @property
    def active(self) -> bool:
        """The level now; the last one known once it is closed."""
        # Whoever compares it with the edges that he was told must not look in between.
        with self._lock:
            return self._active

    @property
    def lost(self) -> int:
        """How many edges are known to be missed so far."""
        return self._lost

    @property
    def pin(self) -> int:
        """The GP number."""
        return self._pin

    def close(self) -> None:
        """Let the wire go; may be called twice."""
        with self._lock:
            self.when_changed = self.when_moved = None
            let_go, self._let_go = self._let_go, None
            if let_go:
                let_go(self)

    def put(self, *, closed: bool, at_s: float) -> None:
        """Note that the wire has closed or opened at *at_s*; what is known already is no edge."""
        active = closed == self._active_low
        if active != self._active:
            self._active = active
            notify(self.when_changed, active, at_s)

    def miss(self, edges: int) -> None:
        """Note that *edges* may be missing."""
        self._lost += edges

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise NoSuchAttribute(f"a {type(self).__name__} has no '{name}' that could be set")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        standing = f"active={self._active}" if self._let_go else "closed"
        return f"<PicoContact GP{self._pin} {standing}>"


class Terminals:
    """Where the wires end: hands what a Pico tells to the contacts that are open.

    clock: a steady one, in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._now_s = clock
        self._lock = RLock()
        self._contacts: dict[int, PicoContact] = {}
        self._closed: dict[int, bool] = {}
        self._idol: tuple[int, ...] = ()
        self._position: int | None = None
        self._known_s: float | None = None
        self._lost: int | None = None
        self._met = False

    def open(self, plan: PinPlan, *kinds: str) -> dict[str, PicoContact]:
        """Return a contact for each wire of *plan* of these kinds, by role.

        Raises HardwareError, naming the role, if one is open already; then none stays open.
        """
        opened: dict[str, PicoContact] = {}
        with self._lock:
            for role, pin in plan.named(*kinds):
                try:
                    opened[role.name] = self._open(role, pin.number, plan)
                except HardwareError:
                    for contact in opened.values():
                        contact.close()
                    raise
        return opened

    @property
    def position(self) -> int | None:
        """The idol's position up to which its contacts have been told; None while not known."""
        with self._lock:
            return self._position

    def clock(self) -> float:
        """Return up to when it is known what the contacts did."""
        now_s, known_s = self._now_s(), self._known_s
        return now_s if known_s is None else min(now_s, known_s + SLACK_S)

    def take(self, happening: Happening) -> int:
        """Hand *happening* on; return how many edges the Pico has lost since the last."""
        with self._lock:
            match happening:
                case Keyed(pin, closed, at_s):
                    self._advance_known_time(at_s - SLACK_S)
                    self._put(pin, closed, at_s)
                case Turned(position, at_s):
                    self._advance_known_time(at_s - SLACK_S)
                    self._turn(position, at_s)
                case Settled():
                    return self._settle(happening)
                case Greeted(hello, resumed):
                    self._on_hello(hello, resumed=resumed)
        return 0

    def release(self) -> None:
        """Close all contacts, and let the clock go on."""
        with self._lock:
            for contact in tuple(self._contacts.values()):
                contact.close()
            self._known_s = None

    def _open(self, role: Role, pin: int, plan: PinPlan) -> PicoContact:
        if plan.board is not PICO:
            raise HardwareError(
                f"{role.name}: is planned for the {plan.board.name}, not for a Pico"
            )
        if pin in self._contacts:
            raise HardwareError(
                f"{role.name}: GP{pin} cannot be read: another device of the companion uses it;"
                " give each its own pin"
            )
        contact = PicoContact(pin, active_low=role.active_low, lock=self._lock, let_go=self._let_go)
        if pin in self._closed:
            contact.put(closed=self._closed[pin], at_s=0.0)
        self._contacts[pin] = contact
        return contact

    def _let_go(self, contact: PicoContact) -> None:
        if self._contacts.get(contact.pin) is contact:
            del self._contacts[contact.pin]

    def _advance_known_time(self, until_s: float) -> None:
        if self._known_s is None or until_s > self._known_s:
            self._known_s = until_s

    def _on_hello(self, hello: Hello, *, resumed: bool) -> None:
        if self._met and not resumed:
            self._position = self._lost = None
            self._miss(1, self._contacts)
        self._met = True
        self._idol = hello.idol

    def _settle(self, settled: Settled) -> int:
        at_s = settled.at_s
        known = self._lost is not None
        lost = settled.lost - self._lost if self._lost is not None else 0
        if lost > 0:
            self._miss(lost, settled.closed)
        elif settled.fresh and known:
            self._miss(1, self._contacts)
        # Of what was missed only the end is known.  Nothing that lasts may be made of it: what is
        # released now was released as soon as it can have been.
        early_s = min(self.clock(), at_s) if settled.fresh or lost > 0 else at_s
        for pin, closed in settled.closed.items():
            contact = self._contacts.get(pin)
            ends = contact is not None and contact.active
            self._put(pin, closed, early_s if ends else at_s)
        self._turn(settled.position, at_s)
        self._lost = settled.lost
        self._advance_known_time(at_s)
        return lost

    def _miss(self, edges: int, pins: Container[int]) -> None:
        for pin, contact in self._contacts.items():
            if pin in pins:
                contact.miss(edges)

    def _put(self, pin: int, closed: bool, at_s: float) -> None:
        self._closed[pin] = closed
        if contact := self._contacts.get(pin):
            contact.put(closed=closed, at_s=at_s)

    def _turn(self, position: int, at_s: float) -> None:
        """Hand on the steps since the last position; the Pico says when the last was made."""
        before, self._position = self._position, position
        contact = self._contacts.get(self._idol[0]) if self._idol else None
        if contact and before is not None and position != before:
            notify(contact.when_moved, position - before, at_s)
