"""The shell of all pages: templates in the reader's language, and whole pages of regions."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup
from starlette.responses import HTMLResponse

from companion import __version__
from companion.colours import COLOURS
from companion.language.catalogue import LANGUAGES
from companion.language.message import capitalised, listed, say, say_as, say_count, sequence
from companion.language.speech import spoken, translated
from companion.referee.countdown import clock_words
from companion.web.http.streams import mark_of

FOLDER: Final = Path(__file__).parent
_SHOWS: Final = re.compile(r'data-shows="([^"]*)"')
"""What the style sheet of the whole page has to know of a piece; static/live.js keeps it so."""


def page_of(
    environment: Environment,
    template: str,
    regions: Mapping[str, str],
    status: int = 200,
    **values: Any,
) -> HTMLResponse:
    """Return a whole page with its *regions* in it; its body says what they show."""
    marked = {name: (mark_of(html), Markup(html)) for name, html in regions.items()}  # noqa: S704
    shown = " ".join(each for html in regions.values() for each in _SHOWS.findall(html))
    html = environment.get_template(template).render(regions=marked, page_shows=shown, **values)
    return HTMLResponse(html, status, {"Content-Language": spoken()})


def colour_sheet() -> str:
    """Return the style sheet of the players' colours."""
    values = (f"--colour-{name}: {colour.screen};" for name, colour in COLOURS.items())
    paints = [
        f":root {{ {' '.join(values)} }}",
        *(
            f".paint-{name} {{ fill: var(--colour-{name}); background: var(--colour-{name}); }}"
            for name in COLOURS
        ),
    ]
    return "\n".join(paints)


class _Compiled(BytecodeCache):
    """What templates were compiled to: games share most of them, and each takes a while."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give *bucket* its code, if this very text was compiled before."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of *bucket*."""
        self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = _Compiled()


def templates(folders: Sequence[Path]) -> Environment:
    """Return what pages are made of, looked for in *folders* in this order; values are escaped."""
    found = Environment(
        loader=FileSystemLoader(folders),
        bytecode_cache=_COMPILED,
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=translated,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "version": __version__,
        "page_shows": "",
        "languages": LANGUAGES,
        "say": say,
        "say_as": say_as,
        "say_count": say_count,
        "listed": listed,
        "sequence": sequence,
        "capitalised": capitalised,
        "spoken": spoken,
        "clock_words": clock_words,
    }
    return found
