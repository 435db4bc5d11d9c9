"""Falls played back: the last seconds in memory, bounded, for a while, and only if asked for."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import httpx
import numpy as np
import pytest

from companion.config import example
from companion.devices.sensor_adapter import SensorAdapter
from companion.table import instant_replay
from companion.table.instant_replay import (
    BUFFER_S,
    FILM_RATE_HZ,
    KEPT_S,
    MAX_BYTES,
    MAX_SHARE,
    MAX_WIDTH_PX,
    NEWS_S,
    STALE_S,
    InstantReplay,
)
from companion.table.watcher import Watcher
from hardware.facts import TowerMoved
from tests.evenings import KEY
from tests.falls import PERIOD_S, TOWER, Clock, film_of, filmed, glances, is_filming
from tests.referee.entering import sit, tell, tower
from tests.scripted_cameras import ScriptedCamera
from tests.wired_tables import at_home, host_headers, wait_for
from vision.capture.frame import Frame, Picture, decode
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import PreviewFrame, glance_at
from vision.observation import Observation, Status, Tilted

GREY: Picture = np.full((120, 160, 3), 90, np.uint8)


def noise(width_px: int = 320) -> Picture:
    """Return a picture that no JPEG makes small."""
    shape = (width_px * 3 // 4, width_px, 3)
    return np.random.default_rng(1).integers(0, 256, shape, np.uint8)


def filming(clock: Clock | None = None) -> InstantReplay:
    """Return what films."""
    replay = InstantReplay(clock or Clock())
    replay.is_on = True
    return replay


def test_nothing_is_kept_unless_it_was_asked_for() -> None:
    """Not even fetched: a camera in a living room is private."""
    replay = InstantReplay(Clock())

    def fetch() -> Frame:
        raise AssertionError("nobody has asked for a picture")

    for glance in glances(GREY, 9):
        replay.take(replace(glance, fetch=fetch))
    replay.keep()
    assert film_of(replay) is None


def test_the_last_five_seconds_are_kept() -> None:
    """In order, with the times between them, as JPEGs no wider than a film needs."""
    replay = filming()
    for glance in glances(noise(1600)[:400], 40):
        replay.take(glance)
    replay.keep()
    film = replay.film
    assert film is not None
    assert len(film.pictures) == len(film.times_s) == int(BUFFER_S / PERIOD_S) + 1
    assert film.times_s == pytest.approx([PERIOD_S * at for at in range(len(film.times_s))])
    assert decode(film.pictures[0], "").shape[1] == MAX_WIDTH_PX


def test_a_film_never_has_more_bytes_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the pictures are, the oldest go."""
    monkeypatch.setattr(instant_replay, "MAX_BYTES", 200_000)
    replay = filming()
    for glance in glances(noise(), 20):
        replay.take(glance)
    replay.keep()
    assert replay.film is not None
    assert 100_000 < sum(map(len, replay.film.pictures)) <= 200_000 < MAX_BYTES


def test_a_film_is_gone_after_a_while() -> None:
    """Also from memory, and whoever shows it is told."""
    clock = Clock()
    replay, told = filmed(clock), []
    replay._on_end = lambda: told.append(clock.now_s)
    clock.now_s += KEPT_S - 1
    replay.expire()
    assert film_of(replay) is not None
    assert not replay.is_news
    clock.now_s += 1
    assert film_of(replay) is None
    replay.expire()
    replay.expire()
    assert told == [clock.now_s]
    assert replay._film is None


def test_a_fall_that_two_senses_report_is_kept_once() -> None:
    """The next one is another film."""
    clock = Clock()
    replay = filmed(clock)
    first = replay.film
    for at_s in (0.0, NEWS_S - 1, NEWS_S):
        clock.now_s = 100.0 + at_s
        for glance in glances(GREY, 3, from_s=50 + at_s):
            replay.take(glance)
        replay.keep()
        assert (replay.film == first) == (at_s < NEWS_S)
    assert replay.film is not None
    assert replay.film.number == 2


def test_what_moved_long_ago_was_not_the_fall() -> None:
    """A fall that is entered where no camera has seen it has no film."""
    clock = Clock()
    replay = filming(clock)
    for glance in glances(GREY, 3):
        replay.take(glance)
    clock.now_s += STALE_S + 1
    replay.keep()
    assert film_of(replay) is None


def test_pictures_take_a_bounded_share_of_the_watchers_time() -> None:
    """Where a picture takes long to fetch, fewer are fetched."""
    clock = Clock()
    replay = filming(clock)
    fetched: list[float] = []

    def fetch() -> Frame:
        fetched.append(clock.now_s)
        clock.now_s += 0.15
        return Frame("slow", GREY, fetched[-1])

    began_s = clock.now_s
    while clock.now_s - began_s < 6.0:
        luma = GREY[:, :, 0]
        replay.take(PreviewFrame("slow", luma, clock.now_s, fetch))
        clock.now_s += 0.05
    assert 0.1 < 0.15 * len(fetched) / 6.0 <= MAX_SHARE + 0.02


def test_a_phones_whole_picture_is_not_waited_for() -> None:
    """Its small grey one will do: the gate must not wait for a radio."""
    replay = filming()

    def fetch() -> Frame:
        raise AssertionError("a phone takes half a second to send it")

    for glance in glances(GREY, 3):
        replay.take(replace(glance, fetch=fetch, is_remote=True))
    replay.keep()
    assert replay.film is not None
    assert len(replay.film.pictures) == 3


