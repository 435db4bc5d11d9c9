"""Pictures that the scene's own modules draw in a headless browser, for tests."""

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from rendering.virtual_browser import ORIGIN, answer
from vision.capture.frame import Frame, decode

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CANVAS: Final = (
    "document.body.append(Object.assign(document.createElement('canvas'), { id: 'view' }))"
)
PICTURE: Final = """async (snapshot) => {
  const { pictureOf } = await import("/eye.js");
  const bytes = new Uint8Array(await (await pictureOf(snapshot)).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}"""


@contextmanager
def drawing_page(browser: "Browser") -> "Iterator[Page]":
    """Yield a page that can import the scene's modules; fails if it complained of anything."""
    complaints: list[str] = []
    page = browser.new_page()
    page.route("**/*", answer)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.goto(ORIGIN)
    page.evaluate(CANVAS)
    yield page
    page.close()
    assert [each for each in complaints if "favicon" not in each] == []


def draw_jpeg(page: "Page", snapshot: Mapping[str, Any]) -> bytes:
    """Return the virtual camera's picture of *snapshot* as a JPEG."""
    return base64.b64decode(page.evaluate(PICTURE, dict(snapshot)))


def draw_frame(page: "Page", snapshot: Mapping[str, Any], name: str = "virtual.jpg") -> Frame:
    """Return the same as a frame of a camera."""
    return Frame(name, decode(draw_jpeg(page, snapshot), name), 0.0)
