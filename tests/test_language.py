"""Messages: English for programs, and each reader's own language on pages."""

import copy
import json
import pickle
from collections.abc import Callable

import pytest
from markupsafe import Markup

from companion.language import catalogue
from companion.language.message import (
    Message,
    capitalised,
    listed,
    message_of,
    say,
    say_as,
    say_count,
    sequence,
)
from companion.language.speech import speaking, spoken, translated, translated_json
from companion.rules.base import IllegalAction


class Shouting:
    """A language that is English in capitals, with lists and numbers of its own."""

    def text(self, english: str, context: str = "") -> str:
        """Return *english* as a foreigner would say it."""
        return f"<{context}{english}>"

    def counted(self, one: str, many: str, number: int) -> str:
        """Return one of both, never the English choice."""
        return f"<{many if number == 1 else one}>"

    def listed(self, items: list[str], style: str) -> str:
        """Return *items* with a sign between."""
        return f" {style}+ ".join(items)

    def decimal(self, number: float) -> str:
        """Return *number* with a comma."""
        return f"{number:g}".replace(".", ",")


CASES: list[tuple[Message, str, str]] = [
    (say("{who} moves", who="Ann"), "Ann moves", "<Ann moves>"),
    (say("{a}: {b}", a=say("yes"), b=2.5), "yes: 2.5", "<<yes>: 2,5>"),
    (say_as("card", "Draw"), "Draw", "<cardDraw>"),
    (say_count("{number} card", "{number} cards", 1), "1 card", "<1 cards>"),
    (say_count("{number} card", "{number} cards", 2), "2 cards", "<2 card>"),
    (listed([say("a"), "b", "c"], "or"), "a, b or c", "<a> or+ b or+ c"),
    (sequence([say("One."), "", say("Two.")]), "One. Two.", "<One.> <Two.>"),
]


@pytest.mark.parametrize(("message", "english", "foreign"), CASES)
def test_a_message_is_english_and_can_be_said_in_another_language(
    message: Message, english: str, foreign: str
) -> None:
    """Values within it are translated with it."""
    assert message == english
    assert message.in_language(Shouting()) == foreign


@pytest.mark.parametrize("keep", [copy.copy, copy.deepcopy])
def test_copies_can_still_be_translated(keep: Callable[[Message], Message]) -> None:
    """A scoreboard is copied before it is sent."""
    assert keep(say("yes")).in_language(Shouting()) == "<yes>"


def test_what_leaves_the_process_is_english() -> None:
    """Files and other processes get plain text."""
    assert pickle.loads(pickle.dumps(say("yes"))) == "yes"
    assert json.dumps([say("yes")]) == '["yes"]'


def test_a_sentence_begins_with_a_capital_in_every_language() -> None:
    """It is set after translating."""
    message = capitalised(listed(["einer", "b"]))
    assert isinstance(message, Message)
    assert (str(message), message.in_language(Shouting())) == ("Einer and b", "Einer and+ b")
    assert capitalised("plain") == "Plain"


def test_markup_stays_markup_and_all_else_is_escaped() -> None:
    """A player's name is no part of the page's code."""
    message = say("{sign} {who} & all", sign=Markup("<b>1</b>"), who="<i>")
    page = translated(message)
    assert isinstance(page, Markup)
    assert page == "<b>1</b> &lt;i&gt; &amp; all"


def test_an_error_keeps_its_message() -> None:
    """`str` of an error is plain English; its message can be translated."""
    error = IllegalAction(say("no"), "X-1")
    assert message_of(error) == "no"
    assert isinstance(message_of(error), Message)
    assert message_of(ValueError("plain")) == "plain"
    assert message_of(ValueError()) == ""


def test_the_language_that_is_spoken_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """English unless somebody speaks another; afterwards as before."""
    monkeypatch.setattr("companion.language.speech.language_of", lambda _: Shouting())
    with speaking("de"):
        assert spoken() == "de"
        assert translated(say("yes")) == "<yes>"
        assert translated_json({"a": [say("yes"), 1, "plain"]}) == {"a": ["<yes>", 1, "plain"]}
    assert spoken() == "en"


@pytest.mark.parametrize("language", [name for name in catalogue.LANGUAGES if name != "en"])
def test_libraries_know_lists_and_numbers(language: str) -> None:
    """Each catalogue can be read, and what it lacks stays English."""
    found = catalogue.language_of(language)
    assert found.text("no such text in any catalogue") == "no such text in any catalogue"
    assert found.decimal(2.5) == "2,5"
    assert found.listed(["a", "b"], "and") in ("a und b", "a y b")
    assert found.listed(["a", "b", "c"], "or") in ("a, b oder c", "a, b o c")
    assert found.listed(["a", "b", "c"], "units") == "a, b, c"
    with pytest.raises(KeyError):
        catalogue.language_of("xx")
