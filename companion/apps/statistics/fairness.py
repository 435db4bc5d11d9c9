"""Does the idol favour someone?  What the logged spins show, and what they cannot show.

Counted are trusted spins of at least a full turn, each for the seat on whose side of the half-way
lines it ended: margins matter in play, not in the statistics.  The page may be looked at after
every spin, so the test holds however often and whenever anybody looks (`evidence`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, exp
from typing import Final

from companion.apps.statistics.evidence import log_evidence, share_bounds, usual_calls
from companion.language.message import Message, say, say_count
from hardware.facts import Spun
from hardware.sectors import TURN_DEG, Sectors

PETALS: Final = 36
ALPHA: Final = 0.05
"""In so many games at most a fair idol is ever called unfair, however often anybody looks."""
REPORTED_BIAS: Final = 0.5
"""The bias that the words mention, as one and a half times."""
MIN_POWER: Final = 0.8
MOST_SPINS: Final = 1000
"""Nobody spins it oftener in one game; how soon a bias shows is not drawn beyond."""
RAREST: Final = 1000
"""Nobody can tell rarer chances apart by feeling."""
MOST_LOG: Final = 700.0
MIN_SPINS_A_SEAT: Final = 1.0
"""Below so many expected spins at a seat the words say nothing but that they are too few."""


@dataclass(frozen=True, slots=True)
class Petal:
    """A part of the circle, in degrees clockwise, and how many spins ended there."""

    from_deg: float
    to_deg: float
    spins: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How often a seat was hit, how often is fair, and its share of the circle, 0 to 1.

    deg: where the seat is, in degrees clockwise.  low, high: between what its true share of the
        spins lies, 0 to 1; right for all seats at every look of 19 games in 20 at least.
    """

    seat: int
    spins: int
    fair: float
    share: float
    deg: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Notice:
    """Whether `REPORTED_BIAS` would be noticed.

    chance: that so many spins have shown it by now, 0 to 1.  needed: how many spins show it in 8 of
    10 games; None: more than `MOST_SPINS`.
    """

    chance: float
    needed: int | None


@dataclass(frozen=True, slots=True)
class Fairness:
    """All that a page needs.

    spins: how many count.  left_out: void or not trusted.  rose: equal parts of the circle.
    rarity: in one of so many games at most a fair idol ever looks like this; up to 1: nothing.
    notice: what would have been noticed, at the seat that is hardest to tell.
    """

    spins: int
    left_out: int
    rose: tuple[Petal, ...]
    seats: tuple[Standing, ...]
    rarity: float
    notice: Notice

    @property
    def is_uneven(self) -> bool:
        """Whether the idol may be called unfair."""
        return self.rarity >= 1 / ALPHA

    def words(self, players: Sequence[str]) -> tuple[Message, ...]:
        """Return what it comes to, in sentences for *players*, the names by seat."""
        if not self.spins:
            return (say("No spin of the idol has been measured in this game yet."),)
        if self.is_uneven:
            return self._uneven(players)
        if min(standing.fair for standing in self.seats) < MIN_SPINS_A_SEAT:
            return (
                say_count(
                    "{number} spin is too few to tell whether the idol is fair.",
                    "{number} spins are too few to tell whether the idol is fair.",
                    self.spins,
                ),
            )
        return (
            say_count(
                "{number} spin shows nothing unfair.",
                "{number} spins show nothing unfair.",
                self.spins,
            ),
            self._certainty(),
        )

    def _uneven(self, players: Sequence[str]) -> tuple[Message, ...]:
        most = max(self.seats, key=lambda standing: standing.spins - standing.fair)
        pointed = say(
            "The idol may not be fair: {number} of {spins} spins ended at {player}; about"
            " {fair} would be normal.",
            number=most.spins,
            spins=self.spins,
            player=players[most.seat],
            fair=round(most.fair),
        )
        odds = say("A fair idol would ever look like this in fewer than 1 of 1000 games.")
        if self.rarity < RAREST:
            odds = say(
                "A fair idol would ever look like this in at most 1 of {number} games, however"
                " often anyone checks.",
                number=int(self.rarity),
            )
        advice = say("Check that the table is level and that the idol turns freely.")
        return pointed, odds, advice

    def _certainty(self) -> Message:
        if self.notice.chance >= MIN_POWER:
            return say(
                "If it pointed at one player one and a half times as often as it should, these"
                " spins would most likely show it."
            )
        shown = say(
            "If it pointed at one player one and a half times as often as it should, this would"
            " have shown by now in {games} of 10 games.",
            games=round(self.notice.chance * 10),
        )
        if self.notice.needed is None:
            return shown
        return say(
            "{shown} About {number} spins would make it fairly certain.",
            shown=shown,
            number=self.notice.needed,
        )


def assess_fairness(spins: Iterable[Spun], sectors: Sectors, petals: int = PETALS) -> Fairness:
    """Return what *spins* say about the idol; of several with the same time the last one counts.

    petals: how many parts the rose has.
    """
    latest = {spun.at_s: spun for spun in spins}
    angles = [spun.angle_deg for spun in latest.values() if spun.trusted and not spun.void]
    shares = sectors.shares
    counts = dict.fromkeys(shares, 0)
    for angle_deg in angles:
        counts[sectors.nearest(angle_deg)] += 1
    total = len(angles)
    evidence = log_evidence(tuple(counts.values()), tuple(shares.values()))
    seats = []
    for seat, share in shares.items():
        low, high = share_bounds(counts[seat], total, share, ALPHA / len(shares))
        deg = sectors.angles_deg[seat]
        seats.append(Standing(seat, counts[seat], total * share, share, deg, low, high))
    return Fairness(
        spins=total,
        left_out=len(latest) - total,
        rose=_rose(angles, petals),
        seats=tuple(seats),
        rarity=exp(min(evidence, MOST_LOG)),
        notice=_notice(tuple(shares.values()), total),
    )


def biased(bias: float, shares: Sequence[float]) -> tuple[float, ...]:
    """Return *shares* with the smallest one grown by *bias*, the others shrunk alike.

    >>> biased(0.5, [0.25, 0.25, 0.5])
    (0.375, 0.20833333333333334, 0.4166666666666667)
    """
    favoured = shares.index(min(shares))
    grown = shares[favoured] * (1 + bias)
    rest = (1 - grown) / (1 - shares[favoured])
    return tuple(grown if seat == favoured else share * rest for seat, share in enumerate(shares))


def _notice(shares: tuple[float, ...], total: int) -> Notice:
    if len(shares) < 2:
        return Notice(0.0, None)
    first = usual_calls(shares, biased(REPORTED_BIAS, shares), 1 / ALPHA, MOST_SPINS)
    needed = first[ceil(MIN_POWER * len(first)) - 1]
    return Notice(float((first <= total).mean()), int(needed) if needed <= MOST_SPINS else None)


def _rose(angles: list[float], petals: int) -> tuple[Petal, ...]:
    wide_deg = TURN_DEG / petals
    ended = [0] * petals
    for angle_deg in angles:
        ended[int(angle_deg % TURN_DEG // wide_deg) % petals] += 1
    return tuple(
        Petal(place * wide_deg, (place + 1) * wide_deg, spins) for place, spins in enumerate(ended)
    )
