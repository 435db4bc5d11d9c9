"""The rig: the devices that the settings name, as far as they can be had."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from companion.config import Config, pin_plan
from companion.devices.calibration import (
    DeviceCalibration,
    IdolCalibration,
    TiltCalibration,
    load_calibrations,
    save_calibrations,
)
from companion.devices.tower_switches import Tower
from hardware.buttons import BUTTONS, Buttons
from hardware.device import HardwareError
from hardware.facts import Fact, Spun, Troubled
from hardware.header import HeaderContact, NoPins, open_contacts, pin_factory
from hardware.idol import IdolSpinner
from hardware.inputs import OnFact
from hardware.output_devices import open_output_devices
from hardware.pins import PinPlan
from hardware.sectors import BadSeats, Sectors
from hardware.sensors import Sensors
from hardware.simulated_sensors import SimulatedSensors, even_sectors
from hardware.spin import SpinFigures
from hardware.tilt import TiltFigures

IDOL: Final = "idol"
TILT: Final = "tilt"


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
        self._factory: Any = None
        self._idol: IdolSpinner | None = None
        self._tower: Tower | None = None
        self._sensors: Sensors | None = None
        self.calibrations: dict[str, DeviceCalibration] = {}
        kinds = (config.sensors.kind, config.buttons.kind)
        self.simulated_sensors = (
            SimulatedSensors(lambda: len(players()), on_fact) if "fake" in kinds else None
        )
        self.outputs = open_output_devices(config.lights, config.display, config.sound, on_fact)
        if "wired" in kinds:
            self._open_header(config)

    def start(self) -> None:
        """Begin to listen."""
        if self._sensors is not None:
            self._sensors.start()
        if self._tower is not None:
            self._try(TILT, self._tower.listen)

    def close(self) -> None:
        """Put everything to rest and let all pins go."""
        try:
            if self._sensors is not None:
                self._sensors.close()
            if self._tower is not None:
                self._tower.close()
            if self._factory is not None:
                self._factory.close()
        finally:
            self.outputs.close()

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

    def _open_header(self, config: Config) -> None:
        plan = pin_plan(config)
        try:
            self._factory = pin_factory(config.pins.factory)
        except NoPins as error:
            self._report("pins", str(error))
            return
        buttons = None
        if config.buttons.kind == "wired":
            found = self._open_each(plan, BUTTONS)
            buttons = Buttons(found) if found else None
        if config.sensors.kind == "wired":
            if plan.named(IDOL):
                self._try(IDOL, partial(self._open_idol, config, plan))
            if plan.named(TILT):
                self._make_tower(config, plan)
        self._sensors = Sensors(buttons, None, self._idol, on_fact=self._pass_on)

    def _pass_on(self, fact: Fact) -> None:
        # Before its zero is known whoever turns the idol a little is aiming it.
        idol = self._idol
        if idol is None or idol.located or not (isinstance(fact, Spun) and fact.void):
            self._on_fact(fact)

    def _open_each(self, plan: PinPlan, kinds: Sequence[str]) -> dict[str, HeaderContact]:
        """Return the contacts that can be had, each on its own: a taken pin costs one button."""
        contacts: dict[str, HeaderContact] = {}
        for role, pin in plan.named(*kinds):
            try:
                contacts |= open_contacts(PinPlan(plan.board, {role: pin}), self._factory, *kinds)
            except HardwareError as error:
                self._report(role.name, str(error))
        return contacts

    def _open_idol(self, config: Config, plan: PinPlan) -> None:
        sensors = config.sensors
        wires = open_contacts(plan, self._factory, IDOL)
        self._idol = IdolSpinner(
            wires["idol_a"],
            wires["idol_b"],
            wires.get("idol_index"),
            SpinFigures(pulses=sensors.pulses, rest_s=sensors.rest_s),
            index_deg=self._calibrations.index_deg,
        )
        self.calibrations[IDOL] = IdolCalibration(
            self._idol, self._players, sensors.hand_deg, self.attend
        )
        self.attend()

    def _make_tower(self, config: Config, plan: PinPlan) -> None:
        usual = TiltFigures(topple_s=config.sensors.topple_s)
        topple_s = max(usual.topple_s, self._calibrations.topple_s or 0.0)
        self._tower = Tower(
            partial(open_contacts, plan, self._factory, TILT),
            replace(usual, topple_s=topple_s),
            self._on_fact,
        )
        self.calibrations[TILT] = TiltCalibration(self._tower, usual, self._keep_tilt)

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
