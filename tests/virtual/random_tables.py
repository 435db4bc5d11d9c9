"""Random tables of every game, as truth.jsonl tells them, and those that teach readers."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, TypeAlias

import numpy as np

from companion.table.readers import usual_table

Random: TypeAlias = np.random.Generator
Cells: TypeAlias = list[list[list[str]]]

MOST_FIGURES: Final = 5
MOST_DISCS: Final = 4
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


def random_truths(game: str, random: Random, count: int) -> Iterator[dict[str, Any]]:
    """Yield *count* tables of *game*: any of flat pieces; of columns each a move after the last.

    A whole board of columns is not read at once: what changes on it is.
    """
    layout = usual_table(game)["layout"]
    if game in _DEALS:
        for _ in range(count):
            yield _DEALS[game](random, layout)
        return
    start, move = _MOVES[game]
    cells = start(layout)
    for _ in range(count):
        yield {"cells": deepcopy(cells)}
        move(random, cells, layout)


def _deal_line(random: Random, layout: Mapping[str, Any]) -> dict[str, Any]:
    names = random.permutation(layout["names"])
    return {"line": [str(name) for name in names[: int(random.integers(3, len(names) + 1))]]}


def _start_figures(_layout: Mapping[str, Any]) -> Cells:
    return [[["tac", "tac"] for _ in range(5)], *_empty(3), [["tiki", "tiki"] for _ in range(5)]]


def _empty(rows: int) -> Cells:
    return [[[] for _ in range(5)] for _ in range(rows)]


def _move_figures(random: Random, cells: Cells, _layout: Mapping[str, Any]) -> None:
    """Move the upper figures of a column to another, on which they find room."""
    columns = [column for row in cells for column in row]
    source = columns[int(random.choice([at for at, each in enumerate(columns) if each]))]
    count = int(random.integers(1, len(source) + 1))
    found = [each for each in columns if each is not source and len(each) + count <= MOST_FIGURES]
    target = found[int(random.integers(len(found)))]
    target += source[-count:]
    del source[-count:]


def _place_disc(random: Random, cells: Cells, layout: Mapping[str, Any]) -> None:
    """Lay one more disc on the board."""
    columns = [column for row in cells for column in row if len(column) < MOST_DISCS]
    columns[int(random.integers(len(columns)))].append(str(random.choice(layout["colors"])))


def _deal_piles(random: Random, layout: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "piles": [
            {
                "color": str(random.choice(layout["colors"])),
                "value": int(random.choice(layout["values"])),
            }
            for _ in layout["piles"]
        ]
    }


def _deal_discard(random: Random, layout: Mapping[str, Any]) -> dict[str, Any]:
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
    "tippi_toppi": _deal_piles,
    "uno_tiki": _deal_discard,
}
_MOVES: Final = {
    "tactiki": (_start_figures, _move_figures),
    "topple": (lambda _layout: _empty(5), _place_disc),
}
