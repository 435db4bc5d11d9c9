"""Topple for the referee: who placed a piece, who made the tower fall, and the words for it."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from companion.games.columns import MAX_SEEN_HEIGHT
from companion.games.topple import reasons
from companion.games.topple.adoption import adopt
from companion.games.topple.help import CLAUSES
from companion.games.topple.words import (
    SIZE,
    action_words,
    fell_while_placing,
    place_words,
    sentence,
    spot_name,
    wanted,
)
from companion.language.message import message_of, say
from companion.referee.facts import ButtonFact, Fact, SeenFact, TowerFact, TowerWord
from companion.referee.game import (
    EMPTY,
    Game,
    People,
    Play,
    Reaction,
    Refusal,
    RoundEnd,
    Table,
    remark,
)
from companion.referee.notices import Ask, Candidate
from companion.referee.transient_notices import TransientNotice
from companion.rules import topple
from companion.rules.base import IllegalAction
from companion.rules.protocol import Spoken
from companion.rules.topple import (
    PIECES,
    Action,
    Knocked,
    Passed,
    Placed,
    Rolled,
    State,
    Toppled,
    colour_words,
)
from companion.session.events import RoundScored
from vision.observation import Tilted

FALLS: Final = ("topple", "knock")


@cache
def _stack_words(colours: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return what is seen of a stack: by the number of the colour on top, then by its height."""
    heights = [min(height, MAX_SEEN_HEIGHT) for height in range(PIECES * len(colours) + 1)]
    return tuple(tuple(f"{colour} {height}" for height in heights) for colour in colours)


