"""Which tests run when: none may be lost between the quick run and the slow one."""

import pytest

from tests.conftest import is_slow, select


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
