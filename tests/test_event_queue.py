"""The event queue: what is seen and sensed while the log cannot be written counts later."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from companion.devices.sensor_adapter import SensorAdapter
from companion.event_queue import MAX_WAITING, EventQueue
from companion.film.playback import Playback
from companion.recording import load_recording
from companion.referee.live_session import LiveSession
from companion.session.log import Log, LogError
from hardware.facts import Pressed, TowerMoved, Troubled
from tests.daemons import running
from tests.full_disks import LINES, PLAYED, log, read_only, waiting
from tests.games.topple_falls import PLACING, fallen
from tests.recordings import SHIPPED, true_moves
from tests.referee.entering import acts, sit
from tests.referee.fast_rounds import FIVE_MINUTES, GOALS, LAYS, sit_fast
from tests.tables import moves, see, see_hand, sit_down

__all__ = ["log"]


def queue_on_loop(log: Log, live_session: LiveSession, play: Callable[[EventQueue], None]) -> None:
    """Run *play* on an event loop with a queue, then let the log try again."""

    async def run() -> None:
        queue = EventQueue(log)
        queue.start(asyncio.get_running_loop())
        with read_only(log):
            play(queue)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert waiting(live_session)[0] == "not_saved"
            queue.retry()
        queue.retry()

    asyncio.run(run())


def test_people_may_play_on_and_each_move_counts_in_the_end(log: Log) -> None:
    """What the camera saw meanwhile waits in order, hands and all."""
    live_session = sit_down(log=log)

    def play(queue: EventQueue) -> None:
        for number, line in enumerate(LINES):
            queue.post(partial(live_session.observe, see_hand(f"h{number}")))
            queue.post(partial(live_session.observe, see(f"{number}", line)))

    queue_on_loop(log, live_session, play)
    assert moves(live_session) == PLAYED
    assert waiting(live_session)[0] == ""


def test_a_tower_that_fell_meanwhile_has_fallen(log: Log) -> None:
    """A fall cannot be repeated as a button can; and it is not counted twice."""
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6", log=log)
    adapter = SensorAdapter(live_session)

    def play(queue: EventQueue) -> None:
        queue.post(partial(adapter.handle, TowerMoved("topple", 1.0)))

    queue_on_loop(log, live_session, play)
    assert acts(live_session)[-1] == "topple"
    assert acts(live_session).count("topple") == 1


def test_a_fall_that_the_camera_saw_counts_when_it_is_seen_again(log: Log) -> None:
    """The next picture is compared with the last one that counted, not with the one that failed."""
    live_session = sit("topple", *PLACING, log=log)
    with read_only(log), pytest.raises(LogError):
        live_session.observe(fallen("1"))
    assert acts(live_session) == [*PLACING]
    assert log.retry()
    live_session.observe(fallen("2"))
    assert acts(live_session) == [*PLACING, "topple"]


def test_a_button_that_was_pressed_in_vain_does_nothing_later(settings: Path) -> None:
    """People press again and again when nothing happens; a tower that fell meanwhile has fallen."""
    with running(settings, "topple") as daemon:
        before, log = acts(daemon.live_session), daemon.log
        with read_only(log):
            with pytest.raises(LogError):
                daemon.live_session.referee.undo()
            for fact in (
                Pressed("undo", None, 1.0),
                Troubled("tower", "unplugged", 1.0),
                Pressed("undo", None, 1.0),
            ):
                daemon._post_fact(fact)
            assert len(daemon._queue._calls) == 1
        daemon._queue.retry()
        assert acts(daemon.live_session) == before
        with read_only(log):
            daemon._post_fact(Pressed("undo", None, 1.0))  # the first that finds the log unwritable
            daemon._queue._run_oldest()
            assert log.trouble
        daemon._queue.retry()
        assert acts(daemon.live_session) == before
        assert daemon.live_session.troubles == ("tower: unplugged",)


def test_a_recording_that_is_entered_goes_on_by_itself(log: Log) -> None:
    """Its next action is tried until it counts, and its end closes the session."""
    recording = load_recording(SHIPPED)
    playback = Playback(recording)
    live_session = playback.open_session(log)
    first, second = [action for _, action in true_moves()[:2]]
    playback._actions = [first, second]

    async def play() -> None:
        entering = asyncio.create_task(playback.enter_actions(0.01))
        with read_only(log):
            async with asyncio.timeout(60):
                while not log.trouble:  # noqa: ASYNC110 - nobody tells of it
                    await asyncio.sleep(0.01)
        assert log.retry()
        await entering

    known = len(live_session.session.history.acts)
    asyncio.run(play())
    assert acts(live_session)[known:] == [first, second]

    def end(queue: EventQueue) -> None:
        queue.post(playback.end)

    queue_on_loop(log, live_session, end)
    assert log.unfinished() is None


def test_the_queue_keeps_no_more_than_it_has_to(log: Log) -> None:
    """A night on a full disk does not fill the memory as well."""
    live_session = sit_down(log=log)
    run: list[int] = []

    def play(queue: EventQueue) -> None:
        with pytest.raises(LogError):
            live_session.referee.enter("up1 lokahi")
        for number in range(MAX_WAITING + 50):
            queue.post(partial(run.append, number))

    queue_on_loop(log, live_session, play)
    assert run == list(range(MAX_WAITING))


def test_what_is_urgent_does_not_wait(log: Log) -> None:
    """A device that fails is reported, and the companion can be stopped."""
    live_session = sit_down(log=log)
    run: list[str] = []

    def play(queue: EventQueue) -> None:
        with pytest.raises(LogError):
            live_session.referee.enter("up1 lokahi")
        queue.post(lambda: run.append(f"waited {log.trouble}"))
        queue.post_urgent(lambda: run.append(f"urgent {bool(log.trouble)}"))

    queue_on_loop(log, live_session, play)
    assert run == ["urgent True", "waited "]


def test_a_clock_that_runs_out_meanwhile_ends_the_phase_later(log: Log) -> None:
    """The time is over once, whenever that can be written."""
    table = sit_fast(log.path.replace("games", "fast"))
    live_session = table.live_session
    table.do(*LAYS, *GOALS)
    with read_only(live_session.log), pytest.raises(LogError):
        table.wait(FIVE_MINUTES)
    table.clock.now_s += FIVE_MINUTES
    with pytest.raises(LogError):
        live_session.tick()
    assert "time" not in acts(live_session)
    assert live_session.log.retry()
    table.wait(2)
    assert acts(live_session).count("time") == 1
