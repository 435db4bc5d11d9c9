"""The pages of Hops: those of all games, its table drawn from its layout."""

from typing import Final

from companion.web.pages.game_pages import Pages

PAGES: Final = Pages()
