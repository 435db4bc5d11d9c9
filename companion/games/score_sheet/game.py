"""The score sheet for the referee: whose points are missing, and what a round has brought."""

from collections.abc import Sequence
from typing import Final

from companion.games.score_sheet.help import CLAUSES
from companion.language.message import Message, listed, say, say_count
from companion.referee.game import Game, RoundEnd
from companion.referee.transient_notices import TransientNotice
from companion.rules import score_sheet
from companion.rules.protocol import Spoken
from companion.rules.score_sheet import Action, Ended, Filled, State, Wrote
from companion.session.events import RoundScored

HOST_ALONE: Final = -1
"""No seat: only the host may write for several players, and end the game."""


class ScoreSheet(Game[State, Action]):
    """A score sheet: no place of it is ever seen."""

    title: str = say("Score sheet")
    rules: Spoken[State, Action] = score_sheet
    seats = score_sheet.SEATS
    clauses = CLAUSES

    scores = staticmethod(score_sheet.totals)

    def offers(self, state: State) -> tuple[Action, ...]:
        """Return whether the game may be ended; points are written into fields."""
        return tuple(
            action for action in score_sheet.legal_actions(state)[:1] if isinstance(action, Ended)
        )

    def entry_seat(self, state: State, action: Action) -> int | None:
        """Return whose points these are; only the host writes for several and ends the game."""
        seat = self.actor(state, action)
        return HOST_ALONE if seat is None else seat

    def actor(self, state: State, action: Action) -> int | None:
        """Return whose points these are."""
        return action.seat if isinstance(action, Wrote) else None

    def round_number(self, state: State) -> int:
        """Return the number of the round that is written; of the last one at the end."""
        return len(state.rounds) + (state.phase != "over")

    def rounds(self, state: State) -> int:
        """Return after how many rounds the game ends, 0 if that is open."""
        return state.options.rounds

    def last_round(self, state: State) -> RoundScored | None:
        """Return the newest finished round."""
        if not state.rounds:
            return None
        number, points = len(state.rounds), state.rounds[-1]
        return RoundScored(number, (), points, score_sheet.totals(state), "SS-2")

    def expected(self, state: State) -> int | None:
        """Return the one player whose points are missing, None if it is more than one."""
        missing = _missing(state)
        return missing[0] if len(missing) == 1 and len(state.written) > 1 else None

    def wants(self, state: State, players: Sequence[str]) -> tuple[str, str]:
        """Return whose points of the round are missing."""
        missing = _missing(state)
        if state.phase == "over":
            return "", ""
        if len(missing) == len(state.written):
            return "points", say("Enter the points of round {round}", round=len(state.rounds) + 1)
        names = listed(players[seat] for seat in missing)
        return "points", say("Waiting for the points of {names}", names=names)

    def transient_notice(
        self, before: State, action: Action, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return that a round counts."""
        after = score_sheet.apply(before, action)
        if len(after.rounds) == len(before.rounds):
            return None
        words = say("Round {round}: {points}", round=len(after.rounds),
                    points=_standing(players, after.rounds[-1]))  # fmt: skip
        return TransientNotice("remark", words=words)

    def round_end(self, before: State, action: Action, players: Sequence[str]) -> RoundEnd | None:
        """Return what the finished round has brought; at the end of the game, the last one."""
        after = score_sheet.apply(before, action)
        if len(after.rounds) == len(before.rounds) and not after.ended_by:
            return None
        number, points = len(after.rounds), after.rounds[-1]
        return RoundEnd(
            number,
            say("Round {round} is finished", round=number),
            after.ended_by or "SS-2",
            points,
            score_sheet.totals(after),
            score_sheet.leaders(after, points),
            ((),) * len(points),
            (),
            self.view(after),
        )

    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words.

        >>> ScoreSheet().words("points 0 12")
        '12 points'
        """
        parsed = score_sheet.parse_action(action)
        if isinstance(parsed, Wrote):
            return say_count("{number} point", "{number} points", parsed.points)
        if isinstance(parsed, Filled):
            return _standing(players, parsed.points)
        return say("the game is ended")

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what was written, with whose it is."""
        filled = score_sheet.parse_action(forms[0])
        if isinstance(filled, Filled) and None not in filled.points:
            return say("Everyone’s points were entered")
        if isinstance(filled, Filled):
            return say("Points: {points}", points=self.words(forms[0], players))
        if seat is None:
            return say("The game was ended")
        return say("{player}: {words}", player=players[seat], words=self.words(forms[0]))


def _missing(state: State) -> list[int]:
    return [seat for seat, points in enumerate(state.written) if points is None]


def _standing(players: Sequence[str], points: Sequence[int | None]) -> Message:
    names = players or [str(seat) for seat in range(1, len(points) + 1)]
    told = (
        say("{player} {points:+}", player=name, points=each)
        for name, each in zip(names, points, strict=False)
        if each is not None
    )
    return listed(told, "units")


GAME: Final = ScoreSheet()
