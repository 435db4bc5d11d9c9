"""The fold: from the entries of a log to the current game.

Where the table cannot tell which of two actions was played, both live on as *branches* that show
the same table, until later play rules one out.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from companion.rules.base import Rules, RulesError
from companion.session.events import (
    ChanceObserved,
    Entry,
    MoveAccepted,
    MoveCorrected,
    MoveUndone,
    SecretEntered,
    TableAdopted,
)

S = TypeVar("S")
A = TypeVar("A")

Table: TypeAlias = tuple[str | None, ...]
MAX_BRANCHES: Final = 64  # more ways in which a game may have gone are not kept apart
_EMPTY: Final = "empty"
ADOPTED: Final = "adopted"
"""The text of an act that no action of the rules is: the table was adopted as it lay there."""


class ReplayError(ValueError):
    """An entry that the rules do not allow after the ones before it."""


class Folded(Protocol[S, A]):
    """What the fold wants of a game; `referee.game.Game` has more."""

    @property
    def rules(self) -> Rules[S, A]:
        """The game's rules."""

    def shown(self, state: S) -> Table:
        """Return what *state* puts into each place."""

    def is_kept(self, action: A) -> bool:
        """Return whether an entered secret counts at once."""

    def key(self, state: S) -> Hashable:
        """Return what is equal for states from which play continues alike."""

    def adopt(self, state: S, adopted: TableAdopted) -> S:
        """Return *state* with the table that the people have adopted; raises RulesError."""


def agree(one: Table, other: Table) -> bool:
    """Return whether both may be the same table; places that one of them leaves out are empty.

    >>> agree(("nani", "empty"), ("nani",)), agree(("nani", "huhu"), (None,))
    (True, False)
    """
    pairs = zip_longest(one, other, fillvalue=_EMPTY)
    return all(mine == yours or mine is None or yours is None for mine, yours in pairs)


@dataclass(frozen=True, slots=True)
class Act:
    """One effective entry that changes the game.

    forms: the texts of the actions it may have been, the likeliest first.
    table: what must lie there afterwards, None if that is not known.
    seat: who acted, None for chance.  frame: the picture that showed it.
    secret: a seat has entered it for itself, and no other entry can be blamed for it.
    shown: it shows what a seat has entered for itself before.
    adopted: the table that the people have adopted, None for all that the rules allow.
    replaces: in whose place it was put; people who take it back get that one back.
    """

    seq: int
    forms: tuple[str, ...]
    table: Table | None
    seat: int | None
    frame: str | None = None
    secret: bool = False
    shown: bool = False
    adopted: TableAdopted | None = None
    replaces: "Act | None" = None


@dataclass(frozen=True, slots=True)
class Branch(Generic[S]):
    """One way in which the game may have gone, or several after which it continues alike.

    choices: the texts that each act, by seq, may have had on the way here.
    """

    state: S
    choices: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def merged(self, other: "Branch[S]") -> "Branch[S]":
        """Return one branch for this and *other*, whose states are equal."""
        return Branch(
            self.state,
            {seq: forms | other.choices.get(seq, forms) for seq, forms in self.choices.items()},
        )


