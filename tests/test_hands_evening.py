"""Whole evenings of Topple and UNO Tiki through the real daemon: tapped in, heard, killed, won."""

import contextlib
import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.config import example
from companion.session.events import RoundScored, SpinObserved
from companion.session.log import Log
from tests.evenings import Evening, forms_of, topple_evening, uno_evening
from tests.test_cli import TIKI

KEY = "a-long-evening"


def settings(evening: Evening) -> str:
    """Return a config for *evening*: no camera, simulated sensors."""
    header = evening.header
    first = next(iter(header.setup.values()), -1)
    target = header.options["target"]
    return (
        example()
        .replace('game = "auto"', f'game = "{header.game}"')
        .replace('source = "recording"', 'source = "none"')
        .replace('"Red", "Blue", "Yellow", "Green"', json.dumps(header.players)[1:-1])
        .replace("first = 0", f"first = {first}")
        .replace("options = {}", f"options = {{ target = {target} }}")
        .replace('key = ""', f'key = "{KEY}"')
    )


@dataclass
class House:
    """A daemon that runs."""

    url: str

    def ask(self, path: str, form: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the JSON answer at *path*, to the host's *form* if one is given."""
        data = urlencode(form).encode() if form else None
        request = urllib.request.Request(self.url + path, data, {"Authorization": f"Bearer {KEY}"})
        with urllib.request.urlopen(request, timeout=20) as reply:
            found: dict[str, Any] = json.load(reply)
            return found


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


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "evening",
    [topple_evening(34), topple_evening(36, seats=2), uno_evening(2, seats=4, target=100)],
    ids=["topple", "topple of two", "uno_tiki"],
)
@pytest.mark.slow(keep=["[topple]"])
def test_an_evening_ends_with_the_true_scores(tmp_path: Path, evening: Evening) -> None:
    """Taps and simulated sensors alone lead to the people's own scores, killed -9 three times."""
    board = play(tmp_path, evening, kills=3)
    assert tuple(player["score"] for player in board["players"]) == evening.scores
    assert tuple(board["winners"]) == evening.winners
    with Log(tmp_path / "game.db") as log:
        events = [entry.event for entry in log.entries(1)]
    rounds = [event.round for event in events if isinstance(event, RoundScored)]
    assert rounds[-1] == board["round"]
    assert set(rounds) == set(range(1, rounds[-1] + 1))
    spins = [event for event in events if isinstance(event, SpinObserved)]
    told = sum(words.startswith("spin") for _, words in evening.steps)
    assert len(spins) == (told if evening.header.game == "uno_tiki" else 0)


@pytest.mark.timeout(60)
def test_an_evening_told_wrongly_ends_otherwise(tmp_path: Path) -> None:
    """Without its falls the same game stands otherwise: the comparison above can fail."""
    evening = topple_evening(34)
    assert ("sensor", "topple") in evening.steps
    with running(tmp_path, evening) as house:
        for form in forms_of(evening):
            if form != {"sensor": "topple"}:
                with contextlib.suppress(urllib.error.HTTPError):
                    house.ask("/api/tell", form)
        board = house.ask("/api/state")
    assert tuple(player["score"] for player in board["players"]) != evening.scores


def test_another_game_in_the_settings_puts_the_old_one_away(tmp_path: Path) -> None:
    """The unfinished game is closed with its reason, its record kept, and the new one begins."""
    with running(tmp_path, topple_evening(34)) as house:
        house.ask("/api/tell", {"action": "roll 3"})
    with running(tmp_path, uno_evening(2, seats=4, target=100)) as house:
        board = house.ask("/api/state")
    assert (board["game"], len(board["players"])) == ("uno_tiki", 4)
    with Log(tmp_path / "game.db") as log:
        assert [entry.event.type for entry in log.entries(1)] == ["observed", "closed"]


@pytest.mark.timeout(60)
@pytest.mark.slow
def test_a_moment_passes_by_itself(tmp_path: Path) -> None:
    """A wobble is over some seconds later, and the page hears of it."""
    with running(tmp_path, topple_evening(34)) as house:
        house.ask("/api/tell", {"sensor": "wobble"})
        shown = house.ask("/api/state")["moment"]
        assert shown["words"] == "The tower is wobbling!"
        deadline = time.monotonic() + 30
        while house.ask("/api/state")["moment"] is not None:
            assert time.monotonic() < deadline
            time.sleep(0.5)
