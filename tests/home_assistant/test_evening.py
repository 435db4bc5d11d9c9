"""What `./run home-assistant` judges by, and what it says where it cannot go on."""

import shutil
import subprocess
from math import inf
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.apps.mqtt.discovery import Discovery, components_of
from companion.scoreboard import read_scoreboard
from tests.home_assistant.evening import differences, due, examples
from tests.home_assistant.hass import Change, seconds_until
from tests.mqtt.tables import TOPICS
from tests.tables import sit_down

SCRIPT = Path(__file__).with_name("home_assistant.sh")


def board() -> dict[str, Any]:
    """Return the scoreboard of a table of two."""
    return read_scoreboard(sit_down(2)).to_json()


def test_what_home_assistant_shows_is_compared_with_the_table() -> None:
    """Another state, another attribute and an entity that is not there are named."""
    shown = {entity: Change(entity, *expected) for entity, expected in due(board()).items()}
    assert differences(board(), shown) == []
    assert {
        each["default_entity_id"] for each in components_of(TOPICS, 2, Discovery(True)).values()
    } >= set(shown)
    score = "sensor.bar_score_seat_2"
    for wrong in (Change(score, "7", {"player": "Bob"}), Change(score, "0", {"player": "Ann"})):
        (told,) = differences(board(), {**shown, score: wrong})
        assert told.endswith("not 0 {'player': 'Bob'}")
    less = {**board(), "players": board()["players"][:1], "turn": None}
    told = "\n".join(differences(less, shown, 2))
    assert "sensor.bar_turn is Ann {'seat': 1}, not unknown {'seat': None}" in told
    assert f"{score} is 0 {{'player': 'Bob'}}, not unknown {{'player': None}}" in told
    del shown["sensor.bar_turn"]
    (told,) = differences(board(), shown)
    assert told.startswith("sensor.bar_turn is nothing {}, not Ann")


def test_what_does_not_come_in_time_took_for_ever() -> None:
    """Also where nobody answers."""

    def ask() -> bool:
        raise httpx.ConnectError("nobody answers")

    assert seconds_until(lambda: True, 1) < 1
    assert seconds_until(lambda: False, 0.1) == seconds_until(ask, 0.1) == inf


def test_the_examples_of_the_page_are_found() -> None:
    """The automation becomes one of a file of them."""
    entities, automations = examples()
    assert "event.bar_tower" in entities
    assert automations.startswith("- alias: flash\n  triggers:\n")


@pytest.mark.parametrize(
    ("user", "word", "told"),
    [
        ("0", "--fast", "home-assistant knows --keep and --rebuild, not --fast"),
        ("1000", "--keep", "only root can make a machine's file system; try: sudo ./run home-as"),
    ],
)
def test_what_it_cannot_do_is_said_in_one_line(
    tmp_path: Path, user: str, word: str, told: str
) -> None:
    """A word that it does not know, and another user than root."""
    (tmp_path / "dirname").symlink_to(str(shutil.which("dirname")))
    (tmp_path / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (tmp_path / "id").chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", SCRIPT, word],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert told in line
