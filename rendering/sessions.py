"""Lay out strange tables of the flat games, to be rendered and then read as recorded sessions.

`python -m rendering.sessions lay GAME FOLDER COUNT` describes so many tables of tiki_topple,
tippi_toppi or uno_tiki; once `render.py` has rendered FOLDER/GAME, `sessions develop GAME FOLDER
OUT` takes photographs of them and writes sessions that `tiki evaluate OUT` reads. Nothing is
learned from these: they show how readers do on tables, lamps and sets that nobody looked at.
"""

import argparse
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.card_tables import PileTable, UnoTable
from rendering.household_traits import HOME_HELP, Table, furnish, parse_traits
from rendering.line_table import LineTable
from rendering.patches import take
from rendering.prints import Random, draw_ground, random_hue, write_tiles
from rendering.props import Thing
from rendering.room import (
    Spot,
    random_camera,
    random_skin,
    random_tiles,
    reach_over,
    rest_beside,
    scatter,
)
from rendering.scenes import HFOV_DEG, PICTURE_PX, TABLE_PX, Scene, random_lights
from rendering.typefaces import list_unlearned
from vision.capture.frame import load_frame
from vision.geometry.layout import Mat

SEED: Final = 505
"""Apart from the seeds of all that is trained on."""
KINDS: Final = ("settled",) * 6 + ("beside", "occluded", "moving")
"""What the pictures of a session show after the first, which teaches; in any order."""
TILE_MM: Final = 50.0
State: TypeAlias = Any
"""What lies there, as a game's table has it."""


class FlatTable(Protocol):
    """What describes the tables of one game."""

    @property
    def name(self) -> str:
        """What the game is called in a session.json."""

    @property
    def mat(self) -> Mat:
        """Its corner tiles."""

    @property
    def spots(self) -> tuple[Spot, ...]:
        """What a hand must not hide from a reader."""

    @property
    def kept(self) -> tuple[Spot, ...]:
        """Where nothing else may lie."""

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""

    def dress(self, random: Random, folder: Path, stem: str) -> dict[str, Any]:
        """Return how one set looks; its prints are drawn into *folder*."""

    def known(self) -> State:
        """Return what teaches a reader."""

    def deal(self, random: Random) -> State:
        """Return anything there may be."""

    def tell(self, state: State) -> dict[str, Any]:
        """Return the truth about it, as truth.jsonl has it."""

    def lay(self, random: Random, looks: Mapping[str, Any], state: State) -> list[Thing]:
        """Return the things that lie there."""

    def hold(
        self, random: Random, looks: Mapping[str, Any], state: State, tip: NDArray[np.float64]
    ) -> tuple[State, Thing]:
        """Return what is left while a hand holds something, and what it holds."""


TABLES: Final[Mapping[str, FlatTable]] = {
    table.name: table for table in (LineTable(), PileTable(), UnoTable())
}
PRINTED: Final = {table.name: table for table in (PileTable, UnoTable)}
"""Games whose cards are printed in some typeface."""


