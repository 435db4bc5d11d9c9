"""Recorded tables of the card games."""

import json
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from vision.capture.frame import Frame, Picture, load_frame
from vision.cards.discard_reader import UnoReader
from vision.cards.layout import parse_pile_layout, parse_uno_layout
from vision.cards.pile_reader import PileReader
from vision.observation import Observation

FRAMES: Final = Path(__file__).parent / "frames"
PILES: Final = ("tippi_toppi_s01", "tippi_toppi_s02", "tippi_toppi_s03")
UNO: Final = ("uno_tiki_s01", "uno_tiki_s02", "uno_tiki_s03")
CLOSE_DEG: Final = 5.0


@dataclass(frozen=True)
class Shot:
    """A frame and the truth about it, as it stands in truth.jsonl."""

    frame: Frame
    truth: dict[str, Any]

    @property
    def settled(self) -> bool:
        """Whether there is anything to read."""
        return bool(self.truth["settled"])

    def is_truly(self, observation: Observation) -> bool:
        """Return whether what was read is so; the idol's angle may be 5 degrees off."""
        if not self.settled or observation.reading is None:
            return False
        if "piles" in self.truth:
            return bool(observation.reading["piles"] == self.truth["piles"])
        apart = (observation.reading["idol_deg"] - self.truth["idol_deg"] + 180.0) % 360.0 - 180.0
        return (
            bool(observation.reading["discard"] == self.truth["discard"])
            and abs(apart) <= CLOSE_DEG
        )

    def altered(self, picture: Picture) -> "Shot":
        """Return the same shot with another picture of it."""
        return replace(self, frame=replace(self.frame, picture=picture))


@cache
def session_of(table: str) -> dict[str, Any]:
    """Return the table's session.json."""
    session: dict[str, Any] = json.loads((FRAMES / table / "session.json").read_text("utf-8"))
    return session


@cache
def shots_of(table: str) -> tuple[Shot, ...]:
    """Return all shots of a table, the calibration picture first."""
    folder = FRAMES / table
    records = map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines())
    return tuple(Shot(load_frame(folder / r["frame"]), r["truth"]) for r in records)


def settled_shots(table: str) -> list[Shot]:
    """Return the shots that can be read, without the calibration picture."""
    return [shot for shot in shots_of(table)[1:] if shot.settled]


def busy_shots(table: str) -> list[Shot]:
    """Return the shots with a hand over the table."""
    return [shot for shot in shots_of(table) if not shot.settled]


def new_reader(table: str) -> PileReader | UnoReader:
    """Return a reader for the table's game that has learned nothing yet."""
    session = session_of(table)
    if session["game"] == "tippi_toppi":
        return PileReader(parse_pile_layout(session))
    return UnoReader(parse_uno_layout(session))


@cache
def _taught(table: str) -> PileReader | UnoReader:
    """Return a reader that nobody uses, to be copied: teaching takes longer."""
    reader, first = new_reader(table), shots_of(table)[0]
    reader.calibrate(first.frame, first.truth)
    return reader


def calibrated_reader(table: str) -> PileReader | UnoReader:
    """Return a reader that has learned the table's calibration picture, and seen no other."""
    return deepcopy(_taught(table))
