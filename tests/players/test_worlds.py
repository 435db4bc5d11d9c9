"""Worlds that a search draws agree with all that was seen; whole games are played to their end."""

import itertools
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from companion.games.tippi_toppi.player import wish_of
from companion.players import choose
from companion.registry import load
from companion.rules import tactiki, tippi_toppi, topple
from tests.players.matches import Match, go_on
from tests.players.matches import play as play_match
from tests.players.opponents import options
from tests.rules.secrets import twins
from tests.rules.tables import (
    GOALS,
    TABLES,
    Table,
    tactiki_setup,
    tiki_topple_setup,
    tippi_toppi_setup,
    uno_tiki_setup,
    walk,
)

KNOWN: Final = [
    table
    for table in TABLES
    if table.setup in (tiki_topple_setup, tactiki_setup, tippi_toppi_setup, uno_tiki_setup)
]


def is_known(seen: Any, seat: int) -> bool:
    """Tell whether a seat's own cards or ranks are all known in *seen*."""
    for field, unknown in (("cards", None), ("ranks", 0), ("hands", "")):
        own = getattr(seen, field, None)
        if own and field == "cards" and own[seat] is unknown:
            return False
        if own and field != "cards" and (own[seat] is None or {unknown, -1} & {*own[seat]}):
            return False
    return True


@pytest.mark.parametrize("table", KNOWN, ids=str)
def test_worlds_agree_with_what_was_seen(table: Table) -> None:
    """What a seat would see of a world is what it has seen."""
    rng = Random(1)
    tried = 0
    for state, _ in itertools.islice(walk(table, Random(4), 300), 0, None, 7):
        for seat in range(table.seats):
            seen = table.rules.seen_by(state, seat)
            if options(table.rules, state, seat) and all(
                is_known(state, owner) for owner in range(table.seats)
            ):
                world = load(table.rules.NAME, "player").model(seen, seat).world(rng)
                assert table.rules.seen_by(world, seat) == seen
                tried += 1
    assert tried


def test_worlds_of_tactiki_explain_every_clash() -> None:
    """Also where nobody has entered ranks: two of each, and each clash as it went."""
    rng = Random(5)
    table = Table(tactiki, 2)
    clashes = 0
    for state, _ in itertools.islice(walk(table, Random(6), 400), 0, None, 11):
        if tactiki.turn(state) is None or len(state.facts) > 20:  # later ones take the solver long
            continue
        seen = tactiki.seen_by(state, state.seat)
        world = load("tactiki", "player").model(seen, state.seat).world(rng)
        for side in world.ranks:
            assert Counter(side[:10]) == Counter(tactiki.RANKS * 2)
        for fact in state.facts:
            if isinstance(fact, tactiki.Clash):
                clashes += 1
                ranks = [world.ranks[p & 1][p >> 1] for p in (fact.attacker, fact.defender)]
                assert tactiki.compare(*ranks) == fact.result
    assert clashes


def test_own_pieces_of_unknown_rank_come_back_as_such() -> None:
    """Who is blind to the ranks may bring a piece back, and names no rank."""
    table = Table(tactiki, 2)
    found: set[str] = set()
    for state, _ in walk(table, Random(7), 600):
        seat = tactiki.turn(state)
        if seat is not None and state.pools[seat] and not state.moved and len(found) < 4:
            texts = {text for text, _ in _gentle(table, state, seat).values}
            back = {text for text in texts if text.startswith("back")}
            assert all(len(text.split()) == 2 for text in back)
            found |= back
    assert found


def _gentle(table: Table, state: Any, seat: int) -> Any:
    return choose(table.rules.NAME, table.rules.seen_by(state, seat), seat, "gentle", 1, 60.0)


@pytest.mark.parametrize("game", ["tiki_topple", "topple"])
def test_whole_games_are_played(game: str) -> None:
    """Players of ours at all seats bring a game to its end."""
    assert play_match(Match(game, ("gentle", "gentle", "gentle")), 1).moves > 10


def test_a_game_among_partners_is_played() -> None:
    """It ends, won or not, and goals are met on the way."""
    match = Match("tippi_toppi", ("gentle", "gentle"), options={"goal_deck": GOALS})
    assert play_match(match, 3).points > 1


@pytest.mark.parametrize("game", ["tactiki", "uno_tiki"])
def test_long_games_are_played_for_a_while(game: str) -> None:
    """Every choice is legal, whoever draws, spins, discards or comes back."""
    (table, *_) = [each for each in TABLES if game == each.rules.NAME and each.setup]
    rng = Random(2)
    state = table.initial(rng)
    for _ in range(250):
        if table.rules.outcome(state):
            break
        (seat, *_) = [s for s in range(table.seats) if options(table.rules, state, s)] or [-1]
        action = go_on(table.rules, state, rng)
        if seat >= 0:
            action = table.rules.parse_action(_gentle(table, state, seat).action)
        state = table.rules.apply(state, action)


def test_risk_grows_with_lever_height_and_tilt() -> None:
    """Estimates, but in the right order; the middle of a level board is safe."""
    risk = load("topple", "player").risk
    empty: list[tuple[int, ...]] = [()] * 25
    leaning = [*empty]
    leaning[14] = (0,) * 4
    assert risk(empty, 12) < risk(leaning, 14) < risk(leaning, 14, (20.0, 0.0))
    assert risk(leaning, 10) < risk(leaning, 14)
    assert risk(empty, 12, (0.0, 0.0)) == risk(empty, 12)
    assert all(0 <= risk(leaning, spot, (99.0, -99.0)) <= 1 for spot in range(25))


def test_a_level_that_sees_less_of_the_risk_dares_more() -> None:
    """The strong player does not place where half of such pieces fall; a gentle one does."""
    table = load("topple", "player")
    assert table.DARING["gentle"] < table.DARING["fair"] < table.DARING["strong"] == 1.0
    assert topple.NAME == "topple"


def test_a_partner_says_a_pile_and_a_goal_at_most() -> None:
    """And nothing that others' cards decide; in silence nothing at all."""
    rng, said = Random(8), set()
    for silence in (False, True):
        game = Table(tippi_toppi, 3, {"goal_deck": GOALS, "silence": silence}, tippi_toppi_setup)
        for state, _ in itertools.islice(walk(game, Random(9), 30), 0, None, 5):
            for seat in range(3):
                wish = wish_of(tippi_toppi.seen_by(state, seat), seat)
                for twin in twins(tippi_toppi, state, seat, rng):
                    assert wish_of(tippi_toppi.seen_by(twin, seat), seat) == wish
                assert wish is None or wish.pile in range(4)
                assert wish is None or wish.goal in {goal.text for goal in state.goals}
                said.add((silence, wish is not None))
    assert said >= {(False, True), (True, False)}
    assert (True, True) not in said
