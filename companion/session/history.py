"""The fold: from the entries of a log to the game as it stands.

Where the table cannot tell which of two actions was played, both live on as *branches* that show
the same table, until later play rules one out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from companion.rules.base import Rules, RulesError
from companion.session.events import (
    ChanceObserved,
    Entry,
    MoveAccepted,
    MoveCorrected,
    MoveUndone,
    SecretEntered,
)

S = TypeVar("S")
A = TypeVar("A")


class ReplayError(ValueError):
    """An entry that the rules do not allow after the ones before it."""


@dataclass(frozen=True, slots=True)
class Act:
    """One effective entry that changes the game.

    forms: the texts of the actions it may have been, the likeliest first.
    line: what the table must show afterwards, None if that is not known.
    seat: who acted, None for chance.
    """

    seq: int
    forms: tuple[str, ...]
    line: tuple[str, ...] | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class Branch(Generic[S]):
    """One way in which the game may have gone, or several that have come to the same state.

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
    """A game with its past: every act that counts, and the branches after each.

    shown: what a state puts on the table, comparable with an event's `line`.
    """

    def __init__(self, rules: Rules[S, A], start: S, shown: Callable[[S], tuple[str, ...]]) -> None:
        self._rules = rules
        self._shown = shown
        self._start = start
        self.acts: list[Act] = []
        self.positions: list[tuple[Branch[S], ...]] = [(Branch(start),)]
        self.secrets: dict[tuple[int, int], str] = {}

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
        event = entry.event
        match event:
            case MoveAccepted(seat, action, also, line):
                self.add(Act(entry.seq, (action, *also), line, seat))
            case ChanceObserved(action):
                self.add(Act(entry.seq, (action,), None, None))
            case MoveUndone(undone):
                self.cut(self._index(undone))
            case MoveCorrected(corrects, action):
                self._correct(self._index(corrects), action)
            case SecretEntered(seat, number, action):
                self.secrets[(number, seat)] = action
            case _:
                pass

    def follow(self, entries: Iterable[Entry]) -> None:
        """Follow several entries in order; raises ReplayError."""
        for entry in entries:
            self.take(entry)

    def without_last(self, count: int = 1) -> "History[S, A]":
        """Return the history as it was before the last *count* moves of the people."""
        moves = [place for place, act in enumerate(self.acts) if act.seat is not None]
        past = self.copy()
        past.cut(moves[-count])
        return past

    def copy(self) -> "History[S, A]":
        """Return a history that can go on by itself."""
        twin = History(self._rules, self._start, self._shown)
        twin.acts = list(self.acts)
        twin.positions = list(self.positions)
        twin.secrets = dict(self.secrets)
        return twin

    def joined(self, other: "History[S, A]") -> "History[S, A]":
        """Return one history for this and *other*, which differ only in the forms of their acts."""
        both = self.copy()
        both.acts = [
            replace(mine, forms=tuple(dict.fromkeys(mine.forms + yours.forms)))
            for mine, yours in zip(self.acts, other.acts, strict=True)
        ]
        both.positions = [
            _merged((*mine, *yours))
            for mine, yours in zip(self.positions, other.positions, strict=True)
        ]
        return both

    def last_move(self) -> Act | None:
        """Return the newest act of a seat that still counts."""
        return next((act for act in reversed(self.acts) if act.seat is not None), None)

    def forms(self, seq: int) -> frozenset[str]:
        """Return all that the act number *seq* may have been, as far as is known now."""
        return frozenset().union(*(branch.choices.get(seq, ()) for branch in self.branches))

    def _index(self, seq: int) -> int:
        for place, act in enumerate(self.acts):
            if act.seq == seq:
                return place
        raise ReplayError(f"entry {seq} is no move that still counts")

    def add(self, act: Act) -> None:
        """Follow one act; raises ReplayError and stays as it was if it is not legal."""
        after = self._after(self.branches, act)
        if not after:
            raise ReplayError(f"entry {act.seq}: {act.forms[0]} is not legal here")
        self.acts.append(act)
        self.positions.append(after)

    def cut(self, place: int) -> None:
        """Forget the act at *place* and all after it."""
        del self.acts[place:]
        del self.positions[place + 1 :]

    def _correct(self, place: int, action: str) -> None:
        fixed = replace(self.acts[place], forms=(action,), line=None)
        trial = self.copy()
        trial.cut(place)
        # What was seen after the corrected move was seen of another line than the rules now say.
        for act in (fixed, *(replace(act, line=None) for act in self.acts[place + 1 :])):
            trial.add(act)
        self.acts, self.positions = trial.acts, trial.positions

    def _after(self, branches: Sequence[Branch[S]], act: Act) -> tuple[Branch[S], ...]:
        found: list[Branch[S]] = []
        for branch in branches:
            for form in act.forms:
                try:
                    state = self._rules.apply(branch.state, self._rules.parse_action(form))
                except RulesError:
                    continue
                if act.line is None or self._shown(state) == act.line:
                    choices = {**branch.choices, act.seq: frozenset((form,))}
                    found.append(Branch(state, choices))
        return _merged(found)


def _merged(branches: Iterable[Branch[S]]) -> tuple[Branch[S], ...]:
    """Return *branches* in order, those with equal states as one."""
    found: dict[S, Branch[S]] = {}
    for branch in branches:
        known = found.get(branch.state)
        found[branch.state] = known.merged(branch) if known else branch
    return tuple(found.values())
