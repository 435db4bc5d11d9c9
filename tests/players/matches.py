"""How strong the companion's players are: matches against random play, greedy play and each other.

Seats change from game to game. All that chance decides is drawn from the number of the game, so
every count can be repeated. In Topple pieces fall as often as the player's own estimate says.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from random import Random
from typing import Any, Final

from companion.games.topple.player import risk
from companion.players import LEVELS, choose
from companion.rules import tactiki, tiki_topple, tippi_toppi, topple, uno_tiki
from tests.players.full_information import is_winnable
from tests.players.opponents import pick_at_random, pick_greedily
from tests.rules.tables import (
    GOALS,
    census,
    tactiki_setup,
    tiki_topple_setup,
    tippi_toppi_setup,
    topple_setup,
)

GAMES: Final = 100
"""Of each match, unless others are wanted."""
MAX_STEPS: Final = 20_000
SEARCH_S: Final = 60.0
"""Longer than any search, so that its playouts end it."""
ROUNDS: Final = 80
"""More rounds than a game of many rounds has."""


def uno_tiki_setup(rng: Random, seats: int) -> dict[str, Any]:
    """Return the dealer and the order of the cards of all rounds."""
    decks = [rng.sample(census(), 112) for _ in range(ROUNDS)]
    return {"dealer": rng.randrange(seats), "decks": decks}


SETUPS: Final = {
    tiki_topple: tiki_topple_setup,
    tactiki: tactiki_setup,
    topple: topple_setup,
    tippi_toppi: tippi_toppi_setup,
    uno_tiki: uno_tiki_setup,
}


@dataclass(frozen=True)
class Match:
    """A pairing to be measured: the first player against, or beside, the others.

    players: by seat, a level, "random" or "greedy".  aim: the share of games that the first is to
    win, 0 if none is set.
    """

    game: str
    players: tuple[str, ...]
    aim: float = 0.0
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        first, *others = self.players
        return f"{self.game}: {first}, {len(others)} {others[0]}"


@dataclass(frozen=True)
class Played:
    """A game played: the first player's share of the win, points or goals, and its seconds."""

    share: float
    points: int
    slowest_s: float
    spent_s: float
    moves: int


def pick(player: str, rules: Any, state: Any, seat: int, rng: Random) -> Any:
    """Return the action of a *player* at *seat*, by its own view alone."""
    if player not in LEVELS:
        pick_one = pick_greedily if player == "greedy" else pick_at_random
        return pick_one(rules, state, seat, rng)
    seen = rules.seen_by(state, seat)
    choice = choose(rules.NAME, seen, seat, player, rng.getrandbits(30), SEARCH_S)
    return rules.parse_action(choice.action)


def go_on(rules: Any, state: Any, rng: Random) -> Any:
    """Return what chance brings: the die, the idol, a card from the reshuffled pile."""
    if rules is topple:
        return topple.Rolled(rng.randint(1, 6))
    if rules is uno_tiki and state.phase == "spin":
        return uno_tiki.Spun((rng.randrange(len(state.hands)),))
    if rules is uno_tiki and state.phase == "draw":
        return uno_tiki.Took(rng.choice(state.deck))
    return rng.choice(rules.legal_actions(state))


def happens(rules: Any, state: Any, action: Any, rng: Random) -> Any:
    """Return what comes of *action*: pieces may fall."""
    if rules is topple and rng.random() < risk(state.cells, action.spot):
        return topple.Toppled()
    return action


