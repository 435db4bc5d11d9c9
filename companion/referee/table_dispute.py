"""A dispute about a table: the people say how one that the rules do not explain is to be taken.

Either the table is right, and the game goes on from what lies there; or the game is right, and the
table is led back place by place. Neither is ever decided by the companion.
"""

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Final, Generic, TypeVar

from msgspec.structs import replace

from companion.language.message import listed, message_of, say, sequence
from companion.referee.clerk import Clerk
from companion.referee.game import EMPTY, Game, Table
from companion.referee.known_secrets import has_known_secrets
from companion.referee.notices import Ask, Candidate, Illegal
from companion.referee.observation_judge import ObservationJudge
from companion.referee.transient_notices import TransientNotice
from companion.referee.wording import differing
from companion.rules.base import RulesError
from companion.session.events import TableAdopted
from companion.session.history import Act

S = TypeVar("S")
A = TypeVar("A")

ADOPT: Final = "adopt"
"""Followed by whose turn it is on the table that is seen, and by what the move to it has used."""
NO: Final = "no"
FORGOTTEN: Final = say(
    "The companion may have lost track of some pieces or cards: enter what you see"
)
MAX_CHANGES: Final = 4
"""Of more places in which a table is new, only so many are named."""
NOTHING_TO_ADOPT: Final = say("as far as the camera has seen, the table agrees with the game")


class CannotAgree(RulesError):
    """No table stands against the game, or the game could not go on from it."""


