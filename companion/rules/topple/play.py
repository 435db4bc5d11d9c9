"""How Topple is played: the clauses of docs/rules/topple.md as functions."""

from functools import cache
from operator import add, sub
from typing import Final

from companion.language.message import say
from companion.rules.base import IllegalAction, Outcome
from companion.rules.topple.board import (
    PASSED,
    PIECES,
    ROLLS,
    ROWS,
    SIZE,
    SPOTS,
    TOPPLED,
    UNSEEN,
    Action,
    Colour,
    Column,
    Knocked,
    Placed,
    Rolled,
    Toppled,
    allows,
    colour_words,
    knocks,
    placements,
)
from companion.rules.topple.state import Options, Round, State

FINE: Final = -10  # TO-9
BONUS: Final = 3  # TO-9
ROW: Final = 3  # TO-5
TALL: Final = 3  # TO-7
_EMPTY: Final[tuple[Column, ...]] = ((),) * len(SPOTS)
_COLOURS: Final = 4


@cache
def colours_of(seat: int, two: bool) -> tuple[int, ...]:
    """Return the numbers of a seat's colours (TO-2, TO-13)."""
    return (seat, seat + 2) if two else (seat,)


@cache
def _placements(
    pips: int, names: tuple[Colour, ...], must_place: bool, players: tuple[int, ...]
) -> tuple[Action, ...]:
    last = (TOPPLED,) if must_place else (TOPPLED, PASSED)
    return (*placements(pips, names), *last, *knocks(players))


@cache
def _rolls(players: tuple[int, ...]) -> tuple[Action, ...]:
    return (*ROLLS, *knocks(players))


@cache
def _following(players: tuple[int, ...], seat: int) -> int:
    """Return the first of *players* after *seat*, who need not be one of them any more."""
    return min(players, key=lambda other: (other - seat - 1) % _COLOURS)


