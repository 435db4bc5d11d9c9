"""TacTiki for the referee: columns of two tribes, turns of two moves, and secret ranks."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from companion.games.tactiki.adoption import adopt
from companion.games.tactiki.board import FIELDS, field_name, key_of, ruling_of, table_of
from companion.games.tactiki.plays import plays_of
from companion.games.tactiki.refusals import refusal_of
from companion.referee.facts import ButtonFact, Fact
from companion.referee.game import (
    EMPTY,
    People,
    Play,
    Reaction,
    Refusal,
    Table,
    remark,
)
from companion.referee.mixins import (
    NoCosts,
    NoDeck,
    NoStart,
    OneRound,
    PlainlyRecorded,
    Unexplained,
    Unsensed,
)
from companion.referee.transient_notices import TransientNotice
from companion.rules import tactiki
from companion.rules.base import RulesError
from companion.rules.protocol import Spoken
from companion.rules.tactiki import (
    Action,
    Arranged,
    Claimed,
    Clash,
    Clashed,
    Moved,
    Reincarnated,
    State,
)
from companion.rules.tactiki.pieces import RESULTS, SIZE, Result
from companion.session.events import TableAdopted


class TacTiki(Unexplained, NoCosts, NoDeck, PlainlyRecorded, NoStart, OneRound, Unsensed):
    """TacTiki.

    A place is one of the 25 fields, row by row, and shows its height and top, such as "tac 3".
    """

    name = tactiki.NAME
    title = "TacTiki"
    rules: Spoken[State, Action] = tactiki
    seats = range(2, 3)
    places = FIELDS
    lit = 0
    together = False
    shifts = False
    open_setup = frozenset[str]()

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value; raises InvalidSetup."""
        del seats
        return tactiki.options_to_json(tactiki.parse_options(options))

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return nothing: TIKI always begins (TA-1)."""
        del first
        return {}

    def shown(self, state: State) -> Table:
        """Return the height and the top of every column, row by row."""
        return table_of(state)

    def plays(self, state: State) -> tuple[Play, ...]:
        """Return one move, both, or a return; the result of an attack has to be entered first."""
        return plays_of(state)

    def key(self, state: State) -> Hashable:
        """Return *state* without what tells pieces apart of which nothing is known."""
        return key_of(state)

    def ruling(self, state: State) -> Hashable:
        """Return whose turn it is, the sides in each column, the defeated, and how it stands."""
        return ruling_of(state)

    def refusal(self, state: State, seen: Table, player: str) -> Refusal | None:
        """Return why *seen* is no legal table, if it looks like something that a rule forbids."""
        return refusal_of(state, seen, player)

    def adopt(self, state: State, adopted: TableAdopted) -> State:
        """Return *state* with the table that the people have adopted; raises RulesError."""
        return adopt(state, adopted)

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "3 high with TAC on top on C2"."""
        side, _, height = (content or "").partition(" ")
        if height:
            return f"{height} high with {side.upper()} on top on {field_name(place)}"
        return f"{'nothing' if content == EMPTY else 'something'} on {field_name(place)}"

    def colours(self, state: State) -> tuple[str, ...]:
        """Return the colours of the two tribes."""
        del state
        return PAINTS

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return what people may enter now, as if no rank were known: it gives none away."""
        if state.phase == "clash":
            return tuple(map(Clashed, RESULTS))
        blind = state._replace(ranks=_unknown(state.ranks), pools=_unknown(state.pools))
        return tactiki.legal_actions(blind)

    def own_offers(self, state: State, seat: int) -> tuple[Action, ...]:
        """Return what *seat* may enter for itself, by the ranks that it alone knows.

        Its ranks themselves, before the first move, are entered as a whole and not listed.
        """
        if state.phase == "move" and state.seat == seat:
            return tactiki.legal_actions(state)
        return self.offers(state) if state.phase == "clash" else ()

    def forms(self, state: State, action: Action) -> tuple[Action, ...]:
        """Return what *action*, of which all may read, may have been: whichever piece came back."""
        if not isinstance(action, Reincarnated) or action.rank or state.phase != "move":
            return (action,)
        ranks = sorted(set(state.pools[state.seat]))
        return tuple(Reincarnated(action.field, rank) for rank in ranks) or (action,)

    def entry_seat(self, state: State, action: Action) -> int | None:
        """Return whose move it is, or whose ranks; either side may enter the result of a clash."""
        return self.actor(state, action)

    def actor(self, state: State, action: Action) -> int | None:
        """Return who moves, brings a piece back or claims a draw; a clash is nobody's choice."""
        if isinstance(action, Arranged):
            return action.seat
        return None if isinstance(action, Clashed) else state.seat

    def is_secret(self, state: State, action: Action) -> bool:
        """Return whether *action* names all ranks of a side; public texts hide a returned rank."""
        del state
        return isinstance(action, Arranged)

    def is_kept(self, action: Action) -> bool:
        """Return whether *action* names the ranks of a side: they count at once, unseen."""
        return isinstance(action, Arranged)

    def secrets_due(self, state: State) -> tuple[int, ...]:
        """Return that no rank is ever shown (TA-2)."""
        del state
        return ()

    def secrets_entered(self, state: State) -> tuple[int, ...]:
        """Return the seats whose ranks the engine knows."""
        return tuple(seat for seat, ranks in enumerate(state.ranks) if any(ranks))

    def plays_by_secrets(self, state: State) -> bool:
        """Return whether any rank is known: it decides how attacks go."""
        return any(map(any, state.ranks))

    def public(self, action: str) -> str:
        """Return *action* without any rank.

        >>> TacTiki().public("back 40 5"), TacTiki().public("ranks 0 1 1 2 2 3 3 4 4 5 5")
        ('back 40', 'ranks 0')
        """
        words = action.split()
        return " ".join(words[:2]) if words[0] in ("back", "ranks") else action

    def disclosed(self, before: State, action: Action) -> tuple[Action, ...]:
        """Return how the clashes have gone that known ranks have decided (TA-8)."""
        try:
            after = tactiki.apply(before, action)
        except RulesError:  # of several forms of a move another was the one
            return ()
        met = [fact for fact in after.facts[len(before.facts) :] if isinstance(fact, Clash)]
        return tuple(Clashed(fact.result) for fact in met[isinstance(action, Clashed) :])

    def expected(self, state: State) -> int | None:
        """Return who moves; anyone may enter the result of a clash."""
        return tactiki.turn(state)

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return that the result of an attack is waited for, or the second move of a turn."""
        if state.phase == "clash":
            names = f"{players[state.seat]} and {players[1 - state.seat]}"
            return "clash", f"{names}, enter the result of the attack on {field_name(state.field)}"
        if state.phase == "move" and state.moved:
            return "move", f"{players[state.seat]} makes the second move"
        return "", ""

    def scores(self, state: State) -> tuple[int, ...]:
        """Return 1 for who has won."""
        result = tactiki.outcome(state)
        return result.scores if result else (0, 0)

    def playing(self, state: State) -> tuple[int, ...]:
        """Return both seats."""
        del state
        return (0, 1)

    def view(self, state: State) -> dict[str, Any]:
        """Return what the rules let a bystander know, with the names of the fields."""
        seen = tactiki.view(state, None)
        rows = range(0, FIELDS, SIZE)
        seen["names"] = [[field_name(row + c) for c in range(SIZE)] for row in rows]
        return seen

    def transient_notice(
        self, before: State, action: Action, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return how an attack went, that a piece came back, or that a statue stands."""
        if isinstance(action, Arranged | Claimed):
            return None
        seat, name = before.seat, players[before.seat]
        try:
            after = tactiki.apply(before, action)
        except RulesError:  # of several forms of a move another was the one
            return None
        if isinstance(action, Reincarnated):
            words = f"{name} returns a piece to {field_name(action.field)}"
            if ending := ending_words(after):
                words = f"{words}. {ending}"
            return TransientNotice("remark", (seat,), words=words)
        field = action.target if isinstance(action, Moved) else before.field
        if after.ended_by == "TA-11":
            words = f"{name} has built the statue on {field_name(field)}!"
            return TransientNotice("remark", (seat,), words=words)
        met = after.facts[len(before.facts) :]
        results = [fact.result for fact in met if isinstance(fact, Clash)]
        words = ending_words(after)
        if results:
            fight = _result_words(results, after.phase == "clash")
            words = f"{name} attacks {field_name(field)}: {fight}{words and '. '}{words}"
        return TransientNotice("remark", (seat,), words=words) if words else None

    def on_fact(self, state: State, fact: Fact, people: People) -> Reaction | None:
        """Return what the players have to enter instead of pressing a button."""
        if not isinstance(fact, ButtonFact):
            return None
        words = self.wants(state, people.players)[1]
        name = people.players[fact.seat]
        return remark(words or f"{name}, that button does nothing right now", fact.seat)

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words, without any rank.

        >>> TacTiki().words("move 40 30"), TacTiki().words("back 40 5")
        ('moves A5 to A4', 'returns a piece to A5')
        """
        match action.split():
            case ["move", source, target]:
                return f"moves {_named(source)} to {_named(target)}"
            case ["back", field, *_]:
                return f"returns a piece to {_named(field)}"
            case ["clash", result]:
                return _CLASH_WORDS[result]
            case ["ranks", seat, *_]:
                side = tactiki.SIDES[int(seat)].upper()
                return f"{players[int(seat)] if players else side} has entered their ranks"
        return "claims a draw"

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own."""
        words = " or ".join(dict.fromkeys(self.words(form, players) for form in forms))
        if forms[0].startswith("clash"):
            return f"The attacker {words}"
        if seat is None or forms[0].startswith("ranks"):
            return words[0].upper() + words[1:]
        return f"{players[seat]}: {words}"