def play(match: Match, number: int) -> Played:
    """Return how the game of that *number* went."""
    (rules,) = (rules for rules in SETUPS if match.game == rules.NAME)
    rng, seats = Random(number), len(match.players)
    state = rules.initial(seats, match.options, SETUPS[rules](rng, seats))
    first = number % seats
    spent: list[float] = [0.0]
    for _ in range(MAX_STEPS):
        if rules.outcome(state):
            break
        seat = rules.turn(state)
        if seat is None:
            action = go_on(rules, state, rng)
        else:
            began = time.process_time()
            player = match.players[(seat - first) % seats]
            action = happens(rules, state, pick(player, rules, state, seat, rng), rng)
            if seat == first:
                spent.append(time.process_time() - began)
        state = rules.apply(state, action)
    result = rules.outcome(state)
    winners = result.winners if result else ()
    share = (1.0 if rules is tippi_toppi else 1 / len(winners)) if first in winners else 0.0
    points = result.scores[first] if result else 0
    return Played(share, points, max(spent), sum(spent), len(spent) - 1)


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the interval of 95 % for the share of games won.

    >>> [round(end, 3) for end in wilson(95, 100)]
    [0.888, 0.978]
    """
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def matches() -> Iterator[Match]:
    """Yield all pairings."""
    for game in ("tiki_topple", "tactiki", "topple", "uno_tiki"):
        yield Match(game, ("strong", "random"), 0.95)
        if game != "tactiki":
            yield Match(game, ("strong", "random", "random", "random"), 0.75)
        yield Match(game, ("strong", "greedy"), 0.65)
        yield Match(game, ("strong", "fair"), 0.6)
        yield Match(game, ("fair", "gentle"), 0.6)
        yield Match(game, ("gentle", "random"), 0.5)
    options = {"goal_deck": GOALS, "difficulty": "beginner"}
    for players in (
        ("random", "random"),
        ("gentle", "random"),
        ("fair", "random"),
        ("strong", "random"),
        ("greedy", "greedy"),
        ("strong", "strong"),
    ):
        yield Match("tippi_toppi", players, 0.0, options)


def play_all(match: Match, games: int, jobs: int, minutes: float) -> list[Played]:
    """Return the games played, *jobs* at a time; no more are begun after so many *minutes*."""
    until_s = time.monotonic() + 60 * minutes
    played: list[Played] = []
    with ProcessPoolExecutor(jobs) as pool:
        for number in range(0, games, jobs):
            if time.monotonic() > until_s:
                break
            numbers = range(number, min(number + jobs, games))
            played += pool.map(play, repeat(match, len(numbers)), numbers)
    return played


def report(match: Match, played: Sequence[Played]) -> None:
    """Print what the first player of *match* won of the games *played*."""
    games = len(played)
    won = sum(each.share for each in played)
    low, high = wilson(won, games)
    moves = sum(each.moves for each in played)
    mean_s = sum(each.spent_s for each in played) / max(moves, 1)
    slowest_s = max(each.slowest_s for each in played)
    points = sum(each.points for each in played) / games
    aim = f", aim {match.aim:.0%}" if match.aim else ""
    print(
        f"{match}: won {won:.4g} of {games}, {won / games:.1%} ({low:.1%} to {high:.1%}){aim};"
        f" {points:.1f} points or goals; {1000 * mean_s:.0f} ms a move, at most"
        f" {1000 * slowest_s:.0f} ms",
        flush=True,
    )


def measure(games: int, jobs: int, only: str = "", minutes: float = math.inf) -> None:
    """Play the matches whose line begins with *only*, and print what came of them."""
    for match in matches():
        if str(match).startswith(only):
            report(match, play_all(match, games, jobs, minutes))
    if only in ("", "tippi_toppi"):
        won = sum(map(is_winnable, range(games)))
        print(f"tippi_toppi: a line that wins was found in {won} of {games}, all hands open")


def main(words: Sequence[str]) -> None:
    """Play the matches that *words* ask for."""
    parser = argparse.ArgumentParser(prog="python -m tests.players.matches", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="games of each match")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--minutes", type=float, default=math.inf, help="for each match, at most")
    parser.add_argument("--only", default="", help="a text that the match's line begins with")
    measure(**vars(parser.parse_args(words)))


if __name__ == "__main__":
    main(sys.argv[1:])
