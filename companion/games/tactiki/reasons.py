"""Why something in TacTiki came as it did: attacks, returns, arrivals, the statue, draws.

All may read it, so no rank is in it: only what everybody saw on the board.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from companion.games.tactiki.words import ending_words, is_claimed, occurrences
from companion.language.message import Message, mark, say, say_count, sequence
from companion.referee.game import Reason
from companion.rules import tactiki
from companion.rules.base import RulesError
from companion.rules.tactiki import (
    HOME,
    Action,
    Arranged,
    Clash,
    Clashed,
    Moved,
    Reincarnated,
    State,
    field_name,
)
from companion.rules.tactiki.pieces import SIZE, STATUE, Result, is_statue

WEIGHT: Final = (*("TA-11", "TA-13", "TA-12", "TA-7", "TA-9", "TA-8", "TA-3", "TA-10", "TA-5"),)
"""Of several clauses that played a part, the earliest of these is the one to read."""


@lru_cache(maxsize=64)
def after(before: State, action: Action) -> State | None:
    """Return what *action* has led to, None if it was not legal after *before*.

    Kept, since pages ask for the reasons of many at every change, and a result is hard to prove.
    """
    try:
        return tactiki.apply(before, action)
    except RulesError:  # of several forms of a move another was the one
        return None


def reason_of(before: State, action: Action, players: Sequence[str]) -> Reason | None:
    """Return why *action* counted as it did, None if nobody asks; see `Game.reason`."""
    state = None if isinstance(action, Arranged) else after(before, action)
    if state is None:
        return None
    effects = list(_effects(before, action, state, players))
    if not effects:
        return None
    clause = min((effect.clause for effect in effects), key=WEIGHT.index)
    return Reason(sequence((effect.message for effect in effects), ". "), clause)


def _effects(
    before: State, action: Action, state: State, players: Sequence[str]
) -> Iterator[Reason]:
    player = players[before.seat]
    if isinstance(action, Reincarnated):
        yield Reason(
            say(
                "A defeated piece of {player}’s comes back. That takes the whole turn, and only"
                " {player} knows which piece it is",
                player=player,
            ),
            "TA-10",
        )
    if isinstance(action, Moved | Clashed):
        field = action.target if isinstance(action, Moved) else before.field
        yield from _met(before, state, field, players)
        yield from _arrived(state, before.seat, field, player)
    yield from _turned(before, action, state, players)


def _met(before: State, state: State, field: int, players: Sequence[str]) -> Iterator[Reason]:
    """Yield how the attack on *field* has gone, if there was one."""
    facts = state.facts[len(before.facts) :]
    results = [fact.result for fact in facts if isinstance(fact, Clash)]
    values = {"player": players[before.seat], "other": players[1 - before.seat]}
    goes_on = state.phase == "clash"
    if results:
        clause = "TA-9" if results[-1] == "tie" else "TA-8"
        yield Reason(_fought(results, goes_on, values), clause)
    elif goes_on:
        yield Reason(
            say(
                "{player} meets {other} on {field}: compare the ranks of the two pieces",
                **values,
                field=field_name(field),
            ),
            "TA-3",
        )


def _fought(results: Sequence[Result], goes_on: bool, values: dict[str, str]) -> Message:
    """Return an attack in a sentence."""
    wins = results.count("win")
    match results[-1]:
        case "win" if goes_on:
            return say(
                "{player}’s piece is stronger: {other}’s leaves the board, and the next one below"
                " it is attacked",
                **values,
            )
        case "win":
            return say_count(
                "{player}’s piece is stronger: 1 piece of {other}’s leaves the board",
                "{player}’s piece is stronger: {number} pieces of {other}’s leave the board",
                wins,
                **values,
            )
        case "lose" if wins:
            return say_count(
                "{player}’s piece removes 1 piece of {other}’s, then meets a stronger one and"
                " leaves the board",
                "{player}’s piece removes {number} pieces of {other}’s, then meets a stronger one"
                " and leaves the board",
                wins,
                **values,
            )
        case "lose":
            return say(
                "{other}’s piece is stronger: {player}’s attacker leaves the board", **values
            )
        case _ if wins:
            return say_count(
                "{player}’s piece removes 1 piece of {other}’s, then meets one of equal rank:"
                " both stay, and the lower one is blocked",
                "{player}’s piece removes {number} pieces of {other}’s, then meets one of equal"
                " rank: both stay, and the lower one is blocked",
                wins,
                **values,
            )
    return say(
        "Both pieces have the same rank: both stay, and {other}’s is blocked below {player}’s",
        **values,
    )


def _arrived(state: State, seat: int, field: int, player: str) -> Iterator[Reason]:
    """Yield what it means that a piece of *seat* now stands on *field*, if it has arrived."""
    column = state.columns[field]
    if state.phase == "clash" or field // SIZE != HOME[1 - seat]:
        return
    if not column or column[-1] & 1 != seat:
        return
    values = {"player": player, "field": field_name(field)}
    if state.ended_by == "TA-11":
        yield Reason(say(_STATUE, **values), "TA-11")
        return
    count = sum(piece & 1 == seat for piece in column)
    if state.options.statue == "pure" and count < len(column):
        yield Reason(
            say(
                "{player}’s piece has arrived on {field} and stays there. There is an enemy below"
                " it, so the statue cannot be built on this field",
                **values,
            ),
            "TA-7",
        )
        return
    yield Reason(
        say_count(
            "{player}’s piece has arrived on {field} and stays there. It is the first of the five"
            " for a statue",
            "{player}’s piece has arrived on {field} and stays there. That makes {number} of the"
            " five for a statue",
            count,
            **values,
        ),
        "TA-7",
    )


def _turned(
    before: State, action: Action, state: State, players: Sequence[str]
) -> Iterator[Reason]:
    """Yield what is unusual about the end of the turn, or of the game."""
    if state.phase == "over":
        if state.ended_by != "TA-11":
            yield Reason(ended_words(state, players), state.ended_by)
        return
    if state.phase != "move" or state.turns == before.turns:
        return
    values = {"player": players[before.seat], "other": players[1 - before.seat]}
    if not before.moved and not isinstance(action, Reincarnated):
        yield Reason(say("{player} has no second move, so the turn is over", **values), "TA-5")
    if state.seat == before.seat:
        yield Reason(
            say("{other} can neither move nor return a piece and is skipped", **values), "TA-12"
        )
    if state.claim:
        yield Reason(
            say(
                "The board has looked like this {number} times: {player} may claim a draw",
                number=occurrences(state),
                player=players[state.seat],
            ),
            "TA-13",
        )


_STATUE: Final = mark(
    "Five of {player}’s pieces stand on {field}: the statue is built, and {player} wins"
)


def ended_words(state: State, players: Sequence[str]) -> str:
    """Return in a sentence how the game was won or drawn, "" while it goes on."""
    if state.ended_by == "TA-11":
        field = statue_field(state)
        return say(_STATUE, player=players[state.seat], field=field_name(field))
    if is_claimed(state):
        return say(
            "{player} has claimed a draw: the board has looked like this {number} times",
            number=occurrences(state),
            player=players[state.seat],
        )
    return ending_words(state)


def statue_field(state: State) -> int:
    """Return the field of the statue that has won the game in *state*."""
    far = HOME[1 - state.seat] * SIZE
    return next(
        field
        for field in range(far, far + SIZE)
        if is_statue(state.columns[field], state.seat, state.options.statue)
    )


def points_of(state: State, seat: int) -> tuple[str, ...]:
    """Return what the point of *seat* is made of at the end in *state*, a line each."""
    far = HOME[1 - seat] * SIZE
    best = max(sum(piece & 1 == seat for piece in c) for c in state.columns[far : far + SIZE])
    if state.ended_by == "TA-11" and state.seat == seat:
        first = say("1 point for the statue on {field}", field=field_name(statue_field(state)))
    else:
        first = say_count(
            "1 of the {needed} pieces for a statue",
            "{number} of the {needed} pieces for a statue",
            best,
            needed=STATUE,
        )
    lost = say_count("1 piece lost", "{number} pieces lost", len(state.pools[seat]))
    return first, lost