def turn(state: State) -> int | None:
    """Return the seat to place a piece; None while the die is rolled, or all is over."""
    return state.seat if state.phase == "place" else None


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what may happen next; empty if and only if the game is over."""
    if state.phase == "place":
        options, seat, stock = state.options, state.seat, state.stock
        colours = options.colours
        names: tuple[Colour, ...] = (colours[seat],) if stock[seat] else ()
        if options.two_colours and stock[seat + 2]:
            names = (*names, colours[seat + 2])
        players = state.players if any(state.marks) else ()
        return _placements(state.pips, names, options.must_place, players)
    if state.phase == "roll":
        return _rolls(state.players) if any(state.marks) else ROLLS
    return ROLLS if state.phase == "start" else ()


def apply(state: State, action: Action) -> State:
    """Return the state after *action*; *state* itself never changes.

    Raises IllegalAction, with the clause, if it may not happen now.
    """
    if isinstance(action, Rolled):
        return _roll(state, action.pips)
    if isinstance(action, Placed):
        return _place(state, action.spot, action.colour)
    if state.phase == "over":
        raise IllegalAction(say("the game is over"), "TO-12")
    if isinstance(action, Knocked):
        return _knock(state, action.seat)
    if state.phase != "place":
        raise IllegalAction(say("the die has to be rolled first"), "TO-4")
    if isinstance(action, Toppled):
        return _topple(state)
    return _pass(state)


def _roll(state: State, pips: int) -> State:
    if state.phase == "start":
        if pips == UNSEEN:
            raise IllegalAction(say("enter the number on the die; it decides who begins"), "TO-3")
        return _roll_for_start(state, pips)
    if state.phase != "roll":
        if state.phase == "over":
            raise IllegalAction(say("the game is over"), "TO-12")
        raise IllegalAction(say("the die has already been rolled; place a piece"), "TO-4")
    rolled = state.copy()
    rolled.phase, rolled.pips = "place", pips
    return rolled


def _roll_for_start(state: State, pips: int) -> State:
    """Return the state after one roll for the first turn (TO-3)."""
    rolls = (*state.rolls, (state.rolling[0], pips))
    rolling = state.rolling[1:]
    if rolling:
        return state._replace(rolls=rolls, rolling=rolling, seat=rolling[0])
    best = max(rolled for _, rolled in rolls)
    highest = tuple(seat for seat, rolled in rolls if rolled == best)
    if len(highest) > 1:
        return state._replace(rolls=(), rolling=highest, seat=highest[0])
    seat = highest[0]
    return state._replace(phase="roll", rolls=(), rolling=(), seat=seat, starter=seat)


def worth(
    cells: tuple[Column, ...], marks: tuple[int, ...], spot: int, colour: int, options: Options
) -> int:
    """Return the points for a piece of *colour* placed on *spot* (TO-5 to TO-8)."""
    bit = 1 << spot
    before = marks[0] | marks[1] | marks[2] | marks[3]
    after = before | bit
    mine = marks[colour] | bit
    others = mine if options.count_completing else mine ^ bit
    points = 0
    for row in ROWS[spot]:
        if after & row == row:
            if before & row == row:  # TO-6: it was complete already
                points += (mine & row).bit_count()
            else:
                points += ROW + (others & row).bit_count()
    column = cells[spot]
    if len(column) >= TALL:  # TO-7
        points += column.count(colour) + 1
    return points


def _place(state: State, spot: int, name: Colour) -> State:
    options, seat, stock = state.options, state.seat, state.stock
    if state.phase != "place":
        raise IllegalAction(*_not_placing(state))
    if not allows(state.pips, spot):
        message = say(
            "a roll of {pips} only allows level {level}", pips=state.pips, level=state.pips
        )
        raise IllegalAction(message, "TO-4")
    colour = options.colours.index(name) if name in options.colours else -1
    if colour not in colours_of(seat, options.two_colours) or not stock[colour]:
        whose = say(
            "the player whose turn it is has no {colour} pieces to place", colour=colour_words(name)
        )
        raise IllegalAction(whose, "TO-2")
    placed = with_piece(state, spot, colour)
    left, following = placed.stock, placed.seat
    if not any(left):
        return _end_round(placed, seat, following, "TO-11")
    # Where all must place, only an adopted board leaves some without pieces before the others.
    return placed if left[following] and options.must_place else _skip_empty(placed)


def with_piece(state: State, spot: int, colour: int) -> State:
    """Return *state* after a piece of *colour* has been placed on *spot*, and scored.

    It is the next player's turn, whether or not anybody has a piece left.
    """
    cells, marks, stock, tally = state.cells, state.marks, state.stock, state.tally
    if not state.options.young:
        points = worth(cells, marks, spot, colour, state.options)
        if points:
            tally = (*tally[:colour], tally[colour] + points, *tally[colour + 1 :])
    column = cells[spot]
    bit = 1 << spot
    tops, board, left = list(marks), list(cells), list(stock)
    if column:
        tops[column[-1]] ^= bit
    tops[colour] |= bit
    board[spot] = (*column, colour)
    left[colour] -= 1
    placed = state.copy()
    placed.phase, placed.pips, placed.before = "roll", 0, state.seat
    placed.seat = _following(state.players, state.seat)
    placed.cells, placed.marks, placed.stock = tuple(board), tuple(tops), tuple(left)
    placed.tally = tally
    return placed


def _not_placing(state: State) -> tuple[str, str]:
    if state.phase == "over":
        return say("the game is over"), "TO-12"
    return say("the die has to be rolled first"), "TO-4"


def _skip_empty(state: State) -> State:
    """Return *state* with the turn at someone who has a piece left."""
    seat, two = state.seat, state.options.two_colours
    while not any(state.stock[colour] for colour in colours_of(seat, two)):
        seat = _following(state.players, seat)
    return state._replace(seat=seat)


def _pass(state: State) -> State:
    if state.options.must_place:
        raise IllegalAction(say("after rolling, a player must place a piece"), "TO-4")
    seat = state.seat
    following = _following(state.players, seat)
    return _skip_empty(state._replace(phase="roll", pips=0, seat=following, before=seat))


def resumed(state: State, cells: tuple[Column, ...], seat: int) -> State:
    """Return *state* with *cells*, which the people have adopted, before the roll of *seat*.

    Raises IllegalAction if there are not so many pieces, or if *seat* has none left (TO-2).
    """
    marks, stock = [0] * _COLOURS, list(full_stock(state.players, state.options.two_colours))
    for spot, column in enumerate(cells):
        for colour in column:
            stock[colour] -= 1
        if column:
            marks[column[-1]] |= 1 << spot
    if min(stock) < 0:
        name = state.options.colours[stock.index(min(stock))]
        words = colour_words(name)
        message = say("there are only {number} {colour} pieces", number=PIECES, colour=words)
        raise IllegalAction(message, "TO-2")
    if not any(stock[colour] for colour in colours_of(seat, state.options.two_colours)):
        raise IllegalAction(say("that player has no pieces left"), "TO-2")
    before = state.before if seat == state.seat else state.seat
    if before < 0:  # a board that others than a player have filled: as if the one before had
        before = next(each for each in state.players if _following(state.players, each) == seat)
    return state._replace(
        phase="roll",
        seat=seat,
        pips=0,
        cells=cells,
        marks=tuple(marks),
        stock=tuple(stock),
        before=before,
    )


def _topple(state: State) -> State:
    """Return the state after pieces fell from a placement (TO-9)."""
    fines = list(state.fines)
    fines[state.seat] += FINE
    if state.before >= 0:
        fines[state.before] += BONUS
    following = _following(state.players, state.seat)
    return _fall(state, state.seat, following, tuple(fines), "TO-9")


def _knock(state: State, seat: int) -> State:
    """Return the state after *seat* knocked the tower (TO-10), whoever's turn it was."""
    if seat not in state.players:
        raise IllegalAction(say("that player is not in the game"), "TO-10")
    if not any(state.marks):
        raise IllegalAction(say("there is no piece on the board that could fall"), "TO-10")
    fines = (*state.fines[:seat], state.fines[seat] + FINE, *state.fines[seat + 1 :])
    # TO-11: before the roll the last turn was another's; who has no piece left was passed over.
    last = state.seat if state.phase == "place" else state.before
    return _fall(state, seat, _following(state.players, last), fines, "TO-10")


