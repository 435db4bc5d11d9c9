"""Games of Topple and TacTiki, played at random to be filmed."""

import math
from copy import deepcopy
from typing import Any, Final, TypeAlias

from rendering.plots import (
    SIDES,
    Beat,
    Faults,
    Plot,
    Table,
    add_fault,
    finish,
    pick,
    seats_words,
)
from rendering.prints import Random
from rendering.rules_process import Action, RulesProcess

Cells: TypeAlias = list[list[list[str]]]
Spot: TypeAlias = tuple[int, int]

COLOURS: Final = ("pink", "yellow", "blue", "green")
TRIBES: Final = ("tiki", "tac")
SPOTS: Final = tuple((r, c) for r in range(5) for c in range(5))
TALLEST: Final = 5
"""No column is built higher: hardly anybody does, and the readers' tables end soon above it."""
PITCH_MM: Final = 36.0
HEAVY_MM: Final = 190.0
STEADY_MM: Final = 55.0
"""How much more likely the one of two placements is that leaves the board better balanced."""
MOST_TILT_DEG: Final = 4.0
BEATS: Final = {5: (4, 3, 2), 4: (3, 2, 1), 3: (2, 1), 2: (1,), 1: (5,)}
TWO_AT_ONCE: Final = 0.15
"""How often the first move of a turn is over so soon that no picture shows it alone."""
EAGER: Final = {"forward": 3.0, "aside": 0.8, "attack": 4.0}


def empty_cells() -> Cells:
    """Return a board with nothing on it."""
    return [[[] for _ in range(5)] for _ in range(5)]


def lean_of(cells: Cells, uneven: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float, float]:
    """Return how far a laden board tilts, in degrees, and the way (x, y) that it goes down.

    uneven: what the board's own balance adds, in mm by which one disc would lie aside.
    """
    x = uneven[0] + sum(PITCH_MM * (c - 2) * len(cells[r][c]) for r, c in SPOTS)
    y = uneven[1] + sum(PITCH_MM * (r - 2) * len(cells[r][c]) for r, c in SPOTS)
    far = math.hypot(x, y)
    return MOST_TILT_DEG * math.tanh(far / HEAVY_MM), x, y


def plot_topple(random: Random, moves: int, faults: Faults) -> Plot:
    """Play *moves* pieces of Topple; *faults*: when a forbidden one comes before."""
    seats = int(random.integers(2, 5))
    first = int(random.integers(seats))
    known = Beat({"cells": _known_discs()})
    start = Beat({"cells": empty_cells()}, marks={"start": True})
    plot = Plot("topple", SIDES[seats], [known, start])
    players = list(COLOURS[:seats]) if seats > 2 else ["Ada", "Ben"]
    opening: dict[str, Any] = {
        "players": players,
        "first_player": first,
        "options": {},
        "setup": {"first": first},
        "seats": seats_words(SIDES[seats]),
        "secret": {},
    }
    with RulesProcess("topple") as rules:
        rules.begin(seats, {}, opening["setup"])
        while faults.made < moves and not rules.state["rounds"]:
            _place_disc(random, rules, plot, faults)
            faults.made += 1
        plot = finish(plot, rules, faults.made, opening)
    plot.replay["final_cells"] = plot.beats[-1].table["cells"]
    return plot


def _known_discs() -> Cells:
    cells = empty_cells()
    cells[1][:4] = [[colour] for colour in COLOURS]
    cells[3][:4] = [
        ["pink"], ["yellow", "blue"], ["blue", "green", "pink"],
        ["green", "pink", "yellow", "blue"],
    ]  # fmt: skip
    return cells


