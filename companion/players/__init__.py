"""Computer players: what a seat of the companion's own chooses, from what that seat may know.

A game's own part is its module `player`, see `player.Player`. Whoever asks passes what the rules'
`seen_by` gives of the state, so that no secret of another seat can reach a decision.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random
from typing import Any, Final

from companion.players.effort import Effort
from companion.players.player import Player, Valued
from companion.registry import GAMES, load

LEVELS: Final = ("gentle", "fair", "strong")
TEMPERATURES: Final = {"gentle": 0.25, "fair": 0.1, "strong": 0.0}
"""By level, of the softmax by which an action is drawn, in the range of the shares expected; 0
takes the best."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player chose.

    action: the rules' text of the action.
    values: every action considered with the share of the win that it promises, best first.
    searched: how many playouts that is from; 0 if there was one action only, or no time.
    """

    action: str
    values: tuple[tuple[str, float], ...]
    searched: int


def never() -> bool:
    """Return False: nobody stops the search."""
    return False


def has_player(game: str) -> bool:
    """Tell whether *game* can be played by the companion."""
    return game in GAMES and find_spec(f"{GAMES[game].package}.player") is not None


def _player_of(game: str) -> Player:
    if not has_player(game):
        known = ", ".join(name for name in GAMES if has_player(name))
        raise ValueError(f"the companion does not play '{game[:60]}'; it plays {known}")
    player: Player = load(game, "player")
    return player


def choose(
    game: str,
    seen: Any,
    seat: int,
    level: str,
    seed: int,
    time_s: float = 1.5,
    is_stopped: Callable[[], bool] = never,
    *,
    tilt_deg: tuple[float, float] | None = None,
) -> Choice:
    """Return what *seat* does in *seen*, the state as the rules' `seen_by` shows it to that seat.

    The same arguments give the same choice, unless the time is over or the search is stopped
    before the level's playouts are done; a legal action is returned even then.
    time_s: seconds at most.  is_stopped: asked often.
    tilt_deg: how a board that tilts leans to the right and towards the near edge, if measured.
    Raises ValueError if the game or the level is unknown, or *seat* has nothing to choose.
    """
    player = _player_of(game)
    if level not in LEVELS:
        raise ValueError(f"a level is {', '.join(LEVELS)}, not '{level[:60]}'")
    options = player.options(seen, seat)
    if not options:
        raise ValueError(
            f"seat {seat} has nothing to choose now: another acts, or its hand is unknown"
        )
    text = player.RULES.format_action
    if len(options) == 1:
        return Choice(text(options[0]), ((text(options[0]), 1.0),), 0)
    effort = Effort(level, Random(seed), time_s, is_stopped, tilt_deg)  # noqa: S311 (a game's dice)
    valued = player.evaluate(seen, seat, options, effort)
    action = _draw(valued, TEMPERATURES[level], effort.rng)
    values = tuple((text(each), share) for each, share in valued.actions)
    return Choice(text(action), values, valued.searched)


def _draw(valued: Valued, temperature: float, rng: Random) -> Any:
    """Return the best action, or by a softmax of *temperature* one that is little worse.

    A sure win is always taken.
    """
    best, most = valued.actions[0]
    scale = temperature * (most - valued.actions[-1][1])
    if not scale or most == 1.0:
        return best
    weights = [math.exp((share - most) / scale) for _, share in valued.actions]
    return rng.choices([action for action, _ in valued.actions], weights)[0]
