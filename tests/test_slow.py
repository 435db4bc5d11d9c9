"""Which tests run when: none may be lost between the quick run and the slow one."""

import pytest

from tests.conftest import deselect, is_slow


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


class Asked:
    """What a run was asked for."""

    def __init__(self, *, slow: bool, args: tuple[str, ...] = ()) -> None:
        self.slow = slow
        self.invocation_params = self
        self.args = args
        self.hook = self
        self.left: list[pytest.Item] = []

    def getoption(self, name: str) -> bool:
        """Return whether the slow tests were asked for."""
        assert name == "--slow"
        return self.slow

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Note what was left out."""
        self.left += items


def run(request: pytest.FixtureRequest, asked: Asked) -> list[pytest.Item]:
    """Return what is left of one test when *asked* chooses."""
    items: list[pytest.Item] = [request.node]
    deselect(items, asked)  # type: ignore[arg-type]
    assert len(items) + len(asked.left) == 1
    return items


def test_each_test_runs_either_quickly_or_slowly(request: pytest.FixtureRequest) -> None:
    """Together the two runs hold every test."""
    assert run(request, Asked(slow=False))
    assert not run(request, Asked(slow=True))
    request.node.add_marker(pytest.mark.slow)
    assert not run(request, Asked(slow=False))
    assert run(request, Asked(slow=True))


def test_a_test_asked_for_by_name_always_runs(request: pytest.FixtureRequest) -> None:
    """Who names one test means it."""
    request.node.add_marker(pytest.mark.slow)
    assert run(request, Asked(slow=False, args=("tests/test_slow.py::test_this",)))
