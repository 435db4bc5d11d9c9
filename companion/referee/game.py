"""What the referee needs of a game beside its rules: how a state looks, and what may happen next.

`Game` is the whole contract, in four parts for those who need one alone; what a game does not have
is left at its default. docs/add-a-game.md leads through it.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from companion.language.message import capitalised, listed, say
from companion.referee.facts import Fact, Traces
from companion.referee.notices import Ask
from companion.referee.own_play import OwnPlay
from companion.referee.transient_notices import TransientNotice, remarked
from companion.rules.base import InvalidAction
from companion.session.events import RoundScored, TableAdopted
from vision import observation

S = TypeVar("S")
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)

Table: TypeAlias = observation.Table
"""One class for each place of a game, such as "tac 3"; None is not known and matches anything."""

EMPTY: Final = observation.EMPTY
"""What a place shows in which nothing lies."""


@dataclass(frozen=True, slots=True)
class Play:
    """What someone may do next, so far as the table shows it.

    seat: whose arm reaches in, None if no player's or nobody knows whose.
    actions: texts of the rules, in order: what no camera shows (a die, a clash) among them.
    table: what lies there afterwards.
    ruling: see `Game.ruling`, of the state afterwards.
    lookalike_places: places in which something new was laid that is named as what lay there.
    """

    seat: int | None
    actions: tuple[str, ...]
    table: Table
    ruling: Hashable
    lookalike_places: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Opening:
    """How a recorded game began: see the rules' `initial`; *secrets*: by seat, what it entered.

    bearings_deg: see `People`.
    """

    options: Mapping[str, Any]
    setup: Mapping[str, Any]
    secrets: tuple[str | None, ...] = ()
    bearings_deg: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why what the table shows is not legal: words, and the clause."""

    message: str
    clause: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action counted as it did: a plain sentence, and the clause.

    Such as "Nani stands first on Ann's card: 9 points"; nothing that only one seat may know.
    """

    message: str
    clause: str


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round ended, until the next one begins.

    number: of the round, from 1.  message: what ended it, in a sentence.  clause: the rule for it.
    points, scores: by seat, of this round and in all.  winners: the seats that won the round.
    reasons: by seat, what the points are made of, a line each.
    places, view: the final table, see `Game.shown` and `Game.view`, as it lay when it was scored.
    """

    number: int
    message: str
    clause: str
    points: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reasons: tuple[tuple[str, ...], ...]
    places: Table
    view: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class People:
    """Who sits at the table, and the text of the newest action that still counts, "" for none.

    bearings_deg: where each seat is, seen from the middle of the mat, 0 at its top, clockwise; ()
        if nobody knows.
    is_sure: whether nothing is open of what has happened, so that it is certain whose turn it is.
    """

    players: Sequence[str]
    newest: str = ""
    bearings_deg: tuple[float, ...] = ()
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a game makes of a fact.

    action: to be played, "" for none.  instead: whether it takes the newest action's place.
    transient_notice: what is announced.  ask: what people have to say before anything counts.
    """

    action: str = ""
    instead: bool = False
    transient_notice: TransientNotice | None = None
    ask: Ask | None = None


def remark(words: str, *seats: int) -> Reaction:
    """Return a reaction of words alone."""
    return Reaction(transient_notice=remarked(words, *seats))


class Playing(OwnPlay[S, A], Protocol[S, A]):
    """What play needs: how a state looks, what may happen next, and who may say so.

    places: on the table, that a camera could read; 0 if none could.
    shifts: whether a play moves what it does not touch, as in a line that closes up.
    """

    places: int = 0
    shifts: bool = False

    def plays(self, state: S) -> Iterable[Play]:
        """Yield what may happen next and be seen; nothing where people or chance have to speak."""
        return ()

    def start(self, seen: Table) -> tuple[str, ...]:
        """Return the actions that *seen* is as a start of a round, () if it is none."""
        return ()

    def expects_start(self, state: S) -> bool:
        """Return whether the pieces of a new round are being put up, and a picture may say how."""
        return False

    def is_unusual_start(self, state: S) -> bool:
        """Return whether a round has just begun while people may still be setting up."""
        return False

    def key(self, state: S) -> Hashable:
        """Return what is equal for states from which play continues alike, whatever led there."""
        return (state,)

    def ruling(self, state: S) -> Hashable:
        """Return what matters of *state* to the people: equal rulings need not be told apart."""
        return state

    def refusal(self, state: S, seen: Table, player: str) -> Refusal | None:
        """Return why *seen* is no legal table, if it looks like something that a rule forbids.

        player: the name of the seat to act.
        """
        return None

    def on_fact(self, state: S, fact: Fact, people: People) -> Reaction | None:
        """Return what *fact* means now, None if this game has no such device."""
        return None

    def overlooked(self, state: S, traces: Traces, people: People) -> Ask | None:
        """Return what to ask before a picture is judged that may hide a play, None if nothing."""
        return None

    def time_limit_s(self, state: S) -> float | None:
        """Return how long the phase of *state* may last, None if there is no clock."""
        return None

    def offers(self, state: S) -> tuple[A, ...]:
        """Return what people may enter now; equal for states that differ in secrets only."""
        return self.rules.legal_actions(state)

    def entry_seat(self, state: S, action: A) -> int | None:
        """Return the one seat, beside the host, that may enter *action*; None if any may."""
        return self.actor(state, action)

    def actor(self, state: S, action: A) -> int | None:
        """Return the seat whose move *action* is, None if no player chose it."""
        return self.rules.turn(state)

    def expected(self, state: S) -> int | None:
        """Return the seat that everyone waits for, None if nobody in particular."""
        return self.rules.turn(state)

    def round_number(self, state: S) -> int:
        """Return the number of the round being played or put up, from 1; the last at the end."""
        return 1


class Adopting(Protocol[S]):
    """What the people need who say that a table is right which nothing explains."""

    def adopt(self, state: S, adopted: TableAdopted) -> S:
        """Return *state* with the table that the people have adopted, and with the turn they say.

        Raises RulesError, in words for the people, if the game could not go on from there.
        """
        raise InvalidAction(say("that is not possible in this game"))

    def adoption_costs(self, state: S, seat: int | None) -> Mapping[str, str]:
        """Return what whoever's turn it is may have used up, by its word; {} if nothing is used.

        seat: whose turn is to be next.
        """
        return {}


class Secrets(Protocol[S_contra, A]):
    """What guards the secrets that one seat alone may know; by default all lies open."""

    def forms(self, state: S_contra, action: A) -> tuple[A, ...]:
        """Return all that *action* may have been, entered where all can read it.

        More than one where its open form leaves out what only one seat may know.
        """
        return (action,)

    def is_secret(self, state: S_contra, action: A) -> bool:
        """Return whether *action* would tell everyone what only one seat may know now."""
        return False

    def is_kept(self, action: A) -> bool:
        """Return whether an entered secret counts at once, unseen; else it is shown once due."""
        return False

    def secrets_due(self, state: S_contra) -> tuple[int, ...]:
        """Return the seats that must show a secret before the game can continue."""
        return ()

    def secrets_entered(self, state: S_contra) -> tuple[int, ...]:
        """Return the seats whose secret the engine knows."""
        return ()

    def plays_by_secrets(self, state: S_contra) -> bool:
        """Return whether a secret that the engine knows decides what is legal."""
        return False

    def public(self, action: str) -> str:
        """Return the text of *action* as everyone may read it."""
        return action

    def disclosed(self, before: S_contra, action: A) -> tuple[A, ...]:
        """Return what *action* after *before* has shown, by secrets that the engine knows.

        So much would have to be entered by people if it knew none.
        """
        return ()


class Explaining(Protocol[S_contra, A_contra]):
    """What tells people of the game, in words.

    clauses: what the rules say under each clause, in plain words, where they need any.
    """

    clauses: Mapping[str, str] = {}

    @abstractmethod
    def words(self, action: str, players: Sequence[str] = ()) -> str:
        """Return *action* in words for people; *players*: names by seat."""

    def sentence(self, seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
        """Return what happened as a line of its own; *forms*: what the action may have been."""
        words = listed((self.words(form, players) for form in forms), "or")
        if seat is None:
            return capitalised(words)
        return say("{player}: {action}", player=players[seat], action=words)

    def place_words(self, place: int, content: str | None) -> str:
        """Return *content* in *place* in words, such as "Kapu in place 3"."""
        return ""

    def wants(self, state: S_contra, players: Sequence[str]) -> tuple[str, str]:
        """Return what is waited for beside the next move, as a word and a sentence; or both ""."""
        return "", ""

    def transient_notice(
        self, before: S_contra, action: A_contra, players: Sequence[str]
    ) -> TransientNotice | None:
        """Return what is announced when *action* has been played after *before*."""
        return None

    def reason(self, before: S_contra, action: A_contra, players: Sequence[str]) -> Reason | None:
        """Return why *action* after *before* scored or counted as it did, None if nobody asks.

        Only what a bystander may know: equal for states that differ in what one seat alone knows.
        """
        return None

    def round_end(
        self, before: S_contra, action: A_contra, players: Sequence[str]
    ) -> RoundEnd | None:
        """Return how the round ended that *action* after *before* has ended, None if it has not.

        The end of a game of one round is such an end too.
        """
        return None

    def clause_words(self, clause: str) -> str:
        """Return what the rules say under *clause*, in plain words; "" if that needs none."""
        return self.clauses.get(clause, "")


class Game(Playing[S, A], Adopting[S], Secrets[S, A], Explaining[S, A], ABC):
    """A game that can be refereed, however the referee comes to know what happens.

    title: as the box has it.  seats: how many may play.
    rows: in so many rows, the far one first, its places lie beside a strip of lights; 0 for none.
    together: whether all players win or lose as one.
    open_setup: the keys of a set-up that hold nothing but what everyone may know.
    """

    title: str
    seats: range
    rows: int = 0
    together: bool = False
    open_setup: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name of its package."""
        return self.rules.NAME

    def usual_options(self) -> dict[str, Any]:
        """Return the options that come from files of the owner's cards; {} if there are none."""
        return {}

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value, the usual one where none is given.

        Raises InvalidSetup.
        """
        begun = self.rules.initial(seats, {**self.usual_options(), **options})
        found: dict[str, Any] = self.rules.state_to_json(begun).get("options", {})
        return found

    def setup(self, first: int | None) -> dict[str, Any]:
        """Return the set-up in which seat *first* begins; None leaves that to chance."""
        return {}

    def recorded(self, replay: Mapping[str, Any], seats: int) -> Opening:
        """Return what the `replay` of a recording says of the game's beginning.

        Raises RulesError, KeyError, TypeError or ValueError.
        """
        return Opening(replay.get("options") or {}, replay.get("setup") or {})

    def rounds(self, state: S) -> int:
        """Return how many rounds the game has; 0 where that depends on how it goes."""
        return 1

    def last_round(self, state: S) -> RoundScored | None:
        """Return the newest scored round."""
        return None

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Return everyone's points now."""

    def playing(self, state: S) -> tuple[int, ...]:
        """Return the seats that take part in this round."""
        return tuple(range(len(self.scores(state))))

    def view(self, state: S) -> dict[str, Any]:
        """Return what a bystander may know of *state*, as plain JSON values, `phase` among them."""
        return self.rules.view(state, None)

    def colours(self, state: S) -> Sequence[str]:
        """Return the colour of each seat's own pieces, see `companion.colours`; () if it has none.

        "" where a seat may have any.
        """
        return ()
