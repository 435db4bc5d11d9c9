"""How the attacks of a turn may go, asked for all the hundreds of ways in which it may be played.

`legal_actions` proves that for one attack. Here ways in which the ranks may lie are gathered as
they are found: a result that one of them has needs no other proof.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from companion.rules.tactiki.pieces import PIECES, RANKS, RESULTS, Piece, Result, compare
from companion.rules.tactiki.play import known_of, resolved
from companion.rules.tactiki.ranks import Ranks, StepLimitReached, constraints_of, solve
from companion.rules.tactiki.state import Clash, Fact, Removed, State

Ways: TypeAlias = int  # bit n for the n-th way in which the ranks may lie
Met: TypeAlias = tuple[Piece, Piece, Result]

MAX_NEW_WAYS: Final = 100
"""How many ways are made of each that was found, at most."""
_PAIRS: Final = {
    result: tuple(
        (mine, theirs) for mine in RANKS for theirs in RANKS if compare(mine, theirs) == result
    )
    for result in RESULTS
}


def lookahead_of(state: State) -> "Lookahead":
    """Return the lookahead for the turn of *state*, made once for both of its moves."""
    facts = state.facts
    while facts and facts[-1].turn == state.turns:
        facts = facts[:-1]
    return _lookahead(facts, state.ranks)


@lru_cache(maxsize=8)
def _lookahead(
    facts: tuple[Fact, ...], ranks: tuple[tuple[int, ...], tuple[int, ...]]
) -> "Lookahead":
    return Lookahead(facts, ranks)


class Lookahead:
    """How attacks may go from a position on, until a piece returns or ranks are entered."""

    def __init__(
        self, facts: tuple[Fact, ...], ranks: tuple[tuple[int, ...], tuple[int, ...]]
    ) -> None:
        """Begin with the *facts* and the *ranks* that a state has; see `State`."""
        self._facts = facts
        self._known = known_of(ranks)
        everyone = {seat + 2 * k for seat, side in enumerate(ranks) for k in range(len(side))}
        self._constraints = constraints_of(facts, everyone)
        self._pieces = tuple(self._constraints.places)
        self._pairs = self._exchangeable()
        self._having: dict[Piece, list[Ways]] = {piece: [0] * 6 for piece in self._pieces}
        self._ways: set[tuple[int, ...]] = set()
        self._refuted: set[frozenset[Met]] = set()
        self._asked: dict[tuple[tuple[Clash, ...], Piece, Piece], tuple[Result, ...]] = {}

    def outcomes(
        self, state: State, entered_results: tuple[Result, ...] = ()
    ) -> Iterator[tuple[tuple[Result, ...], State]]:
        """Yield every way in which the attack in *state* may go: its results, and what follows.

        No result and *state* itself if no attack waits for one.
        """
        if state.phase != "clash":
            yield entered_results, state
            return
        for result in self.results(state):
            yield from self.outcomes(resolved(state, result), (*entered_results, result))

    def results(self, state: State) -> tuple[Result, ...]:
        """Return how the attacker may fare next in *state*, an attack, as `legal_actions` has it.

        What that lists only because its proof was given up may be missing.
        """
        *_, defender, attacker = state.columns[state.field]
        news = tuple(fact for fact in state.facts[len(self._facts) :] if isinstance(fact, Clash))
        found = self._asked.get((news, attacker, defender))
        if found is None:
            clashes = (Clash(state.turns, attacker, defender, result) for result in RESULTS)
            possible = tuple(clash.result for clash in clashes if self._may(news, clash))
            found = self._asked[news, attacker, defender] = possible or RESULTS
        return found

    def _may(self, news: tuple[Clash, ...], last: Clash) -> bool:
        """Tell whether *last* may happen after *news*, which may."""
        ways = self._meeting(last)
        for clash in news:
            ways &= self._meeting(clash)
        if ways:
            return True
        mine = _met(last)
        together = frozenset((mine, *map(_met, news)))
        if together in self._refuted or any(
            frozenset((mine, other)) in self._refuted for other in together
        ):
            return False
        constraints = constraints_of((*self._facts, *news, last), self._known)
        try:
            solved = solve(constraints, self._known)
        except StepLimitReached:
            return True
        if solved is None:
            self._refuted.add(together)
            return False
        self._gather({piece: solved[number] for piece, number in constraints.places.items()})
        return True

    def _meeting(self, clash: Clash) -> Ways:
        """Return the ways in which *clash* goes as it did."""
        mine, theirs = self._having[clash.attacker], self._having[clash.defender]
        ways = 0
        for ours, other in _PAIRS[clash.result]:
            ways |= mine[ours] & theirs[other]
        return ways

    def _gather(self, solved: dict[Piece, Ranks]) -> None:
        """Keep the way that was *solved*, and those in which pieces have swapped their ranks."""
        fresh = [self._completed(solved)]
        self._keep(fresh[0])
        enough = len(self._ways) + MAX_NEW_WAYS
        for way in fresh:  # it grows meanwhile
            for one, other in self._pairs:
                if len(self._ways) == enough:
                    return
                if way[one] != way[other]:
                    swapped = list(way)
                    swapped[one], swapped[other] = way[other], way[one]
                    if self._explains(swapped, one) and self._explains(swapped, other):
                        found = tuple(swapped)
                        if found not in self._ways:
                            self._keep(found)
                            fresh.append(found)

    def _completed(self, solved: dict[Piece, Ranks]) -> tuple[int, ...]:
        """Return a way: who has met nobody has any of the ranks that are left of two each."""
        way = {piece: ranks.bit_length() - 1 for piece, ranks in solved.items()}
        for seat in (0, 1):
            originals = [
                piece for piece in self._pieces if piece & 1 == seat and _is_original(piece)
            ]
            left = Counter(RANKS * 2)
            left.subtract(way[piece] for piece in originals if piece in way)
            rest = (piece for piece in originals if piece not in way)
            way.update(zip(rest, left.elements(), strict=False))
        return tuple(way[piece] for piece in self._pieces)

    def _keep(self, way: tuple[int, ...]) -> None:
        if way not in self._ways:
            bit = 1 << len(self._ways)
            self._ways.add(way)
            for piece, rank in zip(self._pieces, way, strict=True):
                self._having[piece][rank] |= bit

    def _explains(self, way: Sequence[int], number: int) -> bool:
        """Tell whether *way* allows all that the piece of that *number* has met."""
        rank = way[number]
        return all(left[rank] >> way[other] & 1 for other, left in self._constraints.met[number])

    def _exchangeable(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of a side of which nothing but the clashes tells who has which rank.

        They have stood since the start: what returned depends on what had been defeated.
        """
        dead = {
            fact.defender if fact.result == "win" else fact.attacker
            for fact in self._facts
            if isinstance(fact, Clash) and fact.result != "tie"
        }
        dead |= {fact.piece for fact in self._facts if isinstance(fact, Removed)}
        free = [
            piece
            for piece in self._pieces
            if _is_original(piece) and piece not in dead and piece not in self._known
        ]
        places = self._constraints.places
        return tuple(
            (places[one], places[other])
            for place, one in enumerate(free)
            for other in free[place + 1 :]
            if one & 1 == other & 1
        )


def _is_original(piece: Piece) -> bool:
    return piece >> 1 < PIECES


def _met(clash: Clash) -> Met:
    return clash.attacker, clash.defender, clash.result
