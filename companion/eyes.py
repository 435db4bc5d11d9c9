"""The eyes set up for one table: the game's reader, shown the picture whose truth is known."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from companion.games import GAMES, TILES, game_of_mat, load
from companion.recording import BadRecording, Recording
from vision.fields import BadLayout
from vision.frame import BadPicture, Frame, Picture, load_frame
from vision.observation import Observation, Reason, Status
from vision.rectify import shrink_to_fit
from vision.tiles import find_tiles

MIN_TILES: Final = 3
"""Of a game's four tiles, how many tell that its mat is in view."""

Description: TypeAlias = Mapping[str, Any] | None
"""A session.json, or None for the rig of the instructions."""


class NotTaught(BadRecording):
    """A recording whose reader learns nothing from its calibration frame; says why."""


class Reader(Protocol):
    """Reads one game's table."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture whose *truth* is known, in the form of truth.jsonl.

        Raises a ValueError that says in one line why it cannot.
        """

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """How a game's table is read, and how its reader is taught.

    open_reader: makes one from a session.json, None for the rig of the instructions; raises
        BadLayout.
    reads_untaught: whether the usual colours can be read without a picture whose truth is known.
    check: says why a picture cannot be of a truth that people mean to teach, None if it may be.
    start_truth: what lies there when an action has begun a round, None if it did not begin one.
    """

    open_reader: Callable[[Description], Reader]
    reads_untaught: bool = False
    check: Callable[[Frame, Mapping[str, Any]], str | None] = lambda *_: None
    start_truth: Callable[[str], Mapping[str, Any] | None] = lambda _: None


def eyes_of(game: str) -> Eyes:
    """Return the eyes of *game*, loaded when they are first wanted."""
    eyes: Eyes = load(game, "eyes").EYES
    return eyes


def open_reader(recording: Recording) -> Reader:
    """Return a reader for *recording*'s game, taught by its calibration frame.

    Raises BadRecording if the game cannot be read or the layout cannot be used, NotTaught if the
    calibration frame cannot.
    """
    if recording.game not in GAMES:
        raise BadRecording(
            f"{recording.folder} is of {recording.game}; what can be read: {', '.join(GAMES)}"
        )
    try:
        reader = eyes_of(recording.game).open_reader(recording.description)
    except BadLayout as error:
        raise BadRecording(f"{recording.folder / 'session.json'}: {error}") from None
    if recording.calibration is not None:
        name, truth = recording.calibration
        try:
            reader.calibrate(load_frame(recording.path(name)), truth)
        except (ValueError, KeyError, TypeError) as error:
            raise NotTaught(f"the calibration frame: {error}") from None
    return reader


def find_games(picture: Picture) -> list[str]:
    """Return the games whose corner tiles are in view, at least three of the four."""
    seen = Counter(number // TILES for number in find_tiles(shrink_to_fit(picture)))
    found = (game_of_mat(mat) for mat, count in sorted(seen.items()) if count >= MIN_TILES)
    return [game for game in found if game is not None]


def read_loose(frame: Frame) -> Observation:
    """Return what a picture from nowhere shows: its tiles choose the game and its usual rig.

    A game that must be learned first is UNTAUGHT, tiles of two games are UNCLEAR: never a guess.
    """
    games = find_games(frame.picture)
    if not games:
        return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
    if len(games) > 1:
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
    eyes = eyes_of(games[0])
    if not eyes.reads_untaught:
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNTAUGHT)
    return eyes.open_reader(None).read(frame)


def look(reader: Reader, path: Path) -> tuple[Observation, str | None]:
    """Return what the picture at *path* shows, and what is wrong with the file, if it is."""
    try:
        return reader.read(load_frame(path)), None
    except BadPicture as error:
        return Observation(path.name, Status.UNREADABLE, reason=Reason.PICTURE), str(error)


def look_timed(
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
