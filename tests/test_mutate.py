"""Which modules `./run mutate` alters, and by which tests it tries them."""

from collections import Counter
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.mutate import ROOT, BadPath, choose, prepare, read_parts, score

PARTS = read_parts()


def test_each_part_has_modules_and_tests() -> None:
    """Every pattern finds something, and no module is tried twice."""
    for part in PARTS:
        assert part.modules()
        assert all(list(ROOT.glob(source)) for source in part.sources)
        assert all((ROOT / test).exists() for test in part.tests)
    modules = [module for part in PARTS for module in part.modules()]
    assert len(modules) == len(set(modules))


def test_every_module_of_the_rules_the_referee_and_the_session_is_tried() -> None:
    """A new one does not slip through; one without functions of its own may."""
    tried = {module for part in PARTS for module in part.modules()}
    for package in ("rules", "referee", "session"):
        for path in (ROOT / "companion" / package).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            assert name in tried or "\ndef " not in path.read_text(encoding="utf-8"), name


def test_a_path_chooses_its_modules() -> None:
    """A module, a folder, or everything."""
    assert choose(PARTS, []) == {part: part.modules() for part in PARTS}
    (log,) = choose(PARTS, ["companion/session/log.py"]).values()
    assert log == ("companion/session/log.py",)
    (topple,) = choose(PARTS, ["companion/rules/topple/"]).values()
    assert "companion/rules/topple/play.py" in topple
    assert not any("tiki_topple" in module for module in topple)


@pytest.mark.parametrize("path", ["companion/nothing.py", "tests", "companion/rules/top"])
def test_a_path_that_is_not_tried_is_named(path: str) -> None:
    """The packages that are tried are listed."""
    with pytest.raises(BadPath, match=f"'{path}' is no module or folder of companion/referee, "):
        choose(PARTS, ["companion/session", path])


def test_a_copy_names_its_modules_and_its_tests(tmp_path: Path) -> None:
    """What mutmut reads: a line each."""
    (part,) = choose(PARTS, ["companion/session/log.py"])
    prepare(tmp_path / "copy", part, ["companion/session/log.py"])
    words = ConfigParser()
    words.read(tmp_path / "copy" / "setup.cfg")
    assert words["mutmut"]["only_mutate"].split() == ["companion/session/log.py"]
    assert words["mutmut"]["pytest_add_cli_args_test_selection"].split() == list(part.tests)
    assert (tmp_path / "copy" / "companion" / "session" / "log.py").is_file()
    assert (tmp_path / "copy" / "pyproject.toml").is_file()


def test_a_score_without_a_trial_is_none() -> None:
    """Nothing is divided by nothing."""
    assert score(Counter({"not checked": 3})) == "none tried, 3 not tried"
    assert score(Counter({"killed": 1, "survived": 2})) == "33 %: 1 of 3 noticed"
