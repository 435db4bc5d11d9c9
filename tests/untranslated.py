"""What a page says in English only: every text that did not come as a message.

Pages are rendered in a language that marks whatever it translates; what bears no mark and has
letters is a text that nobody can translate.
"""

import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from typing import Final

from companion.language.catalogue import LANGUAGES
from companion.rules.tiki_topple import TIKIS
from tests.tables import NAMES

OPENED: Final = "⟦"
CLOSED: Final = "⟧"
READ_ALOUD: Final = ("aria-label", "alt", "title", "placeholder")
HIDDEN: Final = ("script", "style", "template", "time")
"""What nobody reads, and what a library writes in the reader's language."""
NAMED: Final = (
    *NAMES,
    *(tiki.capitalize() for tiki in TIKIS),
    *("Tiki Companion", *LANGUAGES.values(), "TIKI", "TAC", "TIKI’s"),
)
"""What is the same in all languages: names of people, of tikis, of languages and of tribes."""
WORD: Final = re.compile(r"[^\W\d_]{2,}")


class Marked:
    """A language that marks whatever it translates."""

    def text(self, english: str, context: str = "") -> str:
        """Return *english* between marks; *context* makes no difference."""
        del context
        return f"{OPENED}{english}{CLOSED}"

    def counted(self, one: str, many: str, number: int) -> str:
        """Return the English form between marks."""
        return self.text(one if number == 1 else many)

    def listed(self, items: list[str], style: str) -> str:
        """Return the items with marked joints."""
        return f" {OPENED}{style}{CLOSED} ".join(items)

    def decimal(self, number: float) -> str:
        """Return *number* plainly."""
        return f"{number:g}"


class _Texts(HTMLParser):
    """Collects all that is read, or read aloud, of a page, with the marks around each piece.

    A message may have tags in it, and then it is read in pieces.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a text that is read aloud."""
        if tag in HIDDEN or ("translate", "no") in attrs:
            self._open.append(tag)
        self.found += [value for name, value in attrs if name in READ_ALOUD and value]

    def handle_endtag(self, tag: str) -> None:
        """Note that what nobody reads has ended."""
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Note a text that is read."""
        if not self._open:
            self.found.append(OPENED * self._depth + data)
            self._depth = max(self._depth + data.count(OPENED) - data.count(CLOSED), 0)


def without_marks(text: str) -> str:
    """Return what of *text* stands outside all marks.

    >>> without_marks("a ⟦b ⟦c⟧ d⟧ e")
    'a  e'
    """
    depth, kept = 0, []
    for letter in text:
        depth += letter == OPENED
        if depth == 0:
            kept.append(letter)
        depth -= letter == CLOSED and depth > 0
    return "".join(kept)


def untranslated(html: str, names: Collection[str] = ()) -> Iterator[str]:
    """Yield every text of a page that has words outside all marks.

    names: what is the same in all languages.

    >>> list(untranslated("<p title='⟦a⟧'>⟦b⟧ Ann</p><i>by hand</i>", ["Ann"]))
    ['by hand']
    >>> list(untranslated("<p>⟦a <b>⟦red⟧</b> card⟧ lies</p>"))
    ['⟦ card⟧ lies']
    """
    texts = _Texts()
    texts.feed(html)
    for text in texts.found:
        rest = without_marks(text)
        for name in sorted(names, key=len, reverse=True):
            rest = rest.replace(name, " ")
        if WORD.search(rest):
            yield " ".join(text.split())
