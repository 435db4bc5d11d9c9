"""Opening readers: of recordings, of single pictures, and of tables whose lens nobody told."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.recording import BadRecording, Recording
from companion.referee.game import Table
from companion.registry import with_mats
from companion.table.numeric_fault import find_numeric_fault
from companion.table.piece_heights import with_likely_lens
from companion.table.readers import (
    Description,
    NotCalibrated,
    Reader,
    ReaderSetup,
    find_games,
    reader_setup_of,
    usual_table,
)
from vision.capture.frame import BadPicture, Frame, load_frame
from vision.geometry.distortion import Distortion
from vision.geometry.layout import parse_mat
from vision.geometry.lens import (
    UNKNOWN,
    Lens,
    NoSuchLens,
    measure_view,
    parse_lens,
    with_lens,
)
from vision.geometry.session_values import BadLayout, take_distortion
from vision.geometry.table_view import straighten, view_of
from vision.observation import Observation, Reason, Status


def measured(
    description: Mapping[str, Any], frame: Frame, prior: Lens = UNKNOWN
) -> Mapping[str, Any]:
    """Return *description* with the lens by which *frame* shows its tiles, if none was told.

    prior: what is known of the lens without them.
    Raises BadLayout, and NoSuchLens if the tiles cannot lie so.
    """
    if not description or parse_lens(description) is not None:
        return description
    return with_lens(description, measure_view(view_of(frame), parse_mat(description), prior))


def open_measuring(
    game: str, description: Description, prior: Callable[[], Lens] = lambda: UNKNOWN
) -> Reader:
    """Return a reader of *game* at a table whose lens may not have been told.

    Such a one is opened anew by the first picture that shows all tiles, and until then by what
    *prior* returns once there are pictures: what the model of the camera tells of its lens.
    Raises BadLayout.
    """
    setup, table = reader_setup_of(game), description or usual_table(game)
    if not table or parse_lens(table) is not None:
        return straightening(setup.open_reader(description), description)
    return _MeasuringReader(setup, table, prior)


def straightening(reader: Reader, description: Description) -> Reader:
    """Return *reader* so that it gets its pictures without the distortion of *description*."""
    distortion = take_distortion(description or {})
    return reader if distortion.k1 == 0.0 else _StraighteningReader(reader, distortion)


class _StraighteningReader:
    """A reader that has its pictures without *distortion*; see `Reader`."""

    def __init__(self, reader: Reader, distortion: Distortion) -> None:
        self._reader = reader
        self._distortion = distortion

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from the straightened picture."""
        self._reader.calibrate(straighten(frame, self._distortion), truth)

    def read(self, frame: Frame) -> Observation:
        """Return what the straightened picture shows."""
        return self._reader.read(straighten(frame, self._distortion))

    def set_reference(self, frame: str, table: Table) -> None:
        """Pass it on."""
        self._reader.set_reference(frame, table)


class _MeasuringReader:
    """A reader whose lens is still to be measured; see `Reader`."""

    def __init__(
        self, setup: ReaderSetup, table: Mapping[str, Any], prior: Callable[[], Lens]
    ) -> None:
        self._setup = setup
        self._table = table
        self._prior = prior
        self._reader: Reader = setup.open_reader(table)
        self._lens = UNKNOWN
        self._is_measured = False

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture, by the lens that it shows."""
        seen = measured(self._table, frame, self._prior())
        self._open(with_likely_lens(self._setup, seen, frame, truth))
        self._is_measured = True
        self._reader.calibrate(frame, truth)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows."""
        if not self._is_measured:
            prior = self._prior()
            lens = self._measure(frame, prior)
            if lens != self._lens:
                self._open(with_lens(self._table, lens))
            self._lens, self._is_measured = lens, lens is not prior
        return self._reader.read(frame)

    def _measure(self, frame: Frame, prior: Lens) -> Lens:
        """Return by which lens *frame* shows the tiles, *prior* if it does not show them so."""
        try:
            return measure_view(view_of(frame), parse_mat(self._table), prior)
        except NoSuchLens:
            return prior

    def _open(self, table: Mapping[str, Any]) -> None:
        self._reader = straightening(self._setup.open_reader(table), table)

    def set_reference(self, frame: str, table: Table) -> None:
        """Pass it on."""
        self._reader.set_reference(frame, table)


