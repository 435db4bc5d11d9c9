"""The pages of TacTiki: a board of columns, steps by two taps, and ranks for one phone alone."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from companion.games.tactiki.highlights import highlights
from companion.games.tactiki.words import ending_words, typed
from companion.language.message import Message, listed, message_of, say, say_count
from companion.rules import tactiki
from companion.rules.base import IllegalAction, RulesError
from companion.rules.tactiki import HOME, SIDES, TRIBES, Arranged, State, field_name
from companion.rules.tactiki.pieces import PIECES, RANKS, SIZE
from companion.web.forms import Form, Refused
from companion.web.pages.game_pages import Choice, Pages
from companion.web.pages.kept import own_secret
from companion.web.pages.offers import offered
from companion.web.site import Site, Visitor

Cell: TypeAlias = dict[str, Any]

MAX_BRANCHES: Final = 8
"""Up to so many possible courses of a game are examined for a page."""
WAYS: Final = {(-1, 0): "up", (1, 0): "down", (0, -1): "left", (0, 1): "right"}
TURNED: Final = {"up": "down", "down": "up", "left": "right", "right": "left"}
WRONG_RESULT: Final = say("that result does not fit the earlier ones")


def cells(site: Site) -> list[list[Cell]]:
    """Return what each field of the board holds, row by row.

    sides: of its column, bottom first.  home: whose start field it is, "" for nobody's.
    arrived: how many pieces there have arrived.
    """
    table = site.board().table
    attacked = table["attacked"]
    return [
        [_cell(row, column, pieces, [row, column] == attacked) for column, pieces in enumerate(of)]
        for row, of in enumerate(table["cells"])
    ]


def _cell(row: int, column: int, pieces: list[dict[str, Any]], is_attacked: bool) -> Cell:
    sides = [piece["side"] for piece in pieces]
    home = SIDES[HOME.index(row)] if row in HOME else ""
    enemy = SIDES[1 - SIDES.index(home)] if home else ""
    return {
        "spot": f"{row}{column}",
        "place": row * SIZE + column,
        "name": field_name(row * SIZE + column),
        "sides": sides,
        "names": [piece["piece"] for piece in pieces],
        "height": len(sides),
        "top": sides[-1] if sides else "",
        "home": home,
        "arrived": sides.count(enemy) if home else 0,
        "attacked": is_attacked,
    }


def turned(board: list[list[Cell]], seat: int | None) -> list[list[Cell]]:
    """Return *board* as *seat* sees it: its own start fields are the nearest."""
    return [row[::-1] for row in reversed(board)] if seat == 1 else board


def _spoken(cell: Cell) -> Message:
    """Return what stands on a field, from the bottom up."""
    values = {"field": cell["name"], "sides": " ".join(cell["sides"]).upper()}
    if not cell["arrived"]:
        return say("{field} {sides}", **values)
    return say_count(
        "{field} {sides}, 1 arrived", "{field} {sides}, {number} arrived", cell["arrived"], **values
    )


def taps(site: Site, visitor: Visitor, seat: int | None) -> dict[str, Any]:
    """Return what may be entered now: by *seat*, or by the host for None.

    rows: the board, each field with the steps of its top piece, and whether a piece may come back
        there.  pieces: the ranks that it may have, where *visitor* is to choose.
    may_return: whether any may.  draw: whether one may be claimed.
    clash: what an attack that waits for its result is, None if none does.
    """
    actions = offered(site, seat)
    board = cells(site)
    returns = {words[1] for words in actions if words[0] == "back"}
    names = {
        cell["spot"]: {**cell, "steps": [], "returns": cell["spot"] in returns}
        for row in board
        for cell in row
    }
    moves = [words[1:] for words in actions if words[0] == "move"]
    for source, target in moves:
        names[source]["steps"].append(_step(names[source], names[target], seat))
    return {
        "rows": turned([[names[cell["spot"]] for cell in row] for row in board], seat),
        "can_move": bool(moves) or bool(returns),
        "may_return": bool(returns),
        "pieces": _pool(site, visitor) if seat is not None else [],
        "draw": ["draw"] in actions,
        "clash": _clash(site, names) if any(words[0] == "clash" for words in actions) else None,
    }


def _step(cell: Cell, target: Cell, seat: int | None) -> dict[str, Any]:
    (row, column), (to_row, to_column) = (map(int, each["spot"]) for each in (cell, target))
    way = WAYS[to_row - row, to_column - column]
    return {
        "target": target,
        "way": TURNED[way] if seat == 1 else way,
        "attacks": target["top"] not in ("", cell["top"]),
    }


def _clash(site: Site, names: Mapping[str, Cell]) -> dict[str, Any]:
    """Return who attacks where, and how many enemies are left there."""
    table = site.board().table
    cell = names["{}{}".format(*table["attacked"])]
    enemies, seat = 0, table["seat"]
    for side in reversed(cell["sides"][:-1]):
        if side == SIDES[seat]:
            break
        enemies += 1
    return {
        "field": cell["name"],
        "attacker": seat,
        "sides": (TRIBES[seat], TRIBES[1 - seat]),
        "enemies": enemies,
    }


def _pool(site: Site, visitor: Visitor) -> list[int]:
    """Return the ranks of the visitor's defeated pieces, as far as its own browser knows them."""
    if visitor.seat is None or own_secret(site, visitor) is None:
        return []
    states = [branch.state for branch in site.live_session.session.history.branches]
    return sorted({rank for state in states for rank in state.pools[visitor.seat] if rank})


