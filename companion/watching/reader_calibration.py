"""Calibration of the reader during an evening: from what was saved, from the table, or as told."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from companion.referee.live_session import LiveSession
from companion.session.events import ChanceObserved, Entry
from companion.watching.calibration_picture import calibrate_from_saved, save_calibration_picture
from companion.watching.readers import Reader, reader_setup_of
from companion.watching.watcher import Watcher, warn_of
from vision.capture.exposure_lock import Controls
from vision.capture.frame import Frame

RETRY_S: Final = 1.0
"""The reader tries again this long after it could not be calibrated from the table."""


class ReaderCalibration:
    """Calibrates what *watcher* reads with, for the game that is in play.

    log: beside which calibration pictures are kept.  post: takes what is to be done from the
    watcher's thread to the event loop, where everything else here is called.
    """

    def __init__(
        self,
        watcher: Watcher,
        live_session: LiveSession,
        log: Path,
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._watcher = watcher
        self._live_session = live_session
        self._log = log
        self._post = post
        self._is_calibrated = True

    def prepare(self, game: str) -> Callable[[Reader], Controls]:
        """Return what calibrates the reader of *game* first, as `Watcher.watch` calls it."""
        self._is_calibrated = True
        number = self._live_session.session.number

        def prepare(reader: Reader) -> Controls:
            held = calibrate_from_saved(self._log, game, reader)
            if held is None:
                self._post(partial(self._calibrate_at_start, number))
            return held or {}

        return prepare

    def note(self, entry: Entry) -> None:
        """Calibrate the reader with the first starting line that was seen."""
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
        game = self._live_session.header.game

        def finish(frame: Frame, trouble: str | None, held: Controls) -> None:
            if trouble is None:
                self._is_calibrated = True
                try:
                    save_calibration_picture(self._log, game, frame, truth, held)
                except OSError as error:
                    trouble = f"the camera is calibrated, but this cannot be saved: {error}"
            self._post(partial(on_done, trouble))

        self._watcher.calibrate(truth, reader_setup_of(game).check, finish)

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
