"""What photographed cards add to the pages of a table."""

from typing import Final

from companion.apps.cards import photo_pages, register_pages, sweep_pages
from companion.web.app_pages import AppPages

PAGES: Final = AppPages(
    [*photo_pages.ROUTES, *register_pages.ROUTES, *sweep_pages.ROUTES],
    begin=register_pages.compare_own_cards,
    seat_values=lambda site: {"own_cards": register_pages.has_own_cards(site)},
)
