"""The daemon on a board with little memory: it learns TacTiki and follows a game."""

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

RUN: Final = (
    *(sys.executable, "-P", "-c", "import sys; from companion.cli import main; sys.exit(main())"),
    *("run", "--replay", "companion/recordings/tactiki", "--port", "8321", "--log", "/tmp/game.db"),
    *("--frame-s", "30"),
)
MOVES: Final = 4
"""As many have to be followed."""
PATIENCE_S: Final = 1500.0
STATE: Final = "http://127.0.0.1:8321/api/v1/events"


def kilobytes(text: str, name: str) -> int:
    """Return the number that a file of /proc has under *name*.

    >>> kilobytes("VmHWM:     1234 kB", "VmHWM")
    1234
    """
    line = next(each for each in text.splitlines() if each.startswith(f"{name}:"))
    return int(line.split()[1])


def peaks_mb() -> int:
    """Return the most memory that all Python processes have had, added up, in MB."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:  # it has just ended
            continue
        if "VmHWM:" in text and text.startswith("Name:\tpython3"):
            total += kilobytes(text, "VmHWM")
    return total // 1024


def follow(daemon: "subprocess.Popen[bytes]") -> list[dict[str, Any]]:
    """Return the moves that the daemon tells of; fewer than MOVES if it ends or is too slow."""
    moves: list[dict[str, Any]] = []
    end_s = time.monotonic() + PATIENCE_S
    while len(moves) < MOVES and daemon.poll() is None and time.monotonic() < end_s:
        try:
            request = urllib.request.Request(STATE, headers={"Last-Event-ID": "0"})
            with urllib.request.urlopen(request, timeout=60) as stream:
                moves.clear()
                for line in stream:
                    if not line.startswith(b"data:"):
                        continue
                    event = json.loads(line[5:])
                    if event.get("type") == "move":
                        moves.append(event)
                        print(f"{event['frame']}: {event['action']}", flush=True)
                    if len(moves) >= MOVES or time.monotonic() > end_s:
                        break
        except OSError:
            time.sleep(5)
    return moves


def main() -> int:
    """Say what was followed and what it took; return 1 if the daemon ended or saw too little."""
    memory = Path("/proc/meminfo")
    print(f"{kilobytes(memory.read_text(), 'MemTotal') // 1024} MB of memory", flush=True)
    daemon = subprocess.Popen(RUN, stdout=subprocess.DEVNULL)
    moves = follow(daemon)
    left_mb = kilobytes(memory.read_text(), "MemAvailable") // 1024
    alive = daemon.poll() is None
    print(
        f"{len(moves)} moves followed; the processes had {peaks_mb()} MB at most, {left_mb} MB are"
        f" left; the daemon {'is alive' if alive else 'has ended'}",
        flush=True,
    )
    daemon.terminate()
    return 0 if alive and len(moves) >= MOVES else 1


if __name__ == "__main__":
    sys.exit(main())