def lay_sessions(
    table: FlatTable, folder: Path, count: int, first: int = 0, home: Collection[str] = ()
) -> None:
    """Describe *count* tables in *folder*, each in as many scenes as a session has pictures.

    first: the number of the first; the same number gives the same table.  home: traits of
    `household_traits`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_tiles(folder, table.mat.marker_ids)
    shots = 1 + len(KINDS)
    for session in range(first, first + count):
        for scene in _lay_session(table, folder, session, shots, home):
            (folder / f"{scene['name']}.json").write_text(json.dumps(scene), "utf-8")


def _lay_session(
    table: FlatTable, folder: Path, session: int, shots: int, home: Collection[str]
) -> Iterator[Scene]:
    random = np.random.default_rng([SEED, session, *table.mat.marker_ids])
    stem = f"set{session:03d}"
    rough = random.uniform(0, 0.15)
    ground = draw_ground(random, TABLE_PX, random_hue(random, (0.0, 0.6), (0.15, 0.95)), rough)
    cv2.imwrite(str(folder / f"{stem}-ground.jpg"), ground)
    looks = table.dress(random, folder, stem)
    camera, skin = random_camera(random, table.mat), random_skin(random)
    lying = scatter(random, table.mat, table.kept, folder, stem)
    shared: Scene = {
        "game": table.name,
        "ground": f"{stem}-ground.jpg",
        "middle": [table.mat.width / 2, table.mat.height / 2, 0.0],
        "camera": camera,
        "lights": random_lights(random),
        "tiles": random_tiles(random, table.mat),
        "things": lying,
    }
    traits = np.random.default_rng([SEED, session, 2])
    furnish(Table(traits, table.mat, table.kept, folder, stem, shared), home)
    camera = shared["camera"]
    kinds = ["calibration", *(str(kind) for kind in random.permutation(np.array(KINDS)))]
    for shot, kind in enumerate(kinds):
        state = table.known() if kind == "calibration" else table.deal(random)
        hand, held = None, []
        if kind in ("occluded", "moving"):
            hand, tip = reach_over(random, camera, table.spots, skin)
            if kind == "moving":
                state, thing = table.hold(random, looks, state, tip)
                held = [thing]
        elif kind == "beside":
            hand = rest_beside(random, camera, table.mat, table.spots, skin)
        still = kind in ("calibration", "settled", "beside")
        yield {
            **shared,
            "name": f"{session * shots + shot:04d}",
            "kind": "settled" if kind == "beside" else kind,
            "truth": {"settled": still, **(table.tell(state) if still else {})},
            "things": [*shared["things"], *table.lay(random, looks, state), *held],
            "hand": hand,
        }


def develop_sessions(table: FlatTable, folder: Path, out: Path, seed: int = SEED) -> int:
    """Photograph the rendered sessions of *folder* into *out*; return how many there are."""
    scenes = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("????.json"))]
    shots, done = 1 + len(KINDS), 0
    for start in range(0, len(scenes), shots):
        session = scenes[start : start + shots]
        if all((folder / f"{scene['name']}.png").exists() for scene in session):
            number = int(session[0]["name"]) // shots
            _develop(table, session, folder, out / table.name / f"s{number:03d}", seed + number)
            done += 1
    return done


def _develop(table: FlatTable, scenes: list[Scene], folder: Path, out: Path, seed: int) -> None:
    """Write one session; one camera takes all its pictures, each with noise of its own."""
    out.mkdir(parents=True, exist_ok=True)
    grain, rows = np.random.default_rng([seed, 1, *table.mat.marker_ids]), []
    for shot, scene in enumerate(scenes):
        picture = load_frame(folder / f"{scene['name']}.png").picture
        camera = np.random.default_rng([seed, 0, *table.mat.marker_ids])
        packed, _ = take(picture, camera, (0, 0, *PICTURE_PX), grain)
        name = f"{shot:03d}.jpg"
        (out / name).write_bytes(packed.tobytes())
        rows.append({"frame": name, "kind": scene["kind"], "truth": scene["truth"]})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (out / "truth.jsonl").write_text(lines, "utf-8")
    described = describe(table.name, table.mat, table.layout, rows)
    (out / "session.json").write_text(json.dumps(described, indent=1), "utf-8")


def describe(
    game: str,
    mat: Mat,
    layout: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    hfov_deg: float = HFOV_DEG,
) -> dict[str, Any]:
    """Return a session.json for the pictures of *rows*, the first of which teaches.

    hfov_deg: of the camera.
    """
    return {
        "game": game,
        "difficulty": "strange",
        "units": "mm",
        "mat": {
            "width": mat.width,
            "height": mat.height,
            "marker_dict": "DICT_4X4_50",
            "marker_ids": list(mat.marker_ids),
            "marker_mm": mat.marker_mm,
            "tile_mm": TILE_MM,
        },
        "image": {"width": PICTURE_PX[0], "height": PICTURE_PX[1], "hfov_deg": hfov_deg},
        "calibration_frame": rows[0]["frame"],
        "layout": layout,
        "frames": [{"frame": row["frame"], "kind": row["kind"]} for row in rows],
    }


def main() -> None:
    """Describe tables, or photograph what was rendered of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("lay", "develop"))
    parser.add_argument("game", choices=TABLES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("more", help="how many to lay; or the folder to write sessions into")
    parser.add_argument("--first", type=int, default=0, help="the number of the first to lay")
    parser.add_argument(
        "--typefaces",
        type=Path,
        metavar="DIR",
        help="print cards in those of DIR that no network has learned from (see typefaces.py)",
    )
    parser.add_argument("--home", type=parse_traits, default=frozenset(), help=HOME_HELP)
    given = parser.parse_args()
    table, folder = TABLES[given.game], given.folder / given.game
    if given.typefaces is not None:
        if given.game not in PRINTED:
            parser.error(f"--typefaces: nothing of {given.game} is printed in letters; leave it")
        table = PRINTED[given.game](list_unlearned(given.typefaces))
    if given.what == "lay":
        lay_sessions(table, folder, int(given.more), given.first, given.home)
    else:
        print(develop_sessions(table, folder, Path(given.more)), "sessions")


if __name__ == "__main__":
    main()
