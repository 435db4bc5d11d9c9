"""What a person's hand does on the page of the virtual table: a real mouse, or real touches."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol

from playwright.sync_api import Page

Point = tuple[float, float]
WAIT_S: Final = 60.0
STEPS: Final = 6
STEP_MS: Final = 25.0
# Where (x, y, z) mm of the table are on the screen.
PROJECT: Final = """([x, y, z]) => {
  const { view } = virtualTable.drawing;
  view.draw();
  const box = view.canvas.getBoundingClientRect();
  const at = view.camera.position.clone().set(x, z, y).project(view.camera);
  return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
}"""
PIECES: Final = "() => virtualTable.world.isThere ? [...virtualTable.world.pieces.values()] : []"
PICKED: Final = """([x, y]) => {
  const { scene, view } = virtualTable.drawing;
  return scene.pick(view.rayAt(x, y));
}"""
SURFACE: Final = """([x, y]) => {
  const { scene, view } = virtualTable.drawing;
  return scene.surface(view.rayAt(x, y));
}"""


class Pointer(Protocol):
    """A mouse or a finger."""

    def down(self, at: Point) -> None:
        """Press at pixels *at*."""

    def move(self, to: Point) -> None:
        """Move there, pressed."""

    def up(self) -> None:
        """Let go."""


class Mouse:
    """The page's mouse."""

    def __init__(self, page: Page) -> None:
        self._mouse = page.mouse

    def down(self, at: Point) -> None:
        """Press at pixels *at*."""
        self._mouse.move(*at)
        self._mouse.down()

    def move(self, to: Point) -> None:
        """Move there, pressed."""
        self._mouse.move(*to)

    def up(self) -> None:
        """Let go."""
        self._mouse.up()


class Finger:
    """One or more fingers, as the browser itself gets them from a screen."""

    def __init__(self, page: Page) -> None:
        self._driver = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: Point) -> None:
        """Let all fingers be at *points*."""
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._driver.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, at: Point) -> None:
        """Put one finger down at pixels *at*."""
        self.touch("touchStart", at)

    def move(self, to: Point) -> None:
        """Move it there."""
        self.touch("touchMove", to)

    def up(self) -> None:
        """Lift it."""
        self.touch("touchEnd")


class Table:
    """A page of the virtual table, and a hand that drags what lies on it.

    let_go_s: when it let go last, by the steady clock.
    """

    def __init__(self, page: Page, *, by_touch: bool = False) -> None:
        self.page = page
        self.let_go_s = time.monotonic()
        self.pointer: Pointer = Finger(page) if by_touch else Mouse(page)

    @property
    def pieces(self) -> dict[int, dict[str, Any]]:
        """All pieces that the page knows, by number."""
        return {piece["id"]: piece for piece in self.page.evaluate(PIECES)}

    def find(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Return the highest piece of which *wanted* holds; fails if there is none."""
        found = [piece for piece in self.pieces.values() if wanted(piece)]
        assert found, "no such piece on the table"
        return max(found, key=lambda piece: piece["z"])

    def pixels(self, x: float, y: float, z: float = 0.0) -> Point:
        """Return where these mm are on the screen."""
        left, top = self.page.evaluate(PROJECT, [x, y, z])
        return left, top

    def pixels_of(self, piece: Mapping[str, Any]) -> Point:
        """Return pixels at which *piece* is what is grasped; fails if all of it is covered."""
        width, depth, height = piece["size"]
        turn = math.radians(piece["turn"])
        for dx, dy in _SPREAD:
            across, down = dx * width, dy * depth
            x = piece["x"] + across * math.cos(turn) - down * math.sin(turn)
            y = piece["y"] + across * math.sin(turn) + down * math.cos(turn)
            at = self.pixels(x, y, piece["z"] + height)
            if self.page.evaluate(PICKED, list(at)) == piece["id"]:
                return at
        raise AssertionError(f"{piece} cannot be grasped from here")

    def drag(self, piece: Mapping[str, Any], x: float, y: float) -> None:
        """Take *piece* and put it at (x, y) mm."""
        with self.carrying(piece, x, y):
            pass

    @contextmanager
    def carrying(self, piece: Mapping[str, Any], x: float, y: float) -> Iterator[None]:
        """Hold *piece* over (x, y) mm meanwhile, and let it go there."""
        start = self.pixels_of(piece)
        grasped = self.page.evaluate(SURFACE, list(start))
        # The piece keeps its distance from the pointer on the table.
        end = self.on_surface(x + grasped["x"] - piece["x"], y + grasped["y"] - piece["y"])
        self.pointer.down(start)
        for step in range(1, STEPS + 1):
            part = step / STEPS
            self.pointer.move(
                (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
            )
            self.page.wait_for_timeout(STEP_MS)
        yield
        self.let_go()

    def let_go(self) -> None:
        """Let go of what is held, and note when."""
        self.pointer.up()
        self.let_go_s = time.monotonic()

    def on_surface(self, x: float, y: float) -> Point:
        """Return the pixels under which the table's surface has (x, y) mm."""
        low, high = 0.0, 200.0
        at = self.pixels(x, y)
        for _ in range(12):  # the height of what lies there is found by halving
            z = (low + high) / 2
            at = self.pixels(x, y, z)
            found = self.page.evaluate(SURFACE, list(at))
            if found is None:
                break
            off = found["y"] - y
            if abs(off) < 0.3 and abs(found["x"] - x) < 0.3:
                return at
            if off < 0:
                high = z
            else:
                low = z
        ground = self.pixels(x, y)
        found = self.page.evaluate(SURFACE, list(ground))
        assert found is not None, (x, y)
        assert math.hypot(found["x"] - x, found["y"] - y) < 1.0, (x, y, found)
        return ground

    def wait(self, wanted: Callable[[dict[int, dict[str, Any]]], object], what: str) -> None:
        """Wait until *wanted* holds of all pieces; fails with *what* otherwise."""
        deadline = time.monotonic() + WAIT_S
        while not wanted(self.pieces):
            assert time.monotonic() < deadline, what
            self.page.wait_for_timeout(30)


_SPREAD: Final = [
    (0.0, 0.0),
    *((dx, dy) for dx in (0.0, 0.25, -0.25, 0.4, -0.4) for dy in (0.25, -0.25, 0.4, -0.4)),
    *((dx, 0.0) for dx in (0.25, -0.25, 0.4, -0.4)),
]
"""Parts of a piece at which it may be grasped, from its middle outwards."""
