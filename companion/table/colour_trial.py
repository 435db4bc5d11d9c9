"""What was learned from colours that came in another way holds only once it has been tried out.

Another release of the decoder, another codec or another size may make other colours of the same
pieces. So the reader is tried with what lies there now before it is believed; until it recognises
that, people are told, and the game is entered by hand.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

from companion.language.message import Message, say
from companion.referee.game import EMPTY, Table
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import remarked
from companion.table.calibration_check import Recogniser, recognises
from companion.table.calibration_picture import SavedCalibration, calibrate
from companion.table.readers import Reader
from vision.capture.colour_origin import ColourOrigin, differing_parts
from vision.capture.frame import Frame
from vision.observation import Observation, Reason, Status

COLOURS: Final = say("the colours")
"""What the pages call it."""
MAX_HANDS: Final = 3
"""A hand in so many looks in a row at a table at rest is none: a whole board of other colours looks
like something that lies on it."""

Opening: TypeAlias = Callable[
    [str, Frame, Mapping[str, Any]], tuple[Reader, Callable[[Frame], Frame]]
]
"""Opens a reader of a game for a picture and what that shows, and what straightens its pictures.

Raises ValueError."""


class ColourTrial:
    """Tries what is known of a set, until it holds for how the colours come now.

    post: takes what is to be done in *live_session* from the watcher's thread, where all is called
        but `expect`, to the event loop.
    origin: how they come now.  opening: see `Opening`.
    keep: told, once it holds, of which game it is and what is known from then on.
    words: what was said last of how the colours come, "" if nothing was; from any thread.
    """

    def __init__(
        self,
        live_session: LiveSession,
        post: Callable[[Callable[[], None]], None],
        origin: Callable[[], ColourOrigin | None],
        keep: Callable[[str, SavedCalibration], None],
        opening: Opening,
    ) -> None:
        self._live_session = live_session
        self._post = post
        self._origin = origin
        self._keep = keep
        self._known: SavedCalibration | None = None
        self._game, self._hands = "", 0
        self._open = opening
        self._tried: tuple[Recogniser, Callable[[Frame], Frame]] | None = None
        self._shown: Table = ()
        self.words = ""

    def expect(self) -> None:
        """Take it that what the game says lies there now; on the event loop."""
        session = self._live_session
        self._shown = session.game.shown(session.session.state)

    def begin(self, game: str, known: SavedCalibration | None) -> None:
        """Go by what is *known* of *game* from now on; there is nothing to try if that is None."""
        self._game, self._known, self._tried, self._hands = game, known, None, 0
        self._tell("")

    def look(self, frame: Frame) -> Observation | None:
        """Return what is to be said instead of reading *frame*, None if it may be read."""
        known, now, expected = self._known, self._origin(), self._expected()
        if known is None or now is None or now in known.origins or not expected:
            return None
        tried = self._tried or self._prepare(known)
        if tried is None:
            return self._refuse(frame, known, now)
        self._tried = tried
        reader, straighten = tried
        seen = reader.recognise(straighten(frame), expected)
        holds = recognises(seen, expected)
        self._hands = self._hands + 1 if seen.reason is Reason.HAND else 0
        if holds is None:
            if self._hands >= MAX_HANDS:
                self._tell(describe_refusal(known, now))
            return Observation(frame.name, seen.status, reason=seen.reason or Reason.UNCLEAR)
        if not holds:
            return self._refuse(frame, known, now)
        if all(place.best == EMPTY for place in seen.places):
            return None  # nothing lies there that would tell
        self._hold(known, now)
        return None

    def _prepare(
        self, known: SavedCalibration
    ) -> tuple[Recogniser, Callable[[Frame], Frame]] | None:
        """Return a reader of its own that has learned what is *known*; None if it cannot."""
        try:
            reader, straighten = self._open(self._game, known.frame, known.truth)
        except ValueError:
            return None
        straight = replace(known, frame=straighten(known.frame))
        if calibrate(reader, straight) is None or not isinstance(reader, Recogniser):
            return None
        return reader, straighten

    def _expected(self) -> Table:
        """Return what the reader has to recognise: what the game says, if anything lies there.

        Of an empty table nobody knows which piece comes first; it has to be recognised for sure.
        """
        shown = self._shown
        has_pieces = any(content not in (None, EMPTY) for content in shown)
        return shown if has_pieces else (None,) * len(shown)

    def _refuse(self, frame: Frame, known: SavedCalibration, now: ColourOrigin) -> Observation:
        self._tell(describe_refusal(known, now))
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.NOT_CALIBRATED)

    def _hold(self, known: SavedCalibration, now: ColourOrigin) -> None:
        self._tell("")
        self.words = describe_success(known, now)
        self._post(partial(self._live_session.show, remarked(self.words)))
        self._known = replace(known, origins=(*known.origins, now))
        self._keep(self._game, self._known)

    def _tell(self, trouble: str) -> None:
        if trouble != self.words:
            self.words = trouble
            self._post(partial(self._live_session.report, COLOURS, trouble))


class TriedReader:
    """A reader that is asked only once *trial* lets it be; see `Reader`."""

    def __init__(self, reader: Reader, trial: ColourTrial) -> None:
        self._reader = reader
        self._trial = trial

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Pass it on."""
        self._reader.calibrate(frame, truth)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows, or that nothing of it can be believed yet."""
        return self._trial.look(frame) or self._reader.read(frame)

    def set_reference(self, frame: str, table: Table) -> None:
        """Pass it on."""
        self._reader.set_reference(frame, table)


def describe_success(known: SavedCalibration, now: ColourOrigin) -> Message:
    """Return in one line that what was learned otherwise holds for how colours come *now*."""
    if not known.origins:
        return say("The colours were learned in an earlier version: tried out, all is right.")
    before, after = differing_parts(known.origins[-1], now)
    return say(
        "The colours were learned with {before}, now {now}: tried out, all is right.",
        before=before,
        now=after,
    )


def describe_refusal(known: SavedCalibration, now: ColourOrigin) -> Message:
    """Return in one line that what was learned otherwise does not hold, with the remedy."""
    if not known.origins:
        return say(
            "learned in an earlier version: tried out, and not recognised; let the table lie as"
            " the game says, or calibrate the camera again"
        )
    before, after = differing_parts(known.origins[-1], now)
    return say(
        "learned with {before}, now {now}: tried out, and not recognised; let the table lie as"
        " the game says, or calibrate the camera again",
        before=before,
        now=after,
    )
