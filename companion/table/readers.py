"""The reader set up for one table: the game's reader, shown the picture whose truth is known."""

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol, TypeAlias, runtime_checkable

from companion.recording import BadRecording, Recording, load_recording
from companion.referee.game import Table
from companion.registry import GAMES, TILES, game_of, game_of_mat, load, recordings, with_mats
from companion.table.numeric_fault import find_numeric_fault
from companion.table.table_plan import TablePlan
from vision.calibration import Separation
from vision.capture.frame import BadPicture, Frame, load_frame
from vision.geometry.session_values import MARKER_IDS, BadLayout
from vision.geometry.table_view import view_of
from vision.observation import Observation, Reason, Status

MIN_TILES: Final = 3
"""Of a game's four tiles, how many tell that its mat is in view."""

Description: TypeAlias = Mapping[str, Any] | None
"""A session.json, or None for the rig of the instructions."""


class NotCalibrated(BadRecording):
    """A recording whose reader cannot be calibrated with its calibration frame; says why."""


class Reader(Protocol):
    """Reads one game's table."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture whose *truth* is known, in the form of truth.jsonl.

        Raises a ValueError that says in one line why it cannot.
        """

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows, compared with the last picture that was accepted."""

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows, and compare later ones with it.

        table: one class for each place, in the order of the layout; None where nobody knows. A
        picture that was read too long ago changes nothing.
        """


@runtime_checkable
class ComparingReader(Reader, Protocol):
    """A reader that can compare the classes of pieces that it has learned."""

    def find_closest(self) -> Separation | None:
        """Return which two look most alike, None before there are two to compare."""

    def list_unseen(self) -> tuple[str, ...]:
        """Return those that were never shown, so that nobody knows what they look like."""


@dataclass(frozen=True, slots=True)
class Slants:
    """From where a table is read, in degrees from straight above.

    best: from and to.  least: from where on it is worth while; 0 if straight above is.
    """

    best: tuple[int, int] = (0, 35)
    least: int = 0


class ReaderSetup(ABC):
    """How a game's table is read, and how its reader is calibrated.

    reads_uncalibrated: whether the usual colours can be read without a picture whose truth is
        known.
    slants: from where the camera should look.
    """

    reads_uncalibrated: bool = False
    slants: Slants = Slants()

    @abstractmethod
    def open_reader(self, description: Description) -> Reader:
        """Return a reader of the table that *description* lays out; raises BadLayout."""

    def check(
        self, frame: Frame, truth: Mapping[str, Any], description: Description = None, /
    ) -> str | None:
        """Return why *frame* cannot be of *truth* at the table of *description*.

        None if it may be: people mean to teach it.
        """
        return None

    def start_truth(self, action: str) -> Mapping[str, Any] | None:
        """Return what lies there when *action* has begun a round, None if it began none."""
        return None

    def calibration_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return what the reader can be calibrated with from a table on which that lies.

        None if it is too little, or if people have to put something up for it.
        """
        return None

    def known_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return what the host can have learned from a table on which that lies, as the log has it.

        None if it is too little.
        """
        return self.calibration_truth(table)

    def table_of(self, truth: Mapping[str, Any]) -> Table:
        """Return what lies in each place if a picture shows *truth*.

        None in a place of which it says nothing.
        """
        return ()

    def shows(self, observation: Observation, truth: Mapping[str, Any]) -> bool:
        """Return whether *observation* agrees with the *truth* of the picture learned from."""
        return True

    def class_words(self, name: str, /) -> str:
        """Return what people call a class of pieces that a `ComparingReader` names."""
        return name

    def plan(self, description: Description) -> TablePlan | None:
        """Return what lies where on that table; None where nothing is to be drawn."""
        return None


class Unread(ReaderSetup):
    """The set-up of a game that is played without a mat: nothing is read or learned."""

    def __init__(self, title: str) -> None:
        self._title = title

    def open_reader(self, description: Description) -> NoReturn:
        """Refuse."""
        raise BadLayout(f"{self._title} has no mat, so there is nothing to read")


def reader_setup_of(game: str) -> ReaderSetup:
    """Return the reader set-up of *game*, loaded when it is first needed."""
    if not GAMES[game].has_mat:
        return Unread(game_of(game).title)
    setup: ReaderSetup = load(game, "reader_setup").READER_SETUP
    return setup


def usual_table(game: str) -> Mapping[str, Any]:
    """Return how the table of the instructions is laid out for *game*, as a session.json says it.

    That is the table of the recording that ships; {} if none does.
    """
    shipped = recordings().get(game)
    return load_recording(shipped).layout if shipped is not None else {}


