"""The matches by which players are measured can be repeated, and print what was won."""

import pytest

from tests import bench
from tests.players.full_information import is_winnable
from tests.players.matches import Match, Played, matches, play, report, wilson


def test_a_game_can_be_repeated() -> None:
    """Its number decides all chance, and every choice."""
    match = Match("tiki_topple", ("gentle", "greedy"))
    first, again = play(match, 5), play(match, 5)
    assert (first.share, first.points, first.moves) == (again.share, again.points, again.moves)


def test_greedy_play_beats_random_play() -> None:
    """Else it would be no opponent to measure by."""
    match = Match("topple", ("greedy", "random"))
    assert sum(play(match, number).share for number in range(6)) >= 5


def test_few_games_prove_nothing() -> None:
    """The interval of a match says how little they do."""
    low, high = wilson(3, 4)
    assert low < 0.5 < 0.75 < high < 1
    assert wilson(0, 9)[0] == 0.0


def test_the_report_says_what_was_won(capsys: pytest.CaptureFixture[str]) -> None:
    """With the interval, and the aim beside it."""
    report(Match("topple", ("strong", "fair"), 0.6), [Played(1.0, 100, 0.02, 0.2, 20)] * 30)
    line = capsys.readouterr().out
    assert line == (
        "topple: strong, 1 fair: won 30 of 30, 100.0% (88.6% to 100.0%), aim 60%; 100.0 points or"
        " goals; 10 ms a move, at most 20 ms\n"
    )


def test_every_level_is_measured_against_the_one_below() -> None:
    """In every game that is won alone."""
    pairs = {(match.game, *match.players) for match in matches()}
    for game in ("tiki_topple", "tactiki", "topple", "uno_tiki"):
        for players in (("strong", "fair"), ("fair", "gentle"), ("gentle", "random")):
            assert (game, *players) in pairs


def test_open_hands_win_what_partners_may_lose() -> None:
    """The beam search wins a beginner's game."""
    assert is_winnable(1)


def test_numbers_of_games_go_with_players_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """No other part of the benchmark has games to count."""
    for words in (["rules", "--games", "3"], ["players", "--jobs", "0"]):
        with pytest.raises(SystemExit):
            bench.main(words)
        assert "--games and --jobs, 1 or more, go with" in capsys.readouterr().err
