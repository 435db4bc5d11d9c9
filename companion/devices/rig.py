"""The rig: the devices that the settings name, as far as they can be had."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from companion.config import Config, is_wired, pin_plan
from companion.devices.calibration import (
    DeviceCalibration,
    IdolCalibration,
    TiltCalibration,
    load_calibrations,
    save_calibrations,
)
from companion.devices.pico_zero import read_zero, take_up_zero
from companion.devices.tower_switches import Tower
from hardware.buttons import BUTTONS, Buttons
from hardware.contact import Contact
from hardware.device import HardwareError
from hardware.facts import Fact, Spun, Troubled
from hardware.header import NoPins, pin_factory
from hardware.idol import IdolSpinner
from hardware.inputs import OnFact
from hardware.output_devices import open_output_devices
from hardware.pico.link import PicoLink
from hardware.pins import PICO, PinPlan
from hardware.sectors import BadSeats, Sectors
from hardware.sensors import Sensors
from hardware.simulated_sensors import SimulatedSensors, even_sectors
from hardware.spin import SpinFigures, Turning
from hardware.tilt import TiltFigures
from hardware.wires import HeaderWires, Wires

IDOL: Final = "idol"
TILT: Final = "tilt"
AWAY: Final = "the Pico does not answer yet; wait a moment and try again"
RESTARTED: Final = "the Pico has restarted, so steps may have been missed"


class Rig:
    """All devices of one table, and their calibrations.

    outputs: the output devices.  simulated_sensors: operates them by words, None if all are real.
    calibrations: by name, of the devices that can be calibrated.
    on_fact: called with every fact, in any thread, from the start on.  What cannot be opened is
    reported as `Troubled`, with its remedy, and the rest works without it.
    log: beside which the calibrations are kept.  players: the names at the table at the moment.
    """

    def __init__(
        self, config: Config, log: Path, players: Callable[[], Sequence[str]], on_fact: OnFact
    ) -> None:
        self._log = log
        self._players = players
        self._on_fact = on_fact
        self._calibrations = load_calibrations(log)
        self._wires: Wires | None = None
        self._boot = ""
        self._idol: IdolSpinner | None = None
        self._tower: Tower | None = None
        self._sensors: Sensors | None = None
        self.calibrations: dict[str, DeviceCalibration] = {}
        self.simulated_sensors = (
            SimulatedSensors(lambda: len(players()), on_fact)
            if "fake" in (config.sensors.kind, config.buttons.kind)
            else None
        )
        plan = pin_plan(config)
        self._link = self._make_link(config, plan)
        if self._link is not None:
            self._link.on_connected.append(self._meet_pico)
            self._link.start()  # how its wires stand must be known before devices are made of them
        self.outputs = open_output_devices(
            config.lights, config.display, config.sound, on_fact, self._link
        )
        if is_wired(config):
            self._open_wires(config, plan)

    def start(self) -> None:
        """Begin to listen."""
        if self._sensors is not None:
            self._sensors.start()
        if self._tower is not None:
            self._try(TILT, self._tower.listen)

    def close(self) -> None:
        """Put everything to rest and let all pins go."""
        with ExitStack() as closing:
            for each in (self._link, self._wires, self.outputs, self._tower, self._sensors):
                if each is not None:
                    closing.callback(each.close)

    def sectors(self, seats: int) -> Sectors:
        """Return the calibrated places of *seats*, or places evenly round the idol."""
        sectors = self._calibrations.sectors
        return sectors if sectors and len(sectors.angles_deg) == seats else even_sectors(seats)

    def attend(self) -> None:
        """Follow the table: other players, and what the devices have calibrated by themselves.

        Seats that were calibrated for another number of players name nobody.
        """
        calibration, idol = self.calibrations.get(IDOL), self._idol
        if idol is None or not isinstance(calibration, IdolCalibration):
            return
        calibration.keep_up()
        if calibration.under_way:
            return
        if idol.sectors is not None and idol.sectors is not self._calibrations.sectors:
            self._calibrations = replace(self._calibrations, sectors=idol.sectors)
            self._keep()
        sectors = self._calibrations.sectors
        fits = sectors is not None and len(sectors.angles_deg) == len(self._players())
        try:
            idol.sectors = sectors if fits else None
        except BadSeats:  # another encoder was built in: the calibration has to be repeated
            self._calibrations = replace(self._calibrations, sectors=None)
        if idol.index_deg != self._calibrations.index_deg:
            self._calibrations = replace(self._calibrations, index_deg=idol.index_deg)
            self._keep()
        if self._link is not None:
            zero = read_zero(self._link, idol, self._calibrations.pico_zero)
            if zero != self._calibrations.pico_zero:
                self._calibrations = replace(self._calibrations, pico_zero=zero)
                self._keep()

    def _make_link(self, config: Config, plan: PinPlan) -> PicoLink | None:
        lights = config.lights.lights if config.lights.kind == "neopixel" else 0
        if plan.board is not PICO or not (lights or is_wired(config)):
            return None
        return PicoLink(plan, config.pins.port, self._on_fact, lights=lights)

    def _meet_pico(self) -> None:
        """Take a Pico as it is that has answered anew; called from the link's thread."""
        hello = self._link.hello if self._link is not None else None
        if hello is None:
            return
        before, self._boot = self._boot, hello.boot
        if not before:
            self._take_up_zero()
            if self._tower is not None:  # it came late: if the tower lies, nobody saw it fall
                self._try(TILT, self._tower.listen_anew)
        elif before != hello.boot and self._idol is not None:
            self._idol.lose_zero(RESTARTED)

    def _missing(self) -> str:
        """Return why the Pico is not there; "" if it is, or if there is none."""
        link = self._link
        return (link.trouble or AWAY) if link is not None and link.hello is None else ""

    def _take_up_zero(self) -> None:
        zero = self._calibrations.pico_zero
        if zero is not None and self._link is not None and self._idol is not None:
            with suppress(Turning):  # then it has to be aimed
                take_up_zero(self._link, self._idol, zero)

    def _open_wires(self, config: Config, plan: PinPlan) -> None:
        try:
            wires = self._wires = self._link or HeaderWires(pin_factory(config.pins.factory))
        except NoPins as error:
            self._report("pins", str(error))
            return
        buttons = None
        if config.buttons.kind == "wired":
            found = self._open_each(wires, plan, BUTTONS)
            buttons = Buttons(found) if found else None
        if config.sensors.kind == "wired":
            if plan.named(IDOL):
                self._try(IDOL, partial(self._open_idol, wires, config, plan))
            if plan.named(TILT):
                self._make_tower(wires, config, plan)
        self._sensors = Sensors(buttons, None, self._idol, on_fact=self._pass_on, clock=wires.clock)

    def _pass_on(self, fact: Fact) -> None:
        # Before its zero is known whoever turns the idol a little is aiming it.
        idol = self._idol
        if idol is None or idol.located or not (isinstance(fact, Spun) and fact.void):
            self._on_fact(fact)

    def _open_each(self, wires: Wires, plan: PinPlan, kinds: Sequence[str]) -> dict[str, Contact]:
        """Return the contacts that can be had, each on its own: a taken pin costs one button."""
        contacts: dict[str, Contact] = {}
        for role, pin in plan.named(*kinds):
            try:
                contacts |= wires.open(PinPlan(plan.board, {role: pin}), *kinds)
            except HardwareError as error:
                self._report(role.name, str(error))
        return contacts

    def _open_idol(self, wires: Wires, config: Config, plan: PinPlan) -> None:
        sensors = config.sensors
        ends = wires.open(plan, IDOL)
        figures = SpinFigures(pulses=sensors.pulses, rest_s=sensors.rest_s, backlog=wires.backlog)
        self._idol = IdolSpinner(
            ends["idol_a"],
            ends["idol_b"],
            ends.get("idol_index"),
            figures,
            index_deg=self._calibrations.index_deg,
        )
        self.calibrations[IDOL] = IdolCalibration(
            self._idol,
            self._players,
            sensors.hand_deg,
            self.attend,
            self._missing,
            on_pico=self._link is not None,
        )
        self._take_up_zero()
        self.attend()

    def _make_tower(self, wires: Wires, config: Config, plan: PinPlan) -> None:
        usual = TiltFigures(topple_s=config.sensors.topple_s)
        topple_s = max(usual.topple_s, self._calibrations.topple_s or 0.0)
        self._tower = Tower(
            partial(wires.open, plan, TILT),
            replace(usual, topple_s=topple_s),
            self._on_fact,
            wires.clock,
        )
        self.calibrations[TILT] = TiltCalibration(
            self._tower, usual, self._keep_tilt, self._missing
        )

    def _keep_tilt(self, figures: TiltFigures) -> None:
        self._calibrations = replace(self._calibrations, topple_s=figures.topple_s)
        self._keep()

    def _keep(self) -> None:
        try:
            save_calibrations(self._log, self._calibrations)
        except OSError as error:
            self._report(
                "calibration",
                f"calibrated, but this cannot be saved: {error}; free some disk space",
            )
        else:
            self._report("calibration", "")

    def _try(self, device: str, act: Callable[[], None]) -> None:
        try:
            act()
        except HardwareError as error:
            self._report(device, str(error))

    def _report(self, device: str, trouble: str) -> None:
        self._on_fact(Troubled(device, trouble, time.monotonic()))
