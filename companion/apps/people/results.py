"""What finished games say of people: who has won, who beat whom, and the records of a season."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from companion.apps.people.names import seats_of, spellings
from companion.apps.statistics.past_games import Summary
from companion.language.message import Message, say, say_count

MIN_SCORE: Final = 2
"""A best score below it says no more than that somebody has won."""


@dataclass(slots=True)
class Person:
    """What somebody has done.

    games, won: against others alone.  streak: the most games won in a row, of whatever kind.
    with_computer, won_with_computer: games in which the companion had a seat, and those won.
    """

    key: str
    name: str
    games: int = 0
    won: int = 0
    streak: int = 0
    with_computer: int = 0
    won_with_computer: int = 0
    running: int = field(default=0, repr=False)

    def count(self, *, has_won: bool) -> None:
        """Count one more game against others."""
        self.games += 1
        self.won += has_won
        self.running = self.running + 1 if has_won else 0
        self.streak = max(self.streak, self.running)


@dataclass(frozen=True, slots=True)
class Duel:
    """Two people in the games that both have played against each other.

    ahead: how often each came out before the other, others at the table or not.  level: as often
    neither did.  titles: the same by game, its title first.
    """

    names: tuple[str, str]
    ahead: tuple[int, int]
    level: int
    titles: tuple[tuple[str, int, int, int], ...]


def day_of(game: Summary) -> date:
    """Return the day on which *game* was played last, by the clock of the table."""
    return datetime.fromisoformat(game.at).astimezone().date()


def is_contest(game: Summary) -> bool:
    """Return whether several people have played *game* to its end against each other alone."""
    return game.is_over and not game.together and not game.computer and len(game.players) > 1


def places(game: Summary) -> tuple[int, ...]:
    """Return everybody's place in a finished *game*, from 0: winners share the first.

    The others follow by their points; whether many or few are good is told by the winners'.
    """
    if not game.winners:
        return (0,) * len(game.players)
    best = [game.scores[seat] for seat in game.winners]
    others = [score for seat, score in enumerate(game.scores) if seat not in game.winners]
    sign = 1 if all(score <= min(best) for score in others) else -1
    if sign < 0 and not all(score >= max(best) for score in others):
        sign = 0  # points alone do not say who was better
    order = sorted({-sign * score for score in others})
    return tuple(
        0 if seat in game.winners else 1 + order.index(-sign * score)
        for seat, score in enumerate(game.scores)
    )


def people_in(games: Sequence[Summary]) -> list[Person]:
    """Return everybody who has finished one of *games*, which come newest first."""
    found = {key: Person(key, name) for key, name in spellings(games).items()}
    for game in sorted((game for game in games if game.is_over), key=lambda game: game.at):
        for key, seat in seats_of(game).items():
            person, has_won = found[key], seat in game.winners
            if game.computer:
                person.with_computer += 1
                person.won_with_computer += has_won
            elif is_contest(game):
                person.count(has_won=has_won)
    counted = [each for each in found.values() if each.games or each.with_computer]
    return sorted(counted, key=lambda each: (-each.won, -each.games, each.key))


def duel_of(games: Iterable[Summary], keys: tuple[str, str], names: tuple[str, str]) -> Duel:
    """Return how two people, by their keys, have done against each other."""
    ahead: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    level: Counter[str] = Counter()
    for game in games:
        seats = seats_of(game)
        if is_contest(game) and {*keys} <= {*seats}:
            one, other = (places(game)[seats[key]] for key in keys)
            (ahead if one < other else behind if other < one else level)[game.title] += 1
    titles = sorted({*ahead, *behind, *level})
    return Duel(
        names,
        (ahead.total(), behind.total()),
        level.total(),
        tuple((title, ahead[title], behind[title], level[title]) for title in titles),
    )


def best_scores(games: Iterable[Summary]) -> Iterator[tuple[Summary, int]]:
    """Yield the game and the seat of the best score of each kind of game, of a person's.

    The earliest of equals; none where few points are good, or a winner has at most one.
    """
    best: dict[str, tuple[int, Summary, int]] = {}
    for game in sorted(filter(is_contest, games), key=lambda game: game.at):
        for seat in seats_of(game).values():
            score = game.scores[seat]
            if seat in game.winners and score == max(game.scores) and score >= MIN_SCORE:
                known = best.get(game.title)
                if known is None or score > known[0]:
                    best[game.title] = score, game, seat
    for _, (_, game, seat) in sorted(best.items()):
        yield game, seat


def records_of(games: Sequence[Summary], people: Sequence[Person]) -> Iterator[Message]:
    """Yield the records of *games*: the best score of each kind, the longest streak, most games."""
    longest = max(people, key=lambda each: each.streak, default=None)
    if longest is not None and longest.streak > 1:
        yield say(
            "Longest streak: {player} won {number} games in a row.",
            player=longest.name,
            number=longest.streak,
        )
    most = max(people, key=lambda each: each.games, default=None)
    if most is not None and most.games > 1:
        yield say("Most games: {player} with {number}.", player=most.name, number=most.games)
    for game, seat in best_scores(games):
        yield say_count(
            "Best score in {game}: {player} with {number} point.",
            "Best score in {game}: {player} with {number} points.",
            game.scores[seat],
            game=game.title,
            player=" ".join(game.players[seat].split()),
        )


def team_records(games: Iterable[Summary]) -> Iterator[Message]:
    """Yield how the table has done in games that all win or lose as one, kind by kind."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    best: dict[str, int] = {}
    for game in games:
        if game.is_over and game.together and not game.computer:
            played[game.title] += 1
            won[game.title] += bool(game.winners)
            best[game.title] = max([best.get(game.title, 0), *game.scores])
    for title, count in sorted(played.items()):
        yield say_count(
            "{game}: {won} of {number} game won together; best result {best}.",
            "{game}: {won} of {number} games won together; best result {best}.",
            count,
            game=title,
            won=won[title],
            best=best[title],
        )


def years_of(games: Iterable[Summary]) -> list[str]:
    """Return the calendar years in which games were finished, the newest first."""
    return sorted({str(day_of(game).year) for game in games if game.is_over}, reverse=True)


def played_between(games: Iterable[Summary], first: str, last: str) -> list[Summary]:
    """Return those of *games* that were played last from day *first* to day *last*, ISO 8601."""
    return [game for game in games if game.at and first <= day_of(game).isoformat() <= last]