def _place_disc(random: Random, rules: RulesProcess, plot: Plot, faults: Faults) -> None:
    """Roll, and place a piece; perhaps a wrong one before."""
    before = plot.beats[-1]
    cells: Cells = before.table["cells"]
    seat, pips = rules.state["seat"], int(random.integers(1, 7))
    rules.apply(f"roll {pips}")
    before.sensed.append({"fact": f"roll {pips}"})
    mark: dict[str, Any] = {}
    if faults.is_due and (wrong := _wrong_disc(random, rules, cells, seat)):
        faults.done()
        text, table, place, why = wrong
        move = {"player": seat, "action": text, "roll": pips}
        fault = Beat(table, seat, place, before.table, table["cells"][place[0]][place[1]][-1])
        fault.marks["move"] = move
        mark = add_fault(plot.beats, fault, why, cells)
    placed = rules.legal("placed")
    low = [each for each in placed if len(cells[each["spot"][0]][each["spot"][1]]) < TALLEST]
    tables = [_with_disc(cells, tuple(each["spot"]), each["colour"]) for each in low or placed]
    tilts = [math.hypot(*lean_of(table)[1:]) for table in tables]
    at = pick(random, range(len(tables)), [math.exp(-tilt / STEADY_MM) for tilt in tilts])
    (r, c), colour = (low or placed)[at]["spot"], (low or placed)[at]["colour"]
    text = f"place {r}{c} {colour}"
    rules.apply(text)
    beat = Beat({"cells": tables[at]}, seat, (r, c), {"cells": cells}, colour)
    beat.marks = {"move": {"player": seat, "action": text, "roll": pips}, **mark}
    plot.beats.append(beat)


def _with_disc(cells: Cells, spot: Spot, colour: str) -> Cells:
    after = deepcopy(cells)
    after[spot[0]][spot[1]].append(colour)
    return after


def _wrong_disc(
    random: Random, rules: RulesProcess, cells: Cells, seat: int
) -> tuple[str, Table, Spot, str] | None:
    """Return a forbidden placement or shift as its text, table and spot, and why it is none."""
    low = [spot for spot in SPOTS if len(cells[spot[0]][spot[1]]) < TALLEST]
    seats = len(rules.state["players"])
    own = [COLOURS[seat], COLOURS[(seat + 2) % 4]] if seats == 2 else [COLOURS[seat]]
    kind = pick(random, ("colour", "level", "shift"), (2, 2, 1))
    if kind == "shift":
        tops = [spot for spot in SPOTS if cells[spot[0]][spot[1]]]
        if not tops:
            return None
        (r, c), spot = pick(random, tops), pick(random, low)
        if (r, c) == spot:
            return None
        after = deepcopy(cells)
        colour = after[r][c].pop()
        after[spot[0]][spot[1]].append(colour)
        text = f"shift {r}{c} {spot[0]}{spot[1]}"
        return text, {"cells": after}, spot, "a piece that stood was moved"
    allowed = {tuple(each["spot"]) for each in rules.legal("placed")}
    others = [colour for colour in COLOURS[: max(seats, 3)] if colour not in own]
    spots = [s for s in low if (s in allowed) is (kind == "colour")]
    if not spots:
        return None
    spot = pick(random, spots)
    colour = pick(random, others if kind == "colour" else own)
    text = f"place {spot[0]}{spot[1]} {colour}"
    if rules.reason(text) is None:
        return None
    pips = rules.state["pips"]
    whys = {
        "colour": "a piece of another player's colour",
        "level": f"a rolled {pips} does not allow this level",
    }
    return text, {"cells": _with_disc(cells, spot, colour)}, spot, whys[kind]


