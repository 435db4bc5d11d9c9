"""labels.jsonl: what labelled photographs show, a JSON object on each line."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from companion.recording import BadRecording

LABELS: Final = "labels.jsonl"
Label = TypeVar("Label")


def first_line(folder: Path) -> str | None:
    """Return the first line of *folder*'s labels, None if it has none."""
    path = folder / LABELS
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as labels:
        return labels.readline()


def read_labels(folder: Path, take: Callable[[Any], Label], right: str) -> Iterator[Label]:
    """Yield what *take* makes of each label in *folder*.

    right: what each line is.  Raises BadRecording where a line, or what it names, is not that.
    """
    path = folder / LABELS
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            label = take(json.loads(text))
        except (ValueError, KeyError, TypeError):
            raise BadRecording(f"{path}, line {number}: each line is {right}") from None
        yield label
