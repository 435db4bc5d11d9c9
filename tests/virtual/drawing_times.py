"""How long a picture of the virtual table takes: `python -m tests.virtual.drawing_times [GAME...]`.

In milliseconds, the least and the median of 20: a picture after something moved (shadows, scene,
lens), the first smooth one at rest, one of a table at rest (new noise alone), its JPEG, and the
player's view.
"""

import argparse
from typing import Final

from playwright.sync_api import sync_playwright

from companion.apps.virtual.laying import snapshot_of
from rendering.virtual_browser import SOFTWARE_GL
from tests.conftest import CHROMIUM
from tests.virtual.drawing import drawing_page
from tests.virtual.random_tables import TEACHING

MEASURE: Final = """async ([snapshot, tries]) => {
  const [{ TableScene }, { Eye }, { View }] = await Promise.all(
    ["/scene.js", "/eye.js", "/view.js"].map((each) => import(each)));
  const table = new TableScene();
  table.load(snapshot);
  const eye = new Eye(table);
  const canvas = document.getElementById("view");
  canvas.width = 960; canvas.height = 540;
  const view = new View(canvas, table);
  const wait = (renderer) => {
    const gl = renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  };
  const piece = snapshot.pieces[0];
  const found = { moved: [], smooth: [], rest: [], jpeg: [], view: [] };
  const time = async (name, act) => {
    const began = performance.now();
    await act();
    found[name].push(performance.now() - began);
  };
  for (let each = 0; each < tries + 2; each += 1) {
    table.change([{ ...piece, x: piece.x + (each % 2) }], []);
    table.setHands([{ seat: 0, x: 200 + each, y: 150, z: 40, side: "near" }]);
    await time("moved", () => { eye.draw(); wait(eye.renderer); });
    await time("view", () => { view.draw(); wait(view.renderer); });
    await time("smooth", () => { eye.draw(); wait(eye.renderer); });
    await time("rest", () => { eye.draw(); wait(eye.renderer); });
    await time("jpeg", () => eye.jpeg());
  }
  return Object.fromEntries(Object.entries(found).map(([name, each]) => [name, each.slice(2)]));
}"""


def main() -> None:
    """Print the times of each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(TEACHING))
    parser.add_argument("--tries", type=int, default=20)
    given = parser.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=list(SOFTWARE_GL))
        for game in given.games:
            with drawing_page(browser) as page:
                page.set_viewport_size({"width": 1280, "height": 720})
                found = page.evaluate(MEASURE, [snapshot_of(game, TEACHING[game]), given.tries])
                told = (
                    f"{name} {min(each):.0f} / {sorted(each)[len(each) // 2]:.0f} ms"
                    for name, each in found.items()
                )
                print(f"{game}: {', '.join(told)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
