"""A game of Tiki Topple and one of Topple, as the log has them; empty places are left out."""

from collections.abc import Sequence
from typing import Any

from companion.rules.tiki_topple import TIKIS

Body = dict[str, Any]

LINE = {
    "game": "tiki_topple",
    "players": ["Ann", "Bob"],
    "options": {
        "rounds": 1, "hand": ["toast", "topple", "up1"], "topple_last": False, "tie": "share",
    },
    "setup": {"first": 0, "line": list(TIKIS)},
    "sides": [],
    "version": 1,
}  # fmt: skip
AFTER = {
    3: "hookipa lokahi nani wikiwiki akamai huhu kapu nui eepo",
    4: "lokahi hookipa nani wikiwiki akamai huhu kapu nui eepo",
    6: "hookipa nani lokahi wikiwiki akamai huhu kapu nui eepo",
    7: "nani hookipa lokahi wikiwiki akamai huhu kapu nui eepo",
    9: "nani lokahi wikiwiki akamai huhu kapu nui eepo hookipa",
    10: "nani lokahi wikiwiki akamai huhu kapu nui eepo",
    11: "nani lokahi wikiwiki akamai huhu kapu nui",
}
CARDS = ("card 0 akamai kapu nui", "card 1 nui nani eepo")


def move(seq: int, seat: int, action: str, also: Sequence[str] = ()) -> Body:
    """Return a move that the camera saw, as it was written."""
    return {
        "type": "move", "seat": seat, "action": action, "also": list(also),
        "table": AFTER[seq].split(), "frame": f"{seq:03}.jpg", "by": "",
    }  # fmt: skip


ENTRIES: tuple[Body, ...] = (
    {"type": "secret", "seat": 0, "round": 1, "action": CARDS[0]},
    {"type": "secret", "seat": 1, "round": 1, "action": CARDS[1]},
    move(3, 0, "topple eepo", ["up1 nui"]),
    move(4, 1, "up1 lokahi"),
    {"type": "undo", "undone": 4, "action": "up1 lokahi", "frame": "005.jpg"},
    move(6, 1, "up1 nani"),
    move(7, 0, "up1 nani"),
    {"type": "resolved", "settles": 3, "action": "topple eepo"},
    {
        "type": "move", "seat": 1, "action": "topple hookipa", "also": [],
        "table": None, "frame": None, "by": "hand",
    },
    move(10, 0, "toast hookipa"),
    move(11, 1, "toast eepo"),
    {"type": "observed", "action": CARDS[0], "frame": None, "by": ""},
    {"type": "observed", "action": CARDS[1], "frame": None, "by": ""},
    {
        "type": "round", "round": 1, "table": AFTER[11].split(), "points": [0, 5], "scores": [0, 5],
        "round_ended_by": "TT-10",
    },
)  # fmt: skip
TOLD = {
    "game": "topple",
    "players": ["Ann", "Bob", "Cem"],
    "options": {
        "target": 5, "colours": ["pink", "yellow", "blue", "green"], "two_colours": False,
        "young": False, "count_completing": False, "must_place": True, "next_start": "next",
        "tie": "play_on",
    },
    "setup": {"first": 0},
    "sides": [],
    "version": 1,
}  # fmt: skip
TOLD_ENTRIES: tuple[Body, ...] = (
    {"type": "observed", "action": "roll 1", "frame": None, "by": "hand"},
    {
        "type": "move", "seat": 0, "action": "place 22 pink", "also": [], "table": None,
        "frame": None, "by": "hand",
    },
    {
        "type": "spin", "angle_deg": 90.0, "turns": 2.0, "clockwise": True, "seats": [1],
        "trusted": True, "void": False, "spinner": None,
    },
    {"type": "observed", "action": "roll 2", "frame": None, "by": "hand"},
    {
        "type": "move", "seat": 1, "action": "topple", "also": [], "table": None, "frame": None,
        "by": "sensor",
    },
    {
        "type": "round", "round": 1, "table": [], "points": [3, -10, 0], "scores": [3, -10, 0],
        "round_ended_by": "TO-9",
    },
)  # fmt: skip
