"""The pages of Pebbles: those of all games, and a picture of the heaps."""

from typing import Final

from companion.web.pages.game_pages import Pages


class PebblesPages(Pages):
    """The pages of Pebbles."""

    stage_label = "The heaps"


PAGES: Final = PebblesPages()
