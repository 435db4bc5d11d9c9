"""What the companion decides on the shipped recordings, so that two processors can be compared.

A decision is a word, a whole number or a choice. Confidences, angles and times may differ from one
processor to another, and are left out. Needs the standard library alone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

EXPECTED: Final = Path(__file__).parent / "decisions.jsonl"
"""What was decided on x86-64: a line for each picture and for each event of a replay."""
SAID: Final = frozenset({"at", "message", "table", "text", "words"})
"""What an event only repeats in other words, or when it came."""


class BadDecisions(Exception):
    """The file of decisions cannot be used; one line with what to do."""


@dataclass(frozen=True)
class Decisions:
    """pictures: by name, `topple/003.jpg`, what was read; events: by game, of its replay."""

    pictures: Mapping[str, Any]
    events: Mapping[str, Sequence[Any]]


def decided(value: Any) -> Any:
    """Return *value*, of JSON, without what may differ, in its shortest form.

    A place's contents become one text, the empty text for an empty place.

    >>> decided({"cells": [{"height": 2, "top": "pink"}, {"height": 0, "top": None}], "tilt": 0.4})
    {'cells': ['2 pink', '']}
    """
    return _short(value, is_inside=False)


def _short(value: Any, *, is_inside: bool) -> Any:
    if isinstance(value, list):
        return [_short(each, is_inside=True) for each in value if not isinstance(each, float)]
    if not isinstance(value, dict):
        return value
    kept = {key: each for key, each in value.items() if not isinstance(each, float)}
    if kept and is_inside and not any(isinstance(each, list | dict) for each in kept.values()):
        return " ".join(str(each) for each in kept.values()) if any(kept.values()) else ""
    short = {key: _short(each, is_inside=True) for key, each in kept.items() if key not in SAID}
    return {key: each for key, each in short.items() if each is not None}


def picture_of(line: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the name of the picture of a *line* of `tiki read`, and what was decided on it."""
    name = "/".join(Path(line["file"]).parts[-2:])
    parts = {key: line.get(key) for key in ("status", "reason", "reading")}
    return name, decided(parts)


def load(path: Path = EXPECTED) -> Decisions:
    """Return what `write` has written to *path*; raises BadDecisions."""
    pictures: dict[str, Any] = {}
    events: dict[str, list[Any]] = {}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "picture" in row:
                pictures[row.pop("picture")] = row
            else:
                events.setdefault(row["game"], []).append(row["event"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadDecisions(
            f"{path} cannot be used ({error}); write it anew on x86-64: ./run pi --write"
        ) from None
    return Decisions(pictures, events)


def write(found: Decisions, path: Path = EXPECTED) -> None:
    """Write *found* to *path*; raises OSError."""
    rows: list[dict[str, Any]] = [{"picture": name, **row} for name, row in found.pictures.items()]
    for game, events in found.events.items():
        rows += [{"game": game, "event": event} for event in events]
    text = "".join(f"{_line(row)}\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def chosen(names: Iterable[str], every: int) -> list[str]:
    """Return the first of *names* and each that follows after *every* of them, game by game."""
    of_game: dict[str, list[str]] = {}
    for name in names:
        of_game.setdefault(name.partition("/")[0], []).append(name)
    return [name for group in of_game.values() for name in group[::every]]


def differences(
    expected: Mapping[str, Any], names: Sequence[str], lines: Iterable[str]
) -> Iterator[str]:
    """Yield a line for each of the pictures *names* that *lines* of `tiki read` read otherwise.

    Pictures of which there is no line are named last.
    """
    missing = dict.fromkeys(names)
    for line in lines:
        name, found = picture_of(json.loads(line))
        missing.pop(name, None)
        if found != expected.get(name):
            yield f"{name}: expected {_line(expected.get(name))}, read {_line(found)}"
    for name in missing:
        yield f"{name}: expected {_line(expected.get(name))}, not read at all"


def first_difference(expected: Sequence[Any], lines: Iterable[str]) -> str | None:
    """Return where the events in *lines* of `tiki replay --json` first differ; None: nowhere."""
    found = [decided(json.loads(line)) for line in lines]
    for number in range(max(len(expected), len(found))):
        wanted, seen = (
            events[number] if number < len(events) else None for events in (expected, found)
        )
        if wanted != seen:
            return f"event {number + 1}: expected {_line(wanted)}, got {_line(seen)}"
    return None


def _line(value: Any) -> str:
    """Return *value* as JSON on one line; `nothing` if there is none."""
    if value is None:
        return "nothing"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
