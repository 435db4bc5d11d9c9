"""How TacTiki is played: the clauses of docs/rules/tactiki.md as functions."""

from typing import Any, Final

from companion.language.message import Message, listed, say
from companion.rules.base import IllegalAction, Outcome, whole
from companion.rules.tactiki.pieces import (
    FORWARD,
    HOME,
    LOOK,
    MOVE,
    PLACE,
    RESULTS,
    ROW_MOVES,
    SIZE,
    TARGETS,
    TRIBES,
    Action,
    Arranged,
    Claimed,
    Clashed,
    Column,
    Moved,
    Piece,
    Reincarnated,
    Result,
    compare,
    field_name,
    is_statue,
    is_whole,
    piece_words,
    returns,
    top_of,
)
from companion.rules.tactiki.ranks import contradiction, is_possible
from companion.rules.tactiki.state import Clash, Fact, Return, State

_CLASHED: Final[dict[Result, Clashed]] = {result: Clashed(result) for result in RESULTS}
_CLAIMED: Final = (Claimed(),)

# Where fields of a state stand, for `whole`.
_PHASE, _SEAT, _MOVED, _COLUMNS, _TOPS, _POOLS, _RANKS, _FACTS = range(1, 9)
_FIELD, _TURNS, _QUIET, _LOOK, _SEEN, _CLAIM, _ENDED_BY = range(9, 16)

MORE_OCCURRENCES: Final = 2
"""How much more often than for a claim a position occurs until the game is drawn (TA-13)."""


