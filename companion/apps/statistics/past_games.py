"""What past games tell of the people who played them, in plain sentences."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.language.message import Message, say_count
from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse, open_course
from companion.session.log import Log, LogError

MAX_COUNTED: Final = 200
"""So many of the newest games are counted; on a Pi each takes some hundredths of a second once."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in numbers.

    scores: by seat.  winners: seats.  rounds: the points of each scored round, by seat.
    together: whether all win or lose as one.  is_over: whether it was played to its end.
    """

    number: int
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    steps: int
    is_over: bool
    together: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody has played and won; averages: title and points a game, title by title."""

    name: str
    games: int
    won: int
    averages: tuple[tuple[str, float], ...]


def summary_of(number: int, course: GameCourse[Any, Any]) -> Summary:
    """Return game *number* in numbers; only what everyone may know."""
    session, game = course.session, course.game
    outcome = session.rules.outcome(session.state)
    return Summary(
        number,
        game.title,
        session.header.players,
        outcome.scores if outcome else game.scores(session.state),
        outcome.winners if outcome else (),
        tuple(scored.points for _, scored in sorted(session.scorings.items())),
        course.steps,
        outcome is not None,
        game.together,
    )


def standings(games: Iterable[Summary]) -> list[Standing]:
    """Return everybody who has played a finished game, who has won most first.

    One name is one person, however it is written.
    """
    names: dict[str, str] = {}
    won: dict[str, int] = defaultdict(int)
    points: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for game in games:
        for seat, name in enumerate(game.players):
            if game.is_over:
                key = name.casefold()
                names[key] = name
                won[key] += seat in game.winners
                points[key][game.title].append(game.scores[seat])
    found = [
        Standing(
            name,
            sum(map(len, points[key].values())),
            won[key],
            tuple((title, round(sum(of) / len(of), 1)) for title, of in points[key].items()),
        )
        for key, name in names.items()
    ]
    return sorted(found, key=lambda each: (-each.won, -each.games, each.name.casefold()))


def records(games: Sequence[Summary]) -> Iterator[Message]:
    """Yield what stands out among finished games: the longest one, the best round of anybody."""
    finished = [game for game in games if game.is_over]
    if not finished:
        return
    longest = max(finished, key=lambda game: game.steps)
    yield say_count(
        "The longest game had {number} step: {game}.",
        "The longest game had {number} steps: {game}.",
        longest.steps,
        game=longest.title,
    )
    scored = [
        (points[seat], game, seat)
        for game in finished
        if not game.together
        for points in game.rounds
        for seat in range(len(points))
    ]
    if scored:
        best, game, seat = max(scored, key=lambda each: each[0])
        if best > 0:
            yield say_count(
                "The best round earned {player} {number} point: {game}.",
                "The best round earned {player} {number} points: {game}.",
                best,
                player=game.players[seat],
                game=game.title,
            )


class Summaries:
    """The past games of a log in numbers; each is played again by the rules only once."""

    def __init__(self, live_session: LiveSession) -> None:
        self._live_session = live_session
        self._known: OrderedDict[tuple[str, int, str], Summary | None] = OrderedDict()

    async def all(self) -> list[Summary]:
        """Return the newest games in numbers, the newest first, the one in play as it stands."""
        live_session = self._live_session
        opened, resumed = live_session.log.opened(), live_session.log.resumed()
        found = []
        for number in sorted({*opened} - resumed, reverse=True)[:MAX_COUNTED]:
            if number == live_session.session.number:
                course = GameCourse(live_session.session, live_session.game)
                found.append(summary_of(number, course))
                continue
            key = (live_session.log.path, number, opened[number])
            if key not in self._known:
                self._known[key] = _read(live_session.log, number)
                await asyncio.sleep(0)  # others have their turn of the event loop
            if (summary := self._known[key]) is not None:
                found.append(summary)
        while len(self._known) > MAX_COUNTED:
            self._known.popitem(last=False)
        return found


def _read(log: Log, number: int) -> Summary | None:
    """Return game *number* in numbers, None if this version cannot read it."""
    try:
        return summary_of(number, open_course(log, number))
    except LogError:
        return None
