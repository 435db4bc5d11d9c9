"""The recorded games of cards that ship with the companion, picture by picture."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from vision.capture.frame import Frame, load_frame
from vision.cards.discard_reader import UnoReader
from vision.cards.layout import parse_pile_layout, parse_uno_layout
from vision.cards.pile_reader import PileReader

RECORDINGS: Final = Path(__file__).parents[2] / "companion" / "recordings"
SIDES: Final = {0: "near", 1: "left", 2: "right"}


@dataclass(frozen=True)
class Scene:
    """A picture and its line of truth.jsonl."""

    frame: Frame
    row: dict[str, Any]

    @property
    def settled(self) -> bool:
        """Whether nobody reaches over the table."""
        return bool(self.row["kind"] == "settled")


@cache
def scenes_of(game: str) -> tuple[Scene, ...]:
    """Return all pictures of the recorded *game*, the calibration picture first."""
    folder = RECORDINGS / game
    rows = map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines())
    return tuple(Scene(load_frame(folder / row["frame"]), row) for row in rows)


def scene(game: str, frame: str) -> Scene:
    """Return the picture *frame* of *game*."""
    return next(each for each in scenes_of(game) if each.frame.name == frame)


def taught(game: str) -> PileReader | UnoReader:
    """Return a reader that has learned from the calibration picture, and seen no other."""
    return deepcopy(_taught(game))


@cache
def _taught(game: str) -> PileReader | UnoReader:
    """Return one that nobody uses, to be copied: teaching takes longer."""
    session = json.loads((RECORDINGS / game / "session.json").read_text("utf-8"))
    reader = (
        PileReader(parse_pile_layout(session))
        if game == "tippi_toppi"
        else UnoReader(parse_uno_layout(session))
    )
    first = scenes_of(game)[0]
    reader.calibrate(first.frame, first.row["truth"])
    return reader


def moves_of(game: str) -> Iterator[tuple[list[Scene], Scene]]:
    """Yield each settled picture that shows a move, after those with a hand that came before it."""
    hands: list[Scene] = []
    for each in scenes_of(game)[1:]:
        if not each.settled:
            hands.append(each)
            continue
        if "move" in each.row:
            yield hands, each
        hands = []
