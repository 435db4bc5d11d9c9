"""The app's icons: PNG files made of the sign of all pages, by `./run pictures icons`."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from companion.web.pages.installing import ICONS
from companion.web.shell import FOLDER

STATIC: Final = FOLDER / "static"
DRAWN: Final = (*ICONS, ("192", "maskable"))
"""What is drawn: what the manifest names, and an iPhone's, which cuts its own corners."""
SAFE_PERCENT: Final = 88
"""The sign's share of a maskable icon: what it shows stays in the circle of 80 percent."""
WOOD: Final = "#ffa552"


def icon_file(size: str, purpose: str) -> Path:
    """Return where an icon is kept."""
    return STATIC / f"icon-{purpose}-{size}.png"


def draw(browser: Browser, size: str, purpose: str) -> bytes:
    """Return an icon as a PNG; what is outside of the sign is transparent, or of its colour."""
    px = int(size)
    page = browser.new_page(viewport={"width": px, "height": px})
    sign = (STATIC / "icon.svg").read_text(encoding="utf-8")
    is_masked = purpose == "maskable"
    share, ground = (SAFE_PERCENT, WOOD) if is_masked else (100, "none")
    page.set_content(
        f"<style>body {{ margin: 0; height: 100vh; background: {ground}; display: grid;"
        f" place-items: center; }} svg {{ width: {share}%; height: {share}%; }}</style>{sign}"
    )
    png = page.screenshot(omit_background=True)
    page.close()
    return png


def take(browser: Browser) -> None:
    """Draw all icons anew."""
    for size, purpose in DRAWN:
        icon_file(size, purpose).write_bytes(draw(browser, size, purpose))
