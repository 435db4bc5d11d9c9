"""The pages of Pebbles: those of all games, and a picture of the heaps."""

from typing import Final

from companion.web.pages.game_pages import Pages

PAGES: Final = Pages(stage_label="The heaps")
