"""Kept pictures: only where they are asked for, never too many, and never in the game's way."""

import asyncio
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from companion.config import frames_folder, parse_config
from companion.daemon import Daemon
from companion.film import frame_keeper
from companion.film.frame_keeper import MAX_RECENT, MAX_WAITING, FrameKeeper
from companion.session.events import ChanceObserved, Entry, MoveAccepted, SecretEntered
from tests.tables import see, sit_down
from tests.web.visitors import open_pub
from vision.capture.frame import Frame, decode

LOKAHI_UP = ("lokahi", "hookipa")


def frame(name: str, width: int = 640, shade: int = 90) -> Frame:
    """Return a grey picture."""
    return Frame(name, np.full((width * 3 // 4, width, 3), shade, np.uint8), 0.0)


def moved(seq: int, name: str | None) -> Entry:
    """Return an entry that rests on the picture *name*."""
    return Entry(seq, "", MoveAccepted(0, "up1 nani", frame=name))


def keep(keeper: FrameKeeper, *names: str) -> None:
    """Let *keeper* see pictures, each of which an entry rests on, and write them."""
    for seq, name in enumerate(names, start=1):
        keeper.see(frame(name))
        keeper.note(1, moved(seq, name))
        while not keeper._waiting.empty():
            threading.Event().wait(0.001)
    keeper.close()


def test_a_decision_keeps_the_picture_that_it_rested_on(tmp_path: Path) -> None:
    """As a JPEG, not too large, that nobody else on the machine may read."""
    folder = tmp_path / "games.frames"
    before = os.umask(0)
    try:
        keeper = FrameKeeper(folder, 10, 10)
        keeper.see(frame("007.jpg", 3000))
        keeper.note(3, moved(5, "007.jpg"))
        keeper.note(3, Entry(6, "", ChanceObserved("line nani", "unknown.jpg")))
        keeper.note(3, moved(7, None))
        keeper.note(3, Entry(8, "", SecretEntered(0, 1, "card 0 nani nui kapu")))
        keeper.close()
    finally:
        os.umask(before)
    assert [file.name for file in folder.iterdir()] == ["3-5.jpg"]
    assert (folder.stat().st_mode & 0o777, (folder / "3-5.jpg").stat().st_mode & 0o777) == (
        0o700,
        0o600,
    )
    data = keeper.picture(3, 5)
    assert data is not None
    assert decode(data, "3-5.jpg").shape == (960, 1280, 3)
    assert keeper.picture(3, 6) is None


def test_the_oldest_go_first(tmp_path: Path) -> None:
    """By number and by size; what lies there and is none of ours stays."""
    names = [f"{number:03}.jpg" for number in range(9)]
    few, small = tmp_path / "few", tmp_path / "small"
    few.mkdir()
    (few / "holiday.jpg").write_bytes(b"mine")
    keep(FrameKeeper(few, 3, 100), *names)
    assert sorted(file.name for file in few.iterdir()) == [
        "1-7.jpg", "1-8.jpg", "1-9.jpg", "holiday.jpg",
    ]  # fmt: skip
    keep(FrameKeeper(small, 100, 0.02), *names)
    kept = list(small.iterdir())
    assert 1 < len(kept) < 9
    assert sum(file.stat().st_size for file in kept) <= 20_000
    assert (small / "1-9.jpg").exists()


def test_a_full_disk_is_said_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that all is well again, once it is."""
    said: list[str] = []
    is_full = [True, True, False]

    def write(path: Path, data: bytes) -> None:
        if is_full.pop(0):
            raise OSError(28, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr(frame_keeper, "write_whole", write)
    keep(FrameKeeper(tmp_path / "frames", 9, 9, said.append), "1.jpg", "2.jpg", "3.jpg")
    assert len(said) == 2
    assert "cannot be written (No space left on device); the game goes on" in said[0]
    assert said[1] == ""


def test_a_disk_that_hangs_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are left out; neither the referee nor the end of the program waits for long."""
    hangs, go = threading.Event(), threading.Event()

    def write(_: Path, __: bytes) -> None:
        hangs.set()
        go.wait(60)

    monkeypatch.setattr(frame_keeper, "write_whole", write)
    monkeypatch.setattr(frame_keeper, "CLOSE_TIMEOUT_S", 0.05)
    keeper = FrameKeeper(tmp_path / "frames", 9, 9)
    keeper.see(frame("1.jpg"))
    for seq in range(1, 3 * MAX_WAITING):
        keeper.note(1, moved(seq, "1.jpg"))
    assert hangs.wait(60)
    keeper.close()
    go.set()


def test_few_pictures_are_remembered() -> None:
    """A camera fills no memory: what nobody has decided on is forgotten."""
    keeper = FrameKeeper(Path("/nowhere"), 9, 9)
    for number in range(50):
        keeper.see(frame(f"{number}.jpg", 64))
    assert len(keeper._recent) == MAX_RECENT
    keeper.close()


def test_only_the_host_sees_the_picture_beside_its_step(tmp_path: Path) -> None:
    """A picture may show a hand; a step without one has none."""
    live_session = sit_down()
    keeper = FrameKeeper(tmp_path, 9, 9)
    keeper.follow(live_session)
    keeper.see(frame("1.jpg"))
    line = ("lokahi", "hookipa", *live_session.session.state.line[2:])
    live_session.observe(see("1.jpg", line))
    live_session.referee.enter("up1 nani")
    keeper.close()
    pub = open_pub(live_session, kept_frame=keeper.picture)
    host, stranger, phone = pub.host(), pub.stranger(), pub.player(0)
    assert 'src="/games/1/frame?step=1"' in host.get("/games/1?step=1").text
    picture = host.get("/games/1/frame?step=1")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    assert picture.headers["cache-control"] == "no-store"
    assert picture.content[:2] == b"\xff\xd8"
    for step in (0, 2):
        assert "/frame?" not in host.get(f"/games/1?step={step}").text
        assert host.get(f"/games/1/frame?step={step}").status_code == 404
    for visitor in (stranger, phone):
        assert "/frame?" not in visitor.get("/games/1?step=1").text
        assert visitor.get("/games/1/frame?step=1").status_code == 403


@pytest.mark.parametrize("is_asked_for", [False, True])
def test_the_daemon_keeps_pictures_if_the_settings_say_so(
    tmp_path: Path, is_asked_for: bool
) -> None:
    """The included recording is watched; without the setting nobody would keep any."""
    log = tmp_path / "games.db"
    config = parse_config(
        {
            "log": {"file": str(log)},
            "web": {"port": 0, "host": "127.0.0.1"},
            "camera": {"frame_s": 0.6, "rate_hz": 10.0, "settle_s": 0.2},
            "history": {"frames": is_asked_for},
        }
    )
    daemon = Daemon(config)
    assert (daemon._frames is not None) == is_asked_for

    def stop_after_a_few(_: Entry) -> None:
        if len(daemon.live_session.session.history.acts) >= 2:
            daemon.stop()

    daemon.live_session.on_entry.add(stop_after_a_few)
    asyncio.run(asyncio.wait_for(daemon.run(), 60))
    folder = frames_folder(log)
    assert folder.exists() == is_asked_for
    if is_asked_for:
        assert len([*folder.iterdir()]) >= 1
