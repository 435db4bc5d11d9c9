"""The sets of films with boards of columns: Topple and TacTiki. See `films.py`."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.film_sets import Lying, keep_lying
from rendering.piece_kinds import TACTIKI, TOPPLE, Kind
from rendering.plot_columns import COLOURS, SPOTS, TRIBES, lean_of
from rendering.plots import Table
from rendering.prints import (
    BOARD_MARKER_MM,
    BOARD_MARKERS,
    MARKER_MM,
    Random,
    draw_balance,
    draw_fields,
)
from rendering.room import Spot
from rendering.scenes import Scene, random_paints
from vision.geometry.layout import Mat

MOULD: Final = ("rim", "bevel", "groove")
"""What the discs of one set have in common."""
FAR_MM, STRAY_MM = 5.0, 1.6
"""How far from its spot a column stands at most, and a piece from the one below it."""
ASIDE_MM: Final = 24.0
"""How far beyond the tiles' middles the defeated figures stand in a row."""
APART_MM: Final = 31.0
INSET_MM: Final = 11.0
"""Where the balance board's markers are."""
UNEVEN_MM: Final = 12.0
"""As if so much lay aside of the middle of a board that carries nothing."""


class ColumnSet:
    """A board of columns that is filmed, and what stands on it as the hands have left it."""

    def __init__(self, random: Random, kind: Kind) -> None:
        self._random, self._kind = random, kind
        self._names = ("tac", "tiki") if kind is TACTIKI else COLOURS
        first, middle, half = kind.first_marker, kind.mat / 2, kind.board / 2
        self.mat = Mat(kind.mat, kind.mat, (first, first + 1, first + 2, first + 3), MARKER_MM)
        rows = (-ASIDE_MM, kind.mat + ASIDE_MM) if kind is TACTIKI else ()
        aside = (Spot(middle, y, 110.0, 15.0, 0.0) for y in rows)
        self.kept = (Spot(middle, middle, half + 12, half + 12, 0.0), *aside)
        self._lying: dict[Any, Lying] = {}
        self._board: Scene = {}
        self._uneven = random.normal(0, UNEVEN_MM, 2)

    def dress(self, folder: Path) -> Scene:
        """Return what all scenes have in common; the board's print is drawn into *folder*."""
        random, kind = self._random, self._kind
        draw = draw_fields if kind is TACTIKI else draw_balance
        cv2.imwrite(str(folder / "board.jpg"), draw(random, kind))
        paints = random_paints(random, kind)
        for paint in paints if kind is TOPPLE else ():
            paint |= {part: paints[0][part] for part in MOULD}
        off, turn = (1.5, 2.0) if kind is TOPPLE else (0.5, 0.3)
        self._board = {
            "turn_deg": float(random.normal(0, turn)),
            "dx": float(random.normal(0, off)),
            "dy": float(random.normal(0, off)),
            "shine": float(random.uniform(0.3, 0.9)),
        }
        return {"paints": paints, "print": "board.jpg"}

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a scene in which *table* is."""
        del seat  # a column looks alike, whoever has built it
        for r, c in SPOTS:
            x, y = self._kind.pitch_xy * (c - 2), self._kind.pitch_xy * (r - 2)
            self._keep((r, c), table["cells"][r][c], (x, y), 0.0)
        for tribe, count in table.get("beside", {}).items():
            out = self._kind.mat / 2 + ASIDE_MM
            for at in range(10):
                names = [tribe] if at < count else []
                x, y = APART_MM * (at - 3.5), out if tribe == TRIBES[0] else -out
                self._keep((tribe, at), names, (x, y), -self._kind.floor_z)
        columns = [{"pieces": [piece for _, piece in on]} for on in self._lying.values()]
        tilt, towards = self._tilt(table)
        return {
            "columns": columns,
            "board": {**self._board, "tilt_deg": tilt, "towards_deg": towards},
        }

    def _keep(self, place: Any, names: Sequence[str], at: tuple[float, float], z: float) -> None:
        """Put *names* onto a place *at* so many mm from the board's middle."""
        kind, random = self._kind, self._random

        def lay(below: Lying, name: str) -> dict[str, Any]:
            x, y = at
            if below:
                x, y = below[-1][1]["x"], below[-1][1]["y"]
            usual, most = (kind.stray, STRAY_MM) if below else (kind.astray, FAR_MM)
            dx, dy = np.clip(random.normal(0, usual, 2), -most, most)
            return {
                "paint": self._names.index(name),
                "x": float(x + dx),
                "y": float(y + dy),
                "z": z + len(below) * kind.pitch_z,
                "turn_deg": float(random.uniform(0, 360)),
                "lean_deg": [float(angle) for angle in random.normal(0, 0.5, 2)],
            }

        self._lying[place] = keep_lying(self._lying.get(place, []), names, lay)

    def _tilt(self, table: Table) -> tuple[float, float]:
        """Return how far a balance board tilts, and about which axis; as `render.py` takes them."""
        if self._kind is TACTIKI:
            return 0.0, 0.0
        uneven = (float(self._uneven[0]), float(self._uneven[1]))
        tilt, x, y = lean_of(table["cells"], uneven)
        return tilt, -math.degrees(math.atan2(x, y))

    def lying(self, place: Any) -> Lying:
        """Return what lies at *place*, bottom first."""
        return self._lying.get(place, [])

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; a hand changes nothing about what stands where."""
        del still
        told: dict[str, Any] = {"cells": table["cells"]}
        if self._kind is TOPPLE:
            told |= {"tilt_deg": round(self._tilt(table)[0], 2), "toppled": False}
        return told

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a piece in a hand."""
        return name

    def spots(self) -> dict[Any, Spot]:
        """Return where the tops of all columns are, by row and column."""
        kind, middle = self._kind, self._kind.mat / 2
        return {
            (r, c): Spot(
                middle + kind.pitch_xy * (c - 2),
                middle + kind.pitch_xy * (r - 2),
                kind.radius,
                kind.radius,
                kind.floor_z + kind.pitch_z * len(self._lying.get((r, c), ())),
            )
            for r, c in SPOTS
        }

    def edges(self) -> tuple[Spot, ...]:
        """Return the board."""
        kind, middle = self._kind, self._kind.mat / 2
        return (Spot(middle, middle, kind.board / 2, kind.board / 2, kind.floor_z),)

    def hold(self, name: str, tip: tuple[float, float, float]) -> Scene:
        """Return a piece between fingers; `stage.hand` puts it up with the hand."""
        lean = [float(angle) for angle in self._random.normal(0, 20, 2)]
        at = [tip[0], tip[1], tip[2] - 8.0]
        return {"holds": {"paint": self._names.index(name), "at": at, "lean_deg": lean}}

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        kind = self._kind
        if kind is TOPPLE:
            balance = {
                "x": kind.mat / 2,
                "y": kind.mat / 2,
                "size": kind.board,
                "top_height": kind.floor_z,
                "pitch": kind.pitch_xy,
                "marker_dict": "DICT_4X4_50",
                "marker_ids": list(BOARD_MARKERS),
                "marker_mm": BOARD_MARKER_MM,
                "marker_inset": INSET_MM,
                "spots": self._grid(0.0),
            }
            disc = {"diameter": 2 * kind.radius, "height": kind.height}
            return {"balance": balance, "disc": disc, "colors": list(COLOURS)}
        low, high = (kind.mat - kind.board) / 2, (kind.mat + kind.board) / 2
        figure = {
            "width": 2 * kind.radius,
            "height": kind.height,
            "stack_pitch": kind.pitch_z,
        }
        return {
            "cells": self._grid(kind.mat / 2),
            "field_mm": kind.pitch_xy,
            "figure": figure,
            "floor_z": kind.floor_z,
            "board": [low, low, high, high],
        }

    def _grid(self, middle: float) -> list[list[dict[str, float]]]:
        pitch = self._kind.pitch_xy
        return [
            [
                {"r": r, "c": c, "x": middle + pitch * (c - 2), "y": middle + pitch * (r - 2)}
                for c in range(5)
            ]
            for r in range(5)
        ]
