"""What photographed cards add to the pages of a table."""

from typing import Final

from companion.apps.cards import photo_pages, sweep_pages
from companion.web.app_pages import AppPages

PAGES: Final = AppPages([*photo_pages.ROUTES, *sweep_pages.ROUTES])
