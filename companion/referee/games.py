"""All games that can be refereed, and how a session of one begins."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.referee.tables import Game, GameTable, TikiToppleTable
from companion.referee.told import ToldGame
from companion.referee.topple import ToppleTable
from companion.referee.uno_tiki import UnoTikiTable
from companion.session.session import Header

SEEN: Final[dict[str, Callable[[], GameTable[Any, Any]]]] = {TikiToppleTable.name: TikiToppleTable}
"""The games that are read by camera."""

TOLD: Final[dict[str, Callable[[], ToldGame[Any, Any]]]] = {
    ToppleTable.name: ToppleTable,
    UnoTikiTable.name: UnoTikiTable,
}
"""The games that are tapped in and heard by sensors."""

GAMES: Final[dict[str, Callable[[], Game[Any, Any]]]] = {**SEEN, **TOLD}


def open_header(
    game: str,
    players: Sequence[str],
    options: Mapping[str, Any],
    first: int | None,
    sides: Sequence[str] = (),
) -> Header:
    """Return what opens a session of *game*.

    first: the seat that begins, in UNO Tiki the one that deals; None leaves it to chance.
    Raises InvalidSetup if the rules do not allow that.
    """
    table = GAMES[game]()
    chosen = table.parse_options(options, len(players))
    setup = table.setup(first)
    table.rules.initial(len(players), chosen, setup)
    return Header(game, tuple(players), chosen, setup, tuple(sides))
