"""Whole evenings of Topple and UNO Tiki through the real daemon: tapped in, heard, killed, won."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.session.events import RoundScored, SpinObserved
from companion.session.log import Log
from tests.commands import TIKI
from tests.evenings import Evening, assert_won, forms_of, settings, topple_evening, uno_evening
from tests.wired_tables import House, at_home, wait_for


@contextmanager
def running(folder: Path, evening: Evening) -> Iterator[House]:
    """Run the daemon on the log in *folder*, and kill it with -9 in the end."""
    config = folder / "tiki.toml"
    config.write_text(settings(evening))
    command = [
        *(str(TIKI), "run", "--config", str(config), "--port", "0"),
        *("--log", str(folder / "game.db")),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            found = re.search(r":(\d+)", process.stdout.readline())
            assert found
            yield House(f"http://127.0.0.1:{found[1]}")
        finally:
            process.kill()


def play(folder: Path, evening: Evening, kills: int) -> dict[str, Any]:
    """Play *evening* through, the daemon killed *kills* times, and return the last scoreboard."""
    steps = list(forms_of(evening))
    size = len(steps) // (kills + 1) + 1
    board: dict[str, Any] = {}
    for start in range(0, len(steps), size):
        with running(folder, evening) as house:
            resumed = house.ask("/api/state")
            assert not start or resumed["history"] == board["history"]
            for form in steps[start : start + size]:
                house.ask("/api/tell", form)
            board = house.ask("/api/state")
    return board


@pytest.mark.parametrize(
    "evening",
    [topple_evening(34), topple_evening(36, seats=2), uno_evening(2, seats=4, target=100)],
    ids=["topple", "topple of two", "uno_tiki"],
)
@pytest.mark.slow(keep=["[topple]"])
def test_an_evening_ends_with_the_true_scores(tmp_path: Path, evening: Evening) -> None:
    """Taps and simulated sensors alone lead to the people's own scores, killed -9 half-way."""
    board = play(tmp_path, evening, kills=1)
    assert_won(board, evening)
    with Log(tmp_path / "game.db") as log:
        events = [entry.event for entry in log.entries(1)]
    rounds = [event.round for event in events if isinstance(event, RoundScored)]
    assert rounds[-1] == board["round"]
    assert set(rounds) == set(range(1, rounds[-1] + 1))
    spins = [event for event in events if isinstance(event, SpinObserved)]
    told = sum(words.startswith("spin") for _, words in evening.steps)
    assert len(spins) == (told if evening.header.game == "uno_tiki" else 0)


def test_the_comparison_of_ends_can_fail() -> None:
    """Another score, or another winner, is not the same end."""
    evening = topple_evening(34)
    players = [{"score": score} for score in evening.scores]
    assert_won({"players": players, "winners": evening.winners}, evening)
    for board in (
        {"players": [*players[:-1], {"score": 99}], "winners": evening.winners},
        {"players": players, "winners": None},
    ):
        with pytest.raises(AssertionError):
            assert_won(board, evening)


def test_another_game_in_the_settings_puts_the_old_one_away(tmp_path: Path) -> None:
    """The unfinished game is closed with its reason, its record kept, and the new one begins."""
    with at_home(tmp_path, settings(topple_evening(34))) as house:
        house.ask("/api/tell", {"action": "roll 3"})
    with at_home(tmp_path, settings(uno_evening(2, seats=4, target=100))) as house:
        board = house.ask("/api/state")
    assert (board["game"], len(board["players"])) == ("uno_tiki", 4)
    with Log(tmp_path / "game.db") as log:
        assert [entry.event.type for entry in log.entries(1)] == ["observed", "closed"]


@pytest.mark.slow
def test_a_moment_passes_by_itself(tmp_path: Path) -> None:
    """A wobble is over some seconds later, and the page hears of it."""
    with at_home(tmp_path, settings(topple_evening(34))) as house:
        house.ask("/api/tell", {"sensor": "wobble"})
        assert house.ask("/api/state")["moment"]["words"] == "The tower is wobbling!"
        wait_for(house, lambda board: board["moment"] is None)