def turn(state: State) -> int | None:
    """Return the seat to act; None while an attack is being resolved, or all is over."""
    return state.seat if state.phase == "move" else None


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what may happen next; empty if and only if the game is over.

    `Arranged` is accepted for a seat whose ranks are unknown before the first move, but not listed:
    there are 113,400 ways.
    """
    if state.phase == "move":
        seat, tops = state.seat, state.tops
        rows = ROW_MOVES[seat]
        near = HOME[seat]
        actions: tuple[Action, ...] = (
            rows[1][tops[1]] + rows[2][tops[2]] + rows[3][tops[3]] + rows[near][tops[near]]
        )
        if not state.moved and state.pools[seat]:
            actions += returns(seat, tops[near], state.pools[seat])
        return actions + _CLAIMED if state.claim else actions
    if state.phase == "clash":
        possible = tuple(_CLASHED[result] for result in RESULTS if _fits(state, result))
        # A history that the search could not settle may rule out all three; then all are listed.
        return possible or tuple(_CLASHED.values())
    return ()


def has_move(seat: int, tops: tuple[int, ...] | list[int]) -> bool:
    """Tell whether *seat* can move a piece (TA-4, TA-7)."""
    rows, near = ROW_MOVES[seat], HOME[seat]
    return bool(rows[2][tops[2]] or rows[1][tops[1]] or rows[3][tops[3]] or rows[near][tops[near]])


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if type(action) is Moved:
        return _move(state, action)
    if type(action) is Clashed:
        return _observe(state, action.result)
    if type(action) is Reincarnated:
        return _reincarnate(state, action)
    if type(action) is Arranged:
        return _arrange(state, action)
    return _claim(state)


def _require_turn(state: State) -> None:
    if state.phase == "over":
        raise IllegalAction(say("the game is over"), state.ended_by)
    if state.phase == "clash":
        raise IllegalAction(
            say(
                "{field} is being attacked; enter the result first",
                field=field_name(state.field),
            ),
            "TA-8",
        )


def _refuse_move(state: State, move: Moved) -> IllegalAction:
    """Return why *move*, which is not listed, may not be made."""
    seat, (row, c) = state.seat, divmod(move.source, SIZE)
    column, under = state.columns[move.source], state.columns[move.target]
    field = field_name(move.source)
    if not column:
        return IllegalAction(say("there is no piece on {field}", field=field), "TA-4")
    if column[-1] & 1 != seat:
        return IllegalAction(
            say("the top piece on {field} is {side}’s", side=TRIBES[1 - seat], field=field),
            "TA-9" if any(piece & 1 == seat for piece in column) else "TA-4",
        )
    if row == HOME[1 - seat]:
        return IllegalAction(say("a piece that has arrived stays where it is"), "TA-7")
    steps = (move.source + FORWARD[seat] * SIZE, *(row * SIZE + side for side in (c - 1, c + 1)))
    if move.target not in steps or (move.source, move.target) not in MOVE:
        return IllegalAction(say("a move is one field forward, left or right"), "TA-4")
    assert under
    return IllegalAction(say("the enemy there has arrived and is safe"), "TA-7")


def _move(state: State, move: Moved) -> State:
    if state.phase != "move":
        _require_turn(state)
    seat, columns = state.seat, state.columns
    source, target = move.source, move.target
    column, under = columns[source], columns[target]
    if (
        not column
        or column[-1] & 1 != seat
        or target not in TARGETS[seat][source]
        or (under and under[-1] & 1 != seat and target // SIZE == HOME[seat])  # TA-7
    ):
        raise _refuse_move(state, move)
    left, new, tops = column[:-1], list(columns), list(state.tops)
    new[source], new[target] = left, (*under, column[-1])
    tops[source // SIZE] += (((left[-1] & 1) + 1 if left else 0) - seat - 1) * PLACE[source % SIZE]
    fields: list[Any] = list(state)
    looks = LOOK[seat]
    fields[_LOOK] += looks[target][len(under)] - looks[source][len(left)]
    if under and under[-1] & 1 != seat:
        return _fight(state, fields, new, tops, target)
    if not under:  # TA-6: nobody to fight
        tops[target // SIZE] += (seat + 1) * PLACE[target % SIZE]
    return _settle(state, fields, new, tops, target)


def _fight(
    state: State,
    fields: list[Any],
    columns: list[Column],
    tops: list[int],
    field: int,
    entered_result: Result | None = None,
) -> State:
    """Resolve an attack from the top down (TA-8), as far as ranks are known or *entered_result*.

    fields: those of the state that comes of it; the look is already that of *columns*.
    """
    seat, column, pools, facts = state.seat, columns[field], state.pools, state.facts
    mine, theirs = LOOK[seat][field], LOOK[1 - seat][field]
    result: Result | None = "win"
    while result == "win" and len(column) > 1 and column[-2] & 1 != seat:
        attacker, defender = column[-1], column[-2]
        result = entered_result or _result(state, attacker, defender)
        entered_result = None
        if result is None:
            break
        facts = (*facts, Clash(state.turns, attacker, defender, result))
        if result == "win":
            column = (*column[:-2], attacker)
            pools = _defeat(state, pools, defender)
            height = len(column)
            fields[_LOOK] += mine[height - 1] - theirs[height - 1] - mine[height]
        elif result == "lose":
            column = column[:-1]
            pools = _defeat(state, pools, attacker)
            fields[_LOOK] -= mine[len(column)]
    columns[field] = column
    row, c = divmod(field, SIZE)
    tops[row] += (top_of(column) - tops[row] // PLACE[c] % 3) * PLACE[c]
    fields[_POOLS], fields[_FACTS], fields[_QUIET] = pools, facts, -1
    if result is not None:
        return _settle(state, fields, columns, tops, field)
    fields[_PHASE], fields[_FIELD], fields[_CLAIM] = "clash", field, False
    fields[_COLUMNS], fields[_TOPS] = tuple(columns), tuple(tops)
    return whole(State, fields)


def _result(state: State, attacker: Piece, defender: Piece) -> Result | None:
    ours = state.ranks[attacker & 1][attacker >> 1]
    theirs = state.ranks[defender & 1][defender >> 1]
    return compare(ours, theirs) if ours and theirs else None


def _defeat(
    state: State, pools: tuple[tuple[int, ...], tuple[int, ...]], piece: Piece
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    seat = piece & 1
    pool = tuple(sorted((*pools[seat], state.ranks[seat][piece >> 1])))
    return (pools[0], pool) if seat else (pool, pools[1])


def known_ranks(state: State) -> dict[Piece, int]:
    """Return the rank of every piece where the engine has it."""
    return known_of(state.ranks)


def known_of(ranks_by_seat: tuple[tuple[int, ...], tuple[int, ...]]) -> dict[Piece, int]:
    """Return the rank of every piece that has one in *ranks_by_seat*, see `State.ranks`."""
    return {
        seat + 2 * k: rank
        for seat, ranks in enumerate(ranks_by_seat)
        for k, rank in enumerate(ranks)
        if rank
    }


def _met(state: State, result: Result) -> tuple[Fact, ...]:
    *_, defender, attacker = state.columns[state.field]
    return (*state.facts, Clash(state.turns, attacker, defender, result))


def _fits(state: State, result: Result) -> bool:
    return is_possible(_met(state, result), known_ranks(state))


def _told(clash: Clash) -> Message:
    attacker, defender = piece_words(clash.attacker), piece_words(clash.defender)
    if clash.result == "win":
        return say("{attacker} beat {defender}", attacker=attacker, defender=defender)
    if clash.result == "lose":
        return say("{attacker} lost to {defender}", attacker=attacker, defender=defender)
    return say("{attacker} tied with {defender}", attacker=attacker, defender=defender)


def _observe(state: State, result: Result) -> State:
    if state.phase != "clash":
        raise IllegalAction(say("there is no attack to enter a result for"), "TA-8")
    if _CLASHED[result] not in legal_actions(state):
        clashes = contradiction(_met(state, result), known_ranks(state))
        raise IllegalAction(
            say(
                "each side has only two pieces of each rank, so these results cannot all be"
                " right: {clashes}",
                clashes=listed(map(_told, clashes)),
            ),
            "TA-14",
        )
    return resolved(state, result)


def resolved(state: State, result: Result) -> State:
    """Return *state*, an attack, after its next *result*, which the ranks are known to allow."""
    columns, tops = list(state.columns), list(state.tops)
    return _fight(state, list(state), columns, tops, state.field, result)


def _settle(
    state: State, fields: list[Any], columns: list[Column], tops: list[int], field: int
) -> State:
    """Return the state after a move: a win (TA-11), a second move (TA-5), or the next turn.

    fields: those of that state, as far as they are not left to do here.
    """
    seat = state.seat
    fields[_COLUMNS], fields[_TOPS] = tuple(columns), tuple(tops)
    fields[_FIELD], fields[_CLAIM] = 0, False
    if field // SIZE == HOME[1 - seat] and columns[field][-1] & 1 == seat:
        fields[_QUIET], fields[_SEEN] = -1, ()  # TA-7: it stays, so no earlier position comes back
        if is_statue(columns[field], seat, state.options.statue):
            fields[_PHASE], fields[_ENDED_BY] = "over", "TA-11"
            return whole(State, fields)
    if not state.moved and has_move(seat, tops):
        fields[_PHASE], fields[_MOVED] = "move", 1
        return whole(State, fields)
    return _pass_turn(state, fields)


def _pass_turn(state: State, fields: list[Any]) -> State:
    """Pass the turn on (TA-12), and see whether play has become idle or endless (TA-13).

    fields: those of *state* with all that the turn has changed.
    """
    options, turns, pools, tops = state.options, state.turns, fields[_POOLS], fields[_TOPS]
    quiet, seat, ended_by = fields[_QUIET] + 1, 1 - state.seat, ""
    if (options.quiet_turns and quiet >= options.quiet_turns) or turns == options.max_turns:
        ended_by = "TA-13"
    elif not can_act(seat, tops, pools):
        seat = 1 - seat
        if not can_act(seat, tops, pools):
            ended_by = "TA-12"
    entry, seen = fields[_LOOK] + seat, fields[_SEEN]
    claim = False
    if entry in seen and options.repetition and not ended_by:
        occurrences = seen.count(entry) + 1
        claim = occurrences >= options.repetition
        if occurrences >= options.repetition + MORE_OCCURRENCES:
            ended_by, claim = "TA-13", False
    fields[_PHASE] = "over" if ended_by else "move"
    fields[_SEAT], fields[_MOVED] = seat, 0
    fields[_TURNS], fields[_QUIET] = turns + 1, quiet
    fields[_SEEN] = (*seen, entry)
    fields[_CLAIM], fields[_ENDED_BY] = claim, ended_by
    return whole(State, fields)


def can_act(
    seat: int, tops: tuple[int, ...], pools: tuple[tuple[int, ...], tuple[int, ...]]
) -> bool:
    """Tell whether *seat* can move a piece or bring one back (TA-12)."""
    return has_move(seat, tops) or bool(returns(seat, tops[HOME[seat]], pools[seat]))


def _reincarnate(state: State, action: Reincarnated) -> State:
    _require_turn(state)
    seat, field, rank = state.seat, action.field, action.rank
    pool = state.pools[seat]
    if state.moved:
        raise IllegalAction(
            say("bringing a piece back takes a whole turn, so it cannot be the second move"),
            "TA-10",
        )
    if field // SIZE != HOME[seat] or state.columns[field]:
        raise IllegalAction(
            say(
                "{field} is not one of {side}’s empty start fields",
                field=field_name(field),
                side=TRIBES[seat],
            ),
            "TA-10",
        )
    if rank not in pool:
        raise IllegalAction(_why_not_back(seat, pool, rank), "TA-10")
    place = pool.index(rank)
    pool = pool[:place] + pool[place + 1 :]
    ranks = (*state.ranks[seat], rank)
    piece = seat + 2 * len(state.ranks[seat])
    tops = list(state.tops)
    tops[HOME[seat]] += (seat + 1) * PLACE[field % SIZE]
    fields: list[Any] = list(state)
    fields[_COLUMNS] = (*state.columns[:field], (piece,), *state.columns[field + 1 :])
    fields[_TOPS] = tuple(tops)
    fields[_POOLS] = (state.pools[0], pool) if seat else (pool, state.pools[1])
    fields[_RANKS] = (state.ranks[0], ranks) if seat else (ranks, state.ranks[1])
    fields[_FACTS] = (*state.facts, Return(state.turns, piece))
    fields[_QUIET], fields[_LOOK] = -1, state.look + LOOK[seat][field][0]
    return _pass_turn(state, fields)


def _why_not_back(seat: int, pool: tuple[int, ...], rank: int) -> Message:
    """Return why no piece of *rank* is in *pool*, telling nobody which ranks are (TA-2)."""
    side = TRIBES[seat]
    if not pool:
        return say("{side} has no defeated pieces", side=side)
    if not rank:
        return say("{side}’s ranks are known; say which piece comes back", side=side)
    if not any(pool):
        return say("{side}’s ranks are not known; leave the rank out", side=side)
    return say("no defeated piece has rank {rank}", rank=rank)


def _arrange(state: State, action: Arranged) -> State:
    seat, ranks = action.seat, action.ranks
    if seat not in (0, 1):
        raise IllegalAction(say("TacTiki is for two players"), "TA-1")
    if state.turns > 1 or state.moved or state.phase != "move":
        raise IllegalAction(say("ranks are entered before the first move"), "TA-2")
    if not is_whole(ranks):
        raise IllegalAction(say("a side has two pieces of each rank from 1 to 5"), "TA-2")
    return state._replace(ranks=(state.ranks[0], ranks) if seat else (ranks, state.ranks[1]))


def _claim(state: State) -> State:
    _require_turn(state)
    if not state.claim:
        raise IllegalAction(
            say("the board has not looked like this often enough for a draw"), "TA-13"
        )
    return state._replace(phase="over", claim=False, ended_by="TA-13")


def outcome(state: State) -> Outcome | None:
    """Return who won, or None while the game goes on; a draw has no winner (TA-11 to TA-13)."""
    if state.phase != "over":
        return None
    if state.ended_by != "TA-11":
        return Outcome((0, 0), (), state.ended_by)
    return Outcome((1 - state.seat, state.seat), (state.seat,), state.ended_by)
