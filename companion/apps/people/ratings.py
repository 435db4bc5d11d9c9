"""How good somebody is at a game: a rating for each kind of game, by openskill's Plackett-Luce.

A rating is a belief: what is most likely, and how unsure that is.  What is shown is openskill's
ordinal, three deviations below the likeliest, so that nobody leads by one lucky evening.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.apps.people.names import seats_of
from companion.apps.people.results import is_contest, places
from companion.apps.statistics.past_games import Summary

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

BEGINNER: Final = 1000
"""What everybody begins with."""
POINTS_A_DEVIATION: Final = 200
"""So many points are the deviation of a beginner's rating, 25/3 of openskill's units: of the size
that is known from chess."""
MIN_GAMES: Final = 3
"""After fewer games a rating is not shown: it says little but who played whom."""


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody's rating at a kind of game, in points, and after how many games."""

    key: str
    points: int
    games: int


def rate(games: Iterable[Summary]) -> dict[str, list[Rated]]:
    """Return the ratings of all people by the title of the game, the best first.

    Only contests between people count; a seat that is nobody's is taken for a beginner's.
    """
    from openskill.models import PlackettLuce  # noqa: PLC0415 - nobody who plays needs it

    model = PlackettLuce()
    beliefs: dict[str, dict[str, PlackettLuceRating]] = defaultdict(dict)
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for game in sorted(filter(is_contest, games), key=lambda game: game.at):
        known, keys = beliefs[game.title], {seat: key for key, seat in seats_of(game).items()}
        if not keys:
            continue
        teams = [
            [known.get(keys.get(seat, ""), model.rating())] for seat in range(len(game.players))
        ]
        after = model.rate(teams, ranks=list(map(float, places(game))))
        for seat, key in keys.items():
            known[key] = after[seat][0]
            counts[game.title][key] += 1
    scale = POINTS_A_DEVIATION / model.sigma
    return {
        title: sorted(
            (
                Rated(key, round(belief.ordinal(alpha=scale, target=BEGINNER)), counts[title][key])
                for key, belief in known.items()
                if counts[title][key] >= MIN_GAMES
            ),
            key=lambda each: (-each.points, each.key),
        )
        for title, known in sorted(beliefs.items())
    }
