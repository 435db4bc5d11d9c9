"""Setting the camera up for the game in play: looking at the table, and having it learned."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from companion.language.message import Message, listed, say
from companion.recording import Recording
from companion.watching.live_view import LivePicture, LiveView
from companion.watching.reader_calibration import UNCHANGED, Fit, Lesson, ReaderCalibration
from companion.watching.readers import reader_setup_of, usual_table
from companion.watching.table_look import TableLook, look_at
from companion.watching.table_plan import TablePlan
from companion.watching.table_trial import Doubt, Trial, name_class
from companion.watching.view_reader import describe_change, describe_slid
from vision.geometry.corner_fit import CornerFit, fit_to_json
from vision.geometry.corner_tracking import open_pose
from vision.geometry.layout import parse_rig
from vision.geometry.rectification import downscale_to_limit
from vision.geometry.table_tracking import TableTracker, track_table
from vision.geometry.view_watch import ViewWatch
from vision.photometry.conditions import Condition
from vision.photometry.rim_white import learn_rim

WAIT_S: Final = 1.5
"""Whoever looks waits so long for the next picture."""


MORE_LIGHT: Final = say("More light on the table would help.")
TRIED: Final[Mapping[Condition, tuple[Message, Message]]] = {
    Condition.AS_IT_IS: (
        say("as it is"),
        say("Whiter light, more of it, or a camera that is nearer would help."),
    ),
    Condition.LESS_LIGHT: (say("with less light"), MORE_LIGHT),
    Condition.MORE_LIGHT: (
        say("with more light"),
        say("Keep sun and lamps from shining straight onto the table."),
    ),
    Condition.WARMER_LIGHT: (say("with warmer light"), say("Whiter light would help.")),
    Condition.NOISE: (say("with a grainier picture"), MORE_LIGHT),
    Condition.BLUR: (
        say("a little out of focus"),
        say("Focus the camera, or move it nearer."),
    ),
}
"""How people say under which condition a table was tried out, and what would help if it failed."""


class NotFitted(ValueError):
    """Corners that cannot be those of the board; one line says why."""


class TableSetup:
    """Looks at the table for whoever sets the camera up; called from any thread, one at a time.

    live_view: where pictures come from.  calibration: where tables are learned.
    recording: what is shown instead of a camera; nothing can be learned from that.
    is_recorded: whether the table is being recorded, of which the layout cannot change then.
    """

    def __init__(
        self,
        live_view: LiveView,
        calibration: ReaderCalibration,
        recording: Recording | None = None,
        *,
        is_recorded: bool = False,
    ) -> None:
        self._live_view = live_view
        self._calibration = calibration
        self._recording = recording
        self.is_recorded = is_recorded
        self._lock = threading.Lock()
        self._of: tuple[str, Mapping[str, Any] | None] = ("", None)
        self._tracker: TableTracker | None = None
        self._watch: ViewWatch | None = None
        self._moved = ""
        self._newest: TableLook | None = None
        self._picture: LivePicture | None = None
        calibration.on_learned.append(self.restart)

    def restart(self) -> None:
        """Compare with another calibration from now on."""
        self._of = ("", None)

    @property
    def is_recording(self) -> bool:
        """Whether the camera is a recording."""
        return self._recording is not None

    def _table_of(self, game: str) -> Mapping[str, Any]:
        """Return how the table of *game* is laid out, as a session.json says it; {} if unknown."""
        recording = self._recording
        if recording is not None and recording.game == game:
            return recording.layout
        return self._calibration.table_of(game)

    def knows(self, game: str) -> bool:
        """Return whether it is known how the table of *game* is laid out."""
        return bool(self._table_of(game))

    def plan(self, game: str) -> TablePlan | None:
        """Return what lies where on the table of *game*."""
        return reader_setup_of(game).plan(self._table_of(game) or None)

    def is_fitted(self, game: str) -> bool:
        """Return whether the table of *game* is known by its corners, not by tiles."""
        return self._table_of(game)["mat"].get("fit") is not None

    def has_learned(self, game: str) -> bool:
        """Return whether the table of *game* was learned, now or on an earlier evening."""
        return self._calibration.saved(game) is not None

    def look(self, game: str, after: int) -> TableLook:
        """Return what the newest picture shows of the table of *game*, once it is not *after*.

        It may take a second or two; not on the event loop.
        """
        shown = self._live_view.look(after, WAIT_S)
        with self._lock:
            if self._newest is None or self._newest.number != shown.number or shown.frame is None:
                self._newest = self._look(game, shown)
                self._picture = shown
            return self._newest

    def jpeg(self, number: int) -> bytes | None:
        """Return the picture of a look a moment ago, None if it has gone."""
        newest = self._newest
        return newest.jpeg if newest is not None and newest.number == number else None

    def _look(self, game: str, shown: LivePicture) -> TableLook:
        table = self._table_of(game)
        rig = parse_rig(table)
        fit = table["mat"].get("fit")
        if self._of != (game, fit):
            self._begin(game, table)
            self._of = (game, fit)
        # A tracker by tiles remembers where a hidden one lay; here each picture counts alone.
        tracker = self._tracker if fit is not None else None
        if shown.frame is not None and self._watch is not None:
            picture = downscale_to_limit(shown.frame.picture)
            if (change := self._watch.look(picture)) is not None:
                self._moved = describe_change(change)
            if (slid := self._watch.slid) is not None:
                words = describe_slid(slid)
                self._moved = say("{words}.", words=words[:1].upper() + words[1:])
        plan = reader_setup_of(game).plan(table)
        return look_at(shown, rig, plan, tracker or track_table(rig), game, self._moved)

    def _begin(self, game: str, table: Mapping[str, Any]) -> None:
        """Compare with the picture that the table of *game* was learned from."""
        rig = parse_rig(table)
        self._tracker, self._watch, self._moved = track_table(rig), ViewWatch(rig), ""
        saved = self._calibration.saved(game)
        if saved is not None:
            picture = downscale_to_limit(saved.frame.picture)
            self._tracker.locate(picture)
            self._watch.look(picture)

    def fit(self, game: str, corners: tuple[tuple[float, float], ...]) -> Mapping[str, Any]:
        """Return the table of *game* fitted by *corners*, in shares of the picture.

        Raises NotFitted.
        """
        table, picture = usual_table(game), self._picture
        plan = reader_setup_of(game).plan(table or None)
        if plan is None or picture is None or picture.frame is None:
            raise NotFitted(say("there is no picture to fit the corners in; look again"))
        outline, tilts, sheet = plan.outline, plan.own is not None, not plan.is_board
        fit = CornerFit(corners, outline.points, outline.z_mm, tilts=tilts, sheet=sheet)
        shown = downscale_to_limit(picture.frame.picture)
        size = np.array([shown.shape[1], shown.shape[0]], np.float64)
        pose = open_pose(fit, parse_rig(table).hfov_deg, shown.shape, np.array(corners) * size)
        if pose is None:
            raise NotFitted(
                say(
                    "these are not the four corners {of_what}, seen from above; begin with the one"
                    " at the top left of the board, as its near player sees it",
                    of_what=plan.outline_words,
                )
            )
        white, rim = learn_rim(shown, pose, fit)
        return fit_to_json(replace(fit, white=white, rim=rim))

    def learn(
        self,
        truth: Mapping[str, Any],
        on_done: Callable[[Lesson], None],
        fit: Fit = UNCHANGED,
    ) -> None:
        """Learn the next still picture; see `ReaderCalibration.learn`; on the event loop."""
        self._calibration.learn(truth, on_done, fit)


def describe_lesson(
    lesson: Lesson,
    class_words: Callable[[str], str],
    place_words: Callable[[int, str | None], str],
) -> list[Message]:
    """Return in sentences what came of learning: whether it is learned, and what is weakest.

    class_words, place_words: what people call a class of pieces, and what lies in a place.
    """
    if lesson.trouble:
        return [say("Not learned: {reason}.", reason=lesson.trouble.rstrip("."))]
    said = [say("The camera has learned this table.")]
    if lesson.unsaved:
        said.append(
            say(
                "It could not be saved ({reason}); free some space and learn it again, or it is"
                " gone after a restart.",
                reason=lesson.unsaved,
            )
        )
    if lesson.trial.unseen:
        said.append(
            say(
                "Not shown yet: {pieces}. Nobody can say whether they will be told apart. Put up"
                " one of each, as this page offers, and learn again.",
                pieces=listed(map(class_words, lesson.trial.unseen)),
            )
        )
    if lesson.trial.worst is not None:
        said.append(describe_doubt(lesson.trial, lesson.trial.worst, place_words))
    closest = lesson.trial.closest
    if closest is None:
        return said
    names = {"one": class_words(closest.one), "other": name_class(closest.other, class_words)}
    if closest.is_weak:
        said.append(
            say(
                "{one} and {other} look nearly alike under this lamp. Whiter light, or more of it,"
                " tells them apart better; then learn again.",
                **names,
            )
        )
    elif lesson.trial.is_good:
        said.append(
            say(
                "Most alike under this lamp are {one} and {other}, and they are told apart well.",
                **names,
            )
        )
    return said


def describe_doubt(
    trial: Trial, doubt: Doubt, place_words: Callable[[int, str | None], str]
) -> Message:
    """Return in a sentence or two what *trial* found, by its worst *doubt*, and what would help."""
    when, remedy = TRIED[doubt.condition]
    shown = place_words(doubt.place, doubt.shown)
    if doubt.seen is not None:
        return say(
            "Tried out {when}: {shown} was taken for {seen}. {remedy} Then learn again.",
            when=when,
            shown=shown,
            seen=place_words(doubt.place, doubt.seen),
            remedy=remedy,
        )
    count = sum(each.condition is doubt.condition for each in trial.doubts)
    return say(
        "Tried out {when}: {count} of {places} places would not be recognised for sure, such as"
        " this: {shown}. {remedy} Then learn again.",
        when=when,
        count=count,
        places=trial.places,
        shown=shown,
        remedy=remedy,
    )
