"""Which ranks the pieces of TacTiki may have, given what clashes and returns have shown (TA-14).

Each side has two pieces of each rank, and one that returns is one of those defeated before it.
With the clashes this makes a small constraint problem, solved by trying the piece with the fewest
ranks left. The search gives up after `MAX_STEPS` and then answers "possible": nothing is called a
contradiction unproved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from companion.rules.tactiki.pieces import PIECES, RANKS, Piece, Result, compare
from companion.rules.tactiki.state import Clash, Fact, Removed

Known: TypeAlias = Mapping[Piece, int]
Ranks: TypeAlias = int  # bit r for rank r
Domains: TypeAlias = list[Ranks]

MAX_STEPS: Final = 1_500
MAX_VIEW_STEPS: Final = 100  # for each of the many questions behind a view
MAX_DRAW_STEPS: Final = 100  # for ranks drawn at random, often
_ANY: Final[Ranks] = sum(1 << rank for rank in RANKS)


@cache
def _left(result: Result, attacks: bool) -> tuple[Ranks, ...]:
    """Return, by a piece's rank, what is left to the one that it met with *result*."""
    return (
        0,
        *(
            sum(
                1 << other
                for other in RANKS
                if compare(*((rank, other) if attacks else (other, rank))) == result
            )
            for rank in RANKS
        ),
    )


class _RankConstraints(NamedTuple):
    """Facts as constraints; pieces are numbered from 0 here.

    places: a piece's number.  met: by piece, whom it met and what each rank leaves to them.
    together: by piece, the bits of those on its side that once stood on the board with it; no
        three of a rank ever do.
    originals: by seat, its pieces of the set-up.
    tides: by seat, in order of time, who was defeated and who returned (True).
    """

    places: dict[Piece, int]
    met: list[list[tuple[int, tuple[Ranks, ...]]]]
    together: list[int]
    originals: tuple[list[int], list[int]]
    tides: tuple[list[tuple[int, bool]], list[tuple[int, bool]]]


def constraints_of(
    facts: Sequence[Fact], known: Iterable[Piece] = (), doubted: frozenset[int] = frozenset()
) -> _RankConstraints:
    """Return the constraints of *facts*; at the places *doubted* only the defeats count."""
    born = {piece: -1 for piece in known if piece >> 1 < PIECES}
    died: dict[Piece, int] = {}
    for time, fact in enumerate(facts):
        if isinstance(fact, Clash):
            born.setdefault(fact.attacker, -1)
            born.setdefault(fact.defender, -1)
            if fact.result != "tie":
                died[fact.defender if fact.result == "win" else fact.attacker] = time
        elif isinstance(fact, Removed):
            born.setdefault(fact.piece, -1)
            died[fact.piece] = time
        else:
            born[fact.piece] = time
    places = {piece: number for number, piece in enumerate(born)}
    together = [
        sum(
            1 << places[other]
            for other in born
            if other != piece
            and other & 1 == piece & 1
            and born[other] < died.get(piece, len(facts))
            and born[piece] < died.get(other, len(facts))
        )
        for piece in born
    ]
    met: list[list[tuple[int, tuple[Ranks, ...]]]] = [[] for _ in born]
    for time, fact in enumerate(facts):
        if isinstance(fact, Clash) and time not in doubted:
            attacker, defender = places[fact.attacker], places[fact.defender]
            met[attacker].append((defender, _left(fact.result, attacks=True)))
            met[defender].append((attacker, _left(fact.result, attacks=False)))
    tides: tuple[list[tuple[int, bool]], list[tuple[int, bool]]] = ([], [])
    returned = [(time, piece, True) for piece, time in born.items() if time >= 0]
    for _, piece, back in sorted([*returned, *((t, piece, False) for piece, t in died.items())]):
        tides[piece & 1].append((places[piece], back))
    first = tuple(
        [places[piece] for piece in born if born[piece] < 0 and piece & 1 == seat]
        for seat in (0, 1)
    )
    return _RankConstraints(places, met, together, (first[0], first[1]), tides)


# One wide number counts for all 31 sets of ranks at once; a lane whose guard bit goes is negative.
_LANE: Final = 16
_SETS: Final = tuple(range(2, _ANY + 1, 2))
_GUARDS: Final = sum(1 << (_LANE * place + _LANE - 1) for place in range(len(_SETS)))
_TWO_EACH: Final = _GUARDS + sum(
    2 * chosen.bit_count() << (_LANE * place) for place, chosen in enumerate(_SETS)
)
_TOUCHES: Final = tuple(
    sum(1 << (_LANE * place) for place, chosen in enumerate(_SETS) if ranks & chosen)
    for ranks in range(_ANY + 1)
)
_WITHIN: Final = tuple(
    sum(1 << (_LANE * place) for place, chosen in enumerate(_SETS) if ranks & ~chosen == 0)
    for ranks in range(_ANY + 1)
)


def _is_balanced(constraints: _RankConstraints, domains: Domains) -> bool:
    """Tell whether every set of ranks has pieces enough, at the start and for each return."""
    for originals, tide in zip(constraints.originals, constraints.tides, strict=True):
        left = _TWO_EACH
        for piece in originals:
            left -= _WITHIN[domains[piece]]
        if left & _GUARDS != _GUARDS:
            return False
        left = _GUARDS
        for piece, returned in tide:
            if returned:
                left -= _WITHIN[domains[piece]]
                if left & _GUARDS != _GUARDS:
                    return False
            else:
                left += _TOUCHES[domains[piece]]
    return True


class StepLimitReached(Exception):
    """The search was too long; it found neither an assignment nor a contradiction."""


