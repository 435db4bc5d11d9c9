"""Calibrating the idol and the tower's tilt with people, step by step; saving the result.

Everything here happens on the event loop.  Calibrations are saved beside the log.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from companion.devices.pico_zero import PicoZero
from companion.devices.tower_switches import Tower
from companion.files import write_whole
from companion.language.message import say, sequence
from hardware.device import HardwareError
from hardware.idol import IdolSpinner, NotCalibrating
from hardware.sectors import BadSeats, Sectors
from hardware.tilt import TiltFigures
from hardware.tilt_calibration import (
    MIN_EXAMPLES,
    CalibrationFailed,
    EdgeRecorder,
    EdgeRecording,
    calibrate_tilt,
)

_EXAMPLES: Final = say(
    "To tell a fall from a knock, the companion needs examples: knock the table, then topple the"
    " tower, three times each."
)
_SEATS: Final = re.compile(r"\b(seats? |as )(\d+(?:(?:, | and )\d+)*)")


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The calibrations of a table; None for what was never calibrated.

    sectors: whose seat is where.  index_deg: where the encoder's index is, by the same zero.
    topple_s: how long a fall lasts at the least.  pico_zero: the idol's zero by a Pico's count.
    """

    sectors: Sectors | None = None
    index_deg: float | None = None
    topple_s: float | None = None
    pico_zero: PicoZero | None = None

    def to_json(self) -> dict[str, object]:
        """Return what `load_calibrations` reads."""
        return {
            "sectors": self.sectors and self.sectors.to_json(),
            "index_deg": self.index_deg,
            "topple_s": self.topple_s,
            "pico_zero": self.pico_zero and self.pico_zero.to_json(),
        }


def save_calibrations(log: Path, calibrations: Calibrations) -> None:
    """Save *calibrations* beside the log file, whole or not at all; raises OSError."""
    write_whole(_file(log), json.dumps(calibrations.to_json()).encode())


