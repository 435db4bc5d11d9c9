"""Wording: what the referee found, put so that people know what to do next."""

from collections.abc import Sequence
from itertools import groupby, zip_longest
from typing import Final, Generic, TypeVar

from companion.language.message import listed, say, say_count, sequence
from companion.referee.game import EMPTY, Game, Table
from companion.referee.hypotheses import Proposal, Step
from companion.referee.notices import Ask, Candidate, Illegal, distinct_seats
from companion.referee.transient_notices import TransientNotice
from companion.rules.base import RulesError
from companion.session.history import History, agree

S = TypeVar("S")
A = TypeVar("A")

MAX_CANDIDATES: Final = 4  # a Wild may be of four colours; more cannot be told apart by tapping
MAX_FORMS: Final = 3


class Wording(Generic[S, A]):
    """Makes notices of explanations.

    players: names by seat.
    """

    def __init__(self, game: Game[S, A], players: Sequence[str]) -> None:
        self._game = game
        self._players = players

    def illegal(
        self,
        history: History[S, A],
        legal: Sequence[Table],
        seen: Table,
        frame: str,
        unlikely: Sequence[Proposal[S, A]],
    ) -> Illegal:
        """Return what is wrong with *seen* after *history*: places, nearest table and the clause.

        legal: the table as it was, which wins where a move is just as near, and what moves leave.
        """
        nearest = min(legal, key=lambda other: len(differing(other, seen)))
        seat = self._game.rules.turn(history.state)
        player = say("nobody") if seat is None else self._players[seat]
        refusal = self._game.refusal(history.state, seen, player)
        if refusal is None and unlikely:  # nobody is accused of what legal moves explain
            why = _several(unlikely)
        elif refusal and unlikely and [step.forms for step in unlikely[0].steps] == [()]:
            player = self._players[unlikely[0].seat or 0]
            why = say(
                "Did {player} take the last move back? If not: {sentence}.",
                player=player,
                sentence=refusal.message,
            )
        else:
            words = refusal.message if refusal else say("No legal move leads here")
            why = say("{sentence}.", sentence=words)
        places = self.places(nearest, seen)
        remedy = say("Nearest legal position: {places}.", places=places) if places else ""
        return Illegal(
            frame,
            differing(nearest, seen),
            sequence([why, remedy] if remedy else [why]),
            nearest,
            seen,
            refusal.clause if refusal else None,
            self.candidates(unlikely),
            why,
            remedy,
        )

    def put_right(self, wanted: Table, seen: Table) -> Illegal:
        """Return that the table has to follow what the people said: *wanted* instead of *seen*."""
        words = say("Now correct the table: {places}.", places=self.places(wanted, seen))
        return Illegal(None, differing(wanted, seen), words, wanted, seen)

    def lead_back(self, wanted: Table, seen: Table) -> Illegal:
        """Return the first place in which *seen* has to become *wanted*, and how many follow."""
        wrong = differing(wanted, seen)
        first = self._game.place_words(wrong[0], wanted[wrong[0]]) if wrong else ""
        words = say("Put the table back: {place}.", place=first)
        if len(wrong) > 1:
            more = say_count("Then {number} more.", "Then {number} more.", len(wrong) - 1)
            words = sequence([words, more])
        return Illegal(None, wrong[:1], words, wanted, seen)

    def which_table(self, action: str, tables: Sequence[Table], seat: int | None) -> Ask:
        """Return the question which of *tables* the entered *action* of *seat* has left."""
        places = sorted({p for one in tables for other in tables for p in differing(one, other)})
        candidates = (
            Candidate(
                (action,),
                listed((self._game.place_words(p, table[p]) for p in places), "units"),
                whose=() if seat is None else (seat,),
            )
            for table in tables[:MAX_CANDIDATES]
        )
        return Ask(None, say("What does the table look like now?"), tuple(candidates))

    def candidates(self, found: Sequence[Proposal[S, A]]) -> tuple[Candidate, ...]:
        """Return the first few of *found* for people to choose from."""
        return tuple(
            Candidate(
                tuple(
                    self._game.public(step.forms[0]) if step.forms else "undo"
                    for step in proposal.steps
                ),
                self.course(proposal),
                self._meaning(proposal),
                distinct_seats(step.seat for step in proposal.steps),
            )
            for proposal in found[:MAX_CANDIDATES]
        )

    def places(self, wanted: Table, seen: Table, most: int | None = None) -> str:
        """Return what *wanted* has where *seen* differs, in words; of more than *most* not all."""
        words = [
            self._game.place_words(place, wanted[place] if place < len(wanted) else EMPTY)
            for place in differing(wanted, seen)
        ]
        if most is not None and len(words) > most:
            left = len(words) - most
            words[most:] = [say_count("and {number} more", "and {number} more", left)]
        return listed(words, "units")

    def announce(self, step: Step, states: Sequence[S]) -> TransientNotice | None:
        """Return what is announced of *step*, from the one of *states* that it fits."""
        game = self._game
        for state in states:
            for form in step.forms:
                action = game.rules.parse_action(form)
                try:
                    after = game.rules.apply(state, action)
                except RulesError:
                    continue
                if step.table is None or agree(game.shown(after), step.table):
                    return game.transient_notice(state, action, self._players)
        return None

    def _meaning(self, proposal: Proposal[S, A]) -> str:
        """Return how the game would stand, in a sentence."""
        game, state = self._game, proposal.after.state
        if game.rules.outcome(state) is not None:
            return say("The game is over then.")
        scores, before = game.scores(state), game.scores(proposal.before.state)
        turn = game.expected(state)
        told: list[str] = []
        if scores != before:
            standing = [
                say("{player} {score}", player=name, score=score)
                for name, score in zip(self._players, scores, strict=True)
            ]
            told.append(say("The score is then: {scores}.", scores=listed(standing, "units")))
        if turn is not None:
            told.append(say("It is {player}’s turn then.", player=self._players[turn]))
        return sequence(told)

    def course(self, proposal: Proposal[S, A]) -> str:
        """Return what has happened by *proposal*, in words that everyone may read."""
        steps = [self._step(step) for step in proposal.steps]
        match steps:
            case []:
                return say("nothing happened")
            case [first, second]:
                return say("{first}, then {second}", first=first, second=second)
        return listed(steps, "units")

    def _step(self, step: Step) -> str:
        if not step.forms:
            return say("{player} took back the last move", player=self._players[step.seat or 0])
        forms = dict.fromkeys(map(self._game.public, step.forms[:MAX_FORMS]))
        words = listed((self._game.words(form, self._players) for form in forms), "or")
        if step.seat is None:
            return words
        return say("{player}: {words}", player=self._players[step.seat], words=words)


def _several(found: Sequence[Proposal[S, A]]) -> str:
    """Return the question whether what all of *found* are has happened."""
    turns = []
    for proposal in found:
        if any(not step.forms for step in proposal.steps):
            return say("What happened?")
        turns.append(len([*groupby(step.seat for step in proposal.steps if step.seat is not None)]))
    return say("Several moves at once?") if min(turns) > 2 else say("Two moves at once?")


def differing(one: Table, other: Table) -> tuple[int, ...]:
    """Return the places in which two tables certainly differ; those left out are empty."""
    pairs = zip_longest(one, other, fillvalue=EMPTY)
    return tuple(
        place for place, (mine, yours) in enumerate(pairs) if mine != yours and mine and yours
    )
