"""What any player ought to find, and what none may do."""

from typing import Any, Final

import pytest

from companion.players import LEVELS, choose
from companion.rules import tactiki, topple, uno_tiki
from tests.players.opponents import options

STRONG: Final = "strong"


def best(rules: Any, state: Any, seat: int, level: str = STRONG) -> str:
    """Return what *seat* chooses in *state*."""
    return choose(rules.NAME, rules.seen_by(state, seat), seat, level, 3, 60.0).action


def test_a_statue_is_finished() -> None:
    """Four pieces have arrived on A1; the fifth stands before it."""
    ranks = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    state = tactiki.initial(2, {}, {"ranks": {"tiki": ranks, "tac": ranks}})
    columns: list[tuple[int, ...]] = [()] * 25
    columns[0], columns[5], columns[24] = (0, 2, 4, 6), (8,), (10, 12, 14, 16, 18)
    columns[12] = (1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
    state = tactiki.resumed(state._replace(columns=tuple(columns)), 0)
    assert [best(tactiki, state, 0, level) for level in LEVELS[1:]] == ["move 10 00"] * 2


def uno_tiki_state(*hands: list[str]) -> uno_tiki.State:
    """Return a game before the turn of seat 0, with a red 5 on the pile."""
    full = [[*hand, *["green-1"] * 7][:7] for hand in hands]
    state = uno_tiki.initial(len(hands), {}, {"dealer": len(hands) - 1, "hands": full})
    state = uno_tiki.apply(state, uno_tiki.TurnedUp("red-5"))
    return state._replace(hands=tuple(tuple(sorted(hand)) for hand in hands))


def test_the_last_card_is_played() -> None:
    """Whoever can go out does not draw."""
    state = uno_tiki_state(["red-7"], ["blue-1", "blue-2", "wild"])
    assert {best(uno_tiki, state, 0, level) for level in LEVELS} == {"play red-7"}


def test_uno_is_called_and_nobody_accused() -> None:
    """The one who is due calls at once, out of turn as well; the other only plays."""
    state = uno_tiki_state(["red-7", "blue-9"], ["red-1", "red-2", "wild"])
    after = uno_tiki.apply(state, uno_tiki.Played("red-7"))
    assert after.exposed == 0
    assert best(uno_tiki, after, 0) == uno_tiki.format_action(uno_tiki.Called(0))
    kinds = {type(action) for action in options(uno_tiki, after, 1)}
    assert kinds == {uno_tiki.Played, uno_tiki.Drew}


def test_a_hand_that_is_not_known_is_not_played() -> None:
    """Nobody has entered it yet."""
    state = uno_tiki.initial(2, {}, {"dealer": 1})
    state = uno_tiki.apply(state, uno_tiki.TurnedUp("red-5"))
    with pytest.raises(ValueError, match="its hand is unknown"):
        best(uno_tiki, state, 0)


def leaning_board() -> topple.State:
    """Return a board that leans to the right, before a placement of seat 0."""
    state = topple.initial(2, {"two_colours": False}, {"first": 0})
    state = topple.apply(state, topple.Rolled(topple.ANY))
    cells: list[tuple[int, ...]] = [()] * 25
    cells[14], cells[13] = (0, 1, 0, 1), (0, 1)
    marks, stock = (0, (1 << 13) | (1 << 14), 0, 0), (9, 9, 0, 0)
    return state._replace(cells=tuple(cells), marks=marks, stock=stock)


def test_a_leaning_board_is_not_loaded_further() -> None:
    """The strong player puts its piece on the other side, or in the middle."""
    spot = topple.parse_action(best(topple, leaning_board(), 0))
    assert isinstance(spot, topple.Placed)
    assert spot.spot % 5 <= 2


def test_a_measured_tilt_counts() -> None:
    """A board that leans to the left by measure is loaded on the right."""
    level = leaning_board()
    level = level._replace(cells=((),) * 25, marks=(0, 0, 0, 0))
    values = [
        dict(choose("topple", level, 0, "strong", 1, 60.0, tilt_deg=(tilt, 0.0)).values)
        for tilt in (-20.0, 20.0)
    ]
    left, right = "place 20 pink", "place 24 pink"
    assert values[0][right] > values[0][left]
    assert values[1][left] > values[1][right]
