"""The tower's tilt: ball switches below the board, and what they show of the tower.

A ball switch such as the SW-520D is a can with a ball in it.  Standing on its pins it conducts
(below 10 ohms); tilted by 15 to 45 degrees, all sold under one name, the ball leaves the pins and
it does not (above 10 megohms).  Its datasheets promise some 100,000 operations and say nothing of
bounce.  Mount every switch upright below the board, so that it lets go only beyond the lean from
which the board cannot come back.  One switch will do; three outvote a broken one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.contact import Contact
from hardware.debounce import WIRE_REMEDY, Chatter, ChatterFigures
from hardware.facts import Fact, Tower, TowerMoved, Troubled
from hardware.inputs import InputDevice, OnFact

CHATTER: Final = ChatterFigures(rate_hz=400, for_s=10.0)
"""A ball rattles with the table: children who drum make some 200 edges a second, and get tired."""
CHATTERS: Final = f"chatters continuously and is ignored; {WIRE_REMEDY}"
STUCK: Final = (
    "reports a tilt that the others do not, and is ignored; set it upright, check its wire"
)
MUTE: Final = "did not move when the tower fell; it may be stuck or shorted: tap it, check its wire"
LIES: Final = (
    "reports that the tower has fallen; set the tower up, or set the switch upright on its pins"
)


@dataclass(frozen=True, slots=True)
class TiltFigures:
    """What distinguishes a tower's movements; all times in seconds.

    topple_s: tilted for so long without a break, it has fallen.  Nothing else does that: a ball
        thrown by a knock is back within 0.25 s (80 ms aloft in a can of 8 mm, some 160 ms to roll
        home), a board that sways past the switch's angle and returns seldom stays for 0.5 s.
    lean_s: tilted for so long without a break, it leans.
    knock_s, knock_edges: so many edges of one switch within so short a time, out of an upright
        rest of *upright_s*, are the rattle of a table that was hit.
    decide_s: after so long a movement is reported as a wobble, with or without a knock.
    still_s: without an edge for so long, it stands still.  stand_s: the same after a topple.
    stuck_s: one switch tilted for so long, against the others, is broken.
    quorum: how many switches must agree; 0 takes half of those that can be trusted, rounded up.
    """

    topple_s: float = 0.6
    lean_s: float = 0.15
    knock_s: float = 0.12
    knock_edges: int = 6
    upright_s: float = 0.05
    decide_s: float = 0.12
    still_s: float = 0.6
    stand_s: float = 1.0
    stuck_s: float = 15.0
    quorum: int = 0


class _Switch:
    """One ball switch: how it stands, since when, and whether it can be trusted.

    moved: whether it has changed since the tower was last still.
    trouble: "" if there is none.  trusted: whether it may vote all the same.
    """

    __slots__ = (
        "_figures", "_run", "_run_since_s", "active", "chatter", "moved", "name", "since_s",
        "trouble", "trusted",
    )  # fmt: skip

    def __init__(self, name: str, active: bool, figures: TiltFigures) -> None:
        self.name = name
        self.active = active
        self.since_s = -math.inf
        self.chatter = Chatter(CHATTER)
        self.moved = False
        self.trouble = ""
        self.trusted = True
        self._figures = figures
        self._run = 0
        self._run_since_s = -math.inf

    def edge(self, active: bool, at_s: float) -> bool:
        """Take note of a change; return whether it makes a knock's rattle."""
        if active and at_s - self.since_s >= self._figures.upright_s:
            self._run = 0
            self._run_since_s = at_s
        self.active = active
        self.since_s = at_s
        self.moved = True
        self._run += 1
        fast = at_s - self._run_since_s <= self._figures.knock_s
        return fast and self._run == self._figures.knock_edges

    def examine(self, now_s: float, *, alone: bool) -> bool:
        """Return whether its `trouble` is another than before; *alone*: the others stand."""
        before = self.trouble
        self.chatter.due(now_s)
        if self.since_s == -math.inf:
            self.since_s = now_s
        if self.chatter.chattering:
            self.trouble = CHATTERS
        elif before == CHATTERS:
            self.trouble, self.since_s = "", now_s  # what it reported in between is ignored
        elif before == MUTE:
            self.trouble = "" if self.moved else MUTE
        elif before == STUCK:
            self.trouble = STUCK if self.active else ""
        elif alone and self.active and now_s - self.since_s >= self._figures.stuck_s:
            self.trouble = STUCK
        self.trusted = self.trouble in ("", MUTE)
        return self.trouble != before


