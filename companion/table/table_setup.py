"""Setting the camera up for the game in play: looking at the table, and having it learned."""

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from companion.language.message import Message, as_sentence, say
from companion.recording import Recording
from companion.table.camera_choice import describe_choice, describe_lost_view
from companion.table.lens_measuring import LensMeasuring
from companion.table.live_view import LivePicture, LiveView
from companion.table.reader_calibration import UNCHANGED, CalibrationResult, Fit, ReaderCalibration
from companion.table.readers import reader_setup_of, usual_table
from companion.table.table_look import TableLook, inspect, look_at
from companion.table.table_plan import TablePlan
from companion.table.table_problem import LaidTable, find_problem
from companion.table.view_reader import describe_change, describe_slid
from vision.capture.device import DeviceSettings
from vision.capture.flicker import FlickerWatch
from vision.capture.frame import Frame
from vision.capture.preview_frame import luma_of
from vision.capture.video_nodes import list_video_nodes
from vision.geometry.corner_fit import CornerFit, fit_to_json
from vision.geometry.corner_tracking import open_pose
from vision.geometry.layout import parse_mat
from vision.geometry.lens import UNKNOWN, UNSURE_ERROR, Lens, NoSuchLens, measure_view, parse_lens
from vision.geometry.session_values import take_distortion
from vision.geometry.table_tracking import TableTracker, track_table
from vision.geometry.table_view import straighten, view_of
from vision.geometry.view_watch import ViewWatch
from vision.photometry.rim_white import learn_rim

WAIT_S: Final = 1.5
"""Whoever looks waits so long for the next picture."""
LOOKS_THAT_FLICKER: Final = 3
"""So many, of three in a second, until it is said that the light flickers."""


WRONG_WAY_ROUND: Final = say(
    "the corners go the wrong way round: seen from the near side, number 2 belongs to the"
    " right of number 1. If the camera mirrors its picture, switch that off in its settings"
)


class NotFitted(ValueError):
    """Corners that cannot be those of the board; one line says why."""


