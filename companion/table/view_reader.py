"""A reader that also says what has changed since it was calibrated.

A bumped camera or board, a corner tile that slid away, too little or too much light, a lens that is
smeared or out of focus. The board is found again by itself; for the rest people are asked.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from companion.language.message import Message, say
from companion.referee.game import Table
from companion.table.picture_faults import (
    CORNER_TILES,
    CORNERS,
    describe_fault,
    list_faults,
    size_trouble,
)
from companion.table.readers import Reader
from vision.capture.frame import Frame, Picture
from vision.capture.light_watch import LightWatch
from vision.capture.picture_fault import PictureFault
from vision.capture.preview_frame import luma_of
from vision.geometry.layout import Rig
from vision.geometry.table_view import TableView, view_of
from vision.geometry.tile_looks import TileLooks
from vision.geometry.tile_scale import measure_tile_scale
from vision.geometry.view_watch import Mover, ViewChange, ViewWatch
from vision.observation import Observation, Status
from vision.photometry.meters import measure

MAT: Final = say("the mat")
PICTURE: Final = say("the picture")
VIEW_DEVICES: Final = (MAT, PICTURE, CORNER_TILES)
"""What a `ViewReader` reports of."""
TURNED_RING: Final = say(
    "The camera’s zoom or focus ring was turned. Turn it back, or calibrate the camera again."
)
OTHER_SHAPE: Final = say(
    "The camera’s pictures have another shape than before, and it may look wider or less wide now."
    " Calibrate the camera again."
)
READS_A_LOOK: Final = 4
"""Light and lens are judged with every picture that cannot be read or has other light than the last
that was judged, and with each fourth of the others: it takes half as long as reading."""
MAX_UNMEASURED: Final = 40
"""Pictures without all four tiles after which their print is not measured any more."""
MIN_TILES: Final = 2
"""Fewer do not tell where the table is."""


class ViewReader:
    """Reads as *reader* does, and watches the view of *rig*.

    on_change: called with one line on what has moved, after the board was found again.
    report: called with what is concerned and what is wrong with it, "" once all is well.
    Both are called by the thread that reads.
    """

    def __init__(
        self,
        reader: Reader,
        rig: Rig,
        on_change: Callable[[str], None],
        report: Callable[[str, str], None],
    ) -> None:
        self._reader = reader
        self._reads = 0
        self._watch = ViewWatch(rig)
        self._looks = TileLooks()
        self._light = LightWatch()
        self._ids = rig.mat.marker_ids if rig.mat.fit is None else tuple(range(len(CORNERS)))
        self._rig = rig
        self._suspected: PictureFault | None = None
        self._on_change = on_change
        self._report = report
        self._unmeasured = 0 if rig.mat.fit is None else MAX_UNMEASURED
        self._reported: dict[str, str] = dict.fromkeys(VIEW_DEVICES, "")

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture, and take the view that it has for the right one."""
        self._reader.calibrate(frame, truth)
        self._watch.restart()
        self._looks.restart()
        self._look(frame, closely=True)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows, and say what has changed since the last one."""
        observation = self._reader.read(frame)
        self._reads += 1
        self._look(frame, closely=observation.status is not Status.OK)
        return observation

    def set_reference(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows."""
        self._reader.set_reference(frame, table)

    def _look(self, frame: Frame, *, closely: bool) -> None:
        view = view_of(frame)
        change = self._watch.look(view)
        if change is not None:
            self._on_change(describe_change(change))
        slid = self._watch.slid
        self._tell(MAT, "" if slid is None else describe_slid(slid))
        if self._unmeasured < MAX_UNMEASURED:
            self._measure_print(view)
        luma = luma_of(view.picture)
        if (
            closely
            or self._wants_another
            or self._reads % READS_A_LOOK == 0
            or self._light.has_changed(luma)
        ):
            self._light.note(luma)
            self._judge(view.picture, is_unread=closely)

    def _measure_print(self, view: TableView) -> None:
        """Say of tiles that were printed too small or large that they are, until they are right."""
        scale = measure_tile_scale(view, self._rig.mat)
        if scale is None:
            self._unmeasured += 1
            return
        trouble = size_trouble(scale, self._rig.mat)
        self._tell(CORNER_TILES, trouble or "")
        if trouble is None:
            self._unmeasured = MAX_UNMEASURED

    @property
    def _wants_another(self) -> bool:
        return self._looks.wants_another or bool(self._reported[PICTURE])

    def _judge(self, picture: Picture, *, is_unread: bool) -> None:
        found = self._looks.judge(picture, self._watch.corners)
        if found is None:
            self._tell(PICTURE, self._find_fault(picture) if is_unread else "")
        else:
            fault, tile = found
            corner = None if tile is None else self._ids.index(tile)
            self._tell(PICTURE, describe_fault(fault, corner))

    def _find_fault(self, picture: Picture) -> str:
        """Return what keeps *picture* from being read, "" for nothing.

        It counts once two pictures in a row agree: an arm's shadow passes.
        """
        tiles, fault = self._watch.corners, None
        if self._rig.mat.fit is None and len(tiles) >= MIN_TILES:
            meters = measure(picture, np.concatenate(list(tiles.values())), tiles)
            fault = next(list_faults(meters), None)
        suspected, self._suspected = self._suspected, fault
        if fault is None or fault is not suspected:
            return ""
        words = describe_fault(fault)
        if fault is PictureFault.BLURRED:
            return words
        return say("{fault}; then calibrate the camera again", fault=words)

    def _tell(self, device: str, trouble: str) -> None:
        if trouble != self._reported[device]:
            self._reported[device] = trouble
            self._report(device, trouble)


