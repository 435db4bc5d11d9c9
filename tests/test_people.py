"""People: a name is one, and what finished games say of each."""

import subprocess
import sys

import pytest

from companion.apps.people.names import forgetting, seats_of, spellings
from companion.apps.people.ratings import BEGINNER, rate
from companion.apps.people.results import (
    best_scores,
    duel_of,
    people_in,
    places,
    records_of,
    team_records,
)
from companion.apps.statistics.past_games import Summary


def game(
    names: str,
    scores: tuple[int, ...],
    winners: tuple[int, ...],
    *,
    title: str = "Topple",
    day: int = 1,
    is_over: bool = True,
    together: bool = False,
    computer: tuple[int, ...] = (),
) -> Summary:
    """Return a game in numbers; *names* are parted by commas."""
    at = f"2026-03-{day:02}T20:00:00.000+00:00"
    players = tuple(names.split(","))
    return Summary(
        day, title, players, scores, winners, (scores,), 20, is_over, together, at, computer
    )


def test_one_name_is_one_person_however_it_is_written() -> None:
    """Case, spaces and full width are no difference; the newest spelling is shown."""
    games = [
        game("ANN  marie,Bob", (9, 1), (0,), day=3),
        game("Ann Marie,bob", (3, 8), (1,), day=2),
        game("\uff21nn Marie,Cem", (3, 2), (0,), day=1),
    ]
    assert spellings(games) == {"ann marie": "ANN marie", "bob": "Bob", "cem": "Cem"}
    assert [(each.name, each.games, each.won) for each in people_in(games)] == [
        ("ANN marie", 3, 2),
        ("Bob", 2, 1),
        ("Cem", 1, 0),
    ]


def test_a_name_that_is_nobodys_or_two_peoples_is_not_counted() -> None:
    """Made-up names in every language; two at one table under one name are told apart by none."""
    assert seats_of(game("Player 1,Spieler 2,Jugador 3,Ann", (1, 2, 3, 4), (3,))) == {"ann": 3}
    assert seats_of(game("Somebody,Jemand 2,Ann", (1, 2, 3), (2,))) == {"ann": 2}
    assert seats_of(game("Ann,ANN ,Bob", (1, 2, 3), (2,))) == {"bob": 2}


