"""Backups of a real daemon in mid-game: restored on another card, the game goes on."""

import random
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from companion.apps.backup.making import dated_backups, make_backup
from companion.session.log import Log
from tests.backup.tables import tiki
from tests.bare_rules import read_rows
from tests.soak.evening import Evening
from tests.soak.house import House
from tests.soak.tally import Tally

PATIENCE_S = 60.0
MOST_BACKUPS = 6


class Moving(Evening):
    """An evening at which the card dies, and a backup is restored on another."""

    moves = 0

    def _suffer(self) -> None:
        """Back the running table up, lose its folder, and go on from a new one."""
        self.moves += 1
        old = self.house.log.parent
        file = old.with_name(f"backup-{self.moves}.zip")
        assert tiki("backup", file, "--log", self.house.log, "--config", old / "tiki.toml") == 0
        self.house.kill()
        shutil.rmtree(old)
        new = old.with_name(f"card-{self.moves}")
        new.mkdir()
        self.house = House(new)
        (new / "tiki.toml").unlink()
        assert tiki("restore", file, "--log", new / "game.db", "--config", new / "tiki.toml") == 0
        self._come_back()
        for seat in self.seats:  # their phones sit where they sat
            assert seat.get(f"{self.house.url}/seat").status_code == 200


@pytest.mark.timeout(300)
def test_a_game_goes_on_on_another_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No tap, secret, seat or setting is lost, and the end is what the rules say."""
    (tmp_path / "card-0").mkdir()
    tally = Tally()
    house = House(tmp_path / "card-0")
    evening = Moving(
        house, "tiki_topple", random.Random(3), tally, ordeal_share=0.2, most_ordeals=1
    )
    try:
        evening.play()
    finally:
        evening.house.kill()
    assert tally.is_clean, tally.notes
    assert (tally.ended, evening.moves) == (1, 1)
    out, err = capsys.readouterr()
    assert (out.count("settings, keys; written, read back and verified"), err) == (1, "")


class Hurried(Evening):
    """An evening whose table is backed up all the time while people tap."""

    over = False

    def _begin(self) -> None:
        super()._begin()
        self.folder = self.house.log.parent.with_name("backups")
        self.folder.mkdir()
        self.backups: list[Path] = []
        self.saver = threading.Thread(target=self._save)
        self.saver.start()

    def _save(self) -> None:
        while not self.over and len(self.backups) < MOST_BACKUPS:
            file = self.folder / f"{len(self.backups)}.zip"
            make_backup(self.house.log, None, file, frames=False)
            self.backups.append(file)

    def _judge_end(self) -> None:
        self.over = True
        self.saver.join()
        super()._judge_end()


def back_up_to(house: House, folder: Path) -> None:
    """Have the daemon of *house* make backups in *folder*."""
    config = house.log.parent / "tiki.toml"
    text = config.read_text().replace('[backup]\nfolder = ""', f'[backup]\nfolder = "{folder}"')
    config.write_text(text)


@pytest.mark.timeout(300)
def test_backups_are_made_while_people_tap_and_after_the_game(tmp_path: Path) -> None:
    """Each holds the first rows at one instant; the daemon's own, at last, the end of the game."""
    for name in ("table", "stick"):
        (tmp_path / name).mkdir()
    house, tally = House(tmp_path / "table"), Tally()
    back_up_to(house, tmp_path / "stick")
    evening = Hurried(house, "score_sheet", random.Random(5), tally, ordeal_share=0.0)
    try:
        evening.play()
        until_s = time.monotonic() + PATIENCE_S
        while len(dated_backups(tmp_path / "stick")) < 2:  # at the start there was none; the end
            assert time.monotonic() < until_s, "the daemon made no backup"
            time.sleep(0.05)
        assert httpx.get(f"{house.url}/api/state").json()["warnings"] == []
        assert house.stop() == 0
    finally:
        evening.over = True
        house.kill()
    assert tally.is_clean, tally.notes
    lengths = []
    for file in (*evening.backups, dated_backups(tmp_path / "stick")[-1]):
        log = tmp_path / f"{file.stem}.db"
        assert tiki("restore", file, "--log", log) == 0
        rows = read_rows(log)[1]
        assert rows == evening.kept[: len(rows)]
        lengths.append(len(rows))
    assert lengths == sorted(lengths)
    assert len(lengths) > 2
    assert lengths[-1] == len(evening.kept)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Give a table that runs, whose stick for backups is not there."""
    house = House(tmp_path_factory.mktemp("running"))
    back_up_to(house, house.log.parent / "stick")
    try:
        house.start()
        yield house
        assert house.stop() == 0
    finally:
        house.kill()


def test_a_table_that_runs_is_not_restored_over(
    running: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stop it first; nothing has changed."""
    with Log(tmp_path / "other.db") as other:
        other.open_session({})
    assert tiki("backup", tmp_path / "b.zip", "--log", tmp_path / "other.db") == 0
    before = running.log.read_bytes()
    capsys.readouterr()
    assert tiki("restore", tmp_path / "b.zip", "--log", running.log, "--replace") == 1
    said = capsys.readouterr().err
    assert said == f"tiki: {running.log} is in use by a running tiki; stop that one first\n"
    assert running.log.read_bytes() == before


def test_pages_name_a_backup_that_fails(running: House) -> None:
    """The stick is not there: the table says so, and plays."""
    folder = running.log.parent / "stick"
    until_s = time.monotonic() + PATIENCE_S
    warnings: list[str] = []
    while not warnings:
        assert time.monotonic() < until_s, "no warning has come"
        warnings = httpx.get(f"{running.url}/api/state").json()["warnings"]
        time.sleep(0.05)
    words = f"the backup: there is no folder {folder}; make it, or plug in and mount the disk"
    assert warnings == [f"{words} that it is on"]
    assert not folder.exists()
