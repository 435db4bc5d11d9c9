"""What the companion's players choose: legal, the same for a seed, and blind to others' secrets."""

import itertools
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from companion.players import LEVELS, Choice, choose, has_player
from companion.registry import GAMES
from tests.players.opponents import options
from tests.rules.secrets import twins
from tests.rules.tables import TABLES, Table, walk

PLAYED: Final = [table for table in TABLES if has_player(table.rules.NAME)]
every_table: Final = pytest.mark.parametrize("table", PLAYED, ids=str)
A_SECOND: Final = 60.0
"""Longer than any search of these tests, so that the level's playouts end it."""


def decisions(table: Table, seed: int, most: int) -> Iterator[tuple[Any, int]]:
    """Yield states of a random game with a seat that chooses there, at most so many."""
    found = (
        (state, seat)
        for state, _ in walk(table, Random(seed), 400)
        for seat in range(table.seats)
        if len(options(table.rules, state, seat)) > 1
    )
    yield from itertools.islice(itertools.islice(found, seed % 7, None, 5), most)


def choose_at(table: Table, state: Any, seat: int, **more: Any) -> Choice:
    """Return the choice of a gentle player at *seat*."""
    seen = table.rules.seen_by(state, seat)
    given = {"level": "gentle", "seed": 1, "time_s": A_SECOND, **more}
    return choose(table.rules.NAME, seen, seat, **given)


def test_all_games_but_the_score_sheet_are_played() -> None:
    """A sheet of paper has no moves to choose."""
    assert [name for name in GAMES if not has_player(name)] == ["score_sheet"]


@every_table
def test_choices_are_legal(table: Table) -> None:
    """Whatever is known of the table, the text is an action that the rules list and accept."""
    for state, seat in decisions(table, 1, 6):
        choice = choose_at(table, state, seat)
        legal = {table.rules.format_action(action) for action in table.rules.legal_actions(state)}
        seen = table.rules.seen_by(state, seat)
        table.rules.apply(seen, table.rules.parse_action(choice.action))
        texts = [text for text, _ in choice.values]
        assert choice.action in texts
        assert set(texts) == {
            table.rules.format_action(action) for action in options(table.rules, state, seat)
        }
        # Only who is blind to its own lost pieces brings back one of an unknown rank.
        assert choice.action in legal
        shares = [share for _, share in choice.values]
        assert shares == sorted(shares, reverse=True)
        assert all(0 <= share <= 1 for share in shares)


@every_table
def test_others_secrets_change_nothing(table: Table) -> None:
    """Twins that differ in what a seat may not know look the same to it, so it does the same."""
    rng = Random(2)
    for state, seat in decisions(table, 2, 4):
        mine = table.rules.seen_by(state, seat)
        for twin in twins(table.rules, state, seat, rng):
            assert table.rules.seen_by(twin, seat) == mine
            assert choose_at(table, twin, seat) == choose_at(table, state, seat)


@every_table
def test_a_seat_sees_no_more_than_its_view(table: Table) -> None:
    """What is made of the state for a player has the same view, and is not reduced further."""
    for state, _ in itertools.islice(walk(table, Random(3), 200), 0, None, 9):
        for seat in range(table.seats):
            seen = table.rules.seen_by(state, seat)
            assert table.rules.view(seen, seat) == table.rules.view(state, seat)
            assert table.rules.seen_by(seen, seat) == seen


@every_table
def test_a_seed_decides(table: Table) -> None:
    """The same seed chooses the same, with the same figures."""
    for state, seat in decisions(table, 4, 2):
        assert choose_at(table, state, seat, seed=7) == choose_at(table, state, seat, seed=7)


@every_table
def test_without_time_or_when_stopped_a_legal_action_is_chosen(table: Table) -> None:
    """A search that found nothing is no error."""
    for state, seat in decisions(table, 5, 3):
        texts = set(map(table.rules.format_action, options(table.rules, state, seat)))
        for level in LEVELS:
            hurried = choose_at(table, state, seat, level=level, time_s=0.0)
            stopped = choose_at(table, state, seat, level=level, is_stopped=lambda: True)
            assert {hurried.action, stopped.action} <= texts
            assert hurried.searched == stopped.searched == 0


def _is_past(asked: Iterator[int], most: int) -> bool:
    return next(asked) > most


@every_table
def test_a_search_is_stopped_soon(table: Table) -> None:
    """It asks again and again whether it should stop."""
    for state, seat in decisions(table, 6, 1):
        asked = itertools.count()
        after_nine = partial(_is_past, asked, 9)
        stopped = choose_at(table, state, seat, level="strong", is_stopped=after_nine)
        assert stopped.searched < 60


@every_table
def test_who_has_nothing_to_choose_is_refused(table: Table) -> None:
    """A seat out of turn, and everybody when the game is over."""
    for state, _ in itertools.islice(walk(table, Random(8), 60), 0, None, 7):
        for seat in range(table.seats):
            if not options(table.rules, state, seat):
                with pytest.raises(ValueError, match=f"seat {seat} has nothing to choose now"):
                    choose_at(table, state, seat)


def test_unknown_games_and_levels_are_named() -> None:
    """The refusal says what there is."""
    (table,) = [each for each in PLAYED if each.rules.NAME == "topple"][:1]
    (state, seat), *_ = decisions(table, 1, 1)
    with pytest.raises(ValueError, match="a level is gentle, fair, strong, not 'hard'"):
        choose_at(table, state, seat, level="hard")
    with pytest.raises(ValueError, match="does not play 'chess'; it plays tiki_topple, tactiki"):
        choose("chess", state, seat, "fair", 1)
