"""Recorded sessions for the tests."""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from vision.capture.frame import Frame, Picture, load_frame
from vision.geometry.layout import TIKIS, Layout, parse_layout
from vision.line.reader import LineReader
from vision.observation import Observation

FRAMES: Final = Path(__file__).parent / "frames"
SESSIONS: Final = ("s01", "s02", "s03", "s04", "replay")
CALIBRATION: Final[Mapping[str, Any]] = {"line": [*TIKIS]}
"""The truth about every session's calibration picture."""


@dataclass(frozen=True)
class Shot:
    """A frame and what it truly shows: the line, or None while a hand is in the way."""

    frame: Frame
    line: tuple[str, ...] | None

    @property
    def reading(self) -> Mapping[str, Any] | None:
        """What a reader may say, and learns from; None while a hand is in the way."""
        return None if self.line is None else {"line": list(self.line)}

    def is_truly(self, observation: Observation) -> bool:
        """Return whether the line that was read stands there."""
        return observation.reading == self.reading

    def altered(self, picture: Picture) -> "Shot":
        """Return the same shot with another picture of it."""
        return replace(self, frame=replace(self.frame, picture=picture))


@cache
def layout_of(session: str) -> Layout:
    """Return the layout in the session's session.json."""
    return parse_layout(json.loads((FRAMES / session / "session.json").read_text("utf-8")))


@cache
def shots_of(session: str) -> tuple[Shot, ...]:
    """Return all shots of a session, the calibration picture first."""
    folder = FRAMES / session
    shots = []
    for text in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        record = json.loads(text)
        line = record["truth"].get("line")
        shots.append(Shot(load_frame(folder / record["frame"]), tuple(line) if line else None))
    return tuple(shots)


@cache
def _taught(session: str) -> LineReader:
    """Return a reader that nobody uses, to be copied: teaching takes longer."""
    reader = LineReader(layout_of(session))
    reader.calibrate(shots_of(session)[0].frame, CALIBRATION)
    return reader


def calibrated_reader(session: str) -> LineReader:
    """Return a reader that has learned the session's calibration picture, and seen no other."""
    return deepcopy(_taught(session))


def settled_shots(session: str) -> list[Shot]:
    """Return the shots that can be read, without the calibration picture."""
    return [shot for shot in shots_of(session)[1:] if shot.line]


def covered_shots(session: str) -> list[Shot]:
    """Return the shots with a hand over a slot."""
    return [shot for shot in shots_of(session) if not shot.line]
