"""Whole games with one cue left out: `./run bench cues` prints what each cue is worth.

The recordings of columns that ship are filmed otherwise, several times each, and refereed without
one of the cues to their heights. `--films DIR ...` takes other recorded games instead.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from companion.apps.evaluation.games import evaluate_variations
from companion.apps.evaluation.simulated_host import FilmTally
from companion.recording import load_recording
from companion.registry import recordings
from tests.markdown import list_rows
from vision.inference import softmax

VARIATIONS: Final = (None, 1, 2)
"""As recorded, and filmed otherwise twice."""
GAMES: Final = ("tactiki",)
"""Topple's discs have no cue besides their network."""
THRESHOLDS: Final = {"shadow": "SHADOWS_BELOW", "registration": "REGISTRATION_BELOW"}
"""No column is less certain than 0, so that nothing is measured."""
CUES: Final = (*THRESHOLDS, "comparison")
HEADINGS: Final = (
    "without", "game", "moves", "right", "without a tap", "wrong", "illegal", "named", "believed",
    "false alarms",
)  # fmt: skip


def leave_out(cue: str) -> AbstractContextManager[Any]:
    """Return a context in which readers of columns do without *cue*; with all of them for ""."""
    stack = ExitStack()
    if cue in THRESHOLDS:
        stack.enter_context(patch(f"vision.columns.heights.{THRESHOLDS[cue]}", 0.0))
    elif cue == "comparison":
        for name in ("compare", "compare_leave_one_out"):
            stack.enter_context(patch(f"vision.columns.cues.cast_shadows.{name}", _alone))
    elif cue:
        raise ValueError(f"{cue!r} is no cue; there are {', '.join(CUES)}")
    return stack


def _alone(_weights: Path, features: NDArray[np.float32], _known: object) -> NDArray[np.float64]:
    """Return what shadows say by themselves, compared with no others."""
    return softmax(features[:, 0].astype(np.float64))


def try_without(cue: str, folder: Path, variations: Sequence[int | None] = VARIATIONS) -> FilmTally:
    """Return how the game in *folder* is refereed without *cue*, filmed in these *variations*."""
    total = FilmTally()
    with leave_out(cue):
        for tally in evaluate_variations(load_recording(folder), variations):
            total.add(tally)
    return total


def list_lines(folders: Sequence[Path] = ()) -> Iterator[str]:
    """Yield a table, with a line of figures for each game without each cue."""
    return list_rows(HEADINGS, _measure(folders or [recordings()[game] for game in GAMES]))


def _measure(folders: Sequence[Path]) -> Iterator[tuple[object, ...]]:
    for cue in ("", *CUES):
        for folder in folders:
            tally = try_without(cue, folder)
            yield (
                cue or "nothing", folder.name, tally.moves, tally.right, f"{tally.by_itself:.1%}",
                tally.wrong, tally.illegal, tally.named, tally.believed, tally.alarms,
            )  # fmt: skip