@pytest.mark.parametrize(
    ("scores", "winners", "expected"),
    [
        ((10, 30, 20), (1,), (2, 0, 1)),  # many points are good
        ((10, 30, 20), (0,), (0, 2, 1)),  # few are
        ((10, 30, 30), (1, 2), (1, 0, 0)),
        ((5, 5, 5), (1,), (1, 0, 1)),  # something else has decided
        ((10, 20, 30), (1,), (1, 0, 1)),  # and where points and winner disagree
        ((0, 0), (), (0, 0)),  # a draw
    ],
)
def test_places_follow_from_the_winners(
    scores: tuple[int, ...], winners: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """Whether many or few points are good is told by who has won."""
    found = places(game(",".join("ABC"[: len(scores)]), scores, winners))
    assert found == expected


def test_two_against_each_other() -> None:
    """Whoever else was at the table; what both won or lost as one is no contest."""
    games = [
        game("Ann,Bob", (9, 1), (0,), day=1),
        game("Cem,Bob,Ann", (9, 5, 1), (0,), day=2),
        game("Ann,Bob", (1, 1), (0, 1), day=3, title="Tippi Toppi", together=True),
        game("Ann,Bob", (4, 4), (0, 1), day=4, title="UNO Tiki"),
        game("Ann,Cem", (4, 2), (0,), day=5),
        game("Ann,Bob,Kupe", (9, 1, 2), (0,), day=6, computer=(2,)),
        game("Ann,Bob", (9, 1), (0,), day=7, is_over=False),
    ]
    found = duel_of(games, ("ann", "bob"), ("Ann", "Bob"))
    assert (found.ahead, found.level) == ((1, 1), 1)
    assert found.titles == (("Topple", 1, 1, 0), ("UNO Tiki", 0, 0, 1))


def test_games_with_the_computer_count_apart() -> None:
    """Neither rated nor among the wins, and the computer is nobody."""
    games = [game("Ann,Kupe (computer)", (9, 1), (0,), day=day, computer=(1,)) for day in (1, 2, 3)]
    (ann,) = people_in(games)
    assert (ann.games, ann.with_computer, ann.won_with_computer, ann.streak) == (0, 3, 3, 0)
    assert rate(games) == {}


def test_records_of_a_season() -> None:
    """The longest streak of wins across games, most games, the best score; a team's apart."""
    games = [
        game("Ann,Bob", (9, 1), (0,), day=1),
        game("Ann,Bob", (44, 1), (0,), day=2),
        game("Ann,Bob", (5, 1), (0,), day=3, title="Tiki Topple"),
        game("Ann,Bob", (0, 1), (1,), day=4, title="TacTiki"),
        game("Ann,Bob", (4, 4), (0, 1), day=5, title="Tippi Toppi", together=True),
        game("Ann,Bob", (2, 2), (), day=6, title="Tippi Toppi", together=True),
        game("Ann,Bob", (20, 7), (1,), day=7, title="Score sheet"),  # few are good
    ]
    assert [*records_of(games, people_in(games))] == [
        "Longest streak: Ann won 3 games in a row.",
        "Most games: Bob with 5."
        if people_in(games)[0].name == "Bob"
        else "Most games: Ann with 5.",
        "Best score in Tiki Topple: Ann with 5 points.",
        "Best score in Topple: Ann with 44 points.",
    ]
    assert [*team_records(games)] == ["Tippi Toppi: 1 of 2 games won together; best result 4."]
    assert [(each.number, seat) for each, seat in best_scores(games)] == [(3, 0), (2, 0)]


def test_who_plays_alone_has_beaten_nobody() -> None:
    """A score sheet for one is a game, and no contest."""
    games = [game("Ann", (9,), (0,), day=day) for day in (1, 2, 3)]
    assert people_in(games) == []
    assert rate(games) == {}


def test_what_rates_is_loaded_by_who_asks_for_it_alone() -> None:
    """Nobody who plays waits for it."""
    program = (
        "import sys; from companion.web.app_pages import app_pages; app_pages();"
        " sys.exit('openskill' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_ratings_follow_who_beats_whom() -> None:
    """Kind by kind, after three games; an old result that is corrected changes them."""
    games = [game("Ann,Bob,Cem", (9, 5, 1), (0,), day=day) for day in range(1, 7)]
    found = rate(games)["Topple"]
    assert [each.key for each in found] == ["ann", "bob", "cem"]
    assert found[0].points > BEGINNER > found[2].points
    assert rate(games[:2]) == {"Topple": []}
    turned = [game("Ann,Bob,Cem", (1, 5, 9), (2,), day=1), *games[1:]]
    assert rate(turned)["Topple"][0].points < found[0].points
    assert rate(list(reversed(games))) == rate(games)


def test_a_stranger_to_the_log_is_a_beginner() -> None:
    """A seat without a name teaches something about who beats it, and is not rated."""
    games = [game("Ann,Player 2", (9, 5), (0,), day=day) for day in (1, 2, 3)]
    (ann,) = rate(games)["Topple"]
    assert ann.points > BEGINNER


def test_forgotten_names_stay_apart() -> None:
    """Two of one game; where somebody is there already, the next number."""
    rename = forgetting(lambda name: name in ("Ann", "Cem"))
    assert rename(["Cem", "Bob", "Ann"]) == ["Somebody", "Bob", "Somebody 2"]
    assert rename(["Somebody", "Ann"]) == ["Somebody", "Somebody 2"]
    assert rename(["Bob"]) == ["Bob"]
