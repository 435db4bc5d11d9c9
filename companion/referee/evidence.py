"""Evidence: how well a table fits an observation, and what a single observation shows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import log
from typing import Final

from companion.referee.game import EMPTY, Table
from vision.observation import HIDDEN, Evidence, Observation


@dataclass(frozen=True, slots=True)
class Limits:
    """When an explanation is accepted; `./run bench` counts how random games fare with them.

    odds: by which it must beat every other, and "none of these".
    worst: what the worst place must make of it at least, a likelihood from 0 to 1.
    unexplained: the price that "none of these" pays for each place it leaves unexplained, 0 to 1.
    contradicted: how likely the changed places of a play must be together, and each other place,
        beside what they look like most, a ratio from 0 to 1: no rule makes a place show what it
        does not look like.
    hidden_change: the price of a change in a place that is hidden: what cannot be seen is taken to
        be as it was.
    legible: the probability from which on a place is read without asking the rules.
    """

    odds: float = 20.0
    worst: float = 0.1
    unexplained: float = 0.01
    contradicted: float = 0.7
    hidden_change: float = 0.02
    legible: float = 0.6


LIMITS: Final = Limits()
_MIN_UNCHANGED_PROBABILITY: Final = 0.9
"""A place that is unchanged with at least this probability is read as what it was."""
_MIN_HIDDEN_SHARE: Final = 0.5
"""A place that is hidden by more than this share is also read as what it was."""
_MAX_UNCHANGED_IF_NEW: Final = 0.3
"""What looks as it did by no more than this may be new, though it is named as before."""
_HIDDEN_LIKELIHOOD: Final = 0.2
"""The likelihood of whatever may lie in a place that is wholly hidden: above `Limits.worst`, since
not to see is no contradiction."""
INCONCLUSIVE: Final = 0.5
"""The probability that a place is unchanged if its appearance is inconclusive."""
_MIN_COMPARISON: Final = 0.02
"""The lowest probability that a comparison may give; the highest is 1 minus this."""
_MIN_LIKELIHOOD: Final = 1e-3
"""The lowest likelihood of a class: a reader's 0 only means that it has not seen such a case."""
_JOINT_EXPONENT: Final = 0.6
"""The power by which two pictures of one table are joined: they share mistakes, so that any number
of equal ones count at most one and a half times."""


