"""UNO Tiki for the referee: hands stay hidden; idol and players supply the rest."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

from companion.games.closed_hands import choices_of, without_hand_cards
from companion.games.uno_tiki.adoption import adopt
from companion.games.uno_tiki.arm import judge_arm
from companion.games.uno_tiki.blind import public_view, shown, without_hands
from companion.games.uno_tiki.deck import load_census
from companion.games.uno_tiki.drawing import title_of
from companion.games.uno_tiki.explaining import reason, round_end
from companion.games.uno_tiki.help import CLAUSES
from companion.games.uno_tiki.round_ends import round_points
from companion.games.uno_tiki.sensing import judge_button, judge_spin, notice_of
from companion.games.uno_tiki.unseen_faces import ask_overlooked
from companion.games.uno_tiki.waiting import expected, wants
from companion.games.uno_tiki.words import TIKI, action_words, card_words, place_words, sentence
from companion.language.message import message_of, say
from companion.referee.facts import ButtonFact, Fact, SeenFact, SpinFact, Traces
from companion.referee.game import EMPTY, Game, Opening, People, Play, Reaction, Refusal, Table
from companion.referee.notices import Ask
from companion.referee.own_play import Choices
from companion.rules import uno_tiki
from companion.rules.base import IllegalAction, InvalidAction, RulesError
from companion.rules.protocol import Spoken
from companion.rules.uno_tiki import (
    HIDDEN,
    Action,
    Called,
    Caught,
    Counted,
    Cut,
    Discarded,
    HandDeclared,
    Kept,
    Played,
    Spun,
    State,
    Took,
    TurnedUp,
)
from companion.rules.uno_tiki.cards import IS_TIKI
from companion.session.events import RoundScored
from vision.observation import Pointing

_NOBODYS: Final = (Cut, TurnedUp, Spun, Took, HandDeclared, Counted, Caught)


class UnoTiki(Game[State, Action]):
    """UNO Tiki.

    Its places are the discard pile, which shows its top card, such as "red-7-spin", and the idol,
    which shows a Tiki Face.
    """

    title = "UNO Tiki"
    rules: Spoken[State, Action] = uno_tiki
    seats = range(2, 11)
    places = 2
    has_own_play = True
    rows = 2
    open_setup = frozenset({"dealer"})
    clauses = CLAUSES

    shown = staticmethod(shown)
    adopt = staticmethod(adopt)
    expected = staticmethod(expected)
    public = staticmethod(without_hand_cards)
    view = staticmethod(public_view)
    transient_notice = staticmethod(notice_of)
    reason = staticmethod(reason)
    round_end = staticmethod(round_end)
    words = staticmethod(action_words)

    def usual_options(self) -> dict[str, Any]:
        """Return the deck as its file has it."""
        return {"deck": load_census().copies}

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* deals; None lets everyone draw for it."""
        return {} if first is None else {"dealer": first}

    def recorded(self, replay: Mapping[str, Any], seats: int) -> Opening:
        """Return how a recorded game began, and where its idol points for each seat."""
        bearings = tuple(float(deg) % 360.0 for deg in replay.get("seat_deg") or ())
        if len(bearings) not in (0, seats):
            raise ValueError(f"seat_deg has {len(bearings)} angles for {seats} seats")
        options, setup = replay.get("options") or {}, replay.get("setup") or {}
        return Opening(options, setup, bearings_deg=bearings)

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every card that may come onto the pile or into the idol, and what nobody sees.

        The card that begins a later round is entered: the old pile's would look the same.
        """
        yield from self._unseen(state)
        is_begun = state.phase in ("play", "drawn")
        if not (is_begun or (state.phase == "turn_up" and not state.match.rounds)):
            return
        before, covert = self.shown(state), without_hands(state)
        for action in self.offers(state):
            if isinstance(action, Played | TurnedUp):
                after = uno_tiki.apply(covert, action)
                text, table = uno_tiki.format_action(action), self.shown(after)
                seat = self.actor(state, action)
                lookalike_places = (
                    frozenset({int(action.card in IS_TIKI)}) if table == before else frozenset()
                )
                yield Play(seat, (text,), table, self.ruling(after), lookalike_places)

    def _unseen(self, state: State) -> Iterator[Play]:
        """Yield that the turn ended without a card: drawn and passed, or nothing discarded.

        The table stays as it was; only what is seen next may tell.
        """
        quiet = {"play": ("draw", "pass"), "drawn": ("pass",), "discard": ("keep",)}
        actions = quiet.get(state.phase, ())
        after = state._replace(deck=(), shuffled=False)
        try:
            for text in actions:
                after = uno_tiki.apply(after, uno_tiki.parse_action(text))
        except RulesError:
            return  # a hand that lies open says which card it drew; or nobody can draw
        if actions:
            yield Play(self.expected(state), actions, self.shown(after), self.ruling(after))

    def ruling(self, state: State) -> Hashable:
        """Return whose turn it is and what may be played, the points and the number of cards."""
        return (
            state.phase,
            state.seat,
            state.way,
            state.colour,
            state.symbol,
            state.idol[-1:],
            tuple(map(len, state.hands)),
            state.match.scores,
            len(state.match.rounds),
        )

    def refusal(self, state: State, seen: Table, player: str) -> Refusal | None:
        """Return why what is new in *seen* may not be played."""
        card, face = seen
        if card == TIKI:
            words = say(
                "This looks like a Tiki Face on the discard pile, but Tiki Faces go into the idol"
            )
            return Refusal(words, "UT-9")
        if card == self.shown(state)[0]:
            card = face
        if state.phase not in ("play", "drawn") or card in (None, EMPTY):
            return None
        try:
            uno_tiki.apply(state, uno_tiki.parse_action(f"play {card}"))
        except InvalidAction:
            return None
        except IllegalAction as error:
            words = say(
                "This looks like {card}, but {reason}",
                card=card_words(card),
                reason=message_of(error),
            )
            return Refusal(words, error.clause)
        return None

    def place_words(self, place: int, content: str | None) -> str:
        """Return such as "red 7 on the discard pile"."""
        return place_words(place, "" if content in (None, EMPTY) else content or "")

    def rounds(self, state: State) -> int:
        """Return 0: the game goes on until somebody has enough points."""
        return 0

    def round_number(self, state: State) -> int:
        """Return the number of the round, from 1; of the last one once the game is over."""
        return len(state.match.rounds) + (state.phase != "over")

    def last_round(self, state: State) -> RoundScored | None:
        """Return the newest scored round."""
        match = state.match
        if not match.rounds:
            return None
        last = match.rounds[-1]
        points = round_points(last, lowest=state.options.scoring == "lowest")
        return RoundScored(len(match.rounds), (), points, match.scores, last.ended_by)

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own."""
        return sentence(seat, forms[0], players)

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return what people may enter now, as if no hand were known: it reveals no card."""
        actions = uno_tiki.legal_actions(without_hands(state))
        if state.phase != "draw":
            return actions
        return (Took(HIDDEN), *(each for each in actions if not isinstance(each, Took)))

    def is_secret(self, state: State, action: Action) -> bool:
        """Return whether *action* names cards that a hand holds."""
        return isinstance(action, HandDeclared) or (
            isinstance(action, Took) and action != Took(HIDDEN)
        )

    def is_kept(self, action: Action) -> bool:
        """Return whether *action* tells cards of a hand, which count at once."""
        return isinstance(action, HandDeclared) or (
            isinstance(action, Took) and action != Took(HIDDEN)
        )

    def plays_by_secrets(self, state: State) -> bool:
        """Return whether any card of a hand is known."""
        return any(card != HIDDEN for hand in state.hands for card in hand)

    def actor(self, state: State, action: Action) -> int | None:
        """Return who chose *action*, None for what the cards and the idol did."""
        if isinstance(action, _NOBODYS):
            return None
        if isinstance(action, Called):
            return action.seat
        return state.target if isinstance(action, Discarded | Kept) else state.seat

    def entry_seat(self, state: State, action: Action) -> int | None:
        """Return whose business *action* is; whoever likes may catch someone."""
        match action:
            case Caught():
                return None
            case Called(seat) | Counted(seat, _):
                return seat
        return self.expected(state)

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return what is waited for."""
        words = wants(state, players)
        return (state.phase, words) if words else ("", "")

    def scores(self, state: State) -> tuple[int, ...]:
        """Return everyone's points now."""
        return state.match.scores

    def on_fact(self, state: State, fact: Fact, people: People) -> Reaction | None:
        """Return what a spin, a look at the idol or a button means; there is no tower."""
        match fact:
            case SpinFact():
                return judge_spin(state, fact, people.players)
            case SeenFact(Pointing(deg)):
                return judge_arm(state, deg, fact, people)
            case ButtonFact(button, seat):
                return judge_button(state, button, seat, people.players)
        return None

    def is_spoken(self, state: State, action: Action) -> bool:
        """Return whether no card is laid: drawing too, for which people are asked next."""
        return not isinstance(action, Played | Discarded)

    def card_of(self, action: Action) -> str:
        """Return the card that is played or discarded."""
        return action.card if isinstance(action, Played | Discarded) else ""

    def reflex(self, state: State, seat: int) -> str:
        """Return that it calls UNO, which it never forgets (UT-15)."""
        may = state.exposed == seat and Called(seat) in uno_tiki.legal_actions(state)
        return uno_tiki.format_action(Called(seat)) if may else ""

    def own_hand(self, state: State, seat: int) -> tuple[str, ...]:
        """Return the cards of *seat* while a round is played."""
        return () if state.phase in ("cut", "count", "over") else state.hands[seat]

    def holds_hand(self, state: State) -> bool:
        """Return whether any card of somebody is known."""
        return self.plays_by_secrets(state)

    def is_drawing(self, state: State, seat: int) -> bool:
        """Return whether *seat* has drawn a card (UT-16)."""
        return state.phase == "draw" and state.target == seat

    def hand_choices(self, state: State, seat: int) -> tuple[Choices, ...]:
        """Return the cards by their colour, then Wilds and Tiki Faces."""
        left = uno_tiki.unseen(without_hands(state))
        return choices_of(uno_tiki.KINDS, left, title_of, card_words)

    def chore(self, state: State, seat: int, players: Sequence[str]) -> str:
        """Return that its cards are dealt or drawn, or that the idol is spun for it."""
        if state.phase == "spin" and state.seat == seat:
            return say("Spin the idol for {player}", player=players[seat])
        return super().chore(state, seat, players)

    def overlooked(self, state: State, traces: Traces, people: People) -> Ask | None:
        """Return the question which Tiki Face was put in, if one was that nobody saw."""
        return ask_overlooked(state, traces, people.players)


GAME: Final = UnoTiki()
