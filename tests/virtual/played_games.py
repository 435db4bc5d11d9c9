"""People who play at the virtual table: random moves of the rules, dragged on the page.

Whatever a camera can see of a move is dragged by a real mouse or finger, the rest is entered.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.apps.virtual.balance import lean_of
from companion.referee.game import EMPTY
from companion.rules.tactiki.pieces import SIDES
from companion.rules.uno_tiki import POINTS
from tests.bare_rules import read_rows
from tests.virtual.dragged_evenings import LONG_S, Evening, Place
from vision.columns.grid import TALLEST


def play_discs(table: Evening, most: int = 1000, falls_after: int = 1000) -> None:
    """Play on a board that balances: a die that is entered, discs that are dragged.

    falls_after: so many discs stand in a round before somebody lets the tower fall.
    """
    balance = table.layout["balance"]
    spots = [
        (balance["x"] + each["x"], balance["y"] + each["y"])
        for row in balance["spots"]
        for each in row
    ]
    standing = 0
    while table.rules.outcome(table.state) is None and table.moves < most:
        legal = table.legal()
        rolls = [each for each in legal if each.startswith("roll ") and each[-1].isdigit()]
        if rolls:
            table.tell(table.dice.choice(rolls))
            continue
        if standing >= falls_after and "topple" in legal:
            table.page.get_by_role("button", name="Let the tower fall").click()
            table.seen("topple")
            standing = 0
            table.lay_start()
            continue
        places = [each for each in legal if each.startswith("place ")]
        lower = [each for each in places if _height(table, each) < TALLEST]
        some = table.dice.sample(lower or places, min(8, len(lower or places)))
        action = min(some, key=lambda each: _lever(table, spots, each))
        _, at, colour = action.split()
        table.hand.drag(table.free("disc", colour, spots), *spots[5 * int(at[0]) + int(at[1])])
        table.seen(action)
        standing += 1
        if table.rules.outcome(table.state) is None and not any(table.state.cells):
            standing = 0
            table.lay_start()


def _height(table: Evening, action: str) -> int:
    """Return how many discs lie where *action* puts one."""
    at = action.split()[1]
    return len(table.state.cells[5 * int(at[0]) + int(at[1])])


def _lever(table: Evening, spots: Sequence[Place], action: str) -> float:
    """Return how far the board would lean after *action*."""
    balance = table.layout["balance"]
    discs = [each for each in table.hand.pieces.values() if each.get("rides") == "board"]
    loads = [(each["x"] - balance["x"], each["y"] - balance["y"]) for each in discs]
    at = action.split()[1]
    x, y = spots[5 * int(at[0]) + int(at[1])]
    return lean_of([*loads, (x - balance["x"], y - balance["y"])], is_fallen=False).tilt_deg


def play_line(table: Evening, most: int = 1000) -> None:
    """Play with a line of tikis, which closes up by itself where one is taken out."""
    slots = [(each["x"], each["y"]) for each in table.layout["slots"]]
    while table.rules.outcome(table.state) is None and table.moves < most:
        legal = table.legal()
        if legal[0].startswith("line "):
            seen = [table.at(slot, "tiki")[-1]["look"] for slot in slots]
            table.seen(f"line {' '.join(seen)}")
            continue
        plays = [each for each in legal if not each.startswith(("line ", "secret"))]
        action = table.dice.choice(plays)
        tiki = action.split()[-1]
        before = [each for each in table.game.shown(table.state) if each not in (EMPTY, None)]
        after_state = table.rules.apply(table.state, table.rules.parse_action(action))
        after = [each for each in table.game.shown(after_state) if each not in (EMPTY, None)]
        if before == after or (after_state.phase == "reveal" and tiki not in before):
            table.tell(action)
            continue
        piece = table.free("tiki", tiki)
        if tiki in after:
            table.hand.drag(piece, *slots[after.index(tiki)])
        else:
            table.hand.drag(piece, -70.0, 20.0 + 30.0 * (9 - len(after)))
        table.seen(action)
        if table.state.phase == "line":
            table.lay_start()


def play_columns(table: Evening, most: int = 1000) -> None:
    """Play with two tribes of figures; who wins a clash is known to the dice alone."""
    cells = [(each["x"], each["y"]) for row in table.layout["cells"] for each in row]
    while table.rules.outcome(table.state) is None and table.moves < most:
        action = table.dice.choice([each for each in table.legal() if each != "draw"])
        done = [action]
        state = table.rules.apply(table.state, table.rules.parse_action(action))
        while state.phase == "clash":
            results = [table.rules.format_action(e) for e in table.rules.legal_actions(state)]
            clash = table.dice.choice(results)
            done.append(clash)
            state = table.rules.apply(state, table.rules.parse_action(clash))
        columns = [[SIDES[piece & 1] for piece in each]
                   for each in state.columns]  # fmt: skip
        restack(table, cells, columns, action)
        table.seen(*done)


def restack(
    table: Evening, cells: Sequence[Place], wanted: Sequence[Sequence[str]], action: str
) -> None:
    """Drag figures until each cell has the looks that are *wanted*, bottom first."""
    if action.startswith("move "):
        source, target = (5 * int(each[0]) + int(each[1]) for each in action.split()[1:3])
        table.hand.drag(table.at(cells[source], "figure", 25)[-1], *cells[target])
        table.hand.wait(lambda _: len(table.at(cells[source], "figure", 25)) == len(wanted[source]),
                        "the figure was not moved")  # fmt: skip
    for cell, looks in zip(cells, wanted, strict=True):
        lying = table.at(cell, "figure", 25)
        same = 0
        while same < min(len(lying), len(looks)) and lying[same]["look"] == looks[same]:
            same += 1
        for piece in reversed(lying[same:]):
            aside = -78.0 if piece["look"] == "tiki" else table.hand.page.evaluate(
                "virtualTable.world.mat.width") + 78.0  # fmt: skip
            table.hand.drag(piece, aside, 40.0 + 32.0 * table.dice.randrange(8))
        for look in looks[same:]:
            table.hand.drag(table.free("figure", look, cells), *cell)


def play_piles(table: Evening, most: int = 1000) -> None:
    """Play with four piles: cards come out of the own hand, goals are told when turned up."""
    piles = [(each["x"], each["y"]) for each in table.layout["piles"]]
    goals = [(each["x"], each["y"]) for each in table.layout["goals"]]
    width = table.page.evaluate("virtualTable.world.mat.width")
    drawn, turned = (width + 72.0, piles[0][1]), (width + 72.0, goals[0][1])
    told = 0
    while table.rules.outcome(table.state) is None and table.moves < most:
        legal = table.legal()
        if legal[0].startswith("lay "):
            tops = [table.at(pile, "card", 25)[-1]["look"] for pile in piles]
            table.seen(*(f"lay {top['color']}{top['value']}" for top in tops))
        elif legal[0].startswith("goal "):
            if told < len(goals):
                goal = table.at(goals[told], "card", 25)[-1]["look"]["goal"]
            else:
                goal = _turn_up_goal(table, turned, goals[told % len(goals)])
            told += 1
            table.tell(f"goal {goal}")
        else:
            table.sit(table.rules.turn(table.state))
            plays = [(card, pile) for card in table.own() for pile in range(len(piles))
                     if f"play {_named(card)} {pile}" in legal]  # fmt: skip
            if not plays:
                table.tell("stuck")
                continue
            card, pile = table.dice.choice(plays)
            table.play_own(card, piles[pile])
            table.seen(f"play {_named(card)} {pile}")
            if table.at(drawn, "card", 25):
                table.draw(drawn)


def _named(card: Mapping[str, Any]) -> str:
    return f"{card['look']['color']}{card['look']['value']}"


def _turn_up_goal(table: Evening, pile: Place, place: Place) -> str:
    """Turn the next goal up, and lay it on the one that was met."""
    top = table.at(pile, "card", 25)[-1]
    table.page.evaluate("id => virtualTable.choose(id)", top["id"])
    table.page.get_by_role("button", name="Turn over").click()
    table.hand.wait(lambda pieces: pieces[top["id"]]["look"] is not None, "it lies face down")
    table.hand.drag(table.hand.pieces[top["id"]], *place)
    goal: str = table.hand.pieces[top["id"]]["look"]["goal"]
    return goal


def play_cards(table: Evening, most: int = 1000) -> None:
    """Play cards out of the own hands onto one pile, and spin the idol for who is meant."""
    discard, pile, idol = (
        (table.layout[name]["x"], table.layout[name]["y"]) for name in ("discard", "draw", "idol")
    )
    while table.rules.outcome(table.state) is None and table.moves < most:
        state, legal = table.state, table.legal()
        if state.phase == "turn_up":
            table.hand.wait(
                lambda _: len(table.at(discard, "card", 40)) == 1, "no card is turned up"
            )
            action = f"turn {_card(table.at(discard, 'card', 40)[-1])}"
            # Between rounds nobody knows what is still being put away: it is entered.
            (table.tell if state.match.rounds else table.seen)(action)
            continue
        _draw_what_is_due(table, pile)
        if f"uno {state.exposed}" in legal:
            table.tell(f"uno {state.exposed}")
        elif state.phase == "spin":
            _spin(table)
        elif state.phase == "count":
            seat = int(legal[0].split()[1])
            table.sit(seat)
            table.tell(f"count {seat} {sum(POINTS[_card(card)] for card in table.own())}")
            if table.state.phase == "turn_up":
                table.lay_start()
        elif state.phase in ("choose", "colour"):
            table.tell(table.dice.choice(legal))
        elif state.phase == "discard":
            _discard(table, legal)
        else:
            _play_or_draw(table, legal, discard, idol)


def _card(piece: Mapping[str, Any]) -> str:
    """Return what the rules call a card."""
    look = piece["look"]
    if look["color"] == "wild":
        return str(look.get("face") or look["symbol"])
    return f"{look['color']}-{look['symbol']}{'-spin' if look['spin'] else ''}"


def _draw_what_is_due(table: Evening, pile: Place) -> None:
    """Draw from the pile for every hand that the rules have made larger."""
    for seat, hand in enumerate(table.state.hands):
        held = sum(each["of"] == seat for each in table.hand.pieces.values())
        for _ in range(held, len(hand)):
            table.sit(seat)
            table.draw(pile)


def _spin(table: Evening) -> None:
    """Spin the idol, and let the rules follow what its sensor has found."""
    log = Path(table.daemon.log.path)
    before = len(read_rows(log)[1])
    table.page.get_by_role("button", name="Spin the idol").click()
    deadline = time.monotonic() + LONG_S
    while True:
        rows = [
            each for each in read_rows(log)[1][before:] if each.get("action", "").startswith("spin")
        ]
        if rows:
            break
        assert time.monotonic() < deadline, "the idol was spun, and nobody noticed"
        table.page.wait_for_timeout(100)
    table.follow(rows[-1]["action"])
    table.wait(rows[-1]["action"])


def _discard(table: Evening, legal: Sequence[str]) -> None:
    table.sit(table.state.target)
    cards = [card for card in table.own() if f"discard {_card(card)}" in legal]
    if not cards:
        table.tell("keep")
        return
    card = table.dice.choice(cards)
    table.play_own(card, (-70.0, 40.0))  # out of the camera's way: under the pile it is not seen
    table.tell(f"discard {_card(card)}")


def _play_or_draw(table: Evening, legal: Sequence[str], discard: Place, idol: Place) -> None:
    table.sit(table.state.seat)
    cards = table.own()
    if table.state.phase == "drawn":
        cards = cards[-1:]  # the one that has just been drawn has come last
    plays = [(card, action) for card in cards for action in legal
             if action.split()[:2] == ["play", _card(card)]]  # fmt: skip
    if not plays:
        table.tell("draw" if "draw" in legal else "pass")
        return
    card, action = table.dice.choice(plays)
    table.play_own(card, idol if _card(card).startswith("tiki") else discard)
    if len(action.split()) > 2:  # no camera sees which colour is named
        table.tell(action)
    else:
        table.seen(action)
