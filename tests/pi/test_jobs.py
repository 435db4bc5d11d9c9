"""What is done on the emulated boards, as far as it can be tried without one."""

import io
import json
import tomllib
import urllib.request
from pathlib import Path
from typing import Any, cast

import pytest

from tests.pi.decisions import load
from tests.pi.inside import board, figures, memory

ROOT = Path(__file__).parents[2]


class Daemon:
    """Stands for a daemon's process, which lives."""

    def poll(self) -> int | None:
        """Return that it has not ended."""
        return None


def told(*events: dict[str, Any]) -> io.BytesIO:
    """Return the stream in which a daemon tells of *events*."""
    return io.BytesIO(b"".join(f"data: {json.dumps(each)}\n\n".encode() for each in events))


def test_the_board_has_its_devices_on_the_header() -> None:
    """The example's settings hold, with wired sensors and buttons, and five wires."""
    settings = tomllib.loads(board.wired((ROOT / "deploy" / "tiki.toml").read_text()))
    assert settings["sensors"]["kind"] == settings["buttons"]["kind"] == "wired"
    assert settings["display"]["kind"] == "fake"
    assert settings["pins"]["tilt_0"]
    with pytest.raises(AssertionError, match="has changed"):
        board.wired("[sensors]\nkind = 3\n")


def test_a_nanosecond_is_an_instruction() -> None:
    """The clock of that board counts them; its pictures are settled, and of every game."""
    assert figures.instructions(12.5) == 12_500_000
    known = load()
    assert set(figures.PICTURES) == set(known.events)
    names = [f"{game}/{name}" for game, some in figures.PICTURES.items() for name in some]
    assert {known.pictures[name]["status"] for name in names} == {"ok"}


def test_a_game_is_followed_until_its_moves_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other events are passed over."""
    moves = [{"type": "move", "frame": f"{n}.jpg", "action": f"move {n}"} for n in range(9)]
    stream = told({"type": "state"}, *moves)
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: stream)
    assert memory.follow(cast("Any", Daemon())) == moves[: memory.MOVES]


def test_a_daemon_that_tells_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that is too slow."""
    monkeypatch.setattr(memory, "PATIENCE_S", 0.0)
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: told({"type": "move"}))
    assert memory.follow(cast("Any", Daemon())) == []


def test_memory_is_told_by_proc() -> None:
    """As the kernel writes it; a name that is not there fails."""
    assert memory.kilobytes("MemTotal:  498688 kB\nMemFree: 1 kB\n", "MemTotal") == 498688
    with pytest.raises(StopIteration):
        memory.kilobytes("MemTotal: 1 kB\n", "VmHWM")
