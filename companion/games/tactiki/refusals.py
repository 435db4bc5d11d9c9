"""Why a table of TacTiki is illegal: the move that it looks like, and the clause against it."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from companion.games.tactiki.board import content, content_of, table_of
from companion.games.tactiki.plays import first_moves, turns_of
from companion.language.message import mark, message_of, say
from companion.referee.game import Refusal, Table
from companion.rules import tactiki
from companion.rules.base import IllegalAction
from companion.rules.tactiki import (
    TRIBES,
    Action,
    Clashed,
    Column,
    Moved,
    Reincarnated,
    State,
    field_name,
)
from companion.rules.tactiki.pieces import SIZE, TARGETS, Result

Going: TypeAlias = list[Result]

MAX_STEPS_AWAY: Final = 2
"""A piece farther away than this did not get there by one wrong step."""


def refusal_of(state: State, seen: Table, player: str) -> Refusal | None:
    """Return why *seen* is none of the tables that *state* leads to, if that can be named.

    player: the name of the seat to act.
    """
    if state.phase != "move" or not _differing(table_of(state), seen):
        return None
    return (
        _one_thing(state, seen, player, MAX_STEPS_AWAY)
        or _one_too_many(state, seen)
        or _after_a_first_move(state, seen, player)
        or _one_thing(state, seen, player, SIZE + SIZE)
    )


def _after_a_first_move(state: State, seen: Table, player: str) -> Refusal | None:
    """Return what is wrong with *seen* if only the second move of a turn was."""
    if state.moved:
        return None
    found = (_one_thing(after, seen, player, MAX_STEPS_AWAY) for after in first_moves(state))
    return next((refusal for refusal in found if refusal), None)


def _one_thing(state: State, seen: Table, player: str, far: int) -> Refusal | None:
    """Return what is wrong with the one thing that was done after *state*, if it was one."""
    shown = table_of(state)
    changed = _differing(shown, seen)
    if len(changed) == 1:
        return _put_back(state, changed[0], seen, player)
    if len(changed) != 2:
        return None
    for source, target in (changed, changed[::-1]):
        (row, c), (to_row, to_c) = divmod(source, SIZE), divmod(target, SIZE)
        if abs(row - to_row) + abs(c - to_c) <= far:
            refusal = _moved(state, source, target, seen, player)
            if refusal:
                return refusal
    return None


def _differing(one: Table, other: Table) -> tuple[int, ...]:
    pairs = enumerate(zip(one, other, strict=True))
    return tuple(field for field, (mine, yours) in pairs if mine != yours and mine and yours)


def _put_back(state: State, field: int, seen: Table, player: str) -> Refusal | None:
    """Return why no piece may have come to *field* from beside the board (TA-10)."""
    height = len(state.columns[field]) + 1
    for seat in (0, 1):
        if seen[field] == content(height, seat):
            looks = say(
                "This looks like a {side} piece placed on {field}",
                side=TRIBES[seat],
                field=field_name(field),
            )
            back = Reincarnated(field, next(iter(state.pools[seat]), 0))
            if seat == state.seat:
                return _refused(state, back, looks)
            refusal = _refused(state._replace(seat=seat, moved=0), back, looks)
            if refusal:
                return refusal
            return Refusal(
                say("{looks}, but it is {player}’s turn", looks=looks, player=player), "TA-10"
            )
    return None


def _moved(state: State, source: int, target: int, seen: Table, player: str) -> Refusal | None:
    """Return why what stood on top of *source* may not have gone to *target*."""
    column, under = state.columns[source], state.columns[target]
    left = (size for size in range(len(column)) if seen[source] == content_of(column[:size]))
    taken = len(column) - next(left, len(column))
    if not taken:
        return None
    seat = column[-1] & 1
    way = {"source": field_name(source), "target": field_name(target)}
    if taken > 1:
        if seen[target] != content(len(under) + taken, seat):
            return None
        words = say(
            "This looks like {number} pieces moved at once, {source} to {target}, but only the"
            " top piece may move",
            number=taken,
            **way,
        )
        return Refusal(words, "TA-4")
    goings = (going for going, shows in _goings(under, seat) if seen[target] == shows)
    going = next(goings, None)
    if going is None:
        return None
    looks, move = say("This looks like {source} to {target}", **way), Moved(source, target)
    waited_for = "" if seat == state.seat else player
    return _refused(state, move, looks, waited_for) or _wrong_result(state, move, going, way)


def _goings(under: Column, seat: int) -> Iterator[tuple[Going, str]]:
    """Yield how an attack of *seat* on *under* may go, and what the field then shows.

    No results where there is nobody to fight. A loss at once is left out: it shows nothing new.
    """
    enemies = next((at for at, piece in enumerate(under[::-1]) if piece & 1 == seat), len(under))
    for wins in range(enemies + 1):
        left = under[: len(under) - wins]
        beaten: Going = ["win"] * wins
        stays: Going = beaten if wins == enemies else [*beaten, "tie"]
        yield stays, content(len(left) + 1, seat)
        if 0 < wins < enemies:
            yield [*beaten, "lose"], content_of(left)


def _refused(state: State, action: Action, looks: str, waited_for: str = "") -> Refusal | None:
    """Return what the rules say against *action*, None if it is legal.

    waited_for: the name of the player whose turn it is instead.
    """
    try:
        tactiki.apply(state, action)
    except IllegalAction as error:
        why = message_of(error)
        if waited_for:
            words = say(
                "{looks}, but {why}; it is {player}’s turn",
                looks=looks,
                why=why,
                player=waited_for,
            )
        else:
            words = say("{looks}, but {why}", looks=looks, why=why)
        return Refusal(words, error.clause)
    return None


def _wrong_result(
    state: State, move: Moved, going: Going, way: Mapping[str, str]
) -> Refusal | None:
    """Return why an attack that may be made cannot have gone so (TA-14).

    Where ranks are known, the clashes that contradict each other would give some away.
    """
    after = tactiki.apply(state, move)
    for result in going:
        if after.phase != "clash":
            return None
        try:
            after = tactiki.apply(after, Clashed(result))
        except IllegalAction as error:
            known = any(map(any, state.ranks))
            why = say("that does not fit the earlier results") if known else message_of(error)
            return Refusal(say(_RESULTS[result], **way, why=why), error.clause)
    return None


_RESULTS: Final[Mapping[Result, str]] = {
    "win": mark("This looks like {source} to {target} and a win for the attacker, but {why}"),
    "lose": mark("This looks like {source} to {target} and a win for the defender, but {why}"),
    "tie": mark("This looks like {source} to {target} and equal ranks, but {why}"),
}


def _one_too_many(state: State, seen: Table) -> Refusal | None:
    """Return that there was a move after a whole turn (TA-4), or beside a return (TA-10)."""
    for texts, after in turns_of(state):
        if after.phase != "move" or after.seat == state.seat:
            continue
        changed = _differing(table_of(after), seen)
        if len(changed) != 2:
            continue
        for source, target in (changed, changed[::-1]):
            if _is_step(after, seen, state.seat, source, target):
                way = {"source": field_name(source), "target": field_name(target)}
                if texts[0].startswith("back"):
                    return Refusal(say(_AFTER_A_RETURN, **way), "TA-10")
                return Refusal(say(_THIRD_MOVE, **way), "TA-4")
    return None


_AFTER_A_RETURN: Final = mark(
    "This looks like one move too many, {source} to {target}: returning a piece takes the whole"
    " turn"
)
_THIRD_MOVE: Final = mark(
    "This looks like one move too many, {source} to {target}: a turn has only two moves"
)


def _is_step(state: State, seen: Table, seat: int, source: int, target: int) -> bool:
    """Return whether *seen* shows a step of *seat* after *state* that meets no enemy."""
    column, under = state.columns[source], state.columns[target]
    return (
        bool(column)
        and column[-1] & 1 == seat
        and target in TARGETS[seat][source]
        and (not under or under[-1] & 1 == seat)
        and seen[source] == content_of(column[:-1])
        and seen[target] == content(len(under) + 1, seat)
    )