class _Tribes:
    """A game of TacTiki, whose ranks only the players know."""

    def __init__(self, random: Random, rules: RulesProcess) -> None:
        self.random, self.rules = random, rules
        self.ranks: dict[str, int] = {}
        self.defeated: dict[str, list[int]] = {side: [] for side in TRIBES}
        self.returned: list[dict[str, Any]] = []
        self.arranged: dict[str, list[int]] = {}
        for side in TRIBES:
            order = [int(rank) for rank in random.permutation([1, 2, 3, 4, 5] * 2)]
            self.arranged[side] = order
            self.ranks |= {f"{side}{at + 1}": rank for at, rank in enumerate(order)}

    @property
    def cells(self) -> Cells:
        """Return which tribe's pieces stand where, bottom first."""
        told = self.rules.state["cells"]
        return [[[piece["side"] for piece in column] for column in row] for row in told]

    @property
    def table(self) -> Table:
        """Return the board, and how many stand beside it."""
        beside = {side: len(self.rules.state["defeated"][side]) for side in TRIBES}
        return {"cells": self.cells, "beside": beside}

    def choose(self, calmly: bool) -> str:
        """Return a legal action; *calmly*: no attack if there is anything else."""
        cells, seat = self.cells, self.rules.state["seat"]
        moves = [
            (_text(move), _eagerness(cells, move, seat))
            for move in self.rules.legal("moved")
            if len(cells[move["to"][0]][move["to"][1]]) < TALLEST
        ]
        calm = [each for each in moves if each[1] != EAGER["attack"]]
        back = [(_text(each), 2.0) for each in self.rules.legal("reincarnated")]
        offered = (calm if calmly and calm else moves) + back
        if not offered:  # only the highest columns are left to go to
            offered = [(_text(move), 1.0) for move in self.rules.legal("moved")]
        texts, weights = zip(*offered, strict=True)
        return str(pick(self.random, texts, weights))

    def play(self, text: str) -> list[str]:
        """Play *text*, and resolve its attack as the ranks will have it; return how it went."""
        state = self.rules.state
        side = TRIBES[state["seat"]]
        self.rules.apply(text)
        if text.startswith("back"):
            r, c = int(text[5]), int(text[6])
            rank = self.defeated[side].pop(int(self.random.integers(len(self.defeated[side]))))
            self.ranks[self.rules.state["cells"][r][c][-1]["piece"]] = rank
            self.returned.append({"action": text, "rank": rank})
        clashes = []
        while self.rules.state["phase"] == "clash":
            r, c = self.rules.state["attacked"]
            *_, under, over = self.rules.state["cells"][r][c]
            ours, theirs = self.ranks[over["piece"]], self.ranks[under["piece"]]
            won = "win" if theirs in BEATS[ours] else "lose"
            clashes.append("tie" if ours == theirs else won)
            if ours != theirs:
                loser = under if won == "win" else over
                self.defeated[loser["side"]].append(self.ranks[loser["piece"]])
            self.rules.apply(f"clash {clashes[-1]}")
        return clashes


def _text(action: Action) -> str:
    if action["type"] == "reincarnated":
        return f"back {action['field'][0]}{action['field'][1]}"
    (r, c), (to_r, to_c) = action["from"], action["to"]
    return f"move {r}{c} {to_r}{to_c}"


def _eagerness(cells: Cells, move: Action, seat: int) -> float:
    (r, _), (to_r, to_c) = move["from"], move["to"]
    column = cells[to_r][to_c]
    if column and column[-1] != TRIBES[seat]:
        return EAGER["attack"]
    return EAGER["aside" if to_r == r else "forward"]


def plot_tactiki(random: Random, moves: int, faults: Faults) -> Plot:
    """Play *moves* moves of TacTiki; *faults*: when a forbidden one comes before."""
    with RulesProcess("tactiki") as rules:
        rules.begin(2, {}, {})
        game = _Tribes(random, rules)
        start = Beat(game.table, marks={"start": True})
        known = Beat({"cells": _known_figures(), "beside": dict.fromkeys(TRIBES, 0)})
        plot = Plot("tactiki", SIDES[2], [known, start])
        while faults.made < moves and rules.outcome is None:
            faults.made += _make_moves(game, plot, faults)
        opening = {
            "players": list(TRIBES),
            "seats": seats_words(SIDES[2]),
            "first_player": 0,
            "options": {},
            "setup": {},
            "secret": {"ranks": game.arranged, "returned": game.returned},
        }
        return finish(plot, rules, faults.made, opening)


