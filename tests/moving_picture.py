"""The README's first picture: ten seconds of the virtual table, as an animated WebP.

A hand drags two tikis on the page of a companion that sees nothing but the virtual camera's
pictures; beside the table it shows what it sees, and how likely which move is.
"""

import io
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops
from playwright.sync_api import Page, ViewportSize, sync_playwright

from companion.referee.game import EMPTY
from rendering.virtual_browser import SOFTWARE_GL
from tests.conftest import CHROMIUM
from tests.virtual.dragged_evenings import Evening, evening
from tests.virtual.pointing import Point, Pointer

GAME: Final = "tiki_topple"
MOVES: Final = ("up2", "up3")
SCREEN: Final[ViewportSize] = {"width": 1440, "height": 900}
WIDTH_PX: Final = 800
LENGTH_MS: Final = 10_000
REST_MS: Final = 900
"""How long the last picture stays, before it begins anew."""
MOST_BYTES: Final = 1_500_000
QUALITIES: Final = (70, 60, 50, 40, 30, 20)
BETWEEN: Final = 2
"""Pictures for each step that the hand is moved."""
AFTERWARDS: Final = 8
"""Pictures once a move is known: the page answers to it."""
NEARER: Final = 3
"""How often the table is brought nearer."""
KEPT: Final = """() => {
  for (const part of document.querySelectorAll(".beside > *, #game > *")) {
    const is = (ids) => part.matches(ids) || part.querySelector(ids);
    if (!is("#game, #turn, #question, #camera, #eyes")) part.style.display = "none";
  }
}"""
WAIT_MS: Final = 120
MOST_WAITS: Final = 400


class Film:
    """The pictures of a page, without those in which nothing has changed."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.pictures: list[Image.Image] = []

    def take(self) -> None:
        """Take one."""
        shot = Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")
        size = (WIDTH_PX, round(WIDTH_PX * shot.height / shot.width))
        small = shot.resize(size, Image.Resampling.LANCZOS)
        if not self.pictures or ImageChops.difference(small, self.pictures[-1]).getbbox():
            self.pictures.append(small)

    def write(self, file: Path) -> int:
        """Write it to *file*, as good as it may be; return how many bytes it has."""
        first, *others = self.pictures
        each_ms = (LENGTH_MS - REST_MS) // max(len(others), 1)
        durations = [each_ms] * len(others) + [REST_MS]
        for quality in QUALITIES:
            first.save(
                file, save_all=True, append_images=others, duration=durations, loop=0,
                quality=quality, method=4,
            )  # fmt: skip
            if file.stat().st_size <= MOST_BYTES:
                break
        return file.stat().st_size


class FilmedPointer:
    """A pointer of which each movement is filmed."""

    def __init__(self, pointer: Pointer, film: Film) -> None:
        self._pointer, self._film = pointer, film
        self._at: Point = (0.0, 0.0)

    def down(self, at: Point) -> None:
        """Press at pixels *at*."""
        self._pointer.down(at)
        self._at = at
        self._film.take()

    def move(self, to: Point) -> None:
        """Move there, pressed."""
        (x, y), (to_x, to_y) = self._at, to
        for step in range(1, BETWEEN + 1):
            part = step / BETWEEN
            self._pointer.move((x + part * (to_x - x), y + part * (to_y - y)))
            self._film.take()
        self._at = to

    def up(self) -> None:
        """Let go."""
        self._pointer.up()
        self._film.take()


def take(file: Path) -> None:
    """Play, and write the moving picture to *file*; fails if it cannot be small enough."""
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=[*SOFTWARE_GL])
        with evening(browser, Path(folder), GAME, {}) as table:
            table.page.set_viewport_size(SCREEN)
            _compose(table.page)
            film = Film(table.page)
            _play(table, film)
            size = film.write(file)
        browser.close()
    assert size <= MOST_BYTES, f"{file} has {size} bytes; leave out a move"


def _compose(page: Page) -> None:
    """Look from nearer, and show beside the table only what the film is about."""
    for _ in range(NEARER):
        page.locator("#nearer").click()
    page.evaluate(KEPT)


def _play(table: Evening, film: Film) -> None:
    slots = [(each["x"], each["y"]) for each in table.layout["slots"]]
    seen = [table.at(slot, "tiki")[-1]["look"] for slot in slots]
    table.seen(f"line {' '.join(seen)}")
    table.hand.pointer = FilmedPointer(table.hand.pointer, film)
    film.take()
    for card in MOVES:
        action = next(each for each in reversed(table.legal()) if each.split()[0] == card)
        tiki = action.split()[-1]
        after = table.rules.apply(table.state, table.rules.parse_action(action))
        line = [each for each in table.game.shown(after) if each not in (EMPTY, None)]
        table.hand.drag(table.free("tiki", tiki), *slots[line.index(tiki)])
        table.follow(action)
        _await(table, film)
    assert any(ImageChops.difference(*each).getbbox() for each in pairwise(film.pictures))


def _await(table: Evening, film: Film) -> None:
    """Film the page until the companion has the move, and a little longer."""
    wanted, after = table.game.ruling(table.state), 0
    for _ in range(MOST_WAITS):
        film.take()
        table.answer()
        after += table.game.ruling(table.daemon.live_session.session.state) == wanted
        if after > AFTERWARDS:
            return
        table.page.wait_for_timeout(WAIT_MS)
    raise AssertionError("the companion has not seen the move")
