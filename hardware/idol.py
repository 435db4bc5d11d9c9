"""The idol: an encoder under the thing that is spun, and whose seat it points at."""

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Final

from hardware.contact import Contact, CountedContact
from hardware.device import HardwareError
from hardware.facts import Fact, Spun
from hardware.inputs import QUIET_S, Detector, Edge, InputDevice, OnFact, Steps
from hardware.sectors import HAND_DEG, BadSeats, SectorCalibration, Sectors
from hardware.spin import SpinDetector, SpinFigures, Turning

NOT_CALIBRATING: Final = "no calibration has begun: first say which seats to calibrate"


class NotCalibrating(HardwareError, RuntimeError):
    """A seat was pointed at outside a calibration, or steps were missed during one."""


class IdolSpinner(InputDevice[float]):
    """The idol on the ends of two wires, or three.

    a, b: the encoder's wires, *a* leading clockwise.  index: its index, active once a revolution.
    sectors: whose seat is where, or None; may be set, and a calibration sets it.
    index_deg: where the index is, if that was kept from before; it finds the zero again.
    value: where the idol points, degrees clockwise from its zero, from 0 to below 360.
    on_fact: called with `Spun` after each spin, and `Troubled`.  when_spun: called with each
        `Spun`; both may get the same spin again, with the same time, if it turns out to be
        unreliable.

    Wherever it points at the start is 0 until `correct` says better, and no seat is named before:
    see `SpinDetector`, which decides all of it.  All methods may be called from any thread.
    """

    __slots__ = ("_calibration", "_lock", "_odd_s", "_spin", "when_spun")

    def __init__(
        self,
        a: Contact,
        b: Contact,
        index: Contact | None = None,
        figures: SpinFigures | None = None,
        sectors: Sectors | None = None,
        *,
        index_deg: float | None = None,
        name: str = "idol",
        on_fact: OnFact | None = None,
    ) -> None:
        self.when_spun: Callable[[Spun], None] | None = None
        self._calibration: SectorCalibration | None = None
        self._lock = RLock()
        self._odd_s: float | None = None

        def detector(levels: tuple[bool, ...]) -> Detector:
            known_deg = index_deg if index else None
            self._spin = SpinDetector(levels, figures, sectors, known_deg, lambda: self.lost, name)
            return self._spin

        super().__init__(name, (a, b, index) if index else (a, b), detector, on_fact)
        if isinstance(a, CountedContact):
            a.when_moved = self._note_steps

    @property
    def value(self) -> float:
        """Where the idol points, in degrees; right while it is `located`."""
        return self._spin.angle_deg

    @property
    def step_deg(self) -> float:
        """Degrees from one step of the encoder to the next."""
        return self._spin.figures.step_deg

    @property
    def at_rest(self) -> bool:
        """Whether all steps that have come are judged, and it does not turn."""
        with self._lock:
            return not self._noted and not self._spin.turning

    @property
    def turning(self) -> bool:
        """Whether it has not yet come to rest."""
        return self._spin.turning

    @property
    def located(self) -> bool:
        """Whether the zero is known."""
        return self._spin.located

    @property
    def index_deg(self) -> float | None:
        """Where the index is, to be kept beside the sectors; None while not known."""
        return self._spin.index_deg

    @property
    def sectors(self) -> Sectors | None:
        """Whose seat is where; setting it raises BadSeats if calibrated with a finer encoder."""
        return self._spin.sectors

    @sectors.setter
    def sectors(self, sectors: Sectors | None) -> None:
        with self._lock:
            self._spin.sectors = sectors

    def attend(self, now_s: float) -> None:
        """Judge the edges that have come, and report what they mean as of *now_s*."""
        with self._lock:
            super().attend(now_s)

    def correct(self, angle_deg: float, within_deg: float = 0.0) -> float:
        """Set where the idol points; return by how many degrees its zero was moved.

        Raises Turning while it turns; see `SpinDetector.correct`.
        """
        with self._lock:
            by_deg = self._spin.correct(angle_deg, within_deg)
        if self.woken:
            self.woken()
        return by_deg

    def lose_zero(self, why: str) -> None:
        """Take note that it may have turned unseen, and say *why*; see `SpinDetector.lose_zero`."""
        with self._lock:
            self._spin.lose_zero(why)
        if self.woken:
            self.woken()

    def aim(self, seat: int) -> float:
        """Set that it points at *seat*, as calibrated; return by how much the zero moved.

        Raises BadSeats if that seat is not calibrated; Turning.
        """
        sectors = self.sectors
        if sectors is None or seat not in sectors.angles_deg:
            raise BadSeats(f"seat {seat} is not calibrated: calibrate the idol first")
        return self.correct(sectors.angles_deg[seat], sectors.margin_deg)

    def begin_calibration(self, seats: Sequence[int], hand_deg: float = HAND_DEG) -> str:
        """Begin to calibrate *seats*, and return the first instruction; spins are ignored.

        Raises BadSeats.
        """
        with self._lock:
            self._calibration = SectorCalibration(seats, self._spin.figures.step_deg, hand_deg)
            return self._instruction(self._calibration)

    def point(self) -> str:
        """Record that the idol points at the requested seat; return the next instruction.

        After the last seat the sectors are set and "" is returned.  Raises BadSeats if the seat is
        not to be told apart from one before; NotCalibrating outside a calibration, and, as the
        angles before are worth nothing then, if steps were missed since it began; Turning while the
        idol turns.
        """
        with self._lock:
            calibration = self._calibration
            if calibration is None:
                raise NotCalibrating(NOT_CALIBRATING)
            if self.turning:
                raise Turning("the idol is still turning: hold it still and try again")
            if calibration.angles and not self.located:
                self._calibration = None
                raise NotCalibrating(
                    "the encoder missed steps on the way: start the calibration again, and turn it"
                    " slowly"
                )
            sectors = calibration.take(self.value)
            self._spin.correct(self.value)
            if sectors is None:
                return self._instruction(calibration)
            self._spin.sectors, self._calibration = sectors, None
            return ""

    def end_calibration(self) -> None:
        """Leave the calibration, if one is on; the sectors stay as they were."""
        with self._lock:
            self._calibration = None

    def _instruction(self, calibration: SectorCalibration) -> str:
        return f"Point the {self.name} at seat {calibration.seat} and hold it still."

    def _note_steps(self, steps: int, at_s: float) -> None:
        self._noted.append(Steps(steps, at_s))
        if self.woken:
            self.woken()

    def _take(self, noted: Edge | Steps) -> None:
        super()._take(noted)
        if isinstance(noted, Steps):
            self._spin.move(noted.steps, self._last_edge_s)

    def _catch_up(self, now_s: float) -> None:
        # A level without its edge may be one step or three, so it is never counted as a step.
        if self._noted:
            return
        odd = [
            (number, contact.active)
            for number, contact in enumerate(self._contacts)
            if contact.active != self._levels[number]
        ]
        if not odd:
            self._odd_s = None
        elif self._odd_s is None:
            self._odd_s = now_s
            self._spin.hold(now_s + QUIET_S)
        elif now_s - self._odd_s >= QUIET_S:
            self._odd_s = None
            for number, active in odd:
                self._levels[number] = active
                self._spin.amend(number, active)

    def _report(self, facts: tuple[Fact, ...]) -> None:
        spins = [fact for fact in facts if isinstance(fact, Spun)]
        if self._calibration:
            facts = tuple(fact for fact in facts if fact not in spins)
            spins = []
        super()._report(facts)
        if self.when_spun:
            for spun in spins:
                self.when_spun(spun)
