"""Learning a table on a small Pi: it takes its time, and is not taken for a hang."""

import threading

import pytest

from companion.table.heartbeat import MAX_LEARNING_S
from companion.table.watcher import Watcher
from tests.scripted_cameras import GAME, ScriptedCamera, reader, still
from vision.capture.exposure_lock import Controls
from vision.capture.motion_gate import MotionGate


def test_learning_may_take_minutes_on_a_small_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watchdog that ended it would have it begun anew, for ever."""
    begun, over = threading.Event(), threading.Event()

    def learn(_: object) -> Controls:
        begun.set()
        assert over.wait(60.0)
        return {}

    now_s = 100.0
    watcher = Watcher(ScriptedCamera(still("001.jpg", 0)), MotionGate(0.5), lambda _: None)
    monkeypatch.setattr(watcher._heartbeat, "_clock", lambda: now_s)
    watcher.watch(GAME, reader(), learn)
    watcher.start()
    assert begun.wait(60.0)
    now_s += MAX_LEARNING_S - 1.0
    assert (watcher.new_trouble(), watcher.stuck) == (None, "")
    now_s += 2.0
    assert "learning the table has taken more than 120 s" in str(watcher.new_trouble())
    assert watcher.stuck == ""
    over.set()
    watcher._thread.join()
    assert watcher.new_trouble() == ""
