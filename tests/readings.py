"""What readers say to one picture of each game's table, and whether that is honest."""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
from numpy.typing import NDArray

from companion.apps.evaluation.pictures import agrees
from companion.table.readers import Reader, reader_setup_of
from tests.vision.sessions import FRAMES
from vision.capture.frame import Frame, Picture, load_frame
from vision.observation import Observation, Status

TABLES: Final = {
    "tiki_topple": "s01",
    "tactiki": "tactiki_s02",
    "topple": "topple_s03",
    "tippi_toppi": "tippi_toppi_s01",
    "uno_tiki": "uno_tiki_s01",
}
"""A session of each game."""
GAMES: Final = tuple(TABLES)


def rows_of(game: str) -> list[dict[str, Any]]:
    """Return the truth of each picture, the calibration picture's first."""
    source = FRAMES / TABLES[game] / "truth.jsonl"
    return [json.loads(line) for line in source.read_text("utf-8").splitlines()]


def teach(game: str) -> Reader:
    """Return the game's reader, taught by its session's calibration picture."""
    folder, known = FRAMES / TABLES[game], rows_of(game)[0]
    description = json.loads((folder / "session.json").read_text("utf-8"))
    reader = reader_setup_of(game).open_reader(description)
    reader.calibrate(load_frame(folder / known["frame"]), known["truth"])
    return reader


taught = cache(teach)
"""The same, one for all tests: it has seen other pictures before."""
_unused = cache(teach)
"""One that has seen nothing since, to be copied: teaching takes seconds."""


@cache
def settled_row(game: str) -> dict[str, Any]:
    """Return name and truth of the game's first picture at rest."""
    return next(row for row in rows_of(game)[1:] if row["kind"] == "settled")


def path_of(game: str) -> Path:
    """Return where that picture lies."""
    return FRAMES / TABLES[game] / str(settled_row(game)["frame"])


@cache
def picture_of(game: str) -> Picture:
    """Return the picture."""
    return load_frame(path_of(game)).picture


def truth_of(game: str) -> Mapping[str, Any]:
    """Return what it truly shows."""
    truth: Mapping[str, Any] = settled_row(game)["truth"]
    return truth


def as_truth(reading: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return a reading as truth.jsonl would have it: stacks as lists of pieces."""
    if reading is None or "cells" not in reading:
        return reading
    rows = [[[cell["top"]] * cell["height"] for cell in row] for row in reading["cells"]]
    return {**reading, "cells": rows}


def assert_honest(observation: Observation, truth: Mapping[str, Any] | None) -> None:
    """Fail unless *observation* is a whole answer, and its reading, if it has one, is the *truth*.

    truth: None if whatever is read is wrong.
    """
    assert observation.status in (Status.OK, Status.UNSETTLED, Status.NO_MAT)
    assert (
        (observation.reading is not None)
        == (observation.status is Status.OK)
        == (observation.reason is None)
    )
    assert 0.0 <= observation.confidence <= 1.0
    if observation.reading is not None:
        assert observation.confidence > 0.0
        assert truth is not None, f"{observation.reading} was read where there is nothing"
        assert agrees(observation.reading, truth), f"{observation.reading} is not {truth}"


def see(game: str, picture: Picture) -> Observation:
    """Return what the game's reader says to the picture; one that has not seen any other."""
    return deepcopy(_unused(game)).read(Frame("strange", picture, 0.0))


def encode(extension: str, levels: NDArray[Any]) -> bytes:
    """Return the picture as a file of that kind."""
    done, encoded = cv2.imencode(extension, levels)
    assert done
    return encoded.tobytes()
