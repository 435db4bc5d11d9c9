"""Backups by themselves: when one is due, how many stay, and how trouble is told and withdrawn."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.apps.backup import schedule
from companion.apps.backup.making import dated_backups
from companion.apps.backup.schedule import BackupSchedule
from companion.config import BackupConfig
from tests.backup.tables import lay_out, tiki

HOUR_S = 3600


class Owner:
    """A table with a schedule, and what it has told."""

    def __init__(self, folder: Path, every_h: float = 24, keep: int = 3) -> None:
        self.log = lay_out(folder / "table")
        self.folder = folder / "stick"
        self.told: list[str] = []
        config = BackupConfig(str(self.folder), every_h, keep)
        settings = self.log.parent / "tiki.toml"
        self.schedule = BackupSchedule(config, lambda: self.log, settings, self.told.append)

    def back_up(self) -> Path:
        """Make a backup now, and return it."""
        self.folder.mkdir(exist_ok=True)
        assert tiki("backup", self.folder, "--log", self.log) == 0
        return dated_backups(self.folder)[-1]


@pytest.fixture
def owner(tmp_path: Path) -> Owner:
    """Return somebody with a table and no backup yet."""
    return Owner(tmp_path)


def age(path: Path, hours: float) -> None:
    """Let *path* be so many hours old."""
    then_s = time.time() - hours * HOUR_S
    os.utime(path, (then_s, then_s))


def test_one_is_due_when_there_is_none(owner: Owner) -> None:
    """Also when the folder is not there: then the attempt says so."""
    assert owner.schedule.is_due(after_game=False)
    owner.folder.mkdir()
    assert owner.schedule.is_due(after_game=False)


def test_none_is_due_while_nothing_has_changed(owner: Owner) -> None:
    """A table that rests for weeks keeps its older backups."""
    backup = owner.back_up()
    for path in owner.log.parent.iterdir():
        age(path, 100)
    age(backup, 90)
    assert not owner.schedule.is_due(after_game=False)
    assert not owner.schedule.is_due(after_game=True)


def test_one_is_due_after_a_game_or_in_time(owner: Owner) -> None:
    """Once something has changed."""
    backup = owner.back_up()
    age(backup, 23)
    assert not owner.schedule.is_due(after_game=False)
    assert owner.schedule.is_due(after_game=True)
    age(backup, 25)
    assert owner.schedule.is_due(after_game=False)


def test_trouble_is_told_once_and_withdrawn(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stick is not there: that is said, not each time, until it is there."""
    for name in ("SETTLE_S", "CHECK_S", "RETRY_S"):
        monkeypatch.setattr(schedule, name, 0.05)

    async def live() -> None:
        attempts, make = [], owner.schedule._make

        async def counted() -> str:
            attempts.append(await make())
            return attempts[-1]

        monkeypatch.setattr(owner.schedule, "_make", counted)
        job = asyncio.create_task(owner.schedule.run())
        await until(lambda: len(attempts) > 1)
        assert len(owner.told) == 1  # a further attempt fails as the first did
        owner.folder.mkdir()
        await until(lambda: len(owner.told) == 2)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)

    asyncio.run(live())
    assert owner.told[0] == (
        f"there is no folder {owner.folder}; make it, or plug in and mount the disk that it is on"
    )
    assert owner.told[1] == ""
    assert len(dated_backups(owner.folder)) == 1
    assert not list(owner.folder.glob("*.part"))


def test_only_so_many_stay(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go, once the new one is verified."""
    monkeypatch.setattr(schedule, "SETTLE_S", 0.01)
    owner.folder.mkdir()
    for year in range(2020, 2025):
        (owner.folder / f"tiki-{year}0101-000000.zip").write_bytes(b"")
        age(owner.folder / f"tiki-{year}0101-000000.zip", 1000)

    async def live() -> None:
        job = asyncio.create_task(owner.schedule.run())
        await until(lambda: len(dated_backups(owner.folder)) == 3)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)

    asyncio.run(live())
    assert [path.name[:9] for path in dated_backups(owner.folder)][:2] == ["tiki-2023", "tiki-2024"]
    assert owner.told == []


def test_without_a_folder_nothing_is_done(tmp_path: Path) -> None:
    """As the settings have it at first."""
    asyncio.run(BackupSchedule(BackupConfig(), lambda: tmp_path, None, print).run())


async def until(is_so: Callable[[], bool], within_s: float = 60.0) -> None:
    """Wait until something is so."""
    deadline_s = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline_s
        await asyncio.sleep(0.02)
