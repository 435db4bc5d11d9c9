"""Catalogues: what a language says for each English message, from gettext's PO files beside this.

A file is read when somebody first wants its language; Babel knows plurals, lists and numbers.
"""

import io
from gettext import GNUTranslations
from pathlib import Path
from typing import Final, Literal

from companion.language.message import ENGLISH, Language, ListStyle

FOLDER: Final = Path(__file__).parent
DEFAULT: Final = "en"
LANGUAGES: Final = {"en": "English", "es": "Español", "de": "Deutsch"}
"""What can be chosen, each named in itself."""
_STYLES: Final[dict[ListStyle, Literal["standard", "or"]]] = {"and": "standard", "or": "or"}


class Catalogue:
    """A language as its PO file has it; what the file lacks stays English."""

    def __init__(self, name: str, translations: GNUTranslations) -> None:
        self._name = name
        self._translations = translations

    def text(self, english: str, context: str = "") -> str:
        """Return what stands for *english*."""
        if context:
            return self._translations.pgettext(context, english)
        return self._translations.gettext(english)

    def counted(self, one: str, many: str, number: int) -> str:
        """Return what stands for *one* or *many*, as it is said of *number*."""
        return self._translations.ngettext(one, many, number)

    def listed(self, items: list[str], style: ListStyle) -> str:
        """Return *items* as a list in words."""
        from babel.lists import format_list  # noqa: PLC0415 - wanted in few places, and large

        if style == "units":  # of which CLDR, as Babel has it, lacks parts in all our languages
            return ", ".join(items)
        return format_list(items, _STYLES[style], locale=self._name)

    def decimal(self, number: float) -> str:
        """Return *number* with the decimal sign of the language."""
        from babel.numbers import format_decimal  # noqa: PLC0415

        return format_decimal(number, locale=self._name)


_READ: Final[dict[str, Language]] = {DEFAULT: ENGLISH}


def language_of(name: str) -> Language:
    """Return the language *name*; raises KeyError if there is none.

    The first time this reads a file, which takes a Pi as long as several pages; see `is_read`.
    """
    if name not in _READ:
        if name not in LANGUAGES:
            raise KeyError(name)
        _READ[name] = Catalogue(name, _translations(FOLDER / f"{name}.po"))
    return _READ[name]


def is_read(name: str) -> bool:
    """Return whether language *name* is at hand."""
    return name in _READ


def _translations(file: Path) -> GNUTranslations:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - not before it is wanted
    from babel.messages.pofile import read_po  # noqa: PLC0415

    compiled = io.BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=file.stem))
    compiled.seek(0)
    return GNUTranslations(compiled)


def preferred(accepted: str) -> str:
    """Return which language an Accept-Language header asks for; English if it asks for none here.

    >>> preferred("fr;q=0.9, de-AT, en;q=0.5"), preferred("es"), preferred("")
    ('de', 'es', 'en')
    """
    wishes: list[tuple[float, int, str]] = []
    for place, wish in enumerate(accepted.split(",")[:20]):
        tag, _, quality = wish.strip().partition(";")
        name = tag.strip().partition("-")[0].lower()
        if name in LANGUAGES and (weight := _weight(quality)) > 0:
            wishes.append((-weight, place, name))
    return min(wishes)[2] if wishes else DEFAULT


def _weight(quality: str) -> float:
    """Return the weight of a wish, from 0 to 1; 0 for one that cannot be read.

    >>> _weight("q=0.5"), _weight(""), _weight("q=nan")
    (0.5, 1.0, 0.0)
    """
    if not quality.strip():
        return 1.0
    try:
        weight = float(quality.strip().removeprefix("q="))
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0
