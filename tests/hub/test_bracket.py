"""Brackets and leagues: the draw, byes, who goes on."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.apps.hub.bracket import (
    KNOCKOUT,
    LEAGUE,
    MAX_ENTRANTS,
    Kind,
    Match,
    advance,
    champion,
    draw,
    league_table,
    seeding,
)


def play(matches: list[Match], choices: list[bool]) -> list[Match]:
    """Return a knockout played to its end, as *choices* have it."""
    wishes = iter(choices * 64)
    while open_ := [each for each in matches if each.one and each.two and not each.is_decided]:
        match = open_[0]
        winner = match.one if next(wishes) else match.two
        matches = [replace(each, winner=winner) if each is match else each for each in matches]
        matches = advance(matches)
    return matches


@given(st.integers(2, MAX_ENTRANTS[KNOCKOUT]), st.lists(st.booleans(), min_size=1))
def test_a_knockout_ends_with_one_who_was_never_beaten(entrants: int, choices: list[bool]) -> None:
    """Everybody but the champion loses once; nobody has two byes."""
    matches = play(draw(KNOCKOUT, entrants), choices)
    best = champion(KNOCKOUT, matches)
    played = [each for each in matches if each.one and each.two]
    losers = [each.one if each.winner == each.two else each.two for each in played]
    assert len(played) == entrants - 1
    assert {*losers, best} == {*range(1, entrants + 1)}
    assert len(losers) == entrants - 1
    assert all(each.round == 1 for each in matches if (each.one is None) != (each.two is None))


def test_the_best_have_the_byes_and_meet_last() -> None:
    """Five players: three byes, and seeds 1 and 2 can meet in the final alone."""
    first = [each for each in draw(KNOCKOUT, 5) if each.round == 1]
    assert [(each.one, each.two, each.winner) for each in first] == [
        (1, None, 1), (4, 5, None), (2, None, 2), (3, None, 3),
    ]  # fmt: skip
    assert seeding(4) == [1, 4, 2, 3]
    second = [(each.one, each.two) for each in draw(KNOCKOUT, 5) if each.round == 2]
    assert second == [(1, None), (2, 3)]


def test_another_winner_opens_what_followed_from_the_first() -> None:
    """The final that the loser had won is open again."""
    matches = play(draw(KNOCKOUT, 4), [True])
    assert champion(KNOCKOUT, matches) == 1
    changed = advance(
        replace(each, winner=4) if (each.round, each.place) == (1, 0) else each for each in matches
    )
    final = changed[-1]
    assert (final.one, final.two, final.winner) == (4, 2, None)


@given(st.integers(2, MAX_ENTRANTS[LEAGUE]))
def test_in_a_league_everybody_meets_everybody_once(entrants: int) -> None:
    """And nobody plays twice in a round."""
    matches = draw(LEAGUE, entrants)
    pairs = {frozenset((each.one, each.two)) for each in matches}
    assert len(matches) == len(pairs) == entrants * (entrants - 1) // 2
    for number in {each.round for each in matches}:
        at = [seed for each in matches if each.round == number for seed in (each.one, each.two)]
        assert len(at) == len(set(at))


def test_a_league_counts_two_for_a_win_and_one_for_a_draw() -> None:
    """Equal ones share a rank, and then nobody has won it."""
    first, second, third = draw(LEAGUE, 3)
    played = [replace(first, winner=first.one), replace(second, is_drawn=True), third]
    assert champion(LEAGUE, played) is None
    played[2] = replace(third, winner=third.one)
    lines = league_table(played)
    assert sum(line.points for line in lines) == 6
    assert [line.played for line in lines] == [2, 2, 2]
    kind: Kind = LEAGUE
    best = champion(kind, played)
    assert (best is None) == (lines[0].key == lines[1].key)
    assert champion(LEAGUE, []) is None