def open_reader(recording: Recording, load: Callable[[Path], Frame] = load_frame) -> Reader:
    """Return a reader for *recording*'s game, calibrated with its calibration frame.

    load: reads a picture.
    Raises BadRecording if the game cannot be read or the layout cannot be used, NotCalibrated if
    the calibration frame cannot.
    """
    calibration = _load_calibration(recording, load)
    if calibration is None:
        return _open_uncalibrated(recording)
    frame, truth = calibration
    reader = _open_uncalibrated(recording, calibration)
    try:
        reader.calibrate(frame, truth)
    except (ValueError, KeyError, TypeError) as error:
        raise NotCalibrated(f"the calibration frame: {error}") from None
    return reader


def open_lazy_reader(recording: Recording, on_trouble: Callable[[str], None]) -> Reader:
    """Return the same, but it learns when it is first asked, since that may take seconds.

    on_trouble: called then with what is wrong, in the thread that asks.
    Raises BadRecording if anything is wrong that can be told before.
    """
    calibration = _load_calibration(recording)
    if calibration is None:
        return _open_uncalibrated(recording)
    frame, truth = calibration
    return _LazyReader(_open_uncalibrated(recording, calibration), frame, truth, on_trouble)


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

    def set_reference(self, frame: str, table: Table) -> None:
        """Pass it on."""
        self._reader.set_reference(frame, table)


def _load_calibration(
    recording: Recording, load: Callable[[Path], Frame] = load_frame
) -> tuple[Frame, Mapping[str, Any]] | None:
    """Return the picture to learn from and its truth, None if there is none.

    Raises NotCalibrated.
    """
    if recording.calibration is None:
        return None
    name, truth = recording.calibration
    try:
        return load(recording.path(name)), truth
    except BadPicture as error:
        raise NotCalibrated(f"the calibration frame: {error}") from None


def _open_uncalibrated(
    recording: Recording, calibration: tuple[Frame, Mapping[str, Any]] | None = None
) -> Reader:
    """Return a reader for *recording* that has learned nothing.

    calibration: the picture from which it is to learn, and what that shows: by it the lens is
        measured, if that was not told.
    Raises BadRecording, and NotCalibrated if there can be no such lens.
    """
    if (fault := find_numeric_fault()) is not None:
        raise BadRecording(fault)
    if recording.game not in with_mats():
        raise BadRecording(
            f"{recording.folder} is for {recording.game}; the games that can be read are"
            f" {', '.join(with_mats())}"
        )
    # One that was taken at a table of the instructions need not say how that is laid out.
    laid_out = any(key in recording.description for key in ("mat", "layout"))
    table = (
        recording.description if laid_out else {**usual_table(recording.game), **recording.layout}
    )
    try:
        if calibration is None:
            return open_measuring(recording.game, table or None)
        setup = reader_setup_of(recording.game)
        seen = measured(table, calibration[0])
        if parse_lens(table) is None:
            seen = with_likely_lens(setup, seen, *calibration)
        return straightening(setup.open_reader(seen or None), seen)
    except NoSuchLens as error:
        raise NotCalibrated(f"the calibration frame: {error}") from None
    except BadLayout as error:
        raise BadRecording(f"{recording.folder / 'session.json'}: {error}") from None


def read_standalone(frame: Frame) -> Observation:
    """Return what a picture from nowhere shows: its tiles choose the game and its usual rig.

    A game whose reader must be calibrated first is NOT_CALIBRATED, tiles of two games are UNCLEAR:
    never a guess.
    """
    games = find_games(frame)
    if not games:
        return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
    if len(games) > 1:
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
    if not reader_setup_of(games[0]).reads_uncalibrated:
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.NOT_CALIBRATED)
    return open_measuring(games[0], None).read(frame)
