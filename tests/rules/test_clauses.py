"""The clauses of docs/rules against the code and the tests."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
CLAUSE = re.compile(r"\b(?:TT|TA|TO|TP|UT|SS)-\d+\b")


def cited(*places: Path) -> set[str]:
    """Return every clause id in these files, and in the Python files of these folders."""
    files = [
        file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))
    ]
    return set(CLAUSE.findall("\n".join(file.read_text(encoding="utf-8") for file in files)))


def defined(page: str) -> list[str]:
    """Return the ids that *page* explains, in its order."""
    return re.findall(r"^\*\*((?:TT|TA|TO|TP|UT|SS)-\d+) ", page, re.MULTILINE)


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
