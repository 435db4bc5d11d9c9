"""Random tables of every game, as truth.jsonl tells them, and what readings are compared by."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from companion.table.readers import usual_table

MOST_FIGURES: Final = 5
MOST_DISCS: Final = 4
NEAR_DEG: Final = 4.0
"""So well the idol's arm is measured."""
TEACHING: Final[Mapping[str, Mapping[str, Any]]] = {
    "tiki_topple": {
        "line": ["hookipa", "lokahi", "nani", "wikiwiki", "akamai", "huhu", "kapu", "eepo", "nui"]
    },
    "tactiki": {
        "cells": [
            [["tac"]] * 5,
            [[]] * 5,
            [
                ["tac"],
                ["tiki", "tac"],
                ["tac", "tiki", "tac"],
                ["tiki", "tac", "tiki", "tac"],
                ["tac", "tiki", "tac", "tiki", "tac"],
            ],
            [[]] * 5,
            [["tiki"]] * 5,
        ]
    },
    "topple": {
        "cells": [
            [[]] * 5,
            [["pink"], ["yellow"], ["blue"], ["green"], []],
            [[]] * 5,
            [
                ["pink"],
                ["yellow", "blue"],
                ["blue", "green", "pink"],
                ["green", "pink", "yellow", "blue"],
                [],
            ],
            [[]] * 5,
        ]
    },
    "tippi_toppi": {
        "piles": [
            {"color": "orange", "value": 1},
            {"color": "pink", "value": 2},
            {"color": "green", "value": 3},
            {"color": "purple", "value": 4},
        ]
    },
    "uno_tiki": {"discard": {"color": "red", "symbol": "7", "spin": False}, "idol_deg": 0.0},
}
"""What teaches each reader: the calibration table of the recordings that ship."""


def random_truth(game: str, random: np.random.Generator) -> dict[str, Any]:
    """Return what may lie on the table of *game*."""
    return _DEALS[game](random, usual_table(game)["layout"])


def agrees(game: str, reading: Mapping[str, Any] | None, truth: Mapping[str, Any]) -> bool:
    """Return whether *reading* says what *truth* does; of columns the height and the top."""
    if reading is None:
        return False
    if "idol_deg" in truth:
        off = (reading["idol_deg"] - truth["idol_deg"] + 180.0) % 360.0 - 180.0
        return reading["discard"] == truth["discard"] and abs(off) <= NEAR_DEG
    return plain(game, reading) == plain(game, truth)


def plain(game: str, told: Mapping[str, Any]) -> Any:
    """Return what a reading or a truth says, in the form of a reading."""
    if "cells" not in told:
        return told.get("line") or told.get("piles") or told.get("discard")
    return [[_column(cell) for cell in row] for row in told["cells"]]


def _column(cell: Any) -> tuple[int, str | None]:
    if isinstance(cell, Mapping):
        return cell["height"], cell["top"]
    return len(cell), cell[-1] if cell else None


def _deal_line(random: np.random.Generator, layout: Mapping[str, Any]) -> dict[str, Any]:
    names = random.permutation(layout["names"])
    return {"line": [str(name) for name in names[: int(random.integers(3, len(names) + 1))]]}


def _deal_columns(
    random: np.random.Generator, looks: list[str], most: int, share: float
) -> dict[str, Any]:
    def column() -> list[str]:
        height = int(random.integers(1, most + 1)) if random.random() < share else 0
        return [str(random.choice(looks)) for _ in range(height)]

    return {"cells": [[column() for _ in range(5)] for _ in range(5)]}


def _deal_figures(random: np.random.Generator, _layout: Mapping[str, Any]) -> dict[str, Any]:
    return _deal_columns(random, ["tac", "tiki"], MOST_FIGURES, 0.35)


def _deal_discs(random: np.random.Generator, layout: Mapping[str, Any]) -> dict[str, Any]:
    return _deal_columns(random, layout["colors"], MOST_DISCS, 0.5)


def _deal_piles(random: np.random.Generator, layout: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "piles": [
            {
                "color": str(random.choice(layout["colors"])),
                "value": int(random.choice(layout["values"])),
            }
            for _ in layout["piles"]
        ]
    }


def _deal_discard(random: np.random.Generator, layout: Mapping[str, Any]) -> dict[str, Any]:
    idol_deg = float(random.uniform(0, 360))
    if random.random() < 0.15:
        card = {"color": "wild", "symbol": str(random.choice(["wild", "tiki"])), "spin": False}
        return {"discard": card, "idol_deg": idol_deg}
    card = {
        "color": str(random.choice([name for name in layout["colors"] if name != "wild"])),
        "symbol": str(random.choice(layout["symbols"][:-2])),
        "spin": bool(random.random() < 0.25),
    }
    return {"discard": card, "idol_deg": idol_deg}


_DEALS: Final = {
    "tiki_topple": _deal_line,
    "tactiki": _deal_figures,
    "topple": _deal_discs,
    "tippi_toppi": _deal_piles,
    "uno_tiki": _deal_discard,
}
