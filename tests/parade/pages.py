"""The pages of Parade: those of all games, and a picture of the line."""

from typing import Final

from companion.web.pages.game_pages import Pages


class ParadePages(Pages):
    """The pages of Parade."""

    stage_label = "The line"


PAGES: Final = ParadePages()
