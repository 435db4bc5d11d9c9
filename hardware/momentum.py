"""The physics of a turning mass: the times of its steps show whether whole pulses are missing.

A spinning idol cannot jump.  It gathers speed while a hand pushes and loses it to friction, so the
time from one step to the next changes little from pulse to pulse.  A wire's owner keeps no more
than a number of edges for a reader who is late; more than that, and edges are gone, always several
in a row.  The steps that remain then show a gap, with full speed before or behind it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.quadrature import EDGES

MIN_GAP_RATIO: Final = 4.0
"""A step that takes so many times the average of the four beside it is a gap.  Steady speed less
one pulse comes to 5; friction that stops the idol right on an edge to 3.3, with edges 30 % uneven
to 3.9."""
MAX_COAST_STEPS: Final = 2.0
"""Steps that may lie between standstill and the first or the last step seen: in truth there is up
to one, and a lost pulse adds four."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much the reader of the wires may fall behind.

    edges: what is kept for it; the kernel of a Pi keeps 16 a wire.
    wait_s: the longest it is kept waiting.  Beside OpenCV edges began to be lost at 800 a second,
        that is after 40 ms; a Pi that swaps takes longer.  With 0.4 s no edge is lost below 80 a
        second, one revolution of 20 pulses.  0 if nothing is ever lost, as on a Pico.
    """

    edges: int = 32
    wait_s: float = 0.4


def find_gap(
    times: Sequence[float],
    backlog: Backlog,
    *,
    confirmed: int = 0,
    ended: bool = True,
    reversals: Collection[int] = (),
) -> float | None:
    """Return how many steps a second the mass made where steps must be missing; None if nowhere.

    times: when each new step in one direction was made, in seconds, oldest first.
    confirmed: up to here all steps are known to be there; if 0 it stood still before the first.
    ended: whether it stood still after the last.
    reversals: the steps after which it was seen to go back and forth, -1 for before the first.

    At the start, at the end, and on both sides of a gap the steps are continued as if the speed
    changed evenly: they must lead to standstill.  If they do not, steps are missing where they can
    have been lost, that is where a full backlog came in less time than the reader may be kept
    waiting; where it went back and forth, which is how a pulse looks that one wire has skipped; and
    where a gap has full speed on both sides.  A hand that stops a fast idol between two steps, or
    strikes it to full speed within a pulse or two, is taken for a loss: the steps look the same.
    """
    if backlog.wait_s <= 0 or not times:
        return None
    last = len(times) - 1
    start, end = (0, +1, -1), (last, -1, last)
    for place, way, shake in (*((start,) if not confirmed else ()), *((end,) if ended else ())):
        if _is_torn(times, place, way) and (
            shake in reversals or _is_full(times, place, way, backlog)
        ):
            return _rate(times, place, way)
    for place in _gaps(times, confirmed):
        torn = [way for way in (-1, +1) if _is_torn(times, place + (way > 0), way)]
        if len(torn) == 2 or (torn and (place in reversals or _is_suspect(times, place, backlog))):
            return _rate(times, place + (torn[0] > 0), torn[0])
    return None


def _gaps(times: Sequence[float], confirmed: int) -> list[int]:
    # The steps after which far more time went by than between those before, or those behind.
    found = []
    last = len(times) - 1
    for place in range(max(0, confirmed - 1), last):
        waited = times[place + 1] - times[place]
        first, final = max(0, place - EDGES), min(last, place + 1 + EDGES)
        before = (times[place] - times[first]) * MIN_GAP_RATIO
        behind = (times[final] - times[place + 1]) * MIN_GAP_RATIO
        if waited * (place - first) > before > 0 or waited * (final - place - 1) > behind > 0:
            found.append(place)
    return found


def _is_torn(times: Sequence[float], place: int, way: int) -> bool:
    return _coast(times, place, way) > MAX_COAST_STEPS


def _is_suspect(times: Sequence[float], place: int, backlog: Backlog) -> bool:
    return _is_full(times, place, -1, backlog) or _is_full(times, place + 1, +1, backlog)


def _is_full(times: Sequence[float], place: int, way: int, backlog: Backlog) -> bool:
    # Did a full backlog of edges come within the wait, from *place* on or up to it?
    end = place + way * (backlog.edges - 1)
    return 0 <= end < len(times) and abs(times[end] - times[place]) <= backlog.wait_s


def _coast(times: Sequence[float], place: int, way: int) -> float:
    # Steps between standstill and *place*, if the speed changed by as much per second as it does
    # over the two pulses beyond, whole ones, so that uneven edges cancel out.  Too few to say: 0.
    far = place + way * 2 * EDGES
    if not 0 <= far < len(times):
        return 0.0
    middle = times[place + way * EDGES]
    near_s, far_s = abs(middle - times[place]), abs(times[far] - middle)
    if near_s <= 0 or far_s <= 0:
        return float("inf")
    near, beyond = EDGES / near_s, EDGES / far_s
    if beyond <= near:
        return float("inf")
    rise = (beyond - near) / ((near_s + far_s) / 2)
    speed = max(0.0, near - rise * near_s / 2)
    return speed * speed / (2 * rise)


def _rate(times: Sequence[float], place: int, way: int) -> float:
    far = min(max(place + way * EDGES, 0), len(times) - 1)
    taken = abs(times[far] - times[place])
    return abs(far - place) / taken if taken else float("inf")
