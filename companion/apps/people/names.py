"""Whose name is somebody's: a name is a person, however it is written, but for made-up ones."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

from companion.apps.statistics.past_games import Summary, person_key
from companion.config import TableConfig
from companion.language.catalogue import LANGUAGES
from companion.language.message import Message, say
from companion.language.speech import speaking, translated

MAX_SEATS: Final = 10


def somebody(number: int) -> Message:
    """Return what stands for the *number*th player of a game whose name is gone, from 1."""
    return say("Somebody") if number == 1 else say("Somebody {number}", number=number)


@cache
def nobodies() -> frozenset[str]:
    """Return the keys of names that are nobody's: usual settings, and every language's."""
    found = set(map(person_key, TableConfig().players))
    for language in LANGUAGES:
        with speaking(language):
            for number in range(1, MAX_SEATS + 1):
                for words in (say("Player {number}", number=number), somebody(number)):
                    found.add(person_key(str(translated(words))))
    return frozenset(found)


def is_somebody(name: str) -> bool:
    """Return whether *name* is a person's, and not made up for whoever gave none.

    >>> [is_somebody(name) for name in ("Ann", "Player 2", "jugador 2", "Somebody", "Red")]
    [True, False, False, False, False]
    """
    return bool(key := person_key(name)) and key not in nobodies()


def seats_of(game: Summary) -> dict[str, int]:
    """Return the seat of each person in *game*, by key.

    Left out are the companion's seats, made-up names, and one that is there twice.
    """
    found: dict[str, int] = {}
    twice = set()
    for seat, name in enumerate(game.players):
        if seat not in game.computer and is_somebody(name):
            key = person_key(name)
            twice |= {key} & {*found}
            found[key] = seat
    return {key: seat for key, seat in found.items() if key not in twice}


def spellings(games: Iterable[Summary]) -> dict[str, str]:
    """Return each person's name by key, as the newest of *games*, which come first, has it."""
    found: dict[str, str] = {}
    for game in games:
        for key, seat in seats_of(game).items():
            found.setdefault(key, " ".join(game.players[seat].split()))
    return found


def forgetting(is_gone: Callable[[str], bool]) -> Callable[[Sequence[str]], list[str]]:
    """Return what takes from the names of a game those that *is_gone*; each stays another's.

    >>> forgetting(lambda name: name in ("Ann", "Cem"))(["Ann", "Bob", "Cem"])
    ['Somebody', 'Bob', 'Somebody 2']
    """

    def rename(names: Sequence[str]) -> list[str]:
        found = list(names)
        for seat, name in enumerate(names):
            if is_gone(name):
                taken = {person_key(other) for other in found}
                words = (str(translated(somebody(number))) for number in range(1, MAX_SEATS + 2))
                found[seat] = next(word for word in words if person_key(word) not in taken)
        return found

    return rename
