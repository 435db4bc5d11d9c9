"""Games that people play by dragging on the page, judged by pixels; their end as the rules say."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.virtual.played_games import evening, play_columns, play_discs, play_line


@pytest.mark.parametrize("by_touch", [False, True], ids=["mouse", "finger"])
@pytest.mark.slow(keep=["mouse"])
def test_a_short_game_of_discs(browser: Browser, tmp_path: Path, *, by_touch: bool) -> None:
    """Who first has a few points has won."""
    with evening(browser, tmp_path, "topple", {"target": 6}, by_touch=by_touch) as table:
        play_discs(table)
        table.assert_as_the_rules()
        print(table.figures())


def test_a_few_moves_of_a_line(browser: Browser, tmp_path: Path) -> None:
    """Tikis move up, and go."""
    with evening(browser, tmp_path, "tiki_topple", {"rounds": 1}) as table:
        play_line(table, 4)
        print(table.figures())


def test_a_few_moves_of_two_tribes(browser: Browser, tmp_path: Path) -> None:
    """Figures move onto each other."""
    with evening(browser, tmp_path, "tactiki", {}) as table:
        play_columns(table, 3)
        print(table.figures())
