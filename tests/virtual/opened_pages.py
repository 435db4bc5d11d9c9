"""The page of the virtual table as a test opens it: watched, with a companion of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, Request, ViewportSize

from tests.virtual.stand_in import StandIn

LAPTOP: Final[ViewportSize] = {"width": 1440, "height": 900}
NARROW: Final[ViewportSize] = {"width": 360, "height": 640}
ASIDE: Final[ViewportSize] = {"width": 844, "height": 390}
BOARD, CARDS = "topple", "uno_tiki"
FREE: Final = (20.0, 300.0)
"""Of that table, a point that is no place of anything."""
NO_WEBGL: Final = """
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : get.call(this, kind, ...more);
};
"""
HIDE: Final = """isHidden => {
  Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
POSE: Final = "({ ...virtualTable.pose })"


@contextmanager
def opened(
    browser: Browser, table: StandIn, screen: ViewportSize = LAPTOP, script: str = "", **more: Any
) -> Iterator[Page]:
    """Give the page in a context of its own; fails if it complains or asks anybody else."""
    context = browser.new_context(viewport=screen, **more)
    complaints = watched(context, table.url)
    if script:
        context.add_init_script(script)
    page = context.new_page()
    page.goto(table.url)
    table.wait("hello")
    page.wait_for_function("() => virtualTable.world.isThere")
    yield page
    context.close()
    assert complaints == []


def watched(context: BrowserContext, url: str) -> list[str]:
    """Return what will hold all complaints, and all requests to another origin than *url*'s."""
    origin, complaints = url.partition("/virtual")[0], list[str]()
    context.on("console", lambda message: complaints.append(message.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    own = (f"{origin}/", f"{origin.replace('http', 'ws')}/", "blob:", "data:")

    def note(asked: Request) -> None:
        if not asked.url.startswith(own):
            complaints.append(asked.url)

    context.on("request", note)
    return _Grave(complaints)


class _Grave(list[str]):
    """Complaints, but for what a driver says of its speed, and a line that is cut on purpose."""

    def __init__(self, found: list[str]) -> None:
        super().__init__()
        self.found = found

    def __eq__(self, other: object) -> bool:
        harmless = (
            "GL Driver Message",
            "WebSocket connection",
            "ERR_CONNECTION",
            "WebGLRenderer: Context",
        )
        return [each for each in self.found if not any(h in each for h in harmless)] == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.found)