def load_calibrations(log: Path) -> Calibrations:
    """Return what was saved beside the log file; what cannot be used counts as not calibrated."""
    try:
        found = json.loads(_file(log).read_bytes())
        keys = ("sectors", "index_deg", "topple_s", "pico_zero")
        sectors, index_deg, topple_s, pico_zero = (found[key] for key in keys)
        return Calibrations(
            sectors and Sectors.from_json(sectors),
            None if index_deg is None else float(index_deg),
            None if topple_s is None else float(topple_s),
            pico_zero and PicoZero.from_json(pico_zero),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Calibrations()


def _file(log: Path) -> Path:
    return log.with_suffix(".lessons.json")


@dataclass(frozen=True, slots=True)
class Press:
    """A button of a step: its name, and its label."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Step:
    """Where a calibration stands: what to do next, and what can be pressed, the main button first.

    urgent: one line for everyone while the device is of no use before that, or "".
    """

    words: str
    presses: tuple[Press, ...]
    urgent: str = ""


class DeviceCalibration(Protocol):
    """One device that can be calibrated.

    title, device: for people.
    """

    title: str
    device: str

    @property
    def step(self) -> Step:
        """Where the calibration stands."""

    def press(self, name: str) -> None:
        """Do what the button *name* of the present step says; raises HardwareError, in words."""

    def close(self) -> None:
        """Leave the calibration, if one is on; may be called twice."""


class IdolCalibration:
    """Calibrates the idol: pointed at each seat once, and at one whenever its zero is lost.

    players: the names at the table.  on_change: called when something was learned.
    on_pico: whether a Pico counts its steps.
    trouble: returns what keeps the idol's wires away, in one line with the remedy, "" if nothing.
    """

    title: str = say("The idol’s seats")
    device: str = say("the idol")

    def __init__(
        self,
        idol: IdolSpinner,
        players: Callable[[], Sequence[str]],
        hand_deg: float,
        on_change: Callable[[], None],
        trouble: Callable[[], str] = str,
        *,
        on_pico: bool = False,
    ) -> None:
        self._idol = idol
        self._on_pico = on_pico
        self._trouble = trouble
        self._players = players
        self._hand_deg = hand_deg
        self._on_change = on_change
        self._seat: int | None = None
        self._seats = 0

    @property
    def under_way(self) -> bool:
        """Whether these players' seats are being calibrated; spins are ignored meanwhile."""
        return self._seat is not None and self._seats == len(self._players())

    def keep_up(self) -> None:
        """Leave the calibration if it was begun with another number of players."""
        if self._seat is not None and not self.under_way:
            self.close()

    @property
    def step(self) -> Step:
        """Where the calibration stands."""
        players, seat = self._players(), self._seat
        if seat is not None and self.under_way:
            point = Press(f"point {seat}", say("It points at {player}", player=players[seat]))
            return Step(
                say(
                    "{step} of {steps}: point the idol at {player}, hold it still, then press the"
                    " button.",
                    step=seat + 1,
                    steps=len(players),
                    player=players[seat],
                ),
                (point, Press("stop", say("Stop"))),
                say("is being calibrated; spins are ignored until that is finished"),
            )
        if self._idol.sectors is None:
            return Step(
                say("The idol does not know who sits where. Point it at each player once."),
                (Press("teach", say("Calibrate the seats")),),
                say(
                    "has not been calibrated, so it cannot name a seat; calibrate it on the host’s"
                    " desk"
                ),
            )
        return self._aimed(players)

    def _aimed(self, players: Sequence[str]) -> Step:
        aim = Press("aim", say("It points at {player}", player=players[0]))
        again = Press("teach", say("Calibrate again"))
        if not self._idol.located:
            words = (
                say(
                    "Point the idol at {player}, hold it still, then press the button. The"
                    " idol forgets its zero position whenever the Pico loses power.",
                    player=players[0],
                )
                if self._on_pico
                else say(
                    "Point the idol at {player}, hold it still, then press the button. The"
                    " idol forgets its zero position whenever the companion starts.",
                    player=players[0],
                )
            )
            return Step(
                words,
                (aim, again),
                say(
                    "has lost its zero position; point it at {player} and confirm that on the"
                    " host’s desk",
                    player=players[0],
                ),
            )
        return Step(
            say(
                "The idol is calibrated for {seats} seats. If it names the wrong player,"
                " point it at {player}, hold it still and press the button.",
                seats=len(players),
                player=players[0],
            ),
            (aim, again),
        )

    def press(self, name: str) -> None:
        """Begin, point, aim or stop; raises HardwareError with the players' names."""
        if name != "stop" and (trouble := self._trouble()):
            raise HardwareError(trouble)  # it may turn unseen until its wires are back
        try:
            match name.split():
                case ["teach"]:
                    self._seats = len(self._players())
                    self._idol.begin_calibration(range(self._seats), self._hand_deg)
                    self._seat = 0
                case ["point", seat]:
                    self._seat = int(seat) + 1 if self._idol.point() else None
                case ["aim"]:
                    self._idol.aim(0)
                case _:
                    self.close()
        except NotCalibrating:
            self._seat = None
            raise
        except BadSeats as error:
            raise BadSeats(self._named(str(error))) from None
        self._on_change()

    def close(self) -> None:
        """Leave the calibration; the seats stay as they were."""
        self._seat = None
        self._idol.end_calibration()

    def _named(self, words: str) -> str:
        """Return *words* with players in the place of seats' numbers."""
        players = self._players()

        def name(found: re.Match[str]) -> str:
            lead = "" if found[1].startswith("seat") else found[1]
            return lead + re.sub(r"\d+", lambda seat: players[int(seat[0])], found[2])

        return _SEATS.sub(name, words)


class TiltCalibration:
    """Calibrates the tilt: the table is knocked and the tower toppled, three times each.

    usual: the figures to begin with.  on_calibrated: called with the calibrated ones.
    trouble: returns what keeps the switches' wires away, "" if nothing.
    """

    title: str = say("The tower’s tilt")
    device: str = say("the tilt")

    def __init__(
        self,
        tower: Tower,
        usual: TiltFigures,
        on_calibrated: Callable[[TiltFigures], None],
        trouble: Callable[[], str] = str,
    ) -> None:
        self._trouble = trouble
        self._tower = tower
        self._usual = usual
        self._on_calibrated = on_calibrated
        self._recorder: EdgeRecorder | None = None
        self._knocks: list[EdgeRecording] = []
        self._topples: list[EdgeRecording] = []
        self._fallen = False
        self._calibrated = False

    @property
    def step(self) -> Step:
        """Where the calibration stands."""
        if self._recorder is None:
            words, button = _EXAMPLES, say("Calibrate the tilt")
            if self._calibrated:
                topple_s = round(self._tower.figures.topple_s, 1)
                done = say("Calibrated: a tilt of {seconds} s is a fall.", seconds=topple_s)
                words, button = sequence([done, _EXAMPLES]), say("Calibrate it again")
            return Step(words, (Press("teach", button),))
        return self._next_example()

    def _next_example(self) -> Step:
        stop = Press("stop", say("Stop"))
        urgent = say("is being calibrated; falls are not detected until that is finished")
        knocks, topples = len(self._knocks), len(self._topples)
        if knocks < MIN_EXAMPLES:
            return Step(
                say(
                    "Knock {step} of {steps}: with the tower standing, knock the table, sometimes"
                    " hard, then press the button.",
                    step=knocks + 1,
                    steps=MIN_EXAMPLES,
                ),
                (Press(f"knocked {knocks}", say("Knocked")), stop),
                urgent,
            )
        if self._fallen:
            return Step(
                say("Set the tower up again, let it come to rest, then press the button."),
                (Press(f"stands {topples}", say("It is standing")), stop),
                urgent,
            )
        return Step(
            say(
                "Topple {step} of {steps}: topple the tower, leave it for two seconds, then press"
                " the button.",
                step=topples + 1,
                steps=MIN_EXAMPLES,
            ),
            (Press(f"toppled {topples}", say("It has fallen")), stop),
            urgent,
        )

    def press(self, name: str) -> None:
        """Begin, record a knock or a topple, or stop; raises HardwareError.

        After the last topple the figures are set, or CalibrationFailed says why not; either way the
        calibration is over.
        """
        word = name.partition(" ")[0]
        if word != "stop" and (trouble := self._trouble()):
            raise HardwareError(trouble)
        if word == "teach":
            self._recorder, self._fallen, self._calibrated = self._tower.record(), False, False
            self._knocks, self._topples = [], []
        elif self._recorder is None or word == "stop":
            self.close()
        else:
            recording = self._recorder.take()
            if word == "knocked":
                self._knocks.append(recording)
            elif word == "toppled":
                self._topples.append(recording)
            self._fallen = word == "toppled"
            if len(self._topples) == MIN_EXAMPLES:
                self._finish()

    def close(self) -> None:
        """Leave the calibration and listen again; raises HardwareError if the switches are gone."""
        if self._recorder is not None:
            self._recorder = None
            self._tower.listen()

    def _finish(self) -> None:
        try:
            self._tower.figures = calibrate_tilt(self._knocks, self._topples, self._usual)
            self._calibrated = True
        except CalibrationFailed as error:
            raise CalibrationFailed(f"not calibrated: {error}") from None
        finally:
            self.close()
        self._on_calibrated(self._tower.figures)
