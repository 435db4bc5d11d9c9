"""The reader set up for one table: the game's reader, shown the picture whose truth is known."""

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol, TypeAlias, runtime_checkable

from companion.recording import BadRecording, load_recording
from companion.referee.game import Table
from companion.registry import GAMES, TILES, game_of, game_of_mat, load, recordings
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

    def set_reference(self, frame: str, table: Table) -> None:
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
    px_per_mm: so many pixels of the picture a mm in the middle of the table needs, seen from its
        front: with 0.8 all shipped cards and flat pieces were followed as in whole pictures.
    """

    reads_uncalibrated: bool = False
    slants: Slants = Slants()
    px_per_mm: float = 0.8

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

    def weigh(
        self, frame: Frame, truth: Mapping[str, Any], description: Description, /
    ) -> float | None:
        """Return the log likelihood of *truth* at the table of *description*, by *frame* alone.

        None where the lens makes no difference: columns lean by how near it is, cards do not.
        """
        return None

    def declared_table(self) -> Mapping[str, Any]:
        """Return how the table is laid out, as a session.json says it.

        {} if the set-up declares none.
        """
        return {}

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

    That is the table of the recording that ships, but for its camera; if none does, the one that
    the game's set-up declares.
    """
    shipped = recordings().get(game)
    if shipped is None:
        return reader_setup_of(game).declared_table()
    layout = load_recording(shipped).layout
    return {key: layout[key] for key in layout if key != "image"}


def find_games(frame: Frame) -> list[str]:
    """Return the games whose corner tiles are in view, at least three of the four."""
    seen = Counter(number // TILES for number in view_of(frame).find_markers(MARKER_IDS))
    found = (game_of_mat(mat) for mat, count in sorted(seen.items()) if count >= MIN_TILES)
    return [game for game in found if game is not None]


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