def _fall(state: State, seat: int, following: int, fines: tuple[int, ...], clause: str) -> State:
    if not state.options.young:
        return _end_round(state._replace(fines=fines), seat, following, clause)
    players = tuple(other for other in state.players if other != seat)  # TO-14
    following = following if following in players else _following(players, following)
    return _end_round(state._replace(players=players), seat, following, clause)


def totals(state: State) -> tuple[int, ...]:
    """Return every seat's points so far (TO-13: of both its colours)."""
    first, second, third, fourth = state.tally
    by_seat = (first, second, third, fourth)
    if state.options.two_colours:
        by_seat = (first + third, second + fourth, 0, 0)
    return tuple(map(add, by_seat, state.fines))


def _end_round(state: State, seat: int, following: int, clause: str) -> State:
    """Return the start of the next round (TO-11), or the end of the game (TO-12, TO-14)."""
    options, after = state.options, totals(state)
    points = tuple(map(sub, after, state.total))
    rounds = (*state.rounds, Round(points, seat, clause))
    best = max(after)
    if options.young:
        over = len(state.players) == 1
    else:
        over = best >= options.target and (options.tie == "share" or after.count(best) == 1)
    start = {"next": following, "same": state.starter, "roll": state.players[0]}
    beginner = start[options.next_start]
    if beginner not in state.players:
        beginner = _following(state.players, beginner)
    rolled_for = options.next_start == "roll" and not over
    return State(
        options,
        "over" if over else ("start" if rolled_for else "roll"),
        state.players,
        beginner,
        0,
        _EMPTY,
        (0,) * _COLOURS,
        full_stock(state.players, options.two_colours),
        state.tally,
        state.fines,
        -1,
        beginner,
        (),
        state.players if rolled_for else (),
        after,
        rounds,
    )


@cache
def full_stock(players: tuple[int, ...], two: bool) -> tuple[int, ...]:
    """Return the pieces of each colour at the start of a round (TO-2)."""
    played = {colour for seat in players for colour in colours_of(seat, two)}
    return tuple(PIECES if colour in played else 0 for colour in range(_COLOURS))


def outcome(state: State) -> Outcome | None:
    """Return the final scores and winners, or None while the game goes on (TO-12, TO-14)."""
    if state.phase != "over":
        return None
    if state.options.young:
        return Outcome((0,) * len(state.fines), state.players, "TO-14")
    scores = totals(state)
    winners = tuple(seat for seat, points in enumerate(scores) if points == max(scores))
    return Outcome(scores, winners, "TO-12")


def name(spot: int) -> str:
    """Return the two digits of a spot, row and column."""
    return f"{spot // SIZE}{spot % SIZE}"
