"""Random games as digests, to compare builds of the rules: `python -m tests.rules.transcripts`.

Each step gives all that is legal, each tenth and the last the whole state as well.
"""

import hashlib
import json
import sys
from random import Random

from tests.rules.tables import TABLES, Table


def transcript(table: Table, seed: int, steps: int) -> str:
    """Return the digest of one random game of at most *steps* actions."""
    rng, digest = Random(seed), hashlib.sha256()
    rules = table.rules
    state = table.initial(rng)
    for step in range(steps):
        actions = {rules.format_action(action): action for action in rules.legal_actions(state)}
        texts = sorted(actions)
        digest.update("\n".join(texts).encode())
        if step % 10 == 0 or not texts:
            digest.update(json.dumps(rules.state_to_json(state)).encode())
            digest.update(repr((rules.turn(state), rules.outcome(state))).encode())
        if not texts:
            break
        text = rng.choice(texts)
        if text.split()[0] in table.rare:
            text = rng.choice(texts)
        state = rules.apply(state, actions[text])
    return digest.hexdigest()[:16]


def transcripts(games: int, steps: int) -> dict[str, list[str]]:
    """Return the digests of so many games at each table."""
    return {
        f"{number} {table}": [transcript(table, seed, steps) for seed in range(games)]
        for number, table in enumerate(TABLES)
    }


if __name__ == "__main__":
    games, steps = map(int, sys.argv[1:])
    sys.stdout.write(json.dumps(transcripts(games, steps)))
