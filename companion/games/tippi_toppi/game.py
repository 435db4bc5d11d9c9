"""Tippi Toppi for the referee: four piles, goals that people turn up, and hidden hands."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

from companion.colours import COLOURS as COLOUR_WORDS
from companion.games.closed_hands import choices_of, without_hand_cards
from companion.games.tippi_toppi.adoption import adopt
from companion.games.tippi_toppi.deck import load_goals
from companion.games.tippi_toppi.help import CLAUSES
from companion.games.tippi_toppi.player import wish_of
from companion.games.tippi_toppi.why import reason, round_end
from companion.games.tippi_toppi.words import (
    action_words,
    card_words,
    ending_words,
    goal_words,
)
from companion.language.message import (
    Message,
    capitalised,
    message_of,
    say,
    say_count,
    sequence,
)
from companion.referee.facts import ButtonFact, Fact, TimeFact
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
from companion.referee.own_play import Choices
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

PILES: Final = 4
HIGH_SPEED_S: Final = 300.0  # TP-14


class TippiToppi(Game[State, Action]):
    """Tippi Toppi.

    A place is one of the four piles, from the left, and shows its top card, such as "green 7".
    """

    title = "Tippi Toppi"
    rules: Spoken[State, Action] = tippi_toppi
    seats = range(1, 5)
    places = PILES
    has_own_play = True
    rows = PILES
    together = True
    open_setup = frozenset({"first"})
    clauses = CLAUSES

    adopt = staticmethod(adopt)
    public = staticmethod(without_hand_cards)
    reason = staticmethod(reason)
    words = staticmethod(action_words)

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
            words = say(
                "This looks like {card} on pile {number}, but {reason}",
                card=card_words(card),
                number=pile + 1,
                reason=message_of(error),
            )
            return Refusal(words, error.clause)
        return None

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "green 7 on pile 1"."""
        number = place + 1
        if content == EMPTY:
            return say("no card on pile {number}", number=number)
        name = (content or "").replace(" ", "")
        if name not in NAMES:
            return say("some card on pile {number}", number=number)
        return say("{card} on pile {number}", card=card_words(name), number=number)

    def on_fact(self, state: State, fact: Fact, people: People) -> Reaction | None:
        """Return what the end of the five minutes or a button means; there is nothing else."""
        match fact:
            case TimeFact():
                return Reaction("time" if self.time_limit_s(state) else "")
            case ButtonFact("done", seat) if seat == tippi_toppi.turn(state):
                player = people.players[seat]
                words = say("{player}, your turn ends when you play a card", player=player)
                return remark(words, seat)
            case ButtonFact(_, seat):
                player = people.players[seat]
                return remark(
                    say("{player}, that button does nothing right now", player=player), seat
                )
        return None

    def time_limit_s(self, state: State) -> float | None:
        """Return five minutes in High Speed, from when the first four goals lie open (TP-14)."""
        is_played = sum(map(len, state.piles)) > PILES
        runs = state.phase in ("play", "draw") or (state.phase == "goal" and is_played)
        return HIGH_SPEED_S if runs and state.options.high_speed else None

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

    def is_kept(self, action: Action) -> bool:
        """Return whether *action* tells cards of a hand, which count at once."""
        return isinstance(action, HandDeclared) or (
            isinstance(action, Drew) and action.card != HIDDEN
        )

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
                words = say("Lay four cards side by side and enter them from left to right")
                return "lay", words
            case "lay":
                number = len(state.tops) + 1
                return "lay", say("Turn up a card for pile {number} and enter it", number=number)
            case "goal":
                return "goal", say("Turn up the next goal and enter it")
            case "draw":
                drawer = players[state.drawer or 0]
                return "draw", say("{player} draws a card; enter it", player=drawer)
            case "play" if state.options.high_speed:
                return "play", say("Anyone may play a card")
            case "play":
                return "play", say("{player} plays a card", player=players[state.seat])
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
        seen["warnings"] = list(map(_surplus_words, tippi_toppi.surplus_goals(state)))
        del seen["options"]["goal_deck"]
        return seen

    def card_of(self, action: Action) -> str:
        """Return the card that is played."""
        return NAMES[action.card] if isinstance(action, Played) else ""

    def is_spoken(self, state: State, action: Action) -> bool:
        """Return whether it is only said that nobody can play, or that a goal is met."""
        return not isinstance(action, Played)

    def wish(self, state: State, seat: int, players: Sequence[str]) -> str:
        """Return a pile and a goal: the book lets nobody say more (TP-10, TP-15)."""
        wanted = wish_of(tippi_toppi.seen_by(state, seat), seat)
        if wanted is None:
            return ""
        return say(
            "{player} would like to play on pile {number}, for this goal: {goal}",
            player=players[seat],
            number=wanted.pile + 1,
            goal=goal_words(wanted.goal),
        )

    def own_hand(self, state: State, seat: int) -> tuple[str, ...]:
        """Return the cards of *seat*, unless all hands lie open or there are no turns."""
        if state.options.open_hands or state.options.high_speed or state.phase in ("lay", "over"):
            return ()
        return tuple("" if card == HIDDEN else NAMES[card] for card in state.hands[seat] or ())

    def holds_hand(self, state: State) -> bool:
        """Return whether any card of somebody is known, and not to everyone."""
        return self.plays_by_secrets(state)

    def is_drawing(self, state: State, seat: int) -> bool:
        """Return whether *seat* has drawn a card that is still to be told (TP-5)."""
        return state.phase == "draw" and state.drawer == seat

    def hand_choices(self, state: State, seat: int) -> tuple[Choices, ...]:
        """Return the cards by their colour: all that have not been laid, as everyone knows."""
        unseen = tippi_toppi.unseen(state)
        left = {name: unseen[card] for card, name in enumerate(NAMES)}
        return choices_of(NAMES, left, _colour_title, card_words)

    def transient_notice(
        self, before: State, action: Action, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return which goals *action* has met, and whether all have won or lost by it."""
        after = tippi_toppi.apply(before, action)
        met = [goal_words(goal.text) for goal in after.met[len(before.met) :]]
        words = []
        if met:
            goals = sequence(met, "; ")
            words = [say_count("Goal met: {goals}", "Goals met: {goals}", len(met), goals=goals)]
        if after.phase == "over":
            words.append(ending_words(after, players))
        return TransientNotice("remark", words=sequence(words, ". ")) if words else None

    def round_end(self, before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
        """Return how the game ended by *action*, None if it goes on."""
        after = tippi_toppi.apply(before, action)
        if after.phase != "over":
            return None
        return round_end(after, self.shown(after), self.view(after), players)


def _colour_title(name: str) -> str:
    return capitalised(COLOUR_WORDS[name[:-1]].words)


def _surplus_words(goal: str) -> Message:
    words = goal_words(goal)
    return say("“{goal}” has come up more often than your goal cards allow", goal=words)


def _table_of(state: State, unlaid: str | None) -> Table:
    """Return the top cards as the reader names them, and *unlaid* for each pile without one."""
    tops = tuple(f"{NAMES[card][:-1]} {NAMES[card][-1]}" for card in state.tops)
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


GAME: Final = TippiToppi()
