"""Backups of a real daemon in mid-game: restored on another card, the game goes on."""

import random
import shutil
import threading
from pathlib import Path

import pytest

from companion.session.log import Log
from tests.backup.tables import start, tiki
from tests.bare_rules import read_rows
from tests.soak.evening import Evening
from tests.soak.house import House
from tests.soak.tally import Tally


class Moving(Evening):
    """An evening at which the card dies several times, and a backup is restored on another."""

    moves = 0

    def _suffer(self) -> None:
        """Back the running table up, lose its folder, and go on from a new one."""
        self.moves += 1
        old = self.house.log.parent
        file = old.with_name(f"backup-{self.moves}.zip")
        made = start("backup", file, "--log", self.house.log, "--config", old / "tiki.toml")
        out, err = made.communicate(timeout=30)
        assert (made.returncode, err) == (0, ""), err
        assert "settings, keys; written, read back and verified" in out
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


@pytest.mark.timeout(120)
@pytest.mark.parametrize("game", ["tiki_topple", "topple"])
def test_a_game_goes_on_on_another_card(game: str, tmp_path: Path) -> None:
    """No tap, secret, seat or setting is lost, and the end is what the rules say."""
    (tmp_path / "card-0").mkdir()
    tally = Tally()
    evening = Moving(
        House(tmp_path / "card-0"), game, random.Random(3), tally, ordeal_share=0.2, most_ordeals=3
    )
    try:
        evening.play()
    finally:
        evening.house.kill()
    assert tally.is_clean, tally.notes
    assert (tally.ended, evening.moves) == (1, 3)


class Hurried(Evening):
    """An evening whose table is backed up all the time while people tap."""

    over = False

    def _begin(self) -> None:
        super()._begin()
        self.folder = self.house.log.parent.with_name("backups")
        self.folder.mkdir()
        self.backups = 0
        self.saver = threading.Thread(target=self._save)
        self.saver.start()

    def _save(self) -> None:
        while not self.over:
            self.backups += 1
            file = self.folder / f"{self.backups}.zip"
            made = start("backup", file, "--log", self.house.log)
            _, said = made.communicate(timeout=60)
            if made.returncode:
                self.tally.note("broken", said)

    def _judge_end(self) -> None:
        self.over = True
        self.saver.join()
        super()._judge_end()


@pytest.mark.timeout(120)
def test_each_backup_is_how_the_log_was_at_one_instant(tmp_path: Path) -> None:
    """Made while taps come as fast as they are answered, each has the first rows, and all whole."""
    (tmp_path / "table").mkdir()
    house, tally = House(tmp_path / "table"), Tally()
    evening = Hurried(house, "topple", random.Random(5), tally, ordeal_share=0.0)
    try:
        evening.play()
    finally:
        evening.over = True
        house.kill()
    assert tally.is_clean, tally.notes
    lengths = []
    for number in range(1, evening.backups + 1):
        log = tmp_path / f"{number}.db"
        assert tiki("restore", evening.folder / f"{number}.zip", "--log", log) == 0
        rows = read_rows(log)[1]
        assert rows == evening.kept[: len(rows)]
        lengths.append(len(rows))
    assert lengths == sorted(lengths)
    assert lengths


def test_a_table_that_runs_is_not_restored_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stop it first; nothing has changed, and the table still answers."""
    with Log(tmp_path / "other.db") as other:
        other.open_session({})
    assert tiki("backup", tmp_path / "b.zip", "--log", tmp_path / "other.db") == 0
    (tmp_path / "table").mkdir()
    house = House(tmp_path / "table")
    try:
        house.start()
        before = house.log.read_bytes()
        capsys.readouterr()
        assert tiki("restore", tmp_path / "b.zip", "--log", house.log, "--replace") == 1
        said = capsys.readouterr().err
        assert said == f"tiki: {house.log} is in use by a tiki that runs; stop that one first\n"
        assert house.log.read_bytes() == before
        assert house.stop()[0] == 0
        assert tiki("restore", tmp_path / "b.zip", "--log", house.log) == 0
    finally:
        house.kill()
