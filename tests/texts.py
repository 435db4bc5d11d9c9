"""The catalogues of texts: brings the PO files up to date with what the code says.

    ./run texts    extract every message, and keep in each PO file what is translated already

New messages stand there without a translation, and what nobody says any more is gone.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from companion.language.catalogue import DEFAULT, FOLDER, LANGUAGES

PACKAGE: Final = FOLDER.parent
METHODS: Final = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
OPTIONS: Final = {"**/templates/**.html": {"silent": "false", "encoding": "utf-8"}}
VARIABLE: Final = tuple(
    f'"{name}'.encode()
    for name in ("Project-", "Report-", "POT-", "PO-", "Last-", "Language-Team", "Generated-")
)
KEYWORDS: Final[Mapping[str, Any]] = {
    "say": (1,),
    "mark": (1,),
    "say_count": (1, 2),
    "say_as": ((1, "c"), 2),
}


def extracted() -> Iterator[tuple[str, int, str | tuple[str, ...], str | None]]:
    """Yield where each message is said, and what it is: file, line, text, context."""
    for file, line, text, _, context in extract_from_dir(PACKAGE, METHODS, OPTIONS, KEYWORDS):
        yield file, line, text, context


@cache
def template() -> Catalog:
    """Return a catalogue of all that the code says, without translations."""
    found = Catalog(project="tiki-companion", charset="utf-8")
    for file, _, text, context in extracted():
        # Without line numbers, which change with every commit.
        found.add(text, None, [(f"companion/{file}", 0)], context=context)
    return found


def renewed(language: str) -> Catalog:
    """Return the catalogue of *language* with all that the code says and nothing else."""
    with file_of(language).open("rb") as source:
        catalogue = read_po(source, locale=language)
    # Without fuzzy matching: a translation of something else is worse than English.
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def text_of(catalogue: Catalog) -> bytes:
    """Return what the PO file of *catalogue* holds."""
    target = BytesIO()
    write_po(
        target, catalogue, width=100, omit_header=False, sort_output=True, include_lineno=False
    )
    # Without dates and tools in its header: they would change with every renewal.
    lines = target.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(VARIABLE)).lstrip()


def file_of(language: str) -> Path:
    """Return the PO file of *language*."""
    return FOLDER / f"{language}.po"


def main() -> int:
    """Renew every PO file and tell how much of it is translated."""
    for language in LANGUAGES:
        if language == DEFAULT:
            continue
        catalogue = renewed(language)
        file_of(language).write_bytes(text_of(catalogue))
        missing = sum(
            not message.string or message.string == ("", "") for message in catalogue if message.id
        )
        print(f"{language}: {len(catalogue)} texts, {missing} of them not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
