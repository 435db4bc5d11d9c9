"""Whole games over a range of thresholds: `./run bench thresholds` prints the table.

The recordings that ship are filmed otherwise, several times each, and refereed with one threshold
moved at a time. What is chosen must be best, or as good as its neighbours, by whole games.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, Final
from unittest.mock import patch

from companion.apps.evaluation.games import evaluate_variations
from companion.apps.evaluation.simulated_host import FilmTally
from companion.recording import load_recording
from companion.referee.evidence import LIMITS, Limits
from companion.registry import GAMES, recordings
from tests.markdown import list_rows

FILMS: Final = range(1, 3)
"""How each recording is filmed."""
RANGES: Final = {
    "odds": (3.0, 8.0, 20.0, 80.0, 300.0),
    "worst": (0.03, 0.1, 0.2, 0.3),
    "unexplained": (0.001, 0.01, 0.03, 0.1),
    "contradicted": (0.3, 0.5, 0.7, 0.85),
    "hidden_change": (0.002, 0.02, 0.2),
    "legible": (0.5, 0.6, 0.7, 0.85),
}
HEADINGS: Final = (
    "threshold", "value", "moves", "right", "without a tap", "wrong", "illegal", "named",
    "believed",
)  # fmt: skip


def try_limits(
    limits: Limits, films: Iterable[int] = FILMS, games: Collection[str] = GAMES
) -> FilmTally:
    """Return how the *films* of *games* are refereed with *limits*."""
    total = FilmTally()
    with patch("companion.referee.observation_judge.LIMITS", limits):
        for game in games:
            for tally in evaluate_variations(load_recording(recordings()[game]), films):
                total.add(tally)
    return total


def vary() -> Iterator[tuple[str, Any, Limits]]:
    """Yield each threshold's name and value, and the limits with it alone moved."""
    yield "as they are", "", LIMITS
    for field in fields(Limits):
        for value in RANGES[field.name]:
            if value != getattr(LIMITS, field.name):
                yield field.name, value, replace(LIMITS, **{field.name: value})


def list_lines() -> Iterator[str]:
    """Yield a table, with a line of figures for each value of each threshold."""
    return list_rows(HEADINGS, _measure())


def _measure() -> Iterator[tuple[object, ...]]:
    for name, value, limits in vary():
        tally = try_limits(limits)
        yield (
            name, value, tally.moves, tally.right, f"{tally.by_itself:.1%}", tally.wrong,
            tally.illegal, tally.named, tally.believed,
        )  # fmt: skip
