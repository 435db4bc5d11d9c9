"""Game records as they are written: lines of JSON, and the file they make."""

import json
from typing import Any

from companion.referee.game_record import record_of
from companion.referee.past import GameCourse

BEGAN = "2026-01-01T20:00:00.000+00:00"


def written(course: GameCourse[Any, Any], *, full: bool = False) -> list[dict[str, Any]]:
    """Return the record of a game line by line, as JSON has it."""
    lines = record_of(course, BEGAN, full=full).lines()
    found: list[dict[str, Any]] = json.loads(json.dumps(list(lines)))
    return found


def data_of(lines: list[Any]) -> bytes:
    """Return the file that has *lines*."""
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()
