"""TacTiki for the referee: columns of two tribes, turns of two moves, and secret ranks."""

from collections.abc import Sequence
from typing import Any, Final

from companion.games.tactiki.adoption import adopt
from companion.games.tactiki.board import FIELDS, key_of, ruling_of, table_of
from companion.games.tactiki.help import CLAUSES
from companion.games.tactiki.plays import plays_of
from companion.games.tactiki.reasons import after, ended_words, points_of, reason_of
from companion.games.tactiki.refusals import refusal_of
from companion.games.tactiki.words import (
    action_words,
    attack_words,
    ending_words,
    place_words,
    sentence,
)
from companion.language.message import say, sequence
from companion.referee.facts import ButtonFact, Fact
from companion.referee.game import Game, People, Reaction, RoundEnd, remark
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
    field_name,
)
from companion.rules.tactiki.pieces import RESULTS, SIZE


class TacTiki(Game[State, Action]):
    """TacTiki.

    A place is one of the 25 fields, row by row, and shows its height and top, such as "tac 3".
    """

    title = "TacTiki"
    rules: Spoken[State, Action] = tactiki
    seats = range(2, 3)
    places = FIELDS
    has_own_play = True
    rows = SIZE
    clauses = CLAUSES

    shown = staticmethod(table_of)
    plays = staticmethod(plays_of)
    key = staticmethod(key_of)
    ruling = staticmethod(ruling_of)
    refusal = staticmethod(refusal_of)
    adopt = staticmethod(adopt)
    reason = staticmethod(reason_of)
    words = staticmethod(action_words)
    sentence = staticmethod(sentence)
    place_words = staticmethod(place_words)

    def colours(self, state: State) -> tuple[str, ...]:
        """Return the colours of the two tribes."""
        return PAINTS

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return what people may enter now, as if no rank were known: it gives none away."""
        if state.phase == "clash":
            return tuple(map(Clashed, RESULTS))
        blind = state._replace(ranks=_unknown(state.ranks), pools=_unknown(state.pools))
        return tactiki.legal_actions(blind)

    def forms(self, state: State, action: Action) -> tuple[Action, ...]:
        """Return what *action*, of which all may read, may have been: whichever piece came back."""
        if not isinstance(action, Reincarnated) or action.rank or state.phase != "move":
            return (action,)
        ranks = sorted(set(state.pools[state.seat]))
        return tuple(Reincarnated(action.field, rank) for rank in ranks) or (action,)

    def actor(self, state: State, action: Action) -> int | None:
        """Return who moves, brings a piece back or claims a draw; a clash is nobody's choice."""
        if isinstance(action, Arranged):
            return action.seat
        return None if isinstance(action, Clashed) else state.seat

    def is_secret(self, state: State, action: Action) -> bool:
        """Return whether *action* names all ranks of a side; public texts hide a returned rank."""
        return isinstance(action, Arranged)

    def is_kept(self, action: Action) -> bool:
        """Return whether *action* names the ranks of a side: they count at once, unseen."""
        return isinstance(action, Arranged)

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

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return that the result of an attack is waited for, or the second move of a turn."""
        if state.phase == "clash":
            return "clash", say(
                "{player} and {other}, enter the result of the attack on {field}",
                player=players[state.seat],
                other=players[1 - state.seat],
                field=field_name(state.field),
            )
        if state.phase == "move" and state.moved:
            return "move", say("{player} makes the second move", player=players[state.seat])
        return "", ""

    def scores(self, state: State) -> tuple[int, ...]:
        """Return 1 for who has won."""
        result = tactiki.outcome(state)
        return result.scores if result else (0, 0)

    def touched(self, state: State, action: Action) -> tuple[int, ...]:
        """Return the fields from which and to which a piece goes."""
        if isinstance(action, Moved):
            return action.source, action.target
        return (action.field,) if isinstance(action, Reincarnated) else ()

    def is_spoken(self, state: State, action: Action) -> bool:
        """Return whether it only claims a draw."""
        return isinstance(action, Claimed)

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
        seat, name, state = before.seat, players[before.seat], after(before, action)
        if state is None:
            return None
        ending = ending_words(state)
        if isinstance(action, Reincarnated):
            words: str = say(
                "{player} returns a piece to {field}", player=name, field=field_name(action.field)
            )
            if ending:
                words = sequence([words, ending], ". ")
            return TransientNotice("remark", (seat,), words=words)
        field = action.target if isinstance(action, Moved) else before.field
        if state.ended_by == "TA-11":
            words = say(
                "{player} has built the statue on {field}!", player=name, field=field_name(field)
            )
            return TransientNotice("remark", (seat,), words=words)
        met = state.facts[len(before.facts) :]
        results = [fact.result for fact in met if isinstance(fact, Clash)]
        words = ending
        if results:
            words = attack_words(name, field, results, state.phase == "clash")
            if ending:
                words = sequence([words, ending], ". ")
        return TransientNotice("remark", (seat,), words=words) if words else None

    def round_end(self, before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
        """Return how the game ended: by the statue, or with no winner."""
        state = None if isinstance(action, Arranged) else after(before, action)
        result = tactiki.outcome(state) if state else None
        if state is None or result is None:
            return None
        return RoundEnd(
            1,
            ended_words(state, players),
            result.ended_by,
            result.scores,
            result.scores,
            result.winners,
            tuple(points_of(state, seat) for seat in (0, 1)),
            table_of(state),
            self.view(state),
        )

    def on_fact(self, state: State, fact: Fact, people: People) -> Reaction | None:
        """Return what the players have to enter instead of pressing a button."""
        if not isinstance(fact, ButtonFact):
            return None
        words = self.wants(state, people.players)[1]
        name = people.players[fact.seat]
        idle = say("{player}, that button does nothing right now", player=name)
        return remark(words or idle, fact.seat)


PAINTS: Final = ("red", "blue")


def _unknown(
    ranks: tuple[tuple[int, ...], tuple[int, ...]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return as many ranks by seat, none of them known."""
    return (0,) * len(ranks[0]), (0,) * len(ranks[1])


GAME: Final = TacTiki()