class TiltDetector:
    """Tells still, wobble, lean and topple apart, by the edges of one or several ball switches.

    state: what the tower does, as of the last time it was asked.
    A movement begins with the first edge and lasts until the tower stands still; within it the
    state only ever gets worse, and each is told once, but for a wobble that turns out to be a
    knock.  A topple is told *topple_s* after the board has come to rest beyond the switches'
    angle, and never again until it stands.  A tower that lies at the start is named as trouble: it
    has not toppled, for nobody saw it fall.  A switch that chatters, stands out, or missed
    a fall is named too; the first two are ignored until they work again.
    """

    __slots__ = (
        "_began_s",
        "_blind",
        "_edge_s",
        "_fallen_reported",
        "_figures",
        "_knock_reported",
        "_knocked",
        "_lies",
        "_name",
        "_switches",
        "_tilted_s",
        "_watch_s",
        "state",
    )  # fmt: skip

    def __init__(
        self, active: Sequence[bool], figures: TiltFigures | None = None, name: str = "tilt"
    ) -> None:
        """*active*: which switches are tilted now; *name*: they are called name_0 and so on."""
        self._figures = figures or TiltFigures()
        self._name = name
        self._switches = [
            _Switch(f"{name}_{number}", tilted, self._figures)
            for number, tilted in enumerate(active)
        ]
        self._began_s = math.inf
        self._edge_s = -math.inf
        self._knocked = self._knock_reported = False
        self._fallen_reported = False
        self._tilted_s = math.inf
        self._count()
        self._lies = self._tilted_s < math.inf
        self.state: Tower = "topple" if self._lies else "still"

    @property
    def next_due_s(self) -> float | None:
        """When to query next if no edge comes; None while waiting changes nothing."""
        next_s = self._watch_s
        if self.state == "topple":
            next_s = min(next_s, self._still_at_s(self._figures.stand_s))
        elif self._began_s < math.inf:
            wait_s = self._figures.topple_s if self.state == "lean" else self._figures.lean_s
            next_s = min(next_s, self._tilted_s + wait_s, self._still_at_s(self._figures.still_s))
            if self.state == "still":
                next_s = min(next_s, self._began_s + self._figures.decide_s)
        return next_s if next_s < math.inf else None

    def edge(self, contact: int, active: bool, at_s: float) -> None:
        """Take note that switch *contact* is now tilted or not; a repeated level is no change."""
        switch = self._switches[contact]
        switch.chatter.edge(at_s)
        if active == switch.active:
            return
        if self._began_s == math.inf and self.state == "still" and switch.trusted:
            self._begin(at_s)
        knocked = switch.edge(active, at_s)
        if switch.trusted:
            self._edge_s = at_s
            self._knocked |= knocked
            self._count()

    def due(self, now_s: float) -> tuple[Fact, ...]:
        """Return what the tower did by *now_s*, and which switches went wrong or came back."""
        return (*self._inspect(now_s), *self._judge(now_s))

    def tilted_for_s(self, now_s: float) -> float:
        """Return for how long enough switches have been tilted without a break."""
        return max(now_s - self._tilted_s, 0.0)

    def _begin(self, at_s: float) -> None:
        self._began_s = at_s
        self._knocked = self._knock_reported = False
        for switch in self._switches:
            switch.moved = False

    def _inspect(self, now_s: float) -> Iterator[Fact]:
        if self._lies != self._fallen_reported:
            self._fallen_reported = self._lies
            yield Troubled(self._name, LIES if self._lies else "", now_s)
        alone = self._tilted_s == math.inf
        for switch in self._switches:
            if switch.examine(now_s, alone=alone):
                # One that comes back tilted may have missed a fall, which begins for it now.
                if switch.active and switch.trusted and self._began_s == math.inf:
                    self._begin(now_s)
                yield Troubled(switch.name, switch.trouble, now_s)
        self._count()

    def _judge(self, now_s: float) -> Iterator[Fact]:
        if self.state == "topple":
            if self._still_at_s(self._figures.stand_s) <= now_s:
                yield from self._return_to_still(now_s)
            return
        if self.state == "still" and self._began_s + self._figures.decide_s <= now_s:
            yield self._report("wobble", self._began_s, knocked=self._knocked)
        elif self.state == "wobble" and self._knocked and not self._knock_reported:
            yield self._report("wobble", self._edge_s, knocked=True)
        if self.state != "lean" and self._tilted_s + self._figures.lean_s <= now_s:
            yield self._report("lean", self._tilted_s)
        if self._tilted_s + self._figures.topple_s <= now_s:
            yield self._report("topple", self._tilted_s)
        elif self.state != "still" and self._still_at_s(self._figures.still_s) <= now_s:
            yield from self._return_to_still(now_s)

    def _report(self, state: Tower, at_s: float, *, knocked: bool = False) -> TowerMoved:
        self.state = state
        self._knock_reported |= knocked
        return TowerMoved(state, at_s, knocked)

    def _return_to_still(self, now_s: float) -> Iterator[Fact]:
        if self.state == "topple" and not self._lies:
            for switch in self._switches:
                if switch.trusted and not switch.moved:
                    switch.trouble = MUTE
                    yield Troubled(switch.name, MUTE, now_s)
        self._began_s = math.inf
        self._lies = False
        yield self._report("still", self._edge_s)

    def _count(self) -> None:
        # Since when enough switches are tilted without a break, and when to look at them again.
        trusted, tilted, watch_s = 0, [], math.inf
        for switch in self._switches:
            if switch.trusted:
                trusted += 1
                if switch.active:
                    tilted.append(switch.since_s)
            due_s = switch.chatter.next_due_s
            if due_s is not None and due_s < watch_s:
                watch_s = due_s
        quorum = min(self._figures.quorum or (trusted + 1) // 2, trusted)
        tilted.sort()
        if 0 < quorum <= len(tilted):
            self._tilted_s = tilted[quorum - 1]
        else:
            self._tilted_s = math.inf
            if tilted:
                watch_s = min(watch_s, tilted[0] + self._figures.stuck_s)
        self._watch_s = watch_s
        self._blind = not trusted

    def _still_at_s(self, wait_s: float) -> float:
        upright = self._tilted_s == math.inf and not self._blind
        return self._edge_s + wait_s if upright else math.inf


class TowerTilt(InputDevice[Tower]):
    """The tower on its ball switches; `value` is its state, `on_fact` gets each `TowerMoved`.

    contacts: one for each switch, active while it is tilted (an SW-520D is then an open contact).
    """

    __slots__ = ("_tilt",)

    def __init__(
        self,
        contacts: Sequence[Contact],
        on_fact: OnFact | None = None,
        figures: TiltFigures | None = None,
    ) -> None:
        def detector(active: tuple[bool, ...]) -> TiltDetector:
            self._tilt = TiltDetector(active, figures)
            return self._tilt

        super().__init__("tilt", contacts, detector, on_fact)

    @property
    def value(self) -> Tower:
        """What the tower does."""
        return self._tilt.state
