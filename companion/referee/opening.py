"""How a session of a game begins."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from companion.referee.game import Game
from companion.session.session import Header


def open_header(
    game: Game[Any, Any],
    players: Sequence[str],
    options: Mapping[str, Any],
    first: int | None,
    sides: Sequence[str] = (),
    colours: Sequence[str] = (),
    computers: Sequence[str] = (),
) -> Header:
    """Return what opens a session of *game*.

    first: the seat that begins, or that deals; None leaves it to chance.
    colours, computers: see `Header`.
    Raises InvalidSetup if the rules do not allow that.
    """
    chosen = game.parse_options(options, len(players))
    setup = game.setup(first)
    game.rules.initial(len(players), chosen, setup)
    return Header(
        game.name,
        tuple(players),
        chosen,
        setup,
        tuple(sides),
        colours=tuple(colours),
        computers=tuple(computers) if any(computers) else (),
    )


def fit_players(game: Game[Any, Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return as many of *names* as *game* has seats for, and made-up ones where they are too few.

    >>> from companion.registry import GAMES, game_of
    >>> fit_players(game_of(next(iter(GAMES))), ["Ann"])
    ('Ann', 'Player 2')
    """
    found = list(names[: game.seats[-1]])
    made_up = (f"Player {number}" for number in count(len(found) + 1))
    while len(found) < game.seats[0]:
        name = next(made_up)
        if name not in found:
            found.append(name)
    return tuple(found)


class Seated(NamedTuple):
    """Who sits at a table, as in `Header`; all but the names () if not known of all."""

    players: tuple[str, ...]
    sides: tuple[str, ...]
    colours: tuple[str, ...]
    computers: tuple[str, ...]


def same_people(game: Game[Any, Any], before: Header) -> Seated:
    """Return the people of the game *before*, as many as *game* has seats for.

    Made-up names where they are too few.
    """
    players = fit_players(game, before.players)

    def fitting(of: Sequence[str]) -> tuple[str, ...]:
        return tuple(of[: len(players)]) if len(of) >= len(players) else ()

    return Seated(
        players, fitting(before.sides), fitting(before.colours), fitting(before.computers)
    )
