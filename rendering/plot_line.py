"""Games of Tiki Topple, played at random to be filmed: one round each."""

from typing import Any, Final

from rendering.plots import (
    NAMES,
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
from rendering.rules_process import RulesProcess
from vision.geometry.layout import TIKI_TOPPLE

SPACES: Final = {"up1": 1, "up2": 2, "up3": 3}
SEATS: Final = (2, 3, 4, 4)
"""Two players have but fourteen cards in all."""

Line = list[str]


def plot_tiki_topple(random: Random, moves: int, faults: Faults) -> Plot:
    """Play *moves* cards of a round; *faults*: when a table that is forbidden comes before."""
    seats = int(pick(random, SEATS))
    first = int(random.integers(seats))
    with RulesProcess("tiki_topple") as rules:
        rules.begin(seats, {}, {"first": first})
        start = list(pick(random, rules.legal("lined"))["line"])
        rules.begin(seats, {}, {"first": first, "line": start})
        opening = {
            "players": list(NAMES[:seats]),
            "seats": seats_words(SIDES[seats]),
            "first_player": first,
            "cards_each": rules.state["hands"][0],
            "start_line": start,
        }
        known = Beat(_table(list(TIKI_TOPPLE.names)))
        plot = Plot(
            "tiki_topple", SIDES[seats], [known, Beat(_table(start), marks={"start": True})]
        )
        while faults.made < moves and rules.state["phase"] == "play":
            _play_card(random, rules, plot, faults)
            faults.made += 1
        return finish(plot, rules, faults.made, opening)


def _table(line: Line, toasted: Line | None = None) -> Table:
    return {"line": line, "toasted": toasted or []}


def _play_card(random: Random, rules: RulesProcess, plot: Plot, faults: Faults) -> None:
    """Play any card on any tiki, perhaps one that is forbidden before."""
    before, seat = plot.beats[-1].table, rules.state["turn"]
    legal = rules.legal("played")
    mark: dict[str, Any] = {}
    if faults.is_due:
        faults.done()
        allowed = [after_card(before["line"], each["card"], each["tiki"]) for each in legal]
        card, tiki, line, why = wrong_card(random, before["line"], allowed)
        fault = _beat(before, line, card, tiki, seat)
        mark = add_fault(plot.beats, fault, why, before["line"])
    card = pick(random, sorted({each["card"] for each in legal}))
    tiki = pick(random, [each["tiki"] for each in legal if each["card"] == card])
    rules.apply(f"{card} {tiki}")
    beat = _beat(before, after_card(before["line"], card, tiki), card, tiki, seat)
    beat.marks |= mark
    plot.beats.append(beat)


def _beat(before: Table, line: Line, card: str, tiki: str, seat: int) -> Beat:
    """Return the table once a hand has made *line* of it."""
    lifted = [None if name == tiki else name for name in before["line"]]
    during = {**before, "line": lifted}
    toasted = before["toasted"] + [tiki] * (tiki not in line)
    place = line.index(tiki) if tiki in line else before["line"].index(tiki)
    beat = Beat(_table(line, toasted), seat, place, during, tiki)
    beat.marks["move"] = {"player": seat, "card": card, "tiki": tiki}
    return beat


def after_card(line: Line, card: str, tiki: str) -> Line:
    """Return *line* once *card* was played on *tiki*.

    >>> after_card(["nui", "eepo", "kapu"], "up1", "kapu")
    ['nui', 'kapu', 'eepo']
    """
    others = [name for name in line if name != tiki]
    if card == "toast":
        return others
    at = len(others) if card == "topple" else line.index(tiki) - SPACES[card]
    return [*others[:at], tiki, *others[at:]]


def wrong_card(random: Random, line: Line, allowed: list[Line]) -> tuple[str, str, Line, str]:
    """Return a card and a tiki, what somebody made of *line* with them, and why it is forbidden.

    allowed: the lines that are none.
    """
    found = []
    for at, tiki in enumerate(line):
        if at < len(line) - 1:
            toasted = [name for name in line if name != tiki]
            found.append(("toast", tiki, toasted, "a tiki was toasted that is not the last"))
        for to in range(len(line)):
            after = [name for name in line if name != tiki]
            after.insert(to, tiki)
            way = f"{at - to} spaces up" if to < at else f"{to - at} spaces down"
            card = f"up{min(at - to, 3)}" if to < at else "topple"
            found.append((card, tiki, after, f"{card}, but the tiki was moved {way}"))
    found = [each for each in found if each[2] != line and each[2] not in allowed]
    kinds = sorted({each[0] for each in found})
    kind = pick(random, kinds)
    return pick(random, [each for each in found if each[0] == kind])
