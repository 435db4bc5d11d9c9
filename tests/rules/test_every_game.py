"""What holds for every game, at every table, in every state that random play reaches."""

import json
import pickle
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import registry
from companion.rules import tiki_topple
from companion.rules.base import IllegalAction
from companion.rules.protocol import Spoken
from tests.rules.conserved import contents, expected
from tests.rules.secrets import twins
from tests.rules.tables import (
    GAMES,
    TABLES,
    Table,
    list_unplayed,
    play,
    tiki_topple_setup,
    walk,
)

STEPS: Final = {"tactiki": 60}
"""How far a game is walked where each step takes long; the others go on to 240."""


def names(thing: Any) -> str:
    """Return the name of a table or game for pytest."""
    return str(getattr(thing, "NAME", thing))


def test_every_listed_game_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of the registry that has no table here is named."""
    assert list_unplayed() == []
    sixth = registry.Listed("pebbles", 9, "tests.toy")
    monkeypatch.setitem(registry.GAMES, "pebbles", sixth)
    assert list_unplayed() == ["pebbles"]


@pytest.mark.parametrize("table", TABLES, ids=names)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_what_holds_in_every_state(table: Table, seed: int) -> None:
    """Of actions, texts, refusals, contents and views, along one random game."""
    rng = Random(seed)
    steps = list(walk(table, Random(seed), STEPS.get(table.rules.NAME, 240)))
    replayed = table.initial(Random(seed))
    for state, action in steps:
        assert state == replayed
        assert contents(table.rules, state) == expected(table.rules, state)
        if action is not None:
            text = table.rules.format_action(action)
            replayed = table.rules.apply(state, table.rules.parse_action(text))
    for state, _ in rng.sample(steps, min(len(steps), 20)):
        check_actions(table.rules, state, rng)
    for state, _ in rng.sample(steps, min(len(steps), 5)):
        check_views(table, state, rng)
    for _ in range(20):
        here, elsewhere = rng.choice(steps)[0], rng.choice(steps)[0]
        check_from_elsewhere(table.rules, here, elsewhere, rng)


def check_actions(rules: Spoken[Any, Any], state: Any, rng: Random) -> None:
    """Hold what is legal in *state*: it is accepted, and comes back from its text and its JSON."""
    actions = rules.legal_actions(state)
    assert len(set(actions)) == len(actions)
    assert (actions == ()) == (rules.outcome(state) is not None)
    if not actions:
        assert rules.turn(state) is None
    for action in rng.sample(actions, min(len(actions), 12)):
        rules.apply(state, action)
        assert rules.parse_action(rules.format_action(action)) == action
        thing = json.loads(json.dumps(rules.action_to_json(action)))
        assert rules.action_from_json(thing) == action
        assert rules.action_from_json(rules.format_action(action)) == action


def check_views(table: Table, state: Any, rng: Random) -> None:
    """Hold that states which differ only in what a viewer may not know look the same to them."""
    for seat in (None, *range(table.seats)):
        view = table.rules.view(state, seat)
        json.dumps(view, allow_nan=False)
        for twin in twins(table.rules, state, seat, rng):
            assert table.rules.view(twin, seat) == view


def check_from_elsewhere(rules: Spoken[Any, Any], here: Any, elsewhere: Any, rng: Random) -> None:
    """Hold that an action from *elsewhere* is legal *here*, or refused and the state is kept."""
    actions = rules.legal_actions(elsewhere)
    if not actions:
        return
    action = rng.choice(actions)
    before = json.dumps(rules.state_to_json(here))
    if action in rules.legal_actions(here):
        rules.apply(here, action)
    else:
        refusal = refused(rules, here, action)
        if refusal is None:
            assert rules.format_action(action).split()[0] in OWNERS_BUSINESS[rules.NAME]
        else:
            assert "-" in refusal.clause
            assert "\n" not in str(refusal)
    assert json.dumps(rules.state_to_json(here)) == before


def test_each_check_can_fail() -> None:
    """Rules that list an action twice, show secrets, or accept everything are noticed."""
    rules: Any = SimpleNamespace(**vars(tiki_topple))
    table, rng = Table(rules, 3, {}, tiki_topple_setup), Random(1)
    states = [state for state, _ in walk(table, rng, 20)]
    rules.legal_actions = lambda state: tiki_topple.legal_actions(state) * 2
    with pytest.raises(AssertionError):
        check_actions(rules, states[0], rng)
    rules.view = lambda state, _: tiki_topple.state_to_json(state)
    with pytest.raises(AssertionError):
        check_views(table, states[0], rng)
    rules.legal_actions = {states[0]: (), states[1]: tiki_topple.legal_actions(states[1])}.get
    rules.apply = lambda state, _: state
    with pytest.raises(AssertionError):
        check_from_elsewhere(rules, states[0], states[1], rng)


def refused(rules: Spoken[Any, Any], state: Any, action: Any) -> IllegalAction | None:
    """Return the refusal of *action*, None if it is accepted."""
    try:
        rules.apply(state, action)
    except IllegalAction as refusal:
        return refusal
    return None


# Facts of the owner's set that are warned about, never refused, and known facts told early.
OWNERS_BUSINESS = {
    "tiki_topple": {"line", "card"},
    "tippi_toppi": {"goal"},
    "uno_tiki": {"play", "turn", "cut", "discard", "drew"},
    "topple": set[str](),
    "tactiki": set[str](),
    "score_sheet": set[str](),
}


@pytest.mark.parametrize("table", TABLES, ids=names)
def test_random_games_reach_their_end(table: Table) -> None:
    """A whole game is played, and its outcome names winners and a clause."""
    state = play(table, Random(1))
    result = table.rules.outcome(state)
    assert result is not None
    assert len(result.scores) == table.seats
    assert set(result.winners) <= set(range(table.seats))
    assert "-" in result.ended_by
    json.dumps(table.rules.state_to_json(state), allow_nan=False)


@pytest.mark.parametrize("rules", GAMES, ids=names)
def test_a_new_game_needs_seats_only(rules: Spoken[Any, Any]) -> None:
    """What chance decides is observed later, or unknown."""
    table = next(table for table in TABLES if table.rules is rules)
    state = rules.initial(table.seats)
    assert rules.legal_actions(state)
    assert rules.outcome(state) is None


@pytest.mark.parametrize("table", TABLES, ids=names)
def test_a_copy_is_whole_and_apart(table: Table) -> None:
    """It has all that the state has, also in another process, and is no other's when filled in."""
    for state, action in walk(table, Random(2), 40):
        assert state._replace() == state
        assert hash(state._replace()) == hash(state)
        assert pickle.loads(pickle.dumps((state, action))) == (state, action)
        name = "phase" if "phase" in type(state).__annotations__ else "ended_by"
        changed = state._replace(**{name: "elsewhere"})
        assert changed != state
        assert changed._replace(**{name: getattr(state, name)}) == state
