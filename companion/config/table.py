"""Who plays what, for a new game."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from companion.referee.opening import open_header, same_people
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.session.session import Header
from companion.validation import Misfit, convert, refuse_unknown, show

AUTO: Final = "auto"
SIDES: Final = ("near", "right", "far", "left")
MAX_PLAYERS: Final = 10


def _table_at(name: str) -> Meta:
    return Meta(description=f"a section; write [{name}] and its keys below it")


class TableConfig(msgspec.Struct, frozen=True):
    """Who plays what, for a new game.

    game: "auto" continues with the last one, and is changed on the pages or by putting other corner
    tiles on the table; a game's name is that game and no other.
    sides: where each player sits, or none.  first: the seat that begins or deals; -1 leaves it to
    the dice or the cards, where a game has them.
    rounds: of a game that is played in so many; 0 takes the rulebook's number.
    options: of the game's rules, as docs/rules/ lists them; with "auto" a table of them for each
    game.
    """

    game: str = AUTO
    players: tuple[str, ...] = ("Red", "Blue", "Yellow", "Green")
    sides: tuple[str, ...] = ()
    first: Annotated[int, Meta(ge=-1, le=MAX_PLAYERS - 1)] = 0
    rounds: Annotated[int, Meta(ge=0, le=99)] = 0
    options: Annotated[Mapping[str, Any], _table_at("table.options")] = msgspec.field(
        default_factory=dict
    )

    @property
    def is_told(self) -> bool:
        """Whether somebody has written down who plays, so that nobody needs to be asked."""
        return self.players != TableConfig().players

    def options_of(self, game: str) -> dict[str, Any]:
        """Return the options that the file has for *game*.

        With "auto" a game that is not played in so many rounds does without them.
        """
        options: dict[str, Any] = {}
        if self.game in (AUTO, game):
            options.update(self.options.get(game, {}) if self.game == AUTO else self.options)
        plays = game_of(game)
        has_rounds = "rounds" in plays.parse_options({}, plays.seats[0])
        if self.rounds and (self.game == game or has_rounds):
            options["rounds"] = self.rounds
        return options


def check_table(table: TableConfig) -> None:
    """Raise Misfit if *table* cannot open the games that it may be asked for."""
    if table.game not in (AUTO, *GAMES):
        known = " or ".join(map(repr, (AUTO, *GAMES)))
        raise Misfit(f"table.game is {show(table.game)}; it must be {known}")
    is_auto = table.game == AUTO
    _check_seats(table, range(1, MAX_PLAYERS + 1) if is_auto else game_of(table.game).seats)
    if is_auto:
        refuse_unknown("game", table.options, GAMES, "table.options.")
        for game, options in table.options.items():
            where = f"table.options.{game}"
            convert(where, Annotated[dict[str, Any], _table_at(where)], options)
    for game in GAMES if is_auto else (table.game,):
        where = f"table.options.{game}" if is_auto else "table.options"
        try:
            table_header(table, game)
        except (RulesError, TypeError, ValueError) as error:
            raise Misfit(f"{where}: {error}") from None


def _check_seats(table: TableConfig, seats: range) -> None:
    count = len(table.players)
    if count not in seats or len(set(table.players)) != count or not all(table.players):
        raise Misfit(f"table.players needs {seats[0]} to {seats[-1]} different names")
    if table.first >= count:
        raise Misfit(f"table.first is {table.first}; the seats are 0 to {count - 1}")
    if table.sides and (len(table.sides) != count or not set(table.sides) <= set(SIDES)):
        raise Misfit(
            f"table.sides needs one of {', '.join(SIDES)} for each player, or an empty list"
        )


def table_header(table: TableConfig, game: str, before: Header | None = None) -> Header:
    """Return what opens a session of *game* at the configured table; raises InvalidSetup.

    before: a game whose people play on; None takes the names in the settings.  Names beyond the
    game's seats are left out.
    """
    plays, options = game_of(game), table.options_of(game)
    people = same_people(plays, before or Header(game, table.players, {}, sides=table.sides))
    first = table.first if 0 <= table.first < len(people.players) else None
    return open_header(plays, people.players, options, first, *people[1:])