class History(Generic[S, A]):
    """A game with its past: every act that counts, and the branches after each."""

    def __init__(self, game: Folded[S, A], start: S) -> None:
        self._game = game
        self._start = start
        self.acts: list[Act] = []
        self.positions: list[tuple[Branch[S], ...]] = [(Branch(start),)]
        self.secrets: dict[tuple[int, int], str] = {}
        self._replaced: Act | None = None

    @property
    def branches(self) -> tuple[Branch[S], ...]:
        """All ways in which the game may stand now, the likeliest first; never empty."""
        return self.positions[-1]

    @property
    def state(self) -> S:
        """The likeliest state."""
        return self.branches[0].state

    def take(self, entry: Entry) -> None:
        """Follow one entry; raises ReplayError and stays as it was if it does not fit."""
        match entry.event:
            case MoveAccepted(seat, action, also, table, frame):
                self._add_replacing(Act(entry.seq, (action, *also), table, seat, frame))
            case ChanceObserved(action, frame, by, also, table):
                shown = not by and frame is None and action in self.secrets.values()
                forms = (action, *also)
                self._add_replacing(Act(entry.seq, forms, table, None, frame, shown=shown))
            case MoveUndone(undone, _, frame, replaced):
                self._undo(self.index(undone), is_seen=frame is not None, is_replaced=replaced)
            case MoveCorrected(corrects, action):
                self._correct(self.index(corrects), action)
            case SecretEntered(seat, number, action):
                if self._is_kept(action):
                    self.add(Act(entry.seq, (action,), None, seat=None, secret=True))
                self.secrets[(number, seat)] = action
            case TableAdopted(table, _, _, frame):
                self.add(Act(entry.seq, (ADOPTED,), table, None, frame, adopted=entry.event))
            case _:
                pass

    def follow(self, entries: Iterable[Entry]) -> None:
        """Follow several entries in order; raises ReplayError."""
        for entry in entries:
            self.take(entry)

    def copy(self) -> "History[S, A]":
        """Return a history that can continue by itself."""
        twin = History(self._game, self._start)
        twin.acts = list(self.acts)
        twin.positions = list(self.positions)
        twin.secrets = dict(self.secrets)
        twin._replaced = self._replaced
        return twin

    def until(self, count: int) -> "History[S, A]":
        """Return the first *count* acts alone, each of them as what it is known to be by now.

        No secret is due in it: what seats have entered, and the game does not keep, is left out.
        """
        past = History(self._game, self._start)
        past.acts = self.acts[:count]
        past.positions = [self._settled(branches) for branches in self.positions[: count + 1]]
        return past

    def _settled(self, branches: tuple[Branch[S], ...]) -> tuple[Branch[S], ...]:
        """Return those of *branches* that the later acts have left; all if they fit none."""
        if len(branches) == 1:
            return branches
        left = [
            branch
            for branch in branches
            if all(forms & self.forms(seq) for seq, forms in branch.choices.items())
        ]
        return tuple(left) or branches

    def last_move(self) -> Act | None:
        """Return the newest act of a seat that still counts."""
        return next((act for act in reversed(self.acts) if act.seat is not None), None)

    def newest(self) -> Act | None:
        """Return what would be taken back: the newest act that no secret has brought about."""
        return next((act for act in reversed(self.acts) if not (act.secret or act.shown)), None)

    def forms(self, seq: int) -> frozenset[str]:
        """Return all that the act number *seq* may have been, as far as is known now."""
        return frozenset().union(*(branch.choices.get(seq, ()) for branch in self.branches))

    def step(self, place: int) -> tuple[S, str, S]:
        """Return the state before the act at *place*, its text, and the state after it.

        Of several ways in which it may have gone, the likeliest one in which all three fit.
        """
        act, branches = self.acts[place], self.positions[place]
        if len(branches) == len(act.forms) == 1:  # as nearly always, and nothing is to be tried
            return branches[0].state, act.forms[0], self.positions[place + 1][0].state
        known = self.forms(act.seq)
        for form in sorted(act.forms, key=lambda form: form not in known):
            for branch in branches:
                with suppress(RulesError):
                    after = self._state_after(branch.state, act, form)
                    if act.table is None or agree(self._game.shown(after), act.table):
                        return branch.state, form, after
        raise ReplayError(f"entry {act.seq}: {act.forms[0]} is not legal here")

    def index(self, seq: int) -> int:
        """Return the place among the acts of entry number *seq*; raises ReplayError."""
        for place, act in enumerate(self.acts):
            if act.seq == seq:
                return place
        raise ReplayError(f"entry {seq} is not a move that still counts")

    def add(self, act: Act) -> None:
        """Follow one act; raises ReplayError and stays as it was if it is not legal."""
        after = self._after(self.branches, act)
        if not after:
            raise ReplayError(f"entry {act.seq}: {act.forms[0]} is not legal here")
        self.acts.append(act)
        self.positions.append(after)

    def cut(self, place: int) -> None:
        """Forget the act at *place* and all after it, but no secret of a seat that still fits."""
        kept = [act for act in self.acts[place:] if act.secret]
        del self.acts[place:]
        del self.positions[place + 1 :]
        for act in kept:
            with suppress(ReplayError):  # such as a card that was drawn, and no longer is
                self.add(act)

    def _add_replacing(self, act: Act) -> None:
        """Follow *act*, which stands in the place of what was replaced just before."""
        self.add(replace(act, replaces=self._replaced))
        self._replaced = None

    def _undo(self, place: int, *, is_seen: bool, is_replaced: bool) -> None:
        """Take back the act at *place*, and bring back what it had replaced.

        is_seen: a picture shows the table as it was before, so that nothing comes back.
        """
        undone = self.acts[place]
        self.cut(place)
        self._replaced = undone if is_replaced else None
        if undone.replaces is not None and not (is_seen or is_replaced):
            # A correction of what came before may have made it impossible.
            with suppress(ReplayError):
                self.add(undone.replaces)

    def _is_kept(self, action: str) -> bool:
        return self._game.is_kept(self._game.rules.parse_action(action))

    def _correct(self, place: int, action: str) -> None:
        fixed = replace(self.acts[place], forms=(action,), table=None)
        later = self.acts[place + 1 :]
        trial = self.copy()
        del trial.acts[place:], trial.positions[place + 1 :]
        # What was seen after the corrected move was seen of another table than the rules now say.
        for act in (fixed, *map(_unseen, later)):
            trial.add(act)
        self.acts, self.positions = trial.acts, trial.positions

    def _after(self, branches: Sequence[Branch[S]], act: Act) -> tuple[Branch[S], ...]:
        found = []
        for branch in branches:
            for form in act.forms:
                try:
                    state = self._state_after(branch.state, act, form)
                except RulesError:
                    continue
                if act.table is None or agree(self._game.shown(state), act.table):
                    choices = {**branch.choices, act.seq: frozenset((form,))}
                    found.append(Branch(state, choices))
        return self._merged(found)[:MAX_BRANCHES]

    def _state_after(self, state: S, act: Act, form: str) -> S:
        if act.adopted is not None:
            return self._game.adopt(state, act.adopted)
        return self._game.rules.apply(state, self._game.rules.parse_action(form))

    def _merged(self, branches: Iterable[Branch[S]]) -> tuple[Branch[S], ...]:
        """Return *branches* in order, those from which play continues alike as one."""
        found: dict[Hashable, Branch[S]] = {}
        for branch in branches:
            key = self._game.key(branch.state)
            found[key] = found[key].merged(branch) if key in found else branch
        return tuple(found.values())


def _unseen(act: Act) -> Act:
    """Return *act*, and what it replaces, without the tables that were seen."""
    return replace(act, table=None, replaces=act.replaces and _unseen(act.replaces))