def test_the_watcher_films_while_something_moves_alone() -> None:
    """A table at rest costs nothing; what moves is judged first and filmed then."""
    fetched: list[str] = []
    order: list[str] = []

    def shots() -> Iterator[PreviewFrame]:
        for at in range(30):
            picture = np.roll(noise(), 7 * at, axis=1) if at < 10 else GREY
            frame = Frame(f"live-{at}", np.ascontiguousarray(picture), PERIOD_S * at)

            def fetch(frame: Frame = frame) -> Frame:
                fetched.append(frame.name)
                order.append("filmed")
                return frame

            yield replace(glance_at(frame), fetch=fetch)

    camera = ScriptedCamera(list(shots()))
    rates: list[float] = []
    camera.hurry = rates.append  # type: ignore[assignment, method-assign]
    watcher = Watcher(camera, MotionGate(0.5), lambda _: None)
    watcher.replay = filming()
    feed = watcher._gate.feed

    def judged(glance: PreviewFrame) -> object:
        order.append("judged")
        return feed(glance)

    watcher._gate.feed = judged  # type: ignore[method-assign, assignment]
    watcher.start()
    watcher._thread.join()
    assert order[:2] == ["judged", "filmed"]
    assert [rate for rate, _ in groupby(rates)] == [FILM_RATE_HZ, 0.0]
    assert 5 <= len(fetched) < 15
    assert "live-9" in fetched
    assert not {f"live-{at}" for at in range(15, 30)} & set(fetched[:-1])


def observed(*, has_toppled: bool) -> Observation:
    """Return what the camera sees of the board."""
    return Observation("1", Status.OK, facts=(Tilted(9.0, 0.0, has_toppled=has_toppled),))


def test_a_fall_that_the_camera_sees_is_kept() -> None:
    """Once: what lies there still is no other fall."""
    replay = filming()
    for glance in glances(GREY, 3):
        replay.take(glance)
    replay.note(observed(has_toppled=True))  # it lay there when the companion was started
    replay.note(observed(has_toppled=False))
    assert film_of(replay) is None
    replay.note(observed(has_toppled=True))
    assert film_of(replay) is not None
    replay._film = None
    for glance in glances(GREY, 3, from_s=9.0):
        replay.take(glance)
    replay.note(observed(has_toppled=True))
    assert film_of(replay) is None


@pytest.mark.parametrize("by", ["switch", "hand"])
def test_a_fall_that_is_reported_is_kept(by: str) -> None:
    """By the switch even before it is known whose fault it was."""
    live_session = sit("topple", "roll 3", "place 11 pink", seats=3)
    replay = InstantReplay(Clock())
    replay.follow(live_session, lambda: True)
    assert is_filming(replay)
    for glance in glances(GREY, 3):
        replay.take(glance)
    if by == "switch":
        adapter = SensorAdapter(live_session)
        adapter.on_fall.add(replay.keep)
        adapter.handle(TowerMoved("wobble", 0.0))
        assert film_of(replay) is None
        adapter.handle(tower("topple"))
        assert live_session.referee.question is not None
    else:
        tell(live_session, "knock 1")
    assert film_of(replay) is not None


def test_it_films_where_a_tower_may_fall_and_the_host_wants_it() -> None:
    """Not in a pause, not in another game; what was filmed goes with the wish."""
    wanted = [True]
    live_session = sit("topple", "roll 3", seats=3)
    replay = filmed()
    replay.follow(live_session, lambda: wanted[0])
    live_session.pause()
    assert not is_filming(replay)
    assert film_of(replay) is not None
    live_session.pause()
    assert is_filming(replay)
    wanted[0] = False
    live_session.changed()
    assert not is_filming(replay)
    assert film_of(replay) is None
    other = InstantReplay(Clock())
    other.follow(sit("tactiki", seats=2), lambda: True)
    assert not is_filming(other)


def test_taking_and_keeping_at_once_loses_nothing() -> None:
    """The watcher films while the event loop keeps a film."""
    replay = filming()

    def keep() -> None:
        for _ in range(300):
            replay._film = None
            replay.keep()

    keeper = threading.Thread(target=keep)
    keeper.start()
    for glance in glances(GREY, 300):
        replay.take(glance)
    keeper.join()
    assert replay._size == sum(len(jpeg) for _, jpeg in replay._pictures)


def test_a_fall_at_a_running_table_is_played_back(tmp_path: Path) -> None:
    """From the camera of a whole companion to its page: the switch reports it, the host sees it."""
    text = (
        example()
        .replace('folder = ""', f'folder = "{TOWER}"')
        .replace("frame_s = 2.0", "frame_s = 1.2")
        .replace('game = "auto"', 'game = "topple"')
        .replace('key = ""', f'key = "{KEY}"')
    )
    with (
        at_home(tmp_path, text) as house,
        httpx.Client(base_url=house.url, headers=host_headers(house), timeout=60.0) as host,
    ):
        assert host.post("/films-falls", data={"on": "1"}).status_code == 303
        wait_for(house, lambda board: len(board["history"]) > 4)
        house.ask("/api/tell", {"sensor": "topple"})
        until_s = time.monotonic() + 60.0
        while 'data-number="1"' not in (found := host.get("/").text):
            assert time.monotonic() < until_s, found
        answers = [host.get(f"/replay/1/{place}.jpg") for place in range(3)]
        assert {each.status_code for each in answers} == {200}
        assert decode(answers[0].content, "").shape == (540, 960, 3)
        stranger = httpx.get(f"{house.url}/replay/1/0.jpg", headers={"via": "1.1 another-machine"})
        assert stranger.status_code == 403
        assert not [*tmp_path.rglob("*.jpg"), *tmp_path.rglob("*.webp")]
