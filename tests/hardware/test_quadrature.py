"""Two wires as steps, and what they cannot do."""

import itertools

import pytest

from hardware.quadrature import EDGES, INDEX, A, B, Quadrature

CLOCKWISE = ((A, True), (B, True), (A, False), (B, False))
"""The edges of one pulse from both wires low, the first wire leading."""


def feed(shaft: Quadrature, edges: list[tuple[int, bool]], start_s: float = 0.0) -> list[int]:
    """Return the steps that *edges* make, a millisecond apart."""
    return [
        shaft.edge(wire, active, start_s + number / 1000)
        for number, (wire, active) in enumerate(edges)
    ]


def test_every_edge_is_a_step() -> None:
    """A pulse has four steps: the first wire leads clockwise, and the way back is minus four."""
    shaft = Quadrature(a=False, b=False)
    assert feed(shaft, list(CLOCKWISE)) == [1] * EDGES
    back = [(wire, not active) for wire, active in reversed(CLOCKWISE)]
    assert feed(shaft, back, 1.0) == [-1] * EDGES
    assert (shaft.position, shaft.missed, shaft.way) == (0, 0, -1)


@pytest.mark.parametrize(("a", "b"), [*itertools.product((False, True), repeat=2)])
def test_it_may_start_anywhere(a: bool, b: bool) -> None:
    """From each pair of levels a whole pulse clockwise is four steps, none of them missed."""
    shaft = Quadrature(a, b)
    start = [(False, False), (True, False), (True, True), (False, True)].index((a, b))
    feed(shaft, [*CLOCKWISE[start:], *CLOCKWISE[:start]])
    assert (shaft.position, shaft.missed) == (EDGES, 0)


@pytest.mark.parametrize("way", [+1, -1])
@pytest.mark.parametrize("gone", range(1, 12))
def test_lost_edges_are_found_unless_they_are_whole_pulses(gone: int, way: int) -> None:
    """Any number in a row lost that is no multiple of four contradicts what is known, soon."""
    whole = [*CLOCKWISE] * 8
    edges = whole if way > 0 else [(wire, not active) for wire, active in reversed(whole)]
    for first in range(EDGES, EDGES * 2):
        shaft = Quadrature(a=False, b=False)
        feed(shaft, edges[:first] + edges[first + gone :])
        assert bool(shaft.missed) == bool(gone % EDGES)


@pytest.mark.parametrize("wire", [A, B])
def test_a_lone_edge_lost_anywhere_is_found(wire: int) -> None:
    """Whichever edge of either wire is lost, the wire's next one tells."""
    edges = [*CLOCKWISE] * 4
    for place in range(wire, EDGES * 2, 2):
        shaft = Quadrature(a=False, b=False)
        feed(shaft, edges[:place] + edges[place + 1 :])
        assert shaft.missed


def test_the_same_edge_twice_is_no_step() -> None:
    """A level that is known already is missed, and the position stays."""
    shaft = Quadrature(a=False, b=False)
    assert feed(shaft, [(A, True), (A, True)]) == [1, 0]
    assert (shaft.position, shaft.missed) == (1, 1)


def test_an_edge_from_the_past_is_no_step() -> None:
    """Edges out of order cannot be counted."""
    shaft = Quadrature(a=False, b=False)
    shaft.edge(A, True, 2.0)
    assert shaft.edge(B, True, 1.0) == 0
    assert shaft.missed == 1


def test_both_wires_at_once_is_missed() -> None:
    """Of two wires that change at the same time nobody knows which was first."""
    shaft = Quadrature(a=False, b=False)
    shaft.edge(A, True, 1.0)
    shaft.edge(B, True, 1.0)
    assert shaft.missed == 1


def test_a_bouncing_wire_loses_nothing() -> None:
    """To and fro on one wire is a step to and fro."""
    shaft = Quadrature(a=False, b=False)
    feed(shaft, [(A, True), (A, False), (A, True), (B, True)])
    assert (shaft.position, shaft.missed) == (2, 0)


def test_a_level_found_without_its_edge_is_missed() -> None:
    """Amending tells a loss once, and the place within the pulse is right again."""
    shaft = Quadrature(a=False, b=False)
    assert (shaft.amend(A, True), shaft.amend(A, True)) == (1, 0)
    assert (shaft.missed, shaft.position) == (1, 1)
    assert shaft.edge(A, False, 1.0) == -1


def test_the_index_has_one_place_whichever_way_it_is_passed() -> None:
    """Only its anticlockwise end marks: rising on the way there, falling on the way back."""
    assert INDEX not in (A, B)
    shaft = Quadrature(a=False, b=False)
    assert not shaft.marks(True)
    shaft.edge(A, True, 0.0)
    assert (shaft.marks(True), shaft.marks(False)) == (True, False)
    shaft.edge(A, False, 1.0)
    assert (shaft.marks(True), shaft.marks(False)) == (False, True)
