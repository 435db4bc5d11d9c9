"""A headless browser that draws snapshots of the virtual table as its own camera sees them."""

import base64
import contextlib
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

import companion

if TYPE_CHECKING:
    from playwright.sync_api import Route

CHROMIUMS: Final = (Path("/usr/bin/chromium"), Path("/usr/bin/chromium-headless-shell"))
REMEDY: Final = "sudo apt install chromium libatomic1"
STATIC: Final = Path(companion.__file__).parent / "apps" / "virtual" / "static"
ORIGIN: Final = "http://localhost:1"
"""No server is there: every request is answered here."""
SOFTWARE_GL: Final = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Root, as in containers, may start Chromium without its sandbox only."""
PAGE: Final = "<!DOCTYPE html><title>Virtual table</title>"
DRAWING: Final = Path(__file__).parent / "virtual_draw.js"
DRAW: Final = """
async (snapshot) => {
    const { drawNext } = await import("/draw.js");
    return drawNext(snapshot);
}
"""


class NoBrowser(RuntimeError):
    """There is no browser to draw with; one line says what is missing and how to have it."""


class VirtualBrowser:
    """One headless Chromium with the virtual table's renderer; a context manager.

    Raises NoBrowser as it is entered.
    """

    def __init__(self) -> None:
        self._open = contextlib.ExitStack()
        self._page: Any = None

    def __enter__(self) -> Self:
        """Start the browser."""
        try:
            from playwright.sync_api import (  # noqa: PLC0415 - developers alone have it
                Error,
                sync_playwright,
            )
        except ImportError:
            raise NoBrowser(
                "playwright is missing, which only developers have; in the sources ./run evaluate"
                " --virtual installs it"
            ) from None
        path = next((each for each in CHROMIUMS if each.exists()), None)
        if path is None:
            raise NoBrowser(f"there is no Chromium to draw with; install it: {REMEDY}")
        try:
            driver = self._open.enter_context(sync_playwright())
            browser = driver.chromium.launch(executable_path=str(path), args=[*SOFTWARE_GL])
        except (Error, OSError) as error:
            reason = str(error).strip().splitlines()[0]
            self._open.close()
            raise NoBrowser(f"{path} cannot be started ({reason}); {REMEDY}") from None
        self._open.callback(browser.close)
        self._page = browser.new_page()
        self._page.route("**/*", answer)
        self._page.goto(f"{ORIGIN}/")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the browser."""
        self._open.close()

    def draw(self, snapshot: dict[str, Any]) -> bytes:
        """Return a JPEG of what the virtual camera sees of *snapshot*."""
        return base64.b64decode(self._page.evaluate(DRAW, snapshot))


def answer(route: "Route") -> None:
    """Answer a request of a page at ORIGIN out of the static files."""
    path = urlsplit(route.request.url).path
    if path == "/":
        route.fulfill(body=PAGE, content_type="text/html")
        return
    if path == "/draw.js":
        route.fulfill(path=DRAWING)
        return
    file = (STATIC / path.removeprefix("/static").lstrip("/")).resolve()
    if not file.is_relative_to(STATIC) or not file.is_file():
        route.fulfill(status=404)
        return
    route.fulfill(path=file)