def ending_words(state: State) -> str:
    """Return why the game is a draw, "" if it is none (TA-12, TA-13)."""
    options = state.options
    if state.ended_by == "TA-12":
        return "A draw: neither side can move or return a piece"
    if state.ended_by != "TA-13":
        return ""
    if 0 < options.quiet_turns <= state.quiet:
        return f"A draw: {_turns(state.quiet)} without an attack, an arrival or a return"
    if 0 < options.max_turns < state.turns:
        return f"A draw after {_turns(options.max_turns)}"
    return f"A draw: the board has looked like this {state.seen.count(state.seen[-1])} times"


def _turns(number: int) -> str:
    return "1 turn" if number == 1 else f"{number} turns"


PAINTS: Final = ("red", "blue")
_CLASH_WORDS: Final = {
    "win": "wins the clash",
    "lose": "loses the clash",
    "tie": "ties the clash",
}


def _named(digits: str) -> str:
    return field_name(int(digits[0]) * SIZE + int(digits[1]))


def _unknown(
    ranks: tuple[tuple[int, ...], tuple[int, ...]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return as many ranks by seat, none of them known."""
    return (0,) * len(ranks[0]), (0,) * len(ranks[1])


def _result_words(results: Sequence[Result], goes_on: bool) -> str:
    """Return how an attack has gone so far.

    >>> _result_words(["win", "win", "lose"], goes_on=False)
    'beats 2, then loses'
    """
    wins = results.count("win")
    beats = [f"beats {wins}"] if wins else []
    ends = {"win": "continues", "lose": "loses", "tie": "ties"}[results[-1]]
    if results[-1] != "win" or goes_on:
        beats.append(ends)
    return ", then ".join(beats)


GAME: Final = TacTiki()
