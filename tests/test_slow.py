"""Which tests run when: none may be lost between the quick run and the slow one, or its parts."""

import argparse

import pytest

from tests.conftest import is_in_part, is_slow, part_of, select


def test_a_test_is_slow_by_its_mark_alone(request: pytest.FixtureRequest) -> None:
    """Nothing but a mark makes a test slow."""
    assert not is_slow(request.node)
    request.node.add_marker(pytest.mark.slow)
    assert is_slow(request.node)


@pytest.mark.parametrize("kind", ["kept", "other"])
def test_parameters_that_are_kept_run_quickly(request: pytest.FixtureRequest, kind: str) -> None:
    """Of a slow test those parameters run quickly whose id contains a text that is kept."""
    request.node.add_marker(pytest.mark.slow(keep=["kept]", "elsewhere"]))
    assert is_slow(request.node) == (kind == "other")


def runs(item: pytest.Item, *, slow: bool, args: tuple[str, ...] = ()) -> bool:
    """Return whether *item* runs; it is in one of the two runs, and in one only."""
    chosen, others = select([item], slow=slow, args=args)
    assert chosen + others == [item]
    return bool(chosen)


def test_each_test_runs_either_quickly_or_slowly(request: pytest.FixtureRequest) -> None:
    """Together the two runs hold every test."""
    assert runs(request.node, slow=False)
    assert not runs(request.node, slow=True)
    request.node.add_marker(pytest.mark.slow)
    assert not runs(request.node, slow=False)
    assert runs(request.node, slow=True)


def test_a_test_asked_for_by_name_always_runs(request: pytest.FixtureRequest) -> None:
    """Who names one test means it."""
    request.node.add_marker(pytest.mark.slow)
    assert runs(request.node, slow=False, args=("tests/test_slow.py::test_this",))


@pytest.mark.parametrize("number", range(3))
def test_each_test_is_in_one_part(request: pytest.FixtureRequest, number: int) -> None:
    """All parts together hold every test, and none twice."""
    parts = [(part, 6) for part in range(1, 7)]
    assert sum(is_in_part(request.node, part) for part in parts) == 1, number
    chosen = [select([request.node], slow=False, part=part)[0] for part in parts]
    assert [item for items in chosen for item in items] == [request.node]


@pytest.mark.parametrize("given", ["0/6", "7/6", "6", "1/0", "-1/6", "a/b", ""])
def test_a_part_that_is_none_is_refused(given: str) -> None:
    """A part is a number from one up to how many there are."""
    assert part_of("2/6") == (2, 6)
    with pytest.raises(argparse.ArgumentTypeError, match="names no part; 2/6 is the second of six"):
        part_of(given)
