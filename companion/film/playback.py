"""Playback: a recording shown at a table that is served, picture by picture."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import AUTO, Config, TableConfig, table_header
from companion.film.prompting import Prompter
from companion.recording import (
    BadRecording,
    Recording,
    load_actions,
    load_script,
    remaining_frames,
    replay_header,
)
from companion.referee.live_session import LiveSession
from companion.registry import GAMES, game_of, recordings
from companion.rules.base import RulesError
from companion.session.events import SessionClosed
from companion.session.history import ReplayError
from companion.session.log import Log, LogError
from companion.table.reader_opening import open_lazy_reader
from vision.capture.frame import Frame, load_frame

if TYPE_CHECKING:
    from companion.table.readers import Reader

logger = logging.getLogger(__name__)


def shown_folder(config: Config) -> Path:
    """Return the folder of the recording that *config* shows in place of a camera.

    Where it names none that is the one of its game that ships; raises BadRecording if none does.
    """
    if config.camera.folder:
        return Path(config.camera.folder)
    shipped, game = recordings(), config.table.game
    if game == AUTO:
        return next(iter(shipped.values()))
    if game not in shipped:
        raise BadRecording(
            f"no recording of {game_of(game).title} is included; set camera.folder to one, or with"
            " --replay"
        )
    return shipped[game]


class Playback:
    """A recording, read and checked before anything is opened; raises BadRecording.

    header, secrets: what opens its session.  reader: of its pictures, calibrated with the
    first when it is used; None where no eyes watch the game, whose actions are then entered as
    people would.
    on_trouble: called from the reader's thread with what is wrong with that first picture.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.header, self.secrets = replay_header(recording)
        is_watched = GAMES[recording.game].is_watched
        self.on_trouble: Callable[[str], None] = lambda words: logger.warning("%s", words)
        self.reader: Reader | None = None
        if is_watched:
            self.reader = open_lazy_reader(recording, self._report_trouble)
        self._script = load_script(recording) if is_watched else []
        self._actions = [] if is_watched else load_actions(recording)
        self._live_session: LiveSession | None = None
        self._prompter: Prompter | None = None
        self._session = 0

    def _report_trouble(self, words: str) -> None:
        self.on_trouble(words)  # whoever listens by then

    def calibrations(self) -> Iterator[tuple[Frame, Mapping[str, Any]]]:
        """Yield the calibration picture and what lies there, if there is one."""
        if self.recording.calibration is not None:
            name, truth = self.recording.calibration
            yield load_frame(self.recording.path(name)), truth

    def open_session(self, log: Log) -> LiveSession:
        """Take up the session of the recording in *log*, or begin it, and show it there."""
        live_session = LiveSession(log, self.header, self.secrets)
        if live_session.header != self.header:
            live_session.renew(self.header, "another recording was shown", self.secrets)
        self._live_session, self._session = live_session, live_session.session.number
        self._prompter = Prompter(live_session, self._script)
        if self.recording.calibration and not live_session.session.history.acts:
            self._prompter.pass_frame(self.recording.calibration[0])
        return live_session

    def paths(self) -> Sequence[Path]:
        """Return the pictures that have not been shown yet."""
        assert self._live_session is not None
        frames = remaining_frames(self.recording, self._live_session.session.entries)
        return [self.recording.path(name) for name in frames]

    def pass_frame(self, frame: str) -> None:
        """Enter what was said after *frame*."""
        if self._is_on() and self._prompter is not None:
            self._prompter.pass_frame(frame)

    def end(self) -> None:
        """Close the session, so that the next start shows the pictures from the first."""
        if self._is_on() and self._live_session is not None:
            self._live_session.session.append(SessionClosed("the recording has ended"))
            self._live_session.changed()

    async def enter_actions(self, each_s: float) -> None:
        """Enter the actions of a game that no eyes watch, one after each picture's time."""
        assert self._live_session is not None
        known = len(self._live_session.session.history.acts)
        coming = deque(self._actions[known:])
        while coming:
            await asyncio.sleep(each_s)
            if not self._is_on():
                return
            action = coming[0]
            try:
                self._live_session.referee.enter(action)
            except LogError:  # which all pages show; the same action again then
                continue
            except (RulesError, ReplayError) as error:
                logger.warning("%s, '%s': %s", self.recording.folder, action, error)
                return
            coming.popleft()
            self._live_session.changed()

    def _is_on(self) -> bool:
        """Return whether the host has not begun another game meanwhile."""
        live_session = self._live_session
        if live_session is None or live_session.session.number != self._session:
            return False
        entries = live_session.session.entries
        return not (entries and isinstance(entries[-1].event, SessionClosed))


def open_live_session(log: Log, table: TableConfig, playback: Playback | None) -> LiveSession:
    """Take up the unfinished game in *log*, or begin that of the recording or the settings."""
    if playback is not None:
        return playback.open_session(log)
    fixed = table.game != AUTO
    header = table_header(table, table.game if fixed else next(iter(GAMES)))
    live_session = LiveSession(log, header)
    if fixed and live_session.header.game != header.game:
        live_session.renew(header, "another game was chosen in the settings")
    return live_session