def _known_figures() -> Cells:
    tiki, tac = TRIBES
    cells = empty_cells()
    cells[0], cells[4] = [[tac] for _ in range(5)], [[tiki] for _ in range(5)]
    for c in range(5):
        cells[2][c] = [tiki if (c - level) % 2 else tac for level in range(c + 1)]
    return cells


def _make_moves(game: _Tribes, plot: Plot, faults: Faults) -> int:
    """Make one move or, seldom, both of a turn before the table is seen; return how many."""
    before, seat = plot.beats[-1], game.rules.state["seat"]
    mark: dict[str, Any] = {}
    if faults.is_due and (wrong := _wrong_step(game)):
        faults.done()
        text, cells, why = wrong
        place, spot = (int(text[5]), int(text[6])), (int(text[8]), int(text[9]))
        lifted, held = _lifted(before.table, place)
        fault = Beat({**before.table, "cells": cells}, seat, spot, lifted, held)
        fault.marks["move"] = {"player": seat, "action": text}
        mark = add_fault(plot.beats, fault, why, before.table["cells"])
    at_once = game.random.random() < TWO_AT_ONCE and not game.rules.state["moved"]
    told: list[dict[str, Any]] = []
    for _ in range(2 if at_once else 1):
        text = game.choose(calmly=at_once)
        clashes = game.play(text)
        told.append({"player": seat, "action": text, **({"clashes": clashes} if clashes else {})})
        if game.rules.outcome or game.rules.state["seat"] != seat or clashes:
            break
    place = (int(text[-2]), int(text[-1]))
    during, held = before.table, TRIBES[seat]
    if text.startswith("move") and len(told) == 1:
        during, held = _lifted(before.table, (int(text[5]), int(text[6])))
    beat = Beat(game.table, seat, place, during, held)
    beat.marks = {"moves": told} if len(told) > 1 else {"move": told[0]}
    beat.marks |= mark
    plot.beats.append(beat)
    return len(told)


def _lifted(table: Table, spot: Spot) -> tuple[Table, str]:
    """Return *table* without the piece on top of *spot*, and that piece."""
    cells = deepcopy(table["cells"])
    held = cells[spot[0]][spot[1]].pop()
    return {**table, "cells": cells}, str(held)


def _wrong_step(game: _Tribes) -> tuple[str, Cells, str] | None:
    """Return a forbidden step, the board after it, and why it is none.

    What two steps of a turn would leave is forbidden only after the first of them.
    """
    cells, state = game.cells, game.rules.state
    seat, found = state["seat"], []
    forward = -1 if seat == 0 else 1
    steps = {(-forward, 0): "a step back"}
    if state["moved"]:
        steps |= {(forward, 1): "a diagonal step", (forward, -1): "a diagonal step"}
        steps |= {(2 * forward, 0): "two fields at once"}
    theirs = {(-forward, 0): "", (0, 1): "", (0, -1): ""}
    for r, c in SPOTS:
        top = cells[r][c][-1] if cells[r][c] else ""
        owner = TRIBES.index(top) if top else -1
        for (down, right), why in (steps if owner == seat else theirs if top else {}).items():
            to_r, to_c = r + down, c + right
            if not (0 <= to_r < 5 and 0 <= to_c < 5) or len(cells[to_r][to_c]) >= TALLEST:
                continue
            if cells[to_r][to_c] and cells[to_r][to_c][-1] != top:
                continue
            after = deepcopy(cells)
            after[to_r][to_c].append(after[r][c].pop())
            text = f"move {r}{c} {to_r}{to_c}"
            if game.rules.reason(text) is not None:
                found.append((text, after, why or "moved the opponent's piece"))
    whys = sorted({why for *_, why in found})
    why = pick(game.random, whys) if whys else ""
    return pick(game.random, [each for each in found if each[2] == why]) if found else None
