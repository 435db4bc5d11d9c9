"""Jobs beside the game: one that fails is named, begun again, and named no more once it lasts."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from companion import supervision
from companion.config import parse_config
from companion.daemon import Daemon
from companion.rules.base import RulesError
from companion.scenes import update_outputs
from companion.supervision import supervise
from tests.referee.fast_rounds import GOALS, LAYS, sit_fast

Reports = list[tuple[str, str]]


class Failing:
    """A job that fails so many times before it ends."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.begun = 0

    async def __call__(self) -> None:
        """Fail, or end."""
        self.begun += 1
        if self.errors:
            raise self.errors.pop(0)


def watch(job: Callable[[], Awaitable[None]]) -> tuple[Reports, list[float]]:
    """Return what is reported of *job* until it ends, and the pauses before it began again."""
    reports: Reports = []
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    asyncio.run(supervise("the job", job, lambda *of: reports.append(of), sleep))
    return reports, pauses


def test_a_job_that_ends_well_is_nobodys_business() -> None:
    """It runs once, and nothing is said."""
    job = Failing()
    assert watch(job) == ([], [])
    assert job.begun == 1


def test_a_job_that_fails_is_named_and_begun_again(caplog: pytest.LogCaptureFixture) -> None:
    """Without the error's words, which may hold a secret; well again, it is named no more."""
    job = Failing(ValueError("rank 5 lies on A1"))
    reports, pauses = watch(job)
    assert job.begun == 2
    assert pauses == [1.0]
    (name, words), end = reports
    assert name == "the job"
    assert words.startswith("failed and is restarting by itself (ValueError); restart")
    assert end == ("the job", "")
    assert "rank 5 lies on A1" in caplog.text


def test_pauses_grow_and_each_fault_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """A job that always fails neither spins nor fills the companion's own log."""
    job = Failing(*(KeyError(number) for number in range(9)), OSError("full"))
    with caplog.at_level(logging.ERROR):
        _, pauses = watch(job)
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0, 60.0]
    assert len(caplog.records) == 2


def test_a_fault_of_who_is_told_ends_no_job() -> None:
    """Whoever shows the table may fail by the same fault."""
    job = Failing(ValueError("once"))

    async def sleep(_: float) -> None:
        """Begin again at once."""

    def report(_: str, words: str) -> None:
        if words:
            raise ValueError("no page")

    asyncio.run(supervise("the job", job, report, sleep))
    assert job.begun == 2


def test_a_job_that_lasts_again_is_named_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its next pause is the shortest again."""
    monkeypatch.setattr(supervision, "STEADY_S", 0.05)
    reports: Reports = []
    pauses: list[float] = []
    well = asyncio.Event()
    errors = [KeyError(1), KeyError(2)]

    async def job() -> None:
        if errors:
            raise errors.pop()
        await well.wait()
        errors.append(KeyError(3))
        well.clear()
        raise KeyError(0)

    def report(name: str, words: str) -> None:
        reports.append((name, words))
        if not words:
            well.set()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 4:
            raise asyncio.CancelledError

    async def run() -> None:
        with pytest.raises(asyncio.CancelledError):
            await supervise("the job", job, report, sleep)

    asyncio.run(run())
    assert pauses == [1.0, 2.0, 1.0, 2.0]
    assert [bool(words) for _, words in reports] == [True, True, False, True, True]


def test_lights_come_back_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One scene that cannot be drawn is named on the page, and the next one is shown."""
    monkeypatch.setattr(supervision, "PAUSES_S", (0.01, 0.01))
    monkeypatch.setattr(supervision, "STEADY_S", 0.01)
    settings = {
        "camera": {"source": "none"},
        "web": {"host": "127.0.0.1", "port": 0},
        "log": {"file": str(tmp_path / "game.db")},
    }
    shown: list[tuple[str, ...]] = []

    async def run() -> None:
        daemon = Daemon(parse_config(settings))

        def show(outputs: Any, board: Any, *more: Any) -> None:
            shown.append(board.warnings)
            if len(shown) == 1:
                raise ValueError("no such face")
            update_outputs(outputs, board, *more)
            if len(shown) > 2 and not daemon.live_session.troubles:
                daemon.stop()

        monkeypatch.setattr("companion.daemon.update_outputs", show)
        async with asyncio.timeout(30):
            await daemon.run()

    asyncio.run(run())
    assert any("lights, display and sound: failed" in word for each in shown for word in each)
    assert not any("lights" in word for word in shown[-1])


def test_a_clock_whose_end_is_refused_ends_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last second is not taken for told until the rules have taken it."""
    fast = sit_fast()
    fast.do(*LAYS, *GOALS)
    taken = fast.live_session.referee.on_fact
    refusals: list[object] = []

    def refuse(fact: object) -> bool:
        refusals.append(fact)
        raise RulesError("not now")

    monkeypatch.setattr(fast.live_session.referee, "on_fact", refuse)
    for _ in range(2):
        with pytest.raises(RulesError):
            fast.wait(301)
    assert len(refusals) == 2
    monkeypatch.setattr(fast.live_session.referee, "on_fact", taken)
    fast.wait(1)
    session = fast.live_session.session
    assert session.rules.outcome(session.state)