def open_reader(recording: Recording, load: Callable[[Path], Frame] = load_frame) -> Reader:
    """Return a reader for *recording*'s game, calibrated with its calibration frame.

    load: reads a picture.
    Raises BadRecording if the game cannot be read or the layout cannot be used, NotCalibrated if
    the calibration frame cannot.
    """
    reader = _open_uncalibrated(recording)
    if recording.calibration is not None:
        name, truth = recording.calibration
        try:
            reader.calibrate(load(recording.path(name)), truth)
        except (ValueError, KeyError, TypeError) as error:
            raise NotCalibrated(f"the calibration frame: {error}") from None
    return reader


def open_lazy_reader(recording: Recording, on_trouble: Callable[[str], None]) -> Reader:
    """Return the same, but it learns when it is first asked, since that may take seconds.

    on_trouble: called then with what is wrong, in the thread that asks.
    Raises BadRecording if anything is wrong that can be told before.
    """
    reader = _open_uncalibrated(recording)
    if recording.calibration is None:
        return reader
    name, truth = recording.calibration
    try:
        frame = load_frame(recording.path(name))
    except BadPicture as error:
        raise NotCalibrated(f"the calibration frame: {error}") from None
    return _LazyReader(reader, frame, truth, on_trouble)


class _LazyReader:
    """A reader that is still to learn from *frame* that *truth* lies there; see `Reader`."""

    def __init__(
        self,
        reader: Reader,
        frame: Frame,
        truth: Mapping[str, Any],
        on_trouble: Callable[[str], None],
    ) -> None:
        self._reader = reader
        self._calibration: tuple[Frame, Mapping[str, Any]] | None = (frame, truth)
        self._on_trouble = on_trouble

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn this instead."""
        self._reader.calibrate(frame, truth)
        self._calibration = None

    def read(self, frame: Frame) -> Observation:
        """Learn first what is still to be learned, then read."""
        if self._calibration is not None:
            calibration, self._calibration = self._calibration, None
            try:
                self._reader.calibrate(*calibration)
            except (ValueError, KeyError, TypeError) as error:
                self._on_trouble(f"the calibration frame: {error}")
        return self._reader.read(frame)

    def believe(self, frame: str, table: Table) -> None:
        """Pass it on."""
        self._reader.believe(frame, table)


def _open_uncalibrated(recording: Recording) -> Reader:
    """Return a reader for *recording* that has learned nothing; raises BadRecording."""
    if (fault := find_numeric_fault()) is not None:
        raise BadRecording(fault)
    if recording.game not in with_mats():
        raise BadRecording(
            f"{recording.folder} is for {recording.game}; the games that can be read are"
            f" {', '.join(with_mats())}"
        )
    # One that was taken at a table of the instructions need not say how that is laid out.
    laid_out = any(key in recording.description for key in ("mat", "layout"))
    description = recording.description if laid_out else usual_table(recording.game)
    try:
        return reader_setup_of(recording.game).open_reader(description or None)
    except BadLayout as error:
        raise BadRecording(f"{recording.folder / 'session.json'}: {error}") from None


def find_games(frame: Frame) -> list[str]:
    """Return the games whose corner tiles are in view, at least three of the four."""
    seen = Counter(number // TILES for number in view_of(frame).find_markers(MARKER_IDS))
    found = (game_of_mat(mat) for mat, count in sorted(seen.items()) if count >= MIN_TILES)
    return [game for game in found if game is not None]


def read_standalone(frame: Frame) -> Observation:
    """Return what a picture from nowhere shows: its tiles choose the game and its usual rig.

    A game whose reader must be calibrated first is UNTAUGHT, tiles of two games are UNCLEAR: never
    a guess.
    """
    games = find_games(frame)
    if not games:
        return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
    if len(games) > 1:
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
    setup = reader_setup_of(games[0])
    if not setup.reads_uncalibrated:
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNTAUGHT)
    return setup.open_reader(None).read(frame)


def read_picture(reader: Reader, path: Path) -> tuple[Observation, str | None]:
    """Return what the picture at *path* shows, and what is wrong with the file, if it is."""
    try:
        return reader.read(load_frame(path)), None
    except BadPicture as error:
        return Observation(path.name, Status.UNREADABLE, reason=Reason.PICTURE), str(error)


def read_picture_timed(
    read: Callable[[Frame], Observation], path: Path
) -> tuple[Observation, float, str | None]:
    """Return what the picture at *path* shows, how long reading took in ms, and what is wrong.

    The time is that of *read* alone; the file was decoded before.
    """
    try:
        frame = load_frame(path)
    except BadPicture as error:
        return Observation(path.name, Status.UNREADABLE, reason=Reason.PICTURE), 0.0, str(error)
    began = time.perf_counter()
    found = read(frame)
    return found, 1000 * (time.perf_counter() - began), None
