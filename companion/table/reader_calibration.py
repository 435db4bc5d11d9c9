"""Calibration of the reader during an evening: from what was saved, from the table, or as told.

This is the one place where a table is learned; the set-up page, the host's desk, `tiki setup` and
the game's own start all come here.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.language.message import say
from companion.listeners import Listeners
from companion.referee.live_session import LiveSession
from companion.session.events import ChanceObserved, Entry
from companion.table.calibration_check import CalibrationCheck, check_calibration
from companion.table.calibration_picture import (
    SavedCalibration,
    calibrate,
    load_calibration,
    load_fit,
    save_calibration_picture,
    save_origins,
)
from companion.table.camera_lens import are_apart, better_of, load_lens, save_lens
from companion.table.colour_trial import ColourTrial, TriedReader
from companion.table.piece_heights import with_likely_lens
from companion.table.reader_opening import measured, open_measuring
from companion.table.readers import (
    Description,
    Reader,
    reader_setup_of,
    usual_table,
)
from companion.table.watcher import Watcher, warn_of
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.frame import Frame
from vision.capture.sensor_mode import LostView
from vision.geometry.corner_fit import with_fit
from vision.geometry.lens import UNKNOWN, UNSURE_ERROR, Lens, NoSuchLens, parse_lens, with_lens
from vision.geometry.session_values import take_distortion
from vision.geometry.table_view import straighten

RETRY_S: Final = 1.0
"""The reader tries again this long after it could not be calibrated from the table."""
TOLD_ERROR: Final = 0.005
"""Of a focal length that somebody told, while it is measured how much the lens bends lines."""
UNCHANGED: Final[Mapping[str, Any]] = {}
"""The table stays fitted as it is."""

UNCHECKED: Final = CalibrationCheck()

Fit: TypeAlias = Mapping[str, Any] | None
"""How a table is fitted by its corners, as a session.json says it; None by its tiles."""


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """What came of learning a table.

    trouble: why it was not learned, in one line; "" if it was.
    unsaved: why it is gone after a restart, "" if it is saved.
    trial: what came of trying it out.
    problem: what was wrong with the picture all the same, in one sentence; "" if nothing was.
    unheld: what the camera does not hold, by the device's own names.
    lens: what is known of the camera's lens now; None if nothing is.
    contradicting: by what lens the tiles are seen, where that cannot be the one that was told.
    """

    trouble: str = ""
    unsaved: str = ""
    trial: CalibrationCheck = UNCHECKED
    problem: str = ""
    unheld: tuple[str, ...] = ()
    lens: Lens | None = None
    contradicting: Lens | None = None


class ReaderCalibration:
    """Calibrates what *watcher* reads with, for the game that is in play.

    log: beside which calibration pictures are kept.  post: takes what is to be done from the
    watcher's thread to the event loop, where everything else here is called.
    rig: the name of the camera, for which they are kept.
    wrap: returns a reader of the table that is described as the watcher is to have it.
    told: the camera's lens, if somebody has told it.
    on_learned: tells on the event loop once another calibration holds.
    judge: returns what is wrong with a picture of a game at a table, "" if nothing is; called in
        the watcher's thread.
    """

    def __init__(
        self,
        watcher: Watcher,
        live_session: LiveSession,
        log: Path,
        post: Callable[[Callable[[], None]], None],
        rig: str = "",
        wrap: Callable[[Reader, Description], Reader] = lambda reader, _: reader,
        told: Lens | None = None,
    ) -> None:
        self._watcher = watcher
        self._live_session = live_session
        self._log = log
        self.post = post
        self._rig = rig
        self._wrap = wrap
        self._told = told
        self._measured: Lens | None = None
        self._is_calibrated = True
        self._learned: dict[str, SavedCalibration] = {}
        self._trial = ColourTrial(
            live_session, post, lambda: watcher.origin, self._note_origin, self._open_trial
        )
        self.on_learned: Listeners[[]] = Listeners()
        self.judge: Callable[[str, Mapping[str, Any], Frame], str] = lambda *_: ""

    @property
    def is_calibrated(self) -> bool:
        """Whether the reader in use was ever shown a known table, as far as is known."""
        return self._is_calibrated

    def saved(self, game: str) -> SavedCalibration | None:
        """Return what the reader of *game* was calibrated with last, None if it never was.

        It may have to be read from the disk; from any thread.
        """
        return self._learned.get(game) or load_calibration(self._log, game, self._rig)

    def table_of(self, game: str) -> Mapping[str, Any]:
        """Return how the table of *game* is laid out here, as a session.json says it."""
        return self._describe(game, self._fit_of(game), self.lens)

    def _describe(self, game: str, fit: Fit, lens: Lens | None) -> Mapping[str, Any]:
        table = with_fit(usual_table(game), fit)
        return with_lens(table, lens) if table and lens is not None else table

    @property
    def lens(self) -> Lens | None:
        """What was told of the camera's lens, else what was measured; None if nothing is known.

        Nobody tells how much it bends lines.
        """
        if self._measured is None:
            self._measured = load_lens(self._log, self._rig)
        if self._told is None or self._measured is None:
            return self._told or self._measured
        return replace(self._told, k1=self._measured.k1)

    @property
    def model_lens(self) -> Lens:
        """What the model of the camera tells of its lens."""
        return self._watcher.lens or UNKNOWN

    @property
    def lost_view(self) -> LostView | None:
        """What the camera's pictures lack of its view, None if nothing."""
        return self._watcher.lost_view

    @property
    def colour_words(self) -> str:
        """What is to be said of how the colours come, "" for nothing; from any thread."""
        return self._trial.words

    def open_reader(self, game: str, table: Description) -> Reader:
        """Return a reader of *game* at that *table*; until its lens is measured, by the model's."""
        reader = open_measuring(game, table, lambda: self.model_lens)
        return TriedReader(self._wrap(reader, table), self._trial)

    def adopt_lens(self, lens: Lens) -> str:
        """Rely on *lens* in every game from now on, and learn the table in play anew by it.

        Return why it cannot be saved, "" if it is.  On the event loop.
        """
        unsaved = self._keep_lens(lens)
        game = self._live_session.header.game
        reader = self.open_reader(game, self.table_of(game) or None)
        self._watcher.watch(game, reader, self.prepare(game))
        self.on_learned.tell()
        return unsaved

    def _keep_lens(self, lens: Lens) -> str:
        self._measured = lens
        try:
            save_lens(self._log, self._rig, lens)
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def _fit_of(self, game: str) -> Fit:
        learned = self._learned.get(game)
        return load_fit(self._log, game, self._rig) if learned is None else learned.fit

    def change_camera(self, rig: str) -> None:
        """Go by what was learned with the camera named *rig* from now on."""
        self._rig, self._learned, self._measured = rig, {}, None
        self.on_learned.tell()

    def prepare(self, game: str) -> Callable[[Reader], Controls]:
        """Return what calibrates the reader of *game* first, as `Watcher.watch` calls it."""
        self._is_calibrated = True
        number = self._live_session.session.number
        known = self._learned.get(game)
        self._trial.expect()

        def prepare(reader: Reader) -> Controls:
            used, held = known, calibrate(reader, known)
            if held is None:
                used = load_calibration(self._log, game, self._rig)
                held = calibrate(reader, used)
            self._trial.begin(game, None if held is None else used)
            if held is None:
                self.post(partial(self._calibrate_at_start, number))
            return held or {}

        return prepare

    def _open_trial(
        self, game: str, frame: Frame, truth: Mapping[str, Any]
    ) -> tuple[Reader, Callable[[Frame], Frame]]:
        """Return a reader for `ColourTrial`, in the watcher's thread."""
        untold = self._describe(game, self._fit_of(game), None)
        table = self._with_best_lens(untold, frame, truth)
        distortion = take_distortion(table)
        reader = reader_setup_of(game).open_reader(table or None)
        return reader, lambda picture: straighten(picture, distortion)

    def _note_origin(self, game: str, known: SavedCalibration) -> None:
        self._learned[game] = known
        with contextlib.suppress(OSError, ValueError):  # it is tried out again at the next start
            save_origins(self._log, game, known, self._rig)

    def note(self, entry: Entry) -> None:
        """Calibrate the reader with the first starting line that was seen."""
        self._trial.expect()
        event = entry.event
        if self._is_calibrated or not isinstance(event, ChanceObserved) or event.frame is None:
            return
        truth = reader_setup_of(self._live_session.header.game).start_truth(event.action)
        if truth is not None:
            self.calibrate(truth, warn_of)

    def calibrate(self, truth: Mapping[str, Any], on_done: Callable[[str | None], None]) -> None:
        """Calibrate with the next still picture, which shows *truth*.

        on_done: called on the event loop with None, or with what went wrong.
        """

        def finish(lesson: CalibrationResult) -> None:
            unsaved = lesson.unsaved and say(
                "the camera is calibrated, but the calibration cannot be saved: {reason}",
                reason=lesson.unsaved,
            )
            on_done(lesson.trouble or unsaved or None)

        self._learn(truth, finish, UNCHANGED, is_tried=False)

    def learn(
        self,
        truth: Mapping[str, Any],
        on_done: Callable[[CalibrationResult], None],
        fit: Fit = UNCHANGED,
    ) -> None:
        """Learn the next still picture, which shows *truth*, and tell what came of it.

        It is tried out first, with a reader of its own: a table that cannot be learned leaves the
        present calibration as it is.
        fit: how the table is fitted from now on.  on_done: called on the event loop.
        """
        self._learn(truth, on_done, fit, is_tried=True)

    def _learn(
        self,
        truth: Mapping[str, Any],
        on_done: Callable[[CalibrationResult], None],
        fit: Fit,
        *,
        is_tried: bool,
    ) -> None:
        game = self._live_session.header.game
        setup, kept_fit = reader_setup_of(game), self._fit_of(game)
        new_fit = kept_fit if fit is UNCHANGED else fit
        untold = self._describe(game, new_fit, None)
        tables: list[Mapping[str, Any]] = [untold]
        trials: list[CalibrationCheck] = []

        def check(frame: Frame, truth: Mapping[str, Any]) -> str | None:
            tables.append(self._with_best_lens(untold, frame, truth))
            straight = straighten(frame, take_distortion(tables[-1]))
            if trouble := setup.check(straight, truth, tables[-1] or None):
                return trouble
            if is_tried:
                trials.append(check_calibration(setup, tables[-1] or None, straight, truth))
            return None

        def finish(frame: Frame, trouble: str | None, lock: Lock) -> None:
            unsaved, held, lens = "", lock.controls, parse_lens(tables[-1])
            if trouble is None:
                self._is_calibrated = True
                origins = tuple(filter(None, (self._watcher.origin,)))
                known = SavedCalibration(frame, truth, held, new_fit, origins)
                self._learned[game] = known
                self._trial.begin(game, known)
                if lens is not None:
                    # An angle that is no setting any more is measured anew.
                    error = lens.error if self._told is None else UNKNOWN.error
                    unsaved = self._keep_lens(replace(lens, error=error))
                try:
                    save_calibration_picture(self._log, game, known, self._rig)
                except OSError as error:
                    unsaved = error.strerror or str(error)
                self.post(self.on_learned.tell)
            trial = trials[-1] if trials else UNCHECKED
            problem = self.judge(game, tables[-1], frame) if is_tried else ""
            apart = self._find_contradicting(untold, frame) if is_tried else None
            lesson = CalibrationResult(
                trouble or "", unsaved, trial, problem, lock.refused, lens, apart
            )
            self.post(partial(on_done, lesson))

        def reopen() -> Reader:
            return self.open_reader(game, tables[-1] or None)

        self._watcher.calibrate(truth, check, finish, reopen)

    def _with_best_lens(
        self, table: Mapping[str, Any], frame: Frame, truth: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return *table* with the lens that was told, or the better of the kept and *frame*'s.

        What is kept is no prior for what is measured: the same view twice tells nothing new.
        Raises NoSuchLens.
        """
        if self._told is not None:
            return with_lens(table, self._see_bend(table, frame)) if table else table
        model, kept = self.model_lens, self.lens
        seen = measured(table, frame, model)
        if kept is None or kept.error > UNSURE_ERROR:
            setup = reader_setup_of(self._live_session.header.game)
            seen = with_likely_lens(setup, seen, frame, truth)
        lens = parse_lens(seen)
        if lens is None or kept is None:
            return seen
        has_told = lens.error < round(model.error, 4)
        return with_lens(table, better_of(kept, lens) if has_told else kept)

    def _see_bend(self, table: Mapping[str, Any], frame: Frame) -> Lens:
        """Return the lens that was told, bending lines as *frame* shows them by its angle."""
        told = self.lens or UNKNOWN
        if self._find_contradicting(table, frame) is not None:
            return told
        try:
            seen = parse_lens(measured(table, frame, replace(told, error=TOLD_ERROR)))
        except NoSuchLens:
            return told
        return told if seen is None else replace(told, k1=seen.k1)

    def _find_contradicting(self, table: Mapping[str, Any], frame: Frame) -> Lens | None:
        """Return by what lens *frame* shows the tiles, if that cannot be the one that was told."""
        if self._told is None:
            return None
        try:
            seen = parse_lens(measured(table, frame))
        except NoSuchLens:
            return None
        return seen if seen is not None and are_apart(seen, self._told) else None

    def _calibrate_at_start(self, number: int) -> None:
        """Calibrate the reader with the table before the first move of session *number*.

        What lies there otherwise, or a hand, puts that off; who plays on regardless is not watched
        until the host calibrates the reader.
        """
        session = self._live_session.session
        first = reader_setup_of(session.header.game).calibration_truth(
            self._live_session.game.shown(session.state)
        )
        if session.number != number:
            return
        if session.header.game in self._learned:  # somebody has taught another table meanwhile
            self._live_session.report("the table", "")
            return
        self._is_calibrated = False
        if first is None or session.history.acts:
            self._live_session.report("the table", "")
            return

        def report(trouble: str | None) -> None:
            words = f"not ready to start: {trouble}" if trouble else ""
            self._live_session.report("the table", words)
            if trouble:
                retry = partial(self._calibrate_at_start, number)
                asyncio.get_running_loop().call_later(RETRY_S, retry)

        self.calibrate(first, report)
