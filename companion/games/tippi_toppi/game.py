"""Tippi Toppi for the referee: four piles, goals that people turn up, and hidden hands."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

from companion.games.tippi_toppi.adoption import adopt
from companion.games.tippi_toppi.deck import load_goals
from companion.games.tippi_toppi.words import action_words, card_words, goal_words, pile_words
from companion.referee.facts import ButtonFact, Fact, TimeFact
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
    AnyColours,
    ClosedHands,
    NoCosts,
    OneForm,
    OneRound,
    OwnKey,
    PlainlyRecorded,
    PlainOptions,
    Unexplained,
)
from companion.referee.transient_notices import TransientNotice
from companion.rules import tippi_toppi
from companion.rules.base import IllegalAction
from companion.rules.protocol import Spoken
from companion.rules.tippi_toppi import (
    HIDDEN,
    NAMES,
    Action,
    Drew,
    HandDeclared,
    Laid,
    Played,
    State,
    Stuck,
)
from companion.session.events import TableAdopted

PILES: Final = 4
HIGH_SPEED_S: Final = 300.0  # TP-14


class TippiToppi(
    AnyColours,
    Unexplained,
    NoCosts,
    ClosedHands,
    OneForm,
    OwnKey,
    PlainlyRecorded,
    PlainOptions,
    OneRound,
):
    """Tippi Toppi.

    A place is one of the four piles, from the left, and shows its top card, such as "green 7".
    """

    name = tippi_toppi.NAME
    title = "Tippi Toppi"
    rules: Spoken[State, Action] = tippi_toppi
    seats = range(1, 5)
    places = PILES
    lit = 0
    together = True
    shifts = False
    open_setup = frozenset({"first"})

    def usual_options(self) -> dict[str, Any]:
        """Return the goal deck as its file has it."""
        return {"goal_deck": load_goals().cards}

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; no chance decides that."""
        return {"first": first or 0}

    def shown(self, state: State) -> Table:
        """Return the top card of each pile."""
        return _table_of(state, EMPTY)

    def start(self, seen: Table) -> tuple[str, ...]:
        """Return that the four cards in *seen* are laid, from the left; () unless all are there."""
        cards = [(content or "").replace(" ", "") for content in seen]
        return tuple(f"lay {card}" for card in cards) if set(cards) <= set(NAMES) else ()

    def expects_start(self, state: State) -> bool:
        """Return whether the first four cards are to be laid, and nobody has entered one yet."""
        return state.phase == "lay" and not state.tops

    def is_unusual_start(self, state: State) -> bool:
        """Return False: four cards are never still being laid out."""
        del state
        return False

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every card that may be played onto a pile, or that may begin the next one.

        Where the first cards are laid, nobody knows what lies on the piles that come after.
        """
        covert = _covered(state)
        for action in self.offers(state):
            if isinstance(action, Played | Laid):
                after = tippi_toppi.apply(covert, action)
                seat, text = self.actor(state, action), tippi_toppi.format_action(action)
                table, ruling = _table_of(after, None), self.ruling(after)
                yield Play(seat, (text,), table, ruling, _twins(state, action))

    def ruling(self, state: State) -> Hashable:
        """Return whose turn it is, what lies open, and how many cards and goals are left."""
        return (
            state.phase,
            state.seat,
            state.tops,
            tuple(goal.text for goal in state.goals),
            state.goals_left,
            state.cards_left,
            tuple(hand and len(hand) for hand in state.hands),
            state.ended_by,
        )

    def refusal(self, state: State, seen: Table, player: str) -> Refusal | None:
        """Return why the one card that is new in *seen* may not lie there."""
        del player
        shown = self.shown(state)
        new = [pile for pile in range(PILES) if seen[pile] not in (shown[pile], None)]
        if state.phase != "play" or len(new) != 1:
            return None
        (pile,) = new
        card = (seen[pile] or "").replace(" ", "")
        if card not in NAMES:
            return None
        covert = _covered(state)
        if state.options.high_speed:  # whoever played it
            covert = covert._replace(hands=(None,) * len(state.hands))
        try:
            tippi_toppi.apply(covert, Played(NAMES.index(card), pile))
        except IllegalAction as error:
            looks = f"This looks like {card_words(card)} on {pile_words(pile)}, but "
            return Refusal(f"{looks}{error}", error.clause)
        return None

    def adopt(self, state: State, adopted: TableAdopted) -> State:
        """Return *state* with the table that the people have adopted; raises RulesError."""
        return adopt(state, adopted)

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "green 7 on pile 1"."""
        card = "no card" if content == EMPTY else content or "some card"
        return f"{card} on {pile_words(place)}"

    def on_fact(self, state: State, fact: Fact, people: People) -> Reaction | None:
        """Return what the end of the five minutes or a button means; there is nothing else."""
        match fact:
            case TimeFact():
                return Reaction("time" if self.time_limit_s(state) else "")
            case ButtonFact("done", seat) if seat == tippi_toppi.turn(state):
                words = f"{people.players[seat]}, your turn ends when you play a card"
                return remark(words, seat)
            case ButtonFact(_, seat):
                return remark(f"{people.players[seat]}, that button does nothing right now", seat)
        return None

    def time_limit_s(self, state: State) -> float | None:
        """Return five minutes in High Speed, from when the piles have been laid (TP-14)."""
        runs = state.options.high_speed and state.phase in ("play", "goal", "draw")
        return HIGH_SPEED_S if runs else None

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return what people may enter now, as if no hand were known unless all are open."""
        actions: tuple[Action, ...] = tippi_toppi.legal_actions(_covered(state))
        return tuple(action for action in actions if not self.is_secret(state, action))

    def entry_seat(self, state: State, action: Action) -> int | None:
        """Return whose card, draw or hand it is; anybody may turn up goals and first cards."""
        match action:
            case HandDeclared(seat, _):
                return seat
            case Drew():
                return state.drawer
        return self.actor(state, action) if not state.options.high_speed else None

    def actor(self, state: State, action: Action) -> int | None:
        """Return who plays, or is stuck; in High Speed unknown unless it is entered."""
        if isinstance(action, Played) and action.seat is not None:
            return action.seat
        in_turn = isinstance(action, Played | Stuck) and not state.options.high_speed
        return state.seat if in_turn else None

    def is_secret(self, state: State, action: Action) -> bool:
        """Return whether *action* names cards of a hand that does not lie open (TP-2, TP-16)."""
        names = isinstance(action, HandDeclared) or (
            isinstance(action, Drew) and action.card != HIDDEN
        )
        return names and not state.options.open_hands

    def plays_by_secrets(self, state: State) -> bool:
        """Return whether any card of a closed hand is known."""
        known = any(card != HIDDEN for hand in state.hands for card in hand or ())
        return known and not state.options.open_hands

    def expected(self, state: State) -> int | None:
        """Return who plays or draws; nobody in particular in High Speed."""
        if state.phase == "draw" and not state.options.high_speed:
            return state.drawer
        return tippi_toppi.turn(state)

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return what is waited for."""
        match state.phase:
            case "lay" if not state.tops:
                return "lay", "Lay four cards side by side and enter them from left to right"
            case "lay":
                return "lay", f"Lay a card for {pile_words(len(state.tops))} and enter it"
            case "goal":
                return "goal", "Turn up the next goal and enter it"
            case "draw":
                return "draw", f"{players[state.drawer or 0]} draws a card; enter it"
            case "play" if state.options.high_speed:
                return "play", "Anyone who can plays a card"
            case "play":
                return "play", f"{players[state.seat]} plays a card"
        return "", ""

    def scores(self, state: State) -> tuple[int, ...]:
        """Return the number of goals met, everyone's alike."""
        return (len(state.met),) * len(state.hands)

    def view(self, state: State) -> dict[str, Any]:
        """Return what the rules let a bystander know, goals with their words and piles counted.

        The long list of the goal deck is left out.
        """
        seen = tippi_toppi.view(state, None)
        for goals in ("goals", "met"):
            seen[goals] = [{"text": goal, "words": goal_words(goal)} for goal in seen[goals]]
        seen["tops"] = [pile[-1] if pile else None for pile in seen["piles"]]
        seen["heights"] = list(map(len, state.piles))
        del seen["options"]["goal_deck"]
        return seen

    def transient_notice(
        self, before: State, action: Action, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return which goals *action* has met, and whether all have won or lost by it."""
        after = tippi_toppi.apply(before, action)
        met = [goal_words(goal.text) for goal in after.met[len(before.met) :]]
        words = [f"Goal{'s' * (len(met) > 1)} met: {'; '.join(met)}"] if met else []
        if after.phase == "over":
            words.append(ending_words(after, players))
        return TransientNotice("remark", words=". ".join(words)) if words else None

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words.

        >>> TippiToppi().words("play green7 0")
        'green 7 on pile 1'
        """
        return action_words(action, players)

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own."""
        words = " or ".join(self.words(form, players) for form in forms)
        return words[0].upper() + words[1:] if seat is None else f"{players[seat]}: {words}"


def _table_of(state: State, unlaid: str | None) -> Table:
    """Return the top cards as the reader names them, and *unlaid* for each pile without one."""
    tops = tuple(card_words(NAMES[card]) for card in state.tops)
    return tops + (unlaid,) * (PILES - len(tops))


def _twins(state: State, action: Played | Laid) -> frozenset[int]:
    """Return the pile on which *action* lays a card that looks like the one on top of it."""
    is_twin = isinstance(action, Played) and state.tops[action.pile] == action.card
    return frozenset({action.pile}) if isinstance(action, Played) and is_twin else frozenset()


def _covered(state: State) -> State:
    """Return *state* as who sees no hand knows it; hands that lie open stay as they are."""
    if state.options.open_hands:
        return state._replace(deck=())
    hands = tuple(None if hand is None else (HIDDEN,) * len(hand) for hand in state.hands)
    return state._replace(hands=hands, deck=())


def ending_words(state: State, players: Sequence[str]) -> str:
    """Return how and why the game is over."""
    match state.ended_by:
        case "TP-11":
            return "Won: all goals are met"
        case "TP-12":
            return f"Lost: {players[state.seat]} cannot play a card"
        case "TP-13":
            return "Lost: no cards are left, and a goal is still open"
    return "Lost: the five minutes are up" if state.time_up else "Lost: nobody can play a card"


GAME: Final = TippiToppi()
