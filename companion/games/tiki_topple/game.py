"""Tiki Topple for the referee: a line of up to nine tikis, and words for what moves them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Any, Final

from companion.games.tiki_topple import reasons
from companion.games.tiki_topple.adoption import adopt
from companion.games.tiki_topple.help import CLAUSES
from companion.games.tiki_topple.line import line_of, table_of
from companion.games.tiki_topple.words import action_words, place_words, sentence
from companion.language.message import listed, message_of, say
from companion.referee.game import Game, Opening, Play, Refusal, Table
from companion.referee.transient_notices import TransientNotice
from companion.rules import tiki_topple
from companion.rules.base import IllegalAction
from companion.rules.protocol import Spoken
from companion.rules.tiki_topple import (
    CARD_WORDS,
    GROUPS,
    Action,
    Card,
    Dealt,
    Played,
    SecretCard,
    State,
)
from companion.session.events import RoundScored


class TikiTopple(Game[State, Action]):
    """Tiki Topple.

    A place is one of the nine slots of the line, the top one first.
    """

    title = "Tiki Topple"
    rules: Spoken[State, Action] = tiki_topple
    seats = range(2, 5)
    places = len(tiki_topple.TIKIS)
    has_own_play = True
    rows = len(tiki_topple.TIKIS)
    shifts = True
    open_setup = frozenset({"first", "line"})
    clauses = CLAUSES

    adopt = staticmethod(adopt)
    reason = staticmethod(reasons.reason)
    round_end = staticmethod(reasons.round_end)
    sentence = staticmethod(sentence)
    place_words = staticmethod(place_words)

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; no chance decides that."""
        return {"first": first or 0}

    def recorded(self, replay: Mapping[str, Any], seats: int) -> Opening:
        """Return the hand that everyone began with, the line and the secret cards."""
        options = {"hand": list(replay["cards_each"])} if replay.get("cards_each") else {}
        setup: dict[str, Any] = {"first": replay.get("first_player", 0)}
        if replay.get("start_line"):
            setup["line"] = list(replay["start_line"])
        cards = replay.get("secret_cards") or [None] * seats
        if len(cards) != seats:
            raise ValueError(f"secret_cards has {len(cards)} cards for {seats} players")
        parse = tiki_topple.parse_secret_card
        secrets = (
            card and tiki_topple.format_action(Dealt(seat, parse(card)))
            for seat, card in enumerate(cards)
        )
        return Opening(options, setup, tuple(secrets))

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return the cards that may be played; a line or a secret card is entered as a whole."""
        return tiki_topple.legal_actions(state) if state.phase == "play" else ()

    def shown(self, state: State) -> Table:
        """Return the tikis from the top down; before a round they may stand anyhow."""
        return (None,) * self.places if state.phase == "line" else table_of(state.line)

    def plays(self, state: State) -> Iterator[Play]:
        """Yield every card that may be played on every tiki."""
        if state.phase == "play":
            for action in tiki_topple.legal_actions(state):
                if isinstance(action, Played):
                    # Not what is shown afterwards: with the last card a new round may have begun.
                    table = table_of(tiki_topple.move(state.line, action.card, action.tiki))
                    after = tiki_topple.apply(state, action)
                    text = tiki_topple.format_action(action)
                    yield Play(state.seat, (text,), table, self.ruling(after))

    def ruling(self, state: State) -> Hashable:
        """Return whose turn it is, in which round, with which scores."""
        return (state.phase, state.seat, len(state.rounds), state.scores)

    def start(self, seen: Table) -> tuple[str, ...]:
        """Return the action that puts up the line in *seen*, () unless all nine tikis stand."""
        line = line_of(seen)
        return (" ".join(("line", *line)),) if sorted(line) == sorted(tiki_topple.TIKIS) else ()

    def expects_start(self, state: State) -> bool:
        """Return whether the nine tikis are being put up."""
        return state.phase == "line"

    def is_unusual_start(self, state: State) -> bool:
        """Return whether nobody has moved since an ungrouped line was put up (TT-2)."""
        untouched = all(state.hands[seat] == state.options.hand for seat in state.players)
        return state.phase == "play" and untouched and not tiki_topple.is_grouped(state.line)

    def secrets_due(self, state: State) -> tuple[int, ...]:
        """Return the seats whose secret card is wanted for the scoring."""
        if state.phase != "reveal":
            return ()
        return tuple(seat for seat in state.players if state.cards[seat] is None)

    def secrets_entered(self, state: State) -> tuple[int, ...]:
        """Return the seats whose secret card the engine knows."""
        return tuple(seat for seat, card in enumerate(state.cards) if card is not None)

    def round_number(self, state: State) -> int:
        """Return the number of the round, from 1; of the last one once the game is over."""
        return len(state.rounds) + (state.phase != "over")

    def last_round(self, state: State) -> RoundScored | None:
        """Return the newest scored round."""
        if not state.rounds:
            return None
        number, last = len(state.rounds), state.rounds[-1]
        return RoundScored(number, last.line, last.points, state.scores, last.ended_by)

    def rounds(self, state: State) -> int:
        """Return how many rounds are played, a tie round not counted."""
        return state.options.rounds

    def refusal(self, state: State, seen: Table, player: str) -> Refusal | None:
        """Return why *seen* is no legal move, if a single card would have led there."""
        line = line_of(seen)
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

    def adoption_costs(self, state: State, seat: int | None) -> Mapping[str, str]:
        """Return the cards that whoever's turn it was may have played for it, if it is over."""
        return (
            {}
            if seat == state.seat
            else {each: CARD_WORDS[each] for each in tiki_topple.kinds(state.hands[state.seat])}
        )

    def _why(self, card: Card, tiki: str, player: str, error: IllegalAction) -> str:
        move = self.words(f"{card} {tiki}")
        if error.clause == "TT-4":
            return say(
                "This looks like {move}, but {player} has no {card} left",
                move=move,
                player=player,
                card=CARD_WORDS[card],
            )
        return say("This looks like {move}, but {why}", move=move, why=message_of(error))

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words."""
        return action_words(action)

    def entry_seat(self, state: State, action: Action) -> int | None:
        """Return whose turn it is; who shows a secret card."""
        if isinstance(action, Dealt):
            return action.seat
        return state.seat if isinstance(action, Played) else None

    def actor(self, state: State, action: Action) -> int | None:
        """Return who plays the card."""
        return state.seat if isinstance(action, Played) else None

    def is_secret(self, state: State, action: Action) -> bool:
        """Return whether *action* is a secret card before all are shown (TT-3)."""
        return isinstance(action, Dealt) and state.phase != "reveal"

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return whose cards are wanted, or that the line is."""
        match state.phase:
            case "reveal":
                names = listed(players[seat] for seat in self.secrets_due(state))
                return "cards", say(
                    "The round is over. Waiting for the secret cards of {players}", players=names
                )
            case "line":
                return "start", say(
                    "Set up all {places} tikis for round {number}",
                    places=self.places,
                    number=self.round_number(state),
                )
        return "", ""

    def scores(self, state: State) -> tuple[int, ...]:
        """Return everyone's points, those of the round that is on not counted."""
        return state.scores

    def playing(self, state: State) -> tuple[int, ...]:
        """Return who plays this round: all, but in a tie round (TT-13)."""
        return state.players

    def touched(self, state: State, action: Action) -> tuple[int, ...]:
        """Return where the tiki stands, and where it goes; those in between close up."""
        if not isinstance(action, Played):
            return ()
        line = tiki_topple.move(state.line, action.card, action.tiki)
        places = [where.index(action.tiki) for where in (state.line, line) if action.tiki in where]
        return tuple(places)

    def own_secret(self, state: State, seat: int, rng: Random) -> str:
        """Return a card like the printed ones, none of those that have been seen (TT-3)."""
        if state.cards[seat] is not None or state.phase not in ("play", "reveal"):
            return ""
        seen = {card for scored in state.rounds for card in scored.cards}
        cards = (
            SecretCard(*tikis)
            for trio in product(*map(sorted, GROUPS))
            for tikis in permutations(trio)
        )
        unseen = [card for card in cards if card not in seen]
        return tiki_topple.format_action(Dealt(seat, rng.choice(unseen)))

    def view(self, state: State) -> dict[str, Any]:
        """Return the rules' view, with the cards that lie open since the round was scored."""
        seen = tiki_topple.view(state, None)
        scored = state.rounds and state.phase in ("line", "over")
        seen["shown"] = seen["rounds"][-1]["cards"] if scored else [None] * len(state.scores)
        return seen

    def transient_notice(
        self, before: State, action: Action, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return whose secret cards cannot both be right, once all of a round are shown (TT-3).

        Not before: a refusal would tell one seat the card of another.
        """
        if not isinstance(action, Dealt) or self.secrets_due(before) != (action.seat,):
            return None
        shown = (*before.cards[: action.seat], action.card, *before.cards[action.seat + 1 :])
        seats = tuple(seat for seat, card in enumerate(shown) if card and shown.count(card) > 1)
        if not seats:
            return None
        words = say(
            "{players} show the same secret card, but no two cards are alike. Take back the last"
            " move and enter the right card",
            players=listed(players[seat] for seat in seats),
        )
        return TransientNotice("remark", seats, words=words)


GAME: Final = TikiTopple()
