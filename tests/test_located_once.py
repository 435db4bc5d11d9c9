"""A settled picture of a watched table is scaled once and searched for markers once."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.recording import load_recording
from companion.registry import recordings, with_mats
from companion.table.live_view import LivePicture
from companion.table.reader_opening import open_reader
from companion.table.table_look import inspect, look_at
from companion.table.table_problem import LaidTable
from companion.table.view_reader import ViewReader
from vision.capture.frame import Frame, load_frame
from vision.geometry import table_view
from vision.geometry.layout import parse_rig
from vision.geometry.table_view import TableView


class Searches:
    """Counts how often pictures are scaled, and searched for markers in the same way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scaled = 0
        self.ways: Counter[tuple[object, ...]] = Counter()
        scale, search = table_view._scale_down, table_view._threshold_and_decode

        def count_scaled(picture: Any) -> Any:
            self.scaled += 1
            return scale(picture)

        def count_search(grey: Any, *way: Any) -> Any:
            self.ways[(grey.shape, *way)] += 1
            return search(grey, *way)

        monkeypatch.setattr(table_view, "_scale_down", count_scaled)
        monkeypatch.setattr(table_view, "_threshold_and_decode", count_search)

    def assert_once(self) -> None:
        """Fail unless one picture was scaled once, searched, and in no way searched twice."""
        assert self.scaled == 1
        assert set(self.ways.values()) == {1}, self.ways

    def restart(self) -> None:
        """Count from nothing."""
        self.scaled = 0
        self.ways.clear()


def watched(game: str) -> tuple[Callable[[Frame], object], list[Frame]]:
    """Return what reads, watches and inspects a frame, and frames of *game*."""
    recording = load_recording(recordings()[game])
    rig = parse_rig(recording.layout)
    reader = ViewReader(open_reader(recording), rig, lambda _: None, lambda *_: None)
    table = LaidTable.of(game, recording.layout)

    def handle(frame: Frame) -> None:
        reader.read(frame)
        look_at(LivePicture(1, frame), inspect(frame, table))

    return handle, [load_frame(recording.path(name)) for name in recording.frames[:2]]


@pytest.mark.parametrize("game", with_mats())
def test_a_settled_picture_is_located_once(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the reader, the watch over view and tiles, and set-up together; after a bump, too."""
    handle, (first, second) = watched(game)
    searches = Searches(monkeypatch)
    bumped = Frame("bumped", np.roll(second.picture, (9, -14), axis=(0, 1)), 2.0)
    for frame in (first, second, bumped):
        searches.restart()
        handle(frame)
        searches.assert_once()


def test_a_second_search_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes a view of his own is found out."""
    handle, (first, _) = watched("tactiki")
    searches = Searches(monkeypatch)
    handle(first)
    TableView(first.picture).find_tiles(range(50))
    with pytest.raises(AssertionError):
        searches.assert_once()
