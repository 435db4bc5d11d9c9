"""Settings of a table on this machine, and evenings that are played on it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from companion.config import example
from tests.evenings import Evening
from tests.hil.inside.house import KEY, House
from tests.wires import PINS, Bench

FIRST_DEG: Final = 40.0
"""Where the first player sits, from where the idol pointed when the companion started."""


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """Return *text* with each first of *changes* as its second; every one must be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def settings(folder: Path, *changes: tuple[str, str]) -> str:
    """Return the settings that ship, with a log in *folder*, a host's key and *changes*."""
    return replaced(
        example(),
        ('host = "0.0.0.0"', 'host = "127.0.0.1"'),
        ('[log]\nfile = ""', f'[log]\nfile = "{folder / "games.db"}"'),
        ('key = ""', f'key = "{KEY}"'),
        *changes,
    )


def wired(folder: Path, evening: Evening, *roles: str, board: str = "header") -> str:
    """Return the settings for *evening*: wired sensors and buttons, an OLED, no camera."""
    header = evening.header
    first = next(iter(header.setup.values()), -1)
    return settings(
        folder,
        ('game = "auto"', f'game = "{header.game}"'),
        ('source = "recording"', 'source = "none"'),
        ('"Red", "Blue", "Yellow", "Green"', json.dumps(header.players)[1:-1]),
        ("first = 0", f"first = {first}"),
        ("options = {}", f"options = {{ target = {header.options['target']} }}"),
        ('[sensors]\nkind = "fake"', '[sensors]\nkind = "wired"'),
        ('[buttons]\nkind = "fake"', '[buttons]\nkind = "wired"'),
        ('[display]\nkind = "fake"', '[display]\nkind = "ssd1306"'),
        (
            PINS,
            f'board = "{board}"\nfactory = "lgpio"\n'
            + "".join(f"{role} = true\n" for role in roles),
        ),
    )


def calibrate_seats(house: House, bench: Bench, seats: int) -> None:
    """Point the idol at each seat in turn, as the desk asks."""
    house.calibrate("idol", "teach")
    for seat in range(seats):
        bench.point_at(FIRST_DEG + seat * 360 / seats)
        house.calibrate("idol", f"point {seat}")


def sense(house: House, bench: Bench, words: str) -> None:
    """Let the wires say what *words* do, and wait until the companion has heard what counts."""
    before = house.state()
    match words.split():
        case ["knock"]:
            bench.knock()
            return
        case ["wobble" | "lean"]:
            bench.sway()
            return
        case ["still"]:
            return
        case ["spin", deg, turns]:
            if abs(float(turns)) < 1:
                bench.turn(float(turns))
            else:
                bench.spin_to(FIRST_DEG + float(deg), float(turns))
        case ["press", *role]:
            bench.press("_".join(role))
        case ["topple"]:
            bench.topple()
    told = ("history", "question")
    house.wait_for(lambda board: [board[key] for key in told] != [before[key] for key in told])
    if words == "topple":
        bench.set_up()


def play(house: House, bench: Bench, steps: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Let the people tap and the wires speak; return the scoreboard at the end."""
    for kind, words in steps:
        if kind == "tell":
            house.tell(words)
        else:
            sense(house, bench, words)
    return house.state()


def assert_won(board: dict[str, Any], evening: Evening) -> None:
    """Fail unless the companion and the people agree on scores and winners."""
    assert tuple(player["score"] for player in board["players"]) == evening.scores
    assert tuple(board["winners"] or ()) == evening.winners
