"""The buttons on the table: done, "UNO!" and "it was me" for each seat, undo and pause for all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, get_args

from hardware.contact import Contact
from hardware.debounce import SETTLE_S, WIRE_REMEDY, Chatter, Debouncer
from hardware.device import BadValue
from hardware.facts import Button, Fact, Pressed, Troubled
from hardware.inputs import InputDevice, OnFact

BUTTONS: Final[tuple[Button, ...]] = get_args(Button)
CHATTERS: Final = f"chatters continuously and is treated as released; {WIRE_REMEDY}"


class _Wire:
    """One button's wire: which button of which seat it is, and whether it is held."""

    __slots__ = ("button", "chatter", "debouncer", "name", "raw", "seat", "settle_s")

    def __init__(self, name: str, active: bool, settle_s: float) -> None:
        self.name = name
        self.button, self.seat = parse_button(name)
        self.settle_s = settle_s
        self.raw = active
        self.chatter = Chatter()
        self.debouncer = Debouncer(active, settle_s)

    @property
    def held(self) -> bool:
        """Whether it is certainly held down."""
        return self.debouncer.level and not self.chatter.chattering

    def edge(self, active: bool, at_s: float) -> None:
        """Take note of an edge."""
        self.raw = active
        self.chatter.edge(at_s)
        self.debouncer.edge(active, at_s)

    def due(self, now_s: float) -> Iterator[Fact]:
        """Yield what has happened to the button up to *now_s*."""
        if self.chatter.due(now_s):
            # The level once it is calm is its state, and not a press.
            self.debouncer = Debouncer(self.raw, self.settle_s)
            yield Troubled(self.name, CHATTERS if self.chatter.chattering else "", now_s)
        pressed = self.debouncer.due(now_s) and self.debouncer.level
        if pressed and not self.chatter.chattering:
            yield Pressed(self.button, self.seat, self.debouncer.since_s)


class ButtonDetector:
    """Reports each press once, when the button has been down for *settle_s* seconds.

    A button that is held does not repeat, one that is held at the start was not pressed, and any
    other can be pressed meanwhile.  One that chatters forever is named once, and taken as released
    until it has been calm for a second.
    """

    __slots__ = ("_wires",)

    def __init__(
        self, names: Sequence[str], active: Sequence[bool], settle_s: float = SETTLE_S
    ) -> None:
        """*names*: such as done_0 or undo, one for each contact; raises BadValue for others."""
        self._wires = [
            _Wire(name, level, settle_s) for name, level in zip(names, active, strict=True)
        ]

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the buttons that are down, in the order of the contacts."""
        return tuple(wire.name for wire in self._wires if wire.held)

    @property
    def next_due_s(self) -> float | None:
        """When to query next if no edge comes; None while nothing is about to change."""
        askers = (asker for wire in self._wires for asker in (wire.debouncer, wire.chatter))
        return min(
            (due_s for each in askers if (due_s := each.next_due_s) is not None), default=None
        )

    def edge(self, contact: int, active: bool, at_s: float) -> None:
        """Take note that the button of *contact* is now down or not."""
        self._wires[contact].edge(active, at_s)

    def due(self, now_s: float) -> tuple[Fact, ...]:
        """Return the presses and troubles that are certain by *now_s*."""
        return tuple(fact for wire in self._wires for fact in wire.due(now_s))


class Buttons(InputDevice[tuple[str, ...]]):
    """All buttons; `value` names those that are down, `on_fact` is called with each `Pressed`.

    contacts: by name, such as done_0 (of the first seat), uno_3, undo; active while pressed.
    """

    __slots__ = ("_presses",)

    def __init__(self, contacts: Mapping[str, Contact], on_fact: OnFact | None = None) -> None:
        def detector(active: tuple[bool, ...]) -> ButtonDetector:
            self._presses = ButtonDetector(tuple(contacts), active)
            return self._presses

        super().__init__("buttons", tuple(contacts.values()), detector, on_fact)

    @property
    def value(self) -> tuple[str, ...]:
        """The names of the buttons that are down."""
        return self._presses.held


def parse_button(name: str) -> tuple[Button, int | None]:
    """Return which button *name* is, and of which seat; raises BadValue.

    >>> parse_button("uno_3"), parse_button("undo")
    (('uno', 3), ('undo', None))
    """
    kind, _, seat = name.partition("_")
    for button in BUTTONS:
        everybodys = button in ("undo", "pause")
        if button == kind and (not seat if everybodys else seat.isdecimal()):
            return button, None if everybodys else int(seat)
    raise BadValue(
        f"no button is called {name!r}; the buttons are done_0, uno_0, me_0, undo and so on"
    )