def describe_change(change: ViewChange) -> Message:
    """Return in one line what has moved, where to, and that nobody has to do anything.

    >>> describe_change(ViewChange(Mover.CAMERA, -8.2, 1.0))
    'The camera moved 8 mm to the left; the board was found again.'
    >>> describe_change(ViewChange(Mover.BOARD, 0.4, 1.8, 6.3))
    'The board moved 2 mm towards the near side and turned by 6°; it was found again.'
    """
    if change.mover is Mover.ZOOM:
        return TURNED_RING
    if change.mover is Mover.SHAPE:
        return OTHER_SHAPE
    mm, deg = round(change.shift_mm), round(abs(change.turn_deg))
    where = _direction(change)
    if change.mover is Mover.CAMERA and deg:
        return say(
            "The camera moved {mm} mm {where} and turned by {deg}°; the board was found again.",
            mm=mm,
            where=where,
            deg=deg,
        )
    if change.mover is Mover.CAMERA:
        return say(
            "The camera moved {mm} mm {where}; the board was found again.", mm=mm, where=where
        )
    if change.mover is Mover.BOARD and deg:
        return say(
            "The board moved {mm} mm {where} and turned by {deg}°; it was found again.",
            mm=mm,
            where=where,
            deg=deg,
        )
    if change.mover is Mover.BOARD:
        return say("The board moved {mm} mm {where}; it was found again.", mm=mm, where=where)
    return say("The camera or the board was moved by {mm} mm; the board was found again.", mm=mm)


def describe_slid(change: ViewChange) -> Message:
    """Return in one line which corner tile has slid, and what to do.

    >>> describe_slid(ViewChange(Mover.TILE, 0.0, 12.0, tile=2)).partition("; ")[0]
    'the tile at the bottom right has slipped 12 mm towards the near side'
    """
    assert change.tile is not None
    return say(
        "the tile at the {corner} has slipped {mm} mm {where}; put it back, or calibrate again",
        corner=CORNERS[change.tile],
        mm=round(change.shift_mm),
        where=_direction(change),
    )


def _direction(change: ViewChange) -> Message:
    if abs(change.dx_mm) >= abs(change.dy_mm):
        return say("to the right") if change.dx_mm > 0 else say("to the left")
    return say("towards the near side") if change.dy_mm > 0 else say("towards the far side")
