"""Snapshots of tables for tests: what lies there, as truth.jsonl says it, for the scene to draw."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from companion.table.readers import usual_table

Snapshot: TypeAlias = dict[str, Any]
Random: TypeAlias = np.random.Generator

CARD_MM: Final = 0.4
PILE: Final = 9
"""How many cards lie in a pile of these tables."""
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


def snapshot_of(
    game: str,
    truth: Mapping[str, Any],
    random: Random | None = None,
    room: Mapping[str, Any] | None = None,
    hands: Sequence[Mapping[str, Any]] = (),
) -> Snapshot:
    """Return the snapshot of *truth*; with *random* pieces lie as people lay them, not exactly."""
    table = usual_table(game)
    layer = _LAYERS[game]
    pieces = layer(table["layout"], truth, random or np.random.default_rng(0), random is not None)
    for number, piece in enumerate(pieces):
        piece.update(id=number, held=None, of=None)
    snapshot: Snapshot = {
        "game": game,
        "table": dict(table),
        "pieces": pieces,
        "hands": list(hands),
        "room": dict(room or {}),
    }
    if game == "topple":
        snapshot["board"] = {"tilt": 0.0, "towards": 0.0, "fallen": False, **truth.get("board", {})}
    if game == "uno_tiki":
        snapshot["idol"] = {"angle": truth["idol_deg"], "card": truth.get("face")}
    return snapshot


def _piece(kind: str, look: Any, x: float, y: float, z: float, turn: float = 0.0) -> dict[str, Any]:
    return {
        "kind": kind, "look": look, "x": float(x), "y": float(y), "z": float(z),
        "turn": float(turn), "lean": [0.0, 0.0], "up": True,
    }  # fmt: skip


def _lay_line(
    layout: Mapping[str, Any], truth: Mapping[str, Any], random: Random, askew: bool
) -> list[dict[str, Any]]:
    found = []
    for slot, name in zip(layout["slots"], truth["line"], strict=False):
        dx, dy, turn = random.normal(0, [0.6, 0.6, 1.0]) * askew
        found.append(
            _piece("tiki", name, slot["x"] + dx, slot["y"] + dy, layout["floor_z"], turn)
        )
    beside = [name for name in layout["names"] if name not in truth["line"]]
    found += [
        _piece("tiki", name, 30 + 360 * (at % 2), 60 + 34 * (at // 2), 0, 75 - 150 * (at % 2))
        for at, name in enumerate(beside)
    ]
    return found


def _lay_figures(
    layout: Mapping[str, Any], truth: Mapping[str, Any], random: Random, askew: bool
) -> list[dict[str, Any]]:
    found = []
    for spots, columns in zip(layout["cells"], truth["cells"], strict=True):
        for spot, column in zip(spots, columns, strict=True):
            dx, dy = np.clip(random.normal(0, 2.0, 2), -4, 4) * askew
            for level, look in enumerate(column):
                z = layout["floor_z"] + level * layout["figure"]["stack_pitch"]
                turn = random.uniform(-180, 180) if askew else 0.0
                found.append(_piece("figure", look, spot["x"] + dx, spot["y"] + dy, z, turn))
    return found


def _lay_discs(
    layout: Mapping[str, Any], truth: Mapping[str, Any], random: Random, askew: bool
) -> list[dict[str, Any]]:
    found, board = [], layout["balance"]
    for spots, columns in zip(board["spots"], truth["cells"], strict=True):
        for spot, column in zip(spots, columns, strict=True):
            dx, dy = np.clip(random.normal(0, 1.0, 2), -2, 2) * askew
            for level, look in enumerate(column):
                z = board["top_height"] + level * layout["disc"]["height"]
                x, y = board["x"] + spot["x"] + dx, board["y"] + spot["y"] + dy
                found.append(_piece("disc", look, x, y, z))
    return found


def _pile(
    at: Mapping[str, Any], look: Any, below: Any, random: Random, askew: bool, turn: float
) -> list[dict[str, Any]]:
    found = []
    for level in range(PILE):
        top = level == PILE - 1
        dx, dy, off = random.normal(0, [0.8, 0.8, 2.0]) * askew
        piece = _piece(
            "card", look if top else below, at["x"] + dx, at["y"] + dy, level * CARD_MM, turn + off
        )
        found.append(piece | {"up": look is not None})
    return found


def _lay_piles(
    layout: Mapping[str, Any], truth: Mapping[str, Any], random: Random, askew: bool
) -> list[dict[str, Any]]:
    found = []
    for number, (at, card) in enumerate(zip(layout["piles"], truth["piles"], strict=True)):
        below = {"color": layout["colors"][number], "value": 1 + number}
        turn = 180.0 * (random.random() < 0.3) if askew else 0.0
        found += _pile(at, dict(card), below, random, askew, turn)
    found += [
        _piece("card", {"goal": number}, at["x"], at["y"], 0)
        for number, at in enumerate(layout["goals"])
    ]
    return found


def _lay_discard(
    layout: Mapping[str, Any], truth: Mapping[str, Any], random: Random, askew: bool
) -> list[dict[str, Any]]:
    turn = random.uniform(0, 360) if askew else 0.0
    below = {"color": "green", "symbol": "4", "spin": False}
    found = _pile(layout["discard"], dict(truth["discard"]), below, random, askew, turn)
    return found + _pile(layout["draw"], None, None, random, askew, 0.0)


_LAYERS: Final = {
    "tiki_topple": _lay_line,
    "tactiki": _lay_figures,
    "topple": _lay_discs,
    "tippi_toppi": _lay_piles,
    "uno_tiki": _lay_discard,
}
