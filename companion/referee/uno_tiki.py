"""UNO Tiki as the referee hears it: hands stay hidden, the idol and the people tell the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.decks import default_options
from companion.referee.moments import Moment
from companion.referee.told import ButtonWord, Reaction, Table, TowerWord, remark
from companion.rules import uno_tiki
from companion.rules.base import Rules, RulesError
from companion.rules.uno_tiki import (
    HIDDEN,
    Action,
    Called,
    Caught,
    Chosen,
    Counted,
    Cut,
    Discarded,
    Kept,
    Spun,
    State,
    Told,
    Took,
    TurnedUp,
)
from companion.session.events import RoundScored, SpinObserved

FACES: Final = {
    "tiki-draw1": "Draw 1",
    "tiki-draw2": "Draw 2",
    "tiki-draw4": "Draw 4",
    "tiki-discard2": "Discard 2",
    **{f"tiki-discard-{colour}": f"Discard all {colour}" for colour in uno_tiki.COLOURS},
    "tiki-goto": "Go To",
}
_NOBODYS: Final = (Cut, TurnedUp, Spun, Took, Told, Counted, Caught)


def card_words(card: str) -> str:
    """Return what people call *card*.

    >>> card_words("red-7-spin"), card_words("tiki-draw4")
    ('red 7 with Spin', 'Tiki Face Draw 4')
    """
    if card in FACES:
        return f"Tiki Face {FACES[card]}"
    name, spin, _ = card.partition("-spin")
    colour, _, symbol = name.partition("-")
    words = f"{colour} {symbol.capitalize()}" if symbol else colour.capitalize()
    return f"{words} with Spin" if spin else words


class UnoTikiTable:
    """UNO Tiki, told by taps and by the idol."""

    name = uno_tiki.NAME
    rules: Rules[State, Action] = uno_tiki
    seats = range(2, 11)

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value, the deck from its file; raises InvalidSetup."""
        given = default_options(self.name) | dict(options)
        return uno_tiki.options_to_json(uno_tiki.parse_options(given, seats))

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* deals; None lets everybody draw for it."""
        return {} if first is None else {"dealer": first}

    def shown(self, state: State) -> tuple[str, ...]:
        """Return nothing: no camera reads this game."""
        del state
        return ()

    def round_number(self, state: State) -> int:
        """Return the number of the round, from 1; of the last one once the game is over."""
        return len(state.match.rounds) + (state.phase != "over")

    def last_round(self, state: State) -> RoundScored | None:
        """Return the newest scored round."""
        match = state.match
        if not match.rounds:
            return None
        last = match.rounds[-1]
        points = last.held
        if state.options.scoring == "winner":
            points = tuple(
                sum(last.held) if seat == last.winner else 0 for seat in range(len(last.held))
            )
        return RoundScored(len(match.rounds), (), points, match.scores, last.ended_by)

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words.

        >>> UnoTikiTable().words("spin between 0 1", ["Ann", "Bob"])
        'the idol points between Ann and Bob'
        """
        word, *rest = action.split()
        first, *others = rest or [""]
        who = _name(first, players)
        match word, rest:
            case "play", [card, colour]:
                return f"{card_words(card)}, {colour} from now on"
            case "play", [card]:
                return card_words(card)
            case "spin", ["void"]:
                return "less than a full turn: spin again"
            case "spin", ["between", *_]:
                names = " and ".join(_name(seat, players) for seat in others)
                return f"the idol points between {names}"
            case "discard", [card]:
                return f"discards {card_words(card)}"
            case "turn", [card]:
                end = "goes into the idol" if card in FACES else "begins the pile"
                return f"{card_words(card)} {end}"
            case "cut", [card]:
                return f"{card_words(card)} is drawn for the deal"
            case "count", [_, points]:
                return f"{who} holds {points} point{'' if points == '1' else 's'}"
            case "colour", [colour]:
                return f"{colour} to begin with"
        return _WORDS[word].format(who=who)

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own."""
        words = self.words(forms[0], players)
        return words[0].upper() + words[1:] if seat is None else f"{players[seat]}: {words}"

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return what people may tell now, as if no hand were known: it gives no card away."""
        if state.phase == "draw":
            return (Took(HIDDEN),)
        hands = tuple((HIDDEN,) * len(hand) for hand in state.hands)
        return uno_tiki.legal_actions(
            state._replace(hands=hands, deck=(), shuffled=False, drawn="")
        )

    def is_secret(self, action: Action) -> bool:
        """Tell whether *action* names cards that a hand holds."""
        return isinstance(action, Told) or (isinstance(action, Took) and action != Took(HIDDEN))

    def actor(self, state: State, action: Action) -> int | None:
        """Return who chose *action*, None for what the cards and the idol did."""
        if isinstance(action, _NOBODYS):
            return None
        if isinstance(action, Called):
            return action.seat
        return state.target if isinstance(action, Discarded | Kept) else state.seat

    def teller(self, state: State, action: Action) -> int | None:
        """Return whose business *action* is; whoever likes may catch somebody."""
        match action:
            case Caught():
                return None
            case Called(seat) | Counted(seat, _):
                return seat
        return self.expected(state)

    def expected(self, state: State) -> int | None:
        """Return who plays, spins, chooses, discards or counts."""
        match state.phase:
            case "over":
                return None
            case "count":
                return state.match.counted.index(None)
            case "discard" | "draw":
                return state.target
        return state.seat

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return what is waited for."""
        seat = self.expected(state)
        if seat is None:
            return "", ""
        name = players[seat]
        words = _WANTS[state.phase].format(
            name=name, either=" or ".join(players[seat] for seat in state.between)
        )
        return state.phase, words

    def scores(self, state: State) -> tuple[int, ...]:
        """Return everybody's points at this moment."""
        return state.match.scores

    def playing(self, state: State) -> tuple[int, ...]:
        """Return all seats."""
        return tuple(range(len(state.hands)))

    def public(self, state: State) -> dict[str, Any]:
        """Return what the rules let a bystander know, without the long list of the deck."""
        seen = uno_tiki.view(state, None)
        seen["options"] = {key: value for key, value in seen["options"].items() if key != "deck"}
        return seen

    def moment(self, before: State, action: Action, players: Sequence[str]) -> Moment | None:
        """Return what the idol, the spinner or a caller said."""
        match action:
            case Spun(()):
                words = f"Less than a full turn: {players[before.seat]} spins again"
                return Moment("void_spin", (before.seat,), words=words)
            case Spun((one, two)):
                names = f"{players[one]} and {players[two]}"
                words = f"Between {names}: {players[before.seat]} chooses"
                return Moment("between", (one, two), words=words)
            case Spun((seat,)) | Chosen(seat):
                words = f"{players[seat]}! {FACES[before.idol[-1]]}"
                return Moment("spin", (seat,), words=words)
            case Called(seat):
                return Moment("uno", (seat,), words=f"{players[seat]} calls UNO!")
        return None

    def on_tower(
        self, state: State, move: TowerWord, knocked: bool, table: Table
    ) -> Reaction | None:
        """Return that UNO Tiki has no tower."""
        del state, move, knocked, table
        return None

    def on_spin(
        self, state: State, spin: SpinObserved, reason: str, table: Table
    ) -> Reaction | None:
        """Return the seat, or the two, or that it must be spun again (UT-11)."""
        if state.phase != "spin":
            return _unasked(state, table)
        seats = tuple(sorted(spin.seats))
        if not (spin.void or spin.trusted):
            words = f"That spin cannot be trusted{_because(reason)}: spin again, or tap it in"
            return Reaction(moment=Moment("distrusted", (state.seat,), spin.angle_deg, words=words))
        if not spin.void and not seats:
            return remark(f"The idol names nobody{_because(reason)}: tap where it points")
        action = Spun(() if spin.void else seats)
        try:
            self.rules.apply(state, action)
        except RulesError:
            return remark("The idol names seats that do not sit side by side: tap where it points")
        moment = self.moment(state, action, table.players)
        return Reaction(
            self.rules.format_action(action),
            moment=moment and replace(moment, angle_deg=spin.angle_deg),
        )

    def on_button(self, state: State, button: ButtonWord, seat: int, table: Table) -> Reaction:
        """Return a call of UNO, or that somebody's turn is over."""
        name = table.players[seat]
        if button == "uno":
            if Called(seat) in uno_tiki.legal_actions(state):
                return Reaction(f"uno {seat}")
            return remark(f"{name}, UNO is called when one card is left", seat)
        if button == "done" and self.expected(state) == seat:
            if state.phase == "drawn":
                return Reaction("pass")
            if state.phase == "discard" and Kept() in uno_tiki.legal_actions(state):
                return Reaction("keep")
            return remark(f"{name}, {self.wants(state, ('you',) * 10)[1]}", seat)
        return remark(f"{name}, that button does nothing now", seat)


