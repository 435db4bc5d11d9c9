"""How fast random games go, beside RLCard's game of UNO where that can be imported.

`python -m tests.rules.pace ROUNDS` prints the paces of the build that `VARIABLE` asks for.
"""

import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from companion.compiled import VARIABLE
from companion.rules import tactiki, tiki_topple, tippi_toppi, topple, uno_tiki
from tests.rules.tables import (
    FALLS,
    GOALS,
    LOSSES,
    Table,
    tactiki_setup,
    tiki_topple_setup,
    tippi_toppi_setup,
    topple_setup,
    uno_tiki_setup,
)

SLICE_S: Final = 0.1
MOST_STEPS: Final = 2_000  # of one game
RLCARD: Final = "python -m pip install --no-deps rlcard termcolor"
TABLES: Final = (
    Table(tiki_topple, 4, {}, tiki_topple_setup),
    Table(tactiki, 2, {}, tactiki_setup),
    Table(topple, 4, {}, topple_setup, FALLS),
    Table(tippi_toppi, 4, {"goal_deck": GOALS}, tippi_toppi_setup, LOSSES),
    Table(uno_tiki, 4, {}, uno_tiki_setup),
)
# What holds with some per cent to spare; 3.0 is aimed at when they are compiled.
_NAMES: Final = tuple(table.rules.NAME for table in TABLES)
AIMS: Final = {
    "plain": dict(zip(_NAMES, (1.7, 1.3, 2.7, 1.0, 1.5), strict=True)),
    "compiled": dict(zip(_NAMES, (3.0, 2.3, 3.9, 2.9, 3.0), strict=True)),
}
"""The aims over RLCard's game, for the rules as they are written and compiled."""

Pace = Callable[[Random], float]


def pace_of(table: Table) -> Pace:
    """Return how many steps a second go at *table*, every legal action listed at each.

    Falls and losses told by the people are picked again 99 times in a hundred, at our own cost.
    """
    rules = table.rules
    rare = {
        type(rules.parse_action(text))
        for text in ("topple", "knock 0", "stuck", "time")
        if text.split()[0] in table.rare
    }

    def pace(rng: Random) -> float:
        spent, steps = 0.0, 0
        legal_actions, apply, choice = rules.legal_actions, rules.apply, rng.choice
        while spent < SLICE_S:
            state = table.initial(rng)
            began = time.process_time()
            for _ in range(MOST_STEPS):  # a random game of Topple need not end
                actions = legal_actions(state)
                if not actions:
                    break
                action = choice(actions)
                while type(action) in rare and rng.random() < 0.99:
                    action = choice(actions)
                state = apply(state, action)
                steps += 1
            spent += time.process_time() - began
        return steps / spent

    return pace


def pace_of_rlcard() -> Pace | None:
    """Return the same for RLCard's game of UNO with four players, or None if there is none."""
    try:
        uno: Any = importlib.import_module("rlcard.games.uno")
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        return None
    game = uno.Game(num_players=4)
    game.np_random = numpy.random.RandomState(1)

    def pace(rng: Random) -> float:
        spent, steps = 0.0, 0
        while spent < SLICE_S:
            game.init_game()
            began = time.process_time()
            while not game.is_over():
                game.step(rng.choice(game.get_legal_actions()))
                steps += 1
            spent += time.process_time() - began
        return steps / spent

    return pace


def pace_of_choosing(rng: Random) -> float:
    """Return how often a second a loop chooses that does nothing else."""
    choices = list(range(20))
    steps = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SLICE_S:
        for _ in range(1000):
            rng.choice(choices)
        steps += 1000
    return steps / spent


def paces(rounds: int) -> dict[str, list[float]]:
    """Return the steps a second of every game, of RLCard's and of bare choosing, in turn."""
    runners: dict[str, Pace] = {table.rules.NAME: pace_of(table) for table in TABLES}
    runners["choosing"] = pace_of_choosing
    rlcard = pace_of_rlcard()
    if rlcard:
        runners["rlcard"] = rlcard
    found: dict[str, list[float]] = {name: [] for name in runners}
    for turn in range(rounds):
        for name, pace in runners.items():
            found[name].append(pace(Random(turn)))
    return found


def paces_of(build: str, rounds: int) -> dict[str, list[float]]:
    """Return `paces` of a build, `plain` or `compiled`, measured in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.pace", str(rounds)],
        env={**os.environ, VARIABLE: build},
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median ratio of paces measured in the same rounds."""
    return statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(paces(int(sys.argv[1]))))
