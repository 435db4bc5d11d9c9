"""What past games tell of the people who played them, in plain sentences."""

import asyncio
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from companion import __version__
from companion.files import write_whole
from companion.language.message import Message, say_count
from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse, open_course
from companion.registry import game_of
from companion.session.log import Log, LogError

MAX_COUNTED: Final = 5000
"""So many of the newest games are counted: one each evening for some years."""
PATIENCE_S: Final = 1.0
"""So long a page waits for games to be played again; on a Pi each takes some hundredths of a
second, once.  What is left is counted when the page is asked for again."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in numbers.

    scores: by seat.  winners: seats.  rounds: the points of each scored round, by seat.
    together: whether all win or lose as one.  is_over: whether it was played to its end.
    at: when it was played last, ISO 8601 in UTC, "" if nothing has happened in it.
    computer: the seats that the companion played.
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
    at: str = ""
    computer: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody has played and won; averages: title and points a game, title by title."""

    name: str
    games: int
    won: int
    averages: tuple[tuple[str, float], ...]


def person_key(name: str) -> str:
    """Return what all ways of writing one person's name have in common.

    >>> person_key(" ANN  Marie"), person_key("Ann Marie")
    ('ann marie', 'ann marie')
    """
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def summary_of(number: int, course: GameCourse[Any, Any]) -> Summary:
    """Return game *number* in numbers; only what everyone may know."""
    session, game = course.session, course.game
    outcome, acts = session.rules.outcome(session.state), session.history.acts
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
        session.entries[acts[-1].seq - 1].at if acts else "",
        session.header.computer_seats,
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
                key = person_key(name)
                names.setdefault(key, name)  # as it was written last
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


class Counted(NamedTuple):
    """Games in numbers, the newest first, the one in play as it stands.

    waiting: how many more are still to be played again.  unreadable: how many cannot be read.
    """

    games: list[Summary]
    waiting: int = 0
    unreadable: int = 0


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds, for one version of the rules: no names and no titles.

    games: by number the mark of each in the log, and what came of it.
    """

    version: str
    games: dict[int, tuple[str, Summary]]


class Summaries:
    """The past games of a log in numbers.

    file: returns where to keep them, None for nowhere; it may be another one by now.
    """

    def __init__(
        self, live_session: LiveSession, file: Callable[[], Path | None] = lambda: None
    ) -> None:
        self._live_session = live_session
        self._file = file
        self._known: dict[tuple[int, str], Summary | None] = {}
        self._has_read = self._is_kept = False
        self._writing = asyncio.Lock()

    async def all(self) -> list[Summary]:
        """Return all games, however long that takes."""
        return (await self.within(float("inf"))).games

    async def within(self, seconds: float = PATIENCE_S) -> Counted:
        """Return what can be counted in about so many seconds, beginning with the newest games."""
        until = time.monotonic() + seconds
        self._read_file()
        for key in self._past():
            if key not in self._known:
                if time.monotonic() > until:
                    break
                self._known[key] = _read(self._live_session.log, key[0])
                self._is_kept = False
                await asyncio.sleep(0)  # others have their turn of the event loop
        if not self._is_kept:
            await self._write_file()
        return self.so_far()

    def so_far(self) -> Counted:
        """Return what is counted already."""
        live_session, past = self._live_session, self._past()
        course = GameCourse(live_session.session, live_session.game)
        counted = [self._known[key] for key in past if key in self._known]
        games = [summary for summary in counted if summary is not None]
        unreadable = len(counted) - len(games)
        games.append(summary_of(live_session.session.number, course))
        games.sort(key=lambda game: -game.number)
        return Counted(games, len(past) - len(counted), unreadable)

    def _past(self) -> list[tuple[int, str]]:
        """Return number and mark of each game that is not in play, the newest first."""
        log, current = self._live_session.log, self._live_session.session.number
        marks, left_out = log.marks(), {*log.resumed(), current}
        numbers = sorted({*marks} - left_out, reverse=True)
        return [(number, marks[number]) for number in numbers[:MAX_COUNTED]]

    def read_names_anew(self) -> None:
        """Follow the log, in which players have other names now."""
        self._known = {
            (number, mark): summary and _named(self._live_session.log, number, summary)
            for (number, mark), summary in self._known.items()
        }

    def remove(self, file: Path | None) -> None:
        """Keep nothing in *file* any more; raises OSError."""
        self._is_kept = False
        if file is not None:
            file.unlink(missing_ok=True)

    def _read_file(self) -> None:
        """Take what an earlier run has counted; a file that is spoilt is begun anew."""
        file = self._file()
        if file is None or self._has_read:
            return
        self._has_read = True
        log = self._live_session.log
        with suppress(OSError, msgspec.DecodeError, LogError):
            kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
            if kept.version == __version__:
                marks, self._is_kept = log.marks(), True
                for number, (mark, summary) in kept.games.items():
                    if marks.get(number) == mark:
                        self._known.setdefault((number, mark), _named(log, number, summary))

    async def _write_file(self) -> None:
        """Keep what is counted; where that is impossible it is counted again some day."""
        file = self._file()
        if file is None:
            return
        games = {
            number: (mark, replace(summary, title="", players=()))
            for number, mark in self._past()
            if (summary := self._known.get((number, mark))) is not None
        }
        data, self._is_kept = msgspec.json.encode(_Kept(__version__, games)), True
        with suppress(OSError):
            async with self._writing:
                await asyncio.to_thread(write_whole, file, data)
            if self._file() is None:  # by now nothing is to be kept
                self.remove(file)


def _read(log: Log, number: int) -> Summary | None:
    """Return game *number* in numbers, None if this version cannot read it."""
    try:
        return summary_of(number, open_course(log, number))
    except LogError:
        return None


def _named(log: Log, number: int, summary: Summary) -> Summary:
    """Return *summary* with the title of its game, and with the names that the log has."""
    header = log.header(number)
    title = game_of(header["game"]).title
    return replace(summary, title=title, players=tuple(header["players"]))
