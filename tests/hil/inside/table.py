"""Settings of a table on this machine, and evenings that are played on it."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from companion.config import example
from tests.evenings import Evening
from tests.hil.inside.house import KEY, House
from tests.wires import FIRST_DEG, PINS, Bench

SPINS: Final = 4
REST_S: Final = 15.0
LOST: Final = "has lost its zero"


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
        ('host = "::"', 'host = "127.0.0.1"'),
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
    """Point the idol at each seat in turn, as the desk asks; again if it asks for that."""
    for _ in range(SPINS):
        house.calibrate("idol", "teach")
        try:
            for seat in range(seats):
                bench.point_at(FIRST_DEG + seat * 360 / seats)
                point(house, f"point {seat}")
        except AssertionError as error:
            if "start the calibration again" not in str(error):
                raise
        else:
            return
    raise AssertionError(f"of {SPINS} calibrations none was believed")


def point(house: House, press: str) -> None:
    """Press a button of the idol's calibration; a busy machine hears late that the idol rests."""
    deadline = time.monotonic() + REST_S
    while True:
        try:
            house.calibrate("idol", press)
        except AssertionError as error:
            if "still turning" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.5)
        else:
            return


def sense(house: House, bench: Bench, words: str) -> None:
    """Let the wires say what *words* do, and wait until the companion has heard what counts."""
    before = house.state()
    match words.split():
        case ["spin", deg, turns]:
            spin(house, bench, float(deg), float(turns))
            return
        case _:
            if not bench.act(words):
                return
    house.wait_for(lambda board: is_news(board, before))
    if words == "topple":
        bench.set_up()


def is_news(board: dict[str, Any], before: dict[str, Any]) -> bool:
    """Return whether the game has gone on, or something is asked."""
    return any(board[key] != before[key] for key in ("history", "question"))


def spin(house: House, bench: Bench, deg: float, turns: float) -> None:
    """Spin the idol until it is believed, as people do at the table.

    On a busy computer this machine stands still at times, and the kernel loses an edge.  Then no
    seat may be named; the zero is lost, and the host aims the idol once.
    """
    before = house.state()
    for _ in range(SPINS):
        bench.spin(deg, turns)
        board = house.wait_for(lambda new: is_news(new, before) or LOST in str(new["warnings"]))
        if is_news(board, before):
            return
        bench.point_at(FIRST_DEG)
        point(house, "aim")
        house.wait_for(lambda new: LOST not in str(new["warnings"]))
    raise AssertionError(f"of {SPINS} spins none was believed")


def play(house: House, bench: Bench, steps: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Let the people tap and the wires speak; return the scoreboard at the end."""
    for kind, words in steps:
        if kind == "tell":
            house.tell(words)
        else:
            sense(house, bench, words)
    return house.state()
