"""The idol's spin detector: from steps to a spin and the seat that it points at."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Final

from hardware.device import BadValue, HardwareError
from hardware.facts import Fact, Spun, Troubled
from hardware.momentum import Backlog, find_gap
from hardware.quadrature import EDGES, INDEX, Quadrature
from hardware.sectors import TURN_DEG, BadSeats, Sectors, turned

PULSES: Final = range(20, 601)
STEP_TOLERANCE: Final = 1 - 1e-9
MAX_REMEMBERED_STEPS: Final = 8192
"""Times of steps that are kept to be looked through at once."""
LOOK: Final = " See where it points and enter the seat, or spin again."
POINT: Final = "Confirm where it points, on the page or by the camera, before the next spin."


class Turning(HardwareError, RuntimeError):
    """The idol has to be at rest for this, and is not."""


@dataclass(frozen=True, slots=True)
class SpinFigures:
    """What is adjustable; the defaults suit an idol of some 100 g on the Pi's header.

    pulses: of the encoder in one revolution, 20 to 600; each has four steps.  On the header take
        20, on a Pico up to 600.
    rest_s: at rest after so long without a step.  A slow idol may need 0.3 s for its last 4.5
        degrees.
    least_deg: who turns the idol by less has touched it, not spun it: no fact is told.
    back_deg: turned back by more it was turned by a hand, and the spin counts from there.
    chatter: so many edges to and fro on one spot are reported as a loose wire.
    backlog: how much the reader of the wires may fall behind.
    """

    pulses: int = 20
    rest_s: float = 0.8
    least_deg: float = 30.0
    back_deg: float = 45.0
    chatter: int = 500
    backlog: Backlog = field(default_factory=Backlog)

    def __post_init__(self) -> None:
        if self.pulses not in PULSES:
            raise BadValue(
                f"an encoder of {self.pulses} pulses a revolution; the idol works with 20 to 600"
            )
        for name in ("rest_s", "least_deg", "back_deg", "chatter"):
            if not getattr(self, name) > 0:
                raise BadValue(f"the idol's {name} is {getattr(self, name)}; it must be above 0")

    @property
    def steps(self) -> int:
        """Steps in one revolution."""
        return self.pulses * EDGES

    @property
    def step_deg(self) -> float:
        """Degrees from one step to the next."""
        return TURN_DEG / self.steps


@dataclass(slots=True)
class _Sweep:
    """A way in one direction, measured in steps along it.

    way: +1 clockwise.  start, peak: where it began, and how far it came.  trough: how far it has
    swung back since.  times: when it came further, up to number *confirmed* with all steps known to
    be there.  back: when it swung back further.  reversals: after which of the times it went to and
    fro, -1 for before the first.
    """

    way: int
    start: int
    peak: int
    trough: int
    times: list[float]
    confirmed: int = 0
    back: list[float] = field(default_factory=list)
    reversals: set[int] = field(default_factory=set)


class SpinDetector:
    """What the edges of an idol's encoder mean; a `hardware.inputs.Detector`.

    Contact 0 is the wire that leads clockwise, 1 the other, 2 the index if there is one.

    sectors: whose seat is where; spins name no seat while it is None.  Raises BadSeats if they were
        calibrated with a finer encoder than this one: their margins would be too narrow.
    index_deg: where the index's flank is; None until it was passed with the zero known.
    located: whether the zero is known.  An encoder only counts: until `correct` has said where the
        idol points, or the index was passed at a known `index_deg`, and again after steps were
        missed, no seat is named.
    lost: how many edges the wires' owner reports as lost.

    A spin begins with the first step and ends when no step came for `rest_s`; an encoder that
    dithers on an edge is at rest.  It is as long as its way in one direction: a swing back of up to
    `back_deg` ends it where it comes to rest, after more of it the spin is what follows.  Less than
    one revolution is void.  A spin is not trusted when the wires contradicted each other, when they
    report lost edges, when the index is not where the count says or stays away, or when the times
    of the steps leave room for missing ones (`hardware.momentum`) that no index rules out.
    """

    def __init__(
        self,
        levels: tuple[bool, ...],
        figures: SpinFigures | None = None,
        sectors: Sectors | None = None,
        index_deg: float | None = None,
        lost: Callable[[], int] = lambda: 0,
        name: str = "idol",
    ) -> None:
        self.figures = figures or SpinFigures()
        self._name = name
        self._sectors: Sectors | None = None
        self.sectors = sectors
        self.index_deg = index_deg
        self.located = False
        self.turning = False
        self._anchored = False  # whether the zero was ever known, so that the index can be compared
        self._lost = lost
        self._lost_before = lost()
        self._wires = Quadrature(levels[0], levels[1])
        self._position = 0
        self._zero_deg = 0.0
        self._low = self._high = 0
        self._dithers = 0
        self._dithered_s = 0.0
        self._moved_s = 0.0
        self._pending_facts: list[Fact] = []
        self._last: Spun | None = None
        self._hold_s: float | None = None
        self._sweep = _Sweep(+1, 0, 0, 0, [])
        self._unreliable = self._reported_trouble = ""
        self._unseen = 0

    @property
    def sectors(self) -> Sectors | None:
        """Whose seat is where."""
        return self._sectors

    @sectors.setter
    def sectors(self, sectors: Sectors | None) -> None:
        if sectors and sectors.step_deg < self.figures.step_deg * STEP_TOLERANCE:
            raise BadSeats(
                f"the seats were calibrated in steps of {sectors.step_deg:g} degrees, and this"
                f" encoder has steps of {self.figures.step_deg:g}: calibrate the {self._name} again"
            )
        self._sectors = sectors

    @property
    def angle_deg(self) -> float:
        """Where the idol points, from 0 to below 360, if the zero is right."""
        return (self._zero_deg + self._position * self.figures.step_deg) % TURN_DEG

    @property
    def next_due_s(self) -> float | None:
        """When to query next; in the past if there is news."""
        if self._pending_facts:
            return self._moved_s
        if not self.turning:
            return self._hold_s
        rest_s = self._moved_s + self.figures.rest_s
        return rest_s if self._hold_s is None else max(rest_s, self._hold_s)

    def edge(self, contact: int, active: bool, at_s: float) -> None:
        """Take note that *contact* is now active or not."""
        if contact == INDEX:
            self._pass_index(active)
            return
        wires = self._wires
        missed = wires.missed
        step = wires.edge(contact, active, at_s)
        if wires.missed != missed:
            self._distrust("the wires contradict each other, so steps were missed")
        if step:
            self.move(step, at_s)

    def amend(self, contact: int, active: bool) -> None:
        """Take note that *contact* stands so, whether or not an edge has said it."""
        step = 0 if contact == INDEX else self._wires.amend(contact, active)
        if step:
            self._position += step
            self._distrust("a wire has changed without an edge, so steps were missed")

    def hold(self, until_s: float) -> None:
        """Do not call it rest before *until_s*: a level may be about to be explained."""
        self._hold_s = until_s

    def move(self, steps: int, at_s: float) -> None:
        """Take note of *steps* counted elsewhere, clockwise positive; may be several at once."""
        self._position += steps
        position = self._position
        if self._low <= position <= self._high:
            self._dither(at_s)
            return
        if not self.turning:
            self.turning = True
            way = 1 if steps > 0 else -1
            start = (position - steps) * way
            self._sweep = _Sweep(way, start, start, start, [])
        self._low, self._high = (position - 1, position) if steps > 0 else (position, position + 1)
        self._moved_s = at_s
        if self._dithers:
            self._settle()
        self._follow(position, at_s)

    def _follow(self, position: int, at_s: float) -> None:
        run = self._sweep
        reach = position * run.way
        if reach > run.peak:
            self._unseen += reach - run.peak
            run.peak = run.trough = reach
            run.times.append(at_s)
            if run.back:
                run.back = []
            if len(run.times) > MAX_REMEMBERED_STEPS:
                self._find_gaps(ended=False)
                self._confirm()
        elif reach < run.trough:
            run.trough = reach
            run.back += [at_s] if run.back else [self._dithered_s, at_s]
            run.reversals.add(len(run.times) - 1)
            if (run.peak - reach) * self.figures.step_deg > self.figures.back_deg:
                self._find_gaps(ended=True)
                self._sweep = _Sweep(-run.way, -run.peak, -reach, -reach, run.back, reversals={-1})

    def due(self, now_s: float) -> tuple[Fact, ...]:
        """Return what has been detected by *now_s* and not yet reported, oldest first."""
        news, self._pending_facts = self._pending_facts, []
        due_s = self.next_due_s
        if self.turning and due_s is not None and now_s >= due_s:
            self._come_to_rest()
        if self._hold_s is not None and now_s >= self._hold_s:
            self._hold_s = None
        news += self._pending_facts
        self._pending_facts = []
        return tuple(news)

    def lose_zero(self, why: str) -> None:
        """Take note that it may have turned unseen, and say *why*; a spin under way is doubted."""
        unreliable = self._unreliable
        self._distrust(why)
        if not self.turning:
            self._unreliable, self._lost_before = unreliable, self._lost()

    def correct(self, angle_deg: float, within_deg: float = 0.0) -> float:
        """Set the zero: the idol points at *angle_deg*; return by how many degrees that moved it.

        within_deg: how far off that reading may itself be.  What lies within it, or within a step,
        leaves a known zero alone and confirms it.  More than that withdraws the last spin since the
        zero was confirmed: it is told again, with its time, as not trusted.
        Raises Turning while the idol turns, BadValue if that is no angle.
        """
        if not isfinite(angle_deg):
            raise BadValue(f"{angle_deg} is not an angle; give degrees clockwise from the zero")
        if self.turning:
            raise Turning(
                f"the {self._name} is turning: its zero can be corrected when it is at rest"
            )
        self._unreliable = ""
        self._lost_before = self._lost()
        by_deg = turned(self.angle_deg, angle_deg)
        known = self.located
        if known and abs(by_deg) <= max(self.figures.step_deg, within_deg):
            self._last = None
            return 0.0
        self._zero_deg += by_deg
        if known:
            self._withdraw(by_deg)
            self.index_deg = None  # it was learned by a zero that was wrong
        self._locate()
        return by_deg

    def _dither(self, at_s: float) -> None:
        self._dithers += 1
        self._dithered_s = at_s  # the last of these is the first step back, should it continue
        if self.turning:
            self._sweep.reversals.add(len(self._sweep.times) - 1)
        if self._dithers == self.figures.chatter:
            self._trouble(
                f"The {self._name} chatters in one position: check its wires, supply and pull-ups."
            )

    def _settle(self) -> None:
        if self._dithers >= self.figures.chatter and self.located:
            self._trouble("")
        self._dithers = 0

    def _pass_index(self, active: bool) -> None:
        if not self._wires.marks(active):
            return
        self._unseen = 0
        if self.index_deg is None:
            if self.located:
                self.index_deg = self.angle_deg
            return
        off_deg = turned(self.angle_deg, self.index_deg)
        if self._anchored:
            # What was missed comes to whole pulses; an index beside an edge may seem a step off.
            pulses = round(off_deg / (self.figures.step_deg * EDGES))
            off_deg = pulses * self.figures.step_deg * EDGES
            if self.located and pulses:
                self._distrust(f"the index says that {abs(pulses) * EDGES} steps were missed")
        self._zero_deg += off_deg
        self._confirm()
        self._locate()

    def _confirm(self) -> None:
        # What was judged is dropped, but for the steps that show how full a backlog was since.
        run = self._sweep
        run.times = run.times[-self.figures.backlog.edges :]
        run.confirmed = len(run.times)
        run.reversals.clear()

    def _find_gaps(self, *, ended: bool) -> None:
        run = self._sweep
        backlog, when = self.figures.backlog, run.reversals
        rate = find_gap(run.times, backlog, confirmed=run.confirmed, ended=ended, reversals=when)
        if rate is not None:
            self._distrust(f"at {rate:.0f} steps a second some may have been missed")

    def _come_to_rest(self) -> None:
        self.turning = False
        self._find_gaps(ended=True)
        if self._lost() != self._lost_before:
            self._distrust("its wires lost edges on the way")
        if self.index_deg is not None and self._unseen > self.figures.steps * 1.1:
            self._distrust("its index was not seen for a full turn")
        doubt, self._unreliable = self._unreliable, ""
        self._lost_before = self._lost()
        turns = (self._sweep.peak - self._sweep.start) / self.figures.steps
        if turns * TURN_DEG < self.figures.least_deg:
            return
        spun = self._judge(turns, doubt)
        self._pending_facts.append(spun)
        if spun.seats:
            self._last = spun

    def _judge(self, turns: float, doubt: str) -> Spun:
        void = not doubt and turns < 1.0
        seats: tuple[int, ...] = ()
        if doubt:
            reason = f"{_sentence(doubt)}{LOOK}"
        elif void:
            reason = f"It turned only {turns:.2f} times; a spin takes a full turn, so spin again."
        elif not self.located:
            reason = f"The {self._name}'s zero is not known.{LOOK}"
        elif not self.sectors:
            reason = "The seats are not calibrated: point the idol at each seat once."
        else:
            seats = self.sectors.seats_at(self.angle_deg)
            reason = ""
        trusted = not doubt and (void or self.located)
        return Spun(
            self.angle_deg,
            turns,
            self._sweep.way > 0,
            trusted,
            seats,
            self._moved_s,
            void,
            reason,
        )

    def _distrust(self, doubt: str) -> None:
        self._unreliable = self._unreliable or doubt
        if self.located:
            self.located = False
            self._trouble(f"{_sentence(doubt)} The zero is no longer known. {POINT}")

    def _locate(self) -> None:
        self.located = self._anchored = True
        self._trouble("")

    def _withdraw(self, by_deg: float) -> None:
        off = (
            f"The {self._name}'s zero was off by {abs(by_deg):.0f} degrees and has been corrected."
        )
        self._trouble(f"{off} If that happens again, check its encoder.")
        if self._last:
            reason = f"{off} The spin before cannot be trusted.{LOOK}"
            self._pending_facts.append(replace(self._last, trusted=False, seats=(), reason=reason))
            self._last = None

    def _trouble(self, trouble: str) -> None:
        if trouble != self._reported_trouble:
            self._reported_trouble = trouble
            self._pending_facts.append(
                Troubled(self._name, trouble, max(self._moved_s, self._dithered_s))
            )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
