"""The clauses that docs/rules explains, and where they are cited."""

import re
from pathlib import Path

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
