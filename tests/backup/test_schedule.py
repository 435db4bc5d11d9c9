"""Backups by themselves: when one is due, how many stay, and how trouble is told and withdrawn."""

import asyncio
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from companion.backup import schedule
from companion.backup.making import dated_backups
from companion.backup.schedule import BackupSchedule
from companion.config import BackupConfig
from tests.backup.tables import lay_out, tiki
from tests.soak.evening import Evening
from tests.soak.house import House
from tests.soak.tally import Tally

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
        job = asyncio.create_task(owner.schedule.run())
        await until(lambda: bool(owner.told))
        await asyncio.sleep(1.5)  # further attempts fail as the first did
        assert len(owner.told) == 1
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


async def until(is_so: Callable[[], bool], within_s: float = 20.0) -> None:
    """Wait until something is so."""
    deadline_s = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline_s
        await asyncio.sleep(0.02)


@pytest.mark.timeout(120)
def test_a_real_daemon_backs_up_after_a_game(tmp_path: Path) -> None:
    """At its start, for there is none; and the end of the game is in the next one."""
    (tmp_path / "table").mkdir()
    (tmp_path / "stick").mkdir()
    house, tally = House(tmp_path / "table"), Tally()
    config = tmp_path / "table" / "tiki.toml"
    config.write_text(
        config.read_text().replace(
            '[backup]\nfolder = ""', f'[backup]\nfolder = "{tmp_path / "stick"}"'
        )
    )
    try:
        Evening(house, "topple", random.Random(5), tally, ordeal_share=0.0).play()
        deadline_s = time.monotonic() + 30
        while time.monotonic() < deadline_s:
            backups = dated_backups(tmp_path / "stick")
            if len(backups) >= 2:
                break
            time.sleep(0.1)
        assert len(backups) >= 2
        assert httpx.get(f"{house.url}/api/state").json()["warnings"] == []
        assert house.stop()[0] == 0
    finally:
        house.kill()
    assert tiki("restore", backups[-1], "--log", tmp_path / "new.db") == 0
    assert tally.is_clean


@pytest.mark.timeout(60)
def test_pages_name_a_backup_that_fails(tmp_path: Path) -> None:
    """The stick is not there: the table says so, and plays."""
    (tmp_path / "table").mkdir()
    house = House(tmp_path / "table")
    config = tmp_path / "table" / "tiki.toml"
    folder = tmp_path / "stick"
    text = config.read_text().replace('[backup]\nfolder = ""', f'[backup]\nfolder = "{folder}"')
    config.write_text(text)
    try:
        house.start()
        deadline_s = time.monotonic() + 30
        warnings: list[str] = []
        while not warnings and time.monotonic() < deadline_s:
            warnings = httpx.get(f"{house.url}/api/state").json()["warnings"]
            time.sleep(0.1)
        words = f"the backup: there is no folder {folder}; make it, or plug in and mount the disk"
        assert warnings == [f"{words} that it is on"]
        assert house.stop()[0] == 0
    finally:
        house.kill()
    assert not folder.exists()
