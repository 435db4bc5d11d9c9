"""Measuring the camera's lens in `tiki setup`: what the set-up page offers, in a terminal."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

PAUSE_S: Final = 0.5
PATIENCE_S: Final = 30.0
"""Ten seconds of measuring, and a slow computer."""
OFFER: Final = (
    "\nMeasure the camera? Hold a printed corner tile close to it. A tile from another game is\n"
    "best, stuck on card. Tilt it slowly in all directions for ten seconds, with pauses. [y/N] "
)


def offer_measuring(
    state: Mapping[str, Any], begin: Callable[[], None], ask: Callable[[], Mapping[str, Any]]
) -> None:
    """Measure the lens if *state* offers it and the host agrees, and print how it goes.

    begin: lets it begin.  ask: returns the newest state.
    """
    if not state["lens"]["offered"]:
        return
    sys.stdout.write(OFFER)
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        return
    begin()
    until_s, said = time.monotonic() + PATIENCE_S, list[str]()
    while time.monotonic() < until_s:
        lens = ask()["lens"]
        if lens["words"] != said:
            said = lens["words"]
            print(*said)
        if not lens["measuring"]:
            return
        time.sleep(PAUSE_S)
