"""Pictures that the scene's own modules draw in a headless browser, for tests."""

import base64
import functools
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.apps import virtual
from vision.capture.frame import Frame, decode

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STATIC: Final = Path(virtual.__file__).parent / "static"
FLAGS: Final = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""For a browser without a graphics card."""
BLANK: Final = b"<!doctype html><meta charset=utf-8><title>table</title><canvas id=view></canvas>"
PICTURE: Final = """async (snapshot) => {
  const { pictureOf } = await import("/eye.js");
  const bytes = new Uint8Array(await (await pictureOf(snapshot)).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}"""


class _Files(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(BLANK)

    def log_message(self, *_given: Any) -> None:
        pass


@contextmanager
def served_files(folder: Path = STATIC) -> Iterator[str]:
    """Serve *folder*, with an empty page at its root; yields that page's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def drawing_page(browser: "Browser") -> "Iterator[Page]":
    """Yield a page that can import the scene's modules; fails if it complained of anything."""
    complaints: list[str] = []
    with served_files() as url:
        page = browser.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type == "error" else None,
        )
        page.goto(url)
        yield page
        page.close()
    assert [each for each in complaints if "favicon" not in each] == []


def draw_jpeg(page: "Page", snapshot: Mapping[str, Any]) -> bytes:
    """Return the virtual camera's picture of *snapshot* as a JPEG."""
    return base64.b64decode(page.evaluate(PICTURE, dict(snapshot)))


def draw_frame(page: "Page", snapshot: Mapping[str, Any], name: str = "virtual.jpg") -> Frame:
    """Return the same as a frame of a camera."""
    return Frame(name, decode(draw_jpeg(page, snapshot), name), 0.0)
