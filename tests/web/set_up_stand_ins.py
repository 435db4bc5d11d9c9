"""A camera's set-up that sees a good table, for tests of the pages."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.table.lens_measuring import ANOTHER_WAY, LensReport
from companion.table.reader_calibration import UNCHANGED, CalibrationResult
from companion.table.readers import reader_setup_of
from companion.table.table_look import Gauge, TableLook
from companion.table.table_setup import NotFitted


class Measuring:
    """A measuring of the lens that is offered, until it is begun."""

    is_offered = True

    def __init__(self) -> None:
        self.report = LensReport()

    def begin(self, on_report: Callable[[], None]) -> None:
        """Go on for ever."""
        self.is_offered = False
        self.report = LensReport((ANOTHER_WAY,), is_going_on=True)
        on_report()


class Setup:
    """A set-up that sees a good table, and learns what it is told to.

    lessons: what was to be learned, with the fit.
    """

    is_recording = is_recorded = False
    choice: str | None = None

    def __init__(self, lesson: CalibrationResult | None = None) -> None:
        self.lesson = lesson
        self.measuring = Measuring()
        self.lessons: list[tuple[Mapping[str, Any], Any]] = []

    def knows(self, game: str) -> bool:
        """Return that the table is known."""
        return bool(game)

    def plan(self, game: str) -> Any:
        """Return what lies where."""
        return reader_setup_of(game).plan(None)

    def is_fitted(self, game: str) -> bool:
        """Return that it is known by its tiles."""
        return not game

    def look(self, game: str, after: int, *, drags_corners: bool = False) -> TableLook:
        """Return what is seen."""
        gauges = (("light", Gauge(0.7, "bright enough", is_good=True)),)
        return TableLook(
            after + 1,
            "drag on" if drags_corners else f"{game} is seen",
            True,
            b"jpeg",
            1280,
            720,
            (),
            (True,),
            gauges,
        )

    def jpeg(self, number: int) -> bytes | None:
        """Return the picture."""
        return b"jpeg" if number == 1 else None

    def fit(self, game: str, corners: object) -> Mapping[str, Any]:
        """Return a fit, or refuse it."""
        if game == "topple":
            raise NotFitted("these are not the four corners")
        return {"corners": corners}

    def learn(
        self,
        truth: Mapping[str, Any],
        on_done: Callable[[CalibrationResult], None],
        fit: Any = UNCHANGED,
    ) -> None:
        """Learn it at once, if there is a lesson."""
        self.lessons.append((truth, fit))
        if self.lesson is not None:
            on_done(self.lesson)
