"""Piles of Tippi Toppi that the people say are right: what is taken over, and what is refused."""

import pytest

from companion.games.tippi_toppi.game import GAME
from companion.language.message import Message, message_of
from companion.rules.base import InvalidAction
from companion.rules.tippi_toppi import State
from companion.session.events import TableAdopted
from tests.games.tippi_toppi_deals import after, dealt, sit


def adopted(state: State, *tops: str, seat: int | None = None) -> State:
    """Return *state* with *tops* adopted as its top cards."""
    return GAME.adopt(state, TableAdopted(tops, seat))


def test_a_top_card_that_nobody_played_by_the_rules_counts_with_the_goal_it_meets() -> None:
    """It has come from a hand, and who plays next is as the people say."""
    state = adopted(dealt(), "green 7", "orange 7", "orange 1", "orange 3", seat=2)
    assert [goal.text for goal in state.met] == ["only green orange"]
    assert (state.seat, state.cards_left) == (2, dealt().cards_left - 2)
    assert GAME.shown(state) == ("green 7", "orange 7", "orange 1", "orange 3")


@pytest.mark.parametrize("card", ["green", "purple"])
def test_no_card_lies_there_three_times(card: str) -> None:
    """Of the first card of all as of any other: there are two."""
    state = after(dealt(), f"play {card}7 0", f"play {card}1 0")
    state = adopted(state, f"{card} 1", "orange 7", "pink 2", "pink 3")
    with pytest.raises(InvalidAction, match=f"^there are only two {card} 1 cards$") as refused:
        adopted(state, f"{card} 1", f"{card} 1", f"{card} 1", "pink 3")
    assert isinstance(message_of(refused.value), Message)


@pytest.mark.parametrize(
    ("tops", "seat", "words"),
    [
        (("green 7", "empty", "pink 2", "pink 3"), None, "each of the four piles must have a card"),
        (("green 7", None, "pink 2", "pink 3"), None, "each of the four piles must have a card"),
        (("green 7", "orange 7", "pink 2", "pink 3"), 7, "nobody sits at that seat"),
    ],
)
def test_what_cannot_be_a_table_is_refused_in_words(
    tops: tuple[str, ...], seat: int | None, words: str
) -> None:
    """The people read what is missing."""
    with pytest.raises(InvalidAction, match=words):
        adopted(dealt(), *tops, seat=seat)


def test_nothing_is_adopted_while_cards_or_goals_are_turned_up() -> None:
    """They have to be entered first."""
    with pytest.raises(InvalidAction, match="have to be turned up and entered first"):
        adopted(sit(), "green 7", "orange 7", "pink 2", "pink 3")