@lru_cache(maxsize=2 * MAX_BRANCHES)
def _ranks(state: State, seat: int) -> dict[str, tuple[int, ...]]:
    """Return the ranks that each piece on the board may have for all that *seat* may know."""
    seen = tactiki.view(state, seat)["cells"]
    pieces = (piece for row in seen for column in row for piece in column)
    return {piece["piece"]: tuple(piece["ranks"]) for piece in pieces}


def known(site: Site, visitor: Visitor) -> dict[str, str] | None:
    """Return the ranks that each piece may have, such as "24", as *visitor* may see them.

    None unless its own browser has entered the ranks of its seat.
    """
    if visitor.seat is None or own_secret(site, visitor) is None:
        return None
    branches = site.live_session.session.history.branches
    found: dict[str, set[int]] = {}
    if len(branches) <= MAX_BRANCHES:
        for branch in branches:
            for piece, ranks in _ranks(branch.state, visitor.seat).items():
                found.setdefault(piece, set()).update(ranks)
    return {piece: "".join(map(str, sorted(ranks))) for piece, ranks in found.items()}


def _pieces(seat: int) -> list[dict[str, Any]]:
    """Return the ten pieces of *seat* at the start, as it sees them: left to right, upper first.

    number: as in `Arranged`.  field: its name.  is_upper: whether it lies on the other one there.
    """
    columns = range(SIZE) if seat == 0 else reversed(range(SIZE))
    return [
        {
            "number": 2 * column + is_upper,
            "field": field_name(HOME[seat] * SIZE + column),
            "is_upper": bool(is_upper),
        }
        for column in columns
        for is_upper in (1, 0)
    ]


def _entered(site: Site, visitor: Visitor) -> list[str]:
    """Return the ranks that the visitor's own browser has entered before, [] if none."""
    action = own_secret(site, visitor)
    return action.split()[2:] if action else []


def _pool_words(site: Site, visitor: Visitor) -> str:
    """Return the ranks of the visitor's defeated pieces, one by one where they are all certain."""
    if visitor.seat is None or own_secret(site, visitor) is None:
        return ""
    pools = {
        branch.state.pools[visitor.seat] for branch in site.live_session.session.history.branches
    }
    return listed(sorted(", ".join(map(str, pool)) for pool in pools), "or")


