"""The eyes set up for one table: the game's reader, shown the picture whose truth is known."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from companion.recording import BadRecording, Recording
from vision.fields import TILES_PER_MAT, BadLayout
from vision.frame import BadPicture, Frame, load_frame
from vision.rectify import shrink_to_fit
from vision.sight import Look, Reason, Sight, Status
from vision.tiles import find_tiles

if TYPE_CHECKING:
    from vision.line import LineReader

FEWEST_TILES: Final = 3
"""Of a game's four tiles, how many tell that its mat is in view."""

Description: TypeAlias = Mapping[str, Any] | None
"""A session.json, or None for the rig of the instructions."""


class NotTaught(BadRecording):
    """A recording whose reader learns nothing from its calibration frame; says why."""


class Eyes(Protocol):
    """A reader of one game's table."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture whose *truth* is known, in the form of truth.jsonl.

        Raises a ValueError that says in one line why it cannot.
        """

    def read(self, frame: Frame) -> Look:
        """Return what *frame* shows."""


E = TypeVar("E", bound=Eyes)


class LineEyes:
    """Tiki Topple's line, in the form that all games share."""

    def __init__(self, reader: "LineReader") -> None:
        self.reader = reader

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the line in *truth*."""
        self.reader.calibrate(frame, tuple(truth["line"]))

    def read(self, frame: Frame) -> Look:
        """Return the line that *frame* shows."""
        sight = self.reader.read(frame)
        reading = {"line": list(sight.line)} if sight.line is not None else None
        return Look(
            sight.frame,
            sight.status,
            reading,
            sight.slots,
            sight.confidence,
            sight.reason,
            sight.doubtful,
        )


# Each reader is loaded when it is wanted: a table needs one of the five.
# ruff: noqa: PLC0415


def _line_eyes(description: Description) -> LineEyes:
    from vision.layout import TIKI_TOPPLE, parse_layout
    from vision.line import LineReader

    return LineEyes(LineReader(parse_layout(description) if description else TIKI_TOPPLE))


def _stack_eyes(description: Mapping[str, Any]) -> Eyes:
    from vision.grid import parse_stacks
    from vision.stacks import StackReader

    return StackReader(parse_stacks(description))


def _tower_eyes(description: Mapping[str, Any]) -> Eyes:
    from vision.grid import parse_tower
    from vision.tower import TowerReader

    return TowerReader(parse_tower(description))


def _pile_eyes(description: Description) -> Eyes:
    from vision.card_layout import TIPPI_TOPPI, parse_pile_layout
    from vision.piles import PileReader

    return PileReader(parse_pile_layout(description) if description else TIPPI_TOPPI)


def _uno_eyes(description: Mapping[str, Any]) -> Eyes:
    from vision.card_layout import parse_uno_layout
    from vision.discard import UnoReader

    return UnoReader(parse_uno_layout(description))


EYES: Final[Mapping[str, Callable[[Mapping[str, Any]], Eyes]]] = {
    "tiki_topple": _line_eyes,
    "tactiki": _stack_eyes,
    "topple": _tower_eyes,
    "tippi_toppi": _pile_eyes,
    "uno_tiki": _uno_eyes,
}
"""How each game's reader is made from a session.json, in the order of their tiles' numbers."""
UNTAUGHT_EYES: Final[Mapping[str, Callable[[Description], Eyes]]] = {
    "tiki_topple": _line_eyes,
    "tippi_toppi": _pile_eyes,
}
"""The games that are read in their usual colours, without a calibration picture."""


def eyes_for(recording: Recording) -> Eyes:
    """Return the eyes for *recording*'s game, taught by its calibration frame.

    Raises BadRecording if the game cannot be read or the layout cannot be used, NotTaught if the
    calibration frame cannot.
    """
    if recording.game not in EYES:
        games = ", ".join(EYES)
        raise BadRecording(
            f"{recording.folder} is of {recording.game}; what can be read so far: {games}"
        )
    return _taught(recording, EYES[recording.game])


def read_loose(frame: Frame) -> Look:
    """Return what a picture from nowhere shows: its tiles choose the game and its usual rig.

    A game that must be learned first is UNTAUGHT, tiles of two games are UNCLEAR: never a guess.
    """
    seen = Counter(number // TILES_PER_MAT for number in find_tiles(shrink_to_fit(frame.picture)))
    games = [game for mat, game in enumerate(EYES) if seen[mat] >= FEWEST_TILES]
    if not games:
        return Look(frame.name, Status.NO_MAT, reason=Reason.TILES)
    if len(games) > 1:
        return Look(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
    if games[0] not in UNTAUGHT_EYES:
        return Look(frame.name, Status.UNSETTLED, reason=Reason.UNTAUGHT)
    return UNTAUGHT_EYES[games[0]](None).read(frame)


def reader_for(recording: Recording) -> "LineReader":
    """Return the reader of a line of tikis, taught by the recording's calibration frame.

    Raises BadRecording as `eyes_for` does.
    """
    if recording.game != "tiki_topple":
        raise BadRecording(f"{recording.folder} is of {recording.game}, which has no line")
    return _taught(recording, _line_eyes).reader


def _taught(recording: Recording, make: Callable[[Mapping[str, Any]], E]) -> E:
    try:
        eyes = make(recording.description)
    except BadLayout as error:
        raise BadRecording(f"{recording.folder / 'session.json'}: {error}") from None
    if recording.calibration is not None:
        name, truth = recording.calibration
        try:
            eyes.calibrate(load_frame(recording.path(name)), truth)
        except (ValueError, KeyError, TypeError) as error:
            raise NotTaught(f"the calibration frame: {error}") from None
    return eyes


def look(reader: "LineReader", path: Path) -> tuple[Sight, str | None]:
    """Return what line the picture at *path* shows, and what is wrong with the file, if it is."""
    try:
        return reader.read(load_frame(path)), None
    except BadPicture as error:
        return Sight(path.name, Status.UNREADABLE, reason=Reason.PICTURE), str(error)


def look_timed(read: Callable[[Frame], Look], path: Path) -> tuple[Look, float, str | None]:
    """Return what the picture at *path* shows, how long reading took in ms, and what is wrong.

    The time is that of *read* alone; the file was decoded before.
    """
    try:
        frame = load_frame(path)
    except BadPicture as error:
        return Look(path.name, Status.UNREADABLE, reason=Reason.PICTURE), 0.0, str(error)
    began = time.perf_counter()
    found = read(frame)
    return found, 1000 * (time.perf_counter() - began), None