def _settle(
    constraints: _RankConstraints, domains: Domains, of_rank: list[int], piece: int, rank: int
) -> bool:
    """Give *piece* its *rank* in *domains*, and tell whether everyone still has one left.

    of_rank: by rank, the bits of the pieces settled on it.
    """
    bit = 1 << rank
    domains[piece] = bit
    for other, left in constraints.met[piece]:
        domains[other] &= left[rank]
        if not domains[other]:
            return False
    mine = constraints.together[piece]
    twins = of_rank[rank] & mine
    of_rank[rank] |= 1 << piece
    while twins:
        twin = twins.bit_length() - 1
        twins ^= 1 << twin
        full = mine & constraints.together[twin]
        if full & of_rank[rank]:
            return False
        while full:
            other = full.bit_length() - 1
            full ^= 1 << other
            domains[other] &= ~bit
            if not domains[other]:
                return False
    return True


def solve(
    constraints: _RankConstraints,
    known: Known,
    steps: int = MAX_STEPS,
    shuffle: Callable[[list[Any]], None] | None = None,
) -> Domains | None:
    """Return every piece's rank, as a bit, so that all is explained; None if none can be.

    shuffle: puts ranks that are as likely to fit in another order, so that other ranks are found.
    Raises StepLimitReached.
    """
    domains, of_rank, unsettled = (
        [_ANY] * len(constraints.met),
        [0] * 6,
        (1 << len(constraints.met)) - 1,
    )
    for piece, rank in known.items():
        number = constraints.places.get(piece)
        if number is None:
            continue
        if not domains[number] >> rank & 1:
            return None
        if not _settle(constraints, domains, of_rank, number, rank):
            return None
        unsettled ^= 1 << number
    stack = [(domains, of_rank, unsettled)]
    for _ in range(steps):
        if not stack:
            return None
        domains, of_rank, unsettled = stack.pop()
        if not unsettled:
            return domains
        piece = _tightest(constraints, domains, unsettled)
        branches = []
        for rank in RANKS:
            if domains[piece] >> rank & 1:
                after, taken = domains.copy(), of_rank.copy()
                if _settle(constraints, after, taken, piece, rank) and _is_balanced(
                    constraints, after
                ):
                    rivals = (of_rank[rank] & constraints.together[piece]).bit_count()
                    branches.append((rivals, rank, after, taken))
        if shuffle:
            shuffle(branches)
        branches.sort(key=lambda branch: branch[: 1 if shuffle else 2], reverse=True)
        rest = unsettled ^ (1 << piece)
        stack += [(after, taken, rest) for _, _, after, taken in branches]
    raise StepLimitReached


def _tightest(constraints: _RankConstraints, domains: Domains, unsettled: int) -> int:
    """Return the unsettled piece with the fewest ranks left, of those the one that met most."""
    best, fewest = -1, (9, 0)
    for piece, ranks in enumerate(domains):
        if unsettled >> piece & 1:
            tightness = (ranks.bit_count(), -len(constraints.met[piece]))
            if tightness < fewest:
                best, fewest = piece, tightness
    return best


def _is_solvable(constraints: _RankConstraints, known: Known) -> bool:
    try:
        return solve(constraints, known) is not None
    except StepLimitReached:
        return True


def is_possible(facts: Sequence[Fact], known: Known) -> bool:
    """Tell whether some ranks explain *facts*; True as well when that cannot be settled.

    known: the ranks of the pieces where the engine has them.
    """
    return _is_solvable(constraints_of(facts, known), known)


def contradiction(facts: Sequence[Fact], known: Known) -> tuple[Clash, ...]:
    """Return clashes of the impossible *facts* that cannot all have gone as told.

    Doubting any one of them would resolve it.
    """
    doubted: frozenset[int] = frozenset()
    for time, fact in enumerate(facts):
        if isinstance(fact, Clash):
            more = doubted | {time}
            if not _is_solvable(constraints_of(facts, known, more), known):
                doubted = more
    return tuple(
        fact for time, fact in enumerate(facts) if isinstance(fact, Clash) and time not in doubted
    )


def possible_ranks(
    facts: Sequence[Fact], known: Known, pieces: Iterable[Piece]
) -> dict[Piece, tuple[int, ...]]:
    """Return the ranks that each of *pieces* may have for someone who knows *known* and *facts*.

    A rank that is really out of the question may stay when that takes long to prove; never the
    other way round.
    """
    wanted = tuple(pieces)
    constraints = constraints_of(facts, {*known, *wanted})
    found: dict[Piece, Ranks] = dict.fromkeys(wanted, 0)
    for piece in wanted:
        for rank in RANKS:
            if found[piece] >> rank & 1 or known.get(piece, rank) != rank:
                continue
            try:
                solved = solve(constraints, {**known, piece: rank}, MAX_VIEW_STEPS)
            except StepLimitReached:
                found[piece] |= 1 << rank
                continue
            if solved is not None:
                for other in wanted:
                    found[other] |= solved[constraints.places[other]]
    return {
        piece: tuple(rank for rank in RANKS if ranks >> rank & 1) for piece, ranks in found.items()
    }


def draw_ranks(
    constraints: _RankConstraints,
    known: Known,
    shuffle: Callable[[list[Any]], None] | None = None,
) -> dict[Piece, int] | None:
    """Return ranks that explain all, for every piece that the constraints are about.

    What *shuffle* makes of lists decides which; not all ways are equally likely. None if there are
    none, or if they were not found in time.
    """
    try:
        solved = solve(constraints, known, MAX_DRAW_STEPS if shuffle else MAX_STEPS, shuffle)
    except StepLimitReached:
        return None
    if solved is None:
        return None
    return {piece: solved[number].bit_length() - 1 for piece, number in constraints.places.items()}
