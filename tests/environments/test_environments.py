"""Each game as PettingZoo has it: by its own tests, and by what a seat may and may not know."""

import random
import re
import warnings
from importlib import import_module
from typing import Any

import pytest

from tests.rules.secrets import twins

pytest.importorskip("pettingzoo", reason="no PettingZoo; to have it: pip install '.[play]'")

import numpy as np
from pettingzoo.test import api_test, seed_test

from companion.environments.environment import LOST, WON, GameEnvironment
from companion.rules.base import InvalidSetup

TABLES = (
    ("tiki_topple", 2),
    ("tiki_topple", 4),
    ("tactiki", 2),
    ("topple", 2),
    ("topple", 4),
    ("tippi_toppi", 1),
    ("tippi_toppi", 3),
    ("uno_tiki", 2),
    ("uno_tiki", 5),
)
MASKED = ("Observation is not a NumPy array", "Observation space for each agent probably should")
"""What PettingZoo up to 1.27 warns of wherever an observation has a mask, but in its own games."""
EVENTS = re.compile(r"topple$|stuck$|(knock|roll|spin|drew|uno|catch) ")
"""What no seat chooses here."""
SHORT: dict[str, dict[str, Any]] = {
    "tactiki": {"max_turns": 60},
    "topple": {"target": 20},
    "uno_tiki": {"target": 60},
}


def make(game: str, seats: int, **more: Any) -> GameEnvironment:
    """Return the bare environment of *game*, of a short one."""
    found: GameEnvironment = import_module(f"companion.environments.{game}").raw_env(
        seats, options=SHORT.get(game, {}), **more
    )
    return found


def choose(environment: GameEnvironment, rng: random.Random) -> int:
    """Return a random legal action of the agent that is to act."""
    mask = environment.observe(environment.agent_selection)["action_mask"]
    return int(rng.choice(np.flatnonzero(mask)))


def seen(environment: GameEnvironment) -> Any:
    """Return what the first seat observes."""
    return environment.observe("player_0")["observation"]


def play(environment: GameEnvironment, seed: int) -> list[tuple[str, str]]:
    """Play a game at random; return who did what."""
    environment.reset(seed=seed)
    rng, done = random.Random(seed), []
    while not any(environment.terminations.values()) and not any(environment.truncations.values()):
        action = choose(environment, rng)
        done.append((environment.agent_selection, environment.actions[action]))
        environment.step(action)
    return done


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoos_own_tests_pass(game: str, seats: int) -> None:
    """Spaces, turns, rewards and ends are as PettingZoo wants them, and a seed repeats a game."""
    env = import_module(f"companion.environments.{game}").env
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(seats), num_cycles=200)
        seed_test(lambda: env(seats), num_cycles=200)
    told = [str(each.message) for each in caught]
    assert [each for each in told if not each.startswith(MASKED)] == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_games_end_as_the_rules_say(game: str, seats: int) -> None:
    """Somebody always may act; who has won is rewarded, and nobody where it was cut short."""
    environment = make(game, seats)
    ended = 0
    for seed in range(4):
        done = play(environment, seed)
        rules, state = environment.rules, environment._state
        outcome = rules.outcome(state)
        assert {agent for agent, _ in done} == set(environment.possible_agents)
        if outcome is None:
            assert all(environment.truncations.values())
            assert set(environment.rewards.values()) == {0.0}
            continue
        ended += 1
        assert all(environment.terminations.values())
        won = [seat for seat, reward in enumerate(environment.rewards.values()) if reward == WON]
        assert won == [*outcome.winners]
        lost = [reward for reward in environment.rewards.values() if reward == LOST]
        assert len(won) + len(lost) == (seats if won or environment.together else 0)
    assert ended


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_everything_that_a_seat_may_choose_has_a_number(game: str, seats: int) -> None:
    """In all of a game; and each number's text is one of the rules'."""
    environment = make(game, seats)
    rules = environment.rules
    for text in environment.actions:
        assert rules.format_action(rules.parse_action(text)) == text
    environment.reset(seed=1)
    rng = random.Random(1)
    while not any(environment.terminations.values()) and not any(environment.truncations.values()):
        state = environment._state
        texts = [rules.format_action(action) for action in rules.legal_actions(state)]
        chosen = {text for text in texts if not EVENTS.match(text)}
        agent = environment.agent_selection
        mask = environment.observe(agent)["action_mask"]
        assert {environment.actions[number] for number in np.flatnonzero(mask)} == chosen
        assert chosen
        for other in environment.agents:
            told = environment.observe(other)
            assert environment.observation_space(other).contains(told)
            assert other == agent or not told["action_mask"].any()
        environment.step(choose(environment, rng))