def _name(seat: str, players: Sequence[str]) -> str:
    """Return who sits at *seat*, if it is the number of one."""
    return players[int(seat)] if players and seat.isdigit() else f"seat {seat}"


def _because(reason: str) -> str:
    return f" ({reason.rstrip('.')})" if reason else ""


def _unasked(state: State, table: Table) -> Reaction:
    if state.phase == "choose":
        return remark(f"No other spin: {table.players[state.seat]} chooses now", state.seat)
    return remark("Nobody asked for a spin; it counts for nothing")


_WORDS: Final = {
    "draw": "draws a card",
    "pass": "plays nothing",
    "spin": "the idol points to {who}",
    "choose": "chooses {who}",
    "keep": "discards nothing more",
    "uno": "UNO!",
    "catch": "{who} was caught without UNO, and draws two",
    "drew": "the card drawn stays hidden",
}
_WANTS: Final = {
    "cut": "{name} draws a card to see who deals",
    "turn_up": "{name} deals seven cards each and turns one up",
    "colour": "{name} names the colour to begin with",
    "play": "{name} plays a card, or draws one",
    "draw": "{name} draws",
    "drawn": "{name} plays the card just drawn, or passes",
    "spin": "{name} spins the idol",
    "choose": "{name} chooses: {either}",
    "discard": "{name} may discard",
    "count": "{name} counts the cards still in hand",
}
