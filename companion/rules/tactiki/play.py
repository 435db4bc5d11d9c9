"""How TacTiki is played: the clauses of docs/rules/tactiki.md as functions."""

from typing import Final

from companion.language.message import Message, listed, say
from companion.rules.base import IllegalAction, Outcome
from companion.rules.tactiki.pieces import (
    FORWARD,
    HOME,
    LOOK,
    MOVE,
    RESULTS,
    ROW_MOVES,
    SIZE,
    START_FIELDS,
    TARGETS,
    TRIBES,
    WHOLE_ROW,
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
    look_at,
    piece_words,
    returns,
    start_moves,
)
from companion.rules.tactiki.ranks import contradiction, is_possible
from companion.rules.tactiki.state import Clash, Fact, Return, State

_CLASHED: Final[dict[Result, Clashed]] = {result: Clashed(result) for result in RESULTS}
CLAIMED: Final = Claimed()


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
        seat = state.seat
        mine, theirs = state.tops[seat], state.tops[1 - seat]
        moves = ROW_MOVES[seat]
        actions: tuple[Action, ...] = (
            moves[1][mine >> SIZE & WHOLE_ROW]
            + moves[2][mine >> 2 * SIZE & WHOLE_ROW]
            + moves[3][mine >> 3 * SIZE & WHOLE_ROW]
            + start_moves(seat, mine & START_FIELDS[seat], theirs & START_FIELDS[seat])
        )
        if state.pools[seat] and not state.moved:
            actions += _returns(state, seat)
        return (*actions, CLAIMED) if state.claim else actions
    if state.phase == "clash":
        possible = tuple(_CLASHED[result] for result in RESULTS if _fits(state, result))
        # A history that the search could not settle may rule out all three; then all are listed.
        return possible or tuple(_CLASHED.values())
    return ()


def _returns(state: State, seat: int) -> tuple[Reincarnated, ...]:
    taken = (state.tops[0] | state.tops[1]) & START_FIELDS[seat]
    return returns(seat, taken, tuple(sorted(set(state.pools[seat]))))


def can_act(state: State, seat: int) -> bool:
    """Tell whether *seat* can move a piece or bring one back (TA-12)."""
    return has_move(state, seat) or bool(_returns(state, seat))


def has_move(state: State, seat: int) -> bool:
    """Tell whether *seat* can move a piece: forward any can that has not arrived (TA-4, TA-7)."""
    return state.tops[seat] & ~START_FIELDS[1 - seat] != 0


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if isinstance(action, Moved):
        return _move(state, action)
    if isinstance(action, Clashed):
        return _observe(state, action.result)
    if isinstance(action, Reincarnated):
        return _reincarnate(state, action)
    if isinstance(action, Arranged):
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
    new = state.copy()
    left, after = column[:-1], under + column[-1:]
    new.look += LOOK[seat][target][len(under)] - LOOK[seat][source][len(left)]
    if under and under[-1] & 1 != seat:  # TA-6: otherwise there is nobody to fight
        after = _fight(new, target, after)
    _stand(new, ((source, left), (target, after)))
    return _settle(new, target)


def _stand(new: State, changed: tuple[tuple[int, Column], ...]) -> None:
    """Have other columns stand on some fields of *new*, but for its look."""
    columns = list(new.columns)
    tiki, tac = new.tops
    for field, column in changed:
        columns[field] = column
        bit = 1 << field
        if not column:
            tiki, tac = tiki & ~bit, tac & ~bit
        elif column[-1] & 1:
            tiki, tac = tiki & ~bit, tac | bit
        else:
            tiki, tac = tiki | bit, tac & ~bit
    new.columns, new.tops = tuple(columns), (tiki, tac)


def _fight(new: State, field: int, column: Column, entered_result: Result | None = None) -> Column:
    """Return what is left of *column* on *field* after an attack of its top piece.

    It is resolved from the top down (TA-8), as far as ranks are known or *entered_result* goes.
    new: the state that comes of it; only the column is not yet there.
    """
    seat, before = new.seat, column
    new.phase, new.quiet = "move", -1
    result: Result | None = "win"
    while result == "win" and len(column) > 1 and column[-2] & 1 != seat:
        attacker, defender = column[-1], column[-2]
        result = entered_result or _result(new, attacker, defender)
        entered_result = None
        if result is None:
            new.phase = "clash"
            break
        new.facts += (Clash(new.turns, attacker, defender, result),)
        if result == "win":
            column = column[:-2] + column[-1:]
            _defeat(new, defender)
        elif result == "lose":
            column = column[:-1]
            _defeat(new, attacker)
    new.look += look_at(field, column) - look_at(field, before)
    return column


def _result(state: State, attacker: Piece, defender: Piece) -> Result | None:
    ours = state.ranks[attacker & 1][attacker >> 1]
    theirs = state.ranks[defender & 1][defender >> 1]
    return compare(ours, theirs) if ours and theirs else None


def _defeat(new: State, piece: Piece) -> None:
    seat = piece & 1
    pool = tuple(sorted((*new.pools[seat], new.ranks[seat][piece >> 1])))
    new.pools = (new.pools[0], pool) if seat else (pool, new.pools[1])


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
    new = state.copy()
    column = _fight(new, state.field, state.columns[state.field], result)
    _stand(new, ((state.field, column),))
    return _settle(new, state.field)


def _settle(new: State, field: int) -> State:
    """Return *new* after a move to *field*: a win (TA-11), a second move (TA-5), or the next turn.

    Where a result is waited for, nothing is settled.
    """
    seat, column = new.seat, new.columns[field]
    new.claim = False
    if new.phase == "clash":
        new.field = field
        return new
    new.field = 0
    if field // SIZE == HOME[1 - seat] and column[-1] & 1 == seat:
        new.quiet, new.seen = -1, ()  # TA-7: it stays, so no earlier position comes back
        if is_statue(column, seat, new.options.statue):
            new.phase, new.ended_by = "over", "TA-11"
            return new
    if not new.moved and has_move(new, seat):
        new.moved = 1
        return new
    return _pass_turn(new)


def _pass_turn(new: State) -> State:
    """Pass the turn on in *new* (TA-12), and see whether play is idle or endless (TA-13)."""
    options, turns = new.options, new.turns
    quiet, seat, ended_by = new.quiet + 1, 1 - new.seat, ""
    if (options.quiet_turns and quiet >= options.quiet_turns) or turns == options.max_turns:
        ended_by = "TA-13"
    elif not can_act(new, seat):
        seat = 1 - seat
        if not can_act(new, seat):
            ended_by = "TA-12"
    look, claim = new.look + seat, False
    if look in new.seen and options.repetition and not ended_by:
        occurrences = new.seen.count(look) + 1
        claim = occurrences >= options.repetition
        if occurrences >= options.repetition + MORE_OCCURRENCES:
            ended_by, claim = "TA-13", False
    new.phase = "over" if ended_by else "move"
    new.seat, new.moved, new.turns, new.quiet = seat, 0, turns + 1, quiet
    new.seen += (look,)
    new.claim, new.ended_by = claim, ended_by
    return new


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
    new = state.copy()
    new.pools = (state.pools[0], pool) if seat else (pool, state.pools[1])
    new.ranks = (state.ranks[0], ranks) if seat else (ranks, state.ranks[1])
    new.facts, new.quiet = (*state.facts, Return(state.turns, piece)), -1
    new.look += LOOK[seat][field][0]
    _stand(new, ((field, (piece,)),))
    return _pass_turn(new)


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