@pytest.mark.parametrize(("game", "seats"), [each for each in TABLES if each[0] != "topple"])
def test_what_others_alone_know_is_in_no_observation(game: str, seats: int) -> None:
    """States that a seat cannot tell apart are observed alike by it, with the same actions."""
    environment, rng, compared = make(game, seats), random.Random(3), 0
    environment.reset(seed=3)
    while not any(environment.terminations.values()) and not any(environment.truncations.values()):
        state = environment._state
        for seat, agent in enumerate(environment.agents):
            told = environment.observe(agent)
            for twin in twins(environment.rules, state, seat, rng):
                environment._state = twin
                again = environment.observe(agent)
                environment._state = state
                compared += 1
                for part in ("observation", "action_mask"):
                    assert np.array_equal(told[part], again[part]), part
        environment.step(choose(environment, rng))
    assert compared


def test_a_leak_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An observation with the other seat's card in it would fail the test above."""
    environment = make("tiki_topple", 2)
    view = environment.rules.view

    def open_view(state: Any, seat: int) -> dict[str, Any]:
        return {**view(state, seat), "cards": view(state, 1 - seat)["cards"][::-1]}

    monkeypatch.setattr(environment.rules, "view", open_view)
    with pytest.raises(AssertionError):
        test_what_others_alone_know_is_in_no_observation("tiki_topple", 2)


@pytest.mark.parametrize("game", ["tiki_topple", "topple", "tippi_toppi", "uno_tiki", "tactiki"])
def test_chance_follows_the_seed(game: str) -> None:
    """The same seed and the same choices make the same game, another seed another one."""
    first, second = make(game, 2), make(game, 2)
    assert play(first, 5) == play(second, 5)
    first.reset()
    second.reset()
    assert np.array_equal(seen(first), seen(second))
    first.reset(seed=5)
    second.reset(seed=6)
    assert not np.array_equal(seen(first), seen(second))


def test_an_illegal_action_is_refused_or_loses() -> None:
    """The bare environment says what is legal and changes nothing; the usual one ends the game."""
    environment = make("tiki_topple", 2)
    environment.reset(seed=1)
    mask = environment.observe(environment.agent_selection)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    before = seen(environment)
    for wrong in (illegal, -1, len(mask), None):
        with pytest.raises(ValueError, match=r"legal are up1|legal are topple"):
            environment.step(wrong)
    assert np.array_equal(before, seen(environment))
    env = import_module("companion.environments.tiki_topple").env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(illegal)
    assert env.rewards[agent] == LOST
    assert all(env.terminations.values())


def test_a_long_game_is_cut_short() -> None:
    """By so many actions as were asked for."""
    environment = make("topple", 2, max_steps=7)
    assert len(play(environment, 1)) == 7
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())


def test_a_game_beyond_what_was_dealt_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could tell which hands come next."""
    monkeypatch.setattr("companion.environments.uno_tiki.ROUNDS", 1)
    environment = import_module("companion.environments.uno_tiki").raw_env(2)
    play(environment, 1)
    assert all(environment.truncations.values())


def test_options_that_no_environment_can_play_are_refused() -> None:
    """In a line that says what would be right."""
    for options in ({"high_speed": True}, {"goals": 1, "goal_deck": ["other"]}):
        with pytest.raises(InvalidSetup, match=r"\(TP-\d+\)"):
            import_module("companion.environments.tippi_toppi").raw_env(2, options=options)


def test_an_environment_shows_what_a_bystander_sees() -> None:
    """As text, if that was asked for."""
    environment = make("tiki_topple", 2, render_mode="ansi")
    environment.reset(seed=1)
    assert '"cards": [null, null]' in (environment.render() or "")
    assert make("tiki_topple", 2).render() is None
