"""The clauses of docs/rules against the code and the tests."""

from pathlib import Path

import pytest

from tests.rules.clauses import cited, defined

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_clause_is_cited_in_code_and_in_a_test_and_the_reverse(page: Path) -> None:
    """No clause without code, no code without a clause, none untested."""
    clauses = defined(page.read_text(encoding="utf-8"))
    prefix = clauses[0].split("-")[0]
    assert clauses == [f"{prefix}-{number}" for number in range(1, len(clauses) + 1)]
    module = ROOT / "companion" / "rules" / page.stem
    in_code = cited(module if module.is_dir() else module.with_suffix(".py"))
    in_tests = cited(*(ROOT / "tests" / "rules").glob(f"test_{page.stem}*.py"))
    assert in_code == set(clauses)
    assert in_tests == set(clauses)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_cites_only_its_own_clauses(page: Path) -> None:
    """A clause named in a page is explained there."""
    assert cited(page) == set(defined(page.read_text(encoding="utf-8")))


def test_the_check_sees_a_missing_clause(tmp_path: Path) -> None:
    """The helpers find what they should, and only that."""
    page = "**TT-1 A.**\ntext (TT-2)\n**TT-3 B.**\n"
    assert defined(page) == ["TT-1", "TT-3"]
    (tmp_path / "a.py").write_text("# TT-2\n")
    assert cited(tmp_path) == {"TT-2"}
