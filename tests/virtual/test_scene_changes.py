"""What moves is drawn anew, and nothing else; the picture is as if all had been."""

from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.apps.virtual.laying import snapshot_of
from tests.virtual.drawing import drawing_page
from tests.virtual.random_tables import TEACHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

COMPARE: Final = """async ([snapshot, rooms, blind]) => {
  const [{ TableScene }, { Eye }, { randomOf }] = await Promise.all(
    ["/scene.js", "/eye.js", "/canvas.js"].map((each) => import(each)));
  const random = randomOf(5), table = new TableScene();
  let pieces = [];
  const read = (eye) => {
    const { width, height } = eye.targets[1], pixels = new Uint8Array(4 * width * height);
    eye.renderer.readRenderTargetPixels(eye.targets[1], 0, 0, width, height, pixels);
    return pixels;
  };
  const found = { most: 0, least: 1, drawn: 0 };
  let now = 0;
  const any = (many) => Math.floor(many * random());
  const hand = () => ({ seat: 1, x: any(400), y: any(300), z: any(90), side: "near" });
  const faces = [null, { face: "tiki", number: 1 }];
  const acts = [
    () => {
      const piece = pieces[any(pieces.length)];
      Object.assign(piece, { x: any(420), y: any(300), z: any(30), turn: any(360) });
      table.change([piece]);
    },
    () => table.setHands(random() < 0.2 ? [] : [hand()]),
    () => pieces.length > 4 && table.change([], [pieces.splice(any(pieces.length), 1)[0].id]),
    () => snapshot.idol
      && table.change([], [], { idol: { angle: any(360), card: faces[any(2)] } }),
    () => snapshot.idol && table.spin(any(360), 2, 300),
    () => table.tip({ tilt: 8 * random(), towards: any(360) }),
  ];
  for (const room of rooms) {
    pieces = snapshot.pieces.map((piece) => ({ ...piece }));
    table.load({ ...snapshot, room });
    const eye = new Eye(table);
    eye.draw(false);
    for (let each = 0; each < 10; each += 1) {
      const part = eye.partOf.bind(eye);
      eye.partOf = (points, target) => {
        const [left, low, wide, high] = part(points, target);
        found.least = Math.min(found.least, (wide * high) / (target.width * target.height));
        found.drawn += 1;
        return blind ? [left, low, 1, 1] : [left, low, wide, high];
      };
      for (let act = 0; act < 1 + (each % 3); act += 1) acts[any(acts.length)]();
      table.update(now += 45);
      eye.draw(false);
      const confined = read(eye);
      eye.drawn = eye.jagged = -1;
      eye.draw(false);
      const whole = read(eye);
      for (let at = 0; at < whole.length; at += 1) {
        found.most = Math.max(found.most, Math.abs(whole[at] - confined[at]));
      }
    }
    eye.dispose();
  }
  return found;
}"""
LOW_LAMP: Final = {"lamp_height": 25, "lamp_side": 300, "shadow": 1.0, "cups": 3}
SOFT_WIDE: Final = {"hfov": 100, "k1": -0.2, "shadow": 0.1, "camera_side": 90, "roll": 7}


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """Return a page that can draw."""
    with drawing_page(browser) as page:
        yield page


def compare(page: "Page", game: str, *, blind: bool = False) -> dict[str, Any]:
    """Return by how many levels pictures differ at most, and the least share that was drawn."""
    found: dict[str, Any] = page.evaluate(
        COMPARE, [snapshot_of(game, TEACHING[game]), [LOW_LAMP, SOFT_WIDE], blind]
    )
    return found


@pytest.mark.parametrize("game", TEACHING)
def test_what_is_not_drawn_anew_is_as_it_was(page: "Page", game: str) -> None:
    """Pieces, arms, idol and board move at random; each picture is drawn whole as well."""
    found = compare(page, game)
    assert found["most"] <= 1
    assert found["drawn"] > 10
    assert found["least"] < 0.2


def test_what_is_left_out_would_be_seen(page: "Page") -> None:
    """Where next to nothing is drawn anew, the pictures differ."""
    assert compare(page, "topple", blind=True)["most"] > 50