class TableDispute(Generic[S, A]):
    """What people may say of a table that is not as the game has it."""

    def __init__(self, clerk: Clerk[S, A], judge: ObservationJudge[S, A]) -> None:
        self._clerk = clerk
        self._judge = judge
        judge.ask_whose_turn = self._ask_whose_turn

    @property
    def can_adopt(self) -> bool:
        """Whether a table was seen that stands against the game."""
        return isinstance(self._clerk.doubt.question, Illegal)

    @property
    def can_lead_back(self) -> bool:
        """Whether such a table may be led back, and is not yet."""
        return self.can_adopt and not self._clerk.doubt.is_leading

    def ask_to_adopt(self) -> None:
        """Show what is seen and ask whether to go on from there, and whose turn it is then.

        Raises CannotAgree if no such table was seen, or if the game could not go on from it.
        """
        asked = self._asked()
        found = self._adoptable(asked.seen, asked.frame)
        no = Candidate((NO,), say("No, put the table back"))
        answers = [partial(self._ask_for_costs, event) for event in found]
        candidates = (*map(self._yes, found), no)
        notice = Ask(asked.frame, self._play_on(found[0].table), candidates)
        self._clerk.ask(notice, [*answers, self.lead_back])

    def _ask_whose_turn(self, seen: Table, frame: str) -> bool:
        """Ask whose turn it is on the table that *frame* shows; one tap, and the game goes on.

        What the moves to it have used up is not asked: nobody saw how many there were. False if the
        game could not go on from it.
        """
        clerk = self._clerk
        try:
            found = self._adoptable(seen, frame)
        except CannotAgree:
            return False
        why, remedy = say("Whose turn is it?"), self._play_on(found[0].table)
        notice = Illegal(
            frame,
            differing(clerk.shown, seen),
            sequence([why, remedy]),
            clerk.shown,
            seen,
            candidates=tuple(map(self._yes, found)),
            why=why,
            remedy=remedy,
        )
        clerk.ask(notice, [partial(self.adopt, event) for event in found])
        return True

    def _yes(self, event: TableAdopted) -> Candidate:
        if event.seat is None:
            return Candidate((ADOPT,), say("Yes"))
        player = self._clerk.session.header.players[event.seat]
        return Candidate(
            (f"{ADOPT} {event.seat}",), say("Yes. It is {player}’s turn", player=player)
        )

    def _play_on(self, table: Table) -> str:
        changes = self._clerk.words.places(table, self._clerk.shown, MAX_CHANGES)
        return say("Play on with the table as it is now? New: {changes}.", changes=changes)

    def adopt_at_once(self, seat: int, used: str) -> None:
        """Adopt what is seen, with the turn at *seat*, as who is asked would answer.

        Raises CannotAgree if no such table was seen, or if the game could not go on so.
        """
        asked = self._asked()
        found = self._adoptable(asked.seen, asked.frame)
        event = next((each for each in found if each.seat in (None, seat)), None)
        costs = self._clerk.game.adoption_costs(self._clerk.state, seat)
        if event is None:
            turns = listed((str(each.seat) for each in found), "units")
            raise CannotAgree(
                say(
                    "then it cannot be the turn of seat {seat}, only of {turns}",
                    seat=seat,
                    turns=turns,
                )
            )
        if used and used not in costs:
            words = listed(costs, "units") or say("nothing")
            raise CannotAgree(
                say(
                    "“{used}” cannot have been used for it; possible: {words}",
                    used=used,
                    words=words,
                )
            )
        self.adopt(replace(event, used=used))

    def adopt(self, event: TableAdopted) -> None:
        """Log that the people adopt a table, and go on from there.

        Raises ReplayError if the game could not go on from it, or LogError; nothing has changed
        then.
        """
        clerk, judge = self._clerk, self._judge
        with clerk.together():
            clerk.accept(event)
            clerk.settle()
            if event.frame is not None:
                judge.note_accepted(event.frame)
            sentence = adoption_sentence(event.seat, clerk.session.header.players)
            if has_known_secrets(clerk.game, clerk.session.history):
                sentence = say("{sentence}. {more}", sentence=sentence, more=FORGOTTEN)
            clerk.conclude(TransientNotice("remark", words=sentence))
            judge.reconsider()

    def lead_back(self) -> None:
        """Accept nothing until the table shows what the game has, and name the wrong places.

        Raises CannotAgree if no such table was seen.
        """
        clerk = self._clerk
        if not clerk.doubt.is_leading and clerk.doubt.question is None:
            raise CannotAgree(NOTHING_TO_ADOPT)
        clerk.settle()
        wanted, seen = clerk.shown, clerk.sight.table
        if differing(wanted, seen):
            clerk.doubt.is_leading = True
            clerk.ask(clerk.words.lead_back(wanted, seen))

    def _asked(self) -> Illegal:
        asked = self._clerk.doubt.question
        if not isinstance(asked, Illegal):
            raise CannotAgree(NOTHING_TO_ADOPT)
        return asked

    def _adoptable(self, seen: Table, frame: str | None) -> list[TableAdopted]:
        """Return one event for each turn with which the game could go on; raises CannotAgree."""
        game, state, last = self._clerk.game, self._clerk.state, self._clerk.sight.last
        frame = frame or (last.frame if last is not None else None)
        table = _known(seen, self._clerk.shown)
        found: list[TableAdopted] = []
        refused: str = say("nobody could play on from there")
        for seat in _turns(game, state):
            event = TableAdopted(table, seat, frame=frame)
            try:
                game.adopt(state, event)
            except RulesError as error:
                refused = message_of(error)
            else:
                found.append(event)
        if not found:
            raise CannotAgree(say("the game cannot go on from this table: {why}", why=refused))
        return found

    def _ask_for_costs(self, event: TableAdopted) -> None:
        """Adopt the table, once people have said what the move to it has used up, if anything."""
        clerk = self._clerk
        costs = clerk.game.adoption_costs(clerk.state, event.seat)
        if not costs:
            self.adopt(event)
            return
        seat = clerk.game.expected(clerk.state)
        name = say("nobody") if seat is None else clerk.session.header.players[seat]
        options = {**costs, "": say("Nothing")}
        candidates = tuple(
            Candidate((f"{ADOPT} {event.seat} {used}".rstrip(),), options[used]) for used in options
        )
        answers = [partial(self.adopt, replace(event, used=used)) for used in options]
        message = say("What did {player} play?", player=name)
        clerk.ask(Ask(event.frame, message, candidates), answers)


def _known(seen: Table, shown: Table) -> Table:
    """Return *seen*, with what the game has in each place of which nothing is known."""
    pairs = zip_longest(seen, shown, fillvalue=EMPTY)
    return tuple(old if new is None else new for new, old in pairs)


def _turns(game: Game[S, A], state: S) -> Sequence[int | None]:
    """Return whose turn it may be next, who is expected now first; None alone without turns."""
    now = game.expected(state)
    if now is None:
        return (None,)
    seats = sorted(game.playing(state))
    return [*(seat for seat in seats if seat >= now), *(seat for seat in seats if seat < now)]


def adoption_sentence(seat: int | None, players: Sequence[str]) -> str:
    """Return that a table was adopted, and that it is the turn of *seat*, as a line of its own."""
    if seat is None:
        return say("You said that the table was right, although no legal move led there")
    return say(
        "You said that the table was right, although no legal move led there. It was {player}’s"
        " turn then",
        player=players[seat],
    )


def sentence_of(
    act: Act, forms: Sequence[str], game: Game[Any, Any], players: Sequence[str]
) -> str:
    """Return what *act* was as a line of its own; *forms*: what everyone may read of it."""
    if act.adopted is not None:
        return adoption_sentence(act.adopted.seat, players)
    return game.sentence(act.seat, forms, players)