def ranks_of(form: Form) -> tuple[int, ...]:
    """Return the ranks that were tapped for the ten pieces; raises Refused if they are none."""
    picked = [form.get(f"piece{place}", "") for place in range(PIECES)]
    if sorted(picked) != sorted(map(str, RANKS * 2)):
        # The message omits the ranks: what was picked is secret.
        raise Refused(
            400, say("Choose a rank for each of the ten pieces: two of each rank from 1 to 5.")
        )
    return tuple(map(int, picked))


class TacTikiPages(Pages):
    """The pages of TacTiki."""

    summary = say("Two tribes with hidden ranks attack each other and build a statue of five.")
    first_reason = say(
        "By the rulebook, TIKI started the war and goes first. The first player is TIKI, the"
        " second is TAC."
    )
    stage_label = say("The board")
    joining = say("to enter their own moves and, in secret, the ranks of their pieces")
    first_words = ("", "")
    choices = (
        Choice(
            "statue",
            say("Winning statue"),
            "word",
            words=(
                ("five", say("any five of your pieces")),
                ("pure", say("five of your pieces with no enemy among them")),
            ),
            help=say("Whoever has this on a start field of the other tribe wins at once."),
        ),
    )
    carried = ("repetition", "quiet_turns", "max_turns")
    typed = staticmethod(typed)
    ranks = False

    highlights = staticmethod(highlights)

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return the board, each side's tallies, and why the game was drawn if it was.

        The board lies as before the visitor: own start fields are the nearest.
        """
        board, table = cells(site), site.board().table
        tallies = [
            {
                "side": TRIBES[seat],
                "defeated": len(table["defeated"][side]),
                "statue": max(cell["arrived"] for cell in board[HOME[1 - seat]]),
            }
            for seat, side in enumerate(SIDES)
        ]
        return {
            "cells": turned(board, visitor.seat),
            "tallies": tallies,
            "phrase": say("Attack!") if table["phase"] == "clash" else "",
            "is_wanted": bool(self.secret_wanted(site, 0)),
            "ending": ending_words(site.live_session.session.state),
            "spoken_fields": [_spoken(cell) for row in board for cell in row if cell["height"]],
        }

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the host may enter."""
        return {"taps": taps(site, visitor, None)}

    def seat_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the visitor's seat may enter, and the ranks that it may see."""
        assert visitor.seat is not None
        return {
            "taps": taps(site, visitor, visitor.seat),
            "side": SIDES[visitor.seat],
            "tribe": TRIBES[visitor.seat],
            "ranks": RANKS,
            "pieces": _pieces(visitor.seat),
            "entered": _entered(site, visitor),
            "known": known(site, visitor),
            "rows": turned(cells(site), visitor.seat),
            "pool": _pool_words(site, visitor),
        }

    def secret_wanted(self, site: Site, seat: int) -> str:
        """Return "ranks" until the first move (TA-2)."""
        state: State = site.live_session.session.state
        return "ranks" if state.phase == "move" and state.turns == 1 and not state.moved else ""

    def keep(self, site: Site, seat: int, form: Form) -> None:
        """Keep the ranks that *seat* enters."""
        if not self.secret_wanted(site, seat):
            raise Refused(409, say("Ranks are entered before the first move; nothing has changed."))
        arranged = Arranged(seat, ranks_of(form))
        site.live_session.referee.enter_secret(seat, tactiki.format_action(arranged))

    def own_words(self, site: Site, visitor: Visitor, action: str) -> bool:
        """Return whether *visitor* may name the rank of a piece that comes back, if *action* does.

        Only the phone that entered the ranks may: to others the answer would reveal them.
        """
        words = action.split()
        if words[:1] != ["back"] or len(words) < 3:
            return True
        return (
            visitor.seat == site.live_session.session.state.seat
            and own_secret(site, visitor) is not None
        )

    def reason(self, site: Site, error: RulesError) -> str:
        """Return why the rules refuse something; of secret ranks it gives nothing away."""
        ranks = site.live_session.game.secrets_entered(site.live_session.session.state)
        if ranks and isinstance(error, IllegalAction) and error.clause == "TA-14":
            return WRONG_RESULT
        return message_of(error)


PAGES: Final = TacTikiPages()