class Topple(Game[State, Action]):
    """Topple.

    A place shows the height of its stack and the colour on top, such as "yellow 2".
    """

    title = "Topple"
    rules: Spoken[State, Action] = topple
    seats = range(2, 5)
    places = SIZE * SIZE
    has_own_play = True
    rows = SIZE
    open_setup = frozenset({"first"})
    clauses = CLAUSES

    adopt = staticmethod(adopt)
    reason = staticmethod(reasons.reason)
    scores = staticmethod(topple.totals)
    wants = staticmethod(wanted)

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; None lets everyone roll for it."""
        return {} if first is None else {"first": first}

    def shown(self, state: State) -> Table:
        """Return the height and the top of every stack, row by row."""
        words = _stack_words(state.options.colours)
        return tuple(
            [words[column[-1]][len(column)] if column else EMPTY for column in state.cells]
        )

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every placement; an unknown die may have been any that allows it."""
        rolls = topple.legal_actions(state) if state.phase == "roll" else (None,)
        for roll in rolls:
            if roll is None or isinstance(roll, Rolled):
                rolled = state if roll is None else topple.apply(state, roll)
                before = () if roll is None else (topple.format_action(roll),)
                for action in topple.legal_actions(rolled):
                    if isinstance(action, Placed):
                        after = topple.apply(rolled, action)
                        actions = (*before, topple.format_action(action))
                        yield Play(state.seat, actions, self.shown(after), self.ruling(after))

    def ruling(self, state: State) -> Hashable:
        """Return whose turn it is, in which round, with which points."""
        return (state.phase, state.seat, len(state.rounds), topple.totals(state))

    def refusal(self, state: State, seen: Table, player: str) -> Refusal | None:
        """Return why the one piece that is new in *seen* may not stand there."""
        shown = self.shown(state)
        new = [spot for spot in range(self.places) if seen[spot] not in (shown[spot], None)]
        if state.phase not in ("roll", "place") or len(new) != 1:
            return None
        (spot,) = new
        colour, _, height = (seen[spot] or "").partition(" ")
        if height != str(len(state.cells[spot]) + 1):
            return None
        rolled = topple.apply(state, Rolled(6)) if state.phase == "roll" else state
        try:
            topple.apply(rolled, Placed(spot, colour))
        except IllegalAction as error:
            values = {"colour": colour_words(colour), "field": spot_name(spot)}
            if error.clause == "TO-2":
                message = say(
                    "This looks like {colour} on {field}, but {player} has no {colour} pieces to"
                    " place",
                    player=player,
                    **values,
                )
            else:
                message = say(
                    "This looks like {colour} on {field}, but {reason}",
                    reason=message_of(error),
                    **values,
                )
            return Refusal(message, error.clause)
        return None

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "2 high with yellow on top on C3"."""
        colour, _, height = (content or EMPTY).partition(" ")
        return place_words(place, colour, height)

    def rounds(self, state: State) -> int:
        """Return 0: the game goes on until somebody has enough points."""
        return 0

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

        >>> Topple().words("place 22 pink")
        'pink on C3'
        """
        return action_words(topple.parse_action(action), players)

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own."""
        return sentence(seat, topple.parse_action(forms[0]), players)

    def round_end(self, before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
        """Return how the round ended; its final table is the tower as it stood before it fell."""
        after = topple.apply(before, action)
        if len(after.rounds) == len(before.rounds):
            return None
        scored, last = after.rounds[-1], before
        if isinstance(action, Placed):
            last = topple.with_piece(
                before, action.spot, before.options.colours.index(action.colour)
            )
        seats = range(len(scored.points))
        best = max(scored.points)
        winners = tuple(seat for seat in seats if scored.points[seat] == best)
        if after.options.young:
            winners = after.players if after.phase == "over" else ()
        return RoundEnd(
            number=len(after.rounds),
            message=reasons.ending_words(after, action, players[scored.seat], players),
            clause=scored.ended_by,
            points=scored.points,
            scores=topple.totals(after),
            winners=winners,
            reasons=tuple(reasons.sum_words(before, after, action, seat) for seat in seats),
            places=self.shown(last),
            view=self.view(last),
        )

    def colours(self, state: State) -> tuple[str, ...]:
        """Return the colour of each seat's first pieces."""
        return state.options.colours

    def actor(self, state: State, action: Action) -> int | None:
        """Return who placed, passed, toppled or knocked; the die is nobody's choice."""
        if isinstance(action, Rolled):
            return None
        return action.seat if isinstance(action, Knocked) else state.seat

    def entry_seat(self, state: State, action: Action) -> int | None:
        """Return whose turn it is, or who says "it was me"."""
        return action.seat if isinstance(action, Knocked) else state.seat

    def expected(self, state: State) -> int | None:
        """Return who rolls or places."""
        return None if state.phase == "over" else state.seat

    def chance(self, state: State) -> tuple[Action, ...]:
        """Return what the die may show."""
        return topple.ROLLS if state.phase in ("start", "roll") else ()

    def is_spoken(self, state: State, action: Action) -> bool:
        """Return whether nothing is placed."""
        return isinstance(action, Passed)

    def playing(self, state: State) -> tuple[int, ...]:
        """Return who is still in the game."""
        return state.players

    def view(self, state: State) -> dict[str, Any]:
        """Return the rules' public view, with the level of every spot and who plays what.

        names: what people call each colour.
        """
        seen = topple.view(state, None)
        colours, two = state.options.colours, state.options.two_colours
        seen["levels"] = [list(topple.LEVEL[at : at + SIZE]) for at in range(0, SIZE * SIZE, SIZE)]
        seen["colours"] = [
            [colours[seat], colours[seat + 2]] if two else [colours[seat]]
            for seat in range(len(state.fines))
        ]
        seen["names"] = {colour: colour_words(colour) for colour in colours}
        return seen

    def transient_notice(
        self, before: State, action: Action, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return that it fell, and whose fault it was."""
        match action:
            case Toppled():
                words = fell_while_placing(players[before.seat])
                return TransientNotice("topple", (before.seat,), words=words)
            case Knocked(seat):
                words = say("{player} knocked it over", player=players[seat])
                return TransientNotice("topple", (seat,), words=words)
            case Rolled() | Placed() | Passed():
                return None

    def on_fact(self, state: State, fact: Fact, people: People) -> Reaction | None:
        """Return what the tower's tilt or a button means; there is no idol."""
        match fact:
            case TowerFact(move, knocked):
                return _on_tower(state, move, knocked, people)
            case SeenFact(Tilted(has_toppled=False)) | SeenFact(before=Tilted(has_toppled=True)):
                return Reaction()  # it stands, or lies there still
            case SeenFact():
                return _on_tower(state, "topple", False, people)
            case ButtonFact("me", seat):
                return _own_up(state, seat, people)
            case ButtonFact("done", seat) if state.seat == seat and state.phase == "place":
                words = say(
                    "{player}, tap the spot where you placed the piece", player=people.players[seat]
                )
                return remark(words, seat)
            case ButtonFact(_, seat):
                words = say(
                    "{player}, that button does nothing right now", player=people.players[seat]
                )
                return remark(words, seat)
        return None


def _on_tower(state: State, move: TowerWord, knocked: bool, people: People) -> Reaction:
    """Return a topple for who is placing (TO-9), else ask who knocked it over (TO-10)."""
    if knocked or move in ("wobble", "lean"):
        return Reaction(transient_notice=_sway(move, knocked))
    if move == "still":
        return Reaction()
    if people.newest.split()[:1] in (["topple"], ["knock"]) and not any(state.cells):
        return Reaction()  # the switch or the camera has reported it already
    if state.phase == "place" and people.is_sure:
        return Reaction("topple")
    if state.phase == "over" or (state.phase != "place" and not any(state.cells)):
        return remark(say("The tower moved, but there are no pieces on it"))
    return Reaction(ask=_who_was_it(state, people))


def _own_up(state: State, seat: int, people: People) -> Reaction:
    """Return that it was *seat* who knocked it over."""
    if people.newest.split()[:1] in (["topple"], ["knock"]) and not any(state.cells):
        return Reaction(f"knock {seat}", instead=True)
    if Knocked(seat) in topple.legal_actions(state):
        return Reaction(f"knock {seat}")
    name = people.players[seat]
    return remark(say("{player}, there are no pieces that could have fallen", player=name), seat)


def _sway(move: TowerWord, knocked: bool) -> TransientNotice:
    if knocked:
        return TransientNotice("knock", words=say("The table was knocked; nothing fell"))
    leaning, wobbling = say("The tower is leaning!"), say("The tower is wobbling!")
    return TransientNotice("wobble", words=leaning if move == "lean" else wobbling)


def _who_was_it(state: State, people: People) -> Ask:
    """Return the question who made it fall; the last to place may have been at it still."""
    found = []
    if state.phase == "place":
        words = say("It fell while {player} was placing", player=people.players[state.seat])
        found.append(Candidate(("topple",), words))
    if people.newest.startswith("place") and state.before >= 0:
        name = people.players[state.before]
        words = say("It fell while {player} was placing", player=name)
        found.append(Candidate(("undo", "topple"), words))
    found += [
        Candidate((f"knock {seat}",), say("{player} did it", player=people.players[seat]))
        for seat in (state.players if any(state.cells) else ())
    ]
    found.append(Candidate((), say("Nothing fell")))
    return Ask(None, say("Who made it fall?"), tuple(found))


GAME: Final = Topple()
