"""The camera's lens measured at set-up: the host tilts a printed corner tile before it."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.language.message import Message, say
from companion.table.camera_lens import better_of
from companion.table.live_view import LiveView
from companion.table.reader_calibration import ReaderCalibration
from vision.geometry.held_tile import HeldTile, Sight
from vision.geometry.lens import UNSURE_ERROR, Lens
from vision.geometry.table_view import view_of

TIME_S: Final = 10.0
WAIT_S: Final = 1.5
"""So long the next picture may take."""
ANOTHER_WAY: Final = say("Good. Now tilt it another way.")
HINTS: Final[Mapping[Sight, Message]] = {
    Sight.NO_TILE: say("The whole tile must be in view. Hold it over the middle of the table."),
    Sight.SMALL: say("Closer to the camera, please."),
    Sight.FLAT: say("Tilt it: while it faces the camera, nothing can be measured."),
    Sight.BLURRED: say("Blurred. Hold it still, in good light, or a little further away."),
    Sight.MOVING: say("Hold it still for a moment."),
    Sight.KNOWN: say("Tilt it another way."),
    Sight.TAKEN: ANOTHER_WAY,
}
"""What the host is told of the newest picture."""


@dataclass(frozen=True, slots=True)
class LensReport:
    """How measuring goes, or what came of it, in sentences; none before it was begun."""

    words: tuple[Message, ...] = ()
    is_going_on: bool = False


class LensMeasuring:
    """Measures the lens of the camera of *live_view*, and has *calibration* rely on it.

    All but the measuring itself, in a thread of its own, is for the event loop.
    """

    def __init__(
        self,
        live_view: LiveView,
        calibration: ReaderCalibration,
    ) -> None:
        self._live_view = live_view
        self._calibration = calibration
        self.report = LensReport()

    @property
    def is_offered(self) -> bool:
        """Whether the lens was measured, but is not known well."""
        lens = self._calibration.lens
        return lens is not None and lens.error > UNSURE_ERROR and not self.report.is_going_on

    def begin(self, on_report: Callable[[], None]) -> None:
        """Measure for as long as it takes, or TIME_S; *on_report* is called with each `report`."""
        if self.report.is_going_on:
            return
        self.report = LensReport((HINTS[Sight.FLAT],), is_going_on=True)
        begin = partial(self._measure, on_report)
        threading.Thread(target=begin, name="lens", daemon=True).start()

    def _measure(self, on_report: Callable[[], None]) -> None:
        held = HeldTile(self._calibration.model_lens)
        until_s, number, sight = time.monotonic() + TIME_S, 0, Sight.NO_TILE
        while time.monotonic() < until_s and not held.is_enough:
            shown = self._live_view.look(number, WAIT_S)
            is_new, number = shown.number != number, shown.number
            if shown.frame is None or not is_new:
                continue
            sight = held.look(view_of(shown.frame))
            self._tell(LensReport(_describe(held, sight), is_going_on=True), on_report)
        self._calibration.post(partial(self._finish, held, sight, on_report))

    def _tell(self, report: LensReport, on_report: Callable[[], None]) -> None:
        def tell() -> None:
            self.report = report
            on_report()

        self._calibration.post(tell)

    def _finish(self, held: HeldTile, sight: Sight, on_report: Callable[[], None]) -> None:
        kept = self._calibration.lens
        is_better = held.taken and (kept is None or better_of(kept, held.lens) is held.lens)
        if is_better:
            said = _conclude(held, self._calibration.adopt_lens(held.lens))
        else:
            said = [say("Time is up, and nothing was measured. {hint}", hint=HINTS[sight])]
        self.report = LensReport(tuple(said))
        on_report()


def _describe(held: HeldTile, sight: Sight) -> tuple[Message, ...]:
    if not held.taken:
        return (HINTS[sight],)
    percent = _percent(held.lens)
    known = say("So far the angle is known to within {percent} per cent.", percent=percent)
    return HINTS[sight], known


def _conclude(held: HeldTile, unsaved: str) -> list[Message]:
    numbers = {"degrees": round(held.lens.hfov_deg), "percent": _percent(held.lens)}
    said = [
        say(
            "Measured: the camera’s view is {degrees} degrees wide, to within {percent} per"
            " cent. All games with this camera now use that figure.",
            **numbers,
        )
    ]
    if not held.is_enough:
        said.append(
            say(
                "Time is up. For a better measurement, hold the tile closer, tilt it more and"
                " in all directions, and measure again."
            )
        )
    if unsaved:
        said.append(
            say("The result could not be saved ({reason}): a restart will lose it.", reason=unsaved)
        )
    return said


def _percent(lens: Lens) -> int:
    return max(1, math.ceil(100.0 * lens.error - 1e-6))
