"""UNO Tiki as an environment: cards are dealt, the idol is spun, and everybody calls UNO."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

from companion.environments.environment import GameEnvironment, flags, wrapped
from companion.rules import uno_tiki
from companion.rules.protocol import Spoken
from companion.rules.uno_tiki import COLOURS, KINDS, Called, Spun, Took
from companion.rules.uno_tiki.cards import PLAYS, SYMBOLS, TIKIS

ROUNDS: Final = 40
"""So many rounds are dealt beforehand; a game of more is truncated."""
PHASES: Final = ("play", "drawn", "colour", "choose", "discard")
"""In which a seat is to choose."""


def _actions(seats: int) -> Iterator[str]:
    yield from (uno_tiki.format_action(play) for plays in PLAYS.values() for play in plays)
    yield from ("draw", "pass", "keep")
    yield from (f"colour {colour}" for colour in COLOURS)
    yield from (f"discard {card}" for card in KINDS)
    yield from (f"choose {seat}" for seat in range(seats))


class UnoTikiEnvironment(GameEnvironment):
    """UNO Tiki for two to ten, in which whoever has one card left has called UNO.

    Numbers: how many of each kind the seat holds, and how many lie open in the pile and the idol;
    the colour and the symbol to be matched; the face on top of the idol; the kind just drawn; what
    is waited for; by seat, its cards, its points, and whether the idol stopped beside it; whether
    play goes to the left; cards still to discard; cards in the draw pile.  Of a list each number is
    counted from 1, 0 is none.
    """

    rules: Spoken[Any, Any] = uno_tiki

    def __init__(self, seats: int, options: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Make an environment, see `GameEnvironment`."""
        self.actions = tuple(_actions(seats))
        deck = uno_tiki.parse_options(options or {}, seats).deck
        self._cards = [card for card, copies in deck for _ in range(copies)]
        super().__init__(seats, options, **more)

    def draw_setup(self, rng: Random) -> dict[str, Any]:
        """Return who deals, and the order of the cards of each round."""
        decks = [rng.sample(self._cards, len(self._cards)) for _ in range(ROUNDS)]
        return {"dealer": rng.randrange(self.seats), "decks": decks}

    def draw_event(self, state: Any, rng: Random) -> str | None:
        """Return where the idol stops, which card comes after a reshuffle, or who calls UNO."""
        actions = self.rules.legal_actions(state)
        called = next((each for each in actions if isinstance(each, Called)), None)
        if called is not None:
            return self.rules.format_action(called)
        if self.rules.turn(state) is not None:
            return ""
        if any(isinstance(each, Spun) for each in actions):
            return f"spin {rng.randrange(self.seats)}"
        deck = self.rules.state_to_json(state)["deck"]
        if deck and isinstance(actions[0], Took):
            return f"drew {rng.choice(deck)}"
        return None

    def encode(self, view: Mapping[str, Any], seat: int) -> list[int]:
        """Return the numbers for *view*."""
        order = self.order(seat)
        return [
            *flags(view["hands"][seat] or [], KINDS),
            *flags([*view["discard"], *view["idol"]], KINDS),
            _number(view["colour"], COLOURS),
            _number(view["symbol"], SYMBOLS),
            _number(view["idol"][-1] if view["idol"] else None, TIKIS),
            _number(view["drawn"], KINDS),
            _number(view["phase"], PHASES),
            *(view["hand_sizes"][other] for other in order),
            *(view["scores"][other] for other in order),
            *(int(other in view["between"]) for other in order),
            int(view["direction"] == "left"),
            view["owed"],
            view["deck_size"],
        ]


def _number(chosen: str | None, known: tuple[str, ...]) -> int:
    return known.index(chosen) + 1 if chosen in known else 0


def raw_env(seats: int = 2, **more: Any) -> UnoTikiEnvironment:
    """Return the bare environment; *more*: as for `GameEnvironment`."""
    return UnoTikiEnvironment(seats, **more)


def env(seats: int = 2, **more: Any) -> Any:
    """Return the environment, in which an illegal action loses; *more*: as for `raw_env`."""
    return wrapped(raw_env(seats, **more))
