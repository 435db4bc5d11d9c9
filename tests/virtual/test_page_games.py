"""Games that people play by dragging on the page, judged by pixels; their end as the rules say."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.virtual.dragged_evenings import evening
from tests.virtual.played_games import (
    play_cards,
    play_columns,
    play_discs,
    play_line,
    play_piles,
)

pytestmark = pytest.mark.timeout(1500)


@pytest.mark.parametrize("by_touch", [False, True], ids=["mouse", "finger"])
@pytest.mark.slow
def test_a_short_game_of_discs(browser: Browser, tmp_path: Path, *, by_touch: bool) -> None:
    """Who first has a few points has won."""
    with evening(browser, tmp_path, "topple", {"target": 8}, by_touch=by_touch) as table:
        play_discs(table, falls_after=5)
        table.assert_as_the_rules()


def test_a_few_moves_of_a_line(browser: Browser, tmp_path: Path) -> None:
    """Tikis move up, and go."""
    with evening(browser, tmp_path, "tiki_topple", {"rounds": 1}) as table:
        play_line(table, 4)


@pytest.mark.slow
def test_a_few_moves_of_two_tribes(browser: Browser, tmp_path: Path) -> None:
    """Figures move onto each other."""
    with evening(browser, tmp_path, "tactiki", {}) as table:
        play_columns(table, 3)


@pytest.mark.slow
def test_a_few_cards_on_piles(browser: Browser, tmp_path: Path) -> None:
    """Each player's own hand shows its cards; they are dragged onto the piles."""
    with evening(browser, tmp_path, "tippi_toppi", {"goals": 4}) as table:
        play_piles(table, 5)


@pytest.mark.slow
def test_a_few_cards_and_spins(browser: Browser, tmp_path: Path) -> None:
    """Cards go onto one pile or into the idol, which is spun."""
    with evening(browser, tmp_path, "uno_tiki", {"target": 50}) as table:
        play_cards(table, 5)


WHOLE = {
    "tiki_topple": ({"rounds": 1}, play_line),
    "tactiki": ({}, play_columns),
    "topple": ({"target": 20}, play_discs),
    "tippi_toppi": ({"goals": 4}, play_piles),
    "uno_tiki": ({"target": 50}, play_cards),
}


@pytest.mark.slow
@pytest.mark.skipif("CI" in os.environ, reason="all five take an hour or more; run them by hand")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_ends_as_the_bare_rules_say(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    """Dragged by a mouse to its end, each move judged from what the virtual camera saw."""
    options, play = WHOLE[game]
    with evening(browser, tmp_path, game, options, seed=7) as table:
        play(table)
        table.assert_as_the_rules()
