"""The catalogues: every text translated, nothing left over, and nothing lost on the way."""

import re
from collections import Counter
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from companion.language.catalogue import DEFAULT, LANGUAGES
from tests.texts import file_of, renewed, template, text_of

FOREIGN = [name for name in LANGUAGES if name != DEFAULT]
ENDS = (".", "!", "?", ":", "…", "”")
OPEN_TAG = re.compile(r"</?[a-z]+>")


def messages(language: str) -> list[Message]:
    """Return the texts of the catalogue of *language*, without its header."""
    with file_of(language).open("rb") as source:
        return [each for each in read_po(source, locale=language) if each.id]


def forms(of: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the forms of a text: one, or one for each number."""
    return (of,) if isinstance(of, str) else tuple(of or ())


def fields(text: str) -> set[str]:
    """Return the names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def faults(message: Message) -> list[str]:
    """Return what is wrong with a translation."""
    english, foreign = forms(message.id), forms(message.string)
    if not all(foreign) or message.fuzzy:
        return ["not translated"]
    found = []
    # "one turn" may do without its number where the others cannot.
    wanted = fields(english[-1])
    for text in foreign:
        if fields(text) - wanted or (fields(text) != wanted and wanted - fields(text) - {"number"}):
            found.append(f"other names in braces: {sorted(fields(text) ^ wanted)}")
        if "'" in text or '"' in text:
            found.append("a straight quotation mark")
        if "  " in text or text != text.strip():
            found.append("blanks too many")
        if english[-1].endswith(ENDS) != text.endswith((*ENDS, "“", "»")):
            found.append("another end")
    if Counter(OPEN_TAG.findall(english[-1])) != Counter(OPEN_TAG.findall(foreign[-1])):
        found.append("other tags")
    return found


@pytest.mark.parametrize("language", FOREIGN)
def test_every_text_is_translated(language: str) -> None:
    """Nothing is missing, and names, numbers and ends of sentences are where they belong."""
    found = {message.id: wrong for message in messages(language) if (wrong := faults(message))}
    assert found == {}


@pytest.mark.parametrize("language", FOREIGN)
def test_the_catalogue_has_what_the_code_says_and_nothing_else(language: str) -> None:
    """`./run texts` would change nothing."""
    assert text_of(renewed(language)).decode() == file_of(language).read_text(encoding="utf-8")


def test_english_texts_are_set_as_in_print() -> None:
    """Curly quotation marks and apostrophes, single blanks."""
    odd = [
        text
        for message in template()
        if message.id and not message.context  # a small display has its own ways
        for text in forms(message.id)
        if "'" in text or '"' in text or "  " in text
    ]
    assert odd == []


@pytest.mark.parametrize(
    ("english", "foreign", "fault"),
    [
        ("{player} wins", "Es gewinnt jemand", "other names"),
        ("{player} wins", "{player} gewinnt{x}", "other names"),
        ("a b", "a  b", "blanks"),
        ("Ann’s", "Ann's", "a straight"),
        ("It is over.", "Es ist aus", "another end"),
        ("yes", "", "not translated"),
    ],
)
def test_a_fault_is_seen(english: str, foreign: str, fault: str) -> None:
    """Each of the checks can fail."""
    assert any(each.startswith(fault) for each in faults(Message(english, foreign)))
    assert (
        faults(Message(("{number} card", "{number} cards"), ("eine Karte", "{number} Karten")))
        == []
    )