class Fit:
    """What one observation makes of tables.

    before: what lay there when the table was last accepted, None if that is not known.
    Scores are natural logarithms of likelihoods, summed over places.
    """

    def __init__(
        self, observation: Observation, before: Table | None = None, limits: Limits = LIMITS
    ) -> None:
        self.limits = limits
        self._places = observation.places
        self._before = before
        self._unchanged = observation.unchanged if before is not None else ()
        self._known: list[dict[tuple[str | None, bool], tuple[float, float]]] = [
            {} for _ in self._places
        ]
        self._best = [
            max(self._class_likelihood(place, name) for name in self._classes(place))
            for place in range(len(self._places))
        ]
        self._hidden = [
            (place, log(1.0 - seen.of(HIDDEN) * (1.0 - limits.hidden_change)))
            for place, seen in enumerate(self._places)
            if seen.of(HIDDEN) > _MIN_LIKELIHOOD
        ]

    @property
    def has_hidden(self) -> bool:
        """Whether any place is hidden."""
        return bool(self._hidden)

    def looks_new(self, places: frozenset[int]) -> bool:
        """Return whether there are such *places*, and none of them looks as it did."""
        alike = [self._unchanged[place] for place in places if self._unchanged]
        return bool(alike) and max(alike) <= _MAX_UNCHANGED_IF_NEW

    def score(
        self,
        table: Table,
        before: Table | None = None,
        lookalike_places: frozenset[int] = frozenset(),
    ) -> tuple[float, float]:
        """Return the score of *table*, and the likelihood of its worst place.

        before: what lay there until now, None if that is not known.  lookalike_places: see `Play`.
        """
        score, worst = 0.0, 1.0
        for place, known in enumerate(self._known):
            content = table[place] if place < len(table) else EMPTY
            key = (content, place in lookalike_places)
            if key not in known:
                is_new = place in lookalike_places
                likelihood = self._likelihood(place, content, is_new=is_new)
                known[key] = (
                    likelihood,
                    log(likelihood * self._appearance_factor(place, content, is_new)),
                )
            likelihood, part = known[key]
            score += part
            worst = min(worst, likelihood)
        if before is not None:
            score += sum(price for place, price in self._hidden if table[place] != before[place])
        return score, worst

    def contradicting(
        self, table: Table, lookalike_places: frozenset[int] = frozenset()
    ) -> tuple[int, ...]:
        """Return the places that veto *table*: there it is less likely than `Limits.worst`."""
        return tuple(
            place
            for place in range(len(self._places))
            if self._likelihood(
                place,
                table[place] if place < len(table) else EMPTY,
                is_new=place in lookalike_places,
            )
            < self.limits.worst
        )

    def is_seen(
        self, table: Table, before: Table, lookalike_places: frozenset[int] = frozenset()
    ) -> bool:
        """Return whether places look as *table* has them: changed ones together, others singly.

        before: what tells which are changed, beside *lookalike_places*. A change has to be seen, so
        not in a hidden place.
        """
        changed = 1.0
        for place, (content, old) in enumerate(zip(table, before, strict=True)):
            likelihood = self._likelihood(place, content, is_new=place in lookalike_places)
            if content != old or place in lookalike_places:
                changed *= likelihood / max(self._best[place], self._places[place].of(HIDDEN))
                continue
            is_contradicted = likelihood / self._best[place] < self.limits.contradicted
            if is_contradicted or self._is_another(place, old):
                return False
        return changed >= self.limits.contradicted

    def _is_another(self, place: int, content: str | None) -> bool:
        """Return whether *place* looks changed, and nothing shows *content* there any more."""
        if content is None:
            return False
        is_named = self._places[place].of(content) >= self.limits.legible
        return self._unchanged_probability(place) <= _MAX_UNCHANGED_IF_NEW and not is_named

    def unexplained(self, table: Table) -> float:
        """Return the score of "none of these" beside *table*, as which the game stands.

        Any place may show anything, for a price; at least one shows what *table* does not have.
        """
        score, least = 0.0, -float("inf")
        for place, seen in enumerate(self._places):
            content = table[place] if place < len(table) else EMPTY
            mine = log(
                self._likelihood(place, content) * self._appearance_factor(place, content, False)
            )
            others = [name for name in seen.probabilities if name not in (content, HIDDEN)]
            other = max(
                (
                    self._class_likelihood(place, name)
                    * self._appearance_factor(place, name, False)
                    for name in others
                ),
                default=_MIN_LIKELIHOOD,
            )
            theirs = log(self.limits.unexplained * other)
            score += max(mine, theirs)
            least = max(least, theirs - mine)
        return score if least >= 0 else score + least

    def legible(self) -> Table | None:
        """Return the table as a picture without a past shows it; None if any place is doubtful."""
        table = []
        for place, seen in enumerate(self._places):
            old = self._before[place] if self._before is not None else None
            is_hidden = (
                seen.of(HIDDEN) > _MIN_HIDDEN_SHARE
                and self._unchanged_probability(place) > _MAX_UNCHANGED_IF_NEW
            )
            if old is not None and (
                is_hidden or self._unchanged_probability(place) >= _MIN_UNCHANGED_PROBABILITY
            ):
                table.append(old)
                continue
            names = (name for name in seen.probabilities if name != HIDDEN)
            best = max(names, key=seen.of, default=EMPTY)
            if seen.of(best) < self.limits.legible:
                return None
            table.append(best)
        return tuple(table) or None

    def may_be(self, table: Table, others: Iterable[Table]) -> bool:
        """Return whether *table* may be shown: nothing contradicts it, no other beats it."""
        score, worst = self.score(table)
        best = max((self.score(other)[0] for other in others), default=score)
        return worst >= self.limits.worst and score > best - log(self.limits.odds)

    def prefers(self, table: Table, other: Table) -> bool:
        """Return whether *table* is shown rather than *other*, clearly enough to accept a play."""
        return self.score(table)[0] - self.score(other)[0] > log(self.limits.odds)

    def _likelihood(self, place: int, content: str | None, *, is_new: bool = False) -> float:
        return (
            self._best[place]
            if content is None
            else self._class_likelihood(place, content, is_new=is_new)
        )

    def _class_likelihood(self, place: int, name: str, *, is_new: bool = False) -> float:
        """Return how well *name* accounts for what is seen.

        What looks as it did needs no name: it is what it was, and hardly anything new.
        is_new: whether it was laid since, on its twin perhaps.
        """
        seen = self._places[place]
        likelihood = max(seen.of(name) + _HIDDEN_LIKELIHOOD * seen.of(HIDDEN), _MIN_LIKELIHOOD)
        same = self._unchanged_probability(place)
        if same <= INCONCLUSIVE:
            return likelihood
        if is_new or name not in self._previous_classes(place):
            return likelihood * (1.0 - same) / same
        return likelihood + (2.0 * same - 1.0) * (1.0 - likelihood)

    def _appearance_factor(self, place: int, content: str | None, is_new: bool) -> float:
        """Return how well its looking otherwise than it did agrees with *content* in *place*.

        A neighbour's shadow and a nudge change looks too, so that no place contradicts by this.
        """
        same = self._unchanged_probability(place)
        if (
            content is None
            or is_new
            or same >= INCONCLUSIVE
            or content not in self._previous_classes(place)
        ):
            return 1.0
        return same / (1.0 - same)

    def _unchanged_probability(self, place: int) -> float:
        """Return the probability that *place* is unchanged, 0.5 if it was not compared."""
        if not self._unchanged:
            return INCONCLUSIVE
        return min(
            max(self._unchanged[place], _MIN_COMPARISON),
            1.0 - _MIN_COMPARISON,
        )

    def _classes(self, place: int) -> Iterator[str]:
        """Yield what *place* may hold."""
        yield from (name for name in self._places[place].probabilities if name != HIDDEN)
        yield from self._previous_classes(place) or (EMPTY,)

    def _previous_classes(self, place: int) -> tuple[str, ...]:
        """Return what *place* held, as far as that is known."""
        before = self._before[place] if self._before is not None else None
        return () if before is None else (before,)


def may_be_one_table(before: Observation, now: Observation) -> bool:
    """Return whether two pictures may show the same table: in no place each is sure of another."""
    if len(before.places) != len(now.places):
        return False
    return all(
        one.best == other.best or min(one.of(one.best), other.of(other.best)) < LIMITS.legible
        for one, other in zip(before.places, now.places, strict=True)
    )


def combine(before: Observation, now: Observation) -> Observation:
    """Return *now* with what the quiet picture *before* it said of the same table."""
    pairs = zip(before.places, now.places, strict=True)
    places = tuple(_combine_evidence(one, other) for one, other in pairs)
    unchanged = zip(before.unchanged, now.unchanged, strict=False)
    return replace(
        now, places=places, unchanged=tuple((one + other) / 2 for one, other in unchanged)
    )


def _combine_evidence(one: Evidence, other: Evidence) -> Evidence:
    names = {*one.probabilities, *other.probabilities}
    joined = {
        name: (max(one.of(name), _MIN_LIKELIHOOD) * max(other.of(name), _MIN_LIKELIHOOD))
        ** _JOINT_EXPONENT
        for name in names
    }
    total = sum(joined.values())
    return Evidence({name: weight / total for name, weight in joined.items()})
