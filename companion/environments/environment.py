"""What all environments share: turns, action masks, chance, and how a game ends."""

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from companion.rules.protocol import Spoken

Observation: TypeAlias = dict[str, NDArray[Any]]
MAX_VALUE: Final = 9999
"""No number in an observation is farther from 0: the most that a table may play for."""
MAX_STEPS: Final = 20_000
"""Of all seats together; one game of random players took 10,545."""
WON: Final = 1.0
LOST: Final = -1.0


class GameEnvironment(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game between `player_0`, `player_1`, ..., which are its seats.

    An observation has an "observation", numbers of what the seat may know, see `encode`, and an
    "action_mask", 1 for each of `actions` that it may take now.  Rewards come at the end: `WON` for
    who has won, `LOST` for all others, 0 for everybody if the game was drawn or cut short.
    rules: of the game.  together: whether all win or lose as one.
    actions: the text of every action that a seat may choose, in the order of their numbers.
    """

    rules: Spoken[Any, Any]
    together: bool = False
    actions: tuple[str, ...]
    _state: Any

    def __init__(
        self,
        seats: int,
        options: Mapping[str, Any] | None = None,
        max_steps: int = MAX_STEPS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment for so many *seats*; raises InvalidSetup.

        options: of the rules; what is missing takes the rulebook's value.
        max_steps: after so many actions of players the game is truncated.
        render_mode: "ansi": `render` returns what a bystander may know, as JSON.
        """
        super().__init__()
        self.metadata = {
            "name": f"{self.rules.NAME}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.seats, self.options, self.max_steps = seats, dict(options or {}), max_steps
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.numbers = {text: number for number, text in enumerate(self.actions)}
        self._rng = Random()  # noqa: S311 (a game's chance, which a seed repeats)
        self._known_texts: dict[tuple[type, Any], str] = {}
        self._begin()
        length = len(self.encode(self.rules.view(self._state, 0), 0))
        self._observation_spaces = {agent: self._space(length) for agent in self.possible_agents}
        self._action_spaces = {agent: Discrete(len(self.actions)) for agent in self.possible_agents}

    # What each game says.

    @abstractmethod
    def draw_setup(self, rng: Random) -> dict[str, Any]:
        """Return all that chance decides before the game, for the rules' `initial`."""

    def draw_event(self, state: Any, rng: Random) -> str | None:
        """Return the text of what happens next of itself, "" if a seat is to choose.

        None if nobody can tell: what was drawn beforehand is used up, and the game is truncated.
        """
        del rng
        return "" if self.rules.turn(state) is not None else None

    @abstractmethod
    def encode(self, view: Mapping[str, Any], seat: int) -> list[int]:
        """Return the numbers for *view*, the rules' view of *seat*; always equally many."""

    def order(self, seat: int) -> list[int]:
        """Return all seats in the order of play, *seat* first."""
        return [(seat + place) % self.seats for place in range(self.seats)]

    # What PettingZoo asks for.

    def observation_space(self, agent: str) -> Dict:
        """Return the space of what *agent* observes."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of the actions of *agent*: a number for each of `actions`."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        seed: makes all chance of this and of later games the same again; None goes on with it.
        options: nothing is made of them.
        """
        del options
        if seed is not None:
            self._rng = Random(seed)  # noqa: S311
        self._begin()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self.agent_selection = self._acting()

    def observe(self, agent: str) -> Observation:
        """Return what *agent* may know, and what it may do."""
        seat = self.possible_agents.index(agent)
        numbers = self.encode(self.rules.view(self._state, seat), seat)
        return {
            "observation": np.array(numbers, dtype=np.int16),
            "action_mask": self._mask(seat),
        }

    def step(self, action: int | None) -> None:
        """Let the agent that is to act take *action*, and all chance that follows.

        Raises ValueError if that is not legal; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        text = self._require_legal(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state = self.rules.apply(self._state, self.rules.parse_action(text))
        self._steps += 1
        is_decided = self._let_happen()
        outcome = self.rules.outcome(self._state)
        if outcome is not None:
            self.rewards = self._rewards(outcome.winners)
            self.terminations = dict.fromkeys(self.agents, True)
        elif not is_decided or self._steps >= self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._acting()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """Return what a bystander may know, as JSON, None without a render mode."""
        return json.dumps(self.rules.view(self._state, None)) if self.render_mode else None

    def close(self) -> None:
        """Let go of nothing: there is no window."""

    # How the game goes on.

    def _begin(self) -> None:
        setup = self.draw_setup(self._rng)
        self._state = self.rules.initial(self.seats, self.options, setup)
        self._let_happen()

    def _let_happen(self) -> bool:
        """Let happen what is nobody's choice; return False if that cannot be told."""
        while self.rules.outcome(self._state) is None:
            text = self.draw_event(self._state, self._rng)
            if not text:
                return text is not None
            self._state = self.rules.apply(self._state, self.rules.parse_action(text))
        return True

    def _acting(self) -> str:
        return self.possible_agents[self.rules.turn(self._state) or 0]

    def _rewards(self, winners: Sequence[int]) -> dict[str, float]:
        if not winners and not self.together:
            return dict.fromkeys(self.agents, 0.0)
        return {
            agent: WON if seat in winners else LOST
            for seat, agent in enumerate(self.possible_agents)
        }

    def _mask(self, seat: int) -> NDArray[np.int8]:
        mask = np.zeros(len(self.actions), dtype=np.int8)
        if self.rules.turn(self._state) == seat:
            for action in self.rules.legal_actions(self._state):
                number = self.numbers.get(self._text(action))
                if number is not None:
                    mask[number] = 1
        return mask

    def _text(self, action: Any) -> str:
        key = (type(action), action)
        text = self._known_texts.get(key)
        if text is None:
            text = self._known_texts[key] = self.rules.format_action(action)
        return text

    def _require_legal(self, agent: str, action: int | None) -> str:
        number = -1 if action is None else int(action)
        mask = self._mask(self.possible_agents.index(agent))
        if not 0 <= number < len(mask) or not mask[number]:
            legal = [self.actions[each] for each in np.flatnonzero(mask)]
            raise ValueError(
                f"{agent} may not take action {action}; legal are {', '.join(legal)}, see"
                " observation['action_mask']"
            )
        return self.actions[number]

    def _space(self, length: int) -> Dict:
        return Dict(
            {
                "observation": Box(-MAX_VALUE, MAX_VALUE, (length,), np.int16),
                "action_mask": Box(0, 1, (len(self.actions),), np.int8),
            }
        )


def wrapped(environment: GameEnvironment) -> Any:
    """Return *environment* as PettingZoo's own games are: an illegal action loses the game."""
    found = TerminateIllegalWrapper(environment, illegal_reward=LOST)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(found))


def flags(chosen: Sequence[object], known: Sequence[object]) -> list[int]:
    """Return for each of *known* how often it is among *chosen*.

    >>> flags("abba", "abc")
    [2, 2, 0]
    """
    return [chosen.count(each) for each in known]
