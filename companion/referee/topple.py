"""Topple as the referee hears it: who placed, who made it fall, and what it is called."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.referee.moments import Moment
from companion.referee.notices import Ask, Candidate
from companion.referee.told import ButtonWord, Reaction, Table, TowerWord, remark
from companion.rules import topple
from companion.rules.base import Rules
from companion.rules.topple import Action, Knocked, Passed, Placed, Rolled, State, Toppled
from companion.session.events import RoundScored, SpinObserved

SIZE: Final = 5
FALLS: Final = ("topple", "knock")


def spot_name(spot: str) -> str:
    """Return what people call a spot: a letter for the column, a number for the row.

    >>> spot_name("20")
    'A3'
    """
    return f"{'ABCDE'[int(spot[1])]}{int(spot[0]) + 1}"


class ToppleTable:
    """Topple, told by taps and by the tower's tilt."""

    name = topple.NAME
    rules: Rules[State, Action] = topple
    seats = range(2, 5)

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value; raises InvalidSetup."""
        return topple.options_to_json(topple.parse_options(options, seats))

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; None lets everybody roll for it."""
        return {} if first is None else {"first": first}

    def shown(self, state: State) -> tuple[str, ...]:
        """Return nothing: no camera reads this game."""
        del state
        return ()

    def round_number(self, state: State) -> int:
        """Return the number of the round, from 1; of the last one once the game is over."""
        return len(state.rounds) + (state.phase != "over")

    def last_round(self, state: State) -> RoundScored | None:
        """Return the newest scored round."""
        if not state.rounds:
            return None
        last = state.rounds[-1]
        scores = state.total if state.phase != "over" else topple.totals(state)
        return RoundScored(len(state.rounds), (), last.points, scores, last.ended_by)

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words.

        >>> ToppleTable().words("place 22 pink")
        'pink on C3'
        """
        match action.split():
            case ["roll", pips]:
                return f"a {pips} on the die"
            case ["place", spot, colour]:
                return f"{colour} on {spot_name(spot)}"
            case ["knock", seat]:
                return f"{players[int(seat)] if players else f'seat {seat}'} knocked it over"
            case ["topple"]:
                return "it fell!"
        return "no piece placed"

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own."""
        action = forms[0]
        words = self.words(action, players)
        if action.startswith("knock") or seat is None:
            return words[0].upper() + words[1:]
        return f"{players[seat]}: {words}"

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return what people may tell now; nothing in Topple is secret."""
        return topple.legal_actions(state)

    def is_secret(self, action: Action) -> bool:
        """Return that nothing is secret."""
        del action
        return False

    def actor(self, state: State, action: Action) -> int | None:
        """Return who placed, passed, toppled or knocked; the die is nobody's choice."""
        if isinstance(action, Rolled):
            return None
        return action.seat if isinstance(action, Knocked) else state.seat

    def teller(self, state: State, action: Action) -> int | None:
        """Return whose turn it is, or who says "it was me"."""
        return action.seat if isinstance(action, Knocked) else state.seat

    def expected(self, state: State) -> int | None:
        """Return who rolls or places."""
        return None if state.phase == "over" else state.seat

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return what is waited for."""
        name = players[state.seat]
        match state.phase:
            case "start":
                return "roll", f"{name} rolls to see who begins"
            case "roll":
                return "roll", f"{name} rolls the die"
            case "place":
                level = "any spot" if state.pips == 6 else f"a spot of level {state.pips}"
                return "place", f"{name} places a piece on {level}"
        return "", ""

    def scores(self, state: State) -> tuple[int, ...]:
        """Return everybody's points at this moment."""
        return topple.totals(state)

    def playing(self, state: State) -> tuple[int, ...]:
        """Return who is still in the game."""
        return state.players

    def public(self, state: State) -> dict[str, Any]:
        """Return the rules' public view, with the level of every spot and who plays what."""
        seen = topple.view(state, None)
        colours, two = state.options.colours, state.options.two_colours
        seen["levels"] = [list(topple.LEVEL[at : at + SIZE]) for at in range(0, SIZE * SIZE, SIZE)]
        seen["colours"] = [
            [colours[seat], colours[seat + 2]] if two else [colours[seat]]
            for seat in range(len(state.fines))
        ]
        return seen

    def moment(self, before: State, action: Action, players: Sequence[str]) -> Moment | None:
        """Return that it fell, and whose fault it was."""
        match action:
            case Toppled():
                words = f"It fell while {players[before.seat]} was placing"
                return Moment("topple", (before.seat,), words=words)
            case Knocked(seat):
                return Moment("topple", (seat,), words=f"{players[seat]} knocked it over")
            case Rolled() | Placed() | Passed():
                return None

    def on_tower(
        self, state: State, move: TowerWord, knocked: bool, table: Table
    ) -> Reaction | None:
        """Return a topple for who is placing (TO-9), else ask who knocked it over (TO-10)."""
        if knocked or move in ("wobble", "lean"):
            return Reaction(moment=_sway(move, knocked))
        if move == "still":
            return Reaction()
        if state.phase == "place":
            return Reaction("topple")
        if state.phase == "over" or not any(state.cells):
            return remark("The tower moved, but no piece stands on it")
        return Reaction(ask=_who_was_it(state, table))

    def on_spin(
        self, state: State, spin: SpinObserved, reason: str, table: Table
    ) -> Reaction | None:
        """Return that Topple has no idol."""
        del state, spin, reason, table
        return None

    def on_button(self, state: State, button: ButtonWord, seat: int, table: Table) -> Reaction:
        """Return that it was *seat* who knocked it over, or what else to do."""
        name = table.players[seat]
        if button == "me":
            if table.newest.split()[:1] in (["topple"], ["knock"]) and not any(state.cells):
                return Reaction(f"knock {seat}", instead=True)
            if Knocked(seat) in topple.legal_actions(state):
                return Reaction(f"knock {seat}")
            return remark(f"{name}, no piece stands that could have fallen", seat)
        if button == "done" and state.seat == seat and state.phase == "place":
            return remark(f"{name}, tap where you put the piece", seat)
        return remark(f"{name}, that button does nothing now", seat)


def _sway(move: TowerWord, knocked: bool) -> Moment:
    if knocked:
        return Moment("knock", words="The table was knocked; nothing fell")
    return Moment("wobble", words="The tower leans!" if move == "lean" else "The tower wobbles!")


def _who_was_it(state: State, table: Table) -> Ask:
    """Return the question who made it fall; the last to place may have been at it still."""
    found = []
    if table.newest.startswith("place") and state.before >= 0:
        name = table.players[state.before]
        found.append(Candidate(("undo", "topple"), f"It fell as {name} was placing"))
    found += [
        Candidate((f"knock {seat}",), f"{table.players[seat]} knocked it") for seat in state.players
    ]
    found.append(Candidate((), "Nothing fell"))
    return Ask(None, "Who made it fall?", tuple(found))