class TableSetup:
    """Looks at the table for whoever sets the camera up; called from any thread, one at a time.

    live_view: where pictures come from.  calibration: where tables are learned.
    recording: what is shown instead of a camera; nothing can be learned from that.
    is_recorded: whether the table is being recorded, of which the layout cannot change then.
    camera: which one is opened, None if that is not known.
    measuring: measures its lens.
    """

    def __init__(
        self,
        live_view: LiveView,
        calibration: ReaderCalibration,
        recording: Recording | None = None,
        *,
        is_recorded: bool = False,
        camera: DeviceSettings | None = None,
    ) -> None:
        self._live_view = live_view
        self._calibration = calibration
        self._recording = recording
        self.is_recorded = is_recorded
        self._camera = camera
        self._lock = threading.Lock()
        self._of: tuple[str, Mapping[str, Any] | None] = ("", None)
        self._tracker: TableTracker | None = None
        self._watch: ViewWatch | None = None
        self._moved = ""
        self._flicker = FlickerWatch(LOOKS_THAT_FLICKER)
        self._newest: TableLook | None = None
        self._newest_drags = False
        self._seen_lens = UNKNOWN
        self._picture: LivePicture | None = None
        self.measuring = LensMeasuring(live_view, calibration)
        calibration.on_learned.add(self.restart)
        calibration.judge = self._judge

    def restart(self) -> None:
        """Compare with another calibration from now on."""
        self._of = ("", None)

    @property
    def is_recording(self) -> bool:
        """Whether the camera is a recording."""
        return self._recording is not None

    @property
    def choice(self) -> Message | None:
        """Which camera is watched, if there are others; None if there is no choice."""
        camera = self._camera
        return None if camera is None else describe_choice(camera, list_video_nodes())

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

    def look(self, game: str, after: int, *, drags_corners: bool = False) -> TableLook:
        """Return what the newest picture shows of the table of *game*, once it is not *after*.

        It may take a second or two; not on the event loop.
        drags_corners: whether people fit the table by its corners, so that tiles do not matter.
        """
        shown = self._live_view.look(after, WAIT_S)
        with self._lock:
            newest = self._newest
            is_same = newest is not None and newest.number == shown.number and shown.frame
            if newest is None or not is_same or self._newest_drags is not drags_corners:
                lost = self._calibration.lost_view
                remark = describe_lost_view(lost) if lost else self._calibration.colour_words
                newest = replace(self._look(game, shown, drags_corners), remark=remark)
                self._newest = newest
                self._newest_drags = drags_corners
                self._picture = shown
            return newest

    def jpeg(self, number: int) -> bytes | None:
        """Return the picture of a look a moment ago, None if it has gone."""
        newest = self._newest
        return newest.jpeg if newest is not None and newest.number == number else None

    def _look(self, game: str, shown: LivePicture, drags_corners: bool) -> TableLook:
        table, frame = self._table_of(game), shown.frame
        fit = table["mat"].get("fit")
        if self._of != (game, fit):
            self._begin(game, table)
            self._of = (game, fit)
        if frame is None:
            return look_at(shown, None)
        lens = self._find_lens(table, frame, by_tiles=fit is None and not drags_corners)
        frame = straighten(frame, lens.distortion)
        if self._watch is not None:
            if (change := self._watch.look(view_of(frame))) is not None:
                self._moved = describe_change(change)
            if (slid := self._watch.slid) is not None:
                self._moved = as_sentence(describe_slid(slid))
        if self._picture is not shown:
            self._flicker.look(luma_of(frame.picture))
        # A tracker by tiles remembers where a hidden one lay; here each picture counts alone.
        tracker = self._tracker if fit is not None else None
        laid, flicker = LaidTable.of(game, table, lens), self._flicker.found
        found = inspect(frame, laid, tracker, flicker, drags_corners=drags_corners)
        if found.pose is None:
            self._seen_lens = UNKNOWN
        return look_at(shown, found, self._moved)

    @property
    def known_lens(self) -> Lens | None:
        """What was told of the camera's lens, else what was measured; None if nothing is known."""
        return self._calibration.lens

    def _find_lens(self, table: Mapping[str, Any], frame: Frame, *, by_tiles: bool) -> Lens:
        """Return the lens: as it was told or learned, else of the model, else as tiles show it.

        What they are not sure of is no better than a usual lens.
        """
        told, model = parse_lens(table), self._calibration.model_lens
        if told is not None:
            return told
        if not by_tiles or model.error <= UNSURE_ERROR:
            return model
        if self._seen_lens is UNKNOWN:
            with contextlib.suppress(NoSuchLens):
                seen = measure_view(view_of(frame), parse_mat(table), model)
                self._seen_lens = seen if seen.error <= UNSURE_ERROR else UNKNOWN
        return self._seen_lens

    def _lay(self, game: str, table: Mapping[str, Any]) -> LaidTable:
        return LaidTable.of(game, table, self._calibration.model_lens)

    def _judge(self, game: str, table: Mapping[str, Any], frame: Frame) -> str:
        """Return what is wrong with a picture that was learned from, "" if nothing is."""
        if not table:
            return ""
        straight = straighten(frame, take_distortion(table))
        found = inspect(straight, self._lay(game, table), flicker=self._flicker.found)
        return find_problem(found) or ""

    def _begin(self, game: str, table: Mapping[str, Any]) -> None:
        """Compare with the picture that the table of *game* was learned from."""
        self._seen_lens = UNKNOWN
        rig = self._lay(game, table).rig
        self._tracker, self._watch, self._moved = track_table(rig), ViewWatch(rig), ""
        saved = self._calibration.saved(game)
        if saved is not None:
            view = view_of(straighten(saved.frame, take_distortion(table)))
            self._tracker.locate(view)
            self._watch.look(view)

    def fit(self, game: str, corners: tuple[tuple[float, float], ...]) -> Mapping[str, Any]:
        """Return the table of *game* fitted by *corners*, in shares of the picture.

        Raises NotFitted.
        """
        table, picture = usual_table(game), self._picture
        plan = reader_setup_of(game).plan(table or None)
        if plan is None or picture is None or picture.frame is None:
            raise NotFitted(say("there is no picture yet to find the corners in; try again"))
        outline, tilts, sheet = plan.outline, plan.own is not None, not plan.is_board
        fit = CornerFit(corners, outline.points, outline.z_mm, tilts=tilts, sheet=sheet)
        lens = take_distortion(self._table_of(game))
        shown = view_of(straighten(picture.frame, lens)).picture
        pixels = np.array(corners) * (shown.shape[1], shown.shape[0])
        hfov_deg = self._lay(game, self._table_of(game)).rig.hfov_deg
        pose = open_pose(fit, hfov_deg, shown.shape, pixels)
        if pose is None:
            if open_pose(fit, hfov_deg, shown.shape, pixels[[1, 0, 3, 2]]) is not None:
                raise NotFitted(WRONG_WAY_ROUND)
            raise NotFitted(
                say(
                    "these are not the four corners {of_what}, seen from above; begin with"
                    " the top left one, as seen from the near side",
                    of_what=plan.outline_words,
                )
            )
        white, rim = learn_rim(shown, pose, fit)
        return fit_to_json(replace(fit, white=white, rim=rim))

    def learn(
        self,
        truth: Mapping[str, Any],
        on_done: Callable[[CalibrationResult], None],
        fit: Fit = UNCHANGED,
    ) -> None:
        """Learn the next still picture; see `ReaderCalibration.learn`; on the event loop."""
        self._calibration.learn(truth, on_done, fit)
