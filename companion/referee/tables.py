"""What the referee knows of a game beyond its rules: how a state looks, and words for it."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from companion.rules import tiki_topple
from companion.rules.base import IllegalAction, Rules
from companion.rules.tiki_topple import Action, Played, State
from companion.session.events import RoundScored

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why what the table shows is not legal: words, and the clause."""

    message: str
    clause: str


class Game(Protocol[S, A]):
    """A game that can be refereed, however the referee comes to know what happens.

    seats: how many may play.
    """

    name: str
    rules: Rules[S, A]
    seats: range

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value, the usual one where none is given.

        Raises InvalidSetup.
        """

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; None leaves that to chance."""

    def offers(self, state: S) -> tuple[A, ...]:
        """Return what people may tell now; equal for states that differ in secrets only."""

    def shown(self, state: S) -> tuple[str, ...]:
        """Return what *state* puts where a camera could see it, () if none looks."""

    def round_number(self, state: S) -> int:
        """Return the number of the round being played or put up, from 1."""

    def last_round(self, state: S) -> RoundScored | None:
        """Return the newest scored round."""

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words for people; *players*: names by seat."""

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own; *forms*: what the action may have been."""


class GameTable(Game[S, A], Protocol[S, A]):
    """A game as it lies on the table before a camera."""

    slots: int

    def ruling(self, state: S) -> Hashable:
        """Return what matters of *state* to the people: equal rulings need not be told apart."""

    def start(self, line: tuple[str, ...]) -> str | None:
        """Return the action that *line* is as a start of a round, None if it is none."""

    def expects_start(self, state: S) -> bool:
        """Tell whether the pieces of a new round are being put up."""

    def is_unusual_start(self, state: S) -> bool:
        """Tell whether a round has just begun from a line that the rulebook does not know."""

    def hidden_cards(self, state: S) -> tuple[int, ...]:
        """Return the seats that must show a secret before the game can go on."""

    def refusal(self, state: S, line: tuple[str, ...], player: str) -> Refusal | None:
        """Return why *line* is no legal move, if it looks like one that the rules forbid."""


CARD_WORDS: Final = {
    "toast": "Tiki Toast",
    "topple": "Tiki Topple",
    "up1": "Tiki Up 1",
    "up2": "Tiki Up 2",
    "up3": "Tiki Up 3",
}


class TikiToppleTable:
    """Tiki Topple's line of up to nine tikis."""

    name = tiki_topple.NAME
    rules: Rules[State, Action] = tiki_topple
    slots = len(tiki_topple.TIKIS)
    seats = range(2, 5)

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value; raises InvalidSetup."""
        return tiki_topple.options_to_json(tiki_topple.parse_options(options, seats))

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; no chance decides that."""
        return {"first": first or 0}

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return the moves of the seat to act."""
        return tiki_topple.legal_actions(state) if tiki_topple.turn(state) is not None else ()

    def shown(self, state: State) -> tuple[str, ...]:
        """Return the tikis from the top down."""
        return state.line

    def ruling(self, state: State) -> Hashable:
        """Return whose turn it is, in which round, with which scores."""
        return (state.phase, state.seat, len(state.rounds), state.scores)

    def start(self, line: tuple[str, ...]) -> str | None:
        """Return the action that puts up *line*, None unless all nine tikis stand."""
        return " ".join(("line", *line)) if len(line) == self.slots else None

    def expects_start(self, state: State) -> bool:
        """Tell whether the nine tikis are being put up."""
        return state.phase == "line"

    def is_unusual_start(self, state: State) -> bool:
        """Tell whether nobody has moved since an ungrouped line was put up (TT-2)."""
        untouched = all(state.hands[seat] == state.options.hand for seat in state.players)
        return state.phase == "play" and untouched and not tiki_topple.is_grouped(state.line)

    def hidden_cards(self, state: State) -> tuple[int, ...]:
        """Return the seats whose secret card is wanted for the scoring."""
        if state.phase != "reveal":
            return ()
        return tuple(seat for seat in state.players if state.cards[seat] is None)

    def round_number(self, state: State) -> int:
        """Return the number of the round, from 1; of the last one once the game is over."""
        return len(state.rounds) + (state.phase != "over")

    def last_round(self, state: State) -> RoundScored | None:
        """Return the newest scored round."""
        if not state.rounds:
            return None
        number, last = len(state.rounds), state.rounds[-1]
        return RoundScored(number, last.line, last.points, state.scores, last.ended_by)

    def refusal(self, state: State, line: tuple[str, ...], player: str) -> Refusal | None:
        """Return why *line* is no legal move, if a single card would have led there."""
        for card in tiki_topple.CARDS:
            for tiki in state.line:
                try:
                    if tiki_topple.move(state.line, card, tiki) != line:
                        continue
                    self.rules.apply(state, Played(card, tiki))
                except IllegalAction as error:
                    if error.clause in ("TT-5", "TT-7"):  # no such move on this line at all
                        continue
                    return Refusal(self._why(card, tiki, player, error), error.clause)
        return None

    def _why(self, card: str, tiki: str, player: str, error: IllegalAction) -> str:
        looks = f"This looks like {self.words(f'{card} {tiki}')}, but "
        match error.clause:
            case "TT-4":
                return f"{looks}{player} has no {CARD_WORDS[card]} left"
            case "TT-8":
                return f"{looks}Toast may not be a player's first card of a round"
        return f"{looks}{error}"

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words.

        >>> TikiToppleTable().words("up2 nani")
        'Tiki Up 2 on Nani'
        """
        del players
        first, *rest = action.split()
        names = [name.capitalize() for name in rest]
        if first in CARD_WORDS:
            return f"{CARD_WORDS[first]} on {names[0]}"
        if first == "line":
            return f"the line {', '.join(names)}"
        return f"secret card {', '.join(names[1:])}"

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return a move with its player, or what chance has brought."""
        words = " or ".join(map(self.words, forms))
        if seat is not None:
            return f"{players[seat]}: {words}"
        kind, *rest = forms[0].split()
        if kind == "card":
            return f"{players[int(rest[0])]} shows the {words}"
        return f"The round begins with {words}"
