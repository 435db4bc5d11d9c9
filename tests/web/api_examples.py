"""The examples of docs/api.md, and a place elsewhere from which the overlay is served."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Final

from companion.web.api.openapi import PLACE

PAGE: Final = (Path(__file__).parents[2] / "docs" / "api.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the examples of the document in *language*."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def write_overlay(page: Path, address: str) -> None:
    """Write the example of an overlay as a *page* that follows the companion at *address*."""
    script = blocks("js")[0].replace(PLACE, address)
    head = '<meta charset="utf-8"><title>Overlay</title>'
    page.write_text(f"{head}<body><script>{script}</script>", encoding="utf-8")


@contextmanager
def elsewhere(folder: Path) -> Iterator[str]:
    """Serve *folder* as a page from elsewhere, and give where it comes from."""
    handler = partial(Silent, directory=str(folder))
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class Silent(SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""
