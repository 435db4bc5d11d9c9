"""What a player's page asks of the scene: what lies under a pointer, and things that move."""

from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.apps.virtual.laying import snapshot_of
from tests.virtual.drawing import drawing_page
from tests.virtual.random_tables import TEACHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

PREPARE: Final = """async (snapshot) => {
  const [{ TableScene }, { View }, { Vector3 }] = await Promise.all(
    ["/scene.js", "/view.js", "/three/three.module.js"].map((each) => import(each)));
  const canvas = document.getElementById("view");
  canvas.style.cssText = "width: 900px; height: 600px";
  const table = new TableScene();
  table.load(snapshot);
  const view = new View(canvas, table);
  view.setPose({ azimuth: 200, height: 65 });
  view.draw();
  // The ray under a place of the table, by the page's own way from a pointer.
  const rayTo = ({ x, y, z }) => {
    const place = new Vector3(x, z, y).project(view.camera);
    const box = canvas.getBoundingClientRect();
    return view.rayAt(box.left + ((1 + place.x) / 2) * box.width,
      box.top + ((1 - place.y) / 2) * box.height);
  };
  globalThis.scene = { table, view, rayTo, snapshot };
}"""


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """Return a page that can draw."""
    with drawing_page(browser) as found:
        yield found


def prepare(page: "Page", game: str) -> dict[str, Any]:
    """Show the teaching table of *game* to a player; return its snapshot."""
    snapshot = snapshot_of(game, TEACHING[game])
    page.evaluate(PREPARE, snapshot)
    return snapshot


@pytest.mark.slow(keep=["topple"])
@pytest.mark.parametrize("game", ["tiki_topple", "topple", "uno_tiki"])
def test_pieces_are_picked_where_they_are_seen(page: "Page", game: str) -> None:
    """A ray to a piece's top meets that piece; one to the table, the table where it points."""
    snapshot = prepare(page, game)
    tops = [
        each
        for each in snapshot["pieces"]
        if not any(
            abs(other["x"] - each["x"]) + abs(other["y"] - each["y"]) < 40
            and other["z"] > each["z"]
            for other in snapshot["pieces"]
        )
    ]
    assert len(tops) >= 4
    picked = page.evaluate(
        "(tops) => tops.map(({ x, y, z, size }) =>"
        " scene.table.pick(scene.rayTo({ x, y, z: z + size[2] - 0.5 })))",
        tops,
    )
    assert picked == [each["id"] for each in tops]
    floor = snapshot["table"]["layout"].get("floor_z", 0)
    place = page.evaluate(
        f"() => scene.table.surface(scene.rayTo({{ x: 20, y: 260, z: {floor} }}))"
    )
    assert place == pytest.approx({"x": 20, "y": 260}, abs=0.01)


def test_what_moves_arrives_and_rests(page: "Page") -> None:
    """A piece glides, then lies where it should; at rest nothing is drawn again."""
    prepare(page, "tiki_topple")
    found = page.evaluate(
        """() => {
          const { table, view, snapshot } = scene;
          table.update(1000);
          const piece = snapshot.pieces.find(({ kind }) => kind === "tiki");
          table.change([{ ...piece, x: piece.x + 60 }], []);
          const at = () => table.placed.get(piece.id).pose.x - piece.x;
          const moving = [table.update(1060), at()], done = [table.update(2000), at()];
          view.draw();
          return { moving, done, again: view.draw() };
        }"""
    )
    assert found["moving"][0] is True
    assert 0 < found["moving"][1] < 60
    assert found["done"] == [False, pytest.approx(60)]
    assert found["again"] is False


def test_idol_spins_to_where_it_should(page: "Page") -> None:
    """A spin ends where it was to end, after its turns, and not before its time."""
    prepare(page, "uno_tiki")
    degrees = page.evaluate(
        """() => {
          const { table } = scene;
          table.update(0);
          table.spin(250, 3, 2000);
          const found = [];
          for (const now of [500, 1900, 2000, 3000]) {
            found.push([table.update(now), table.idol.deg]);
          }
          return found;
        }"""
    )
    assert [moving for moving, _ in degrees] == [True, True, False, False]
    assert degrees[1][1] != pytest.approx(250, abs=0.01)
    assert degrees[2][1] == degrees[3][1] == pytest.approx(250)
