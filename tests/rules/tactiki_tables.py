"""Positions of TacTiki."""

from random import Random
from typing import Any, Final

from companion.rules import tactiki as game
from companion.rules.tactiki.pieces import look_of, tops_of
from tests.rules.texts import Texts

_TEXTS: Final = Texts(game)
after, refused, listed = _TEXTS.after, _TEXTS.refused, _TEXTS.listed

RANKS = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def place(fields: dict[str, str], seat: int = 0, **options: Any) -> game.State:
    """Return a position: `{"22": "tac5 tac1"}` has rank 1 on rank 5; a bare side is blind."""
    columns: list[tuple[int, ...]] = [()] * 25
    ranks: list[list[int]] = [[], []]
    for field, words in fields.items():
        column = []
        for word in words.split():
            side = game.SIDES.index(word.rstrip("12345"))
            column.append(side + 2 * len(ranks[side]))
            ranks[side].append(int(word[len(game.SIDES[side]) :] or 0))
        columns[int(field[0]) * 5 + int(field[1])] = tuple(column)
    look = look_of(columns)
    start = game.initial(2, options)
    return start._replace(
        seat=seat,
        columns=tuple(columns),
        tops=tops_of(columns),
        ranks=(tuple(ranks[0]), tuple(ranks[1])),
        look=look,
        seen=(look + seat,),
    )


def shows(state: game.State, field: str) -> str:
    """Return a field's pieces, bottom first, as `place` takes them."""
    pieces = game.state_to_json(state)["cells"][int(field[0])][int(field[1])]
    return " ".join(f"{piece['side']}{piece['rank'] or ''}" for piece in pieces)


def both_ways(seed: int) -> tuple[game.State, game.State]:
    """Return a random game's end with ranks known, and the same game refereed blind."""
    rng = Random(seed)
    ranks = {side: rng.sample(RANKS, 10) for side in game.SIDES}
    known, blind = game.initial(2, {}, {"ranks": ranks}), game.initial(2)
    while actions := game.legal_actions(known):
        action = rng.choice(actions)
        facts = len(known.facts)
        known = game.apply(known, action)
        told = game.Reincarnated(action.field) if isinstance(action, game.Reincarnated) else action
        blind = game.apply(blind, told)
        for fact in known.facts[facts:]:
            if isinstance(fact, game.Clash):
                blind = game.apply(blind, game.parse_action(f"clash {fact.result}"))
    return known, blind


def reborn(state: game.State, rng: Random) -> game.Action:
    """Return what a player does who lets pieces die and come back: no arrival if it can be helped.

    A draw is never claimed.
    """
    actions = [each for each in game.legal_actions(state) if not isinstance(each, game.Claimed)]
    moves = [each for each in actions if isinstance(each, game.Moved)]
    returns = [each for each in actions if isinstance(each, game.Reincarnated)]
    attacks = [each for each in moves if _attacks(state, each)]
    short = [each for each in moves if each.target // 5 != game.HOME[1 - state.seat]]
    return rng.choice(returns or attacks or short or actions)


def shuffling(state: game.State, rng: Random) -> game.Action:
    """Return what a player does who only moves sideways, if possible; a draw is never claimed."""
    actions = [each for each in game.legal_actions(state) if not isinstance(each, game.Claimed)]
    sideways = [
        each
        for each in actions
        if isinstance(each, game.Moved)
        and each.source // 5 == each.target // 5
        and not _attacks(state, each)
    ]
    return rng.choice(sideways or actions)


def _attacks(state: game.State, move: game.Moved) -> bool:
    column = state.columns[move.target]
    return bool(column) and column[-1] & 1 != state.seat
