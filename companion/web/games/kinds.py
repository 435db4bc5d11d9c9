"""All games that have pages."""

from typing import Final

from companion.web.games import tiki_topple, topple, uno_tiki
from companion.web.games.pages import Pages
from companion.web.site import Site

KINDS: Final[dict[str, Pages]] = {
    "tiki_topple": tiki_topple.PAGES,
    "topple": topple.PAGES,
    "uno_tiki": uno_tiki.PAGES,
}


def pages_of(site: Site) -> Pages:
    """Return the pages of the game that is on."""
    return KINDS[site.sitting.header.game]
