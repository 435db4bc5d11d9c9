"""What every game says of its rules: a few plain sentences for each clause, and short help."""

import importlib
import re
from pathlib import Path

import pytest

from companion.language.message import Message
from companion.registry import GAMES, game_of
from tests.rules.clauses import defined

RULES = Path(__file__).parents[2] / "docs" / "rules"
SENTENCE_END = re.compile(r"[.!?](?= |$)")
FOR_PROGRAMS = re.compile(r"[A-Z]{2}-\d|seat \d|['\"]")


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_and_all_help_is_said_in_plain_words(name: str) -> None:
    """Each clause of the document, short, in any language, without ids or straight quotes."""
    told = importlib.import_module(f"companion.games.{name}.help")
    assert list(told.CLAUSES) == defined((RULES / f"{name}.md").read_text(encoding="utf-8"))
    assert len(set(told.CLAUSES.values())) == len(told.CLAUSES)
    for clause, words in told.CLAUSES.items():
        assert game_of(name).clause_words(clause) == words
        assert 1 <= len(SENTENCE_END.findall(words)) <= 4, words
    assert game_of(name).clause_words("XX-1") == ""
    assert 3 <= len(told.SECTIONS) <= 9
    texts = [text for each in told.SECTIONS for text in (each.title, *each.paragraphs)]
    for text in (*told.CLAUSES.values(), *texts):
        assert isinstance(text, Message), text
        assert not FOR_PROGRAMS.search(text), text
        assert len(text) < 400, text
